# SPDX-License-Identifier: GPL-2.0
"""The figures that records hold, by series, guest and point."""
import statistics

from sweeplib.guests import why
from sweeplib.stop import USAGE, Stop


class Missing(Exception):
    """A figure that there is not, and why."""


def _point(record):
    """What identifies a point among the records of a series in a guest."""
    return (record["workload"], record["policy"], record["threads"], record["semaphores"],
            record["background"], record["set_size"])


class Figures:
    """Rates of all rounds: {(section, setup, series, point): {round: rate or text}}"""

    def __init__(self, lines, path):
        self.rates = {}
        self.memory = {}   # {(section, setup, series, set size): {round: bytes a semaphore}}
        self.section = ""  # what by_round() and the others look at
        self.failures = []
        self.loads = []    # CPUs that others used, of every boot
        self.machines = {}
        self.rounds = set()
        self._bad = {}     # boot: why its figures do not count
        self._boots = {}
        self._find_bad(lines)
        for number, record in enumerate(lines, 1):
            try:
                self._take(record)
            except (KeyError, TypeError) as error:
                raise Stop(USAGE, f"{path}:{number}: damaged: {error!r} is missing or unknown") \
                    from error

    def _find_bad(self, lines):
        for record in lines:
            if record["type"] == "boot-end" and record.get("status") not in (0, 1, 3):
                self._bad[record.get("boot")] = why(record.get("status"))

    def _take(self, record):
        kind = record["type"]
        if kind == "boot":
            self._boots[record["boot"]] = record
        elif kind == "machine":
            self.machines[record["series"], record["setup"]] = record
        elif kind == "boot-end":
            self._take_end(record)
        elif kind == "repetition":
            self._take_rate(record)
        elif kind == "memory":
            key = (record["section"], record["setup"], record["series"], record["set_size"])
            self.memory.setdefault(key, {})[record["round"]] = record["bytes"] + 0.0

    def _take_end(self, record):
        boot = self._boots[record["boot"]]
        self.loads.append(record["others"])
        if record["status"] not in (0, 1):
            self.failures.append(f"round {boot['round']}, {boot['setup']}, {boot['series']}: "
                                 f"{why(record['status'])}")

    def _take_rate(self, record):
        failed = record.get("failed")
        outcome = f"{failed['op']}: {failed['errno']}" if failed else record["rate"] + 0.0
        outcome = self._bad.get(record["boot"], outcome)
        self.rounds.add(record["round"])
        key = (record["section"], record["setup"], record["series"], _point(record))
        self.rates.setdefault(key, {})[record["round"]] = outcome
        if failed:
            self.failures.append(f"round {record['round']}, {record['setup']}, "
                                 f"{record['series']}, {record['workload']} {record['policy']} "
                                 f"{record['threads']}: {outcome}")

    def by_round(self, setup, series, workload, policy="other", threads=1, semaphores=0,
                 background=0, set_size=0):
        """{round: rate} of a point, or Missing."""
        point = (workload, policy, threads, semaphores, background, set_size)
        found = self.rates.get((self.section, setup.text(), series, point))
        if not found:
            raise Missing("not measured")
        broken = [text for text in found.values() if isinstance(text, str)]
        if broken:
            raise Missing(broken[0])
        return found

    def median(self, setup, series, *point, **more):
        """The median rate of a point."""
        return statistics.median(self.by_round(setup, series, *point, **more).values())

    def runs(self, setup, series, *point, **more):
        """All rates of a point."""
        return list(self.by_round(setup, series, *point, **more).values())

    def bytes(self, setup, series, set_size):
        """The median memory for each semaphore in sets of a size."""
        found = self.memory.get((self.section, setup.text(), series, set_size))
        if not found:
            raise Missing("not measured")
        return statistics.median(found.values())
