"""Policies and the further rules of the table (interface, section 4)."""

from __future__ import annotations

import pytest

from tests.core.table import moves, played

WIPE_OUT = "e6 f4 e3 f6 g5 d6 e7 f5 c5"
"""Othello moves after which White has no disc left."""
EARLY = {
    "polarity": "1 d3 heads\n2 c5 tails\n4 d4 heads\n9 end",
    "presence": "1 d3 piece\n2 c5 piece\n4 d4 empty\n4.2 d4 piece\n9 end",
    "presses": "1 d3 press\n2 c5 press\n4 d4 press\n9 end",
}
"""White's disc lies there before Black's flip is done; Black then turns it, nobody touches White's."""


# The opponent's disc lies there before the flips are done


@pytest.mark.parametrize("sensors", list(EARLY))
def test_under_teach_an_early_disc_is_shown_wrong_and_recorded_untouched_when_the_flips_are_done(
    sensors: str,
) -> None:
    story = played(EARLY[sensors], sensors=sensors)
    assert [story.wrong_at(3.9), story.owed_at(3.9), story.lights_at(3.9)] == [
        "c5 not-yet",
        "d4 turn black",
        "c5 wrong, d3 last, d4 owed",
    ]
    assert story.spine == ["1 black d3", "2 white c5"]
    assert [story.wrong_at(9), story.owed_at(9)] == ["", "d5 turn white"]


@pytest.mark.parametrize("sensors", list(EARLY))
def test_under_club_an_early_disc_waits_without_a_word_or_light(sensors: str) -> None:
    story = played(EARLY[sensors], sensors=sensors, policy="club")
    assert [story.of("wrong"), story.owed_at(3.9), story.lights_at(3.9)] == [
        [],
        "d4 turn black",
        "d3 last, d4 owed",
    ]
    assert [story.spine, story.owed_at(9)] == [["1 black d3", "2 white c5"], "d5 turn white"]


@pytest.mark.parametrize("sensors", list(EARLY))
def test_under_tournament_an_early_disc_ends_the_claim(sensors: str) -> None:
    story = played(EARLY[sensors].replace("\n4", "\n8"), sensors=sensors, policy="tournament")
    told = [each.split(" ", 1)[1] for each in story.told("stands", "move", "wrong", until=5)]
    assert told == [
        "move 1 black d3: d3 - black, d4 white black",
        "stands 1: d4 white",
        "move 2 white c5: c5 - white, d5 black white",
    ]
    assert story.owed_at(5) == "d5 turn white"


def test_under_teach_only_the_unfinished_flips_are_owed_when_the_early_disc_has_its_own_flips_done() -> None:
    """d5 was turned for c5, which is a move as soon as d4 is turned: to turn it back would be turning it twice."""
    story = played("1 d3 heads\n2 c5 tails\n2.2 d5 tails\n4 d4 heads\n9 end")
    assert [story.owed_at(3.9), story.wrong_at(3.9)] == ["d4 turn black", "c5 not-yet"]
    assert [story.spine, story.owed_at(9), story.wrong_at(9)] == [["1 black d3", "2 white c5"], "", ""]


def test_under_club_an_early_disc_with_its_own_flips_done_waits_without_a_word_or_light() -> None:
    story = played("1 d3 heads\n2 c5 tails\n2.2 d5 tails\n4 d4 heads\n9 end", policy="club")
    assert [story.owed_at(3.9), story.of("wrong")] == ["d4 turn black", []]
    assert [story.spine, story.owed_at(9)] == [["1 black d3", "2 white c5"], ""]


def test_under_teach_an_early_disc_found_in_the_same_rest_waits_too() -> None:
    story = played("1 d3 heads\n1.1 c5 tails\n1.2 d5 tails\n4 d4 heads\n9 end")
    assert [story.owed_at(3.9), story.wrong_at(3.9)] == ["d4 turn black", "c5 not-yet"]
    assert [story.spine, story.owed_at(9)] == [["1 black d3", "2 white c5"], ""]


def test_an_early_disc_taken_away_again_is_nothing() -> None:
    story = played("1 d3 heads\n2 c5 tails\n3 c5 empty\n4 d4 heads\n9 end")
    assert [story.spine, story.wrong_at(9), story.awaited_at(9)] == [["1 black d3"], "", "2 white"]


def test_an_early_disc_moved_on_counts_where_it_lies_when_the_flips_are_done() -> None:
    story = played("1 d3 heads\n2 c5 tails\n3 c5 empty\n3.2 e3 tails\n5 d4 heads\n9 end")
    assert story.spine == ["1 black d3", "2 white e3"]


def test_an_early_disc_that_will_be_no_move_is_wrong_at_once() -> None:
    """With d4 turned, d2 brackets nothing for White."""
    story = played("1 d3 heads\n2 d2 tails\n9 end")
    assert [story.wrong_at(9), story.owed_at(9)] == ["d2 no-bracket", "d2 take, d4 turn black"]


def test_an_early_disc_still_counts_when_the_disc_before_it_was_lifted_and_put_back() -> None:
    """Black adjusts d3 while White's c5 waits: nothing of the board may be forgotten."""
    story = played("1 d3 heads\n2 c5 tails\n3 d3 empty\n4 d3 heads\n6 d4 heads\n9 end")
    assert [story.spine, story.owed_at(9), story.wrong_at(9)] == [
        ["1 black d3", "2 white c5"],
        "d5 turn white",
        "",
    ]


def test_an_early_disc_still_counts_when_the_disc_before_it_was_long_away() -> None:
    """The same after the missing disc was said: here the judge is told `keep`, so d3 is no undo."""
    lines = "1 d3 heads\n1.2 d4 heads\n3 d3 empty\n6 say keep\n7 c5 tails\n11 d3 heads\n15 end"
    story = played(lines, policy="club")
    assert [story.spine[-1], story.owed_at(15), story.wrong_at(15)] == ["2 white c5", "d5 turn white", ""]


def test_the_disc_placed_last_is_taken_back_after_two_seconds_beside_an_early_disc_too() -> None:
    """With d3 undone it is Black's turn, and White's c5 is not Black's piece."""
    story = played("1 d3 heads\n2 c5 tails\n3 d3 empty\n9 end")
    assert story.told("undo") == ["5.030 undo 1 d3"]
    assert [story.wrong_at(4.9), story.wrong_at(9), story.owed_at(9)] == [
        "c5 not-yet",
        "c5 not-your-piece",
        "c5 take",
    ]


# Flips missed or wrong


@pytest.mark.parametrize("policy", ["teach", "club"])
def test_a_missed_flip_is_owed_until_it_is_turned(policy: str) -> None:
    story = played("1 d3 heads\n60 d4 heads\n70 end", policy=policy)
    assert story.told("owed", "complete") == [
        "1.330 owed move: d4 turn black",
        "60.030 owed move:",
        "60.030 complete 1",
    ]


@pytest.mark.parametrize("policy", ["teach", "club"])
def test_a_wrong_flip_is_owed_until_it_is_put_right(policy: str) -> None:
    """Black's d6 turns d5; e5 is turned too, which no move of White's could begin with."""
    story = played(moves("d3 c5 d6") + "\n3.5 e5 heads\n7 e5 tails\n9 end", policy=policy)
    assert [story.owed_at(6), story.wrong_at(6)] == ["e5 turn white", "e5 turned-wrongly"]
    assert [story.owed_at(9), story.wrong_at(9), story.awaited_at(9)] == ["", "", "4 white"]


def test_under_tournament_a_disc_is_judged_on_the_board_that_stands() -> None:
    """d2 is White's move only because d4 was not turned."""
    story = played("1 d3 heads\n3 d2 tails\n9 end", policy="tournament")
    assert story.told("stands", "move", "owed", "wrong", since=2) == [
        "3.330 stands 1: d4 white",
        "3.330 move 2 white d2: d2 - white, d3 black white",
        "3.330 owed move: d3 turn white",
    ]


def test_under_tournament_a_disc_that_is_no_move_on_the_board_that_stands_is_wrong_and_ends_no_claim() -> (
    None
):
    """c3 would need d4 turned. `stands` comes just before the move that ends the claim: here there is none."""
    story = played("1 d3 heads\n3 c3 tails\n5 c3 empty\n7 d4 heads\n9 end", policy="tournament")
    assert story.wrong_at(4) == "c3 no-bracket"
    assert [story.of("stands"), story.owed_at(6), story.owed_at(9)] == [[], "d4 turn black", ""]


def test_under_tournament_a_flip_wrongly_made_stands_with_the_next_disc() -> None:
    story = played(moves("d3 c5 d6") + "\n3.5 e5 heads\n5 f5 tails\n9 end", policy="tournament")
    assert story.owed_at(4.5) == "e5 turn white"
    assert story.told("stands", "move", since=5) == [
        "5.330 stands 3: e5 black",
        "5.330 move 4 white f5: d5 black white, e5 black white, f5 - white",
    ]


def test_under_tournament_a_flip_missed_and_one_wrongly_made_stand_together() -> None:
    """Black's d6 should turn d5, and e5 was turned instead. White's f5 then turns e5 alone."""
    story = played(moves("d3 c5") + "\n3 d6 heads\n3.2 e5 heads\n5 f5 tails\n9 end", policy="tournament")
    assert story.told("stands", "move", since=5) == [
        "5.330 stands 3: d5 white, e5 black",
        "5.330 move 4 white f5: e5 black white, f5 - white",
    ]


def test_under_tournament_stands_names_the_ply_whose_flips_were_missed_though_a_pass_came_between() -> None:
    before = moves("d3 c3 b3 b2 f5 a3 a1")
    story = played(f"{before}\n8 c1 tails\n9 say pass\n10 e3 tails\n19 end", policy="tournament")
    assert story.told("stands", "pass", since=8) == ["9.000 pass 9 black", "10.330 stands 8: b2 black"]


def test_under_tournament_a_named_move_ends_the_claim_as_its_disc_would() -> None:
    """The spec says `the next disc`; a move named comes from a player who would rather speak."""
    story = played("1 d3 heads\n3 say c5\n4 c5 tails\n5 d5 tails\n9 end", policy="tournament")
    assert story.told("stands", "move", "wrong", since=2) == [
        "3.000 stands 1: d4 white",
        "3.000 move 2 white c5: c5 - white, d5 black white",
    ]
    assert [story.owed_at(3), story.owed_at(9)] == ["c5 put white, d5 turn white", ""]


# A placed disc moves to another legal cell


def test_under_teach_a_disc_moved_on_is_an_undo_and_a_new_move() -> None:
    story = played("1 d3 heads\n1.2 d4 heads\n3 d3 empty\n3.3 e6 heads\n5 d4 tails\n6 e5 heads\n9 end")
    assert story.told("undo", "move", "complete", since=3) == [
        "3.630 undo 1 d3",
        "3.630 move 1 black e6: e5 white black, e6 - black",
        "6.030 complete 1",
    ]
    assert [story.owed_at(4), story.owed_at(5.5)] == ["d4 turn white, e5 turn black", "e5 turn black"]


def test_under_teach_a_disc_moved_on_keeps_the_flips_that_both_moves_share() -> None:
    story = played("1 d3 heads\n1.2 d4 heads\n3 d3 empty\n3.3 c4 heads\n9 end")
    assert story.told("undo", "move", "owed", "wrong", "complete", since=3) == [
        "3.630 undo 1 d3",
        "3.630 move 1 black c4: c4 - black, d4 white black",
        "3.630 complete 1",
    ]


def test_under_teach_flips_to_be_turned_back_after_a_change_of_mind_are_nobodys_mistake() -> None:
    """Changing one's mind is allowed: the disc turned for the first cell is owed, not wrong."""
    story = played("1 d3 heads\n1.2 d4 heads\n3 d3 empty\n3.3 e6 heads\n9 end")
    assert [story.owed_at(9), story.of("wrong")] == ["d4 turn white, e5 turn black", []]


def test_after_the_opponents_move_a_disc_moved_on_has_to_go_back() -> None:
    story = played(moves("d3 c5") + "\n4 d3 empty\n4.3 c4 heads\n9 end")
    assert [story.spine, story.owed_at(9)] == [["1 black d3", "2 white c5"], "c4 take, d3 put black"]


def test_under_club_a_disc_may_move_on_before_its_first_flip() -> None:
    story = played("1 d3 heads\n3 d3 empty\n3.3 c4 heads\n9 end", policy="club")
    assert story.spine == ["1 black d3", "1 d3", "1 black c4"]


def test_under_club_a_disc_moved_on_after_its_first_flip_is_an_undo_by_hand_and_asked() -> None:
    story = played("1 d3 heads\n1.2 d4 heads\n3 d3 empty\n3.3 c4 heads\n9 end", policy="club")
    assert story.spine == ["1 black d3", "keep undo"]


def test_under_tournament_the_first_cell_counts() -> None:
    story = played(
        "1 d3 heads\n3 d3 empty\n3.3 c4 heads\n5 c4 empty\n5.3 d3 heads\n7 d4 heads\n9 end",
        policy="tournament",
    )
    assert story.told("touch", "undo", "move", "complete") == [
        "1.330 move 1 black d3: d3 - black, d4 white black",
        "3.630 touch c4 first d3",
        "7.030 complete 1",
    ]
    assert [story.owed_at(4), story.owed_at(6), story.awaited_at(9)] == [
        "c4 take, d3 put black, d4 turn black",
        "d4 turn black",
        "2 white",
    ]


def test_under_tournament_a_disc_moved_on_after_its_flips_has_to_go_back_too() -> None:
    story = played(
        "1 d3 heads\n1.2 d4 heads\n3 d3 empty\n3.3 c4 heads\n5 c4 empty\n5.3 d3 heads\n9 end",
        policy="tournament",
    )
    assert story.told("touch", "undo", since=3) == ["3.630 touch c4 first d3"]
    assert [story.owed_at(4), story.owed_at(9)] == ["c4 take, d3 put black", ""]


def test_touch_is_told_once_as_long_as_the_disc_lies_there() -> None:
    story = played("1 d3 heads\n3 d3 empty\n3.3 c4 heads\n5 d4 heads\n9 end", policy="tournament")
    assert story.told("touch") == ["3.630 touch c4 first d3"]


def test_touch_is_told_again_when_the_disc_went_back_and_is_moved_on_again() -> None:
    story = played(
        "1 d3 heads\n3 d3 empty\n3.3 c4 heads\n5 c4 empty\n5.3 d3 heads\n7 d3 empty\n7.3 c4 heads\n9 end",
        policy="tournament",
    )
    assert story.told("touch") == ["3.630 touch c4 first d3", "7.630 touch c4 first d3"]


# Undo


@pytest.mark.parametrize("sensors", ["polarity", "presence", "presses"])
def test_under_teach_undo_is_said_freely(sensors: str) -> None:
    story = played(moves("d3", sensors=sensors) + "\n3 say undo\n9 end", sensors=sensors)
    assert story.told("undo", "owed", since=3) == [
        "3.000 undo 1 d3",
        "3.000 owed undo: d3 take, d4 turn white",
    ]


def test_undo_is_said_once_a_ply_and_the_net_difference_is_owed() -> None:
    """d3 turns d4 and c3 turns it back: taken back both, d4 need not be touched."""
    story = played(moves("d3 c3") + "\n3 say undo\n4 say undo\n9 end")
    assert story.told("undo", "owed", since=3) == [
        "3.000 undo 2 c3",
        "3.000 owed undo: c3 take, d4 turn black",
        "4.000 undo 1 d3",
        "4.000 owed undo: c3 take, d3 take",
    ]


def test_a_ply_undone_by_word_is_no_move_until_the_board_has_been_in_order_once() -> None:
    story = played(
        moves("d3") + "\n3 say undo\n5 d3 empty\n6 d3 heads\n8 d3 empty\n9 d4 tails\n12 d3 heads\n19 end"
    )
    assert story.spine == ["1 black d3", "1 d3", "1 black d3"]
    assert [story.owed_at(4), story.owed_at(7)] == ["d3 take, d4 turn white"] * 2
    assert story.told("move")[-1].startswith("12.330")


def test_another_move_is_open_while_an_undone_one_is_still_being_put_right() -> None:
    """Only the ply undone is no hypothesis: c4 turns d4 as well, which still lies turned."""
    story = played(moves("d3") + "\n3 say undo\n5 d3 empty\n5.3 c4 heads\n9 end")
    assert story.spine == ["1 black d3", "1 d3", "1 black c4"]
    assert [story.owed_at(9), story.wrong_at(9)] == ["", ""]


def test_undo_said_before_the_flips_owes_the_disc_alone() -> None:
    assert played("1 d3 heads\n3 say undo\n9 end").told("undo", "owed") == [
        "1.330 owed move: d4 turn black",
        "3.000 undo 1 d3",
        "3.000 owed undo: d3 take",
    ]


def test_under_club_undo_waits_for_ok() -> None:
    story = played(moves("d3") + "\n3 say undo\n5 say ok\n9 end", policy="club")
    assert [event["what"] for event in story.of("offer")] == ["undo"]
    assert story.told("undo", "owed") == ["5.000 undo 1 d3", "5.000 owed undo: d3 take, d4 turn white"]


def test_under_club_an_undo_by_hand_is_asked_about() -> None:
    story = played(moves("d3") + "\n3 d3 empty\n7 say undo\n9 d4 tails\n12 end", policy="club")
    assert story.told("ask", "undo", "refused") == ["5.030 ask keep undo", "7.000 undo 1 d3"]
    assert [story.owed_at(8), story.awaited_at(12)] == ["d4 turn white", "1 black"]


def test_under_club_an_undo_by_hand_that_was_not_meant_is_owed_back() -> None:
    story = played(moves("d3") + "\n3 d3 empty\n7 say keep\n9 d3 heads\n12 end", policy="club")
    assert story.told("ask", "undo", "refused") == ["5.030 ask keep undo"]
    assert [story.owed_at(8), story.owed_at(12), story.awaited_at(12)] == ["d3 put black", "", "2 white"]


def test_under_tournament_an_undo_by_hand_is_owed_back() -> None:
    story = played(moves("d3") + "\n3 d3 empty\n9 d3 heads\n12 end", policy="tournament")
    assert story.told("undo", "ask", "owed", "wrong", since=2) == [
        "3.330 owed repair: d3 put black",
        "6.030 wrong d3 missing-piece",
        "9.030 owed repair:",
        "9.030 wrong",
    ]


def test_several_plies_taken_back_by_hand_are_each_undone_the_last_one_first() -> None:
    story = played(moves("d3 c5 d6") + "\n5 d6 empty\n5.1 c5 empty\n5.2 d3 empty\n5.3 d4 tails\n9 end")
    assert story.told("undo", "turn", since=5) == [
        "5.630 undo 3 d6",
        "5.630 undo 2 c5",
        "5.630 undo 1 d3",
        "5.630 turn 1 black: c4 d3 e6 f5",
    ]


# Taking away the disc placed last


def test_the_disc_placed_last_counts_as_taken_away_after_two_seconds() -> None:
    story = played(moves("d3") + "\n3 d3 empty\n9 end")
    assert story.told("undo", "owed", "wrong", since=3) == [
        "5.030 undo 1 d3",
        "5.030 owed undo: d4 turn white",
    ]


def test_take_back_is_that_of_the_header() -> None:
    assert played(moves("d3") + "\n3 d3 empty\n9 end", take_back=0.5).told("undo") == ["3.530 undo 1 d3"]


def test_put_back_before_that_nothing_happened() -> None:
    story = played(moves("d3") + "\n3 d3 empty\n4.9 d3 heads\n9 end")
    assert story.told("undo", "owed", "wrong", "ask", "move", since=2) == []


def test_a_flip_turned_back_tells_at_once_that_the_disc_was_taken_away() -> None:
    story = played(moves("d3") + "\n3 d3 empty\n3.2 d4 tails\n9 end")
    assert story.told("undo", "owed", "turn", since=3) == [
        "3.530 undo 1 d3",
        "3.530 turn 1 black: c4 d3 e6 f5",
    ]


def test_a_disc_that_is_not_the_last_is_missing_and_not_taken_back() -> None:
    story = played(moves("d3 c5") + "\n4 d3 empty\n9 end")
    assert [story.spine, story.owed_at(9), story.wrong_at(9)] == [
        ["1 black d3", "2 white c5"],
        "d3 put black",
        "d3 missing-piece",
    ]


def test_a_disc_taken_away_before_its_flips_leaves_nothing_to_do() -> None:
    story = played("1 d3 heads\n3 d3 empty\n9 end")
    assert [story.spine, story.owed_at(9), story.awaited_at(9)] == [["1 black d3", "1 d3"], "", "1 black"]


def test_while_a_known_disc_is_in_the_air_nothing_is_asked() -> None:
    """The discs come more than a second after d5 has left; sooner, they would have rolled there."""
    story = played("1 d5 empty\n2.1 d3 heads\n2.2 e6 heads\n3.5 d5 heads\n9 end")
    assert [story.told("ask"), story.of("wrong")] == [["3.830 ask d3 e6"], []]


# Nudges


@pytest.mark.parametrize(("sensors", "sees"), [("polarity", "heads"), ("presence", "piece")])
def test_lifted_and_put_back_is_nothing(sensors: str, sees: str) -> None:
    story = played(f"1 e4 empty\n1.2 e4 {sees}\n9 end", sensors=sensors)
    assert story.told() == ["0.000 turn 1 black: c4 d3 e6 f5"]


def test_a_disc_held_longer_is_owed_back_and_then_all_is_as_before() -> None:
    story = played("1 e4 empty\n2 e4 heads\n9 end")
    assert [story.told("owed", "wrong"), story.awaited_at(9)] == [
        ["1.330 owed repair: e4 put black", "2.030 owed repair:"],
        "1 black",
    ]


# Two moves in one rest


@pytest.mark.parametrize("sensors", ["polarity", "presence", "presses"])
def test_a_move_and_its_answer_found_in_one_rest_are_both_recorded(sensors: str) -> None:
    lines = {
        "polarity": "1 d3 heads\n1.1 d4 heads\n1.2 c5 tails\n1.3 d5 tails\n9 end",
        "presence": "1 d3 piece\n1.05 d4 empty\n1.1 d4 piece\n1.2 c5 piece\n1.25 d5 empty\n1.3 d5 piece\n9 end",
        "presses": "1 d3 press\n1.1 d4 press\n1.2 c5 press\n1.3 d5 press\n9 end",
    }
    story = played(lines[sensors], sensors=sensors)
    assert [story.spine, story.owed_at(9), story.wrong_at(9), story.awaited_at(9)] == [
        ["1 black d3", "2 white c5"],
        "",
        "",
        "3 black",
    ]


def test_an_action_made_while_a_question_is_open_is_kept_and_judged_after_the_answer() -> None:
    story = played("1 d3 heads\n1.1 e6 heads\n3 d4 heads\n5 say d3\n7 e6 empty\n9 end")
    assert story.told("ask", "move", "complete") == [
        "1.430 ask d3 e6",
        "5.000 move 1 black d3: d3 - black, d4 white black",
        "5.000 complete 1",
    ]
    assert [story.owed_at(6), story.owed_at(9)] == ["e6 take", ""]


# Cells set aside


def test_a_move_on_a_cell_set_aside_is_known_when_all_its_flips_are_seen() -> None:
    """e3 turns d4 and e4: nothing is known while e4 is missing."""
    story = played(moves("d3 c5 d6") + "\n4 say distrust e3\n5 d4 tails\n7 e4 tails\n9 end")
    assert story.told("move", "complete", "wrong", "ask", since=4) == [
        "7.330 move 4 white e3: d4 black white, e3 - white, e4 black white",
        "7.330 complete 4",
    ]


def test_a_move_on_a_cell_set_aside_is_not_known_while_anything_else_is_seen() -> None:
    """h8 lies there too: d4 and e4 may have been turned for a move that is not to be seen, or by the same mistake."""
    story = played(moves("d3 c5 d6") + "\n4 say distrust e3\n5 d4 tails\n5.1 e4 tails\n5.2 h8 heads\n9 end")
    assert story.told("move", since=4) == []


def test_a_move_on_a_cell_set_aside_is_known_by_presses_on_its_flips() -> None:
    story = played(
        moves("d3", sensors="presses") + "\n2 say distrust c5\n3 d5 press\n9 end", sensors="presses"
    )
    assert story.told("move", "complete", since=2) == [
        "3.300 move 2 white c5: c5 - white, d5 black white",
        "3.300 complete 2",
    ]


def test_on_reeds_a_move_on_a_cell_set_aside_has_to_be_said() -> None:
    story = played(
        moves("d3", sensors="presence") + "\n2 say distrust c5\n3 d5 empty\n3.2 d5 piece\n5 say c5\n9 end",
        sensors="presence",
    )
    assert story.told("move", "ask", "wrong", since=2) == [
        "5.000 move 2 white c5: c5 - white, d5 black white"
    ]


def test_a_flip_on_a_cell_set_aside_is_owed_as_confirm_and_ok_confirms_it() -> None:
    story = played("1 say distrust d4\n2 d3 heads\n4 say ok\n9 end")
    assert story.told("owed", "complete", "turn", since=1) == [
        "2.330 owed move: d4 confirm black",
        "2.330 turn 2 white: c3 c5 e3",
        "4.000 owed move:",
        "4.000 complete 1",
    ]


def test_a_flip_on_a_cell_set_aside_never_holds_up_the_next_move() -> None:
    story = played("1 say distrust d4\n2 d3 heads\n4 c5 tails\n4.2 d5 tails\n9 end")
    assert [story.spine, story.wrong_at(9), story.awaited_at(9)] == [
        ["1 black d3", "2 white c5"],
        "",
        "3 black",
    ]


def test_a_flip_on_a_cell_set_aside_is_owed_plainly_once_the_cell_is_trusted() -> None:
    story = played("1 say distrust d4\n2 d3 heads\n4 say trust d4\n6 d4 heads\n9 end")
    assert [story.owed_at(3), story.owed_at(4.3), story.owed_at(6.03)] == [
        "d4 confirm black",
        "d4 turn black",
        "",
    ]
    assert story.told("complete") == ["6.030 complete 1"]


def test_naming_a_move_on_a_cell_set_aside_owes_its_disc_as_confirm() -> None:
    story = played("1 say distrust d3\n2 say d3\n3 d4 heads\n5 say ok\n9 end")
    assert [story.owed_at(2), story.owed_at(4), story.owed_at(9)] == [
        "d3 confirm black, d4 turn black",
        "d3 confirm black",
        "",
    ]


def test_a_cell_set_aside_is_marked() -> None:
    assert played("1 say distrust a8\n9 end").lights_at(9, "mark") == "a8 mark"


# Chatter and stuck


def blinking(cell: str, times: int, every: float) -> str:
    """So many changes of one empty cell from t = 1 on."""
    return "\n".join(f"{1 + n * every:.3f} {cell} {('heads', 'empty')[n % 2]}" for n in range(times))


def test_eight_changes_of_one_cell_are_not_chatter() -> None:
    assert played(blinking("a1", 8, 0.1) + "\n19 end").of("sensor") == []


def test_more_than_eight_changes_in_two_seconds_are_chatter_and_the_cell_comes_back_after_ten_of_quiet() -> (
    None
):
    story = played(blinking("a1", 10, 0.1) + "\n19 end")
    assert story.told("sensor", "wrong", "move") == ["1.830 sensor a1 chatter", "11.930 sensor a1 back"]


def test_nine_changes_in_more_than_two_seconds_are_not_chatter() -> None:
    assert played(blinking("a1", 9, 0.26) + "\n19 end").of("sensor") == []


def test_changes_are_not_chatter_while_another_cell_changes() -> None:
    story = played(
        blinking("a1", 6, 0.1)
        + "\n1.550 h8 heads\n"
        + blinking("a1", 6, 0.1).replace("1.", "2.")
        + "\n19 end"
    )
    assert story.of("sensor") == []


def test_a_game_goes_on_beside_a_chattering_cell() -> None:
    blinks = blinking("a1", 60, 0.1).splitlines()
    others = ["3.020 d3 heads", "3.220 d4 heads"]
    lines = sorted([*blinks, *others], key=lambda text: float(text.split()[0]))
    story = played("\n".join(lines) + "\n30 end")
    assert story.told("move", "complete", "wrong") == [
        "3.550 move 1 black d3: d3 - black, d4 white black",
        "3.550 complete 1",
    ]


def test_time_alone_never_makes_a_sensor_stuck() -> None:
    story = played("1 a1 heads\n999 end")
    assert [story.of("sensor"), story.wrong_at(999)] == [[], "a1 no-bracket"]


# The start


def test_as_laid_owes_the_standard_diagonal_until_a_disc_contradicts_it() -> None:
    story = played(
        "1 d4 heads\n3 e4 tails\n4 d5 tails\n5 e5 heads\n9 end",
        start="empty",
        options={"diagonal": "as-laid"},
    )
    assert [story.owed_at(0), story.owed_at(1.33), story.of("wrong")] == [
        "d4 put white, d5 put black, e4 put black, e5 put white",
        "d5 put white, e4 put white, e5 put black",
        [],
    ]
    assert story.told("turn") == ["5.030 turn 1 black: c5 d6 e3 f4"]


def test_as_laid_stays_standard_where_no_disc_contradicts_it() -> None:
    story = played(
        "1 d4 tails\n3 e4 heads\n4 d5 heads\n5 e5 tails\n9 end",
        start="empty",
        options={"diagonal": "as-laid"},
    )
    assert story.told("turn") == ["5.030 turn 1 black: c4 d3 e6 f5"]


def test_as_laid_is_standard_where_the_sensors_see_no_side() -> None:
    lines = "1 d4 piece\n2 e4 piece\n3 d5 piece\n4 e5 piece\n9 end"
    story = played(lines, start="empty", sensors="presence", options={"diagonal": "as-laid"})
    assert story.told("turn") == ["4.030 turn 1 black: c4 d3 e6 f5"]


def test_while_the_start_is_laid_there_is_no_mover() -> None:
    story = played("1 d4 heads\n2 d3 heads\n9 end", start="empty")
    assert story.wrong_at(9) == "d3 extra-piece, d4 turned-wrongly"


# Practice


def test_practice_is_played_then_the_board_is_set_up_and_the_scored_game_begins_with_ply_one() -> None:
    options = {"practice": 2}
    opening = moves("b3 b2", "bracket", options)
    story = played(
        opening + "\n4 b2 empty\n5 b3 empty\n6 d3 heads\n9 c3 tails\n12 e4 heads\n19 end", "bracket", options
    )
    assert [(event["ply"], event["move"], event.get("practice")) for event in story.of("move")] == [
        (1, "b3", True),
        (2, "b2", True),
        (1, "e4", None),
    ]
    assert story.of("undo", "wrong") == []


def test_practice_plies_are_taken_back_by_no_undo() -> None:
    story = played(
        moves("b3", "bracket", {"practice": 2}) + "\n3 say undo\n9 end", "bracket", {"practice": 2}
    )
    assert [story.of("undo"), len(story.of("refused"))] == [[], 1]


def test_the_set_up_after_practice_is_no_ply_to_undo() -> None:
    options = {"practice": 1}
    story = played(
        moves("b3", "bracket", options) + "\n3 b3 empty\n4 c3 tails\n6 say undo\n9 end", "bracket", options
    )
    assert story.told("undo", "refused") == ["6.000 refused undo: not-open"]


# After the game


def test_after_over_the_last_move_may_still_be_undone_by_word() -> None:
    story = played(moves(WIPE_OUT) + "\n12 say undo\n19 end")
    assert story.told("undo", "refused", since=12) == ["12.000 undo 9 c5"]
    assert (
        story.owed_at(19)
        == "c5 take, d4 turn white, d5 turn white, d6 turn white, e5 turn white, f5 turn white"
    )


def test_after_over_the_last_move_may_still_be_undone_by_hand() -> None:
    story = played(moves(WIPE_OUT) + "\n12 c5 empty\n19 end")
    assert story.told("undo", since=12) == ["14.030 undo 9 c5"]


def test_after_over_under_tournament_nothing_is_undone() -> None:
    story = played(moves(WIPE_OUT) + "\n12 say undo\n13 c5 empty\n19 end", policy="tournament")
    assert story.told("undo", "refused") == ["12.000 refused undo: not-allowed"]


@pytest.mark.parametrize("policy", ["teach", "club", "tournament"])
@pytest.mark.parametrize("first", [1, -1])
def test_after_over_the_board_cleared_and_the_start_laid_begins_a_new_game(policy: str, first: int) -> None:
    """Clearing takes the disc placed last along: it must not count as taking the game back ply by ply."""
    cells = [*WIPE_OUT.split()[::first], "d4", "d5", "e4", "e5"]
    cleared = "\n".join(f"{12 + n / 10:.1f} {cell} empty" for n, cell in enumerate(cells))
    laid = "20 d4 tails\n20.3 d5 heads\n20.6 e4 heads\n20.9 e5 tails"
    story = played(f"{moves(WIPE_OUT)}\n{cleared}\n{laid}\n25 d3 heads\n30 end", policy=policy)
    assert story.told("undo", "ask", since=12) == []
    assert [each.split(" ", 1)[1] for each in story.told("turn", "move", since=12)] == [
        "turn 1 black: c4 d3 e6 f5",
        "move 1 black d3: d3 - black, d4 white black",
    ]


def test_after_over_the_board_swept_clean_slowly_begins_a_new_game_all_the_same() -> None:
    """At two discs a second, and the last one first; that move may be told undone, no other."""
    cells = [*WIPE_OUT.split()[::-1], "d4", "d5", "e4", "e5"]
    cleared = "\n".join(f"{12 + n / 2:.1f} {cell} empty" for n, cell in enumerate(cells))
    laid = "20 d4 tails\n20.5 d5 heads\n21 e4 heads\n21.5 e5 tails"
    story = played(f"{moves(WIPE_OUT)}\n{cleared}\n{laid}\n25 d3 heads\n30 end")
    assert [event["move"] for event in story.of("undo")] in ([], ["c5"])
    assert [each.split(" ", 1)[1] for each in story.told("move", since=12)] == [
        "move 1 black d3: d3 - black, d4 white black"
    ]


def test_after_over_the_discs_moved_into_the_start_begin_a_new_game() -> None:
    """Only what is too much goes, and d4 and e5 are turned: the start need not be built from nothing."""
    taken = "\n".join(f"{12 + n / 10:.1f} {cell} empty" for n, cell in enumerate(WIPE_OUT.split()))
    story = played(
        f"{moves(WIPE_OUT)}\n{taken}\n14 d6 empty\n15 d4 tails\n15.5 e5 tails\n20 d3 heads\n30 end"
    )
    assert [each.split(" ", 1)[1] for each in story.told("move", since=12)] == [
        "move 1 black d3: d3 - black, d4 white black"
    ]


def test_new_abandons_the_game_and_owes_the_start() -> None:
    story = played(moves("d3") + "\n3 say new\n5 d3 empty\n6 d4 tails\n9 d3 heads\n12 end")
    assert story.told("over", "owed", "turn", "move", since=3) == [
        "3.000 over None abandoned: black 4, white 1",
        "3.000 owed set-up: d3 take, d4 turn white",
        "5.030 owed set-up: d4 turn white",
        "6.030 owed set-up:",
        "6.030 turn 1 black: c4 d3 e6 f5",
        "9.330 move 1 black d3: d3 - black, d4 white black",
        "9.330 owed move: d4 turn black",
    ]


def test_new_after_the_end_abandons_nothing() -> None:
    assert [event["because"] for event in played("1 say resign\n3 say new\n9 end").of("over")] == ["resigned"]
