# SPDX-License-Identifier: GPL-2.0
"""The rows of the table: what each measures, and what its figures have to reach.

A row has loads, (guest, command) pairs that give it its figures, and a judge, which makes lines
of them. Figures are medians over rounds.
"""
from dataclasses import dataclass

from sweeplib.kernels import BENCHMARK, TOP

from . import judges
from .campaign import Load, Setup

FLAVOURS = ("preempt", "rt")
POLICIES = ("other", "fifo")
WARM_UP = 0.02
DURATION = 0.12
OVERHEAD = 0.08  # of a point: its threads, made and joined
START = 0.3      # of a command: the program is loaded over 9p
MEMORY = f"{TOP}/scripts/figureslib/memory.py"

ICOUNT = {flavour: Setup(flavour, 1, "2G", "icount") for flavour in FLAVOURS}
TWO = {flavour: Setup(flavour, 2) for flavour in FLAVOURS}
FOUR_RT = Setup("rt", 4, "2G")

SCALING = ("single", "multi", "undo", "lookup", "getval")
READERS = ("reader", "reader:getall", "reader:proc")  # the first reads a value of the same set
SLEEPERS = (1, 2000)
WAITERS = (50, 2000, 20000)
# (workload, threads, other options): what has to be no worse than stock
CONTENDED = (("mutex", 2, {}), ("mutex", 10, {}), ("pingpong", 2, {}),
             ("post-many", 1, {"background": 50}))
NEIGHBOURS = (("msg", 2, {}), ("shm", 2, {}))
LIVES = (("fork", 2, {}), ("fork:thread", 2, {}))
BY_KEY = ("msg:lookup", "shm:lookup")
# Undo: (semaphores adjusted in a set, sets, semaphores of a set)
FIRST_UNDO = {"semaphores": 1, "background": 1, "set_size": 32000}
MANY_SETS = {"semaphores": 8, "background": 32, "set_size": 32000}
SMALL_SETS = {"semaphores": 8, "background": 32, "set_size": 1000}
MANY_ADJUSTED = {"semaphores": 64, "background": 32, "set_size": 32000}
SET_SIZES = {32000: 50, 100: 25000}


@dataclass
class Row:
    """A row of the table."""
    name: str
    what: str
    loads: list
    judge: object
    again: tuple = ()            # of the loads, those that stock runs once more in each round
    section: str = ""            # what its records are filed under; rows with the same one share

    def __post_init__(self):
        self.section = self.section or self.name


def bench(workloads, threads="1", policies="other", duration=DURATION, background=None,
          set_size=None, semaphores=None, setup_seconds=0.0):
    """A run of semop-multi."""
    command = [BENCHMARK, "-q", "--json=-", "-o", workloads, "-t", threads, "-p", policies,
               "-d", f"{duration:g}", "-w", f"{WARM_UP:g}"]
    for option, value in (("-b", background), ("-s", set_size), ("-k", semaphores)):
        command += [option, str(value)] if value is not None else []
    points = len(workloads.split(",")) * len(threads.split(",")) * len(policies.split(","))
    return Load(tuple(command), points * (duration + WARM_UP + OVERHEAD) + START + setup_seconds)


def on(setups, *loads):
    """The same loads in several guests."""
    return [(setup, load) for setup in setups for load in loads]


def _separately(points, policies=",".join(POLICIES)):
    return [bench(workload, str(threads), policies, **more) for workload, threads, more in points]


def _waiting(setups, numbers):
    return on(setups, *(bench("waiters", background=nr, setup_seconds=nr / 1500) for nr in numbers))


def _instructions():
    load = bench("null,single,multi,undo", duration=0.2)
    return on(ICOUNT.values(), Load(load.command, 12))


def _rows():
    two = TWO.values()
    scaling = bench("null," + ",".join(SCALING), "1,2", "other,fifo")
    return [
        Row("P1", "instructions an operation, single", _instructions(),
            judges.instructions(ICOUNT, "single", 0.60), section="instructions"),
        Row("P2", "instructions an operation, multi with two semaphores", _instructions(),
            judges.instructions(ICOUNT, "multi", 0.75, 2), section="instructions"),
        Row("P3", "instructions an operation, single with SEM_UNDO", _instructions(),
            judges.instructions(ICOUNT, "undo", 0.75), section="instructions"),
        Row("P4", "rt, FIFO, 10 threads on 4 vCPUs, two own semaphores each",
            on([FOUR_RT], bench("single,multi", "10", "fifo")),
            judges.multi_disjoint(FOUR_RT, "fifo", 40, 0.8)),
        Row("P5", "rt, OTHER, the same", on([FOUR_RT], bench("single,multi", "10", "other")),
            judges.multi_disjoint(FOUR_RT, "other", 4, None)),
        Row("P6", "two threads against one on 2 vCPUs, as a share of what null gains",
            on(two, scaling), judges.gains(TWO, POLICIES, SCALING, 0.95)),
        Row("P7", "rt, lookup by key, 4 threads on 2 vCPUs",
            on([TWO["rt"]], bench("lookup", "4", "other,fifo")),
            judges.times_stock(TWO["rt"], POLICIES, ("lookup",), 4, 50)),
        Row("P8", "rt, creation and removal, 4 threads on 2 vCPUs, against one thread",
            on([TWO["rt"]], bench("create", "1,4", "other,fifo")),
            judges.against_one_thread(TWO["rt"], POLICIES, "create", 4, 0.8)),
        Row("P9", "pairs on own semaphores, 2 threads, while two-semaphore waiters sleep",
            on(two, bench("single", "2"),
               *(bench("sleepers", "2", background=nr, setup_seconds=nr / 1000)
                 for nr in SLEEPERS)),
            judges.with_sleepers(TWO, SLEEPERS, 0.95)),
        Row("P10", "12 operations after a reader, set of 32000 against one of 2: times as long",
            on(two, *(bench(",".join(READERS), set_size=size) for size in (2, 32000))),
            judges.with_set_size(TWO, READERS, (2, 32000), 1.2)),
        Row("P11", "post and take with 2000 and 20000 waiters, against 50: times as long",
            _waiting(two, WAITERS[:2]) + _waiting([TWO["rt"]], WAITERS[2:]),
            judges.with_waiters(TWO, WAITERS[0], (("preempt", 2000, 3), ("rt", 2000, 3),
                                                  ("rt", 20000, 5)))),
        Row("P12", "one operation that wakes 2000 waiters",
            on(two, bench("post-many", background=2000, duration=1, setup_seconds=2)),
            judges.milliseconds(TWO, "post-many", 2000, 40)),
        Row("P13", "a process with undo: its first adjustment, and its exit",
            on(two, *(bench("exit", duration=0.5, **more) for more in
                      (FIRST_UNDO, MANY_SETS, SMALL_SETS, MANY_ADJUSTED))),
            judges.undo(TWO, FIRST_UNDO, MANY_SETS, SMALL_SETS, MANY_ADJUSTED),
            tuple(bench("exit", duration=0.5, **more) for more in (FIRST_UNDO, MANY_SETS))),
        Row("P14", "contended semaphores, ping-pong, posting to 50 sleepers",
            on(two, *_separately(CONTENDED)), judges.no_worse(TWO, POLICIES, CONTENDED),
            tuple(_separately(CONTENDED))),
        Row("P15", "memory for each semaphore of a set",
            on(two, Load(bench("null").command, 1, once=True),  # which says what kernel it is
               *(Load((MEMORY, str(size), str(sets)), 3, once=True)
                 for size, sets in SET_SIZES.items())),
            judges.memory(TWO, SET_SIZES)),
        Row("P16", "messages and shared memory, which share the object layer",
            on(two, *_separately(NEIGHBOURS),
               bench("null," + ",".join(BY_KEY), "1,2", "other,fifo"),
               bench(",".join(BY_KEY), "4", "other,fifo")),
            judges.neighbours(TWO, POLICIES, NEIGHBOURS, BY_KEY), tuple(_separately(NEIGHBOURS))),
        Row("P17", "fork and exit, thread create and exit, without undo",
            on(two, *_separately(LIVES)), judges.no_worse(TWO, POLICIES, LIVES),
            tuple(_separately(LIVES))),
    ]


ROWS = _rows()
