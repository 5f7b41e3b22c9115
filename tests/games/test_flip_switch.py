"""The rules of Flip Switch: every situation of the data, and what always holds while tiles are flipped and switched."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardctl.core.model import Outcome, Point, Round, WrongOption
from boardctl.games.flip_switch import FLIP_SWITCH
from boardctl.games.flipping import CELLS, DOWN, SHAPES, NotLegal, Terms, TilePosition

SITUATIONS = json.loads((Path(__file__).parent.parent / "data/flip_switch_positions.json").read_text())[
    "positions"
]
REASONS = ("not-adjacent", "face-down", "same-shape", "both-nullified", "repeats-last")


def situation(given: dict, lines: str = "sides") -> TilePosition:
    up = {cell: tile["shape"] if tile["up"] else DOWN for cell, tile in given["tiles"].items()}
    return TilePosition(
        Terms(lines, 2, 0),
        given["to_move"],
        {cell: up[cell] for cell in CELLS},
        given["nullified"],
        tuple(sorted(given["last_switch"] or ())),
    )


def done(position: TilePosition, action: str, given: dict) -> TilePosition:
    """The action, a flip with the shape that the shuffler knows."""
    verb, *cells = action.split()
    label = f"flip {cells[0]} {given['tiles'][cells[0]]['shape']}" if verb == "flip" else action
    return position.play(next(move for move in position.moves() if move.label == label))


named = pytest.mark.parametrize("given", SITUATIONS, ids=[given["id"] for given in SITUATIONS])


@named
def test_a_situation_allows_just_these_actions(given: dict) -> None:
    assert sorted({move.known_as for move in situation(given).moves()}) == given["legal"]


@named
def test_only_shapes_still_possible_may_come_up(given: dict) -> None:
    flips = [move for move in situation(given).moves() if move.group]
    assert {move.answer for move in flips} == (set(given["possible_shapes"]) if flips else set())


@named
@pytest.mark.parametrize("lines", ["sides", "all"])
def test_an_action_scores_and_wins_what_the_data_say(given: dict, lines: str) -> None:
    scores, won = {}, {}
    for action in given["legal"]:
        news = done(situation(given, lines), action, given).news
        if shapes := [each.shape for each in news if isinstance(each, Point)]:
            scores[action] = shapes
        if winners := [each.player for each in news if isinstance(each, Round)]:
            won[action] = winners[0]
    expected = {action: scored[lines] for action, scored in given["scores"].items() if scored[lines]}
    assert scores == expected
    assert won == {action: each[lines] for action, each in given["round_won"].items() if each[lines]}


@named
def test_two_tiles_that_may_not_change_places_are_refused_with_the_first_reason(given: dict) -> None:
    here = situation(given)
    for action, reasons in given["refused"].items():
        one, other = action.split()[1:]
        expected = min(reasons, key=REASONS.index)
        lying = {one: {here.pieces[other]}, other: {here.pieces[one]}}
        assert (action, here.faults(lying)) == (action, {one: expected, other: expected})


def test_a_switch_in_mid_air_is_named_on_both_places_once_one_tile_has_landed() -> None:
    here = replace(FLIP_SWITCH.game({}).starts[0], pieces={**dict.fromkeys(CELLS, DOWN), "a1": "heart"})
    assert here.faults({"a1": frozenset(), "b1": {"heart"}}) == {"a1": "face-down", "b1": "face-down"}
    assert here.faults({"a1": frozenset()}) == {}
    assert here.faults({"a1": {DOWN}}) == {}


def test_one_switch_can_make_two_lines_where_all_lines_score() -> None:
    rows = {"a1": "heart", "b1": "heart", "c1": "star", "a2": "star", "b2": "star", "c2": "heart"}
    here = replace(
        FLIP_SWITCH.game({"lines": "all"}).starts[0], pieces={**dict.fromkeys(CELLS, "square"), **rows}
    )
    here = replace(here, nullified={"square": "2"})
    after = here.play(next(move for move in here.moves() if move.label == "switch c1 c2"))
    assert after.news == (Point("1", "heart"), Point("1", "star"), Round("1"))
    assert (after.player, after.relaid, after.score) == ("2", True, {"1": 1, "2": 0})


def flipped(position: TilePosition, *shapes: str) -> TilePosition:
    """Tiles turned up in reading order, with these shapes."""
    for cell, shape in zip(CELLS, shapes, strict=False):
        move = next(move for move in position.moves() if move.label == f"flip {cell} {shape}")
        position = position.play(move)
    return position


def test_the_loser_of_a_round_begins_the_next_and_who_wins_enough_has_won_the_match() -> None:
    won = ["heart"] * 3 + ["star", "square", "star", "square", "square"]
    start = FLIP_SWITCH.game({"rounds": 2}).starts[0]
    after = flipped(start, *won[:3], "square", "square", "star", "star", "star", "square")
    assert after.nullified == {"heart": "1"}
    first = flipped(replace(start, nullified={"star": "1"}), *won[:3])
    assert (first.player, first.pieces, first.nullified) == ("2", start.pieces, {})
    second = flipped(replace(first, nullified={"star": "2"}), *won[:3])
    assert (second.player, second.won) == ("1", (1, 1))
    third = flipped(replace(second, nullified={"star": "1"}), *won[:3])
    assert third.outcome == Outcome("1", "match", {"1": 2, "2": 1})
    assert (third.relaid, third.moves(), third.pieces["a1"]) == (False, (), "heart")


def test_a_round_without_a_score_for_so_long_is_void_and_the_other_player_begins() -> None:
    after = flipped(FLIP_SWITCH.game({"quiet_limit": 3}).starts[0], "heart", "star", "heart")
    assert (after.news, after.player, after.relaid, after.won) == ((Round(None),), "2", True, (0, 0))


def test_a_move_that_is_none_is_refused_by_name() -> None:
    start = FLIP_SWITCH.game({}).starts[0]
    with pytest.raises(NotLegal, match="switch a1 b1 is no move here; it is one of flip a1 heart"):
        start.play(start.moves()[0]._replace(label="switch a1 b1"))


@pytest.mark.parametrize(
    "options", [{"lines": "rows"}, {"rounds": 0}, {"quiet_limit": -1}, {"shapes": 4}, {"rounds": True}]
)
def test_an_option_out_of_bounds_is_refused(options: dict) -> None:
    with pytest.raises(WrongOption, match=next(iter(options))):
        FLIP_SWITCH.game(options)


@given(st.data(), st.sampled_from(["sides", "all"]), st.sampled_from([0, 5, 20]))
def test_whatever_is_played_tiles_are_conserved_and_somebody_can_act(data, lines, quiet) -> None:
    position = FLIP_SWITCH.game({"lines": lines, "quiet_limit": quiet, "rounds": 1}).starts[0]
    for _ in range(data.draw(st.integers(0, 40))):
        if position.outcome:
            break
        moves = position.moves()
        assert len({move.known_as for move in moves}) >= 2
        before = dict(position.pieces)
        position = position.play(data.draw(st.sampled_from(moves)))
        assert all(count <= 3 for shape, count in Counter(position.pieces.values()).items() if shape != DOWN)
        assert position.marks == {cell for cell in CELLS if position.pieces[cell] in position.nullified}
        assert all(sum(p == shape for p in position.pieces.values()) == 3 for shape in position.nullified)
        assert len(before) == len(position.pieces) == 9


@given(st.permutations([shape for shape in SHAPES for _ in range(3)]), st.data())
def test_every_two_tiles_are_a_switch_or_have_a_reason(tiles, data) -> None:
    nullified = dict.fromkeys(data.draw(st.sets(st.sampled_from(SHAPES), max_size=2)), "1")
    here = replace(
        FLIP_SWITCH.game({}).starts[0], pieces=dict(zip(CELLS, tiles, strict=True)), nullified=nullified
    )
    legal = {move.label for move in here.moves()}
    for one, other in combinations(sorted(CELLS), 2):
        assert (f"switch {one} {other}" in legal) == (here.refusal(one, other) is None)
