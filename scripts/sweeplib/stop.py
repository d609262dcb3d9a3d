# SPDX-License-Identifier: GPL-2.0
"""Exit statuses, and the way to end a command with one line and a status."""
import signal
import sys

DONE = 0
FAILED = 1
USAGE = 2
INTERRUPTED = 130


class Stop(Exception):
    """Ends the command with a message and an exit status."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def _interrupt(_number, _frame):
    raise KeyboardInterrupt


def run(name, main, arguments):
    """Run a command's main function; what it cannot do becomes one line on stderr."""
    signal.signal(signal.SIGTERM, _interrupt)
    signal.signal(signal.SIGHUP, _interrupt)
    try:
        return main(arguments)
    except Stop as stop:
        print(f"{name}: {stop}", file=sys.stderr)
        return stop.status
    except KeyboardInterrupt:
        print(f"{name}: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        return FAILED
