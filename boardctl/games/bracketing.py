"""Bracketing: what the rules of the bracket family allow in a position, and what comes of it.

A disc put on an empty cell brackets unbroken lines of the other side's discs, and every disc in them is turned.
This module knows what the family has in common and, in `Terms`, what its games do differently. It does not know
their names, their titles or how a person chooses options.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from boardctl.core.model import (
    PASS,
    Cell,
    Change,
    Lying,
    Move,
    Outcome,
    Piece,
    PlainPosition,
    Player,
    Side,
)
from boardctl.games.bits import Board, Cells, board, reach, single

End = Literal["two-passes", "no-moves"]
"""How a game ends in which no one can move: by two passes in a row, each of them a ply, or at once."""
Supply = Literal["shared", "own"]
"""Where discs come from: one heap for both players, or half of them for each."""
Empties = Literal["nobody", "winner"]
"""For whom empty cells count at the end."""


class NotLegal(ValueError):
    """A move that the rules do not allow in this position."""


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """What stays as it is through a whole game. Made by `terms`: equal terms are one object."""

    board: Board
    order: tuple[Player, Player]
    """The players in order of play."""
    faces: Mapping[Player, Side]
    """The player whose side of a disc is heads, then the other. Pieces are named after players."""
    rival: Mapping[Player, Player]
    """Each player's opponent; for a piece, its other side."""
    end: End
    supply: Supply
    empties: Empties
    placed: Mapping[Player, Mapping[Cells, Change]]
    """A disc put down: whose, and on which cell."""
    turned: Mapping[Player, tuple[Change, ...]]
    """A disc turned: whose it becomes, and the bit number of its cell."""


@cache
def terms(
    size: int, sides: tuple[Player, Player], first: Player, end: End, supply: Supply, empties: Empties
) -> Terms:
    """The terms of a game on a board with this side; `sides` names who plays heads, then who plays tails."""
    heads, tails = sides
    rival = {heads: tails, tails: heads}
    cells = board(size).bits
    return Terms(
        board=board(size),
        order=(first, rival[first]),
        faces={heads: "heads", tails: "tails"},
        rival=rival,
        end=end,
        supply=supply,
        empties=empties,
        placed={side: {bit: Change(cell, None, side) for cell, bit in cells.items()} for side in sides},
        turned={side: tuple(Change(cell, rival[side], side) for cell in cells) for side in sides},
    )


@dataclass(frozen=True, slots=True)
class BracketPosition(PlainPosition):
    """A position of the family: a `Position` that can also find one move by its label without making the rest."""

    terms: Terms
    player: Player
    own: Cells
    """Cells with a disc of the player to move."""
    other: Cells
    """Cells with a disc of the opponent."""
    open: Cells
    """Empty cells on which the player to move may play."""
    passes: int
    """Passes in a row that led here."""
    left: int
    """Discs left to the player of heads where each has a supply. All others not on the board are the rival's."""

    @property
    def pieces(self) -> dict[Cell, Piece]:
        """The side that is up on every cell with a disc, in reading order."""
        own, taken = self.own, self.own | self.other
        mine, theirs = self.player, self.terms.rival[self.player]
        cells = self.terms.board.bits.items()
        return {cell: mine if bit & own else theirs for cell, bit in cells if bit & taken}

    @property
    def outcome(self) -> Outcome | None:
        """Who has more discs when no one can move; because `full`, else `two-passes` or `no-moves` as agreed."""
        if self.open or not (because := self._end()):
            return None
        score = self.score
        (first, most), (second, least) = score.items()
        if most == least:
            return Outcome(None, because, score)
        winner = first if most > least else second
        if self.terms.empties == "winner":
            score[winner] += self._empty.bit_count()
        return Outcome(winner, because, score)

    @property
    def score(self) -> dict[Player, int]:
        """How many discs show each player's side. Empty cells count for no one before the end."""
        mine, theirs = self.own.bit_count(), self.other.bit_count()
        return {player: mine if player == self.player else theirs for player in self.terms.order}

    @property
    def supply(self) -> dict[str, int]:
        """How many discs are not on the board: those `shared`, or each player's."""
        every = self._empty.bit_count()
        if self.terms.supply == "shared":
            return {"shared": every}
        faces = self.terms.faces
        return {who: self.left if faces[who] == "heads" else every - self.left for who in self.terms.order}

    def moves(self) -> tuple[Move, ...]:
        """All moves in reading order, the dues of each outward line by line; only `pass` where it is forced."""
        if self.open:
            return tuple([self._placing(cell) for cell in single(self.open)])
        return () if self._end() else (Move(PASS),)

    def named(self, label: str) -> Move | None:
        """The one of `moves` with this label, or None."""
        if cell := self._opened(label):
            return self._placing(cell)
        return Move(PASS) if label == PASS and self._must_pass else None

    def play(self, move: Move) -> BracketPosition:
        """The position after a legal move, known by its label alone. Raises `NotLegal` for any other."""
        if cell := self._opened(move.label):
            return self._placed(cell)
        if move.label == PASS and self._must_pass:
            return self._missed()
        raise NotLegal(f"{move.label} is no move that {self.player} has; it is one of {self._labels()}")

    def standing(self, pieces: Mapping[Cell, Piece]) -> BracketPosition:
        """This position with these sides up on these cells, the same player to move."""
        bits = self.terms.board.bits
        mine = sum(bits[cell] for cell, piece in pieces.items() if piece == self.player)
        theirs = sum(bits[cell] for cell, piece in pieces.items() if piece != self.player)
        own, other = self.own & ~theirs | mine, self.other & ~mine | theirs
        return _position(self.terms, self.player, own, other, self.passes, self.left)

    def faults(self, lying: Lying) -> dict[Cell, str | None]:
        """Why a disc on a cell that should be empty is no move of the player to move, for all such cells."""
        stray = {cell: pieces for cell, pieces in lying.items() if pieces and self._is_empty(cell)}
        return {cell: self.fault(cell, _one(pieces)) for cell, pieces in stray.items()}

    def fault(self, cell: Cell, piece: Piece | None) -> str:
        """Why a disc on this empty cell is no move of the player to move; `None`: its side is not seen.

        `wrong-side`, `not-your-piece` or `no-bracket`; else `extra-piece`: the game is over, or it is a move.
        """
        if not self.open and self._end():
            return "extra-piece"
        bit = self.terms.board.bits[cell]
        if bit & self.open:
            return "wrong-side" if piece == self.terms.rival[self.player] else "extra-piece"
        return "not-your-piece" if piece != self.player and bit & self._missed().open else "no-bracket"

    def _is_empty(self, cell: Cell) -> bool:
        return bool(self.terms.board.bits[cell] & self._empty)

    @property
    def _empty(self) -> Cells:
        return self.terms.board.full & ~(self.own | self.other)

    @property
    def _must_pass(self) -> bool:
        return not self.open and not self._end()

    def _end(self) -> str | None:
        """Why the game is over, asked only where the player to move has no move."""
        if not self._empty:
            return "full"
        if self.terms.end == "two-passes":
            return "two-passes" if self.passes > 1 else None
        return None if self._missed().open else "no-moves"

    def _opened(self, label: str) -> Cells:
        return self.terms.board.bits.get(label, 0) & self.open

    def _labels(self) -> str:
        return ", ".join(move.label for move in self.moves()) or "none"

    def _placing(self, cell: Cells) -> Move:
        terms, player = self.terms, self.player
        act, turned = terms.placed[player][cell], terms.turned[player]
        runs = terms.board.runs(self.own, self.other, cell)
        return Move(act.cell, (act,), tuple([turned[number] for run in runs for number in run.outward]))

    def _placed(self, cell: Cells) -> BracketPosition:
        terms, player = self.terms, self.player
        turned = 0
        for run in terms.board.runs(self.own, self.other, cell):
            turned |= run.cells
        left = self.left - 1 if terms.faces[player] == "heads" else self.left
        return _position(terms, terms.rival[player], self.other & ~turned, self.own | cell | turned, 0, left)

    def _missed(self) -> BracketPosition:
        rival = self.terms.rival[self.player]
        return _position(self.terms, rival, self.other, self.own, self.passes + 1, self.left)


def _one(pieces: Collection[Piece]) -> Piece | None:
    """The piece that it is, or None where it may be several."""
    return next(iter(pieces)) if len(pieces) == 1 else None


def crossed(terms: Terms, diagonal: Literal["standard", "mirrored"]) -> BracketPosition:
    """The start: two discs of each side crossed in the middle, those of heads rising to the right if standard."""
    size = terms.board.size
    corner = size // 2 * (size + 1)
    rising, falling = 1 << corner - 1 | 1 << corner - size, 1 << corner | 1 << corner - size - 1
    heads_first = terms.faces[terms.order[0]] == "heads"
    own, other = (rising, falling) if heads_first == (diagonal == "standard") else (falling, rising)
    return _position(terms, terms.order[0], own, other, 0, size**2 // 2 - 2)


def _position(
    terms: Terms, player: Player, own: Cells, other: Cells, passes: int, left: int
) -> BracketPosition:
    """The position with these discs. A player who had none left was handed one: no supply is below nothing."""
    empty = terms.board.full & ~(own | other)
    can = reach(own, other, terms.board.axes) & empty
    return BracketPosition(terms, player, own, other, can, passes, max(0, min(left, empty.bit_count())))
