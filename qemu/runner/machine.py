# SPDX-License-Identifier: GPL-2.0
"""The image to boot and QEMU's command line."""
import os
import subprocess

from .status import USAGE, NO_RECORD, Stop

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
INITRAMFS = os.path.join(TOP, "build/guest/initramfs")
QEMU = "qemu-system-x86_64"


def image(options):
    """The vmlinux that the options mean."""
    if options.image:
        path = options.image
        hint = "no such image"
    else:
        base = "fine" if options.kernel == "coarse" else options.kernel
        name = "-".join(filter(None, (base, options.flavour, options.debug)))
        path = os.path.join(TOP, "build/kernels", name, "vmlinux")
        debug = f" DEBUG={options.debug}" if options.debug else ""
        hint = f"not built: make kernel KERNEL={base} FLAVOUR={options.flavour}{debug}"
    if not os.path.isfile(path):
        raise Stop(USAGE, f"{path}: {hint}")
    return path


def ensure_initramfs():
    """Builds the guest's init anew where its source is newer."""
    result = subprocess.run([os.path.join(TOP, "scripts/guest-init")],
                            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            check=False)
    if result.returncode:
        raise Stop(NO_RECORD, "the guest's init could not be built")


def cpu_arguments(options):
    """CPUs of a node share a socket: a socket across nodes is no machine."""
    if options.numa == 1:
        return ["-smp", str(options.cpus)]
    sockets = options.numa if options.cpus % options.numa == 0 else options.cpus
    return ["-smp", f"{options.cpus},sockets={sockets},"
                    f"cores={options.cpus // sockets},threads=1"]


def numa_arguments(options):
    nodes, cpus = options.numa, options.cpus
    if nodes == 1:
        return []
    args, first = [], 0
    for node in range(nodes):
        last = first + cpus // nodes + (node < cpus % nodes) - 1
        size = options.mem // nodes + (options.mem % nodes if node == 0 else 0)
        args += ["-object", f"memory-backend-ram,id=mem{node},size={size}M",
                 "-numa", f"node,nodeid={node},cpus={first}-{last},memdev=mem{node}"]
        first = last + 1
    # Two nodes a socket: near ones and far ones.
    for a in range(nodes):
        for b in range(nodes):
            distance = 10 if a == b else 20 if a // 2 == b // 2 else 30
            args += ["-numa", f"dist,src={a},dst={b},val={distance}"]
    return args


def accel_arguments(accel):
    return {
        "kvm": ["-accel", "kvm", "-cpu", "host"],
        "tcg": ["-accel", "tcg,thread=multi", "-cpu", "max"],
        "icount": ["-accel", "tcg,thread=single", "-cpu", "max",
                   "-icount", "shift=0,sleep=off"],
    }[accel]


def share_arguments(options):
    shares = [("host", "/", "on")]
    shares += [(f"share{i}", path, "off") for i, path in enumerate(options.share)]
    args = []
    for tag, path, readonly in shares:
        path = path.replace(",", ",,")
        args += ["-fsdev", f"local,id={tag},path={path},security_model=none,"
                           f"multidevs=remap,readonly={readonly}",
                 "-device", f"virtio-9p-pci,fsdev={tag},mount_tag={tag}"]
    return args


def command_line(options):
    """The kernel's command line."""
    # A busy host must not make the emulated clocks and timers look broken.
    words = ["console=ttyS0", "panic=-1", "oops=panic", "random.trust_cpu=on",
             "tsc=reliable", "no_timer_check"]
    if options.kernel == "coarse":
        words.append("sem_coarse=1")
    return " ".join(words + ([options.append] if options.append else []))


def arguments(options, accel, port, console):
    """QEMU's whole command line; port is a socket, console a file, by number."""
    args = [QEMU, "-M", "q35", "-no-user-config", "-nodefaults", "-display", "none",
            "-no-reboot", "-m", f"{options.mem}M"]
    args += cpu_arguments(options) + accel_arguments(accel) + numa_arguments(options)
    args += ["-kernel", image(options), "-initrd", INITRAMFS,
             "-append", command_line(options),
             "-add-fd", f"set=1,fd={console}",
             "-chardev", "file,id=console,path=/dev/fdset/1,append=on",
             "-serial", "chardev:console",
             "-device", "virtio-serial-pci",
             "-chardev", f"socket,id=port,fd={port}",
             "-device", "virtserialport,chardev=port,name=guest"]
    args += share_arguments(options)
    if options.gdb:
        args += ["-gdb", f"tcp:127.0.0.1:{options.gdb}", "-S"]
    return args
