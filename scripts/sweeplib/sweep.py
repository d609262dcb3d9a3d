# SPDX-License-Identifier: GPL-2.0
"""The sweep: build, boot and measure, then print the tables."""
import os
import shutil
import subprocess
import sys
import time

from . import guests, host, kernels, plan as plans, records, settings
from .outcomes import Outcomes
from .progress import Progress, duration
from .report import Report
from .results import new_directory, short_path
from .stop import DONE, FAILED, INTERRUPTED, USAGE, Stop

USAGE_TEXT = """\
usage: scripts/sweep [VARIABLE=VALUE...], or make sweep [VARIABLE=VALUE...]

Measures semop-multi on the kernels made here, each booted in a guest, and prints for each
flavour, workload and policy a table: threads, coarse, stock, fine, fine/coarse, fine/stock.
Everything lands in results/DATE/: manifest.json, records.jsonl, table.txt, report.html with
charts (which are in charts/, too, where gnuplot is there), the kernels' configurations and logs.

THREADS    thread counts, like 1,2,10-100:10       (1,2,4,10,20,50,100)
POLICIES   other, fifo[:PRIORITY], rr[:PRIORITY]    (other,fifo)
WORKLOADS  of semop-multi, see its --help           (single,multi)
KERNELS    coarse, stock, fine                      (all)
FLAVOURS   preempt, rt                              (both)
CPUS       of the guest, 1 to 64                    (4)
NUMA       nodes of the guest                       (1)
DURATION   measured seconds a point                 (0.6)
RUNS       rounds                                   (3)
ACCEL      auto, kvm, tcg                           (auto)
FULL=1     the 14 thread counts of the 2013 thread, 5 rounds, 2 s a point
RESUME     results/DATE of a sweep that was broken off: goes on with its settings
REPLAY     results/DATE of a sweep: a new one with the same settings

--show results/DATE prints the tables of a sweep again.

Exit status: 0 all points measured, 1 some failed or a kernel could not be built, 2 wrong
usage, 130 interrupted (what is there is printed and kept).
"""
# The runner's or the benchmark's own: what is asked for is not possible, in no later boot either.
REFUSALS = (2, 3)


class Sweep:
    """A sweep and the directory that holds its results."""

    def __init__(self, directory, plan, manifest):
        self.directory = directory
        self.plan = plan
        self.manifest = manifest
        self.records_path = os.path.join(directory, "records.jsonl")
        self.outcomes = Outcomes(records.read_lines(self.records_path), self.records_path)
        self.writer = None
        self.progress = None
        self.boot = 0

    def path(self, *parts):
        """A path in the results."""
        return os.path.join(self.directory, *parts)

    def reload(self):
        """Take in what has been written."""
        self.outcomes = Outcomes(records.read_lines(self.records_path), self.records_path)

    # -- before the first boot

    def note_absent(self, flavour, kernel, why, expected):
        """A kernel that is not there has a column that says so."""
        if (flavour, kernel) not in self.outcomes.absent:
            self.writer.write({"type": "absent", "flavour": flavour, "kernel": kernel, "why": why,
                               "expected": expected})
            self.reload()

    def image_directory(self, flavour, kernel):
        """Where the image that a kernel is booted from is kept until the sweep is whole."""
        return self.path("images", f"{kernels.base(kernel)}-{flavour}")

    def keep_images(self, images):
        """All rounds boot the same images, whatever is built meanwhile."""
        for (flavour, base), image in images.items():
            directory = self.image_directory(flavour, base)
            kernels.keep_image(image, directory)
            config = os.path.join(directory, "config")
            if os.path.exists(config):
                shutil.copyfile(config, self.path(f"config-{base}-{flavour}"))

    def units(self):
        """The boots that are still to come."""
        return [unit for unit in self.plan.units() if not self.outcomes.is_done(unit)]

    def has_images(self):
        """Whether the images for all boots to come are there."""
        return bool(self.outcomes.boots) and all(
            os.path.exists(os.path.join(self.image_directory(unit.flavour, unit.kernel), "vmlinux"))
            for unit in self.units())

    # -- one boot

    def command(self, unit):
        """The command line of a unit's guest."""
        values = self.plan.settings
        limit = int(3 * self.plan.unit_seconds() + 300)
        image = os.path.join(self.image_directory(unit.flavour, unit.kernel), "vmlinux")
        options = ["--image", image, "--cpus", str(values["CPUS"]), "--numa", str(values["NUMA"]),
                   "--accel", values["ACCEL"], "--timeout", str(limit),
                   "--log", self.log_path(unit, "kernel.log")]
        return guests.command(unit.kernel, unit.flavour, options,
                              self.plan.benchmark(["--json=-", "-q"]))

    def log_path(self, unit, kind):
        """Where the logs of the present boot go."""
        return self.path("logs", f"{self.boot:03}-{unit.flavour}-{unit.kernel}.{kind}")

    def run_unit(self, unit):
        """Boot a kernel and keep what it measures."""
        self.boot = self.outcomes.next_boot()
        self.writer.write({"type": "boot", "boot": self.boot, "round": unit.round,
                           "flavour": unit.flavour, "kernel": unit.kernel,
                           "at": time.strftime("%Y-%m-%dT%H:%M:%S%z")})
        stderr = self.log_path(unit, "stderr")
        with guests.Guest(self.command(unit), stderr) as guest:
            count, stranger = self.take_lines(unit, guest)
            if stranger:
                self.note_absent(unit.flavour, unit.kernel, stranger, False)
            else:
                self.end_unit(unit, guest, count)
        self.reload()

    def end_unit(self, unit, guest, count):
        """The record of the boot's end, and progress."""
        status, seconds, others, stolen = guest.finish()
        if status in (INTERRUPTED, 128 + 15):
            raise KeyboardInterrupt
        if status in REFUSALS and not count:
            said = guests.last_lines(self.log_path(unit, "stderr"), 1) or [guests.why(status)]
            raise Stop(USAGE, f"{unit.flavour} {unit.kernel}: {said[0]}")
        self.writer.write({"type": "boot-end", "boot": self.boot, "status": status,
                           "seconds": seconds, "others": others, "stolen": stolen})
        missing = len(self.plan.points()) - count
        self.progress.step(f"{unit.flavour} {unit.kernel}", missing)
        what = f"round {unit.round}, {unit.flavour} {unit.kernel}: {count} points in " \
               f"{duration(seconds)}"
        if status not in (0, 1):
            self.progress.line(f"{what}: {guests.why(status)}")
            for line in guests.last_lines(self.log_path(unit, "stderr")):
                self.progress.line("    " + line)
        else:
            self.progress.landmark(what)

    def take_lines(self, unit, guest):
        """Keep the guest's records: (points measured, why it is not the kernel asked for)."""
        count, said_its_name = 0, False
        for line in guest.lines():
            try:
                record = records.parse(line)
            except ValueError:
                self.progress.line(f"{unit.flavour} {unit.kernel} printed: {line.rstrip()}")
                continue
            stranger = self.why_stranger(unit, record, said_its_name)
            if stranger:
                return count, stranger
            said_its_name = True
            self.writer.write({"boot": self.boot, "round": unit.round, **record})
            if record["type"] == "repetition":
                count += 1
                self.step(unit, record)
        return count, None

    def step(self, unit, record):
        """One point is measured."""
        figure = f"{record['rate']:.0f}/s" if "rate" in record else "failed"
        self.progress.step(f"round {unit.round}/{self.plan.settings['RUNS']} {unit.flavour} "
                           f"{unit.kernel} {record['workload']} {record['policy']} "
                           f"{record['threads']} threads: {figure}")

    @staticmethod
    def why_stranger(unit, record, said_its_name):
        """A column never shows another kernel than its heading says."""
        if record["type"] != "machine":
            return None if said_its_name else "the guest did not say which kernel it runs"
        running = (record.get("kernel"), record.get("flavour"))
        if running == (unit.kernel, unit.flavour):
            return None
        return f"the kernel booted for it says that it is {running[0]}, {running[1]}"

    # -- all of it

    def run(self, images, absent):
        """Run what is not done yet."""
        os.makedirs(self.path("logs"), exist_ok=True)
        self.writer = records.Writer(self.records_path)
        for (flavour, kernel), why in absent.items():
            self.note_absent(flavour, kernel, why, True)
        self.keep_images(images)
        self.manifest["command"] = self.command(next(self.plan.units()))
        records.write_json(self.path("manifest.json"), self.manifest)
        units = self.units()
        expected = len(units) * self.plan.unit_seconds()
        self.say_before(units, expected)
        self.progress = Progress(len(units) * len(self.plan.points()), expected)
        for unit in units:
            if not self.outcomes.is_done(unit):
                self.run_unit(unit)
        self.progress.clear()
        shutil.rmtree(self.path("images"), ignore_errors=True)

    def say_before(self, units, expected):
        """How long it will take, and whether this is a good time."""
        print(f"{len(units)} boots of {len(self.plan.points())} points, about "
              f"{duration(expected)}, results in {self.directory}/", file=sys.stderr)
        others, names = host.busy_programs()
        if others > host.LOADED:
            print(f"The host is loaded: {others:.1f} of its {host.cpus()} CPUs are busy "
                  f"({names or 'short-lived programs'}); figures will suffer.", file=sys.stderr)

    def show(self):
        """Print and keep the tables; whether all went well."""
        self.manifest["accelerators"] = self.outcomes.accelerators()
        records.write_json(self.path("manifest.json"), self.manifest)
        report = Report(self.plan, self.outcomes, self.manifest)
        text = report.text()
        print(text, end="", flush=True)
        with open(self.path("table.txt.new"), "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(self.path("table.txt.new"), self.path("table.txt"))
        self.write_page()
        return not report.failures and not self.outcomes.has_surprises()


    def write_page(self):
        """The same with charts, for a browser; and images where there is gnuplot."""
        command = [kernels.BENCHMARK, "report", self.directory]
        if shutil.which("gnuplot"):
            command += ["--images", self.path("charts")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"no report: {done.stderr.strip()}", file=sys.stderr)
        else:
            print(f"report: {done.stdout.strip()}", file=sys.stderr)


def open_sweep(directory):
    """A sweep that is there."""
    directory = short_path(directory)
    path = os.path.join(directory, "manifest.json")
    if not os.path.isdir(directory):
        raise Stop(USAGE, f"no results in {directory}: give the directory of an earlier sweep")
    manifest = records.read_json(path)
    return Sweep(directory, plans.from_json(manifest.get("plan", {}), path), manifest)


def _begin_sweep(plan):
    manifest = {"what": "semop-multi sweep", "began": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
                "plan": plan.to_json(), "host": host.describe(kernels.TOP)}
    directory = new_directory()
    records.write_json(os.path.join(directory, "manifest.json"), manifest)
    return Sweep(directory, plan, manifest)


def _run(sweep, images, absent):
    try:
        sweep.run(images, absent)
    except KeyboardInterrupt:
        if sweep.progress:
            sweep.progress.clear()
        sweep.reload()
        if sweep.outcomes.boots:
            sweep.show()
        print(f"interrupted; to go on: make sweep RESUME={sweep.directory}", file=sys.stderr)
        return INTERRUPTED
    good = sweep.show()
    print(f"kept in {sweep.directory}/", file=sys.stderr)
    return DONE if good else FAILED


def _earlier(given, name):
    """The sweep that RESUME or REPLAY names, or None."""
    if name not in given:
        return None
    if len(given) > 1:
        others = ", ".join(sorted(set(given) - {name}))
        raise Stop(USAGE, f"{name} takes the sweep's own settings: leave out {others}")
    return open_sweep(given[name])


def _plan_anew(given):
    """The plan of a sweep that begins."""
    replayed = _earlier(given, "REPLAY")
    return plans.make(replayed.plan.settings if replayed else plans.resolve(given))


def main(arguments):
    """The command scripts/sweep."""
    if arguments in (["--help"], ["-h"]):
        print(USAGE_TEXT, end="")
        return DONE
    if arguments[:1] == ["--show"]:
        if len(arguments) != 2:
            raise Stop(USAGE, "--show takes one directory of results")
        return DONE if open_sweep(arguments[1]).show() else FAILED
    settings.warn_of_unknown("sweep", plans.KINDS)
    given = settings.read(arguments, plans.KINDS)
    sweep = _earlier(given, "RESUME")
    kernels.build_benchmark()
    plan = sweep.plan if sweep else _plan_anew(given)
    if sweep and sweep.has_images():
        return _run(sweep, {}, {})
    built = kernels.build_all(plan.settings["KERNELS"], plan.settings["FLAVOURS"])
    return _run(sweep or _begin_sweep(plan), *built)
