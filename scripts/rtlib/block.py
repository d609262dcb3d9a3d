# SPDX-License-Identifier: GPL-2.0
"""Blocks of the report: rows of figures, some of them with a verdict."""
from dataclasses import dataclass, field

VERDICTS = {True: "ok", False: "NOT", None: "NONE"}


@dataclass
class Row:
    """A row; one that is not judged has good = True and judged = False."""
    cells: list                 # texts, the first is the row's name
    good: object = True         # False: falls short; None: no figure
    why: str = ""               # if it is not good
    judged: bool = True

    def verdict(self):
        """As it stands at the row's end."""
        return VERDICTS[self.good] if self.judged or self.good is not True else ""


@dataclass
class Block:
    """A table with a title."""
    title: str
    heading: list
    rows: list = field(default_factory=list)
    notes: list = field(default_factory=list)

    def short(self):
        """Rows that are not good."""
        return [row for row in self.rows if row.good is not True]

    def lines(self):
        """As text: the first column to the left, the others to the right."""
        cells = [[*self.heading, ""]] + [[*row.cells, row.verdict()] for row in self.rows]
        widths = [max(len(line[i]) for line in cells) for i in range(len(cells[0]))]
        text = [("  ".join([line[0].ljust(widths[0])] +
                           [cell.rjust(width) for cell, width in zip(line[1:], widths[1:])]))
                .rstrip() for line in cells]
        return ["", self.title, *("    " + line for line in text), *self.notes]

    def failures(self):
        """One line for each row that is not good."""
        return [f"{self.title.partition(':')[0]}: {row.cells[0]}: {row.why}"
                for row in self.short()]

    def to_json(self):
        """For programs."""
        return {"title": self.title, "heading": self.heading, "notes": self.notes,
                "rows": [{"cells": row.cells, "judged": row.judged, "good": row.good,
                          "why": row.why} for row in self.rows]}
