"""An independent reader of what a session tells: it follows the rules alone and objects to whatever they forbid."""

from __future__ import annotations

from collections.abc import Iterable

from boardctl.core.commands import (
    Begun,
    Called,
    Command,
    Ended,
    Moved,
    Owed,
    Passed,
    RoundEnded,
    Scored,
    Stood,
    Turn,
    Undone,
)
from boardctl.core.model import PASS, Cell, Game, Move, Piece, Point, Position, Round


class Auditor:
    """A game followed from its commands. Raises AssertionError at the first one that cannot be."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._plies: list[tuple[Position, str]] = []
        self.started = False
        """Whether the start that lies on the board is known: as soon as a ply is played."""
        self._practising = False
        self._news: list[Point | Round] = []
        """What the last move brought about and nobody has told yet."""
        self.position: Position = game.starts[0]

    def hear(self, commands: Iterable[Command]) -> None:
        """Follow these commands."""
        for command in commands:
            match command:
                case Moved():
                    self._moved(command)
                case Passed():
                    self._passed(command)
                case Undone():
                    self._undone(command)
                case Stood():
                    self._stood(command)
                case Owed(why="set-up") if self._practising:
                    self._begin()
                case Turn():
                    self._turn(command)
                case Called():
                    self._called(command)
                case Scored():
                    self._heard_news(Point(command.player, command.shape))
                case RoundEnded():
                    self._heard_news(Round(command.player))
                case Begun():
                    self._begin()
                case Ended():
                    self._ended(command)
                case _:
                    pass

    def _begin(self) -> None:
        self._plies.clear()
        self.started = self._practising = False
        self.position = self._game.starts[0]

    def _moved(self, moved: Moved) -> None:
        if self._practising and not moved.practice:
            self._begin()
        self._practising = bool(moved.practice)
        self._choose_start(moved)
        assert moved.ply == len(self._plies) + 1, f"{moved} is not ply {len(self._plies) + 1}"
        assert moved.player == self.position.player, f"{moved}: it is {self.position.player}'s turn"
        move = next((m for m in self.position.moves() if m.label == moved.move), None)
        assert move is not None, f"{moved} is not legal"
        expected = {cell: (before, after) for cell, before, after in move.changes}
        assert dict(moved.cells) == expected, f"{moved} changes {expected}"
        self._plies.append((self.position, moved.move))
        self.position = self.position.play(move)
        self._news = list(self.position.news)

    def _heard_news(self, news: Point | Round) -> None:
        assert self._news and self._news.pop(0) == news, f"{news} is not what the last move brought about"

    def _called(self, called: Called) -> None:
        calls = [call for call in self.position.calls.values() if call.call == called.call]
        call = next((call for call in calls if list(call.cells) == list(called.cells)), None)
        assert call is not None, f"{called} cannot be called"
        assert call.player == called.player
        self.position = call.after

    def _choose_start(self, moved: Moved) -> None:
        if not self._plies:
            befores = {cell: piece for cell, (piece, _) in moved.cells.items() if piece is not None}
            self.position = next(s for s in self._game.starts if befores.items() <= dict(s.pieces).items())

    def _passed(self, passed: Passed) -> None:
        assert (passed.ply, passed.player) == (len(self._plies) + 1, self.position.player), passed
        assert [m.label for m in self.position.moves()] == [PASS], f"{passed}, but there are moves"
        self._plies.append((self.position, PASS))
        self.position = self.position.play(Move(PASS))

    def _undone(self, undone: Undone) -> None:
        before, label = self._plies.pop()
        assert (undone.ply, undone.move) == (len(self._plies) + 1, label), f"{undone}, but {label} was last"
        self.position = before

    def _stood(self, stood: Stood) -> None:
        moves = [number for number, (_, label) in enumerate(self._plies, 1) if label != PASS]
        assert moves[-1:] == [stood.ply], f"{stood}, but the last move was ply {moves[-1:]}"
        self.position = self.position.standing(stood.cells)

    def _turn(self, turn: Turn) -> None:
        if self._practising and turn.ply == 1:
            self._begin()
        positions = [self.position] if self._plies else list(self._game.starts)
        assert not self._news, f"nobody told {self._news}"
        awaited = [(at.player, sorted({m.known_as for m in at.moves()})) for at in positions]
        assert list(turn.must or ()) in [list(at.must) for at in positions], turn
        assert turn.ply == len(self._plies) + 1, turn
        assert (turn.player, list(turn.moves)) in awaited, f"{turn}, but it is {awaited}"

    def _ended(self, ended: Ended) -> None:
        if ended.because not in ("resigned", "agreed", "abandoned"):
            outcome = self.position.outcome
            assert outcome is not None, f"{ended}, but the game goes on"
            assert (ended.winner, ended.because, dict(ended.score)) == (
                outcome.winner,
                outcome.because,
                dict(outcome.score),
            )

    @property
    def pieces(self) -> dict[Cell, Piece]:
        """What the moves told leave on the board."""
        return dict(self.position.pieces)

    @property
    def labels(self) -> list[str]:
        """The plies that stand."""
        return [label for _, label in self._plies]
