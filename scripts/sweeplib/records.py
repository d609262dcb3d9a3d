# SPDX-License-Identifier: GPL-2.0
"""Files of JSON Lines and manifests: written so that nothing half-written is taken for whole."""
import json
import os
import sys

from .stop import USAGE, Stop


def write_json(path, value):
    """Write a whole file, or leave what was there."""
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(value, file, indent=2)
        file.write("\n")
    os.replace(path + ".new", path)


def read_json(path):
    """A JSON object from a file."""
    try:
        with open(path, encoding="utf-8") as file:
            value = json.load(file)
    except OSError as error:
        raise Stop(USAGE, f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise Stop(USAGE, f"{path}:{getattr(error, 'lineno', 1)}: damaged: {error}") from error
    if not isinstance(value, dict):
        raise Stop(USAGE, f"{path}:1: damaged: not an object")
    return value


def parse(line):
    """One record, or ValueError."""
    record = json.loads(line)
    if not isinstance(record, dict) or not isinstance(record.get("type"), str):
        raise ValueError("not a record with a type")
    return record


def read_lines(path):
    """All records. A last line without its end is what a crash leaves, and is not counted."""
    records = []
    try:
        with open(path, "rb") as file:
            lines = file.read().split(b"\n")
    except FileNotFoundError:
        return records
    except OSError as error:
        raise Stop(USAGE, f"cannot read {path}: {error.strerror}") from error
    for number, line in enumerate(lines[:-1], 1):
        try:
            records.append(parse(line.decode()))
        except ValueError as error:
            raise Stop(USAGE, f"{path}:{number}: damaged: {error}") from error
    return records


class Writer:
    """Appends records, each flushed."""

    def __init__(self, path):
        self._drop_torn_line(path)
        self.file = open(path, "a", encoding="utf-8")  # pylint: disable=consider-using-with

    @staticmethod
    def _drop_torn_line(path):
        if not os.path.exists(path):
            return
        with open(path, "rb+") as file:
            whole = file.read()
            keep = whole.rfind(b"\n") + 1
            if keep != len(whole):
                print(f"{path}: the last line was cut off and is dropped", file=sys.stderr)
                file.truncate(keep)

    def write(self, record):
        """Append one record."""
        self.file.write(json.dumps(record, separators=(",", ":")) + "\n")
        self.file.flush()

    def close(self):
        """Close the file."""
        self.file.close()
