# SPDX-License-Identifier: GPL-2.0
"""Variables such as THREADS=1,2: given as arguments or in the environment, checked by kind."""
import os
import re
import shlex
import sys

from .stop import USAGE, Stop

KERNELS = ("coarse", "stock", "fine")
FLAVOURS = ("preempt", "rt")
ACCELS = ("auto", "kvm", "tcg")
# Variables that make's own rules may take beside those of the command.
OTHERS = ("V", "CC", "CFLAGS", "KERNEL_SRC", "JOBS", "O")


def text(name, value):
    """Anything but nothing."""
    if not value.strip():
        raise Stop(USAGE, f"{name} is empty: leave it out or give it a value")
    return value


def count(low, high):
    """A whole number in a range."""
    def parse(name, value):
        if not re.fullmatch(r"[0-9]{1,9}", value) or not low <= int(value) <= high:
            raise Stop(USAGE, f"bad {name} '{value}': write a number from {low} to {high}")
        return int(value)
    return parse


def one_of(known):
    """One word of several."""
    def parse(name, value):
        if value not in known:
            raise Stop(USAGE, f"bad {name} '{value}': write one of {', '.join(known)}")
        return value
    return parse


def some_of(known):
    """Words of several, separated by commas, each once."""
    def parse(name, value):
        words = value.split(",")
        for word in words:
            if word not in known:
                raise Stop(USAGE, f"bad {name} '{word}': write a list of {', '.join(known)}")
        if len(set(words)) != len(words):
            raise Stop(USAGE, f"bad {name} '{value}': each at most once")
        return words
    return parse


def switch(name, value):
    """1 or 0."""
    if value not in ("", "0", "1"):
        raise Stop(USAGE, f"bad {name} '{value}': write 1 or 0")
    return value == "1"


def _split(arguments, known):
    given = {}
    for argument in arguments:
        name, equals, value = argument.partition("=")
        if not equals or name not in known:
            raise Stop(USAGE, f"unexpected argument '{argument}': write VARIABLE=VALUE with one of "
                              f"{', '.join(known)}")
        given[name] = value
    return given


def warn_of_unknown(command, known):
    """make passes a misspelt variable on without a word: name it here."""
    try:
        words = shlex.split(os.environ.get("MAKEFLAGS", "").partition("-- ")[2])
    except ValueError:
        return
    for word in words:
        name, equals, _ = word.partition("=")
        if equals and name not in known and name not in OTHERS:
            print(f"{command}: {name} is no variable of this command, ignored "
                  f"(known: {', '.join(known)})", file=sys.stderr)


def read(arguments, kinds):
    """The values given, parsed: {name: value}; arguments go before the environment."""
    environment = {name: os.environ[name] for name in kinds if os.environ.get(name)}
    given = {**environment, **_split(arguments, kinds)}
    return {name: kinds[name](name, value) for name, value in given.items()}
