#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""usage: rttests.py NAME SECONDS LOAD-PROGRAM

Runs a program of rt-tests and prints what it found as a record. NAME is threads or processes, for
svsematest at FIFO 80, or cyclictest, at FIFO 95 on each CPU while LOAD-PROGRAM, semop-multi, loads
all CPUs. To be run in a guest.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

INTERVAL_US = 1000
PATIENCE = 60


def command(name, seconds, result):
    """The program's command line, and how often it is to measure."""
    if name == "cyclictest":
        return ["cyclictest", "-S", "-p", "95", "-m", "-q", "-D", str(seconds), f"--json={result}"]
    return ["svsematest", *(["-f"] if name == "processes" else []), "-t", "1", "-p", "80", "-q",
            "-i", str(INTERVAL_US), "-l", str(seconds * 1000000 // INTERVAL_US),
            f"--json={result}"]


def start_load(program, seconds):
    """Twice as many threads as CPUs operate on two semaphores each."""
    threads = 2 * len(os.sched_getaffinity(0))
    return subprocess.Popen([program, "-q", "-o", "multi", "-t", str(threads), "-p", "other",
                             "-d", str(seconds + PATIENCE)], stdout=subprocess.DEVNULL)


def figures(path):
    """The program's own results: the measurements, and the extremes over all threads."""
    with open(path, encoding="utf-8") as file:
        # A thread that measured nothing has an average that no JSON reader knows.
        text = re.sub(r"-?nan", "null", file.read())
    threads = list(json.loads(text)["thread"].values())
    ends = [thread.get("receiver", thread) for thread in threads]
    samples = [thread["sender"]["samples"] if "sender" in thread else thread["cycles"]
               for thread in threads]
    if not all(samples):
        raise ValueError("a thread measured nothing")
    return {"samples": sum(samples), "min": min(end["min"] for end in ends),
            "avg": sum(end["avg"] for end in ends) / len(ends),
            "max": max(end["max"] for end in ends)}


def run(name, seconds, program):
    """A record."""
    record = {"type": "rt-test", "test": name}
    load = start_load(program, seconds) if name == "cyclictest" else None
    with tempfile.TemporaryDirectory() as folder:
        result = os.path.join(folder, "result.json")
        try:
            done = subprocess.run(command(name, seconds, result), stdout=subprocess.DEVNULL,
                                  timeout=seconds + PATIENCE, check=False)
            record["status"] = done.returncode
            record.update(figures(result))
        except subprocess.TimeoutExpired:
            record["failed"] = f"did not end within {seconds + PATIENCE} s"
        except (OSError, ValueError, KeyError) as error:
            record["failed"] = f"no results: {error}"
    if load:
        if load.poll() is not None:
            record["failed"] = f"the load ended with status {load.returncode}"
        load.terminate()
        load.wait()
    return record


def main():
    """One record."""
    if len(sys.argv) != 4 or sys.argv[1] not in ("threads", "processes", "cyclictest") or \
            not sys.argv[2].isdecimal():
        print(__doc__.split("\n", maxsplit=1)[0], file=sys.stderr)
        return 2
    print(json.dumps(run(sys.argv[1], int(sys.argv[2]), sys.argv[3])), flush=True)
    return 0


sys.exit(main())
