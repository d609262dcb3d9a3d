# SPDX-License-Identifier: GPL-2.0
"""Running a command in a guest."""
import os
import subprocess
import time

from .host import Meter
from .kernels import GUEST

STATUSES = {70: "the kernel's log holds a report", 71: "no record of the command's end",
            124: "the time limit"}


def why(status):
    """A guest's exit status in words."""
    return f"the guest ended with status {status}" + \
        (f" ({STATUSES[status]})" if status in STATUSES else "")


def command(kernel, flavour, options, program):
    """The command line that runs a program in a guest."""
    return [*GUEST, "--kernel", kernel, "--flavour", flavour, *options, "--", *program]


class Guest:
    """One guest while it runs; its standard error goes to a file."""

    def __init__(self, arguments, stderr_path):
        self.meter = Meter()
        self.start = time.monotonic()
        with open(stderr_path, "w", encoding="utf-8") as stderr:
            self.process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL,
                                            stdout=subprocess.PIPE, stderr=stderr, text=True,
                                            errors="replace")

    def __enter__(self):
        return self

    def lines(self):
        """The lines of its standard output, as they come."""
        return self.process.stdout

    def finish(self):
        """Wait for its end: (status, seconds, CPUs used by others, CPUs stolen)."""
        self.process.stdout.close()
        status = self.process.wait()
        return (status, round(time.monotonic() - self.start, 1), *self.meter.stop())

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process.stdout.close()


def last_lines(path, number=5):
    """The end of a guest's standard error, for a message."""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8", errors="replace") as file:
        return [line.rstrip() for line in file][-number:]
