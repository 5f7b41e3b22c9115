"""Whole matches of Flip Switch, played at a table where the tiles are shuffled and the program does not see them.

The rules are said once more here, as plainly as they can be, and share nothing with the engine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardctl.core.model import Move, Outcome, Point, Round
from boardctl.games.flip_switch import FLIP_SWITCH
from boardctl.games.flipping import TilePosition

TILES = ["heart"] * 3 + ["square"] * 3 + ["star"] * 3
CELLS = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]
DOWN = "face-down"
SIDES = ["a1 b1 c1", "a3 b3 c3", "a1 a2 a3", "c1 c2 c3", "a1 b2 c3", "a3 b2 c1"]
LINES = {"sides": SIDES, "all": [*SIDES, "a2 b2 c2", "b1 b2 b3"]}
RIVAL = {"1": "2", "2": "1"}


@dataclass
class Table:
    """Nine tiles and two people who keep to the rules and remember everything."""

    lines: str
    rounds: int
    quiet_limit: int
    tiles: dict[str, str]
    up: set[str] = field(default_factory=set)
    player: str = "1"
    opener: str = "1"
    nullified: dict[str, str] = field(default_factory=dict)
    last: str = ""
    quiet: int = 0
    wins: dict[str, int] = field(default_factory=lambda: {"1": 0, "2": 0})

    def seen(self) -> dict[str, str]:
        return {cell: self.tiles[cell] if cell in self.up else DOWN for cell in CELLS}

    def may(self) -> list[str]:
        flips = [f"flip {cell}" for cell in CELLS if cell not in self.up]
        pairs = [(one, other) for one in CELLS for other in CELLS if one < other]
        return sorted(
            flips + [f"switch {one} {other}" for one, other in pairs if self.may_switch(one, other)]
        )

    def may_switch(self, one: str, other: str) -> bool:
        (column, row), (column_2, row_2) = one, other
        steps = abs(ord(column) - ord(column_2)) + abs(int(row) - int(row_2))
        if steps != 1 or not {one, other} <= self.up or self.last == f"switch {one} {other}":
            return False
        shapes = {self.tiles[one], self.tiles[other]}
        return len(shapes) == 2 and not shapes <= set(self.nullified)

    def act(self, action: str) -> list[Point | Round]:
        verb, *cells = action.split()
        if verb == "flip":
            self.up.update(cells)
        else:
            one, other = cells
            self.tiles[one], self.tiles[other] = self.tiles[other], self.tiles[one]
        self.last = action
        return self.judged()

    def judged(self) -> list[Point | Round]:
        """What is announced after an action; the next player, or the next round."""
        mover, self.player = self.player, RIVAL[self.player]
        whole = [line.split() for line in LINES[self.lines] if set(line.split()) <= self.up]
        lined = {self.tiles[line[0]] for line in whole if len({self.tiles[cell] for cell in line}) == 1}
        new = sorted(lined - set(self.nullified))
        self.nullified |= dict.fromkeys(new, mover)
        self.quiet = 0 if new else self.quiet + 1
        points: list[Point | Round] = [Point(mover, shape) for shape in new]
        if Counter(self.nullified.values())[mover] > 1:
            self.wins[mover] += 1
            self.begun_by(RIVAL[mover])
            return [*points, Round(mover)]
        if 0 < self.quiet == self.quiet_limit:
            self.begun_by(RIVAL[self.opener])
            return [*points, Round(None)]
        return points

    def begun_by(self, player: str) -> None:
        if max(self.wins.values()) < self.rounds:
            self.player = self.opener = player
            self.up, self.nullified, self.last, self.quiet = set(), {}, "", 0


def shuffled(chance: Random) -> dict[str, str]:
    return dict(zip(CELLS, chance.sample(TILES, 9), strict=True))


def variant(position: TilePosition, action: str, tiles: Mapping[str, str]) -> Move:
    """The move that an action turns out to be: of a flip, the one whose answer lies there."""
    found = [move for move in position.moves() if move.known_as == action]
    return next(move for move in found if move.answer in ("", tiles[action.split()[1]]))


@st.composite
def options(draw: st.DrawFn) -> dict[str, object]:
    return {
        "lines": draw(st.sampled_from(["sides", "all"])),
        "rounds": draw(st.integers(1, 3)),
        "quiet_limit": draw(st.sampled_from([0, 3, 8, 25])),
    }


@given(options(), st.randoms(use_true_random=True), st.integers(1, 250))
def test_a_match_goes_as_two_people_would_play_it_who_keep_to_the_rules(
    chosen: dict[str, object], chance: Random, plies: int
) -> None:
    table = Table(**chosen, tiles=shuffled(chance))  # type: ignore[arg-type]
    here = FLIP_SWITCH.game(chosen).starts[0]
    for _ in range(plies):
        assert (here.pieces, here.player, here.score) == (table.seen(), table.player, table.wins)
        assert here.marks == {cell for cell in table.up if table.tiles[cell] in table.nullified}
        if here.outcome:
            winner = max(table.wins, key=table.wins.__getitem__)
            assert (here.outcome, here.moves()) == (Outcome(winner, "match", table.wins), ())
            assert (table.wins[winner], here.relaid) == (chosen["rounds"], False)
            return
        assert sorted({move.known_as for move in here.moves()}) == table.may()
        assert len(table.may()) >= 2
        action = chance.choice(table.may())
        here = here.play(variant(here, action, table.tiles))
        assert list(here.news) == table.act(action)
        assert here.relaid == (any(isinstance(each, Round) for each in here.news) and not here.outcome)
        if here.relaid:
            table.tiles = shuffled(chance)
    assert (max(table.wins.values()) == table.rounds) == bool(here.outcome)


@given(options(), st.randoms(use_true_random=True), st.integers(1, 120))
def test_a_move_does_what_its_changes_say_and_leaves_the_position_before_it_as_it_was(
    chosen: dict[str, object], chance: Random, plies: int
) -> None:
    here = FLIP_SWITCH.game(chosen).starts[0]
    for _ in range(plies):
        if not (moves := here.moves()):
            return
        move, before, taken_down = chance.choice(moves), here, (dict(here.pieces), dict(here.nullified))
        here = here.play(move)
        assert (before.pieces, before.nullified) == taken_down
        assert (before.moves(), move.dues) == (moves, ())
        assert {change.cell: before.pieces[change.cell] for change in move.act} == {
            change.cell: change.before for change in move.act
        }
        if not here.relaid:
            assert here.pieces == {**before.pieces, **{change.cell: change.after for change in move.act}}
            assert list(here.pieces) == CELLS
            assert all(count <= 3 for piece, count in Counter(here.pieces.values()).items() if piece != DOWN)


def after(here: TilePosition, *labels: str) -> TilePosition:
    for label in labels:
        here = here.play(next(move for move in here.moves() if move.label == label))
    return here


def laid(rows: Sequence[str], **said: object) -> TilePosition:
    """A position with H, Q, S up and ? down, row 1 first; `said` are options, or else what else is so."""
    shapes = {"H": "heart", "Q": "square", "S": "star", "?": DOWN}
    chosen = {name: said.pop(name) for name in ("lines", "rounds", "quiet_limit") if name in said}
    pieces = dict(zip(CELLS, map(shapes.__getitem__, "".join(rows)), strict=True))
    return replace(FLIP_SWITCH.game(chosen).starts[0], pieces=pieces, **said)  # type: ignore[arg-type]


def test_a_flip_is_one_action_of_a_move_for_every_shape_that_may_come_up_and_flips_are_listed_first() -> None:
    moves = laid(["HQH", "QS?", "S?H"]).moves()
    flips = [("flip c2", "flip c2 square"), ("flip c2", "flip c2 star"), ("flip b3", "flip b3 square")]
    assert [(move.group, move.label) for move in moves][:4] == [*flips, ("flip b3", "flip b3 star")]
    assert [(move.answer, move.act) for move in moves][:1] == [("square", (("c2", DOWN, "square"),))]


def test_a_shape_that_is_the_only_one_left_is_a_group_of_one() -> None:
    moves = laid(["HQH", "QQS", "S?H"]).moves()
    assert moves[0] == ("flip b3 star", (("b3", DOWN, "star"),), (), "flip b3", "star")
    assert moves[1] == ("switch a1 a2", (("a1", "heart", "square"), ("a2", "square", "heart")), (), "", "")


def test_the_switch_made_just_now_may_not_be_made_again_but_after_any_other_action_it_may() -> None:
    def labels(here: TilePosition) -> set[str]:
        return {move.label for move in here.moves()}

    made = after(laid(["HQ?", "?SH", "???"]), "switch a1 b1")
    assert "switch a1 b1" not in labels(made)
    assert "switch a1 b1" in labels(after(made, "flip c1 star"))
    assert "switch a1 b1" in labels(after(made, "switch b2 c2"))
    assert "switch b2 c2" not in labels(after(made, "switch b2 c2"))


@pytest.mark.parametrize(("lines", "points"), [("sides", ["heart"]), ("all", ["heart", "star"])])
def test_two_lines_at_once_are_two_points_in_alphabetical_order_where_middle_rows_score(
    lines: str, points: list[str]
) -> None:
    here = after(laid(["HHS", "SSH", "Q?Q"], lines=lines, player="2"), "switch c1 c2")
    ends = [Round("2")] if lines == "all" else []
    assert here.news == (*(Point("2", shape) for shape in points), *ends)


def test_a_point_the_end_of_a_round_and_a_new_board_are_news_only_until_the_next_action() -> None:
    won = after(laid(["HH?", "???", "SQS"], nullified={"square": "1"}), "flip c1 heart")
    assert (won.news, won.relaid, set(won.pieces.values())) == (
        (Point("1", "heart"), Round("1")),
        True,
        {DOWN},
    )
    on = after(won, "flip a1 star")
    assert (on.news, on.relaid, on.player, on.score) == ((), False, "1", {"1": 1, "2": 0})


def test_the_loser_of_a_round_begins_the_next_and_the_last_round_stays_as_it_lies() -> None:
    board = ["HH?", "???", "SQS"]
    first = after(laid(board, nullified={"square": "1"}, rounds=2), "flip c1 heart")
    assert (first.player, first.score) == ("2", {"1": 1, "2": 0})
    second = after(
        replace(laid(board), player="1", nullified={"square": "1"}, won=first.won), "flip c1 heart"
    )
    assert (second.outcome, second.relaid) == (Outcome("1", "match", {"1": 2, "2": 0}), False)
    assert (second.pieces["c1"], second.marks) == ("heart", {"a1", "b1", "c1", "b3"})
    assert (second.moves(), second.news) == ((), (Point("1", "heart"), Round("1")))


def test_one_shape_each_ends_no_round() -> None:
    here = after(laid(["HH?", "???", "SQS"], nullified={"square": "2"}), "flip c1 heart")
    assert (here.news, here.player, here.relaid) == ((Point("1", "heart"),), "2", False)


def test_void_rounds_are_begun_by_the_players_in_turn_whoever_acted_last() -> None:
    here = laid(["???", "???", "???"], quiet_limit=3)
    begun = []
    for _ in range(3):
        here = after(here, "flip a1 heart", "flip c2 heart", "flip b1 star")
        begun.append((here.player, here.news, here.relaid, here.score))
    void = ((Round(None),), True, {"1": 0, "2": 0})
    assert begun == [("2", *void), ("1", *void), ("2", *void)]


def test_a_void_round_goes_to_who_did_not_begin_it_after_any_number_of_actions() -> None:
    here = after(laid(["???", "???", "???"], quiet_limit=4), "flip a1 heart", "flip c2 heart", "flip b1 star")
    assert (after(here, "flip b2 star").player, here.player) == ("2", "2")


def test_a_point_begins_the_count_of_quiet_actions_anew() -> None:
    here = after(laid(["HH?", "?S?", "SQ?"], quiet_limit=3, quiet=2), "flip c1 heart")
    assert (here.news, here.quiet) == ((Point("1", "heart"),), 0)
    here = after(here, "flip a2 square", "flip c2 square")
    assert (here.news, here.quiet) == ((), 2)
    assert after(here, "flip c3 star").news == (Round(None),)
