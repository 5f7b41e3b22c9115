"""What the judge answers where pieces move, change places or hide what they carry (interface, sections 3 and 4)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from boardctl.core.commands import Called, Debt, Moved, Owed, Passed, Undone
from boardctl.core.sentences import Sentences
from boardctl.core.session import Session, Setup
from boardctl.replay import passed
from tests.core.table import RULES, Story, happenings, played


def brax(transcript: str, options: Mapping[str, object] = MappingProxyType({}), **setup: Any) -> Story:
    return played(transcript, "brax", options, **setup)


def tiles(transcript: str, options: Mapping[str, object] = MappingProxyType({}), **setup: Any) -> Story:
    return played(transcript, "flip-switch", options, **setup)


PATENT = """
1 g1 empty
1.1 g3 heads
2 f9 empty
2.1 f8 tails
3 g3 empty
3.1 g4 heads
4 f8 empty
4.1 e7 tails
5 g4 empty
5.1 f5 heads
6 e7 empty
6.1 e6 tails
"""
TWO_UP = """
1 a1 heads
1.5 say heart
2 b1 heads
2.5 say star
"""


# Calls


def test_a_call_is_told_with_its_cells_and_binds_the_next_turn_in_light_and_word() -> None:
    story = brax(PATENT + "7 say brax\n9 end")
    assert story.told(since=6.9) == [
        "7.000 call red brax: f5",
        "7.000 turn 7 blue: f5-e4 f5-e5 f5-f4 f5-f6 f5-g4 f5-g5 f5-g6",
    ]
    assert [turn.get("must") for turn in story.of("turn")[-2:]] == [None, ["f5"]]
    assert story.lights_at(8) == "e6 last, f5 mark"


def test_a_call_does_not_wait_for_the_board_to_rest() -> None:
    assert brax(PATENT + "6.15 say brax\n9 end").told("move", "call", since=6) == [
        "6.150 move 6 red e7-e6: e6 - red, e7 red -",
        "6.150 call red brax: f5",
    ]


def test_a_call_that_cannot_be_is_refused_with_its_reason() -> None:
    assert brax("1 say brax\n2 say brax red\n9 end").told("refused") == [
        "1.000 refused brax: not-open",
        "2.000 refused brax red: not-open",
    ]
    quiet = "1 g1 empty\n1.1 g2 heads\n2 say brax\n3 say brax nobody\n9 end"
    assert brax(quiet).told("refused") == [
        "2.000 refused brax: no-threat",
        "3.000 refused brax nobody: no-threat",
    ]
    assert brax(PATENT + "7 say brax\n8 say brax\n9 end").told("refused") == ["8.000 refused brax: not-open"]
    assert played("1 say brax\n2 end").told("refused") == ["1.000 refused brax: not-legal"]


def test_undoing_a_ply_takes_back_the_call_made_after_it_and_brings_back_the_one_before() -> None:
    after = brax(PATENT + "7 say brax\n8 say undo\n8.5 e6 empty\n8.6 e7 tails\n10 end")
    assert after.of("turn")[-1]["player"] == "red"
    assert "must" not in after.of("turn")[-1]
    moved = PATENT + "7 say brax\n8 f5 empty\n8.1 g5 heads\n9 say undo\n9.5 g5 empty\n9.6 f5 heads\n11 end"
    assert brax(moved).of("turn")[-1]["must"] == ["f5"]


def test_a_move_by_another_than_the_called_piece_is_wrong_where_it_stands() -> None:
    story = brax(PATENT + "7 say brax\n8 d1 empty\n8.1 d2 heads\n12 end")
    assert story.wrong_at(12) == "d2 brax-owed"
    assert (
        story.of("wrong")[-1]["say"] == "D2 is not the piece that has to move. Move the one that was called."
    )
    assert story.owed_at(12) == "d1 put blue, d2 take"


# Moving


def test_a_piece_in_the_hand_shows_where_it_may_go_and_nothing_else() -> None:
    story = brax("1 g1 empty\n3 end")
    assert story.lights_at(0.5) == "b1 hint, c1 hint, d1 hint, e1 hint, f1 hint, g1 hint, h1 hint"
    assert story.lights_at(2) == "f2 hint, g2 hint, g3 hint"
    assert story.owed_at(3) == ""


def test_a_piece_moved_on_before_the_answer_is_an_undo_and_another_move() -> None:
    moved_on = brax("1 g1 empty\n1.1 g2 heads\n2 g2 empty\n2.1 g3 heads\n9 end")
    assert moved_on.spine == ["1 blue g1-g2", "1 g1-g2", "1 blue g1-g3"]
    assert moved_on.wrong_at(9) == ""


def test_in_a_tournament_a_piece_moved_on_was_touched_and_has_to_go_back() -> None:
    story = brax("1 g1 empty\n1.1 g2 heads\n2 g2 empty\n2.1 g3 heads\n9 end", policy="tournament")
    assert story.told("touch") == ["2.430 touch g3 first g2"]
    assert story.spine == ["1 blue g1-g2"]


def test_two_moves_put_back_in_one_rest_are_undone_or_new_by_the_order_of_the_touches() -> None:
    both = "1 e1 empty\n1.1 e2 heads\n2 e9 empty\n2.1 e8 tails\n"
    undone = both + "3 e8 empty\n3.1 e9 tails\n3.2 e2 empty\n3.3 e1 heads\n9 end"
    assert brax(both + "9 end").spine == ["1 blue e1-e2", "2 red e9-e8"]
    assert brax(undone).spine[2:] == ["2 e9-e8", "1 e1-e2"]
    again = both + "3 e2 empty\n3.1 e1 heads\n3.2 e8 empty\n3.3 e9 tails\n9 end"
    assert brax(again).spine[2:] == ["3 blue e2-e1", "4 red e8-e9"]


def test_a_capture_named_is_owed_or_taken_as_seen() -> None:
    owed = brax(PATENT + "7 f5 empty\n7.1 f4 heads\n8 say e6-e5\n9 end")
    assert owed.owed_at(9) == "e5 put red, e6 take"
    done = brax(PATENT + "7 f5 empty\n7.1 f4 heads\n8 say e6-e5\n9 e6 empty\n9.1 e5 tails\n11 end")
    assert (done.owed_at(11), done.wrong_at(11)) == ("", "")


def test_two_captors_lifted_and_one_put_down_on_reeds_are_named_and_asked_about() -> None:
    both = PATENT.replace("heads", "piece").replace("tails", "piece")
    both += "7 f1 empty\n7.1 f2 piece\n8 g9 empty\n8.1 g7 piece\n9 f2 empty\n9.1 f3 piece\n"
    both += "10 g7 empty\n10.1 g6 piece\n11 f3 empty\n11.1 f4 piece\n"
    both += "12 g6 empty\n12.1 g5 piece\n13 h1 empty\n13.1 h2 piece\n"
    lifted = both + "14 e6 empty\n14.2 g5 empty\n14.4 f5 empty\n14.6 f5 piece\n"
    waiting = brax(lifted + "16 end", sensors="presence")
    assert waiting.told("ask") == []
    asked = brax(lifted + "19 say g5xf5\n20 e6 piece\n22 end", sensors="presence")
    assert [line.split(" ", 1)[1] for line in asked.told("ask")] == ["ask e6xf5 g5xf5"]
    assert asked.spine[-1].split()[-1] == "g5xf5"
    assert (asked.wrong_at(22), asked.owed_at(22)) == ("", "")


def test_the_script_moves_are_owed_for_they_have_no_turn() -> None:
    story = brax("1 e1 empty\n1.1 e2 heads\n2 b9 empty\n3 b8 tails\n9 end", {"players": 1})
    assert story.told("owed", "turn", "move", until=3.5) == [
        "0.000 turn 1 blue: e1-d1 e1-e2 e1-f1 e1-g1",
        "1.430 move 1 blue e1-e2: e1 blue -, e2 - blue",
        "1.430 owed move: b8 put red, b9 take",
        "2.330 owed move: b8 put red",
        "3.330 move 2 red b9-b8: b8 - red, b9 red -",
        "3.330 owed move:",
        "3.330 turn 3 blue: e2-d2 e2-d3 e2-e1 e2-e3 e2-f2",
    ]


def test_who_resigns_loses_for_all_allies() -> None:
    assert brax("1 say resign blue_2\n2 end", {"players": 4}).of("over")[0]["winner"] == ["red_1", "red_2"]


# Buttons


def test_a_first_press_is_forgotten_after_five_seconds() -> None:
    assert brax("1 g1 press\n7 g3 press\n8 end", sensors="presses").wrong_at(8) == "g3 extra-piece"
    assert brax("1 g1 press\n5.5 g3 press\n8 end", sensors="presses").spine == ["1 blue g1-g3"]


def test_pressing_another_piece_of_ones_own_chooses_that_one() -> None:
    assert brax("1 e1 press\n2 g1 press\n3 g3 press\n4 end", sensors="presses").spine == ["1 blue g1-g3"]


def test_two_presses_that_are_no_move_are_put_right_by_two_presses() -> None:
    story = brax("1 e1 press\n1.5 e3 press\n3 e3 press\n4 e1 press\n6 end", sensors="presses")
    assert (story.wrong_at(2), story.owed_at(2)) == ("e3 too-far", "e1 put blue, e3 take")
    assert (story.wrong_at(6), story.owed_at(6), story.spine) == ("", "", [])


def test_the_forbidden_repeat_arises_from_buttons_and_is_pressed_back() -> None:
    up = "1 a1 press\n2 say heart\n3 b1 press\n4 say star\n5 a1 press\n5.5 b1 press\n"
    story = tiles(up + "7 b1 press\n7.5 a1 press\n9 a1 press\n9.5 b1 press\n11 end", sensors="presses")
    assert story.spine[-1] == "3 1 switch a1 b1"
    assert (story.wrong_at(8.5), story.wrong_at(11)) == ("a1 repeats-last, b1 repeats-last", "")


# Hidden shapes


def test_a_wrong_shape_is_put_right_by_saying_the_right_one() -> None:
    story = tiles("1 a1 heads\n2 say heart\n3 say star\n5 end")
    assert story.spine == ["heart square star", "1 1 flip a1 heart", "1 flip a1 heart", "1 1 flip a1 star"]
    assert (story.owed_at(5), story.wrong_at(5)) == ("", "")


def test_a_tile_turned_back_is_an_undo() -> None:
    story = tiles("1 a1 heads\n2 say heart\n3 a1 tails\n5 end")
    assert story.spine == ["heart square star", "1 1 flip a1 heart", "1 flip a1 heart"]


def test_a_flip_named_without_its_shape_asks_for_it_and_owes_the_turn() -> None:
    story = tiles("1 say flip a1\n2 say square\n3 a1 heads\n5 end")
    assert story.told("ask", "move", "owed") == [
        "1.000 ask heart square star",
        "2.000 move 1 1 flip a1 square: a1 face-down square",
        "2.000 owed move: a1 turn square",
        "3.030 owed move:",
    ]


def test_an_answer_that_is_none_leaves_the_question() -> None:
    story = tiles("1 a1 heads\n2 say circle\n3 say flip b1\n4 say heart\n5 end")
    assert story.told("ask", "refused", "move") == [
        "1.330 ask heart square star",
        "2.000 refused circle: not-legal",
        "3.000 refused flip b1: not-offered",
        "4.000 move 1 1 flip a1 heart: a1 face-down heart",
    ]


def test_an_action_made_while_a_question_is_open_is_judged_after_the_answer() -> None:
    story = tiles("1 a1 heads\n2 b1 heads\n4 say heart\n6 say star\n8 end")
    assert story.told("ask", "move") == [
        "1.330 ask heart square star",
        "4.000 move 1 1 flip a1 heart: a1 face-down heart",
        "4.000 ask heart square star",
        "6.000 move 2 2 flip b1 star: b1 face-down star",
    ]


def test_on_reeds_nothing_happened_forgets_only_what_was_asked_about() -> None:
    touched = (
        "1 a1 empty\n1.1 a1 piece\n2 b1 empty\n2.1 b1 piece\n4 say nothing\n6 say flip b1\n7 say heart\n9 end"
    )
    assert tiles(touched, sensors="presence").spine == [
        "flip a1 nothing",
        "flip b1 nothing",
        "heart square star",
        "1 1 flip b1 heart",
    ]


def test_hints_tell_a_tile_to_flip_from_one_to_switch_and_partners_from_others() -> None:
    session = Session(RULES["flip-switch"].game({}), Setup())
    told = session.opening()
    for now, event in happenings(session.game, Setup(), TWO_UP + "3 a1 empty\n3.6 end"):
        told += [command for _, command in passed(session, now)]
        told += session.handle(event, now)
        if now == 2.5:
            before = dict(session.referee.telling.told_lights.cells)
    does = {cell: light.debt.do for cell, light in before.items() if light.meaning == "hint" and light.debt}
    assert does == {"a1": "take", "b1": "take"} | dict.fromkeys(
        ("a2", "a3", "b2", "b3", "c1", "c2", "c3"), "turn"
    )
    after = session.referee.telling.told_lights.cells
    assert [cell for cell, light in after.items() if light.meaning == "hint"] == ["b1"]


def test_the_forbidden_repeat_stays_dark() -> None:
    switched = TWO_UP + "3 a1 empty\n3.1 b1 empty\n3.2 a1 heads\n3.3 b1 heads\n4 say switch a1 b1\n6 end"
    assert "hint" not in {
        meaning
        for cell, meaning in (pair.split() for pair in tiles(switched).lights_at(6).split(", "))
        if cell in ("a1", "b1")
    }


# Rounds


ROUND = """
1 a1 heads
1.5 say heart
2 b1 heads
2.5 say heart
3 c1 heads
3.5 say heart
4 a2 heads
4.5 say star
5 a3 heads
5.5 say square
6 b3 heads
6.5 say square
7 c3 heads
"""


def test_a_round_that_ends_is_told_in_order_and_the_tiles_are_owed_face_down() -> None:
    ended = tiles(ROUND + "8 say square\n9 end")
    assert ended.told("move", "point", "round", "owed", since=8) == [
        "8.000 move 7 1 flip c3 square: c3 face-down square",
        "8.000 point 1 square",
        "8.000 round 1",
        "8.000 owed set-up: a1 turn face-down, a2 turn face-down, a3 turn face-down, b1 turn face-down, "
        "b3 turn face-down, c1 turn face-down, c3 turn face-down",
    ]
    assert ended.of("turn")[-1]["ply"] == 7


def test_the_next_round_begins_when_all_tiles_lie_face_down_and_the_loser_begins() -> None:
    laid = "\n".join(
        f"{9 + n / 10} {cell} tails" for n, cell in enumerate(["a1", "a2", "a3", "b1", "b3", "c1", "c3"])
    )
    story = tiles(ROUND + "8 say square\n" + laid + "\n12 end")
    assert story.awaited_at(12) == "8 2"
    assert story.owed_at(12) == ""


def test_on_reeds_and_buttons_ok_confirms_that_the_tiles_are_laid() -> None:
    presses = "".join(
        f"{n} {cell} press\n{n}.5 say {shape}\n"
        for n, (cell, shape) in enumerate(
            zip(
                ["a1", "b1", "c1", "a2", "a3", "b3", "c3"],
                ["heart", "heart", "heart", "star", "square", "square", "square"],
                strict=True,
            ),
            1,
        )
    )
    story = tiles(presses + "9 say ok\n10 end", sensors="presses")
    assert story.told("round", "turn", since=7.4) == ["7.500 round 1", "9.000 turn 8 2: " + _all_flips()]


def _all_flips() -> str:
    return " ".join(f"flip {column}{row}" for column in "abc" for row in "123")


def test_the_last_action_of_a_round_can_be_undone() -> None:
    story = tiles(ROUND + "8 say square\n9 say undo\n11 end")
    assert story.told("undo") == ["9.000 undo 7 flip c3 square"]
    assert story.owed_at(11) == "c3 turn face-down"
    assert tiles(ROUND + "8 say square\n9 say undo\n10 c3 tails\n12 end").awaited_at(12) == "7 1"


def test_a_match_goes_on_from_its_record_calls_and_rounds_included() -> None:
    for transcript, game in (
        (PATENT + "7 say brax\n9 end", "brax"),
        (ROUND + "8 say square\n9 end", "flip-switch"),
    ):
        rules, setup = RULES[game].game({}), Setup()
        first = Session(rules, setup)
        told = first.opening()
        for now, event in happenings(rules, setup, transcript):
            told += [command for _, command in passed(first, now)] + first.handle(event, now)
        past = [each for each in told if isinstance(each, Moved | Passed | Called | Undone)]
        owed = [each for each in told if isinstance(each, Owed)]
        second = Session(rules, setup)
        second.resume(past, owed[-1] if owed else None, {}, 0.0)
        assert second.table.record.position == first.table.record.position
        assert second.table.setting_up == first.table.setting_up


# Sentences


def said(story: Story, game: str, options: Mapping[str, object] = MappingProxyType({})) -> list[str]:
    """The sentences of questions and mistakes, and of the last debt."""
    words = Sentences(RULES[game].game(options))
    told = [event["say"] for event in story.of("wrong") if event["cells"]]
    return told + [words.ask(event["choices"]) for event in story.of("ask")]


def test_a_question_is_asked_in_words() -> None:
    assert said(tiles("1 a1 heads\n3 end"), "flip-switch") == ["What came up: heart, square or star?"]
    switch = TWO_UP + "3 a1 empty\n3.1 b1 empty\n3.2 a1 heads\n3.3 b1 heads\n5 end"
    assert said(tiles(switch), "flip-switch")[-1] == "Was it a switch of A1 and B1, or did nothing happen?"
    touched = tiles("1 a1 empty\n1.1 a1 piece\n3 end", sensors="presence")
    assert said(touched, "flip-switch") == ["Was it a flip of A1, or did nothing happen?"]


def test_a_mistake_is_named_with_its_cells_and_its_remedy() -> None:
    far = brax("1 e1 empty\n1.1 e3 heads\n3 end")
    assert said(far, "brax") == ["E3 is too far. Move back."]
    other = brax("1 b9 empty\n1.1 b8 tails\n3 end")
    assert said(other, "brax") == ["Blue is to move, and B8 holds another's piece. Put it back."]
    up = "1 a1 press\n2 say heart\n3 b1 press\n4 say star\n5 a1 press\n5.5 b1 press\n"
    story = tiles(up + "7 b1 press\n7.5 a1 press\n9 end", sensors="presses")
    assert said(story, "flip-switch")[0] == "A1 and B1 have just been switched. Switch them back."


def test_a_way_back_is_told_as_one_move() -> None:
    words = Sentences(RULES["brax"].game({}))
    owed = Owed("undo", {"e1": Debt("put", "blue"), "e2": Debt("take")})
    assert words.owed(owed) == "Taken back: move E2 to E1."
    assert words.owed(Owed("move", {"b9": Debt("take"), "b8": Debt("put", "red")})) == "Move B9 to B8."


def test_a_new_round_is_told_as_tiles_to_be_shuffled() -> None:
    words = Sentences(RULES["flip-switch"].game({}))
    owed = Owed("set-up", {"a1": Debt("turn", "face-down"), "b1": Debt("turn", "face-down")})
    assert words.owed(owed) == "Shuffle the tiles and lay them out: turn A1 and B1."


def test_moves_and_calls_are_told_as_people_say_them() -> None:
    words = Sentences(RULES["brax"].game({}))
    assert words.of(Moved(1, "blue", "g1-g3", {})) == "Blue: G1 to G3."
    assert words.of(Moved(1, "red", "e6xf5", {})) == "Red: E6 takes F5."
    assert words.of(Called("red", "brax", ["f5"])) == "Red calls brax. F5 has to move."
