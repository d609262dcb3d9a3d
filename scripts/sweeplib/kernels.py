# SPDX-License-Identifier: GPL-2.0
"""The kernels: which there are, and having them built."""
import os
import shlex
import shutil
import subprocess

from .stop import FAILED, Stop

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
# The tests put programs of their own in place of make and of the guest runner.
MAKE = shlex.split(os.environ.get("SWEEP_MAKE") or "make")
GUEST = shlex.split(os.environ.get("SWEEP_GUEST") or os.path.join(TOP, "qemu/guest"))
SEMAPHORES = os.environ.get("SWEEP_SEMAPHORES") or os.path.join(TOP, "ipc/sem.c")
BENCHMARK = os.path.join(TOP, "build/semop-multi/semop-multi")


def base(kernel):
    """The image that a kernel is booted from."""
    return "fine" if kernel == "coarse" else kernel


def why_absent(kernel):
    """Why a kernel cannot be there, or None."""
    if base(kernel) == "fine" and not os.path.exists(SEMAPHORES):
        return "this tree has no ipc/sem.c to build it from"
    return None


def _environment():
    """Without what an outer make has left for its own children."""
    ours = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES", "KERNEL", "FLAVOUR", "DEBUG")
    return {name: value for name, value in os.environ.items() if name not in ours}


def _make(arguments, what):
    done = subprocess.run([*MAKE, "-s", "--no-print-directory", "-C", TOP, *arguments],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                          env=_environment(), check=False)
    if done.returncode:
        raise Stop(FAILED, f"{what} could not be built (make ended with status {done.returncode})")
    return done.stdout


def build(kernel, flavour, debug=""):
    """Build a kernel unless it is up to date; the path of its image."""
    out = _make(["kernel", f"KERNEL={base(kernel)}", f"FLAVOUR={flavour}",
                 *([f"DEBUG={debug}"] if debug else [])],
                f"kernel {base(kernel)}, {flavour},{f' {debug},' if debug else ''}")
    lines = out.split("\n")
    image = next((line for line in reversed(lines) if line), "")
    if not os.path.exists(image):
        raise Stop(FAILED, f"make kernel KERNEL={base(kernel)} FLAVOUR={flavour} printed no image")
    return image


def keep_image(image, directory):
    """Keep an image, with what lies beside it, from being replaced by a later build."""
    os.makedirs(directory, exist_ok=True)
    for name in ("ipc-symbols", "config", "vmlinux"):
        source, target = os.path.join(os.path.dirname(image), name), os.path.join(directory, name)
        if os.path.exists(target):
            os.unlink(target)
        try:
            os.link(source, target)
        except FileNotFoundError as error:
            if name == "vmlinux":
                raise Stop(FAILED, f"{image} has gone: somebody builds it anew; try again") \
                    from error
        except OSError:
            shutil.copyfile(source, target)  # another file system


def build_all(names, flavours):
    """Build what is asked for: ({(flavour, base): image}, {(flavour, kernel): why absent})."""
    images, absent = {}, {}
    for flavour in flavours:
        for kernel in names:
            why = why_absent(kernel)
            if why:
                absent[flavour, kernel] = why
            elif (flavour, base(kernel)) not in images:
                images[flavour, base(kernel)] = build(kernel, flavour)
    return images, absent


def build_benchmark():
    """Build semop-multi unless it is up to date."""
    _make(["-C", "bench/semop-multi"], "semop-multi")
