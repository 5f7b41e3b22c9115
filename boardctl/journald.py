"""Where what we say goes to the system's journal: with a level, and with the cell it is about as a field.

`journalctl -u boardctl -p warning` lists what went wrong, `journalctl BOARD_CELL=e8` what was said of one sensor. The
form is journald's native protocol (systemd's page "Native Journal Protocol"); a line on standard error may
carry its level in front of it, `<4>`, as sd-daemon(3) has it.
"""

from __future__ import annotations

import os
import socket
import struct
from collections.abc import Mapping
from typing import TextIO

from boardctl.core.commands import Command, LinkChanged, SensorDoubted

ADDRESS = "/run/systemd/journal/socket"
"""Where journald takes entries with fields."""
ERROR, WARNING, NOTICE, INFO = 3, 4, 5, 6
"""Levels, the graver the lower, as syslog(3) counts them."""


def grade(command: Command) -> tuple[int, Mapping[str, str]]:
    """The level of what is told of a command, and its fields: sensors have some, the course of a game has none."""
    match command:
        case SensorDoubted(cell, state):
            level = WARNING if state in ("stuck", "chatter") else NOTICE
            return level, {"BOARD_EVENT": "sensor", "BOARD_CELL": cell, "BOARD_STATE": state}
        case LinkChanged(what, state):
            level = WARNING if state == "lost" else NOTICE
            return level, {"BOARD_EVENT": "link", "BOARD_LINK": what, "BOARD_STATE": state}
    return INFO, {}


def hears(environ: Mapping[str, str], stream: TextIO) -> bool:
    """Whether what is written to this stream goes straight to the journal."""
    try:
        file = os.fstat(stream.fileno())
    except OSError:
        return False
    return environ.get("JOURNAL_STREAM") == f"{file.st_dev}:{file.st_ino}"


def graded(line: str, level: int, stream: TextIO) -> str:
    """The line with its level in front, if the stream goes to the journal; else the line."""
    return f"<{level}>{line}" if hears(os.environ, stream) else line


def write(message: str, level: int, fields: Mapping[str, str], address: str = ADDRESS) -> None:
    """Write one entry. Names of fields are capitals. Raises OSError where no journal takes it."""
    entry = {"MESSAGE": message, "PRIORITY": str(level), "SYSLOG_IDENTIFIER": "boardctl", **fields}
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.setblocking(False)
        line.sendto(b"".join(_field(name, value.encode()) for name, value in entry.items()), address)


def _field(name: str, value: bytes) -> bytes:
    """A value with a line break in it goes with its length."""
    if b"\n" in value:
        return b"%s\n%s%s\n" % (name.encode(), struct.pack("<Q", len(value)), value)
    return b"%s=%s\n" % (name.encode(), value)
