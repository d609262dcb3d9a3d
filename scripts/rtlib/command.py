# SPDX-License-Identifier: GPL-2.0
"""The command scripts/rt-check."""
import os
import subprocess
import sys
import time
from dataclasses import asdict

from figureslib.campaign import Campaign
from sweeplib import host, kernels, records, settings
from sweeplib.progress import duration
from sweeplib.results import kept, new_directory
from sweeplib.stop import DONE, FAILED, INTERRUPTED, USAGE, Stop

from . import parts
from .measured import Measured
from .report import Report

USAGE_TEXT = """\
usage: scripts/rt-check [VARIABLE=VALUE...], or make rt-check [VARIABLE=VALUE...]

Boots stock and fine with PREEMPT_RT and says whether the semaphores are fit for real-time use:
rates under three policies, latencies beside disturbers, growth, wake-ups during long calls,
rt-tests, priorities, sections with preemption or interrupts off, lockdep. Takes up to 15 minutes on
two CPUs once kernels are built.
Everything lands in results/rt-check-DATE/: table.txt, result.json, manifest.json, records, logs.

PARTS      some of rates latency growth wake-ups rt-tests priorities sections lockdep   (all)
RUNS       rounds of what is compared with stock                                        (3)
CPUS       of the guests, 1 to 64                                                       (2)
ACCEL      auto, kvm, tcg                                                               (auto)
FULL=1     10 rounds, three times as long, more thread counts, more under lockdep

--show results/rt-check-DATE prints a table again.

Exit status: 0 fit, 1 not, with the lines that failed, 2 wrong usage, 130 interrupted (what is
there is printed and kept).
"""


def _some_parts(name, value):
    words = value.replace(",", " ").split()
    for word in words:
        if word not in parts.PARTS:
            raise Stop(USAGE, f"bad {name} '{word}': write some of {' '.join(parts.PARTS)}")
    return [part for part in parts.PARTS if part in words]


KINDS = {"PARTS": _some_parts, "RUNS": settings.count(1, 100), "CPUS": settings.count(1, 64),
         "ACCEL": settings.one_of(settings.ACCELS), "FULL": settings.switch}


class Check:
    """A check and the directory that holds its results."""

    def __init__(self, directory, chosen, scale, manifest):
        self.directory = directory
        self.chosen = chosen
        self.scale = scale
        self.manifest = manifest

    def path(self, *names):
        """A path in the results."""
        return os.path.join(self.directory, *names)

    def debug_kernels(self):
        """(part, flavour, debug) of each debug kernel."""
        return [(part, flavour, debug) for part in self.chosen
                for flavour, debug in parts.DEBUG.get(part, ())]

    def measured(self):
        """{name: Measured} of all campaigns."""
        names = {"main": "."} | {f"{debug}-{flavour}": f"{debug}-{flavour}"
                                 for _, flavour, debug in self.debug_kernels()}
        return {name: Measured.read(self.path(folder, "records.jsonl"))
                for name, folder in names.items()}

    def report(self):
        """What is there, judged."""
        return Report(self.measured(), self.chosen, self.scale, self.manifest)

    # -- running

    def run(self, images):
        """All boots; images: {"main": {...}, "trace-rt": {...}, ...} as Campaign takes them."""
        boots = parts.rounds(self.scale, self.chosen)
        debugs = [(f"{debug}-{flavour}", parts.debug_boots(part, flavour, self.scale))
                  for part, flavour, debug in self.debug_kernels()]
        seconds = sum(boot.seconds() for boot in boots) + \
            sum(boot.seconds() for _, some in debugs for boot in some)
        print(f"rt-check: {', '.join(self.chosen)}: about {duration(seconds)}", file=sys.stderr)
        main = Campaign(self.directory)
        if boots:
            main.keep_images(images["main"])
            main.run(boots)
        for name, some in debugs:
            os.makedirs(self.path(name), exist_ok=True)
            campaign = Campaign(self.path(name))
            campaign.keep_images(images[name])
            print(f"{name}:", file=sys.stderr)
            campaign.run(some)

    def show(self):
        """Print and keep the report; whether all is well."""
        report = self.report()
        text = report.text()
        print(text, end="", flush=True)
        with open(self.path("table.txt.new"), "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(self.path("table.txt.new"), self.path("table.txt"))
        records.write_json(self.path("result.json"), report.to_json())
        return not report.failures


def _build_selftests():
    done = subprocess.run([os.path.join(kernels.TOP, "scripts/selftests"), "--build"],
                          stdout=subprocess.DEVNULL, check=False)
    if done.returncode:
        raise Stop(FAILED, "the selftests could not be built")


def _build(check_parts):
    """All that is booted; builds are announced, they do not count as time of the check."""
    images = {}
    kernels.build_benchmark()
    if any(part not in parts.DEBUG for part in check_parts):
        built, absent = kernels.build_all(["stock", "fine"], ["rt"])
        if absent:
            raise Stop(USAGE, next(iter(absent.values())))
        images["main"] = built
    if "wake-ups" in check_parts:
        images["main"] |= kernels.build_all(["fine"], ["preempt"])[0]
    for part in check_parts:
        for flavour, debug in parts.DEBUG.get(part, ()):
            print(f"rt-check: the kernel fine, {flavour}, {debug} is built if it is not up to date "
                  "(8 to 11 minutes on 2 CPUs)", file=sys.stderr)
            images[f"{debug}-{flavour}"] = \
                {(flavour, "fine"): kernels.build("fine", flavour, debug)}
    if any(part in ("wake-ups", "priorities", *parts.DEBUG) for part in check_parts):
        _build_selftests()
    return images


def _begin(chosen, scale):
    manifest = {"began": time.strftime("%Y-%m-%dT%H:%M:%S%z"), "parts": chosen,
                "scale": asdict(scale), "host": host.describe(kernels.TOP)}
    directory = new_directory("rt-check-")
    records.write_json(os.path.join(directory, "manifest.json"), manifest)
    return Check(directory, chosen, scale, manifest)


def _again(arguments):
    directory, manifest = kept(arguments)
    try:
        check = Check(directory, _some_parts("PARTS", " ".join(manifest["parts"])),
                      parts.Scale(**manifest["scale"]), manifest)
        return DONE if check.show() else FAILED
    except (KeyError, TypeError) as error:
        raise Stop(USAGE, f"{directory}: damaged: {error!r}") from error


def _run(check, images):
    start = time.monotonic()
    try:
        check.run(images)
    except KeyboardInterrupt:
        check.show()
        print(f"interrupted; what was measured is kept in {check.directory}/", file=sys.stderr)
        return INTERRUPTED
    good = check.show()
    print(f"kept in {check.directory}/, measured in {duration(time.monotonic() - start)}",
          file=sys.stderr)
    return DONE if good else FAILED


def main(arguments):
    """The command scripts/rt-check."""
    if arguments in (["--help"], ["-h"]):
        print(USAGE_TEXT, end="")
        return DONE
    if arguments[:1] == ["--show"]:
        return _again(arguments[1:])
    settings.warn_of_unknown("rt-check", KINDS)
    given = settings.read(arguments, KINDS)
    full = given.get("FULL", False)
    scale = parts.Scale(given.get("RUNS", 10 if full else 3), given.get("CPUS", 2),
                        given.get("ACCEL", "auto"), full)
    chosen = given.get("PARTS", list(parts.PARTS))
    if not chosen:
        raise Stop(USAGE, f"PARTS is empty: leave it out or write some of {' '.join(parts.PARTS)}")
    images = _build(chosen)
    return _run(_begin(chosen, scale), images)
