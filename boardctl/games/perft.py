"""How many lines of play there are: the number by which a generator of moves is proved.

Convention A: a line is `depth` plies long, a forced pass is a ply, the end of a game is noticed only by two passes,
and a line that ended earlier is counted once. It is the same for all games, however they end.

The bracket family is counted ply by ply. Lines that meet in a position go on as one, and the moves of all positions
of a ply are found at once: each position is a lane of a few bytes in one long integer, and a shift moves them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from boardctl.core.model import Position
from boardctl.games.bits import Board, Cells, reach, single
from boardctl.games.bracketing import BracketPosition

Pair = tuple[Cells, Cells]
"""A position of the bracket family: the discs of the player to move, and those of the other."""
Ply = dict[Pair, int]
"""Positions after one number of plies, and how many lines lead to each."""

_FEW = 100
"""Positions in a ply up to which it pays to look for mirror images."""
_MANY = 20_000
"""Positions of a ply that are counted at once; more would fill the memory of a small machine."""


def perft(position: Position, depth: int) -> int:
    """How many lines of `depth` plies, zero or more, begin here."""
    if isinstance(position, BracketPosition):
        return _lines(position.terms.board, {(position.own, position.other): 1}, depth)
    moves = position.moves() if depth else ()
    if depth < 2 or not moves:
        return len(moves) or 1
    return sum(perft(position.play(move), depth - 1) for move in moves)


def divide(position: Position, depth: int) -> dict[str, int]:
    """How many of the lines of `depth` plies, one or more, begin with each move; a game that is over has none."""
    return {move.label: perft(position.play(move), depth - 1) for move in position.moves()}


def _lines(board: Board, ply: Ply, depth: int) -> int:
    if depth == 0 or not ply:
        return sum(ply.values())
    if len(ply) > _MANY:
        return sum(_lines(board, part, depth) for part in _parts(ply))
    if len(ply) < _FEW:
        ply = _folded(ply, board.size)
    opens = _opens(board, ply)
    if depth == 1:
        return sum(lines * (cells.bit_count() or 1) for lines, cells in zip(ply.values(), opens, strict=True))
    following, ended = _following(board, ply, opens)
    return ended + _lines(board, following, depth - 1)


def _parts(ply: Ply) -> Iterator[Ply]:
    entries = iter(ply.items())
    while part := dict(islice(entries, _MANY)):
        yield part


def _following(board: Board, ply: Ply, opens: Iterable[Cells]) -> tuple[Ply, int]:
    """The next ply, and how many lines have ended before it."""
    following: Ply = {}
    ended = 0
    for ((own, other), lines), cells in zip(ply.items(), opens, strict=True):
        for cell in single(cells):
            turned = 0
            for run in board.runs(own, other, cell):
                turned |= run.cells
            after = other & ~turned, own | cell | turned
            following[after] = following.get(after, 0) + lines
        if not cells:
            if _open(board, other, own):
                following[other, own] = following.get((other, own), 0) + lines
            else:
                ended += lines
    return following, ended


def _open(board: Board, own: Cells, other: Cells) -> Cells:
    return reach(own, other, board.axes) & board.full & ~(own | other)


def _opens(board: Board, ply: Ply) -> list[Cells]:
    """The cells open to the mover, for every position of a ply."""
    width = (board.size**2 + 7) // 8
    every = _packed([1] * len(ply), width)
    own, other = (_packed(discs, width) for discs in zip(*ply, strict=True))
    axes = tuple((step, inner * every) for step, inner in board.axes)
    found = reach(own, other, axes) & board.full * every & ~(own | other)
    lanes = found.to_bytes(width * len(ply), "little")
    return [int.from_bytes(lanes[at : at + width], "little") for at in range(0, len(lanes), width)]


def _packed(sets: Iterable[Cells], width: int) -> int:
    """Sets of cells side by side in one integer, each in a lane of `width` bytes."""
    return int.from_bytes(b"".join([cells.to_bytes(width, "little") for cells in sets]), "little")


def _folded(ply: Ply, size: int) -> Ply:
    """The same ply with positions that are mirror images of one another taken together."""
    folded: Ply = {}
    for (own, other), lines in ply.items():
        image = min(zip(_images(own, size), _images(other, size), strict=True))
        folded[image] = folded.get(image, 0) + lines
    return folded


def _images(cells: Cells, size: int) -> Iterator[Cells]:
    """The eight ways in which a set of cells can be turned and mirrored."""
    rows = format(cells, f"0{size**2}b")
    columns = "".join(rows[start::size] for start in range(size))
    for lines in (rows, columns):
        cut = [lines[start : start + size] for start in range(0, size**2, size)]
        for line in (lines, "".join(reversed(cut))):
            yield int(line, 2)
            yield int(line[::-1], 2)
