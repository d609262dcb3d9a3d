# SPDX-License-Identifier: GPL-2.0
"""What the records of a sweep come to: a kernel's rates at each point, or why there are none."""
import statistics
from dataclasses import dataclass, field

from .guests import why
from .plan import Point, Unit
from .stop import USAGE, Stop

KERNEL_REPORT = 70


@dataclass
class Boot:
    """One boot and what it measured."""
    unit: Unit
    machine: dict = None
    results: dict = field(default_factory=dict)  # Point: rate, or a text that says what failed
    end: dict = None                             # the record of its end; None: broken off

    def outcome(self, point):
        """A rate, a text that says why there is none, or None if it was not measured."""
        if self.end and self.end["status"] == KERNEL_REPORT:
            return why(KERNEL_REPORT)
        if point in self.results:
            return self.results[point]
        return why(self.end["status"]) if self.end else None


@dataclass
class Cell:
    """A kernel's figures in a row."""
    rates: list = field(default_factory=list)
    failures: list = field(default_factory=list)
    absent: bool = False

    def median(self):
        """The median rate, or None."""
        return statistics.median(self.rates) if self.rates and not self.failures else None

    def spread(self):
        """How far the runs differ, as a share of the median."""
        median = self.median()
        return (max(self.rates) - min(self.rates)) / median if median else 0.0


class Outcomes:
    """All boots of a sweep."""

    def __init__(self, records, path):
        self.boots = {}
        self.absent = {}  # (flavour, kernel): why
        self.surprised = False
        for number, record in enumerate(records, 1):
            try:
                self._take(record)
            except (KeyError, TypeError) as error:
                raise Stop(USAGE, f"{path}:{number}: damaged: {error!r} is missing or unknown") \
                    from error

    def _take(self, record):
        kind = record["type"]
        if kind == "absent":
            self.absent[record["flavour"], record["kernel"]] = record["why"]
            self.surprised = self.surprised or not record["expected"]
        elif kind == "boot":
            self.boots[record["boot"]] = Boot(
                Unit(record["round"], record["flavour"], record["kernel"]))
        elif kind == "machine":
            self.boots[record["boot"]].machine = \
                {key: record[key] for key in ("release", "coarse", "hypervisor", "box")}
        elif kind == "boot-end":
            self.boots[record["boot"]].end = {"status": record["status"] + 0, **record}
        elif kind == "repetition":
            point = Point(record["workload"], record["policy"], record["priority"],
                          record["threads"])
            failed = record.get("failed")
            self.boots[record["boot"]].results[point] = \
                f"{failed['op']}: {failed['errno']}" if failed else record["rate"] + 0.0

    def next_boot(self):
        """A number that no boot has."""
        return max(self.boots, default=0) + 1

    def is_done(self, unit):
        """Whether a unit needs no (further) boot."""
        return (unit.flavour, unit.kernel) in self.absent or \
            any(boot.unit == unit and boot.end for boot in self.boots.values())

    def _boot_of(self, unit):
        """The boot that counts: the one that ended, else the last one that was broken off."""
        boots = [boot for boot in self.boots.values() if boot.unit == unit]
        ended = [boot for boot in boots if boot.end]
        return (ended or boots or [None])[-1]

    def cell(self, plan, flavour, kernel, point):
        """The figures of a kernel in a row, over all rounds."""
        cell = Cell(absent=(flavour, kernel) in self.absent)
        for number in range(1, plan.settings["RUNS"] + 1):
            boot = self._boot_of(Unit(number, flavour, kernel))
            outcome = boot.outcome(point) if boot else None
            if isinstance(outcome, str):
                cell.failures.append(f"round {number}: {outcome}")
            elif outcome is not None:
                cell.rates.append(outcome)
        return cell

    def machines(self):
        """{(flavour, kernel): the machine record of a boot}"""
        return {(boot.unit.flavour, boot.unit.kernel): boot.machine
                for boot in self.boots.values() if boot.machine}

    def accelerators(self):
        """What the guests ran under, as they saw it: TCG, KVM."""
        return sorted({machine["hypervisor"] for machine in self.machines().values()})

    def loads(self):
        """(CPUs used by others, CPUs stolen) of every boot that ended."""
        return [(boot.end.get("others", 0), boot.end.get("stolen", 0))
                for boot in self.boots.values() if boot.end]

    def has_surprises(self):
        """Whether a guest failed as such, or ran another kernel than it was asked to."""
        return self.surprised or any(boot.end and boot.end["status"] not in (0, 1)
                                     for boot in self.boots.values())
