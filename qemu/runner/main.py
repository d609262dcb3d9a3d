# SPDX-License-Identifier: GPL-2.0
"""From the command line to the exit status."""
import os
import signal
import sys

from . import accel, machine, options, reports
from .session import Session
from .status import KERNEL_REPORT, NO_RECORD, TIME_LIMIT, Stop


class Ended(Exception):
    """A signal that ends the runner, and the guest with it."""

    def __init__(self, number):
        super().__init__(number)
        self.number = number


def _on_signal(number, _):
    raise Ended(number)


def note(text):
    print(f"qemu/guest: {text}", file=sys.stderr)


def _ipc_symbols(image):
    """The functions of ipc/, as the build listed them beside the image."""
    try:
        path = os.path.join(os.path.dirname(image), "ipc-symbols")
        with open(path, encoding="ascii") as file:
            return set(file.read().split())
    except OSError:
        return set()


def _collect(opts, outcome):
    """All reports and the log that they come from."""
    lines = reports.parse_kmsg(outcome.kernel_log)
    if outcome.status is None:
        # The port may have missed the end: the console has seen it.
        seen = {line.text for line in lines}
        lines += [line for line in reports.parse_console(outcome.console)
                  if line.text not in seen]
    found = reports.find(lines, _ipc_symbols(machine.image(opts)))
    if outcome.leaks:
        leaks = outcome.leaks.decode(errors="replace").split("\n")
        found.append(reports.Report([reports.Line(None, t) for t in leaks]))
    return found, lines


def _show(found):
    counted = [report for report in found if report.counted]
    if counted:
        note(f"{len(counted)} KCSAN reports outside ipc/:")
        for title in sorted({report.title() for report in counted}):
            print(f"    {title}", file=sys.stderr)
    for report in found:
        if not report.counted:
            note("the kernel reports:")
            for line in report.lines:
                print(f"    {line}", file=sys.stderr)


def _show_console(outcome):
    note("the end of the console:")
    text = outcome.console.decode(errors="replace").replace("\r", "")
    for line in text.split("\n")[-60:]:
        print(f"    {line}", file=sys.stderr)


def _verdict(opts, outcome, found):
    """The exit status; what is wrong has been said when this returns."""
    _show(found)
    for failure in outcome.failures:
        note(failure)
    if outcome.timed_out:
        note(f"ended at the limit of {opts.timeout} s ({outcome.step})")
        _show_console(outcome)
    elif outcome.status is None and not outcome.escaped:
        note(f"the guest ended without a record ({outcome.step})")
        _show_console(outcome)
    if any(not report.counted for report in found):
        return KERNEL_REPORT
    if outcome.timed_out:
        return TIME_LIMIT
    if outcome.escaped:
        return 0
    if outcome.status is None or outcome.failures:
        return NO_RECORD
    return outcome.status


def _write_log(path, lines):
    new = f"{path}.new"
    with open(new, "w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)
    os.replace(new, path)


def _run(argv):
    opts = options.parse(argv)
    machine.image(opts)
    machine.ensure_initramfs()
    chosen = accel.choose(opts)
    if opts.print_accel:
        print(chosen)
        return 0
    if opts.accel == "auto" and chosen == "tcg" and sys.stderr.isatty():
        note("KVM does not run here: emulating with TCG")
    outcome = Session(opts, chosen).run()
    found, lines = _collect(opts, outcome)
    if opts.log:
        _write_log(opts.log, lines)
    return _verdict(opts, outcome, found)


def main(argv):
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _on_signal)
    try:
        return _run(argv)
    except Stop as stop:
        note(stop)
        return stop.status
    except Ended as ended:
        return 128 + ended.number
    except BrokenPipeError:
        return 128 + signal.SIGPIPE
