# SPDX-License-Identifier: GPL-2.0
"""A program of the user's own, run on each kernel in turn."""
import os
import re
import shutil
import statistics
import subprocess
import sys
import time

from . import guests, host, kernels, records, settings
from .progress import Progress, duration
from .report import labels, table
from .results import new_directory, short_path
from .stop import DONE, FAILED, USAGE, Stop

USAGE_TEXT = """\
usage: scripts/compare CMD=COMMAND [VARIABLE=VALUE...], or make compare CMD='COMMAND' ...

Runs a shell command in a guest on each kernel, the kernels alternating, and prints the medians
side by side: its wall time, and every number that it prints in a line which is otherwise the
same in all runs. The command sees the host's files; what it writes is gone afterwards. All
output is kept in results/compare-DATE/. In make's command line a $ is written $$.

CMD        the command
KERNELS    coarse, stock, fine            (stock,fine)
FLAVOURS   preempt, rt                    (both)
CPUS       of the guest, 1 to 64          (as many as the host has)
NUMA       nodes of the guest             (1)
RUNS       rounds                         (3)
LIMIT      seconds that a run may take    (600)
ACCEL      auto, kvm, tcg                 (auto)

Exit status: 0 the command ended with status 0 in all runs, 1 it did not, or a kernel could not
be built, 2 wrong usage, 130 interrupted (what is there is printed and kept).
"""
KINDS = {
    "CMD": settings.text, "KERNELS": settings.some_of(settings.KERNELS),
    "FLAVOURS": settings.some_of(settings.FLAVOURS), "CPUS": settings.count(1, 64),
    "NUMA": settings.count(1, 64), "RUNS": settings.count(1, 1000),
    "LIMIT": settings.count(1, 1000000), "ACCEL": settings.one_of(settings.ACCELS),
}
DEFAULTS = {"KERNELS": ["stock", "fine"], "FLAVOURS": ["preempt", "rt"], "NUMA": 1, "RUNS": 3,
            "LIMIT": 600, "ACCEL": "auto"}
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.]*\w)")
WALL = "wall time, s"


def numbers(output):
    """{label: value} of the numbers in a program's output; a label is its line without numbers."""
    found, seen = {}, {}
    for line in output.splitlines():
        values = NUMBER.findall(line)
        text = " ".join(NUMBER.sub("#", line).split())
        if not values or len(values) > 8:
            continue
        seen[text] = seen.get(text, 0) + 1
        for column, value in enumerate(values, 1):
            label = text if len(values) == 1 else f"{text} [{column}]"
            found[label if seen[text] == 1 else f"{label} ({seen[text]})"] = float(value)
    return found


class Comparison:
    """The runs of a command, and the directory that keeps them."""

    def __init__(self, values, directory):
        self.values = values
        self.directory = directory
        self.writer = records.Writer(os.path.join(directory, "runs.jsonl"))
        self.runs = {}  # (flavour, kernel): list of {label: number}, or a text why there is none
        self.absent = {}
        self.accelerators = set()
        self.images = {}  # (flavour, base kernel): the image kept for all rounds

    def keep_images(self, built):
        """All rounds boot the same images, whatever is built meanwhile."""
        for (flavour, base), image in built.items():
            directory = os.path.join(self.directory, "images", f"{base}-{flavour}")
            kernels.keep_image(image, directory)
            self.images[flavour, base] = os.path.join(directory, "vmlinux")

    def _command(self, flavour, kernel, facts):
        values = self.values
        options = ["--image", self.images[flavour, kernels.base(kernel)],
                   "--cpus", str(values["CPUS"]), "--numa", str(values["NUMA"]),
                   "--accel", values["ACCEL"], "--timeout", str(values["LIMIT"] + 60),
                   "--share", os.path.abspath(self.directory)]
        program = [os.path.join(kernels.TOP, "scripts/compare-run"), os.path.abspath(facts),
                   values["CMD"]]
        return guests.command(kernel, flavour, options, program)

    def run_once(self, number, flavour, kernel):
        """One run: its numbers, or a text that says why there are none."""
        stem = os.path.join(self.directory, f"{number}-{flavour}-{kernel}")
        facts = stem + ".facts"
        with open(stem + ".stdout", "wb") as out, open(stem + ".stderr", "wb") as err:
            status = subprocess.run(self._command(flavour, kernel, facts), stdout=out, stderr=err,
                                    stdin=subprocess.DEVNULL, check=False).returncode
        if status in (128 + 2, 128 + 15) and not os.path.exists(facts):
            raise KeyboardInterrupt
        with open(stem + ".stdout", encoding="utf-8", errors="replace") as out:
            outcome = self._judge(status, flavour, kernel, facts, out.read())
        self.writer.write({"type": "run", "round": number, "flavour": flavour, "kernel": kernel,
                           "status": status, "came_to": outcome})
        return outcome

    def _judge(self, status, flavour, kernel, facts, output):
        if not os.path.exists(facts):
            return guests.why(status)
        with open(facts, encoding="utf-8") as file:
            release, version, coarse, accelerator, seconds = file.read().splitlines()
        self.accelerators.add(accelerator)
        running = "coarse" if coarse == "Y" else \
            next((name for name in ("stock", "fine") if f"-{name}-" in release), release)
        if running != kernel or ("PREEMPT_RT" in version) != (flavour == "rt"):
            return f"the kernel booted for it says that it is {release}" + \
                (" (coarse)" if coarse == "Y" else "")
        if status:
            return f"status {status}" + \
                (f" ({guests.STATUSES[status]})" if status in guests.STATUSES else "")
        return {WALL: float(seconds), **numbers(output)}

    def run(self):
        """All rounds."""
        names, flavours = self.values["KERNELS"], self.values["FLAVOURS"]
        todo = [(number, flavour, kernel) for number in range(1, self.values["RUNS"] + 1)
                for flavour in flavours for kernel in names
                if (flavour, kernel) not in self.absent]
        progress = Progress(len(todo), 10 * len(todo))
        for number, flavour, kernel in todo:
            outcome = self.run_once(number, flavour, kernel)
            self.runs.setdefault((flavour, kernel), []).append(outcome)
            what = f"round {number}, {flavour} {kernel}: " + \
                (outcome if isinstance(outcome, str) else duration(outcome[WALL]))
            progress.step(what)
            if isinstance(outcome, str):
                progress.line(what)
                stem = os.path.join(self.directory, f"{number}-{flavour}-{kernel}")
                for line in guests.last_lines(stem + ".stderr"):
                    progress.line("    " + line)
            else:
                progress.landmark(what)
        progress.clear()

    def failures(self):
        """Texts of the runs that came to nothing."""
        return [f"failed: {flavour} {kernel}, round {number}: {run}"
                for (flavour, kernel), runs in self.runs.items()
                for number, run in enumerate(runs, 1) if isinstance(run, str)]

    def _labels(self, flavour):
        """Labels that every good run of a flavour has, in the order of the first one."""
        good = [run for kernel in self.values["KERNELS"]
                for run in self.runs.get((flavour, kernel), []) if not isinstance(run, str)]
        return [label for label in (good[0] if good else [WALL])
                if all(label in run for run in good)]

    def _median(self, flavour, kernel, label):
        runs = self.runs.get((flavour, kernel), [])
        if not runs or any(isinstance(run, str) for run in runs):
            return None
        return statistics.median(run[label] for run in runs)

    def _cell(self, flavour, kernel, label):
        if (flavour, kernel) in self.absent:
            return "absent"
        median = self._median(flavour, kernel, label)
        if median is None:
            return "failed" if self.runs.get((flavour, kernel)) else "-"
        return f"{median:.6g}" if abs(median) < 1e6 else f"{median:.0f}"

    def _ratio(self, flavour, label):
        over, under = (self._median(flavour, kernel, label) for kernel in ("fine", "stock"))
        return f"{over / under:.3f}" if over is not None and under else "-"

    def text(self):
        """The tables."""
        names = self.values["KERNELS"]
        lines = []
        for flavour in self.values["FLAVOURS"]:
            rows = [["", *names, "fine/stock"]]
            for label in self._labels(flavour):
                rows.append([label, *(self._cell(flavour, kernel, label) for kernel in names),
                             self._ratio(flavour, label)])
            width = max(len(row[0]) for row in rows)
            rows = [[row[0].ljust(width), *row[1:]] for row in rows]
            lines += [f"{flavour}: {self.values['CMD']}", *table(rows), ""]
        lines += [f"{kernel}, {flavour}: absent: {why}"
                  for (flavour, kernel), why in self.absent.items()]
        lines += labels("tcg" in self.accelerators, self.values["CPUS"], host.cpus())
        return "\n".join(lines + self.failures()).rstrip() + "\n"

    def show(self):
        """Print and keep the tables."""
        text = self.text()
        print(text, end="", flush=True)
        with open(os.path.join(self.directory, "table.txt"), "w", encoding="utf-8") as file:
            file.write(text)


def _read(arguments):
    settings.warn_of_unknown("compare", KINDS)
    values = {**DEFAULTS, "CPUS": min(host.cpus(), 64), **settings.read(arguments, KINDS)}
    if "CMD" not in values:
        raise Stop(USAGE, "no command: say which, as in make compare CMD='ls -l'")
    if values["NUMA"] > values["CPUS"]:
        raise Stop(USAGE, f"bad NUMA '{values['NUMA']}': each node needs a CPU, and CPUS is "
                          f"{values['CPUS']}")
    return values


def main(arguments):
    """The command scripts/compare."""
    if arguments in (["--help"], ["-h"]):
        print(USAGE_TEXT, end="")
        return DONE
    values = _read(arguments)
    built, absent = kernels.build_all(values["KERNELS"], values["FLAVOURS"])
    comparison = Comparison(values, new_directory("compare-"))
    comparison.absent = absent
    comparison.keep_images(built)
    records.write_json(os.path.join(comparison.directory, "manifest.json"), {
        "what": "comparison", "began": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        "settings": values, "host": host.describe(kernels.TOP)})
    try:
        comparison.run()
    except KeyboardInterrupt:
        comparison.show()
        raise
    finally:
        shutil.rmtree(os.path.join(comparison.directory, "images"), ignore_errors=True)
    comparison.show()
    print(f"kept in {short_path(comparison.directory)}/", file=sys.stderr)
    return FAILED if comparison.failures() else DONE
