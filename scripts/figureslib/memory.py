#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""usage: memory.py SET-SIZE SETS

Creates sets and prints by how much the free memory shrinks for each semaphore, as a record. To be
run where nothing else does anything: in a guest of its own.
"""
import ctypes
import json
import sys

IPC_PRIVATE, IPC_RMID = 0, 0


def free_bytes():
    """Memory that nobody uses."""
    with open("/proc/meminfo", encoding="ascii") as file:
        for line in file:
            if line.startswith("MemFree:"):
                return int(line.split()[1]) * 1024
    raise SystemExit("memory.py: no MemFree in /proc/meminfo")


def main():
    """Create, measure, remove."""
    size, number = int(sys.argv[1]), int(sys.argv[2])
    libc = ctypes.CDLL(None, use_errno=True)
    ids = [0] * number
    warm = libc.semget(IPC_PRIVATE, size, 0o600)
    before = free_bytes()
    for i in range(number):
        ids[i] = libc.semget(IPC_PRIVATE, size, 0o600)
        if ids[i] < 0:
            raise SystemExit(f"memory.py: semget: error {ctypes.get_errno()}")
    used = before - free_bytes()
    for each in [*ids, warm]:
        libc.semctl(each, 0, IPC_RMID)
    print(json.dumps({"type": "memory", "set_size": size, "sets": number,
                      "bytes": used / (size * number)}))


main()
