# SPDX-License-Identifier: GPL-2.0
"""What is booted and run for each part of the check."""
from dataclasses import dataclass

from figureslib.campaign import Boot, Load, Setup
from figureslib.judges import AGAIN, FINE, STOCK
from sweeplib.kernels import BENCHMARK, TOP

INGUEST = f"{TOP}/scripts/rtlib/inguest"
PARTS = ("rates", "latency", "growth", "wake-ups", "rt-tests", "priorities", "sections", "lockdep")
# Parts of which figures are compared with the noise of stock against stock.
COMPARED = ("rates", "latency")
WORKLOADS = ("single", "multi")
POLICIES = ("other", "fifo", "rr")
PRIORITY = 80
PAUSE_US = 100
DISTURBERS = {"nothing": "nothing", "multi": "multi in the set", "getall": "GETALL of 32000",
              "setall": "SETALL of 32000", "proc": "/proc is read", "create": "sets come and go",
              "sleepers": "2000 sleepers in the set"}
# What grows: (workload, option, values, in words)
GROWTH = (("reader:getval", "-s", (2, 1024, 32000), "2-32000 semaphores"),
          ("waiters", "-b", (1, 50, 2000), "1-2000 waiters"),
          ("sleepers", "-b", (1, 50, 2000), "1-2000 asleep elsewhere"))
RT_TESTS = {"threads": "svsematest, FIFO 80, threads",
            "processes": "svsematest, FIFO 80, processes",
            "cyclictest": "cyclictest, FIFO 95, under load"}
# Where wake-ups are timed in instructions
WOKEN = ((STOCK, "rt"), (FINE, "rt"), (FINE, "preempt"))
DEBUG = {"sections": (("rt", "trace"), ("preempt", "trace")), "lockdep": (("rt", "lockdep"),)}
SELFTESTS = "build/selftests/native"
# Selftests under lockdep: every kind of lock and of sleep; the rest with FULL.
LOCKED = ("sem_basic", "sem_undo")
LOCKED_FULL = ("sem_rmid", "sem_order", "sem_wait", "sem_counts", "sem_ns", "sem_proc", "ipc_key",
               "stress_mixed", "stress_order", "stress_posts", "stress_undo_rmid",
               "stress_timed_rmid", "stress_waiter_exit", "stress_lookup")
MILLION = 1000000


@dataclass(frozen=True)
class Scale:
    """How long the check measures."""
    rounds: int
    cpus: int
    accel: str
    full: bool

    def threads(self):
        """Thread counts of the rates: one, one for each CPU, more than CPUs."""
        if self.full:
            return sorted({1, 2, 4, 10, 20, 50, 100, self.cpus})
        return sorted({1, self.cpus, 5 * self.cpus})

    def setup(self, **more):
        """The guest that most is measured in."""
        return Setup("rt", self.cpus, "2G", self.accel, **more)

    def longer(self, seconds):
        """More with FULL."""
        return 3 * seconds if self.full else seconds


ICOUNT = Setup("rt", 1, "2G", "icount")


def _bench(*options):
    return (BENCHMARK, "-q", "--json=-", *options)


def _state():
    return Load((f"{INGUEST}/state.py",), 0.7, "state")


def rates(scale):
    """The sweep: workloads, policies, thread counts."""
    threads, duration = scale.threads(), scale.longer(0.25)
    points = len(threads) * len(WORKLOADS) * len(POLICIES)
    return [Load(_bench("-o", ",".join(WORKLOADS), "-p", ",".join(POLICIES), "-t",
                        ",".join(map(str, threads)), "-d", f"{duration:g}", "-w", "0.05"),
                 1 + points * (duration + 0.2), "rates")]


def latency(scale):
    """An own semaphore at FIFO 80 beside SCHED_OTHER threads."""
    duration = scale.longer(1)
    loads = []
    for name in DISTURBERS:
        beside = () if name == "nothing" else ("-D", name)
        loads.append(Load(_bench("-o", "single", "-t", "1", "-p", f"fifo:{PRIORITY}", "-l",
                                 f"--interval={PAUSE_US}", "-d", f"{duration:g}", "-w", "0.1",
                                 *beside),
                          duration + (5 if name == "sleepers" else 0.7), f"latency {name}"))
    return loads


def growth():
    """The same few operations with ever more semaphores or sleepers."""
    return [Load(_bench("-o", workload, "-t", "1", "-p", f"fifo:{PRIORITY}", "-l", "-d", "0.05",
                        "-w", "0.01", option, str(value)),
                 1 + value / (4000 if option == "-s" else 300), "growth")
            for workload, option, values, _ in GROWTH for value in values]


def rt_tests(scale):
    """Debian's rt-tests."""
    seconds = scale.longer(2)
    return [Load((f"{INGUEST}/rttests.py", name, str(seconds), BENCHMARK), seconds + 2, "rt-tests")
            for name in RT_TESTS]


def _selftest(seconds, expected, program, *arguments, percent=100):
    return Load(("env", f"SEM_STRESS_PERCENT={percent}", f"{INGUEST}/selftest.py", str(seconds),
                 f"{TOP}/{SELFTESTS}/{program}", *arguments), expected, "selftests")


def priorities():
    """The selftests of priorities; a million wake-ups."""
    return [_selftest(300, 4, "sem_priority"),
            _selftest(700, 40, "stress_pinned_waker", "-n", str(MILLION))]


def sections(*tests):
    """Tests of the selftest that looks for long sections."""
    only = [word for test in tests for word in ("-t", test)]
    return [_selftest(800, 30 * len(tests), "sem_sections", *only)]


def lockdep_programs(scale):
    """The selftests that run under lockdep."""
    return (*LOCKED, "sem_priority", "stress_pinned_waker", *(LOCKED_FULL if scale.full else ()))


def lockdep(scale):
    """Everything above, as far as a slow kernel gets."""
    quick = _bench("-o", "single,multi", "-p", "other,fifo,rr", "-t", "1,4", "-d", "0.1", "-w",
                   "0.05")
    beside = [Load((*_bench("-o", "single", "-t", "1", "-p", f"fifo:{PRIORITY}", "-l",
                            f"--interval={PAUSE_US}", "-d", "0.3", "-w", "0.1"), "-D", names), 4,
                   "lockdep " + names)
              for names in ("multi,proc,create", "getall,setall", "sleepers:300")]
    return [Load(quick, 6, "lockdep rates"), *beside,
            *(Load((f"{INGUEST}/rttests.py", name, "2", BENCHMARK), 5, "lockdep")
              for name in RT_TESTS),
            *(_selftest(600, 15, program, percent=5) for program in LOCKED),
            _selftest(600, 20, "sem_priority", percent=5),
            _selftest(600, 10, "stress_pinned_waker", "-n", str(scale.longer(10000)))]


def _turn(scale, number, parts):
    """One round: stock, fine, and stock again, which shows the noise."""
    compared = (rates(scale) if "rates" in parts else []) + \
        (latency(scale) if "latency" in parts else [])
    beside = rt_tests(scale) if "rt-tests" in parts else []
    series = [(STOCK, "stock", compared + beside), (FINE, "fine", compared + beside),
              (AGAIN, "stock", compared)]
    first = (number - 1) % len(series)
    return [Boot(number, scale.setup(), name, kernel, [_state(), *loads])
            for name, kernel, loads in series[first:] + series[:first] if loads]


def rounds(scale, parts):
    """The boots in which stock and fine take turns."""
    boots = [boot for number in range(1, scale.rounds + 1) for boot in _turn(scale, number, parts)]
    if "growth" in parts:
        boots += [Boot(1, ICOUNT, kernel, kernel, [_state(), *growth()])
                  for kernel in (STOCK, FINE)]
    if "wake-ups" in parts:
        boots += [Boot(1, Setup(flavour, 1, "2G", "icount"), kernel, kernel,
                       [_state(), *sections("wake_up_late")]) for kernel, flavour in WOKEN]
    if "priorities" in parts:
        boots += [Boot(1, scale.setup(), kernel, kernel, [_state(), *priorities()])
                  for kernel in (STOCK, FINE)]
    return boots


def debug_boots(part, flavour, scale):
    """The boots of a debug kernel, which is fine's."""
    if part == "sections":
        return [Boot(1, Setup(flavour, 1, "2G", "icount"), FINE, "fine",
                     [_state(), *sections("preemption_off", "interrupts_off")])]
    setup = Setup(flavour, scale.cpus, "4G", scale.accel)
    boots = [Boot(1, setup, FINE, "fine", [_state(), *lockdep(scale)])]
    if scale.full:
        boots += [Boot(1, setup, FINE, "fine", [_selftest(800, 60, program, percent=5)])
                  for program in LOCKED_FULL]
    return boots
