# SPDX-License-Identifier: GPL-2.0
"""What the records of a check hold, beside the rates that scripts/figures knows."""
import statistics
from dataclasses import dataclass

from figureslib.figures import Figures, Missing
from sweeplib import records

LATENCIES = ("min", "p50", "p99", "p99.9", "p99.99", "max")


@dataclass(frozen=True)
class Key:
    """Of latencies: what ran, in which guest, on which kernel."""
    section: str
    setup: str
    series: str
    point: tuple


class Measured(Figures):
    """Figures, latencies, states, rt-tests and selftests of a directory of results."""

    def __init__(self, lines, path):
        self.latencies = {}   # Key: {round: the record's latencies}
        self.states = []
        self.rt_tests = {}    # (series, test): [records]
        self.selftests = {}   # (series, flavour, program): record
        self.ends = []        # the records of boots' ends
        super().__init__(lines, path)

    @classmethod
    def read(cls, path):
        """From a file; without one, empty."""
        return cls(records.read_lines(path), path)

    def _take(self, record):
        super()._take(record)
        kind = record["type"]
        if kind == "repetition" and "latency" in record and record["boot"] not in self._bad:
            key = Key(record["section"], record["setup"], record["series"],
                       (record["workload"], record["background"], record["set_size"]))
            self.latencies.setdefault(key, {})[record["round"]] = \
                {**record["latency"], "mean": 1e9 / record["rate"]}
        elif kind == "state":
            self.states.append(record)
        elif kind == "rt-test":
            self.rt_tests.setdefault((record["series"], record["test"]), []).append(record)
        elif kind == "selftest":
            flavour = record["setup"].partition(",")[0]
            self.selftests[record["series"], flavour, record["program"]] = record
        elif kind == "boot-end":
            self.ends.append(record)

    def latency_runs(self, section, setup, series, point, name):
        """One of the latencies in nanoseconds, of all rounds."""
        found = self.latencies.get(Key(section, setup.text(), series, point))
        if not found:
            raise Missing("not measured")
        return [latencies[name] + 0.0 for latencies in found.values()]

    def latency(self, *key):
        """The median over rounds."""
        return statistics.median(self.latency_runs(*key))
