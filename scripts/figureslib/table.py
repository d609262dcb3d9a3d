# SPDX-License-Identifier: GPL-2.0
"""The table of rows: what was measured, what has to be reached, what falls short."""
from sweeplib.host import LOADED
from sweeplib.report import labels

VERDICTS = {True: "ok", False: "SHORT", None: "NONE"}
HEADING = ["", "stock", "fine", "reached", "target", ""]


def _columns(rows):
    """Lines of columns: the first to the left, the others to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEADING))]
    return [("  ".join([row[0].ljust(widths[0])] +
                       [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])])).rstrip()
            for row in rows]


class Table:
    """The rows' lines, judged."""

    def __init__(self, rows, figures, rounds):
        self.figures = figures
        self.rounds = rounds
        self.rows = []
        for row in rows:
            figures.section = row.section
            self.rows.append((row, row.judge(figures)))

    def lines(self):
        """All lines of all rows."""
        return [line for _, lines in self.rows for line in lines]

    def short(self):
        """Lines that fall short or have no figure."""
        return [line for line in self.lines() if line.good is not True]

    def _body(self):
        cells, rules = [HEADING], []
        for row, lines in self.rows:
            rules.append((len(cells), f"{row.name}: {row.what}"))
            cells += [["    " + line.label, line.stock, line.fine, line.reached, line.target,
                       VERDICTS[line.good]] for line in lines]
        text = _columns(cells)
        for at, title in reversed(rules):
            text.insert(at, title)
        return text

    def _notes(self, emulated, cpus):
        setups = {setup for row, _ in self.rows for setup, _ in row.loads}
        timed = {setup for setup in setups if setup.accel != "icount"}
        lines = []
        if timed != setups:
            lines.append("Instructions are counted by the emulator, the loop around the call "
                         "included; neither the machine nor its load matter.")
        if not timed:
            return lines
        lines += labels(emulated, max(setup.cpus for setup in timed), cpus)
        lines.append(f"Medians of {self.rounds} rounds, in which the kernels alternate; each round "
                     "boots each kernel anew." if self.rounds > 1 else "One round.")
        if any(row.again for row, _ in self.rows):
            lines.append("Where the target is stock's noise, it is the ratio of medians that "
                         "halves of stock's own runs stay above in 97.5 % of all splits.")
        busy = [others for others in self.figures.loads if others > LOADED]
        if busy:
            lines.append(f"The host was loaded: other programs used up to {max(busy):.1f} CPUs in "
                         f"{len(busy)} of {len(self.figures.loads)} boots.")
        return lines

    def _machines(self):
        releases = sorted({machine["release"] for machine in self.figures.machines.values()})
        return [f"kernels: {', '.join(releases)}"] if releases else []

    def text(self, cpus, emulated):
        """The whole table."""
        short = self.short()
        total = len(self.lines())
        verdict = f"{len(short)} of {total} lines fall short" if short else \
            f"all {total} lines are reached"
        failures = ["failed: " + failure for failure in self.figures.failures]
        return "\n".join([*self._machines(), "", *self._body(), "", *self._notes(emulated, cpus),
                          *failures, verdict]) + "\n"
