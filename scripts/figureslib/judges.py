# SPDX-License-Identifier: GPL-2.0
"""What the figures of a row have to reach. Each function here makes a judge for a row: called with
the figures, it returns the row's lines."""
import statistics
from dataclasses import dataclass

from .figures import Missing
from .noise import lowest_ratio

STOCK, FINE, AGAIN = "stock", "fine", "stock again"


@dataclass
class Line:
    """A line of the table."""
    label: str
    stock: str
    fine: str
    reached: str
    target: str
    good: object  # True, False, or None where there is no target or no figure


def _number(value):
    """Four digits at most, for people."""
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def _rate(value):
    return f"{value / 1000:.0f} k/s" if value >= 1e5 else \
        f"{value / 1000:.1f} k/s" if value >= 1000 else f"{value:.3g}/s"


def _line(label, stock, fine, reached, target, good):
    return Line(label, stock, fine, reached, target, bool(good))


def _lines(makers):
    """The lines of (label, target, function) triples; a missing figure makes a line, too."""
    lines = []
    for label, target, make in makers:
        try:
            lines.append(make())
        except Missing as missing:
            lines.append(Line(label, "-", "-", str(missing), target, None))
    return lines



def _policy(policy):
    return policy.upper()


def instructions(setups, workload, target, semaphores=0):
    """Instructions an operation under icount, where a nanosecond is an instruction."""
    def make(figures, flavour):
        setup = setups[flavour]
        null = 1e9 / figures.median(setup, FINE, "null")
        stock, fine = (1e9 / figures.median(setup, series, workload, semaphores=semaphores)
                       for series in (STOCK, FINE))
        return _line(f"{flavour} (null call {null:.0f})", f"{stock:.0f}", f"{fine:.0f}",
                     f"{fine / stock:.3f}", f"<= {target:g}", fine <= target * stock)

    return lambda figures: _lines([(flavour, f"<= {target:g}",
                                    lambda flavour=flavour: make(figures, flavour))
                                   for flavour in setups])


def multi_disjoint(setup, policy, times, of_single):
    """Disjoint operations on two semaphores: against stock, and against single."""
    def against_stock(figures):
        stock, fine = (figures.median(setup, series, "multi", policy, 10, semaphores=2)
                       for series in (STOCK, FINE))
        return _line("times stock", _rate(stock), _rate(fine), _number(fine / stock),
                     f">= {times}", fine >= times * stock)

    def against_single(figures):
        shares = {series: figures.median(setup, series, "multi", policy, 10, semaphores=2) /
                  figures.median(setup, series, "single", policy, 10) for series in (STOCK, FINE)}
        return _line("of single", _number(shares[STOCK]), _number(shares[FINE]),
                     _number(shares[FINE]), f">= {of_single:g}", shares[FINE] >= of_single)

    def judge(figures):
        makers = [("times stock", f">= {times}", lambda: against_stock(figures))]
        if of_single:
            makers.append(("of single", f">= {of_single:g}", lambda: against_single(figures)))
        return _lines(makers)
    return judge


def _gain(figures, setup, series, workload, policy):
    """What a second thread gains, as a share of what it gains for null: the median over rounds."""
    more = {"semaphores": 2} if workload == "multi" else {}
    rates = [figures.by_round(setup, series, name, policy, threads, **extra)
             for name, extra in ((workload, more), ("null", {})) for threads in (1, 2)]
    one, two, null_one, null_two = rates
    shares = [two[number] / one[number] * null_one[number] / null_two[number]
              for number in one if all(number in rate for rate in rates)]
    if not shares:
        raise Missing("no round has all of its figures")
    return statistics.median(shares)


def _gain_makers(figures, setups, policies, workloads, target):
    def make(flavour, policy, workload):
        stock, fine = (_gain(figures, setups[flavour], series, workload, policy)
                       for series in (STOCK, FINE))
        return _line(f"{flavour} {_policy(policy)} {workload}", _number(stock), _number(fine),
                     _number(fine), f">= {target:g}", fine >= target)

    return [(f"{flavour} {_policy(policy)} {workload}", f">= {target:g}",
             lambda each=(flavour, policy, workload): make(*each))
            for flavour in setups for policy in policies for workload in workloads]


def gains(setups, policies, workloads, target):
    """Two threads against one, compared with null."""
    return lambda figures: _lines(_gain_makers(figures, setups, policies, workloads, target))


def _times_makers(figures, setup, policies, workloads, threads, times):
    def make(policy, workload):
        stock, fine = (figures.median(setup, series, workload, policy, threads)
                       for series in (STOCK, FINE))
        return _line(f"{_policy(policy)} {workload}, {threads} threads: times stock",
                     _rate(stock), _rate(fine), _number(fine / stock), f">= {times}",
                     fine >= times * stock)

    return [(f"{_policy(policy)} {workload}, {threads} threads: times stock", f">= {times}",
             lambda each=(policy, workload): make(*each))
            for policy in policies for workload in workloads]


def times_stock(setup, policies, workloads, threads, times):
    """So many times stock."""
    return lambda figures: _lines(_times_makers(figures, setup, policies, workloads, threads,
                                                times))


def against_one_thread(setup, policies, workload, threads, target):
    """Several threads together against one."""
    def make(figures, policy):
        shares = {series: figures.median(setup, series, workload, policy, threads) /
                  figures.median(setup, series, workload, policy, 1) for series in (STOCK, FINE)}
        return _line(_policy(policy), _number(shares[STOCK]), _number(shares[FINE]),
                     _number(shares[FINE]), f">= {target:g}", shares[FINE] >= target)

    return lambda figures: _lines([(_policy(policy), f">= {target:g}",
                                    lambda policy=policy: make(figures, policy))
                                   for policy in policies])


def with_sleepers(setups, numbers, target):
    """Disjoint pairs with sleepers elsewhere in the set against those without."""
    def make(figures, flavour, number):
        shares = {series: figures.median(setups[flavour], series, "sleepers", threads=2,
                                         background=number) /
                  figures.median(setups[flavour], series, "single", threads=2)
                  for series in (STOCK, FINE)}
        return _line(f"{flavour}, {number} asleep", _number(shares[STOCK]), _number(shares[FINE]),
                     _number(shares[FINE]), f">= {target:g}", shares[FINE] >= target)

    return lambda figures: _lines([(f"{flavour}, {number} asleep", f">= {target:g}",
                                    lambda each=(flavour, number): make(figures, *each))
                                   for flavour in setups for number in numbers])


def _longer(figures, setup, workload, short, long):
    """How many times as long an operation takes in one case as in the other, by series."""
    return {series: figures.median(setup, series, workload, **short) /
            figures.median(setup, series, workload, **long) for series in (STOCK, FINE)}


def _longer_line(label, times, limit):
    return _line(label, _number(times[STOCK]), _number(times[FINE]), _number(times[FINE]),
                 f"<= {limit:g}", times[FINE] <= limit)


def _longer_makers(figures, cases, limit):
    """Lines of (label, setup, workload, short, long) cases."""
    return [(label, f"<= {limit:g}",
             lambda label=label, case=case: _longer_line(label, _longer(figures, *case), limit))
            for label, *case in cases]


def with_set_size(setups, workloads, sizes, limit):
    """The same work on a small and on a large set."""
    cases = [(f"{flavour} {workload}", setup, workload, {"set_size": sizes[0]},
              {"set_size": sizes[1]})
             for flavour, setup in setups.items() for workload in workloads]
    return lambda figures: _lines(_longer_makers(figures, cases, limit))


def with_waiters(setups, few, cases):
    """The same work with few and with many waiters: (flavour, how many, limit) cases."""
    def judge(figures):
        makers = []
        for flavour, number, limit in cases:
            case = (f"{flavour}, {number} waiters", setups[flavour], "waiters",
                    {"background": few}, {"background": number})
            makers += _longer_makers(figures, [case], limit)
        return _lines(makers)
    return judge


def milliseconds(setups, workload, background, limit):
    """The time of one operation."""
    def make(figures, flavour):
        stock, fine = (1000 / figures.median(setups[flavour], series, workload,
                                             background=background) for series in (STOCK, FINE))
        return _line(flavour, f"{_number(stock)} ms", f"{_number(fine)} ms", f"{_number(fine)} ms",
                     f"<= {limit} ms", fine <= limit)

    return lambda figures: _lines([(flavour, f"<= {limit} ms",
                                    lambda flavour=flavour: make(figures, flavour))
                                   for flavour in setups])


def _no_worse_maker(figures, label, setup, workload, policy, threads, more):
    """Fine against stock, where stock against itself shows what is noise."""
    def make():
        stock, again, fine = (figures.runs(setup, series, workload, policy, threads, **more)
                              for series in (STOCK, AGAIN, FINE))
        floor = lowest_ratio(stock + again)
        usual = statistics.median(stock + again)
        reached = statistics.median(fine) / usual
        return _line(label, _rate(usual), _rate(statistics.median(fine)), f"{reached:.3f}",
                     f">= {floor:.3f}", reached >= floor)
    return (label, "stock's noise", make)


def _no_worse_makers(figures, setups, policies, points):
    return [_no_worse_maker(figures, f"{flavour} {_policy(policy)} {workload}, {threads} threads",
                            setup, workload, policy, threads, more)
            for flavour, setup in setups.items() for policy in policies
            for workload, threads, more in points]


def no_worse(setups, policies, points):
    """No worse than stock beyond the noise that stock against stock shows."""
    return lambda figures: _lines(_no_worse_makers(figures, setups, policies, points))


def undo(setups, first, many, small, adjusted):
    """First adjustment and exit no worse than stock; exit does not see what is zero."""
    def judge(figures):
        makers = []
        for flavour, setup in setups.items():
            for label, more in (("first adjustment, set of 32000", first),
                                ("exit, 8 of 32000 in each of 32 sets", many)):
                makers.append(_no_worse_maker(figures, f"{flavour} {label}", setup, "exit",
                                              "other", 1, more))
            label = f"{flavour} exit, sets of 32000 against 1000: times as long"
            makers += _longer_makers(figures, [(label, setup, "exit", small, many)], 1.2)
            times = adjusted["semaphores"] / many["semaphores"]
            label = f"{flavour} exit, {times:g} times the adjustments: times as long"
            makers += _longer_makers(figures, [(label, setup, "exit", many, adjusted)], times)
        return _lines(makers)
    return judge


def memory(setups, sizes):
    """Bytes a semaphore, no more than stock; 1 % is what MemFree wavers by."""
    def make(figures, flavour, size):
        stock, fine = (figures.bytes(setups[flavour], series, size) for series in (STOCK, FINE))
        return _line(f"{flavour}, sets of {size}", f"{stock:.1f} B", f"{fine:.1f} B",
                     f"{fine / stock:.3f}", "<= 1.01", fine <= 1.01 * stock)

    return lambda figures: _lines([(f"{flavour}, sets of {size}", "<= 1.01",
                                    lambda each=(flavour, size): make(figures, *each))
                                   for flavour in setups for size in sizes])


def neighbours(setups, policies, points, by_key):
    """Messages and segments: no worse than stock; lookups by key as those of sets."""
    def judge(figures):
        return _lines(_no_worse_makers(figures, setups, policies, points) +
                      _gain_makers(figures, setups, policies, by_key, 0.95) +
                      _times_makers(figures, setups["rt"], policies, by_key, 4, 50))
    return judge
