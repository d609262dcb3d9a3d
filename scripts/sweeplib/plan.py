# SPDX-License-Identifier: GPL-2.0
"""What a sweep is to measure: its settings, its units (one boot each) and their points."""
import json
import subprocess
from dataclasses import asdict, dataclass

from . import settings
from .kernels import BENCHMARK
from .stop import FAILED, USAGE, Stop

KINDS = {
    "THREADS": settings.text, "POLICIES": settings.text, "WORKLOADS": settings.text,
    "KERNELS": settings.some_of(settings.KERNELS), "FLAVOURS": settings.some_of(settings.FLAVOURS),
    "CPUS": settings.count(1, 64), "NUMA": settings.count(1, 64), "DURATION": settings.text,
    "RUNS": settings.count(1, 1000), "ACCEL": settings.one_of(settings.ACCELS),
    "FULL": settings.switch, "RESUME": settings.text, "REPLAY": settings.text,
}
# The workloads and policies of the 2013 thread; few thread counts, so that it ends in minutes.
DEFAULTS = {
    "THREADS": "1,2,4,10,20,50,100", "POLICIES": "other,fifo", "WORKLOADS": "single,multi",
    "KERNELS": list(settings.KERNELS), "FLAVOURS": list(settings.FLAVOURS),
    "CPUS": 4, "NUMA": 1, "DURATION": "0.6", "RUNS": 3, "ACCEL": "auto",
}
FULL = {"THREADS": "10-100:10,200-500:100", "DURATION": "2", "RUNS": 5}
BOOT_SECONDS = 8
POINT_SECONDS = 0.15  # a point's threads, made and joined


@dataclass(frozen=True)
class Unit:
    """One boot of one kernel in one round."""
    round: int
    flavour: str
    kernel: str


@dataclass(frozen=True)
class Point:
    """A row of a table: workload, policy, thread count."""
    workload: str
    policy: str
    priority: int
    threads: int


@dataclass
class Plan:
    """The settings of a sweep, and what semop-multi makes of them."""
    settings: dict
    threads: list
    policies: list
    workloads: list
    duration: float
    warm_up: float

    def points(self):
        """The points of each unit, in the order in which they are measured."""
        return [Point(workload, policy["policy"], policy["priority"], threads)
                for policy in self.policies for workload in self.workloads
                for threads in self.threads]

    def units(self):
        """Kernels alternate within a round, and each round begins with another one."""
        kernels = self.settings["KERNELS"]
        for number in range(self.settings["RUNS"]):
            first = number % len(kernels)
            for flavour in self.settings["FLAVOURS"]:
                for kernel in kernels[first:] + kernels[:first]:
                    yield Unit(number + 1, flavour, kernel)

    def unit_seconds(self):
        """About how long a unit takes."""
        each = self.duration + self.warm_up + POINT_SECONDS
        return BOOT_SECONDS + len(self.points()) * each

    def benchmark(self, extra):
        """The benchmark's command line."""
        values = self.settings
        return [BENCHMARK, "-t", values["THREADS"], "-p", values["POLICIES"],
                "-o", values["WORKLOADS"], "-d", values["DURATION"], "-w", f"{self.warm_up:g}",
                *extra]

    def to_json(self):
        """For the manifest."""
        return asdict(self)


def _ask_benchmark(values):
    command = [BENCHMARK, "--plan", "-t", values["THREADS"], "-p", values["POLICIES"],
               "-o", values["WORKLOADS"], "-d", values["DURATION"]]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == USAGE:
        message = done.stderr.strip().partition("semop-multi: ")[2] or done.stderr.strip()
        raise Stop(USAGE, message.replace("--duration", "DURATION"))
    if done.returncode:
        raise Stop(FAILED, f"semop-multi --plan failed: {done.stderr.strip()}")
    return json.loads(done.stdout)


def resolve(given):
    """The settings with their defaults; what semop-multi does not need to judge is checked."""
    values = {**DEFAULTS, **(FULL if given.get("FULL") else {}), **given}
    values.pop("FULL", None)
    values.pop("RESUME", None)
    if values["NUMA"] > values["CPUS"]:
        raise Stop(USAGE, f"bad NUMA '{values['NUMA']}': each node needs a CPU, and CPUS is "
                          f"{values['CPUS']}")
    return values


def make(values):
    """A plan from settings, the lists in them judged by semop-multi itself."""
    asked = _ask_benchmark(values)
    return Plan(values, asked["threads"], asked["policies"], asked["workloads"],
                asked["duration"], round(min(asked["duration"] / 4, 1), 3))


def from_json(stored, path):
    """A plan from a manifest."""
    try:
        return Plan(**stored)
    except TypeError as error:
        raise Stop(USAGE, f"{path}: damaged: no plan in it ({error})") from error
