"""What the lights show: one meaning a cell, the weightier one where two meet."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from boardctl.core.commands import Debt, Light
from boardctl.core.model import Cell, Change, Game, Move
from boardctl.core.sight import Sight


def lights(
    *,
    owed: Mapping[Cell, Light],
    wrong: Collection[Cell],
    choice: Collection[Cell],
    mark: Collection[Cell],
    hint: Mapping[Cell, Light],
    last: Collection[Cell],
) -> dict[Cell, Light]:
    """The whole frame, sorted by cell: wrong before owed, choice, mark, hint and the last move."""
    frame: dict[Cell, Light] = {}
    frame |= dict.fromkeys(last, Light("last"))
    frame |= hint
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


def hints(sight: Sight, moves: Iterable[Move], held: frozenset[Cell]) -> dict[Cell, Light]:
    """Where hands may go on: where a move can begin, or, with pieces in the hand, where it can end."""
    if not held:
        return {change.cell: _hint(change, move) for move in moves for change in _beginning(move)}
    begun = [move for move in moves if held <= {change.cell for change in move.changes}]
    ending = ((change, move) for move in begun for change in move.act)
    return {
        change.cell: _hint(change, move)
        for change, move in ending
        if not sight.agrees(change.cell, change.after)
        and (sight.lies[change.cell] is not None or change.before is None)
    }


def _hint(change: Change, move: Move) -> Light:
    """What hands may do on a cell: put a piece there, turn the one that lies there, or lift it."""
    if change.before is None:
        return Light("hint", Debt("put", change.after))
    return Light("hint", Debt("turn" if len(move.act) == 1 else "take"))


def _beginning(move: Move) -> Sequence[Change]:
    """The changes of cells a piece is lifted from or turned on; where it is only put down, of those it is put on."""
    leaving = [change for change in move.act if change.before is not None]
    if any(change.before is None or change.after is None for change in leaving):
        return [change for change in leaving if change.after is None]
    return leaving or move.act


def marks(sight: Sight, marked: Collection[Cell]) -> frozenset[Cell]:
    """Cells set aside, and those the game marks."""
    return frozenset(sight.aside) | frozenset(marked)
