# SPDX-License-Identifier: GPL-2.0
"""The directories that hold results."""
import os
import time

from . import records
from .kernels import TOP
from .stop import FAILED, USAGE, Stop


def short_path(path):
    """As people would write it from here."""
    relative = os.path.relpath(path)
    return os.path.abspath(path) if relative.startswith("..") else relative


def new_directory(prefix=""):
    """results/DATE, not there before."""
    top = os.environ.get("SWEEP_RESULTS") or os.path.join(TOP, "results")
    name = prefix + time.strftime("%Y-%m-%d_%H%M%S")
    for attempt in range(100):
        path = os.path.join(top, name + (f".{attempt}" if attempt else ""))
        try:
            os.makedirs(path)
            return short_path(path)
        except FileExistsError:
            continue
        except OSError as error:
            raise Stop(USAGE, f"cannot create {path}: {error.strerror}") from error
    raise Stop(FAILED, f"{top} is full of results of this second")


def kept(arguments):
    """(directory, manifest) of the one that --show names."""
    if len(arguments) != 1:
        raise Stop(USAGE, "--show takes one directory of results")
    directory = short_path(arguments[0])
    return directory, records.read_json(os.path.join(directory, "manifest.json"))
