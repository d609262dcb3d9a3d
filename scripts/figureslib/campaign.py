# SPDX-License-Identifier: GPL-2.0
"""Boots of kernels in turn, each of which runs several commands and keeps their records."""
import json
import os
import shlex
import shutil
import sys
import time
from dataclasses import dataclass, field

from sweeplib import guests, kernels, records
from sweeplib.progress import Progress, duration
from sweeplib.stop import INTERRUPTED, USAGE, Stop

BOOT_SECONDS = 9
LIMIT_SECONDS = 900


@dataclass(frozen=True)
class Setup:
    """A guest."""
    flavour: str
    cpus: int = 2
    mem: str = "6G"
    accel: str = "auto"

    def options(self):
        """For the guest runner."""
        return ["--cpus", str(self.cpus), "--mem", self.mem, "--accel", self.accel,
                "--timeout", str(LIMIT_SECONDS)]

    def text(self):
        """As it stands in records and messages."""
        how = "icount" if self.accel == "icount" else f"{self.cpus} vCPUs"
        return f"{self.flavour}, {how}"


@dataclass(frozen=True)
class Load:
    """One command of a boot, and about how long it takes; its output is JSON Lines."""
    command: tuple
    seconds: float = field(default=1, compare=False)
    section: str = ""  # its records are filed under it: points of different sections stay apart
    once: bool = False  # in the first round only: it would come to the same


@dataclass
class Boot:
    """One boot to come: the series that it belongs to is what its figures are filed under."""
    round: int
    setup: Setup
    series: str
    kernel: str
    loads: list

    def seconds(self):
        """About how long it takes."""
        return BOOT_SECONDS + sum(load.seconds for load in self.loads)


def script(loads):
    """One shell command that runs all of them; the failure of one does not stop the others."""
    lines = ["failed=0"]
    for load in loads:
        lines.append("echo " + shlex.quote(json.dumps({"type": "section",
                                                       "section": load.section})))
        lines.append(f"{shlex.join(load.command)} || failed=$?")
    return "\n".join([*lines, "exit $failed"])


class Campaign:
    """Boots, and the directory that holds what they say."""

    def __init__(self, directory):
        self.directory = directory
        self.records_path = os.path.join(directory, "records.jsonl")
        self.writer = None
        self.progress = None
        self.number = 0

    def path(self, *parts):
        """A path in the results."""
        return os.path.join(self.directory, *parts)

    def keep_images(self, images):
        """All rounds boot the same images, whatever is built meanwhile."""
        for (flavour, base), image in images.items():
            directory = self.path("images", f"{base}-{flavour}")
            kernels.keep_image(image, directory)
            config = os.path.join(directory, "config")
            if os.path.exists(config):
                shutil.copyfile(config, self.path(f"config-{base}-{flavour}"))

    def run(self, boots):
        """Run all boots; what was there before a Ctrl-C stays."""
        os.makedirs(self.path("logs"), exist_ok=True)
        self.writer = records.Writer(self.records_path)
        expected = sum(boot.seconds() for boot in boots)
        print(f"{len(boots)} boots, about {duration(expected)}, results in {self.directory}/",
              file=sys.stderr)
        self.progress = Progress(len(boots), expected)
        try:
            for boot in boots:
                self._run_boot(boot)
        finally:
            self.progress.clear()
            self.writer.close()
            shutil.rmtree(self.path("images"), ignore_errors=True)

    def _run_boot(self, boot):
        self.number += 1
        log = self.path("logs", f"{self.number:03}-{boot.setup.flavour}-{boot.series}".
                        replace(" ", "-"))
        image = self.path("images", f"{kernels.base(boot.kernel)}-{boot.setup.flavour}", "vmlinux")
        options = ["--image", image, *boot.setup.options(), "--log", log + ".kernel.log"]
        command = guests.command(boot.kernel, boot.setup.flavour, options,
                                 ["sh", "-c", script(boot.loads)])
        what = f"round {boot.round}, {boot.setup.text()}, {boot.series}"
        self.writer.write({"type": "boot", "boot": self.number, "round": boot.round,
                           "setup": boot.setup.text(), "series": boot.series,
                           "at": time.strftime("%Y-%m-%dT%H:%M:%S%z")})
        with guests.Guest(command, log + ".stderr") as guest:
            count = self._take_lines(boot, guest, what)
            status, seconds, others, stolen = guest.finish()
        if status in (INTERRUPTED, 128 + 15):
            raise KeyboardInterrupt
        self.writer.write({"type": "boot-end", "boot": self.number, "status": status,
                           "seconds": seconds, "others": others, "stolen": stolen})
        self._say(f"{what}: {count} figures in {duration(seconds)}", status, log)

    def _say(self, what, status, log):
        self.progress.step(what)
        if status in (0, 1):
            self.progress.landmark(what)
            return
        self.progress.line(f"{what}: {guests.why(status)}")
        for line in guests.last_lines(log + ".stderr"):
            self.progress.line("    " + line)

    def _take_lines(self, boot, guest, what):
        count, section = 0, ""
        for line in guest.lines():
            try:
                record = records.parse(line)
            except ValueError:
                self.progress.line(f"{what} printed: {line.rstrip()}")
                continue
            if record["type"] == "machine":
                self._check_machine(boot, record)
            if record["type"] == "section":
                section = record["section"]
                continue
            count += record["type"] not in ("machine", "end")
            self.writer.write({"boot": self.number, "round": boot.round, "series": boot.series,
                               "setup": boot.setup.text(), "section": section, **record})
        return count

    @staticmethod
    def _check_machine(boot, record):
        """A figure never stands under the name of another kernel."""
        running = (record.get("kernel"), record.get("flavour"))
        if running != (boot.kernel, boot.setup.flavour):
            raise Stop(USAGE, f"the kernel booted for {boot.kernel}, {boot.setup.flavour}, says "
                              f"that it is {running[0]}, {running[1]}")
