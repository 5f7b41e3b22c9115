"""What the lights show: one meaning a cell, the weightier one where two meet."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from boardctl.core.commands import Debt, Light
from boardctl.core.model import Cell, Game, Move
from boardctl.core.sight import Sight


def lights(
    *,
    owed: Mapping[Cell, Light],
    wrong: Collection[Cell],
    choice: Collection[Cell],
    mark: Collection[Cell],
    hint: Collection[Cell],
    last: Collection[Cell],
) -> dict[Cell, Light]:
    """The whole frame, sorted by cell: wrong before owed, choice, mark, hint and the last move."""
    frame: dict[Cell, Light] = {}
    frame |= dict.fromkeys(last, Light("last"))
    frame |= dict.fromkeys(hint, Light("hint"))
    frame |= dict.fromkeys(mark, Light("mark"))
    frame |= dict.fromkeys(choice, Light("choice"))
    frame |= owed
    frame |= dict.fromkeys(wrong, Light("wrong"))
    return dict(sorted(frame.items()))


def owed_lights(game: Game, owed: Mapping[Cell, Debt], source: Cell | None) -> dict[Cell, Light]:
    """A light for every debt; a turn knows its step along the line from the cell of the move, `source`."""
    return {cell: Light("owed", debt, _step(game, source, cell, debt)) for cell, debt in owed.items()}


def _step(game: Game, source: Cell | None, cell: Cell, debt: Debt) -> int:
    if source is None or debt.do != "turn":
        return 0
    (ax, ay), (bx, by) = game.points[source], game.points[cell]
    return round(max(abs(ax - bx), abs(ay - by)))


def hints(sight: Sight, moves: Iterable[Move], held: frozenset[Cell]) -> frozenset[Cell]:
    """Where hands may go on: where a move can begin, or, with pieces in the hand, where it can end."""
    if not held:
        return frozenset(cell for move in moves for cell in _beginning(move))
    begun = [move for move in moves if held <= {change.cell for change in move.changes}]
    return frozenset(cell for move in begun for cell, _, after in move.act if not sight.agrees(cell, after))


def _beginning(move: Move) -> Sequence[Cell]:
    """The cells a piece is lifted from or turned on; where pieces are only placed, the cells they are placed on."""
    return [cell for cell, before, _ in move.act if before is not None] or [
        change.cell for change in move.act
    ]


def marks(sight: Sight, marked: Collection[Cell]) -> frozenset[Cell]:
    """Cells set aside, and those the game marks."""
    return frozenset(sight.aside) | frozenset(marked)
