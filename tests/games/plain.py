"""The bracket rules once more, as plainly as they can be said: a table of discs and a walk along each ray.

It shares nothing with the engine, so that the two can be held against each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

STEPS = [(right, down) for right in (-1, 0, 1) for down in (-1, 0, 1) if (right, down) != (0, 0)]


def cells(size: int) -> Iterator[str]:
    """All cells in reading order."""
    for row in range(1, size + 1):
        for column in range(size):
            yield "abcdefghij"[column] + str(row)


def ray(cell: str, right: int, down: int, size: int) -> Iterator[str]:
    """The cells from here to the edge, this one left out."""
    column, row = "abcdefghij".index(cell[0]) + right, int(cell[1:]) + down
    while 0 <= column < size and 1 <= row <= size:
        yield "abcdefghij"[column] + str(row)
        column, row = column + right, row + down


def brackets(pieces: Mapping[str, str], cell: str, mine: str, size: int) -> list[list[str]]:
    """The discs that one of mine on this cell would turn: each line outward from the cell, in no order of lines."""
    lines = [taken(pieces, ray(cell, right, down, size), mine) for right, down in STEPS]
    return [line for line in lines if line]


def taken(pieces: Mapping[str, str], along: Iterator[str], mine: str) -> list[str]:
    """The discs on this ray up to the first of mine; none if a gap or the edge comes before it."""
    passed: list[str] = []
    for cell in along:
        if cell not in pieces:
            return []
        if pieces[cell] == mine:
            return passed
        passed.append(cell)
    return []


def moves(pieces: Mapping[str, str], mine: str, size: int) -> dict[str, list[list[str]]]:
    """Every cell one of mine may be put on, in reading order, with what it turns."""
    found = {cell: brackets(pieces, cell, mine, size) for cell in cells(size) if cell not in pieces}
    return {cell: lines for cell, lines in found.items() if lines}


def lines(pieces: Mapping[str, str], mine: str, theirs: str, size: int, depth: int) -> int:
    """How many lines of this depth there are, a pass being a ply and a finished line counted once."""
    if depth == 0:
        return 1
    mine_to_make = moves(pieces, mine, size)
    if not mine_to_make:
        return lines(pieces, theirs, mine, size, depth - 1) if moves(pieces, theirs, size) else 1
    return sum(
        lines(
            {**pieces, cell: mine, **{disc: mine for line in turned for disc in line}},
            theirs,
            mine,
            size,
            depth - 1,
        )
        for cell, turned in mine_to_make.items()
    )
