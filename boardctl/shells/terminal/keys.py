"""What comes from a keyboard or a pipe: bytes as they come, whole lines, and one line being edited."""

from __future__ import annotations

import asyncio
import codecs
import os
import re
import termios
import tty
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

_CHUNK = 4096
_LONGEST = 10_000
"""Bytes of a line that are kept."""
_SEQUENCE = re.compile(r"\x1b(\[[0-9;?]*[ -/]*[@-~]|O.|.)?")
"""What arrows and other keys without a letter send."""


async def chunks(fd: int) -> AsyncIterator[bytes]:
    """Bytes as they come, up to the end of the input; one that is gone or cannot be read is at its end too."""
    while True:
        await _ready(fd)
        try:
            chunk = os.read(fd, _CHUNK)
        except OSError:
            return
        if not chunk:
            return
        yield chunk


async def _ready(fd: int) -> None:
    """Wait until there is something to read. A file always has it, and the loop will not wait for one."""
    loop, ready = asyncio.get_running_loop(), asyncio.Event()
    try:
        loop.add_reader(fd, ready.set)
    except PermissionError:
        return
    try:
        await ready.wait()
    finally:
        loop.remove_reader(fd)


async def lines(fd: int) -> AsyncIterator[str]:
    """Whole lines, without their ends; the last one even if it has none. What is no UTF-8 is replaced."""
    kept = b""
    async for chunk in chunks(fd):
        *whole, kept = (kept + chunk).split(b"\n")
        for line in whole:
            yield line.decode(errors="replace").rstrip("\r")
        kept = kept[:_LONGEST]
    if kept:
        yield kept.decode(errors="replace")


class Typed(NamedTuple):
    """A line being typed, lines that were just ended, and whether the person wants to end it all."""

    line: str = ""
    entered: tuple[str, ...] = ()
    left: bool = False


def typed(line: str, text: str) -> Typed:
    """The line after these keys: letters, backspace, Ctrl-U and Ctrl-W to rub out, Ctrl-D to leave, Enter."""
    entered: list[str] = []
    for key in _SEQUENCE.sub("", text):
        match key:
            case "\r" | "\n":
                entered.append(line)
                line = ""
            case "\x7f" | "\x08":
                line = line[:-1]
            case "\x15":
                line = ""
            case "\x17":
                line = line.rstrip().rpartition(" ")[0]
            case "\x04" if not line:
                return Typed("", tuple(entered), left=True)
            case _ if key.isprintable() and len(line) < _LONGEST:
                line += key
    return Typed(line, tuple(entered))


async def texts(fd: int) -> AsyncIterator[str]:
    """Keys as text, as they come."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    async for chunk in chunks(fd):
        yield decoder.decode(chunk)


@contextmanager
def each_key(fd: int) -> Iterator[None]:
    """Have a terminal hand over every key at once, unechoed; Ctrl-C still interrupts, Ctrl-Z does nothing."""
    before = termios.tcgetattr(fd)
    tty.setcbreak(fd, termios.TCSADRAIN)  # what was typed ahead counts
    mode = termios.tcgetattr(fd)
    mode[6][termios.VSUSP] = b"\0"
    termios.tcsetattr(fd, termios.TCSADRAIN, mode)
    try:
        yield
    finally:
        with suppress(termios.error):  # it may have gone
            termios.tcsetattr(fd, termios.TCSADRAIN, before)
