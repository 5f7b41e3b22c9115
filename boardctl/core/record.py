"""The record of a game: what was played, from which position, and what should lie on the board now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from boardctl.core.model import PASS, Call, Cell, Move, Piece, Player, Position


class Ply(NamedTuple):
    """One turn played: its number from 1, who played, what, and from which position."""

    number: int
    player: Player
    move: Move
    before: Position
    bound: bool = False
    """A pass that nobody named: it is taken back together with the ply beside it."""


class Line(NamedTuple):
    """A legal move as hands can make it: where the player has to pass, the opponent's move after the pass."""

    move: Move
    passes: int
    """Forced passes before it (0 or 1)."""


class Record:
    """Plies from a start; `pieces` is what should lie on every cell that is not empty."""

    def __init__(self, start: Position) -> None:
        self.start = start
        self.position = start
        self.pieces: dict[Cell, Piece] = dict(start.pieces)
        self.plies: list[Ply] = []
        self.changed: set[Cell] = set(self.pieces)
        """Cells on which `pieces` has changed; whoever has looked at them clears it."""
        self._moves: Sequence[Move] | None = None
        self._lines: Sequence[Line] | None = None

    @property
    def next_number(self) -> int:
        """The number of the ply that is awaited."""
        return len(self.plies) + 1

    @property
    def last(self) -> Ply | None:
        """The last ply that is no pass, or None."""
        return next((ply for ply in reversed(self.plies) if ply.move.label != PASS), None)

    @property
    def moves(self) -> Sequence[Move]:
        """All legal moves now, as `Position.moves` gives them."""
        if self._moves is None:
            self._moves = self.position.moves()
        return self._moves

    @property
    def lines(self) -> Sequence[Line]:
        """Every move that hands can make now."""
        if self._lines is None:
            self._lines = _lines(self.position, self.moves)
        return self._lines

    @property
    def must_pass(self) -> bool:
        """Whether the player to move has no move and the game goes on."""
        return _only_pass(self.moves)

    def play(self, move: Move, bound: bool = False) -> Ply:
        """Add a ply. The move must be one that `position.moves` offers."""
        ply = Ply(self.next_number, self.position.player, move, self.position, bound)
        self.plies.append(ply)
        self._go(self.position.play(move))
        if self.position.relaid:
            self._relay(self.position)
        else:
            lay(self.pieces, move)
            self.changed.update(change.cell for change in move.changes)
        return ply

    def undo(self) -> Ply:
        """Take the last ply back. Raises IndexError where there is none."""
        ply, relaid = self.plies.pop(), self.position.relaid
        self._go(ply.before)
        if relaid:
            self._relay(ply.before)
        else:
            unlay(self.pieces, ply.move)
            self.changed.update(change.cell for change in ply.move.changes)
        return ply

    def call(self, call: Call) -> None:
        """Somebody called: no ply, and gone with the ply that it follows."""
        self._go(call.after)

    def _relay(self, position: Position) -> None:
        """The whole board should lie as it does in this position."""
        self.changed |= self.pieces.keys() | position.pieces.keys()
        self.pieces = dict(position.pieces)

    def stand(self, pieces: Mapping[Cell, Piece]) -> None:
        """From now on these cells lie so, whatever the record says of them."""
        self._go(self.position.standing(pieces))
        self.pieces.update(pieces)
        self.changed |= pieces.keys()

    def _go(self, position: Position) -> None:
        self.position = position
        self._moves = self._lines = None


def lines_from(position: Position) -> Sequence[Line]:
    """Every move that hands can make from this position: the mover's, or the next player's after a forced pass."""
    return _lines(position, position.moves())


def _lines(position: Position, moves: Sequence[Move]) -> Sequence[Line]:
    if _only_pass(moves):
        return [Line(move, 1) for move in position.play(moves[0]).moves() if move.label != PASS]
    return [Line(move, 0) for move in moves]


def _only_pass(moves: Sequence[Move]) -> bool:
    return len(moves) == 1 and moves[0].label == PASS


def lay(pieces: dict[Cell, Piece], move: Move) -> None:
    """Make a move's changes on a picture of the board."""
    for cell, _, after in move.changes:
        if after is None:
            pieces.pop(cell, None)
        else:
            pieces[cell] = after


def unlay(pieces: dict[Cell, Piece], move: Move) -> None:
    """Take a move's changes back on a picture of the board."""
    for cell, before, _ in move.changes:
        if before is None:
            pieces.pop(cell, None)
        else:
            pieces[cell] = before
