# SPDX-License-Identifier: GPL-2.0
"""The tables of a sweep, in the look of the 2013 mail thread."""
from .host import LOADED

POLICIES = {"other": "SCHED_OTHER", "fifo": "SCHED_FIFO", "rr": "SCHED_RR"}
WIDE_SPREAD = 0.25


def rate(value):
    """A rate, with decimals where it is small."""
    return f"{value:.{3 if value < 10 else 1 if value < 1000 else 0}f}"


def ratio(value):
    """A ratio."""
    return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f}"


def table(rows):
    """Lines of right-aligned columns."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  ".join(cell.rjust(width) for cell, width in zip(row, widths)).rstrip()
            for row in rows]


def labels(emulated, vcpus, cpus):
    """What has to be known about figures from such guests."""
    lines = []
    if emulated:
        lines.append("All figures come from QEMU TCG, an emulator: they compare kernels, they do "
                     "not say how fast a machine is.")
    if vcpus > cpus:
        lines.append(f"Overcommitted: {vcpus} vCPUs on {cpus} CPUs.")
    return lines


def _cell_text(cell):
    if cell.failures:
        return "failed "
    if cell.absent and not cell.rates:
        return "absent "
    if not cell.rates:
        return "- "
    return rate(cell.median()) + ("~" if cell.spread() > WIDE_SPREAD else " ")


def _ratio_text(cells, over, under):
    if over not in cells or under not in cells:
        return "-"
    above, below = cells[over].median(), cells[under].median()
    return ratio(above / below) if above is not None and below else "-"


class Report:
    """The text of a sweep's tables."""

    def __init__(self, plan, outcomes, manifest):
        self.plan = plan
        self.outcomes = outcomes
        self.manifest = manifest
        self.kernels = [name for name in ("coarse", "stock", "fine")
                        if name in plan.settings["KERNELS"]]
        self.wide = False
        self.failures = []

    def _row(self, flavour, point):
        cells = {kernel: self.outcomes.cell(self.plan, flavour, kernel, point)
                 for kernel in self.kernels}
        for kernel, cell in cells.items():
            self.wide = self.wide or cell.spread() > WIDE_SPREAD
            for failure in cell.failures:
                self.failures.append((f"{flavour} {kernel}, {failure}", point))
        return [str(point.threads)] + [_cell_text(cell) for cell in cells.values()] + \
            [_ratio_text(cells, "fine", "coarse"), _ratio_text(cells, "fine", "stock")]

    def _block(self, flavour, points):
        point = points[0]
        policy = POLICIES.get(point.policy, point.policy)
        priority = f" priority {point.priority}" if point.priority else ""
        heading = ["threads"] + [kernel + " " for kernel in self.kernels] + \
            ["fine/coarse", "fine/stock"]
        rows = [heading] + [self._row(flavour, each) for each in points]
        return ["", f"{flavour}, {point.workload}, {policy}{priority}: operations a second",
                *table(rows)]

    def _blocks(self):
        lines, points = [], self.plan.points()
        for flavour in self.plan.settings["FLAVOURS"]:
            for workload in self.plan.workloads:
                for policy in self.plan.policies:
                    lines += self._block(flavour, [
                        point for point in points if point.workload == workload and
                        (point.policy, point.priority) == (policy["policy"], policy["priority"])])
        return lines

    def head(self):
        """Kernels, box and nodes, as the guests saw them."""
        machines, absent, lines = self.outcomes.machines(), self.outcomes.absent, []
        for flavour in self.plan.settings["FLAVOURS"]:
            for kernel in self.kernels:
                machine = machines.get((flavour, kernel))
                if machine:
                    coarse = ", one lock a set" if machine["coarse"] else ""
                    lines.append(f"{kernel}, {flavour}: {machine['release']}{coarse}")
                if (flavour, kernel) in absent:
                    lines.append(f"{kernel}, {flavour}: absent: {absent[flavour, kernel]}")
        for machine in list(machines.values())[:1]:
            lines += box(machine["box"])
        return lines

    def _labels(self):
        values = self.plan.settings
        lines = labels("TCG" in self.outcomes.accelerators(), values["CPUS"],
                       self.manifest["host"]["cpus"])
        lines.append(f"Medians of up to {values['RUNS']} runs of {self.plan.duration:g} s; "
                     f"kernels alternate within a round.")
        if self.wide:
            lines.append(f"~: the runs differ by more than {100 * WIDE_SPREAD:.0f} % of their "
                         "median.")
        return lines + self._loads()

    def _loads(self):
        loads = self.outcomes.loads()
        lines = []
        busy = [others for others, _ in loads if others > LOADED]
        if busy:
            lines.append(f"The host was loaded: other programs used up to {max(busy):.1f} CPUs "
                         f"in {len(busy)} of {len(loads)} boots.")
        stolen = [steal for _, steal in loads if steal > LOADED]
        if stolen:
            lines.append(f"The host's own hypervisor took up to {max(stolen):.1f} CPUs away in "
                         f"{len(stolen)} of {len(loads)} boots.")
        return lines

    def _failures(self):
        lines, seen = [], {}
        for what, point in self.failures:
            seen.setdefault(what, []).append(f"{point.workload} {point.policy} {point.threads}")
        for what, points in seen.items():
            shown = ", ".join(points[:4]) + (f" and {len(points) - 4} more" if points[4:] else "")
            lines.append(f"failed: {what}: {shown}")
        return lines

    def text(self):
        """The whole report."""
        blocks = self._blocks()
        failures = self._failures()
        lines = self.head() + blocks + ["", *self._labels()] + ([""] if failures else []) + failures
        return "\n".join(lines) + "\n"


def box(described):
    """The box as semop-multi's own table shows it."""
    nodes = described["nodes"]
    lines = [f"box: {described['cpus']} CPUs, {described['processor']}"]
    if not nodes:
        return lines + ["no NUMA support in this kernel"]
    numbers = [node["node"] for node in nodes]
    span = f"{numbers[0]}-{numbers[-1]}" if len(numbers) > 1 else f"{numbers[0]}"
    lines.append(f"available: {len(nodes)} nodes ({span})")
    for node in nodes:
        lines.append(f"node {node['node']} cpus: {' '.join(str(cpu) for cpu in node['cpus'])}")
        lines.append(f"node {node['node']} size: {node['size_mb']} MB")
        lines.append(f"node {node['node']} free: {node['free_mb']} MB")
    lines.append("node distances:")
    lines.append("node " + " ".join(f"{number:3}" for number in numbers))
    lines += [f"{node['node']:3}: " + " ".join(f"{distance:3}" for distance in node["distances"])
              for node in nodes]
    return lines
