#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""usage: selftest.py SECONDS PROGRAM [ARGUMENT...]

Runs a selftest and prints what it said as a record: results, and the lines of information. To be
run in a guest.
"""
import json
import os
import re
import subprocess
import sys

RESULT = re.compile(r"(not ok|ok) \d+ (.*)")


def run(seconds, command):
    """A record."""
    record = {"type": "selftest", "program": os.path.basename(command[0]), "status": None,
              "passed": 0, "failed": [], "said": []}
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", timeout=seconds, check=False)
        record["status"] = done.returncode
        text = done.stdout
    except subprocess.TimeoutExpired as error:
        text = (error.stdout or b"").decode(errors="replace")
    for line in text.splitlines():
        result = RESULT.match(line)
        if result and result[1] == "ok" and "# SKIP" not in line:
            record["passed"] += 1
        elif result:
            record["failed"].append(result[2])
        elif line.startswith("# ") and not line.startswith(("#  ", "# Starting")):
            record["said"].append(line[2:])
    return record


def main():
    """One record."""
    if len(sys.argv) < 3 or not sys.argv[1].isdecimal():
        print(__doc__.split("\n", maxsplit=1)[0], file=sys.stderr)
        return 2
    print(json.dumps(run(int(sys.argv[1]), sys.argv[2:])), flush=True)
    return 0


sys.exit(main())
