#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""usage: state.py

Prints what real-time figures have to be read with, as a record: whether this is a PREEMPT_RT
kernel, throttling, the fair server, affinity. To be run in a guest.
"""
import glob
import gzip
import json
import os
import sys

PROC = "/proc/sys/kernel"
FAIR_SERVER = "/sys/kernel/debug/sched/fair_server/cpu*"


def read(path):
    """A file's text, or "not available"."""
    try:
        with open(path, encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return "not available"


def config(name):
    """A symbol of the kernel's configuration: y, a value, n, or "not available"."""
    try:
        with gzip.open("/proc/config.gz", "rt", encoding="utf-8") as file:
            for line in file:
                if line.startswith(name + "="):
                    return line.strip().partition("=")[2]
    except OSError:
        return "not available"
    return "n"


def fair_servers():
    """Runtime and period in microseconds, of each CPU, the same ones once."""
    found = {f"{int(read(path + '/runtime')) // 1000} of {int(read(path + '/period')) // 1000} us"
             for path in glob.glob(FAIR_SERVER)}
    return ", ".join(sorted(found)) or "not available"


def main():
    """One record."""
    if len(sys.argv) != 1:
        print("usage: state.py", file=sys.stderr)
        return 2
    uname = os.uname()
    print(json.dumps({
        "type": "state", "release": uname.release, "version": uname.version,
        "accel": os.environ.get("GUEST_ACCEL", "unknown"),
        "config_rt": config("CONFIG_PREEMPT_RT"),
        "rt_runtime_us": read(f"{PROC}/sched_rt_runtime_us"),
        "rt_period_us": read(f"{PROC}/sched_rt_period_us"), "fair_server": fair_servers(),
        "affinity": sorted(os.sched_getaffinity(0)),
        "isolated": read("/sys/devices/system/cpu/isolated"), "cmdline": read("/proc/cmdline")}))
    return 0


sys.exit(main())
