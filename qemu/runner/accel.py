# SPDX-License-Identifier: GPL-2.0
"""
Whether KVM really runs a guest. A device node proves nothing, so a guest is
booted with it once in each boot of the host, and the answer is remembered.
"""
import copy
import os
import subprocess
import sys

from . import machine
from .session import Session

REMEMBERED = os.path.join(machine.TOP, "build/guest/kvm")
LIMIT_SECONDS = 20


def _circumstances():
    with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        boot = file.read().strip()
    version = subprocess.run([machine.QEMU, "--version"], capture_output=True,
                             text=True, check=True).stdout.split("\n")[0]
    return f"{boot} {version}"


def _recall(circumstances):
    try:
        with open(REMEMBERED, encoding="utf-8") as file:
            answer, _, known = file.read().strip().partition(" ")
    except OSError:
        return None
    return answer if known == circumstances else None


def _remember(answer, circumstances):
    new = f"{REMEMBERED}.{os.getpid()}"
    try:
        with open(new, "w", encoding="utf-8") as file:
            file.write(f"{answer} {circumstances}\n")
        os.replace(new, REMEMBERED)
    except OSError:
        pass  # somebody else's clone: it is found out again next time


def _probe(options):
    probe = copy.copy(options)
    probe.command, probe.tty, probe.share, probe.gdb = ["true"], False, [], None
    probe.timeout, probe.append, probe.numa = LIMIT_SECONDS, "", 1
    outcome = Session(probe, "kvm", quiet=True).run()
    return outcome.status == 0


def choose(options):
    """What --accel comes to."""
    if options.accel != "auto":
        return options.accel
    if not os.access("/dev/kvm", os.R_OK | os.W_OK):
        return "tcg"
    circumstances = _circumstances()
    answer = _recall(circumstances)
    if answer is None:
        print("qemu/guest: trying whether KVM runs a guest "
              f"(at most {LIMIT_SECONDS} s, once)", file=sys.stderr)
        answer = "yes" if _probe(options) else "no"
        _remember(answer, circumstances)
    return "kvm" if answer == "yes" else "tcg"
