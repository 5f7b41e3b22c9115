"""`boardctl` as people run it: called and done, or running with somebody at its pipes or its terminal.

Nobody sleeps here: whoever waits, waits for a text or for the end, and gives up after `PATIENCE_S`.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

PATIENCE_S = 30.0
COMMAND = (sys.executable, "-m", "boardctl.cli")
ROOT = Path(__file__).parents[2]
_ESCAPES = re.compile(r"\x1b(\[[0-9;?]*[a-zA-Z]|[()].|.)")


class Ran(NamedTuple):
    """How a call ended and what it said."""

    status: int
    out: str
    err: str


def boardctl(*words: str | Path, typed: str = "") -> Ran:
    """Call the command, with this on its standard input, and wait until it has ended."""
    done = subprocess.run(
        [*COMMAND, *map(str, words)],
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE_S,
        cwd=ROOT,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


class Running:
    """The command while it runs: `raw` is all it has printed, `said` the same without escape sequences.

    `terminal`: the near end of its terminal, if it has one.
    """

    def __init__(self, process: subprocess.Popen[bytes], listens: int, speaks: int) -> None:
        self.process = process
        self.said = self.raw = ""
        self._heard = 0
        self._listens, self._speaks = listens, speaks
        self.terminal = speaks
        self._bytes = b""

    def until(self, *texts: str) -> str:
        """Wait for these texts in this order, each after the one before. Answers what came up to the last."""
        start, give_up = self._heard, time.monotonic() + PATIENCE_S
        for text in texts:
            while (at := self.said.find(text, self._heard)) < 0:
                assert time.monotonic() < give_up, f"no {text!r} in {PATIENCE_S:g} s:\n{self._last()}"
                assert self._read(), f"ended without {text!r}:\n{self._last()}"
            self._heard = at + len(text)
        return self.said[start : self._heard]

    def type(self, line: str) -> None:
        """Somebody types a line."""
        self.press(f"{line}\n")

    def press(self, keys: str) -> None:
        """Somebody presses keys."""
        os.write(self._listens, keys.encode())

    def end(self, by: signal.Signals | None = None) -> int:
        """Send a signal, if one is given, and wait for the end. Answers the exit status."""
        if by is not None:
            self.process.send_signal(by)
        give_up = time.monotonic() + PATIENCE_S
        while self._read():
            assert time.monotonic() < give_up, f"no end in {PATIENCE_S:g} s:\n{self._last()}"
        return self.process.wait(PATIENCE_S)

    def _last(self) -> str:
        return self.said[-3000:]

    def _read(self) -> bool:
        """Take what comes next. Answers whether there was anything before the end."""
        ready, _, _ = select.select([self._speaks], [], [], PATIENCE_S)
        assert ready, f"nothing more came in {PATIENCE_S:g} s:\n{self._last()}"
        try:
            chunk = os.read(self._speaks, 65536)
        except OSError:  # a terminal whose program has ended
            return False
        self._bytes += chunk
        self.raw = self._bytes.decode("utf-8", "replace")
        self.said = _ESCAPES.sub("", self.raw).replace("\r\n", "\n")
        return bool(chunk)


@contextmanager
def piped(*words: str | Path, typing: bool = True) -> Iterator[Running]:
    """The command on pipes; standard error among the rest. Without `typing` its standard input is empty."""
    process = subprocess.Popen(
        [*COMMAND, *map(str, words)],
        stdin=subprocess.PIPE if typing else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=ROOT,
    )
    assert process.stdout is not None
    try:
        keyboard = process.stdin.fileno() if process.stdin else -1
        yield Running(process, keyboard, process.stdout.fileno())
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        if process.stdin:
            process.stdin.close()


@contextmanager
def on_terminal(
    *words: str | Path, columns: int = 80, lines: int = 24, term: str = "xterm-256color"
) -> Iterator[Running]:
    """The command on a terminal of its own."""
    near, far = pty.openpty()
    resized(near, columns, lines)
    process = subprocess.Popen(
        [*COMMAND, *map(str, words)],
        stdin=far,
        stdout=far,
        stderr=far,
        env=os.environ | {"TERM": term, "LANG": "C.UTF-8"},
        cwd=ROOT,
        start_new_session=True,
        preexec_fn=_owns_its_terminal,
    )
    os.close(far)
    try:
        yield Running(process, near, near)
    finally:
        process.kill()
        process.wait()
        with suppress(OSError):  # a test may have hung up
            os.close(near)


def _owns_its_terminal() -> None:
    """From now on Ctrl-C, a new size and a hang-up reach this process."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def resized(fd: int, columns: int, lines: int) -> None:
    """Give a terminal another size."""
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
