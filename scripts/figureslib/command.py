# SPDX-License-Identifier: GPL-2.0
"""The commands scripts/figures and scripts/instructions."""
import os
import sys
import time

from sweeplib import host, kernels, records, settings
from sweeplib.progress import duration
from sweeplib.results import kept, new_directory
from sweeplib.stop import DONE, FAILED, INTERRUPTED, USAGE, Stop

from .campaign import Boot, Campaign, Load
from .figures import Figures
from .judges import AGAIN, FINE, STOCK
from .rows import ROWS
from .table import Table

REFUSED = 5
FIGURES_USAGE = """\
usage: scripts/figures [VARIABLE=VALUE...], or make figures [VARIABLE=VALUE...]

Measures the rows of a table on stock and fine, the kernels alternating, one boot a kernel, guest
and round; prints what was measured beside what has to be reached, and marks what falls short.
Everything lands in results/figures-DATE/: manifest.json, records.jsonl, table.txt, logs.

ROWS       of the table, separated by blanks or commas, such as 'P4 P5'   (all)
RUNS       rounds                                                        (5)
FORCE=1    measure on a loaded host, too

--show results/figures-DATE prints a table again. --list prints the rows.

Exit status: 0 all reached, 1 something falls short or could not be measured, 2 wrong usage,
5 the host is loaded, 130 interrupted (what is there is printed and kept).
"""
INSTRUCTIONS_USAGE = """\
usage: scripts/instructions, or make instructions

Prints the instructions that one operation takes, P1 to P3 of scripts/figures, for stock and fine,
both flavours. Counted by the emulator, so that the machine and its load do not matter; the loop
around the call is part of it, as the line of the null call shows.

Exit status: 0 all reached, 1 something falls short, 2 wrong usage, 130 interrupted.
"""


def _some_rows(name, value):
    known = {row.name: row for row in ROWS}
    chosen = []
    for word in value.replace(",", " ").split():
        if word not in known:
            raise Stop(USAGE, f"bad {name} '{word}': write some of {' '.join(known)}")
        if known[word] not in chosen:
            chosen.append(known[word])
    if not chosen:
        raise Stop(USAGE, f"{name} is empty: leave it out or write some of {' '.join(known)}")
    return [row for row in ROWS if row in chosen]


KINDS = {"ROWS": _some_rows, "RUNS": settings.count(1, 100), "FORCE": settings.switch}


def _loads(rows, setup, number, again=False):
    """What a guest has to run for rows in a round; what several rows share is run once."""
    loads = []
    for row in rows:
        for where, load in row.loads:
            if where != setup or load.once and number > 1 or again and load not in row.again:
                continue
            load = Load(load.command, load.seconds, row.section)
            if load not in loads:
                loads.append(load)
    return loads


def plan(rows, rounds):
    """All boots: within a round the kernels take turns, and each round begins with another."""
    setups = list(dict.fromkeys(setup for row in rows for setup, _ in row.loads))
    boots = []
    for number in range(1, rounds + 1):
        for setup in setups:
            if setup.accel == "icount" and number > 1:
                continue  # it would come to the same
            boots += _turn(rows, setup, number)
    return boots


def _turn(rows, setup, number):
    loads = _loads(rows, setup, number)
    series = [(STOCK, "stock", loads), (FINE, "fine", loads),
              (AGAIN, "stock", _loads(rows, setup, number, True))]
    first = (number - 1) % len(series)
    return [Boot(number, setup, name, kernel, loads)
            for name, kernel, loads in series[first:] + series[:first] if loads]


def _refuse_load(force):
    others, names = host.busy_programs(0.5 if force else 3)
    if others <= host.LOADED:
        return
    what = f"the host is loaded: {others:.1f} of its {host.cpus()} CPUs are busy " \
           f"({names or 'short-lived programs'})"
    if not force:
        raise Stop(REFUSED, f"{what}; wait, or measure all the same with FORCE=1")
    print(f"{what}; figures will suffer", file=sys.stderr)


def _show(directory, rows, rounds):
    """Print and keep the table; whether all is reached."""
    path = os.path.join(directory, "records.jsonl")
    figures = Figures(records.read_lines(path), path)
    manifest = records.read_json(os.path.join(directory, "manifest.json"))
    emulated = any(machine["hypervisor"] == "TCG" for machine in figures.machines.values())
    table = Table(rows, figures, rounds)
    text = table.text(manifest["host"]["cpus"], emulated)
    print(text, end="", flush=True)
    with open(os.path.join(directory, "table.txt.new"), "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(os.path.join(directory, "table.txt.new"), os.path.join(directory, "table.txt"))
    return not table.short() and not figures.failures


def _measure(rows, rounds, directory, images):
    campaign = Campaign(directory)
    campaign.keep_images(images)
    start = time.monotonic()
    try:
        campaign.run(plan(rows, rounds))
    except KeyboardInterrupt:
        _show(directory, rows, rounds)
        print(f"interrupted; what was measured is kept in {directory}/", file=sys.stderr)
        return INTERRUPTED
    good = _show(directory, rows, rounds)
    print(f"kept in {directory}/, measured in {duration(time.monotonic() - start)}",
          file=sys.stderr)
    return DONE if good else FAILED


def _again(arguments):
    directory, manifest = kept(arguments)
    try:
        rows = _some_rows("ROWS", " ".join(manifest["rows"]))
        rounds = manifest["rounds"]
    except (KeyError, TypeError) as error:
        raise Stop(USAGE, f"{directory}/manifest.json: damaged: {error!r}") from error
    return DONE if _show(directory, rows, rounds) else FAILED


def _begin(rows, rounds, prefix):
    """A directory with the manifest and the images that all rounds boot."""
    directory = new_directory(prefix)
    records.write_json(os.path.join(directory, "manifest.json"), {
        "what": "figures", "began": time.strftime("%Y-%m-%dT%H:%M:%S%z"), "rounds": rounds,
        "rows": [row.name for row in rows], "host": host.describe(kernels.TOP)})
    return directory


def figures_main(arguments):
    """The command scripts/figures."""
    if arguments in (["--help"], ["-h"]):
        print(FIGURES_USAGE, end="")
        return DONE
    if arguments == ["--list"]:
        print("\n".join(f"{row.name:4} {row.what}" for row in ROWS))
        return DONE
    if arguments[:1] == ["--show"]:
        return _again(arguments[1:])
    settings.warn_of_unknown("figures", KINDS)
    given = settings.read(arguments, KINDS)
    rows, rounds = given.get("ROWS", ROWS), given.get("RUNS", 5)
    _refuse_load(given.get("FORCE", False))
    return _build_and_measure(rows, rounds, "figures-")


def _build_and_measure(rows, rounds, prefix):
    kernels.build_benchmark()
    flavours = sorted({setup.flavour for row in rows for setup, _ in row.loads})
    images, absent = kernels.build_all(["stock", "fine"], flavours)
    if absent:
        raise Stop(USAGE, next(iter(absent.values())))
    directory = _begin(rows, rounds, prefix)
    return _measure(rows, rounds, directory, images)


def instructions_main(arguments):
    """The command scripts/instructions."""
    if arguments in (["--help"], ["-h"]):
        print(INSTRUCTIONS_USAGE, end="")
        return DONE
    if arguments:
        raise Stop(USAGE, f"unexpected argument '{arguments[0]}': it takes none")
    return _build_and_measure(_some_rows("ROWS", "P1 P2 P3"), 1, "instructions-")
