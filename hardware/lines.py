"""Whole lines of a wiring: a row, a column, a multiplexer. Notices when one goes dead or gets stuck, and says which.

No hand changes three cells of one line, and no other, within one scan: when all cells of a line close like that, or all
open, it is the wire. Pure: it is told what scans saw.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from hardware.ghosts import spread

SURELY = 3
"""So many cells of one line that change in one scan are the line's doing."""
WELL_USED = 0.75
"""The part of their cells that all other lines have closed before one that never did is called dead."""


class Line(NamedTuple):
    """One line: its kind and number as people count them, where it is connected, its sensors as bits."""

    kind: str
    number: int
    end: str
    sensors: int

    @property
    def name(self) -> str:
        """As a person finds it: `column 3 (GPIO27)`."""
        return f"{self.kind} {self.number} ({self.end})"

    @property
    def subject(self) -> str:
        """Its name at the beginning of a sentence."""
        return self.name[0].upper() + self.name[1:]


def of_matrix(rows: Sequence[int], columns: Sequence[int]) -> list[Line]:
    """The lines of a matrix on these pins."""
    across = len(columns)
    made = [Line("row", n + 1, f"GPIO{pin}", ((1 << across) - 1) << n * across) for n, pin in enumerate(rows)]
    for n, pin in enumerate(columns):
        made.append(Line("column", n + 1, f"GPIO{pin}", spread(range(n, across * len(rows), across))))
    return made


def of_multiplexers(channels: Sequence[int], inputs: int = 16) -> list[Line]:
    """The multiplexers on these channels of a converter."""
    every = (1 << inputs) - 1
    return [
        Line("multiplexer", n + 1, f"channel {channel} of the MCP3008", every << n * inputs)
        for n, channel in enumerate(channels)
    ]


def whole(lines: Iterable[Line], sensors: int) -> Line | None:
    """The one line that explains all these sensors, if there are enough of them."""
    if sensors.bit_count() < SURELY:
        return None
    return next((line for line in lines if not sensors & ~line.sensors), None)


class Lines:
    """Watches all lines of a wiring."""

    def __init__(self, lines: Sequence[Line], used: int) -> None:
        """`used`: the sensors, as bits, that lie under cells of the game."""
        self._lines = [line._replace(sensors=line.sensors & used) for line in lines]
        self._stuck: list[Line] = []
        self._dead: list[Line] = []
        self._met = 0

    @property
    def doubted(self) -> int:
        """The sensors, as bits, on lines that are stuck or dead."""
        bits = 0
        for line in (*self._stuck, *self._dead):
            bits |= line.sensors
        return bits

    def begin(self, seen: int) -> None:
        """What the first scan saw: a single line closed from end to end, and nothing else, is stuck."""
        self._met |= seen
        self._stuck = [line for line in self._lines if seen == line.sensors and seen.bit_count() > SURELY]

    def look(self, before: int, after: int) -> None:
        """One scan after another."""
        changed = before ^ after
        self._stuck = [line for line in self._stuck if after & line.sensors == line.sensors]
        self._dead = [line for line in self._dead if not after & line.sensors]
        struck = [line for line in self._lines if (line.sensors & changed).bit_count() >= SURELY]
        full = [line for line in struck if after & line.sensors == line.sensors]
        if full and not changed & ~_all(full):
            self._stuck += full
        elif len(struck) == 1 and not changed & ~struck[0].sensors and not after & struck[0].sensors:
            self._dead += struck
        self._met |= after & ~self.doubted

    @property
    def findings(self) -> list[str]:
        """What is wrong, a sentence for each line."""
        return [
            *(
                f"{line.subject} reads closed from end to end. Look for a short to ground."
                for line in self._stuck
            ),
            *(
                f"{line.subject} went dead: all its cells opened at once. Look at its wire."
                for line in self._dead
            ),
            *self._silent(),
        ]

    def _silent(self) -> Iterator[str]:
        for line in self._lines:
            others = [
                each for each in self._lines if each.kind == line.kind and each != line and each.sensors
            ]
            if line in self._dead or not line.sensors or self._met & line.sensors or len(others) < 2:
                continue
            if all(self._well_used(other) for other in others):
                yield f"{line.subject} has never closed, while all other {line.kind}s have. Look at its wire."

    def _well_used(self, line: Line) -> bool:
        return (self._met & line.sensors).bit_count() >= WELL_USED * line.sensors.bit_count()


def _all(lines: Sequence[Line]) -> int:
    bits = 0
    for line in lines:
        bits |= line.sensors
    return bits
