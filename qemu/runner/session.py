# SPDX-License-Identifier: GPL-2.0
"""
One guest from start to end: QEMU, the frames on its port and the streams of
the caller. qemu/init/init.h says what the frames are.
"""
import os
import select
import socket
import stat
import struct
import subprocess
import time
from dataclasses import dataclass, field

from . import machine, terminal
from .status import NO_RECORD, Stop

HEADER = struct.Struct("<cI")
FRAME_MAX = 65536
ESCAPE = b"\x1d"    # Ctrl-]
PIPE_STEP = 4096    # what a pipe that polls writable takes without blocking
BACKLOG = 1 << 20   # output that the caller has not taken yet
SETTLE_MS = 1000    # for late reports of debug builds


@dataclass
class Outcome:
    """What is known about a guest that has ended."""
    status: int = None      # the command's, None without a record
    timed_out: bool = False
    escaped: bool = False
    failures: list = field(default_factory=list)
    step: str = "boot the kernel"
    kernel_log: bytearray = field(default_factory=bytearray)
    leaks: bytearray = field(default_factory=bytearray)
    console: bytes = b""


class Output:
    """A stream of the caller. Others share it, so it stays blocking."""

    def __init__(self, fd):
        self.fd = fd
        self.pending = bytearray()
        try:
            self.regular = stat.S_ISREG(os.fstat(fd).st_mode)
        except OSError:
            self.fd = None  # closed: what comes goes nowhere

    def add(self, data):
        if self.fd is not None:
            self.pending += data

    def write_some(self):
        size = len(self.pending) if self.regular else PIPE_STEP
        del self.pending[:os.write(self.fd, self.pending[:size])]


class Session:
    """Runs one guest; a quiet one leaves the caller's streams alone."""

    def __init__(self, options, accel, quiet=False):
        self.options = options
        self.accel = accel
        self.outcome = Outcome()
        self.deadline = None
        self.received = bytearray()
        self.to_guest = bytearray()
        self.stdout = Output(-1 if quiet else 1)
        self.stderr = Output(-1 if quiet else 2)
        self.input, self.terminal = self._choose_input(quiet)
        self.port = self.qemu = None
        # A file, since a serial port drops what a slow reader leaves behind.
        self.console = os.memfd_create("console")

    def _choose_input(self, quiet):
        """The descriptor to read and, if the guest takes it over, the terminal."""
        try:
            is_terminal = os.isatty(0)
            os.fstat(0)
        except OSError:
            return None, None
        if quiet or (is_terminal and not terminal.in_foreground(0)):
            return None, None
        wants = self.options.tty or not self.options.command
        return 0, terminal.Terminal(0 if is_terminal and wants else None)

    # -- what goes to the guest

    def _send(self, kind, data=b""):
        self.to_guest += HEADER.pack(kind, len(data)) + data

    def _send_request(self):
        options = self.options
        command = options.command or [os.environ.get("SHELL") or "/bin/bash"]
        strings = ["a" + word for word in command]
        strings += [f"e{name}={value}" for name, value in os.environ.items()]
        strings += [f"eGUEST_ACCEL={self.accel}", "d" + os.getcwd()]
        strings += ["s" + path for path in options.share]
        if options.tty or (self.terminal and self.terminal.fd is not None):
            strings.append("t" + terminal.size(0))
        if options.debug:
            strings.append(f"w{SETTLE_MS}")
        request = b"".join(os.fsencode(text) + b"\0" for text in strings)
        for at in range(0, len(request), FRAME_MAX):
            self._send(b"R", request[at:at + FRAME_MAX])
        self._send(b"R")
        if self.input is None:
            self._send(b"I")

    def _read_input(self):
        data = os.read(self.input, 4096)
        if self.terminal.fd is not None and ESCAPE in data:
            self.outcome.escaped = True
        self._send(b"I", data)
        if not data:
            self.input = None

    # -- what comes from it

    def _take_frames(self):
        at = 0
        while len(self.received) - at >= HEADER.size:
            kind, length = HEADER.unpack_from(self.received, at)
            if len(self.received) - at < HEADER.size + length:
                break
            at += HEADER.size
            self._take_frame(kind, bytes(self.received[at:at + length]))
            at += length
        del self.received[:at]

    def _take_frame(self, kind, data):
        if kind == b"O":
            self.stdout.add(data)
        elif kind == b"E":
            self.stderr.add(data)
        elif kind == b"K":
            self.outcome.kernel_log += data
        elif kind == b"L":
            self.outcome.leaks += data
        elif kind == b"B":
            self.outcome.step = data.decode()
        elif kind == b"F":
            self.outcome.failures.append(data.decode(errors="replace"))
        elif kind == b"X":
            self.outcome.status = int(data)
        else:
            self.outcome.failures.append(f"unknown frame {kind!r}")

    # -- start to end

    def run(self):
        self.port, qemu_port = socket.socketpair()
        self.port.setblocking(False)
        self._send_request()
        if self.options.timeout:
            self.deadline = time.monotonic() + self.options.timeout
        with self.terminal or terminal.Terminal(None):
            try:
                self._start(qemu_port)
                self._relay()
            finally:
                self._end()
        return self.outcome

    def _start(self, port):
        console = os.open(f"/proc/self/fd/{self.console}", os.O_WRONLY | os.O_APPEND)
        args = machine.arguments(self.options, self.accel, port.fileno(), console)
        # A guest must not outlive its runner, however that ends; and the
        # terminal's Ctrl-C is for the runner alone.
        try:
            self.qemu = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL"] + args,
                stdin=subprocess.DEVNULL, stdout=console, stderr=console,
                start_new_session=True, pass_fds=(port.fileno(), console))
        except OSError as error:
            raise Stop(NO_RECORD, f"cannot start QEMU: {error}") from error
        port.close()
        os.close(console)

    def _end(self):
        if self.qemu:
            self.qemu.kill()
            self.qemu.wait()
        with open(self.console, "rb") as file:
            self.outcome.console = file.read()
        self.port.close()

    def _read_port(self):
        """Takes what is there; False at the end."""
        try:
            data = self.port.recv(1 << 18)
        except BlockingIOError:
            return True
        except ConnectionResetError:
            return False
        self.received += data
        self._take_frames()
        return bool(data)

    def _done(self):
        outcome = self.outcome
        return outcome.escaped or outcome.timed_out or \
            outcome.status is not None

    def _milliseconds_left(self):
        if self.deadline is None:
            return None
        left = self.deadline - time.monotonic()
        if left <= 0:
            self.outcome.timed_out = True
        return max(left, 0) * 1000

    def _relay(self):
        alive = True
        while alive and not self._done():
            alive = self._serve()
        while self._pending() and not self.outcome.timed_out:
            self._write_outputs(self._poll(select.poll()))

    def _pending(self):
        return len(self.stdout.pending) + len(self.stderr.pending)

    def _poll(self, poll):
        for output in (self.stdout, self.stderr):
            if output.pending:
                poll.register(output.fd, select.POLLOUT)
        return dict(poll.poll(self._milliseconds_left()))

    def _write_outputs(self, ready):
        for output in (self.stdout, self.stderr):
            if output.pending and output.fd in ready:
                output.write_some()

    def _serve(self):
        """Moves what can be moved; False once QEMU is gone."""
        poll = select.poll()
        events = select.POLLIN if self._pending() < BACKLOG else 0
        events |= select.POLLOUT if self.to_guest else 0
        poll.register(self.port, events)
        if self.input is not None and not self.to_guest:
            poll.register(self.input, select.POLLIN)
        ready = self._poll(poll)
        self._write_outputs(ready)
        if self.input in ready:
            self._read_input()
        if self.terminal and self.terminal.resized:
            self.terminal.resized = False
            self._send(b"W", terminal.size(0).encode())
        return self._serve_port(ready.get(self.port.fileno(), 0))

    def _serve_port(self, events):
        if events & select.POLLOUT and self.to_guest:
            try:
                del self.to_guest[:self.port.send(self.to_guest)]
            except BlockingIOError:
                pass
            except OSError:
                return False
        if events & (select.POLLIN | select.POLLHUP):
            return self._read_port()
        return True
