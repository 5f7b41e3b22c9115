"""A square board as the bits of an integer: where a disc brackets a line, and which discs that turns.

Bit 0 is a1, the top left cell; bit numbers grow in reading order. A set of cells is an `int`. This module
knows lines and cells, and neither players nor the rules of any game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

Cells = int
"""A set of cells, one bit each; a single cell is a set with one bit."""
Axes = tuple[tuple[int, Cells], ...]
"""For rows, columns and both diagonals: by how many bits a step shifts, and on which cells a disc can be bracketed
that way (never at the end of a line)."""

SIZES = (4, 6, 8, 10)
"""The sides a board may have, in cells."""

_STEPS = ((1, 0), (0, 1), (1, 1), (-1, 1))
"""One step along each axis: columns to the right, rows down."""


class Run(NamedTuple):
    """Discs in a row, all of them bracketed by one new disc."""

    cells: Cells
    outward: tuple[int, ...]
    """The same as bit numbers, the disc beside the new one first."""


class Ray(NamedTuple):
    """A straight line from a cell to the edge of the board, the cell itself left out."""

    first: Cells
    """The cell beside the one where the ray starts."""
    cells: Cells
    upwards: bool
    """Whether bit numbers grow along the ray."""
    runs: dict[Cells, Run]
    """What lies before each cell of the ray, by that cell."""


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """A square board. Made by `board`, one object for each size."""

    size: int
    """Cells along a side."""
    bits: dict[str, Cells]
    """Every cell by its name, in reading order."""
    full: Cells
    """All cells."""
    axes: Axes
    rays: dict[Cells, tuple[Ray, ...]]
    """The rays from each cell that are long enough for a bracket."""

    def runs(self, own: Cells, other: Cells, cell: Cells) -> list[Run]:
        """The discs of `other` that `own` brackets with one on this empty cell: a run for each direction."""
        found = []
        for first, cells, upwards, runs in self.rays[cell]:
            if first & other:
                stops = cells & ~other
                end = stops & -stops if upwards else 1 << stops.bit_length() >> 1
                if end & own:
                    found.append(runs[end])
        return found


def reach(own: Cells, other: Cells, axes: Axes) -> Cells:
    """The cells, taken ones among them, on which a disc of `own` closes a bracket round discs of `other`.

    Runs are followed from the far end for eight cells, the longest that two discs can bracket on a board of ten:
    for one cell, one more, and three times a pair.
    """
    found = 0
    for step, inner in axes:
        over, two = other & inner, 2 * step
        pairs = over & over << step
        run = own << step & over
        run |= run << step & over
        run |= run << two & pairs
        run |= run << two & pairs
        run |= run << two & pairs
        found |= run << step
        pairs >>= step
        run = own >> step & over
        run |= run >> step & over
        run |= run >> two & pairs
        run |= run >> two & pairs
        run |= run >> two & pairs
        found |= run >> step
    return found


def single(cells: Cells) -> Iterator[Cells]:
    """The cells of a set one by one, in reading order."""
    while cells:
        cell = cells & -cells
        yield cell
        cells ^= cell


@cache
def board(size: int) -> Board:
    """The board with this side, one of `SIZES`."""
    names = [f"{chr(ord('a') + column)}{row + 1}" for row in range(size) for column in range(size)]
    return Board(
        size=size,
        bits={name: 1 << number for number, name in enumerate(names)},
        full=(1 << size * size) - 1,
        axes=tuple((right + size * down, _inner(size, right, down)) for right, down in _STEPS),
        rays={1 << number: _rays(size, number) for number in range(size * size)},
    )


def _inner(size: int, right: int, down: int) -> Cells:
    numbers = range(size * size)
    return sum(1 << n for n in numbers if _ahead(size, n, right, down) and _ahead(size, n, -right, -down))


def _rays(size: int, number: int) -> tuple[Ray, ...]:
    ways = [way for right, down in _STEPS for way in ((right, down), (-right, -down))]
    lines = [_ahead(size, number, right, down) for right, down in ways]
    return tuple(_ray(number, line) for line in lines if len(line) > 1)


def _ray(number: int, line: list[int]) -> Ray:
    runs = {1 << end: _run(line[:count]) for count, end in enumerate(line)}
    return Ray(1 << line[0], _run(line).cells, line[0] > number, runs)


def _run(line: list[int]) -> Run:
    return Run(sum(1 << number for number in line), tuple(line))


def _ahead(size: int, number: int, right: int, down: int) -> list[int]:
    """The bit numbers from here to the edge, the nearest first."""
    row, column = divmod(number, size)
    line = []
    while 0 <= (row := row + down) < size and 0 <= (column := column + right) < size:
        line.append(row * size + column)
    return line
