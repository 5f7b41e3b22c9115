"""What is owed and what is wrong on the board as it lies, cell by cell."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from boardctl.core.commands import Debt
from boardctl.core.model import Cell, Piece, Position
from boardctl.core.sight import STRANGER, Sight

MISSING_AFTER = 3.0
"""Seconds after which a piece that is not there is somebody's mistake."""


class Ground(NamedTuple):
    """What the judge goes by, besides the board itself."""

    position: Position | None
    """Whose rules say why a stray piece is no move; None: nobody is to move (set-up, game over)."""
    turning: Collection[Cell]
    """Cells owed a turn: their pieces may be in the air."""
    claimed: Collection[Cell]
    """Cells that differ because something is still owed, and so are nobody's mistake."""
    early: Collection[Cell]
    """Cells of a move that waits until what is owed is done."""
    late: Collection[Cell]
    """Cells whose turn was still owed when the next move was made."""


def debt(sight: Sight, cell: Cell, want: Piece | None, turning: Collection[Cell]) -> Debt:
    """What has to be done so that `want` lies on a cell that does not look so."""
    lies = sight.lies[cell]
    if want is None:
        return Debt("take")
    if lies is None:
        return Debt("turn" if cell in turning else "put", want)
    return Debt("turn", want) if sight.other_side(cell, want) else Debt("take")


def mistakes(
    sight: Sight, pieces: Mapping[Cell, Piece], cells: Collection[Cell], ground: Ground, now: float
) -> dict[Cell, str]:
    """The cells among these that are somebody's mistake, each with its reason, sorted by cell."""
    known = {**dict.fromkeys(ground.claimed), **dict.fromkeys(ground.late, "not-turned")}
    known |= dict.fromkeys(ground.early, "not-yet")
    known |= _against_rules(sight, [cell for cell in cells if cell not in known], ground.position)
    found = (
        (cell, known[cell] if cell in known else _reason(sight, pieces.get(cell), cell, ground, now))
        for cell in sorted(cells)
    )
    return {cell: reason for cell, reason in found if reason is not None}


def _against_rules(
    sight: Sight, cells: Collection[Cell], position: Position | None
) -> Mapping[Cell, str | None]:
    """The reasons that the rules have for some of these cells."""
    ours = [cell for cell in cells if sight.lies[cell] != STRANGER]
    return {} if position is None else position.faults({cell: sight.may_be(cell) for cell in ours})


def _reason(sight: Sight, want: Piece | None, cell: Cell, ground: Ground, now: float) -> str | None:
    """What is wrong with a cell of which the rules say nothing."""
    if sight.lies[cell] is None:
        return "missing-piece" if now >= missing_at(sight, cell) and cell not in ground.turning else None
    return "turned-wrongly" if want is not None and sight.other_side(cell, want) else "extra-piece"


def missing_at(sight: Sight, cell: Cell) -> float:
    """When a piece that is not on its cell will be called missing (seconds)."""
    return sight.empty_since.get(cell, 0.0) + MISSING_AFTER
