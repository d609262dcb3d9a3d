# SPDX-License-Identifier: GPL-2.0
"""The command line of qemu/guest."""
import argparse
import os
import re

from .status import USAGE, Stop

EPILOG = """\
Without a command: an interactive shell (Ctrl-] ends the guest at once).
The guest sees the host's file system; what it writes is gone afterwards,
save below a --share. The kernels come from `make kernel`.

Status: the command's (128 + N for signal N); 70 the kernel's log holds a
report, which is printed; 71 the guest ended without a record of the command's
end, its console is printed; 124 the time limit; 2 wrong use; 130 Ctrl-C.
"""
KERNELS = ("stock", "fine", "coarse")
FLAVOURS = ("preempt", "rt")
DEBUGS = ("lockdep", "kasan", "kcsan", "trace", "info")
ACCELS = ("auto", "kvm", "tcg", "icount")
MAX_CPUS = 64


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Stop(USAGE, message + " (see --help)")


def positive(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


def memory_mib(text):
    match = re.fullmatch(r"(\d+)([MG]?)", text)
    if not match or not int(match[1]):
        raise argparse.ArgumentTypeError(f"not a size such as 512M or 4G: {text}")
    return int(match[1]) * (1024 if match[2] == "G" else 1)


def directory(text):
    if not os.path.isdir(text):
        raise argparse.ArgumentTypeError(f"no such directory: {text}")
    return os.path.realpath(text)


def new_file(text):
    if not os.access(os.path.dirname(text) or ".", os.W_OK):
        raise argparse.ArgumentTypeError(f"cannot write there: {text}")
    return text


def parser():
    p = Parser(prog="qemu/guest", usage="%(prog)s [options] [-- COMMAND [ARG...]]",
               description=__doc__ and "Boots a kernel and runs a command in it.",
               epilog=EPILOG, allow_abbrev=False,
               formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--kernel", choices=KERNELS, default="fine",
                   help="default: fine; coarse is fine with sem_coarse=1")
    p.add_argument("--flavour", choices=FLAVOURS, default="preempt")
    p.add_argument("--debug", choices=DEBUGS, help="a debug build of it")
    p.add_argument("--image", metavar="FILE", help="boot this vmlinux instead")
    p.add_argument("--cpus", type=positive, metavar="N",
                   help="default: the host's, at most 64; 1 with icount")
    p.add_argument("--mem", type=memory_mib, metavar="SIZE",
                   help="such as 512M or 4G (default 2G, debug builds 4G)")
    p.add_argument("--numa", type=positive, default=1, metavar="N",
                   help="nodes, with distances")
    p.add_argument("--append", default="", metavar="TEXT",
                   help="more for the kernel's command line")
    p.add_argument("--accel", choices=ACCELS, default="auto",
                   help="auto takes KVM where a guest has run with it")
    p.add_argument("--timeout", type=int, metavar="SECONDS",
                   help="end the guest then (default 600, a shell never; 0 never)")
    p.add_argument("--share", type=directory, action="append", default=[],
                   metavar="DIR", help="writable for the guest; may be repeated")
    p.add_argument("--log", type=new_file, metavar="FILE", help="write the kernel's log there")
    p.add_argument("--tty", action="store_true",
                   help="give the command a terminal")
    p.add_argument("--gdb", type=positive, metavar="PORT",
                   help="wait for gdb on this TCP port of the loopback device")
    p.add_argument("--print-accel", action="store_true",
                   help="only print what --accel comes to: kvm, tcg or icount")
    return p


def parse(argv):
    """The options; options.command is the command, empty for a shell."""
    split = argv.index("--") if "--" in argv else len(argv)
    options = parser().parse_args(argv[:split])
    options.command = argv[split + 1:]
    if split < len(argv) and not options.command:
        raise Stop(USAGE, "no command after --")
    if options.accel == "icount" and (options.cpus or 1) > 1:
        raise Stop(USAGE, "--accel icount counts one CPU's instructions: --cpus 1")
    if options.cpus is None:
        usable = len(os.sched_getaffinity(0))
        options.cpus = 1 if options.accel == "icount" else \
            max(min(usable, MAX_CPUS), options.numa)
    if options.cpus > MAX_CPUS:
        raise Stop(USAGE, f"--cpus: the kernels are built for {MAX_CPUS}")
    if options.numa > options.cpus:
        raise Stop(USAGE, "--numa: each node needs a CPU, see --cpus")
    if options.mem is None:
        options.mem = 4096 if options.debug else 2048
    if options.timeout is None:
        options.timeout = 600 if options.command else 0
    if options.timeout < 0:
        raise Stop(USAGE, "--timeout: must not be negative")
    return options
