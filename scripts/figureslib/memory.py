#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""usage: memory.py SET-SIZE SETS

Creates sets and prints by how much the free memory shrinks for each semaphore, as a record. To be
run where nothing else does anything: in a guest of its own.
"""
import ctypes
import json
import statistics
import sys
import time

IPC_PRIVATE, IPC_RMID = 0, 0
TIMES = 3
SETTLED = 64 * 1024


def free_bytes():
    """Memory that nobody uses, and that of files, which comes and goes."""
    with open("/proc/meminfo", encoding="ascii") as file:
        sizes = {line.split(":")[0]: int(line.split()[1]) * 1024 for line in file}
    return sizes["MemFree"] + sizes["Cached"] + sizes["Buffers"]


def settled_bytes():
    """free_bytes() when what was freed earlier has come back, which takes a while."""
    free, last = free_bytes(), 0
    while free > last + SETTLED:
        time.sleep(0.2)
        last, free = free, free_bytes()
    return free


def measure(libc, size, number):
    """What so many sets take."""
    before = settled_bytes()
    ids = [libc.semget(IPC_PRIVATE, size, 0o600) for _ in range(number)]
    used = before - free_bytes()
    if min(ids) < 0:
        raise SystemExit(f"memory.py: semget: error {ctypes.get_errno()}")
    for each in ids:
        libc.semctl(each, 0, IPC_RMID)
    return used


def main():
    """The median of a few times, for the rest of the system takes and gives memory, too."""
    if len(sys.argv) != 3 or not all(arg.isdecimal() and int(arg) for arg in sys.argv[1:]):
        print(__doc__.split("\n", maxsplit=1)[0], file=sys.stderr)
        raise SystemExit(2)
    size, number = int(sys.argv[1]), int(sys.argv[2])
    libc = ctypes.CDLL(None, use_errno=True)
    warm = libc.semget(IPC_PRIVATE, size, 0o600)
    used = statistics.median(measure(libc, size, number) for _ in range(TIMES))
    libc.semctl(warm, 0, IPC_RMID)
    print(json.dumps({"type": "memory", "set_size": size, "sets": number,
                      "bytes": used / (size * number)}))


main()
