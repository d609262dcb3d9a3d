# SPDX-License-Identifier: GPL-2.0
"""Finds the reports in a kernel's log. Nothing else of the log is judged."""
import re
from dataclasses import dataclass, field

# What opens a report, at the start of a message or behind the name of the
# part that speaks ("watchdog: BUG: soft lockup", "rcu: INFO: ...").
OPENINGS = re.compile(
    r"^(?:[\w .-]{1,20}: )?(?:\[ )?(?:"
    r"WARNING: |BUG: |Oops\b|UBSAN: |ODEBUG: |DEBUG_LOCKS_WARN_ON"
    r"|INFO: task .* blocked for more than"
    r"|INFO: rcu\w* .*detected|INFO: rcu\w* .*stall|INFO: .*self-detected stall"
    r"|INFO: trying to register non-static key|INFO: possible recursive"
    r"|INFO: lockdep is turned off"
    r"|\w+ kthread starved|.*kthread timer wakeup didn't happen"
    r"|-+\[ cut here \]|kernel BUG at |general protection fault"
    r"|double fault|stack segment|invalid opcode|divide error"
    r"|Unable to handle kernel|unable to handle page fault"
    r"|Kernel panic|kmemleak: \d+ new suspected|\d+ new suspected memory leaks"
    r"|unreferenced object|bad: scheduling from|Badness at )")
CLOSINGS = re.compile(r"^-+\[ end (trace|Kernel panic)")
RULER = re.compile(r"^={20,}$")
KCSAN = re.compile(r"^BUG: KCSAN: ")
FRAME = re.compile(r"\b([A-Za-z_][\w.]*)\+0x[0-9a-f]+/0x[0-9a-f]+")
ACCESS = re.compile(r"\bto 0x[0-9a-f]+ of \d+ bytes by (?:task|interrupt)")
INTERRUPT = re.compile(r"asm_(?:sysvec|common_interrupt|exc)")
# The queue of those who spin for a mutex or an rwsem orders itself
SPINNERS = "osq_lock"
LONGEST = 150
GAP_SECONDS = 1.0


@dataclass
class Line:
    """A line of the log; seconds is None where the time is not known."""
    seconds: float
    text: str

    def __str__(self):
        if self.seconds is None:
            return self.text
        return f"[{self.seconds:12.6f}] {self.text}"


@dataclass
class Report:
    """One report; counted ones do not make the run fail."""
    lines: list = field(default_factory=list)
    counted: bool = False

    def title(self):
        for line in self.lines:
            if OPENINGS.match(line.text) and "cut here" not in line.text:
                return line.text
        return self.lines[0].text


def parse_kmsg(data):
    """Lines of records as /dev/kmsg gives them."""
    lines = []
    for raw in data.decode(errors="replace").split("\n"):
        head, found, text = raw.partition(";")
        fields = head.split(",")
        if raw.startswith(" ") or not found or len(fields) < 3:
            continue
        text = re.sub(r"\\x([0-9a-f]{2})",
                      lambda match: chr(int(match[1], 16)), text)
        for part in text.split("\n"):
            lines.append(Line(int(fields[2]) / 1e6, part))
    return lines


def parse_console(data):
    """Lines of a console's output."""
    lines = []
    for raw in data.decode(errors="replace").replace("\r", "").split("\n"):
        match = re.match(r"\[ *(\d+\.\d+)\] ?(?:\[ *[TC]\d+\] ?)?(.*)", raw)
        if match:
            lines.append(Line(float(match[1]), match[2]))
        else:
            lines.append(Line(None, raw))
    return lines


def _extent(lines, start):
    """Index after the last line of the report that opens at start."""
    kcsan = KCSAN.match(lines[start].text)
    for at in range(start + 1, min(start + LONGEST, len(lines))):
        line, before = lines[at], lines[at - 1]
        if CLOSINGS.match(line.text):
            return at + 1
        if kcsan and RULER.match(line.text):
            return at + 1
        if None not in (line.seconds, before.seconds) and \
           line.seconds - before.seconds > GAP_SECONDS:
            return at
    return min(start + LONGEST, len(lines))


def _accesses(report):
    """The functions of each access of a race, innermost first."""
    accesses, functions = [], None
    for line in report.lines:
        if ACCESS.search(line.text):
            functions = []
            accesses.append(functions)
            continue
        frame = FRAME.search(line.text)
        if not frame:
            functions = None
        elif functions is not None:
            functions.append(frame[1])
            # What was interrupted has no part in it
            if INTERRUPT.match(frame[1]):
                functions = None
    return accesses


def _in_ipc(report, ipc_symbols):
    """Is it a race of ipc/? If code of ipc/ is behind each access, or makes one.

    Otherwise the rest of the kernel races with itself over data of its own,
    such as the clock, whoever asked for it.
    """
    accesses = _accesses(report)
    if accesses and all(functions[:1] == [SPINNERS] for functions in accesses):
        return False
    if any(functions and functions[0] in ipc_symbols for functions in accesses):
        return True
    return all(ipc_symbols.intersection(functions) for functions in accesses)


def find(lines, ipc_symbols):
    """All reports. A KCSAN one that is not of ipc/ is counted."""
    reports, at = [], 0
    while at < len(lines):
        if not OPENINGS.match(lines[at].text):
            at += 1
            continue
        first = at - 1 if at and RULER.match(lines[at - 1].text) else at
        end = _extent(lines, at)
        report = Report(lines[first:end])
        if KCSAN.match(lines[at].text):
            report.counted = not _in_ipc(report, ipc_symbols)
        reports.append(report)
        at = end
    return reports
