"""Men on coloured lines: what the rules of Brax allow in a position, and what comes of it.

A man goes one space along any line, or two along lines of its own colour; it takes an opposing man by going where
that stands. Whoever has moved may call, and binds the next turn of one opponent. This module knows seats and sides;
names, options and boards are in `brax`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from boardctl.core.model import (
    PASS,
    Call,
    Cell,
    Change,
    Lying,
    Move,
    Outcome,
    Piece,
    PlainPosition,
    Player,
)
from boardctl.games.linework import Colour, LineBoard

BRAX = "brax"
"""The word of the call."""
QUIET_ONE_EACH = 10
"""Moves without a capture, with one man on each side, that make a draw: five by each (the text, Ending the Game)."""
NO_MOVE = Move(PASS)


class NotLegal(ValueError):
    """A move that the rules do not allow in this position."""


def colour(owner: Player) -> Colour:
    """The side of a player or man: `blue` of `blue_2`."""
    return owner.partition("_")[0]


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """What stays as it is through a whole game."""

    board: LineBoard
    order: tuple[Player, ...]
    """The players in order of play."""
    doubled: Player | None
    """Who makes two moves a turn, with different men (three players)."""
    scripted: Player | None
    """Who moves by the script (one player); then nothing is called and one man each is no draw."""
    quiet_limit: int
    """Moves in a row without a capture that make a draw; 0: never."""
    lone_may_call: bool
    """Whether a lone man may call against three or more."""


@dataclass(frozen=True, slots=True)
class MenPosition(PlainPosition):
    """A position of Brax: a `Position`."""

    terms: Terms
    player: Player
    pieces: Mapping[Cell, Piece]
    """The owner of the man on every point that has one."""
    just_moved: Player | None = None
    """Whose turn has just ended with a move, and who has not called since."""
    bound: Mapping[Player, tuple[Cell, ...]] = field(default_factory=dict)
    """The points called on each player whose next turn is bound."""
    moved: Cell | None = None
    """Where the man stands that made the first of two moves, while the second is awaited."""
    one_each: int = 0
    """Moves without a capture since each side has one man."""
    quiet: int = 0
    """Moves in a row without a capture."""
    script: tuple[Cell | None, ...] = ()
    """Where the men of the script stand, in the order of their turns; None: taken."""
    turn: int = 0
    """Which man of the script is next."""

    # What the table asks

    @property
    def score(self) -> dict[Player, int]:
        """The men of each player on the board."""
        men = Counter(self.pieces.values())
        return {player: men[player] for player in self.terms.order}

    @property
    def outcome(self) -> Outcome | None:
        """A side without men has lost; one man each and many quiet moves are a draw."""
        men = self._men()
        if len(men) == 1:
            winners = tuple(player for player in self.terms.order if colour(player) in men)
            return Outcome(winners if len(winners) > 1 else winners[0], "no-pieces", self.score)
        if self.one_each >= QUIET_ONE_EACH:
            return Outcome(None, "one-each", self.score)
        if 0 < self.terms.quiet_limit <= self.quiet:
            return Outcome(None, "quiet-limit", self.score)
        return None

    @property
    def must(self) -> tuple[Cell, ...]:
        """The points called on the player to move whose men still stand there."""
        return tuple(cell for cell in self.bound.get(self.player, ()) if self.pieces.get(cell) == self.player)

    @property
    def marks(self) -> frozenset[Cell]:
        """All men that a call in force names."""
        return frozenset(
            cell for player, cells in self.bound.items() for cell in cells if self.pieces.get(cell) == player
        )

    @property
    def dictated(self) -> bool:
        """Whether the script moves."""
        return self.player == self.terms.scripted and self.outcome is None

    def moves(self) -> tuple[Move, ...]:
        """All moves point by point, in the board's reading order; only `pass` where a player has none."""
        if self.outcome is not None:
            return ()
        if self.player == self.terms.scripted:
            scripted = self._scripted()
            return (NO_MOVE if scripted is None else self._move(*scripted[1:]),)
        moves = tuple(self._move(start, end) for start in self._movable() for end in self.reach(start))
        return moves or (NO_MOVE,)

    def play(self, move: Move) -> MenPosition:
        """The position after a legal move, known by its label alone. Raises `NotLegal` for any other."""
        legal = {each.label: each for each in self.moves()}
        if move.label not in legal:
            raise NotLegal(f"{move.label} is no move here; it is one of {', '.join(legal) or 'none'}")
        if move.label == PASS:
            return self._turn_over(replace(self, just_moved=None, bound=self._unbound()), None)
        (start, man, _), (end, taken, _) = legal[move.label].act
        return self._moved(start, end, str(man), taken)

    @property
    def calls(self) -> dict[str, Call]:
        """`brax` and whom it is said to; `brax` alone where only one opponent is threatened."""
        threatened = self.threatened()
        if self.just_moved is None or self._too_few() or self.outcome is not None:
            return {}
        calls = {f"{BRAX} {rival}": self._call(rival, cells) for rival, cells in threatened.items()}
        if len(calls) == 1:
            calls[BRAX] = next(iter(calls.values()))
        return calls

    def no_call(self, word: str) -> str:
        """Why a word cannot be called; `not-legal` also where it has to be said whom it is meant for."""
        if self.just_moved is None or self.outcome is not None:
            return "not-open"
        if self._too_few():
            return "too-few-pieces"
        threatened, name = self.threatened(), word.partition(" ")[2]
        if not threatened or (name in self.terms.order and name not in threatened):
            return "no-threat"
        return "not-legal"

    def faults(self, lying: Lying) -> dict[Cell, str | None]:
        """Why men that went somewhere may not be there: the reason on the point where each now stands."""
        came_from: dict[Cell, Cell] = {}
        for start, end in sorted(self._goings(lying), key=self._oddity):
            if end not in came_from and start not in came_from.values():
                came_from[end] = start
        reasons = {end: self._refusal(start, end) for end, start in came_from.items()}
        faulty = {end: reason for end, reason in reasons.items() if reason}
        return dict.fromkeys(came_from[end] for end in faulty) | faulty

    # Moves

    def reach(self, start: Cell) -> list[Cell]:
        """The points that the man on this one may go to, whoever's turn it is."""
        board, pieces, side = self.terms.board, self.pieces, colour(self.pieces[start])
        ends = [end for end in board.steps[start] if end not in pieces or colour(pieces[end]) != side]
        for end, middles in board.ways[side][start].items():
            open_to = end not in pieces or colour(pieces[end]) != side
            if open_to and end not in board.steps[start] and any(each not in pieces for each in middles):
                ends.append(end)
        return ends

    def threatened(self) -> dict[Player, tuple[Cell, ...]]:
        """The men, player by player, that whoever has just moved could take in one move."""
        if self.just_moved is None:
            return {}
        own = [cell for cell, owner in self.pieces.items() if owner == self.just_moved]
        struck = {end for start in own for end in self.reach(start) if end in self.pieces}
        rivals = dict.fromkeys(player for player in self.terms.order if player != self.just_moved)
        cells = {
            rival: tuple(sorted(cell for cell in struck if self.pieces[cell] == rival)) for rival in rivals
        }
        return {rival: named for rival, named in cells.items() if named}

    def _movable(self) -> list[Cell]:
        """The points whose men the player may move."""
        must = self.must
        return [
            cell
            for cell in self.terms.board.points
            if self.pieces.get(cell) == self.player and cell != self.moved and (not must or cell in must)
        ]

    def _move(self, start: Cell, end: Cell) -> Move:
        man, taken = self.pieces[start], self.pieces.get(end)
        label = f"{start}{'-' if taken is None else 'x'}{end}"
        return Move(label, (Change(start, man, None), Change(end, taken, man)))

    def _scripted(self) -> tuple[int, Cell, Cell] | None:
        """The next man of the script that can go, from where and to where."""
        for n in range(len(self.script)):
            man = (self.turn + n) % len(self.script)
            start = self.script[man]
            end = None if start is None else self._script_step(start)
            if start is not None and end is not None:
                return man, start, end
        return None

    def _script_step(self, start: Cell) -> Cell | None:
        """It takes the hunter if it can; else forward, right, left or back, as seen from the script's side."""
        points, steps = self.terms.board.points, self.terms.board.steps[start]
        prey = [
            end for end in steps if end in self.pieces and colour(self.pieces[end]) != colour(self.player)
        ]
        x, y = points[start]
        ways = [(x, y + 1), (x - 1, y), (x + 1, y), (x, y - 1)]
        free = [end for way in ways for end in steps if points[end] == way and end not in self.pieces]
        return next(iter([*prey, *free]), None)

    # What comes of a move

    def _moved(self, start: Cell, end: Cell, man: Piece, taken: Piece | None) -> MenPosition:
        pieces = {cell: owner for cell, owner in self.pieces.items() if cell != start}
        pieces = {**pieces, end: man}
        quiet = 0 if taken else self.quiet + 1
        alone = set(Counter(colour(owner) for owner in pieces.values()).values()) == {1}
        counted = alone and taken is None and self.terms.scripted is None
        script, turn = self._script_after(start, end)
        after = replace(
            self,
            pieces=pieces,
            just_moved=None if self.terms.scripted else self.player,
            bound=self._unbound(),
            one_each=self.one_each + 1 if counted else 0,
            quiet=quiet,
            script=script,
            turn=turn,
        )
        return self._turn_over(after, end)

    def _unbound(self) -> dict[Player, tuple[Cell, ...]]:
        return {player: cells for player, cells in self.bound.items() if player != self.player}

    def _script_after(self, start: Cell, end: Cell) -> tuple[tuple[Cell | None, ...], int]:
        """The script's men and whose turn it is once this move is made."""
        scripted = self._scripted() if self.player == self.terms.scripted else None
        if scripted is not None:
            men = tuple(end if cell == start else cell for cell in self.script)
            return men, (scripted[0] + 1) % len(self.script)
        return tuple(None if cell == end else cell for cell in self.script), self.turn

    def _turn_over(self, after: MenPosition, end: Cell | None) -> MenPosition:
        """Whose turn it is next: once more the same player's, where a second move is due."""
        again = self.player == self.terms.doubled and self.moved is None and end is not None
        if again and list(after.pieces.values()).count(self.player) > 1:
            return replace(after, moved=end, just_moved=None)
        order = self.terms.order
        at = order.index(self.player)
        alive = set(after.pieces.values())
        following = (*order[at + 1 :], *order[: at + 1])
        return replace(after, player=next(who for who in following if who in alive), moved=None)

    # Calls

    def _call(self, rival: Player, cells: tuple[Cell, ...]) -> Call:
        caller = str(self.just_moved)
        after = replace(self, just_moved=None, bound={**self.bound, rival: cells})
        return Call(caller, BRAX, cells, after)

    def _too_few(self) -> bool:
        """Whether whoever has just moved is alone on a side against too few, or against anybody by option."""
        men = self._men()
        side = colour(str(self.just_moved))
        against = sum(men.values()) - men[side]
        return men[side] == 1 and (against == 2 or (against > 2 and not self.terms.lone_may_call))

    def _men(self) -> Counter[Colour]:
        return Counter(colour(owner) for owner in self.pieces.values())

    # What hands did

    def _refusal(self, start: Cell, end: Cell) -> str | None:
        """Why the man on one point may not go to another: the first reason that holds, or None."""
        man, there = self.pieces[start], self.pieces.get(end)
        must, side = self.must, colour(man)
        reasons = {
            "not-your-piece": man != self.player,
            "own-piece": there is not None and colour(there) == side,
            "same-piece": start == self.moved,
            "brax-owed": bool(must) and start not in must,
            "blocked": end not in self.reach(start) and end in self.terms.board.ways[side][start],
            "too-far": end not in self.reach(start),
        }
        return next((reason for reason, holds in reasons.items() if holds), None)

    def _goings(self, lying: Lying) -> list[tuple[Cell, Cell]]:
        """From where to where men may have gone, for all that can be seen."""
        left = [cell for cell in lying if cell in self.pieces and self.pieces[cell] not in lying[cell]]
        return [
            (start, end)
            for start in left
            for end in lying
            if start != end and self.pieces[start] in lying[end]
        ]

    def _oddity(self, going: tuple[Cell, Cell]) -> tuple[int, float, Cell, Cell]:
        """How far from a legal move it is that a man went so; never the same for two."""
        start, end = going
        points = self.terms.board.points
        way = abs(complex(*points[start]) - complex(*points[end]))
        return _RANK[self._refusal(start, end)], way, start, end


_RANK: Mapping[str | None, int] = {
    reason: n
    for n, reason in enumerate(
        (None, "too-far", "blocked", "brax-owed", "same-piece", "own-piece", "not-your-piece")
    )
}
"""How near a story is to a legal one, where a man may have come from several points."""


def seats(pieces: Mapping[Player, Sequence[Cell]]) -> Iterator[tuple[Cell, Piece]]:
    """Every man with its point, from who starts where."""
    return ((cell, player) for player, cells in pieces.items() for cell in cells)
