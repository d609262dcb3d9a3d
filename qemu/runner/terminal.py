# SPDX-License-Identifier: GPL-2.0
"""The caller's terminal, handed to the guest byte by byte."""
import fcntl
import os
import signal
import struct
import termios
import tty


class Terminal:
    """Raw mode for as long as the guest runs; fd None is no terminal at all."""

    def __init__(self, fd):
        self.fd = fd
        self.saved = None
        self.resized = False

    def __enter__(self):
        if self.fd is not None:
            self.saved = termios.tcgetattr(self.fd)
            # What was typed ahead stays.
            tty.setraw(self.fd, termios.TCSADRAIN)
            signal.signal(signal.SIGWINCH, self._on_resize)
        return self

    def __exit__(self, *exc):
        if self.saved is not None:
            termios.tcsetattr(self.fd, termios.TCSADRAIN, self.saved)
            signal.signal(signal.SIGWINCH, signal.SIG_DFL)

    def _on_resize(self, *_):
        self.resized = True


def size(fd):
    """The window's size as the guest's init wants it."""
    try:
        rows, columns = struct.unpack("HHHH", fcntl.ioctl(
            fd, termios.TIOCGWINSZ, b"\0" * 8))[:2]
    except OSError:
        rows, columns = 0, 0
    return f"{rows or 24} {columns or 80}"


def in_foreground(fd):
    """Whether reading the terminal would not stop this process."""
    try:
        return os.tcgetpgrp(fd) == os.getpgrp()
    except OSError:
        return False
