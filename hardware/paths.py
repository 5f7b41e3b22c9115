"""Which cells a sliding piece passes over. Pure geometry of where the cells lie."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from boardctl.core.model import Cell

Points = Mapping[Cell, tuple[float, float]]
"""Where every cell lies, one unit a cell."""

NEAR = 0.3
"""How close to the middle of a cell, in cells, a piece passes over it."""


def route(path: Sequence[Cell], points: Points) -> list[Cell]:
    """The path with the cells on the straight lines between its own; a cell named twice running is one.

    Without points there is nothing between.
    """
    cells = list(path[:1])
    for start, end in pairwise(path):
        if start != end:
            cells += [*_between(start, end, points), end]
    return cells


def _between(start: Cell, end: Cell, points: Points) -> list[Cell]:
    """The cells a straight line passes over, in order. Seen from it, real is along and imaginary beside."""
    if not points:
        return []
    places = {cell: complex(*point) for cell, point in points.items()}
    line = places[end] - places[start]
    along = {cell: (place - places[start]) / line for cell, place in places.items()}
    beside = NEAR / abs(line)
    passed = [cell for cell, way in along.items() if 0 < way.real < 1 and abs(way.imag) < beside]
    return sorted(passed, key=lambda cell: along[cell].real)
