"""A board of points and coloured lines: where a piece may go along them, worked out once for each board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from boardctl.core.model import Cell, Edge

Colour = str
"""Whose lines: `blue` or `red`."""
COLOURS: tuple[Colour, Colour] = ("blue", "red")


@dataclass(frozen=True, slots=True, eq=False)
class LineBoard:
    """Points, lines, and where two sides start. Made by `line_board`."""

    name: str
    points: Mapping[Cell, tuple[float, float]]
    """In reading order from the top row down; x to the right, y downwards, one unit the shortest line."""
    edges: tuple[Edge, ...]
    starts: Mapping[Colour, tuple[Cell, ...]]
    steps: Mapping[Cell, tuple[Cell, ...]]
    """The points one space away, along a line of either colour."""
    ways: Mapping[Colour, Mapping[Cell, Mapping[Cell, tuple[Cell, ...]]]]
    """By colour, start and end: the middle points of the ways of two spaces along lines of that colour."""


def line_board(
    name: str,
    points: Mapping[Cell, tuple[float, float]],
    edges: Sequence[Edge],
    starts: Mapping[Colour, Sequence[Cell]],
) -> LineBoard:
    """The board with these points (y upwards, as in board files) and lines."""
    return LineBoard(
        name,
        _laid_out(points, edges),
        tuple(edges),
        {colour: tuple(cells) for colour, cells in starts.items()},
        {cell: tuple(sorted(_next_to(cell, edges))) for cell in points},
        {colour: {cell: _two_spaces(cell, edges, colour) for cell in points} for colour in COLOURS},
    )


def _laid_out(
    points: Mapping[Cell, tuple[float, float]], edges: Sequence[Edge]
) -> dict[Cell, tuple[float, float]]:
    left, top = min(x for x, _ in points.values()), max(y for _, y in points.values())
    unit = min(abs(complex(*points[a]) - complex(*points[b])) for a, b, _ in edges)
    placed = {
        cell: (round((x - left) / unit, 4), round((top - y) / unit, 4)) for cell, (x, y) in points.items()
    }
    return dict(sorted(placed.items(), key=lambda item: (item[1][1], item[1][0])))


def _next_to(cell: Cell, edges: Sequence[Edge], colour: Colour | None = None) -> set[Cell]:
    ours = [edge for edge in edges if cell in edge[:2] and colour in (None, edge.owner)]
    return {edge.b if edge.a == cell else edge.a for edge in ours}


def _two_spaces(cell: Cell, edges: Sequence[Edge], colour: Colour) -> dict[Cell, tuple[Cell, ...]]:
    ways: dict[Cell, list[Cell]] = {}
    for middle in sorted(_next_to(cell, edges, colour)):
        for end in sorted(_next_to(middle, edges, colour) - {cell}):
            ways.setdefault(end, []).append(middle)
    return {end: tuple(middles) for end, middles in ways.items()}
