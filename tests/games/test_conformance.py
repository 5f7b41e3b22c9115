"""Every game through the same questions: ours as they are installed, a stranger's, and broken ones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

import boardctl.games
from boardctl.conformance import breaches, variants
from boardctl.core.commands import Ended, Moved, Wrong
from boardctl.core.events import Elapsed, Sampled
from boardctl.core.model import Change, Move, Outcome
from boardctl.core.session import Session, Setup
from boardctl.plugins import found
from tests.games import tictactoe
from tests.games.tictactoe import CELLS, TICTACTOE, Grid, TicTacToe


@pytest.mark.parametrize("name", found())
def test_every_installed_game_keeps_what_the_core_relies_on(name: str) -> None:
    assert breaches(found()[name], games=3) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", found())
def test_every_installed_game_keeps_it_through_many_games(name: str) -> None:
    assert breaches(found()[name], games=15, seed=1) == []


def test_a_strangers_game_written_in_under_sixty_lines_keeps_it_too() -> None:
    assert len(Path(tictactoe.__file__).read_text().splitlines()) < 60
    assert breaches(TICTACTOE, games=200) == []


def test_the_worked_game_of_the_guide_is_the_one_that_is_tested() -> None:
    guide = Path(boardctl.games.__file__).with_name("README.md").read_text()
    shown = guide.partition("```python\n")[2].partition("```")[0]
    assert shown == Path(tictactoe.__file__).read_text()


def test_a_strangers_game_is_played_and_judged_on_reeds() -> None:
    session = Session(TICTACTOE.game({}), Setup(sensors="presence"))
    told = list(session.opening())
    for second, cell in enumerate(["a1", "b1", "a2", "b2", "a3"], 1):
        told += session.handle(Sampled(cell, "piece"), float(second))
    told += session.handle(Elapsed(), 7.0)
    assert [(each.player, each.move) for each in told if isinstance(each, Moved)] == [
        ("X", "a1"), ("O", "b1"), ("X", "a2"), ("O", "b2"), ("X", "a3"),
    ]  # fmt: skip
    assert [each.winner for each in told if isinstance(each, Ended)] == ["X"]
    assert not [each for each in told if isinstance(each, Wrong) and each.cells]


def test_every_option_is_tried_at_each_of_its_values() -> None:
    tried = list(variants(found()["othello"]))
    assert {"first": "white"} in tried
    assert {"size": 4} in tried
    assert {"empties_to_winner": True} in tried
    assert tried[0] == {}


@dataclass(frozen=True)
class Amiss(TicTacToe):
    """Tic-tac-toe with positions of another make."""

    starts: tuple[Grid, ...] = ()
    options = ()

    def game(self, options: object) -> Amiss:
        TICTACTOE.game(options)
        return self


class Endless(Grid):
    outcome = None

    def moves(self) -> list[Move]:
        return [Move(cell, (Change(cell, None, self.player),)) for cell in CELLS if cell not in self.pieces]

    def play(self, move: Move) -> Grid:
        return replace(self, pieces=self.pieces | {move.label: self.player})


class Forgetful(Grid):
    def play(self, move: Move) -> Grid:  # noqa: ARG002
        return replace(self, player="O" if self.player == "X" else "X")


class Scribbling(Grid):
    def play(self, move: Move) -> Grid:
        self.pieces[move.label] = self.player
        return Scribbling("O" if self.player == "X" else "X", dict(self.pieces))


class Twice(Grid):
    def moves(self) -> list[Move]:
        return [replaced._replace(label="here") for replaced in super().moves()]

    def play(self, move: Move) -> Grid:
        return Twice("O" if self.player == "X" else "X", self.pieces | {move.act[0].cell: self.player})


class Boastful(Grid):
    @property
    def outcome(self) -> Outcome | None:
        return Outcome("nobody you know", "boast", {})

    def moves(self) -> list[Move]:
        return []


@pytest.mark.parametrize(
    ("kind", "what"),
    [
        (Endless, "a position must have a legal move or an outcome, and not both"),
        (Forgetful, "the position after a move is not what its changes lead to"),
        (Scribbling, "playing changes the position it was played from"),
        (Twice, "a label is used twice, empty, or a word of the judge"),
        (Boastful, "the outcome names somebody who does not play"),
    ],
)
def test_a_game_that_breaks_a_rule_is_found_out(kind: type[Grid], what: str) -> None:
    found_out = [breach.what.partition(":")[0] for breach in breaches(Amiss((kind("X", {}),)), games=5)]
    assert what in found_out
