"""What the judge answers (interface, section 3): every event with its keys, every reason, every because."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from tests.core.table import moves, played

PASSING = "d3 c3 b3 b2 f5 a3 a1 c1"
"""Othello moves after which Black has to pass; then White has e3 and f6."""
WIPE_OUT = "e6 f4 e3 f6 g5 d6 e7 f5 c5"
"""Othello moves after which White has no disc left."""


# turn, move, complete


def test_an_ordinary_move_is_told_with_all_its_keys() -> None:
    story = played("1 b3 heads\n2 c3 heads\n9 end", "bracket")
    assert [event for event in story.events if event["event"] != "lights"] == [
        {"t": 0.0, "event": "turn", "ply": 1, "player": "X", "moves": ["b3", "c2", "d5", "e4"]}
        | {"supply": {"shared": 32}},
        {"t": 1.33, "event": "move", "ply": 1, "player": "X", "move": "b3"}
        | {"cells": {"b3": [None, "X"], "c3": ["O", "X"]}},
        {"t": 1.33, "event": "owed", "why": "move", "cells": {"c3": {"do": "turn", "to": "X"}}},
        {"t": 2.03, "event": "owed", "why": "move", "cells": {}},
        {"t": 2.03, "event": "complete", "ply": 1},
        {"t": 2.03, "event": "turn", "ply": 2, "player": "O", "moves": ["b2", "b4", "d2"]}
        | {"supply": {"shared": 31}},
    ]


def test_the_first_turn_is_told_at_once_when_the_start_is_laid() -> None:
    assert played("0 end", "fundex").told() == ["0.000 turn 1 white: c5 d6 e3 f4"]


def test_the_cells_of_a_move_are_sorted() -> None:
    story = played(moves("d3 c5 f6 f5 e6") + "\n9 end")
    assert [list(event["cells"]) for event in story.of("move")] == [
        sorted(event["cells"]) for event in story.of("move")
    ]


def test_a_player_who_has_to_pass_is_told_so() -> None:
    turn = played(moves(PASSING) + "\n9.5 end").of("turn")[-1]
    assert [turn["ply"], turn["player"], turn["moves"]] == [9, "black", ["pass"]]


# owed


def test_the_start_is_owed_cell_by_cell_until_it_is_laid() -> None:
    story = played("1 d5 heads\n2 d4 tails\n3 e4 heads\n4 e5 tails\n9 end", start="empty")
    assert story.told() == [
        "0.000 owed set-up: d4 put white, d5 put black, e4 put black, e5 put white",
        "1.030 owed set-up: d4 put white, e4 put black, e5 put white",
        "2.030 owed set-up: e4 put black, e5 put white",
        "3.030 owed set-up: e5 put white",
        "4.030 owed set-up:",
        "4.030 turn 1 black: c4 d3 e6 f5",
    ]


def test_a_disc_found_missing_at_a_judgement_is_owed_put() -> None:
    story = played("1 d5 empty\n2 d5 heads\n9 end")
    assert story.told("owed") == ["1.330 owed repair: d5 put black", "2.030 owed repair:"]


def test_a_disc_lifted_as_a_legal_move_could_begin_is_not_owed() -> None:
    """d4 is turned by two of Black's moves: it may be in the hand to be turned."""
    story = played("1 d4 empty\n3 d4 tails\n9 end")
    assert story.told("owed", "wrong") == []


def test_a_disc_owed_a_turn_stays_owed_turn_while_it_is_lifted() -> None:
    story = played("1 d3 heads\n2 d4 empty\n8 d4 heads\n9 end")
    assert story.told("owed", "wrong", "complete") == [
        "1.330 owed move: d4 turn black",
        "8.030 owed move:",
        "8.030 complete 1",
    ]


def test_owed_carries_the_whole_map_sorted_by_cell() -> None:
    story = played("1 d3 heads\n2 a1 heads\n9 end")
    assert story.told("owed") == [
        "1.330 owed move: d4 turn black",
        "2.330 owed move: a1 take, d4 turn black",
    ]


def test_owed_is_told_again_only_when_it_changes() -> None:
    """While the start is laid a stray disc came and stays: as the last disc of the start lies, only it is owed."""
    story = played("1 d4 tails\n1 d5 heads\n1 e4 heads\n2 a1 heads\n3 e5 tails\n9 end", start="empty")
    maps = [event["cells"] for event in story.of("owed")]
    assert all(one != other for one, other in pairwise(maps))


def test_a_disc_owed_by_name_is_owed_put_and_its_flips_turn() -> None:
    story = played("1 say d3\n2 d3 heads\n3 d4 heads\n9 end")
    assert story.told("move", "owed", "complete") == [
        "1.000 move 1 black d3: d3 - black, d4 white black",
        "1.000 owed move: d3 put black, d4 turn black",
        "2.030 owed move: d4 turn black",
        "3.030 owed move:",
        "3.030 complete 1",
    ]


def test_a_disc_turned_and_turned_back_before_a_rest_is_owed_again() -> None:
    """The light of d4 went dark and must come back: the board never rested with d4 turned. White could begin
    c3 by turning d4, but nobody placed a disc, and Black's hand has just been there."""
    story = played("1 d3 heads\n2 d4 heads\n2.1 d4 tails\n9 end")
    assert story.owed_at(9) == "d4 turn black"


def test_a_knocked_over_board_is_owed_disc_by_disc_and_nothing_is_recorded() -> None:
    story = played(
        "1 d4 empty\n1 d5 empty\n1 e4 empty\n1 e5 empty\n5 d4 tails\n6 e5 tails\n7 d5 heads\n8 e4 heads\n9 end"
    )
    assert story.told("owed") == [
        "1.330 owed repair: d4 put white, d5 put black, e4 put black, e5 put white",
        "5.030 owed repair: d5 put black, e4 put black, e5 put white",
        "6.030 owed repair: d5 put black, e4 put black",
        "7.030 owed repair: e4 put black",
        "8.030 owed repair:",
    ]
    assert story.spine == []


# wrong, reason by reason


@pytest.mark.parametrize(
    ("transcript", "setup", "wrong"),
    [
        ("1 d3 tails", {}, "d3 wrong-side"),
        ("1 c5 tails", {}, "c5 not-your-piece"),
        ("1 c5 heads", {}, "c5 no-bracket"),
        ("1 c5 piece", {"sensors": "presence"}, "c5 not-your-piece"),
        ("1 c5 press", {"sensors": "presses"}, "c5 not-your-piece"),
        ("1 a1 heads", {}, "a1 no-bracket"),
        ("1 a1 tails", {}, "a1 no-bracket"),
        ("1 a1 piece", {"sensors": "presence"}, "a1 no-bracket"),
        ("1 a1 press", {"sensors": "presses"}, "a1 no-bracket"),
        ("1 e4 tails", {}, "e4 turned-wrongly"),
        ("1 e4 press", {"sensors": "presses"}, "e4 turned-wrongly"),
        ("1 d3 heads\n2 c5 tails", {}, "c5 not-yet"),
        ("1 d3 heads\n2 a1 tails", {}, "a1 no-bracket"),
        ("1 d3 heads\n2 c5 heads", {}, "c5 wrong-side"),
        ("1 d5 empty", {}, "d5 missing-piece"),
        ("1 d5 empty", {"sensors": "presence"}, "d5 missing-piece"),
        ("1 a1 heads", {"start": "empty"}, "a1 extra-piece"),
        ("1 a1 piece", {"start": "empty", "sensors": "presence"}, "a1 extra-piece"),
        ("1 d4 heads", {"start": "empty"}, "d4 turned-wrongly"),
    ],
)
def test_what_lies_wrong_is_said_with_the_first_reason_that_holds(
    transcript: str, setup: dict[str, Any], wrong: str
) -> None:
    assert played(f"{transcript}\n9 end", **setup).wrong_at(9) == wrong


def test_where_both_could_play_the_other_side_up_is_the_wrong_side() -> None:
    """e3 after d3 c5: Black may not play there, White might have; e3 at White's turn with Black's side up."""
    story = played(moves("d3") + "\n2 e3 heads\n3 e3 tails\n9 end")
    assert story.told("wrong", "move", since=2) == [
        "2.330 wrong e3 wrong-side",
        "3.330 move 2 white e3: e3 - white, e4 black white",
        "3.330 wrong",
    ]


def test_a_stray_disc_is_both_owed_and_wrong_until_it_is_taken() -> None:
    story = played("1 a1 heads\n3 a1 empty\n9 end")
    assert story.told() == [
        "0.000 turn 1 black: c4 d3 e6 f5",
        "1.330 owed repair: a1 take",
        "1.330 wrong a1 no-bracket",
        "3.030 owed repair:",
        "3.030 wrong",
        "3.030 turn 1 black: c4 d3 e6 f5",
    ]


def test_a_disc_put_down_wrong_side_up_makes_the_move_when_it_is_turned_over() -> None:
    story = played("1 d3 tails\n3 d3 heads\n9 end")
    assert story.told("wrong", "move") == [
        "1.330 wrong d3 wrong-side",
        "3.330 move 1 black d3: d3 - black, d4 white black",
        "3.330 wrong",
    ]
    assert story.owed_at(2) == "d3 take"


def test_a_stray_disc_slid_to_a_legal_cell_is_the_move() -> None:
    story = played("1 a1 heads\n3 a1 empty\n3.2 d3 heads\n9 end")
    assert [story.spine, story.wrong_at(9), story.owed_at(9)] == [["1 black d3"], "", "d4 turn black"]


def test_a_disc_while_black_must_pass_with_blacks_side_up_brackets_nothing_for_black() -> None:
    """e3 is White's move after Black's pass. Black's side up is no move of the mover's, so no `wrong-side`."""
    story = played(moves(PASSING) + "\n10 e3 heads\n19 end")
    assert story.wrong_at(19) == "e3 no-bracket"


def test_a_missing_disc_is_owed_at_once_and_said_after_three_seconds() -> None:
    story = played("1 d5 empty\n6 d5 heads\n9 end")
    assert [story.owed_at(1.33), story.wrong_at(3.9)] == ["d5 put black", ""]
    assert [story.wrong_at(4.4), story.wrong_at(6.33)] == ["d5 missing-piece", ""]


def test_a_flip_owed_when_the_next_move_is_named_was_not_turned() -> None:
    story = played("1 d3 heads\n3 say c5\n5 c5 tails\n5.2 d5 tails\n7 d4 heads\n9 end")
    assert story.told("move", "wrong", "complete") == [
        "1.330 move 1 black d3: d3 - black, d4 white black",
        "3.000 move 2 white c5: c5 - white, d5 black white",
        "3.000 wrong d4 not-turned",
        "5.230 complete 2",
        "7.030 wrong",
        "7.030 complete 1",
    ]
    assert story.owed_at(3) == "c5 put white, d4 turn black, d5 turn white"


def test_a_flip_that_no_sensor_saw_is_not_turned_when_it_shows_the_old_side_after_the_next_move() -> None:
    """d4 is set aside, so its turn was owed as `confirm` when White moved; trusted again it shows white."""
    story = played("1 say distrust d4\n2 d3 heads\n4 c5 tails\n4.2 d5 tails\n6 say trust d4\n9 end")
    assert [story.owed_at(9), story.wrong_at(9)] == ["d4 turn black", "d4 not-turned"]


def test_an_early_disc_is_in_wrong_alone() -> None:
    story = played("1 d3 heads\n2 c5 tails\n9 end")
    assert [story.owed_at(9), story.wrong_at(9)] == ["d4 turn black", "c5 not-yet"]


def test_wrong_is_told_again_only_when_it_changes_and_empty_when_it_is_put_right() -> None:
    story = played("1 a1 heads\n2 b1 heads\n4 a1 empty\n5 b1 empty\n9 end")
    assert story.told("wrong") == [
        "1.330 wrong a1 no-bracket",
        "2.330 wrong a1 no-bracket, b1 no-bracket",
        "4.030 wrong b1 no-bracket",
        "5.030 wrong",
    ]


def test_a_sentence_goes_with_every_wrong_map_that_is_not_empty() -> None:
    story = played("1 a1 heads\n2 b1 heads\n4 a1 empty\n5 b1 empty\n9 end")
    assert [bool(event["say"]) for event in story.of("wrong")] == [True, True, True, False]


def test_a_board_set_up_again_is_nobodys_mistake() -> None:
    """What lies otherwise after `new` was played, not laid wrongly: it is owed, not wrong."""
    story = played(moves("d3 c5") + "\n4 say new\n9 end")
    assert [story.owed_at(4), story.wrong_at(9)] == ["c5 take, d3 take, d4 turn white, d5 turn black", ""]


def test_a_disc_beside_one_that_is_being_adjusted_is_the_move_once_that_one_is_back() -> None:
    """Black adjusts d3 while White already places c5: nothing on the board stays unexplained."""
    story = played(moves("d3") + "\n3 d3 empty\n3.6 c5 tails\n4.5 d3 heads\n9 end")
    assert story.spine == ["1 black d3", "2 white c5"]
    assert [story.owed_at(9), story.wrong_at(9)] == ["d5 turn white", ""]


# ask


def test_two_moves_that_fit_are_asked_about_once() -> None:
    story = played("1 say distrust c4\n1 say distrust d3\n2 d4 heads\n3 a8 unknown\n5 say c4\n9 end")
    assert story.told("ask", "move", "refused") == [
        "2.330 ask c4 d3",
        "5.000 move 1 black c4: c4 - black, d4 white black",
    ]


def test_the_cells_that_tell_the_answers_apart_are_lit_as_choice() -> None:
    story = played("1 d3 heads\n1.1 e6 heads\n9 end")
    assert [story.spine, story.lights_at(9, "choice")] == [["d3 e6"], "d3 choice, e6 choice"]


def test_two_discs_of_one_player_are_asked_about_and_taking_one_away_is_an_answer() -> None:
    story = played("1 d3 heads\n1.1 e6 heads\n4 e6 empty\n9 end")
    assert story.told("ask", "move", "owed") == [
        "1.430 ask d3 e6",
        "4.330 move 1 black d3: d3 - black, d4 white black",
        "4.330 owed move: d4 turn black",
    ]


def test_a_word_that_answers_no_open_question_is_not_offered() -> None:
    story = played("1 d3 heads\n1.1 e6 heads\n4 say f5\n5 say d3\n9 end")
    assert story.told("ask", "refused", "move") == [
        "1.430 ask d3 e6",
        "4.000 refused f5: not-offered",
        "5.000 move 1 black d3: d3 - black, d4 white black",
    ]


# refused


@pytest.mark.parametrize(
    ("transcript", "setup", "refused"),
    [
        ("1 say pass", {}, "1.000 refused pass: cannot-pass"),
        ("1 say a1", {}, "1.000 refused a1: not-legal"),
        ("1 say c5", {}, "1.000 refused c5: not-legal"),
        ("1 say undo", {}, "1.000 refused undo: not-open"),
        ("1 say ok", {}, "1.000 refused ok: not-open"),
        ("1 say keep", {}, "1.000 refused keep: not-open"),
        ("1 say nothing", {}, "1.000 refused nothing: not-open"),
        ("1 say d3\n2 say undo", {"policy": "tournament"}, "2.000 refused undo: not-allowed"),
        ("1 say resign\n2 say d3", {}, "2.000 refused d3: not-legal"),
        ("1 say resign\n2 say resign", {}, "2.000 refused resign: not-open"),
        ("1 say d3", {"start": "empty"}, "1.000 refused d3: not-legal"),
    ],
)
def test_what_cannot_be_is_refused_with_its_reason(
    transcript: str, setup: dict[str, Any], refused: str
) -> None:
    assert played(f"{transcript}\n9 end", **setup).told("refused") == [refused]


# pass


def test_a_pass_takes_a_ply() -> None:
    story = played(moves(PASSING) + "\n10 say pass\n19 end")
    assert story.told("pass", "turn", since=9) == ["10.000 pass 9 black", "10.000 turn 10 white: e3 f6"]


@pytest.mark.parametrize("word", ["pass", "ok"])
def test_a_forced_pass_is_acknowledged_by_word(word: str) -> None:
    story = played(moves(PASSING) + f"\n10 say {word}\n19 end")
    assert story.told("pass", "refused", since=9) == ["10.000 pass 9 black"]


def test_a_forced_pass_is_acknowledged_by_the_opponents_next_disc() -> None:
    story = played(moves(PASSING) + "\n10 e3 tails\n19 end")
    assert story.told("pass", "move", since=9) == [
        "10.330 pass 9 black",
        "10.330 move 10 white e3: c3 black white, d3 black white, e3 - white",
    ]


def test_a_pass_acknowledged_by_a_disc_goes_when_that_disc_goes_by_hand() -> None:
    story = played(moves(PASSING) + "\n10 e3 tails\n12 e3 empty\n19 end")
    assert story.told("undo", "turn", since=10) == [
        "14.030 undo 10 e3",
        "14.030 undo 9 pass",
        "14.030 turn 9 black: pass",
    ]


def test_a_pass_acknowledged_by_a_disc_goes_when_that_disc_goes_by_word() -> None:
    story = played(moves(PASSING) + "\n10 e3 tails\n12 say undo\n13 e3 empty\n19 end")
    assert story.told("undo", "turn", since=10) == [
        "12.000 undo 10 e3",
        "12.000 undo 9 pass",
        "13.030 turn 9 black: pass",
    ]


def test_a_pass_that_was_said_stays_when_the_next_disc_goes() -> None:
    story = played(moves(PASSING) + "\n9 say pass\n10 e3 tails\n12 e3 empty\n19 end")
    assert story.told("undo", "turn", since=10) == ["14.030 undo 10 e3", "14.030 turn 10 white: e3 f6"]


def test_a_pass_that_was_said_is_undone_as_a_ply_of_its_own() -> None:
    story = played(moves(PASSING) + "\n9 say pass\n10 say undo\n19 end")
    assert story.told("undo", "turn", since=10) == ["10.000 undo 9 pass", "10.000 turn 9 black: pass"]


def test_an_automatic_pass_is_in_the_record_as_soon_as_the_move_is_complete() -> None:
    before = moves("d3 c3 b3 b2 f5 a3 a1")
    story = played(f"{before}\n8 c1 tails\n10 b2 tails\n19 end", options={"pass": "automatic"})
    assert story.told("complete", "pass", "turn", since=9) == [
        "10.030 complete 8",
        "10.030 pass 9 black",
        "10.030 turn 10 white: e3 f6",
    ]


# over


def test_a_wipe_out_ends_the_game_for_want_of_moves() -> None:
    over = played(moves(WIPE_OUT) + "\n12 end").of("over")
    assert over == [
        {"t": 9.63, "event": "over", "winner": "black", "because": "no-moves"}
        | {"score": {"black": 13, "white": 0}}
    ]


@pytest.mark.parametrize(
    ("words", "over"),
    [
        ("1 say resign", "1.000 over white resigned: black 2, white 2"),
        ("1 say resign white", "1.000 over black resigned: black 2, white 2"),
        ("1 say resign black", "1.000 over white resigned: black 2, white 2"),
        ("1 say draw\n2 say ok", "2.000 over None agreed: black 2, white 2"),
        ("1 say new", "1.000 over None abandoned: black 2, white 2"),
    ],
)
def test_a_game_ends_by_word(words: str, over: str) -> None:
    assert played(f"{words}\n9 end").told("over") == [over]


@pytest.mark.parametrize(
    ("game", "labels", "over"),
    [
        ("bracket", "d3 d4 a2 a1 c4 d2 d1 b1 c1 a3 a4 b4", "O full: X 4, O 12"),
        ("bracket", "a2 a3 a4 c1 d1 a1 d3 d4 c4 d2 b1 b4", "None full: X 8, O 8"),
        ("othello", "d3 d4 a2 a1 c4 d2 d1 b1 c1 a3 a4 b4", "white full: black 4, white 12"),
        ("othello", "a2 a1 c4 d2 b1 a3 c1 d1 b4 a4 d3", "white no-moves: black 4, white 11"),
        ("fundex", "a3 a4 b4 a2 b1 c4 d2 a1 c1", "black no-moves: white 1, black 12"),
    ],
)
def test_a_game_ends_by_the_rules_as_soon_as_its_last_move_is_complete(
    game: str, labels: str, over: str
) -> None:
    """On four by four, to be short. A pass that is not last is acknowledged by the next disc."""
    options = {"size": 4}
    last = len(labels.split())
    story = played(moves(labels, game, options) + "\n99 end", game, options)
    assert story.told("over") == [f"{last}.630 over {over}"]
    assert story.told("turn", since=last + 0.6) == []


def test_in_bracket_two_passes_are_both_recorded_and_end_the_game() -> None:
    options = {"size": 4}
    labels = "a2 a1 c4 d2 b1 a3 c1 d1 b4 a4 d3"
    story = played(moves(labels, "bracket", options) + "\n15 say pass\n17 say ok\n19 end", "bracket", options)
    assert story.told("pass", "turn", "over", since=11.5) == [
        "11.630 turn 13 X: pass",
        "15.000 pass 13 X",
        "15.000 turn 14 O: pass",
        "17.000 pass 14 O",
        "17.000 over O two-passes: X 4, O 11",
    ]


def test_in_bracket_two_automatic_passes_end_the_game_at_once() -> None:
    options = {"size": 4, "pass": "automatic"}
    labels = "a2 a1 c4 d2 b1 a3 c1 d1 b4 a4 d3"
    story = played(moves(labels, "bracket", options) + "\n19 end", "bracket", options)
    assert story.told("pass", "turn", "over", since=11.5) == [
        "11.630 pass 13 X",
        "11.630 pass 14 O",
        "11.630 over O two-passes: X 4, O 11",
    ]


def test_empties_go_to_the_winner_where_that_was_agreed() -> None:
    options = {"size": 4, "empties_to_winner": True}
    story = played(moves("a3 a4 b4 a2 b1 c4 d2 a1 c1", "fundex", options) + "\n19 end", "fundex", options)
    assert story.told("over") == ["9.630 over black no-moves: white 1, black 15"]


def test_the_end_waits_for_the_last_flips() -> None:
    """`over` is told when the last move is complete: a game is not over while a disc still shows the wrong side."""
    before = moves("e6 f4 e3 f6 g5 d6 e7 f5")
    turned = "\n".join(f"{10 + n} {cell} heads" for n, cell in enumerate(("d4", "d5", "d6", "e5", "f5"), 1))
    story = played(f"{before}\n10 c5 heads\n{turned}\n19 end")
    assert story.told("move", "complete", "over", since=9) == [
        "10.330 move 9 black c5: c5 - black, d4 white black, d5 white black, d6 white black, e5 white black,"
        " f5 white black",
        "15.030 complete 9",
        "15.030 over black no-moves: black 13, white 0",
    ]


# offer, draw


def test_a_draw_is_offered_by_the_player_to_move_and_waits_for_ok() -> None:
    story = played("1 say draw\n2 say ok\n9 end")
    assert story.told("offer", "over") == [
        "1.000 offer draw black",
        "2.000 over None agreed: black 2, white 2",
    ]


@pytest.mark.parametrize("word", ["d3", "pass", "undo", "trust a1", "a1"])
def test_any_other_word_in_between_withdraws_a_draw(word: str) -> None:
    story = played(f"1 say draw\n2 say {word}\n3 say ok\n9 end")
    assert [story.of("over"), story.told("refused")[-1]] == [[], "3.000 refused ok: not-open"]


def test_a_disc_is_not_a_word_and_leaves_a_draw_open() -> None:
    """Black offers, makes the move as one does, and White agrees: only a word withdraws an offer."""
    story = played("1 say draw\n1.5 d3 heads\n1.7 d4 heads\n4 say ok\n9 end")
    assert [event["because"] for event in story.of("over")] == ["agreed"]


# sensor


def test_a_driver_that_knows_a_sensor_is_stuck_is_believed_until_it_takes_that_back() -> None:
    story = played("1 d4 doubt stuck\n2 d4 heads\n4 d4 tails\n5 d4 doubt back\n9 end")
    assert story.told("sensor", "wrong", "owed") == ["1.000 sensor d4 stuck", "5.000 sensor d4 back"]


# lights


def test_hints_are_shown_where_one_may_move_under_teach() -> None:
    assert played("1 end").lights_at(1) == "c4 hint, d3 hint, e6 hint, f5 hint"


@pytest.mark.parametrize("policy", ["club", "tournament"])
def test_no_hints_are_shown_under_other_policies(policy: str) -> None:
    assert played("1 d3 heads\n2 d4 heads\n9 end", policy=policy).lights_at(9) == "d3 last"


def test_every_meaning_has_its_light() -> None:
    story = played("1 d3 heads\n2 a1 heads\n3 say distrust h8\n9 end")
    assert story.lights_at(9) == "a1 wrong, d3 last, d4 owed, h8 mark"


def test_lights_carry_the_whole_map_and_are_told_only_when_they_change() -> None:
    maps = [
        event["cells"]
        for event in played("1 d3 heads\n2 d4 heads\n3 a1 heads\n5 a1 empty\n9 end").of("lights")
    ]
    assert maps == [
        dict.fromkeys(["c4", "d3", "e6", "f5"], "hint"),
        {"d3": "last", "d4": "owed"},
        {"c3": "hint", "c5": "hint", "d3": "last", "e3": "hint"},
        {"a1": "wrong", "d3": "last"},
        {"c3": "hint", "c5": "hint", "d3": "last", "e3": "hint"},
    ]
