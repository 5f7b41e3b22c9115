"""The rules of Brax: the patent's example, every position and count of the data, and what always holds."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardctl.board_files import BRAX, SHIPPED
from boardctl.core.model import PASS, Outcome, WrongOption
from boardctl.games.braxing import MenPosition, NotLegal, colour
from boardctl.games.perft import divide, perft

DATA = Path(__file__).parent.parent / "data"
POSITIONS = json.loads((DATA / "brax_positions.json").read_text())["positions"]
COUNTS = json.loads((DATA / "brax_perft.json").read_text())["rows"]
REASONS = ("not-your-piece", "own-piece", "same-piece", "brax-owed", "blocked", "too-far")


def placed(given: dict) -> MenPosition:
    options = {"board": given["board"], "players": given["players"], **given["options"]}
    start = BRAX.game(options).starts[0]
    order = {cell: given["pieces"][cell] for cell in start.terms.board.points if cell in given["pieces"]}
    script = given.get("script")
    return replace(
        start,
        player=given["to_move"],
        pieces=order,
        just_moved=None if start.terms.scripted else given["just_moved"],
        moved=next(iter(given.get("moved_already") or ()), None),
        one_each=given.get("quiet_one_each", 0),
        **({"script": tuple(script["stand"]), "turn": script["turn"]} if script else {}),
    )


def played(position: MenPosition, *labels: str) -> MenPosition:
    for label in labels:
        position = position.play(next(move for move in position.moves() if move.label == label))
    return position


named = pytest.mark.parametrize("given", POSITIONS, ids=[given["id"] for given in POSITIONS])


@named
def test_a_position_allows_just_these_moves(given: dict) -> None:
    assert sorted(move.label for move in placed(given).moves()) == given["legal"]


@named
def test_a_position_threatens_what_the_data_say_and_may_be_called_so(given: dict) -> None:
    here = placed(given)
    if here.terms.scripted:
        assert (here.calls, here.no_call("brax")) == ({}, "not-open")
        return
    threatened = {who: list(cells) for who, cells in here.threatened().items()}
    assert threatened == given["threatened"]
    assert bool(here.calls) == given["may_call"]
    if not given["may_call"]:
        assert here.no_call("brax") in given["why_not"]


@named
def test_a_call_binds_as_the_data_say(given: dict) -> None:
    for rival, bound in given["if_called"].items():
        after = placed(given).calls[f"brax {rival}"].after
        braxed = replace(after, player=rival)
        assert list(braxed.must) == bound["must"]
        assert sorted(move.label for move in braxed.moves()) == bound["legal"]


@named
def test_a_move_ends_the_game_where_the_data_say(given: dict) -> None:
    here = placed(given)
    ends = {}
    for move in here.moves():
        outcome = here.play(move).outcome
        if outcome is not None:
            winner = outcome.winner
            ends[move.label] = list(winner) if isinstance(winner, tuple) else winner
    assert ends == given["ends"]


@named
def test_a_man_who_may_not_go_there_is_told_why(given: dict) -> None:
    here = placed(given)
    for label, reasons in given["refused"].items():
        start, end = label.replace("x", "-").split("-")
        man, expected = here.pieces[start], min(reasons, key=REASONS.index)
        lying = {start: frozenset(), end: frozenset({man})}
        assert (label, here.faults(lying)) == (label, {start: None, end: expected})


def test_men_who_went_at_once_are_told_the_story_nearest_to_the_rules() -> None:
    start = BRAX.game({}).starts[0]
    astray = {"e1": (), "e2": {"blue"}, "h1": (), "a5": {"blue"}}  # e1-e2 is a move, so h1 went too far
    assert start.faults(astray) == {"h1": None, "a5": "too-far"}
    near = {"b1": (), "h1": (), "b4": {"blue"}, "h4": {"blue"}}
    assert start.faults(near) == {"b1": None, "h1": None, "b4": "too-far", "h4": "too-far"}


def test_a_man_who_was_not_called_is_told_that_brax_is_owed() -> None:
    after = played(BRAX.game({}).starts[0], "g1-g3", "f9-f8", "g3-g4", "f8-e7", "g4-f5", "e7-e6")
    called = after.calls["brax"].after
    assert called.faults({"b1": (), "b2": {"blue"}}) == {"b1": None, "b2": "brax-owed"}
    assert called.faults({"f5": (), "f9": {"blue"}}) == {"f5": None, "f9": "too-far"}
    assert after.faults({"b1": (), "b2": {"blue"}}) == {}


def test_men_who_changed_places_are_both_told_why() -> None:
    start = BRAX.game({}).starts[0]
    assert start.faults({"b1": {"red"}, "h9": {"blue"}}) == {"b1": "not-your-piece", "h9": "too-far"}


def test_a_man_from_nowhere_and_a_man_gone_are_no_matter_of_the_rules() -> None:
    start = BRAX.game({}).starts[0]
    assert start.faults({"e5": {"blue", "red"}}) == start.faults({"b1": ()}) == {}
    assert start.faults({"b1": (), "e5": {"red"}}) == {}


def test_where_sensors_tell_no_owners_any_man_may_have_gone() -> None:
    start = BRAX.game({"players": 4}).starts[0]
    anybody = frozenset(start.score)
    assert start.faults({"a3": (), "c5": anybody}) == {"a3": None, "c5": "not-your-piece"}
    assert start.faults({"a3": (), "c1": (), "d4": anybody}) == {"c1": None, "d4": "too-far"}


def _counted(row: dict) -> object:
    slow = [pytest.mark.slow] if row["moves"] > 60_000 else []
    return pytest.param(row, id=f"{row['board']}-{row['depth']}-after-{len(row['after'])}", marks=slow)


@pytest.mark.parametrize("row", [_counted(row) for row in COUNTS if row["moves"] < 7_000_000])
def test_lines_of_play_are_as_many_as_three_programs_counted(row: dict) -> None:
    start = played(BRAX.game({"board": row["board"]}).starts[0], *row["after"])
    assert start.player == row["to_move"]
    assert perft(start, row["depth"]) == row["moves"]


def test_calls_make_more_lines_as_counted() -> None:
    rows = [row for row in COUNTS if row["moves"] < 60_000]
    for row in rows:
        start = played(BRAX.game({"board": row["board"]}).starts[0], *row["after"])
        assert (row["board"], _with_calls(replace(start, just_moved=None), row["depth"])) == (
            row["board"],
            row["calls_inside"],
        )


def _with_calls(position: MenPosition, depth: int) -> int:
    if depth == 1:
        return len(position.moves())
    count = 0
    for move in position.moves():
        after = position.play(move)
        count += _with_calls(after, depth - 1)
        count += sum(_with_calls(call.after, depth - 1) for word, call in after.calls.items() if " " in word)
    return count


def test_perft_divides_by_first_move() -> None:
    start = BRAX.game({}).starts[0]
    assert sum(divide(start, 3).values()) == perft(start, 3) == 3016


def test_the_six_moves_of_the_patent_are_played_and_brax_is_called_on_f5() -> None:
    after = played(BRAX.game({}).starts[0], "g1-g3", "f9-f8", "g3-g4", "f8-e7", "g4-f5", "e7-e6")
    assert set(after.calls) == {"brax", "brax blue"}
    called = after.calls["brax"]
    assert (called.player, called.call, called.cells) == ("red", "brax", ("f5",))
    assert {move.label for move in called.after.moves()} == {"f5-e5", "f5-f4", "f5-g5", "f5-f6"} | {
        move.label for move in called.after.moves() if move.label.startswith("f5")
    }
    assert called.after.marks == {"f5"}
    moved = played(called.after, "f5-g5")
    assert (moved.marks, moved.must, called.after.no_call("brax")) == (frozenset(), (), "not-open")
    back = played(moved, "b9-b8")
    assert (back.player, back.must, len({move.label[:2] for move in back.moves()})) == ("blue", (), 7)


def test_a_call_binds_one_turn_and_no_more() -> None:
    men = {"e5": "blue", "e6": "red", "e4": "red", "a9": "red"}
    here = replace(BRAX.game({}).starts[0], pieces=men, player="red", just_moved="blue")
    called = here.calls["brax"].after
    answered = played(called, "e6-e7")
    later = played(answered, "e5-d5")
    assert (called.must, answered.marks, later.must) == (("e4", "e6"), frozenset(), ())


def test_calls_on_two_allies_bind_each_of_them() -> None:
    start = BRAX.game({"players": 4}).starts[0]
    men = {"e5": "blue_1", "e6": "red_1", "a5": "blue_2", "a6": "red_2", "a1": "blue_2"}
    here = replace(start, pieces=men, player="red_1", just_moved="blue_1")
    first = played(here.calls["brax red_1"].after, "e6-f6")
    both = played(replace(here, player="blue_2").calls["brax red_1"].after, "a1-b1").calls["brax red_2"].after
    assert (first.marks, both.marks, both.must) == (frozenset(), {"e6", "a6"}, ("a6",))


def test_a_call_names_one_of_several_opponents() -> None:
    start = BRAX.game({"players": 4}).starts[0]
    men = {"e5": "blue_1", "e6": "red_1", "e4": "red_2", "a3": "blue_2"}
    here = replace(start, pieces=men, player="red_1", just_moved="blue_1")
    assert set(here.calls) == {"brax red_1", "brax red_2"}
    assert (here.no_call("brax"), here.no_call("brax blue_2"), here.no_call("brax me")) == (
        "not-legal",
        "no-threat",
        "not-legal",
    )
    bound = here.calls["brax red_2"].after
    assert (bound.must, bound.marks) == ((), {"e4"})
    assert replace(bound, player="red_2").must == ("e4",)


def test_a_call_lapses_when_the_men_it_named_are_gone() -> None:
    start = BRAX.game({"players": 4}).starts[0]
    men = {"e5": "blue_1", "e4": "red_2", "e3": "blue_2", "i9": "red_2", "a9": "red_1"}
    called = replace(start, pieces=men, player="red_1", just_moved="blue_1").calls["brax red_2"].after
    taken = played(called, "a9-a8", "e3xe4")
    assert (taken.player, taken.must, taken.marks) == ("red_2", (), frozenset())
    assert {move.label[:2] for move in taken.moves()} == {"i9"}


def three(men: dict[str, str], **given: object) -> MenPosition:
    return replace(BRAX.game({"players": 3}).starts[0], pieces=men, **given)


def test_a_call_on_who_moves_twice_binds_the_first_move_and_a_later_call_stands_for_an_earlier() -> None:
    men = {"e5": "blue", "c1": "blue", "g1": "blue", "e6": "red_1", "c3": "red_2", "i9": "red_2"}
    called = three(men, player="red_2", just_moved="red_1").calls["brax blue"]
    assert (called.cells, called.after.must, called.after.marks) == (("e5",), (), {"e5"})
    later = played(called.after, "c3-c2").calls["brax blue"]
    assert (later.cells, later.after.must, later.after.marks) == (("c1",), ("c1",), {"c1"})
    first = played(later.after, "c1xc2")
    assert (first.player, first.must, first.marks, first.calls) == ("blue", (), frozenset(), {})
    assert (first.no_call("brax"), {move.label[:2] for move in first.moves()}) == ("not-open", {"e5", "g1"})
    second = played(first, "g1-g2")
    assert (second.player, set(second.calls)) == ("red_1", {"brax", "brax red_1"})


def test_who_moves_twice_moves_both_of_the_last_two_men() -> None:
    here = three({"e5": "blue", "c1": "blue", "a9": "red_1", "i9": "red_2"})
    first = played(here, "e5-e4")
    assert (first.player, {move.label[:2] for move in first.moves()}) == ("blue", {"c1"})
    later = played(first, "c1-c2", "a9-a8", "i9-i8")
    assert (later.player, {move.label[:2] for move in later.moves()}) == ("blue", {"c2", "e4"})


def test_who_moves_twice_makes_one_move_with_one_man_left() -> None:
    here = three({"e5": "blue", "a9": "red_1", "i9": "red_2"})
    assert played(here, "e5-e4").player == "red_1"


def test_a_lone_man_may_call_against_three_unless_the_players_would_not_have_it() -> None:
    men = {"e5": "blue", "e6": "red", "a9": "red", "i9": "red"}
    for allowed in (True, False):
        start = BRAX.game({"lone_may_call": allowed}).starts[0]
        here = replace(start, pieces=men, player="red", just_moved="blue")
        assert (set(here.calls), here.no_call("brax")) == (
            ({"brax", "brax red"}, "not-legal") if allowed else (set(), "too-few-pieces")
        )


def test_a_player_without_a_move_misses_it() -> None:
    start = BRAX.game({"players": 4}).starts[0]
    men = {"a1": "red_2", "a2": "red_1", "b1": "red_1", "e5": "blue_1", "i9": "blue_2"}
    here = replace(start, pieces=men, player="red_2", just_moved="blue_2")
    assert [move.label for move in here.moves()] == [PASS]
    missed = here.play(here.moves()[0])
    assert (missed.player, missed.just_moved) == ("blue_1", None)
    called = here.calls["brax red_2"].after if "brax red_2" in here.calls else here
    bound = replace(called, bound={"red_2": ("a1",)})
    assert (bound.marks, bound.play(bound.moves()[0]).marks) == ({"a1"}, frozenset())


def test_a_player_without_men_drops_out_and_the_allies_win_together() -> None:
    start = BRAX.game({"players": 4}).starts[0]
    men = {"e5": "blue_1", "e6": "red_1", "a1": "blue_2"}
    here = replace(start, pieces=men)
    quiet = played(here, "e5-e4")
    assert quiet.player == "red_1"
    assert played(quiet, "e6-e7").player == "blue_2"
    over = played(here, "e5xe6").outcome
    assert over == Outcome(
        ("blue_1", "blue_2"), "no-pieces", {"blue_1": 1, "red_1": 0, "blue_2": 1, "red_2": 0}
    )


def test_a_limit_of_quiet_moves_draws() -> None:
    start = BRAX.game({"quiet_limit": 2}).starts[0]
    after = played(start, "d1-d2", "d9-d8")
    assert (after.outcome.winner, after.outcome.because) == (None, "quiet-limit")


def test_a_capture_begins_the_count_of_quiet_moves_anew() -> None:
    start = BRAX.game({"quiet_limit": 2}).starts[0]
    here = replace(start, pieces={"e5": "blue", "e6": "red", "a9": "red"})
    taken = played(here, "e5xe6")
    assert (taken.quiet, taken.outcome, played(taken, "a9-a8").outcome) == (0, None, None)


def test_who_gives_up_loses_for_the_whole_side() -> None:
    assert BRAX.game({"players": 4}).rivals("blue_2") == ("red_1", "red_2")
    assert BRAX.game({"players": 3}).rivals("red_1") == ("blue",)
    assert BRAX.game({}).rivals("blue") == ("red",)


def test_the_script_is_dictated_and_calls_nothing() -> None:
    start = BRAX.game({"players": 1}).starts[0]
    after = played(start, "e1-e2")
    assert (after.dictated, [move.label for move in after.moves()], start.dictated) == (
        True,
        ["b9-b8"],
        False,
    )
    assert (BRAX.game({"players": 1}).calls, BRAX.game({"players": 1}).hands) == ((), "move")
    near = replace(start, pieces={"e5": "blue", "e6": "red"}, script=("e6", *[None] * 6))
    quiet = played(near, "e5-d5")
    assert (quiet.calls, quiet.no_call("brax"), quiet.threatened()) == ({}, "not-open", {})
    won = played(near, "e5xe6")
    assert (won.outcome.winner, won.dictated, won.moves()) == ("blue", False, ())
    lost = played(replace(near, player="red"), "e6xe5")
    assert (lost.outcome.winner, lost.dictated, lost.moves()) == ("red", False, ())


def test_the_men_of_the_script_take_turns_and_one_that_is_taken_is_left_out() -> None:
    here = BRAX.game({"players": 1}).starts[0]
    made = []
    for hunter in ("e1-e2", "e2-e1") * 4:
        here = played(here, hunter)
        made += [move.label for move in here.moves()]
        here = played(here, made[-1])
    assert made == ["b9-b8", "c9-c8", "d9-d8", "e9-e8", "f9-f8", "g9-g8", "h9-h8", "b8-b7"]
    near = replace(here, pieces={"e5": "blue", "e6": "red", "a9": "red"}, script=("e6", "a9"), turn=0)
    assert [move.label for move in played(near, "e5xe6").moves()] == ["a9-a8"]


def test_the_hunt_of_one_man_for_the_last_is_no_draw() -> None:
    start = BRAX.game({"players": 1}).starts[0]
    last = replace(start, pieces={"a1": "blue", "i9": "red"}, script=(*[None] * 6, "i9"), turn=6)
    for _ in range(6):
        last = played(last, "a1-a2")
        last = played(last, last.moves()[0].label)
        last = played(last, "a2-a1")
        last = played(last, last.moves()[0].label)
    assert (last.outcome, last.quiet) == (None, 24)


def test_allies_are_told_apart_by_letter_and_ornament_and_sides_by_face() -> None:
    game = BRAX.game({"players": 4})
    assert dict(game.players) == {
        "blue_1": "Blue 1",
        "red_1": "Red 1",
        "blue_2": "Blue 2",
        "red_2": "Red 2",
    }
    assert list(game.faces.values()) == ["heads", "tails", "heads", "tails"]
    assert [(look.form, look.colour, look.ornate) for look in game.looks.values()] == [
        ("man", "blue", False),
        ("man", "red", False),
        ("man", "blue", True),
        ("man", "red", True),
    ]
    assert dict(game.letters) == {"blue_1": "B", "red_1": "T", "blue_2": "L", "red_2": "R"}
    assert Counter(game.carriers.values()) == dict.fromkeys(game.players, 3)
    assert BRAX.game({}).letters == {"blue": "B", "red": "R"}
    assert BRAX.game({"players": 3}).letters == {"blue": "B", "red_1": "R", "red_2": "S"}


def test_lines_and_points_are_as_on_the_board_with_row_nine_on_top() -> None:
    game = BRAX.game({})
    assert list(game.points)[:2] == ["a9", "b9"]
    assert (game.points["a9"], game.points["b1"]) == ((0, 0), (1, 8))
    assert Counter(edge.owner for edge in game.edges) == {"blue": 72, "red": 72}


def test_only_two_play_on_other_boards() -> None:
    with pytest.raises(WrongOption, match="players is 3; on the hexagon board it is 2"):
        BRAX.game({"players": 3, "board": "hexagon"})


def test_a_move_that_is_none_is_refused_by_name() -> None:
    start = BRAX.game({}).starts[0]
    with pytest.raises(NotLegal, match="a1-a2 is no move here"):
        start.play(start.moves()[0]._replace(label="a1-a2"))


def assert_faults_are_just_what_is_no_move(position: MenPosition, data: st.DataObject) -> None:
    start = data.draw(st.sampled_from(sorted(position.pieces)))
    end = data.draw(st.sampled_from(sorted(position.terms.board.points.keys() - {start})))
    legal = {(move.act[0].cell, move.act[1].cell) for move in position.moves()}
    found = position.faults({start: (), end: {position.pieces[start]}})
    assert bool(found) == ((start, end) not in legal)
    assert not found or (found[start] is None and found[end] in REASONS)


VARIANTS = [{"board": board} for board in SHIPPED] + [{"players": players} for players in (1, 3, 4)]


@given(st.data(), st.sampled_from(VARIANTS))
def test_whatever_is_played_men_only_vanish_by_capture_and_calls_bind(data, options) -> None:
    position = BRAX.game(options).starts[0]
    for _ in range(data.draw(st.integers(0, 60))):
        moves = position.moves()
        if not moves:
            assert position.outcome is not None
            break
        labels, rows = [move.label for move in moves], list(position.terms.board.points)
        assert len(labels) == len(set(labels))
        starts = [rows.index(move.act[0].cell) for move in moves if move.act]
        assert starts == sorted(starts)
        if not position.dictated and labels != [PASS]:
            assert_faults_are_just_what_is_no_move(position, data)
        move, men = data.draw(st.sampled_from(moves)), Counter(position.pieces.values())
        if position.must:
            assert {each.act[0].cell for each in moves} <= set(position.must)
        after = position.play(move)
        if move.label == PASS:
            position = after
            continue
        (start, mine, _), (end, taken, _) = move.act
        assert (position.pieces[start], position.pieces.get(end)) == (mine, taken)
        assert taken is None or colour(taken) != colour(mine)
        assert men - Counter(after.pieces.values()) == Counter([taken] if taken else [])
        calls = sorted(after.calls)
        position = after
        if calls and data.draw(st.booleans()):
            call = after.calls[data.draw(st.sampled_from(calls))]
            assert all(colour(after.pieces[cell]) != colour(call.player) for cell in call.cells)
            position = call.after
