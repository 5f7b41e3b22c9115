"""The number of lines of play, against published and twice computed counts (data/perft.json)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from boardctl.core.model import Move, Outcome
from boardctl.games.bracket import BRACKET, FUNDEX, OTHELLO
from boardctl.games.bracketing import BracketPosition
from boardctl.games.perft import divide, perft
from tests.games import plain
from tests.games.diagrams import DATA, position

PARALLEL = ["........", "........", "........", "...OO...", "...XX...", "........", "........", "........"]
STARTS: dict[str, BracketPosition] = {
    "othello-8x8": OTHELLO.game({}).starts[0],
    "fundex-8x8": FUNDEX.game({}).starts[0],
    "othello-6x6": BRACKET.game({}).starts[0],
    "othello-6x6-o-first": BRACKET.game({"first": "O"}).starts[0],
    "othello-4x4": OTHELLO.game({"size": 4}).starts[0],
    "parallel-8x8": position(OTHELLO.game({}), "black", PARALLEL),
}
QUICK, SLOW = 500_000, 30_000_000
"""Lines that are counted in every run, and in the slow one; what is more takes minutes."""


def counts() -> list[Any]:
    rows = [row for row in json.loads((DATA / "perft.json").read_text())["rows"] if row["nodes"] <= SLOW]
    marks = [[pytest.mark.slow] if row["nodes"] > QUICK else [] for row in rows]
    names = [f"{row['variant']}-{row['depth']}" for row in rows]
    return [
        pytest.param(row, id=name, marks=mark) for row, name, mark in zip(rows, names, marks, strict=True)
    ]


@pytest.mark.parametrize("row", counts())
def test_there_are_as_many_lines_as_others_have_counted(row: dict[str, Any]) -> None:
    assert perft(STARTS[row["variant"]], row["depth"]) == row["nodes"]


@pytest.mark.parametrize("size", [4, 6, 8, 10])
def test_on_every_size_there_are_as_many_lines_as_a_plain_walk_over_a_table_of_discs_finds(size: int) -> None:
    start = OTHELLO.game({"size": size}).starts[0]
    assert perft(start, 5) == plain.lines(start.pieces, "black", "white", size, 5)


def test_the_lines_divide_among_the_first_moves() -> None:
    assert divide(STARTS["othello-8x8"], 3) == {"d3": 14, "c4": 14, "f5": 14, "e6": 14}


def test_a_line_that_has_ended_is_counted_once_however_deep_one_counts() -> None:
    assert [perft(STARTS["othello-4x4"], depth) for depth in (15, 16, 40)] == [60060, 60060, 60060]


def test_a_forced_pass_is_a_ply() -> None:
    here = position(OTHELLO.game({"size": 4}), "black", ["XO..", "....", "....", "...."])
    assert (perft(here, 1), divide(here, 1)) == (1, {"c1": 1})
    missed = position(OTHELLO.game({"size": 4}), "white", ["XO..", "....", "....", "...."])
    assert (perft(missed, 1), divide(missed, 2)) == (1, {"pass": 1})


@pytest.mark.parametrize("rules", [BRACKET, FUNDEX, OTHELLO])
def test_the_end_of_a_game_is_one_line_whatever_ends_it(rules: Any) -> None:
    mover = next(iter(rules.sides))
    here = position(rules.game({"size": 4}), mover, ["XX..", "....", "....", "...."])
    assert [perft(here, depth) for depth in range(4)] == [1, 1, 1, 1]


@dataclass(frozen=True)
class Heap:
    """Another game: take one or two from a heap. A `Position` of which only the moves matter."""

    left: int
    player: str = "1"
    pieces: Mapping[str, str] = field(default_factory=dict)
    outcome: Outcome | None = None
    score: Mapping[str, int] = field(default_factory=dict)
    supply: Mapping[str, int] = field(default_factory=dict)
    marks: frozenset[str] = frozenset()

    def moves(self) -> tuple[Move, ...]:
        return tuple(Move(str(taken)) for taken in (1, 2) if taken <= self.left)

    def play(self, move: Move) -> Heap:
        return Heap(self.left - int(move.label))

    def standing(self, pieces: Mapping[str, str]) -> Heap:  # noqa: ARG002  # nothing lies anywhere
        return self

    def fault(self, cell: str, piece: str | None) -> str:  # noqa: ARG002  # there is no cell
        return "extra-piece"


def test_any_other_game_is_counted_move_by_move() -> None:
    assert [perft(Heap(5), depth) for depth in range(7)] == [1, 2, 4, 7, 8, 8, 8]
    assert divide(Heap(5), 3) == {"1": 4, "2": 3}
