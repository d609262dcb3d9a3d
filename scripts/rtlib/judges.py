# SPDX-License-Identifier: GPL-2.0
"""The blocks of the report, judged: one function for each part of the check."""
import re
import statistics

from figureslib.figures import Missing
from figureslib.judges import AGAIN, FINE, STOCK
from figureslib.noise import lowest_ratio
from sweeplib.guests import why
from sweeplib.report import POLICIES, rate

from . import parts
from .block import Block, Row

FLAT = 1.1  # times as many instructions with most as with least: no growth
SECTION = re.compile(r"section: ([\w-]+), (.+), (\d+): few (\d+) many (\d+) idle (\d+) worst (\d+) "
                     r"limit (\d+) us")
SCENE = re.compile(r"(.+), call takes \d+ us: alarm in the call in (\d+) of (\d+) rounds")
PREEMPTED = re.compile(r"holder preempted inside: (\d+), overtaken: (\d+)")


def _us(nanoseconds):
    return f"{nanoseconds / 1000:.1f}"


def _ratio(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def _missing(name, columns, reason):
    return Row([name] + ["-"] * columns, None, str(reason))


def states(found):
    """Whether these are real-time kernels; what they said themselves."""
    block = Block("kernels: PREEMPT_RT by uname -v and by /proc/config.gz",
                  ["", "uname -v", "CONFIG_PREEMPT_RT"])
    seen = {}
    for state in found:
        seen.setdefault(state["release"], state)
    for release, state in sorted(seen.items()):
        good = "PREEMPT_RT" in state["version"] and state["config_rt"] == "y"
        block.rows.append(Row([release, state["version"].replace("#1 ", ""), state["config_rt"]],
                              good, "this is no real-time kernel"))
    if not block.rows:
        block.rows.append(_missing("any", 2, "no kernel said what it is"))
    return block


# -- what is compared with stock

class Noise:
    """How far stock differs from itself in any row of a part, which is what all may do.

    Of thirty rows one is unlucky now and then; the widest difference of stock from stock among
    them is what luck can do.
    """

    def __init__(self):
        self.floor = 1.0

    def add(self, runs):
        """Runs of stock, the more the better."""
        self.floor = min(self.floor, lowest_ratio(runs))


# -- rates

def _rate_runs(measured, scale, point):
    """(stock's, fine's) rates of a point, or what is missing."""
    workload, policy, threads = point
    more = {"semaphores": 2} if workload == "multi" else {}
    measured.section = "rates"
    try:
        stock, fine, again = (measured.runs(scale.setup(), series, workload, policy, threads,
                                            **more) for series in (STOCK, FINE, AGAIN))
    except Missing as missing:
        return missing
    return stock + again, fine


def _rate_row(name, found, floor):
    if isinstance(found, Missing):
        return _missing(name, 4, found)
    stock, fine = map(statistics.median, found)
    return Row([name, rate(stock), rate(fine), _ratio(fine / stock), f"{floor:.2f}"],
               fine >= floor * stock, f"fine reaches {fine / stock:.2f} of stock, whose own runs "
               f"stay above {floor:.2f}")


def rates(measured, scale):
    """Operations a second: no worse than stock beyond its noise."""
    found = {(workload, policy, threads): _rate_runs(measured, scale, (workload, policy, threads))
             for workload in parts.WORKLOADS for policy in parts.POLICIES
             for threads in scale.threads()}
    noise = Noise()
    for runs in found.values():
        if not isinstance(runs, Missing):
            noise.add(runs[0])
    blocks = []
    for workload in parts.WORKLOADS:
        for policy in parts.POLICIES:
            block = Block(f"rates, {workload}, {POLICIES[policy]}: operations a second",
                          ["threads", "stock", "fine", "fine/stock", "at least"])
            block.rows = [_rate_row(str(threads), found[workload, policy, threads], noise.floor)
                          for threads in scale.threads()]
            blocks.append(block)
    return blocks


# -- latencies

def _latency_runs(measured, name, scale, series, what):
    return measured.latency_runs(f"latency {name}", scale.setup(), series, ("single", 0, 0), what)


def _latency_found(measured, name, scale):
    """{(kernel, percentile): microseconds of each run}, or what is missing."""
    found = {}
    try:
        for what in ("p50", "p99.9"):
            stock, fine, again = (_latency_runs(measured, name, scale, series, what)
                                  for series in (STOCK, FINE, AGAIN))
            found[STOCK, what], found[FINE, what] = stock + again, fine
    except Missing as missing:
        return missing
    return found


def _latency_row(label, found, limit):
    if isinstance(found, Missing):
        return _missing(label, 6, found)
    values = {key: statistics.median(runs) for key, runs in found.items()}
    stock, fine = values[STOCK, "p99.9"], values[FINE, "p99.9"]
    return Row([label, _us(values[STOCK, "p50"]), _us(values[FINE, "p50"]), _us(stock), _us(fine),
                _ratio(fine / stock), f"{limit:.2f}"], fine <= limit * stock,
               f"p99.9 is {fine / stock:.2f} times stock's, whose own runs differ by up to "
               f"{limit:.2f}")


def _extremes_row(measured, name, scale):
    cells = [parts.DISTURBERS[name]]
    try:
        for what, over in (("p99.99", statistics.median), ("max", max)):
            cells += [_us(over(_latency_runs(measured, name, scale, series, what)))
                      for series in (STOCK, FINE)]
    except Missing:
        cells = [cells[0]] + ["-"] * 4
    return Row(cells, judged=False)


def latency(measured, scale):
    """p99.9 beside disturbers: no worse than stock beyond its noise."""
    judged = Block(f"latency, own semaphore at FIFO {parts.PRIORITY} beside SCHED_OTHER threads: "
                   "microseconds",
                   ["", "p50 stock", "fine", "p99.9 stock", "fine", "fine/stock", "at most"])
    found = {name: _latency_found(measured, name, scale) for name in parts.DISTURBERS}
    noise = Noise()
    for runs in found.values():
        if not isinstance(runs, Missing):
            noise.add([1 / value for value in runs[STOCK, "p99.9"]])
    judged.rows = [_latency_row(label, found[name], 1 / noise.floor)
                   for name, label in parts.DISTURBERS.items()]
    printed = Block("extremes of the same, which are the host's where guests are emulated",
                    ["", "p99.99 stock", "fine", "max stock", "fine"])
    printed.rows = [_extremes_row(measured, name, scale) for name in parts.DISTURBERS]
    return [judged, printed]


# -- growth

def _growth_row(measured, workload, values, label, name):
    by_size = workload == "reader"
    figures = []
    for series in (STOCK, FINE):
        figures.append([measured.latency("growth", parts.ICOUNT, series,
                                         (workload, 0, value) if by_size else (workload, value, 0),
                                         name) for value in values])
    stock, fine = figures
    times = fine[-1] / fine[0]
    return Row([f"{label}: {name}", f"{stock[0]:.0f}", f"{stock[-1]:.0f}", f"{fine[0]:.0f}",
                f"{fine[-1]:.0f}", _ratio(stock[-1] / stock[0]), f"{times:.2f}", f"{FLAT:g}"],
               times <= FLAT, f"with {values[-1]} an operation takes {times:.2f} times as many "
               f"instructions as with {values[0]}")


def growth(measured):
    """Instructions: flat where stock grows."""
    block = Block(f"growth, FIFO {parts.PRIORITY}: instructions an operation, with least and most",
                  ["", "stock least", "most", "fine least", "most", "stock grows", "fine",
                   "at most"])
    for workload, _, values, label in parts.GROWTH:
        for name in ("mean", "p99.9"):
            try:
                block.rows.append(_growth_row(measured, workload.partition(":")[0], values, label,
                                              name))
            except Missing as missing:
                block.rows.append(_missing(f"{label}: {name}", 7, missing))
    return [block]


# -- rt-tests

def _over_rounds(found, name):
    values = [record[name] for record in found]
    over = {"min": min, "max": max}.get(name, statistics.median)
    return f"{over(values):.0f}" if name != "avg" else f"{over(values):.1f}"


def _broken(found):
    """What is wrong with the records of a test, or nothing."""
    return next((record.get("failed") or f"status {record['status']}" for record in found
                 if "failed" in record or record["status"]), "")


def _rt_test_row(measured, test, label):
    cells, reason = [label], ""
    for series in (STOCK, FINE):
        found = measured.rt_tests.get((series, test), [])
        broken = _broken(found)
        if not found or broken:
            reason = reason or f"{series}: {broken or 'not run'}"
            cells += ["-"] * 3
        else:
            cells += [_over_rounds(found, name) for name in ("min", "avg", "max")]
    order = [0, 1, 4, 2, 5, 3, 6]
    return Row([cells[at] for at in order], None if reason else True, reason)


def rt_tests(measured):
    """Other people's programs come to their end; what they found, side by side."""
    block = Block("rt-tests: microseconds", ["", "min stock", "fine", "avg stock", "fine",
                                             "max stock", "fine"])
    block.rows = [_rt_test_row(measured, test, label) for test, label in parts.RT_TESTS.items()]
    return [block]


# -- priorities

def _scenes(record):
    """{lock: (rounds, preempted, overtaken)} of sem_priority."""
    scenes, name = {}, None
    for line in record["said"] if record else []:
        scene, counts = SCENE.match(line), PREEMPTED.match(line)
        if scene:
            name = scene[1], int(scene[3])
        elif counts and name:
            scenes[name[0]] = (name[1], int(counts[1]), int(counts[2]))
    return scenes


def _selftest_cell(record):
    if not record:
        return "not run"
    if record["status"] is None:
        return "hangs"
    return f"{record['passed']} ok" + (f", {len(record['failed'])} not" if record["failed"] else "")


def _selftest_row(measured, program, label, kernels=(STOCK, FINE), flavour="rt"):
    """fine must pass; stock is printed."""
    found = {series: measured.selftests.get((series, flavour, program)) for series in kernels}
    fine = found[FINE]
    good = bool(fine) and fine["status"] == 0 and not fine["failed"] and fine["passed"] > 0
    reason = "; ".join(fine["failed"]) or f"status {fine['status']}" if fine else "not run"
    return Row([label, *(_selftest_cell(found[series]) for series in kernels)],
               good if fine else None, reason)


def priorities(measured):
    """Inheritance, the pinned waker, arrival order."""
    block = Block("priorities: selftests, and rounds of priority inheritance", ["", STOCK, FINE])
    block.rows = [
        _selftest_row(measured, "sem_priority", "sem_priority: inheritance, order of arrival"),
        _selftest_row(measured, "stress_pinned_waker", "stress_pinned_waker: a million wake-ups")]
    scenes = {series: _scenes(measured.selftests.get((series, "rt", "sem_priority")))
              for series in (STOCK, FINE)}
    for lock in sorted({name for found in scenes.values() for name in found}):
        cells = []
        for series in (STOCK, FINE):
            counts = scenes[series].get(lock)
            cells.append(f"{counts[1]} of {counts[0]}, {counts[2]}" if counts else "-")
        block.rows.append(Row([f"{lock}: holder preempted inside, overtaken", *cells],
                              judged=False))
    return [block]


# -- sections

def _sections(measured, series, flavour):
    """{what: (few, many, idle, worst, limit)} that sem_sections printed."""
    record = measured.selftests.get((series, flavour, "sem_sections"))
    found = [SECTION.match(line) for line in (record["said"] if record else [])]
    return {f"{match[1]}: {match[2]}, {match[3]}".removeprefix("wake-up: "):
            tuple(map(int, match.groups()[3:])) for match in found if match}


def sections(measured, flavour, title):
    """The longest times with preemption or interrupts off, or until a wake-up."""
    block = Block(f"{title}, {flavour}: microseconds of a thousand instructions",
                  ["", "stock many", "fine few", "many", "idle", "worst", "at most"])
    stock = _sections(measured, STOCK, flavour)
    for what, (few, many, idle, worst, limit) in _sections(measured, FINE, flavour).items():
        block.rows.append(Row([what, str(stock[what][1]) if what in stock else "-", str(few),
                               str(many), str(idle), str(worst), str(limit)], many <= limit,
                              f"{many} us, with few {few} us"))
    whole = _selftest_row(measured, "sem_sections", "sem_sections", (FINE,), flavour)
    block.rows.append(Row([whole.cells[0], *[""] * 5, whole.cells[1]], whole.good, whole.why))
    if flavour != "rt":
        block.notes = ["    Without PREEMPT_RT whole sets and completions in great number may "
                       "take their time, which is bounded."]
    return block


# -- lockdep

def lockdep(measured, scale):
    """A kernel that checks its locks reports nothing."""
    block = Block("lockdep: PROVE_RAW_LOCK_NESTING and DEBUG_ATOMIC_SLEEP on rt", ["", "result"])
    block.rows = [_selftest_row(measured, program, program, (FINE,))
                  for program in parts.lockdep_programs(scale)]
    for test, label in parts.RT_TESTS.items():
        found = measured.rt_tests.get((FINE, test), [])
        broken = _broken(found)
        block.rows.append(Row([label, broken or ("ok" if found else "not run")],
                              not broken if found else None, broken or "not run"))
    rates = [rate for found in measured.rates.values() for rate in found.values()]
    block.rows.append(Row(["points of semop-multi", str(len(rates))], bool(rates) or None, "none"))
    statuses = [end["status"] for end in measured.ends]
    bad = next((why(status) for status in statuses if status), "")
    block.rows.append(Row(["reports in the kernel's log",
                           bad or ("none" if statuses else "not run")],
                          not bad if statuses else None, bad or "not run"))
    return [block]
