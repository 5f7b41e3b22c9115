"""Flipping and switching: what nine tiles allow, some of them still hidden, and what comes of it.

Nobody knows what lies face down, so a flip is as many moves as there are shapes that may come up: one group, told
apart by the answer. This module knows positions; names, options and pictures are in `flip_switch`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import combinations
from typing import Literal, NamedTuple

from boardctl.core.model import (
    Cell,
    Change,
    Lying,
    Move,
    News,
    Outcome,
    Piece,
    PlainPosition,
    Player,
    Point,
    Round,
)

SHAPES = ("heart", "square", "star")
"""The default names of the three shapes (rulings, section 2), in alphabetical order."""
DOWN = "face-down"
"""A tile of which only the back is seen."""
PLAYERS = ("1", "2")
OF_A_SHAPE = 3
"""Tiles of each shape."""
TO_WIN = 2
"""Shapes a player has to nullify to win the round."""
CELLS = tuple(column + row for row in "123" for column in "abc")
"""In reading order; row 1 is the top row, column a the left one."""
BESIDE = frozenset(
    frozenset((one, other))
    for one, other in combinations(CELLS, 2)
    if abs(ord(one[0]) - ord(other[0])) + abs(int(one[1]) - int(other[1])) == 1
)
"""Every two cells side by side, not diagonally."""

Lines = Literal["sides", "all"]
_SIDES = (("a1", "b1", "c1"), ("a3", "b3", "c3"), ("a1", "a2", "a3"), ("c1", "c2", "c3"))
_DIAGONALS = (("a1", "b2", "c3"), ("a3", "b2", "c1"))
_MIDDLES = (("a2", "b2", "c2"), ("b1", "b2", "b3"))
LINES: Mapping[Lines, Sequence[tuple[Cell, ...]]] = {
    "sides": _SIDES + _DIAGONALS,
    "all": _SIDES + _DIAGONALS + _MIDDLES,
}
"""The lines that score: entire sides and both diagonals; with `all` the middle row and column too."""


class NotLegal(ValueError):
    """A move that the rules do not allow in this position."""


class Terms(NamedTuple):
    """What stays as it is through a whole match."""

    lines: Lines
    rounds: int
    """Rounds that win the match."""
    quiet_limit: int
    """Actions in a row without a score after which a round is void; 0: never."""


@dataclass(frozen=True, slots=True)
class TilePosition(PlainPosition):
    """A position of Flip Switch: a `Position`."""

    terms: Terms
    player: Player = PLAYERS[0]
    pieces: Mapping[Cell, Piece] = field(default_factory=lambda: dict.fromkeys(CELLS, DOWN))
    """The shape of every tile that is up, `face-down` of the others, in reading order."""
    nullified: Mapping[Piece, Player] = field(default_factory=dict)
    """The shapes out of play in this round, and who scored them."""
    switched: tuple[Cell, ...] = ()
    """The places of the action made last, if that was a switch."""
    quiet: int = 0
    """Actions in a row without a score."""
    won: tuple[int, int] = (0, 0)
    """Rounds won by each player."""
    opener: Player = PLAYERS[0]
    """Who began this round."""
    happened: tuple[News, ...] = ()
    fresh: bool = False
    """Whether a round has just ended, so that the tiles have to be laid anew."""

    @property
    def news(self) -> tuple[News, ...]:
        """Points and the end of the round that the last action brought about."""
        return self.happened

    @property
    def relaid(self) -> bool:
        """Whether nine tiles have to be shuffled and laid face down for the next round."""
        return self.fresh

    @property
    def score(self) -> dict[Player, int]:
        """Rounds won."""
        return dict(zip(PLAYERS, self.won, strict=True))

    @property
    def outcome(self) -> Outcome | None:
        """Who won the match: the first to win so many rounds."""
        winner = next((who for who, rounds in self.score.items() if rounds >= self.terms.rounds), None)
        return None if winner is None else Outcome(winner, "match", self.score)

    @property
    def marks(self) -> frozenset[Cell]:
        """The tiles of nullified shapes."""
        return frozenset(cell for cell, piece in self.pieces.items() if piece in self.nullified)

    @property
    def hidden(self) -> tuple[Piece, ...]:
        """The shapes of which not all tiles are up: each may come up next."""
        up = list(self.pieces.values())
        return tuple(shape for shape in SHAPES if up.count(shape) < OF_A_SHAPE)

    def moves(self) -> tuple[Move, ...]:
        """Every flip with every shape that may come up, then every switch."""
        return () if self.outcome else (*self._flips(), *self._switches())

    def play(self, move: Move) -> TilePosition:
        """The position after a legal move, known by its label alone. Raises `NotLegal` for any other."""
        if not any(move.label == legal.label for legal in self.moves()):
            raise NotLegal(f"{move.label} is no move here; it is one of {self._labels()}")
        verb, *words = move.label.split()
        if verb == "flip":
            cell, shape = words
            return self._acted({**self.pieces, cell: shape}, ())
        one, other = words
        exchanged = {**self.pieces, one: self.pieces[other], other: self.pieces[one]}
        return self._acted(exchanged, (one, other))

    def faults(self, lying: Lying) -> dict[Cell, str | None]:
        """Why two tiles that changed places may not: the reason stands on both."""
        reasons = {pair: self.refusal(*pair) for pair in self._exchanged(lying)}
        return {cell: reason for pair, reason in reasons.items() if reason for cell in pair}

    # Moves

    def _flips(self) -> Iterator[Move]:
        for cell, piece in self.pieces.items():
            if piece == DOWN:
                yield from _flip(cell, self.hidden)

    def _switches(self) -> Iterator[Move]:
        for one, other in _PAIRS:
            if self.refusal(one, other) is None:
                yield _switch(one, self.pieces[one], other, self.pieces[other])

    def refusal(self, one: Cell, other: Cell) -> str | None:
        """Why the tiles on two places may not be switched: the first reason that holds, or None."""
        first, second = self.pieces[one], self.pieces[other]
        reasons = {
            "not-adjacent": frozenset((one, other)) not in BESIDE,
            "face-down": DOWN in (first, second),
            "same-shape": first == second,
            "both-nullified": {first, second} <= self.nullified.keys(),
            "repeats-last": self.switched == tuple(sorted((one, other))),
        }
        return next((reason for reason, holds in reasons.items() if holds), None)

    def _labels(self) -> str:
        return ", ".join(move.label for move in self.moves()) or "none"

    # What comes of an action

    def _acted(self, pieces: Mapping[Cell, Piece], switched: tuple[Cell, ...]) -> TilePosition:
        scored = [shape for shape in SHAPES if shape not in self.nullified and self._lined(pieces, shape)]
        nullified = {**self.nullified, **dict.fromkeys(scored, self.player)}
        after = replace(
            self,
            player=_other(self.player),
            pieces=pieces,
            nullified=nullified,
            switched=switched,
            quiet=0 if scored else self.quiet + 1,
            happened=tuple(Point(self.player, shape) for shape in scored),
            fresh=False,
        )
        if list(nullified.values()).count(self.player) >= TO_WIN:
            return after._won_by(self.player)
        return after._void() if 0 < self.terms.quiet_limit <= after.quiet else after

    def _lined(self, pieces: Mapping[Cell, Piece], shape: Piece) -> bool:
        return any(all(pieces[cell] == shape for cell in line) for line in LINES[self.terms.lines])

    def _won_by(self, player: Player) -> TilePosition:
        """The round is won; the loser begins the next, unless that was the match."""
        first, second = self.won
        won = (first + 1, second) if player == PLAYERS[0] else (first, second + 1)
        ended = replace(self, won=won, happened=(*self.happened, Round(player)))
        return ended if ended.outcome else ended._next_round(_other(player))

    def _void(self) -> TilePosition:
        """Nobody won the round, and who did not begin it begins the next."""
        return replace(self, happened=(*self.happened, Round(None)))._next_round(_other(self.opener))

    def _next_round(self, opener: Player) -> TilePosition:
        return TilePosition(
            self.terms, opener, won=self.won, opener=opener, happened=self.happened, fresh=True
        )

    # What hands did

    def _exchanged(self, lying: Lying) -> Iterator[tuple[Cell, Cell]]:
        """The tiles that changed places, two and two: those that have both landed before others, then neighbours."""
        paired: set[Cell] = set()
        pairs = [pair for pair in combinations(sorted(lying), 2) if self._crossed(lying, *pair)]
        pairs.sort(key=lambda pair: (not all(map(lying.get, pair)), frozenset(pair) not in BESIDE))
        for pair in pairs:
            if paired.isdisjoint(pair):
                paired.update(pair)
                yield pair

    def _crossed(self, lying: Lying, one: Cell, other: Cell) -> bool:
        """Whether each cell may hold the other's tile; one of them may still be empty."""
        there = self.pieces[other] in lying[one], self.pieces[one] in lying[other]
        return any(there) and all(
            here or not lying[cell] for here, cell in zip(there, (one, other), strict=True)
        )


def _other(player: Player) -> Player:
    return PLAYERS[player == PLAYERS[0]]


_PAIRS = sorted(tuple(sorted(pair)) for pair in BESIDE)


@cache
def _flip(cell: Cell, shapes: tuple[Piece, ...]) -> tuple[Move, ...]:
    """A tile turned up, once for every shape that may be on it."""
    return tuple(
        Move(f"flip {cell} {shape}", (Change(cell, DOWN, shape),), (), f"flip {cell}", shape)
        for shape in shapes
    )


@cache
def _switch(one: Cell, first: Piece, other: Cell, second: Piece) -> Move:
    return Move(f"switch {one} {other}", (Change(one, first, second), Change(other, second, first)))
