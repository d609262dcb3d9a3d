# SPDX-License-Identifier: GPL-2.0
"""The host: what it is, and who else uses its CPUs."""
import glob
import os
import platform
import resource
import subprocess
import time

TICKS = os.sysconf("SC_CLK_TCK")
LOADED = 0.2  # CPUs that others may use before the host counts as loaded


def cpus():
    """CPUs that this process may use."""
    return len(os.sched_getaffinity(0))


def _first_line(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return "not available"
    return (done.stdout.splitlines() or ["not available"])[0]


def _processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.machine()


def describe(top):
    """Versions and the machine, for a manifest."""
    return {
        "commit": _first_line(["git", "-C", top, "describe", "--always", "--dirty", "--abbrev=12"]),
        "qemu": _first_line(["qemu-system-x86_64", "--version"]),
        "compiler": _first_line(["gcc", "--version"]),
        "python": platform.python_version(),
        "kernel": platform.release(),
        "processor": _processor(),
        "cpus": cpus(),
        "memory_mb": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20,
    }


def _cpu_times():
    """Seconds of all CPUs since boot: (busy, stolen)."""
    with open("/proc/stat", encoding="ascii") as file:
        fields = [int(field) / TICKS for field in file.readline().split()[1:9]]
    user, nice, system, _idle, _iowait, irq, softirq, steal = fields
    return user + nice + system + irq + softirq, steal


class Meter:
    """CPUs used by others than this process and its children that have ended."""

    def __init__(self):
        self.start = self._read()

    @staticmethod
    def _read():
        own = 0
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
            usage = resource.getrusage(who)
            own += usage.ru_utime + usage.ru_stime
        return (time.monotonic(), *_cpu_times(), own)

    def stop(self):
        """(CPUs used by others, CPUs stolen by the hypervisor), means since the start."""
        end = self._read()
        seconds, busy, stolen, own = (after - before for after, before in zip(end, self.start))
        seconds = max(seconds, 1e-3)
        return max(0.0, round((busy - own) / seconds, 2)), round(max(0.0, stolen) / seconds, 2)


def _process_times():
    times = {}
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                head, _, tail = file.read().rpartition(")")
        except OSError:
            continue
        pid, _, name = head.partition(" (")
        fields = tail.split()
        times[pid] = (name, (int(fields[11]) + int(fields[12])) / TICKS)
    return times


def busy_programs(seconds=1.0):
    """CPUs in use now, and the programs that use most of them: (1.2, "cc1 0.9, ld 0.2")."""
    meter, before = Meter(), _process_times()
    time.sleep(seconds)
    after, others = _process_times(), meter.stop()[0]
    used = {}
    for pid, (name, total) in after.items():
        if pid != str(os.getpid()):
            used[name] = used.get(name, 0) + total - before.get(pid, (name, 0))[1]
    most = sorted(used.items(), key=lambda item: -item[1])[:3]
    return others, ", ".join(f"{name} {use / seconds:.1f}" for name, use in most if use > 0.05)
