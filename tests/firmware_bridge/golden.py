"""The frames that every implementation has to agree on, out of golden.txt."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class Golden(NamedTuple):
    """One line of the file."""

    name: str
    type: int
    seq: int
    payload: bytes
    wire: bytes


def _line(line: str) -> Golden:
    name, kind, seq, payload, wire = line.split()
    said = b"" if payload == "-" else bytes.fromhex(payload)
    return Golden(name, int(kind, 16), int(seq, 16), said, bytes.fromhex(wire))


GOLDEN = [
    _line(line)
    for line in (Path(__file__).parent / "golden.txt").read_text().splitlines()
    if not line.startswith("#")
]


def golden(beginning: str) -> list[Golden]:
    """Those whose names begin like this: `host-`, `board-`, `bad-`, `mute-`."""
    return [each for each in GOLDEN if each.name.startswith(beginning)]
