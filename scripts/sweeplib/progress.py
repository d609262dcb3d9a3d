# SPDX-License-Identifier: GPL-2.0
"""Progress with the time left: a line that is rewritten on a terminal, plain lines elsewhere."""
import sys
import time


def duration(seconds):
    """Seconds for people: 45 s, 3:20 min, 2:05 h."""
    seconds = int(seconds + 0.5)
    if seconds < 100:
        return f"{seconds} s"
    if seconds < 6000:
        return f"{seconds // 60}:{seconds % 60:02} min"
    return f"{seconds // 3600}:{seconds // 60 % 60:02} h"


class Progress:
    """Counts steps; says where it is on standard error."""

    def __init__(self, steps, expected_seconds):
        self.steps = max(steps, 1)
        self.done = 0
        self.expected = expected_seconds
        self.start = time.monotonic()
        self.terminal = sys.stderr.isatty()

    def left(self):
        """Seconds left, by the expectation first and by what was seen as it goes on."""
        share = self.done / self.steps
        elapsed = time.monotonic() - self.start
        seen = elapsed / share if share else self.expected
        total = share * seen + (1 - share) * max(self.expected, elapsed)
        return max(0.0, (total if share < 0.05 else seen) - elapsed)

    def step(self, what, steps=1):
        """Some more steps are done; shown on a terminal only."""
        self.done = min(self.done + steps, self.steps)
        if self.terminal:
            percent = 100 * self.done // self.steps
            print(f"\r[{percent:3d} %, {duration(self.left())} left] {what}\033[K", end="",
                  file=sys.stderr, flush=True)

    def line(self, what):
        """A line that stays."""
        self.clear()
        print(what, file=sys.stderr, flush=True)

    def landmark(self, what):
        """A line that stays where there is no terminal to be rewritten."""
        if not self.terminal:
            percent = 100 * self.done // self.steps
            print(f"[{percent:3d} %, {duration(self.left())} left] {what}", file=sys.stderr,
                  flush=True)

    def clear(self):
        """Take the rewritten line away."""
        if self.terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
