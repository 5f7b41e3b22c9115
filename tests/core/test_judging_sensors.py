"""What the sensors mean (interface, section 2), and when a reading counts (section 5)."""

from __future__ import annotations

import pytest

from tests.core.table import moves, played

FIRST_TURN = "0.000 turn 1 black: c4 d3 e6 f5"
D3_OWED = ["1.330 move 1 black d3: d3 - black, d4 white black", "1.330 owed move: d4 turn black"]


# Timing


def test_a_reading_counts_after_hold_and_the_board_is_judged_rest_seconds_later() -> None:
    assert played("1 d3 heads\n9 end").told() == [FIRST_TURN, *D3_OWED]


def test_hold_and_rest_are_those_of_the_header() -> None:
    story = played("1 d3 heads\n9 end", hold=0.1, rest=1.0)
    assert story.told("move") == ["2.100 move 1 black d3: d3 - black, d4 white black"]


def test_with_a_hold_of_zero_a_reading_counts_at_once() -> None:
    story = played("1 d3 heads\n2 d4 heads\n9 end", hold=0.0)
    assert story.told("move", "owed", "complete") == [
        "1.300 move 1 black d3: d3 - black, d4 white black",
        "1.300 owed move: d4 turn black",
        "2.000 owed move:",
        "2.000 complete 1",
    ]


def test_the_rest_begins_again_with_every_counted_change() -> None:
    story = played("1 d3 heads\n1.2 d4 heads\n9 end")
    assert story.told("move", "complete") == [
        "1.530 move 1 black d3: d3 - black, d4 white black",
        "1.530 complete 1",
    ]


def test_a_reading_that_comes_and_goes_within_hold_never_existed() -> None:
    story = played("1 d3 heads\n1.029 d3 empty\n2 d5 empty\n2.029 d5 heads\n9 end")
    assert story.told() == [FIRST_TURN]


def test_a_blinking_contact_does_not_put_the_judgement_off() -> None:
    blinks = "\n".join(f"{1.0 + n / 10:.2f} h8 heads\n{1.005 + n / 10:.3f} h8 empty" for n in range(1, 20))
    assert played(f"1 d3 heads\n{blinks}\n9 end").told() == [FIRST_TURN, *D3_OWED]


def test_a_light_to_turn_goes_dark_when_the_turn_counts_and_not_after_the_rest() -> None:
    story = played("1 d3 heads\n2 d4 heads\n9 end")
    assert [story.lights_at(2.029, "owed"), story.lights_at(2.030, "owed")] == ["d4 owed", ""]


def test_the_lights_of_several_discs_go_dark_one_by_one() -> None:
    story = played(moves("d3 c5 d6") + "\n4 e3 tails\n5 e4 tails\n6 d4 tails\n9 end")
    assert story.told("lights", since=4, until=6) == [
        "4.330 lights d4 owed, e3 last, e4 owed",
        "5.030 lights d4 owed, e3 last",
    ]
    assert [story.lights_at(6.029, "owed"), story.lights_at(6.03, "owed")] == ["d4 owed", ""]


# Unknown, and set aside


def test_an_unknown_reading_agrees_with_what_lies_there() -> None:
    assert played("1 d4 unknown\n3 a1 unknown\n9 end").told() == [FIRST_TURN]


def test_a_reading_that_is_known_again_and_as_it_should_be_is_nothing() -> None:
    assert played("1 d4 unknown\n3 d4 tails\n9 end").told() == [FIRST_TURN]


def test_unknown_agrees_only_as_long_as_it_lasts() -> None:
    story = played("1 e4 unknown\n3 e4 tails\n9 end")
    assert story.told("owed", "wrong") == [
        "3.330 owed repair: e4 turn black",
        "3.330 wrong e4 turned-wrongly",
    ]


def test_a_turn_that_an_unknown_reading_hid_is_owed_once_the_old_side_is_seen() -> None:
    """The spec does not say that what an unknown cell is owed is a `confirm`; that a seen old side is owed, it does."""
    story = played("1 d4 unknown\n2 d3 heads\n4 d4 tails\n6 d4 heads\n9 end")
    assert [story.owed_at(4.33), story.owed_at(6.03)] == ["d4 turn black", ""]
    assert story.of("complete") == [{"t": 6.03, "event": "complete", "ply": 1}]


def test_a_cell_set_aside_agrees_with_anything_until_it_is_trusted() -> None:
    story = played("1 say distrust a1\n2 a1 heads\n4 say trust a1\n9 end")
    assert story.told("sensor") == ["1.000 sensor a1 set-aside", "4.000 sensor a1 back"]
    assert [story.wrong_at(3.9), story.wrong_at(9)] == ["", "a1 no-bracket"]


# Presence


def test_on_reeds_discs_lifted_and_set_down_before_the_new_disc_comes_are_turned_for_it() -> None:
    story = played("1 d4 empty\n1.1 d4 piece\n1.2 d3 piece\n9 end", sensors="presence")
    assert story.told("move", "owed", "complete") == [
        "1.530 move 1 black d3: d3 - black, d4 white black",
        "1.530 complete 1",
    ]


def test_on_reeds_a_rest_with_the_board_in_order_forgets_what_was_touched() -> None:
    story = played("1 d4 empty\n1.1 d4 piece\n3 d3 piece\n9 end", sensors="presence")
    assert story.owed_at(9) == "d4 turn black"


def test_on_reeds_being_placed_is_not_being_touched() -> None:
    """White's c5 and Black's answer b6, which turns c5, come in one rest: c5 was placed, not turned."""
    before = moves("d3", sensors="presence")
    story = played(
        f"{before}\n2 c5 piece\n2.1 d5 empty\n2.15 d5 piece\n2.3 b6 piece\n9 end", sensors="presence"
    )
    assert story.spine == ["1 black d3", "2 white c5", "3 black b6"]
    assert story.owed_at(9) == "c5 turn black"


def test_on_reeds_a_touch_used_by_one_move_is_not_there_for_the_next() -> None:
    """White's c5 turns d5, Black's d6 in the same rest turns it again: touched once, it was turned once."""
    before = moves("d3", sensors="presence")
    story = played(
        f"{before}\n2 c5 piece\n2.1 d5 empty\n2.15 d5 piece\n2.3 d6 piece\n9 end", sensors="presence"
    )
    assert story.spine == ["1 black d3", "2 white c5", "3 black d6"]
    assert story.owed_at(9) == "d5 turn black"


def test_on_reeds_a_disc_touched_twice_is_turned_for_two_moves() -> None:
    before = moves("d3", sensors="presence")
    story = played(
        f"{before}\n2 c5 piece\n2.1 d5 empty\n2.15 d5 piece\n2.3 d6 piece\n2.4 d5 empty\n2.45 d5 piece\n9 end",
        sensors="presence",
    )
    assert story.spine == ["1 black d3", "2 white c5", "3 black d6"]
    assert [story.owed_at(9), story.awaited_at(9)] == ["", "4 white"]


def test_on_reeds_a_disc_lifted_and_returned_that_is_not_to_be_turned_is_nothing() -> None:
    story = played(
        "1 d3 piece\n1.1 e4 empty\n1.2 e4 piece\n1.3 d4 empty\n1.4 d4 piece\n9 end", sensors="presence"
    )
    assert story.told("move", "owed", "wrong", "complete") == [
        "1.730 move 1 black d3: d3 - black, d4 white black",
        "1.730 complete 1",
    ]


def test_on_reeds_a_disc_still_owed_its_turn_stays_owed_when_another_is_adjusted() -> None:
    story = played("1 d3 piece\n2 e4 empty\n2.1 e4 piece\n9 end", sensors="presence")
    assert [story.owed_at(9), story.wrong_at(9)] == ["d4 turn black", ""]


# Presses


def test_every_press_is_a_change_at_its_own_time_whatever_the_hold() -> None:
    story = played("1 d3 press\n2 d4 press\n9 end", sensors="presses", hold=5.0)
    assert story.told() == [
        FIRST_TURN,
        "1.300 move 1 black d3: d3 - black, d4 white black",
        "1.300 owed move: d4 turn black",
        "2.000 owed move:",
        "2.000 complete 1",
        "2.000 turn 2 white: c3 c5 e3",
    ]


def test_presses_of_one_cell_within_fifty_milliseconds_are_one() -> None:
    story = played("1 d3 press\n1.049 d3 press\n9 end", sensors="presses")
    assert story.spine == ["1 black d3"]


def test_presses_of_one_cell_further_apart_are_two() -> None:
    story = played("1 d3 press\n1.051 d3 press\n9 end", sensors="presses")
    assert story.spine == []


def test_presses_of_two_cells_within_fifty_milliseconds_are_two() -> None:
    story = played("1 d3 press\n1.01 d4 press\n9 end", sensors="presses")
    assert story.told("move", "complete") == [
        "1.310 move 1 black d3: d3 - black, d4 white black",
        "1.310 complete 1",
    ]


def test_a_press_on_a_stray_disc_takes_it() -> None:
    story = played("1 a1 press\n3 a1 press\n9 end", sensors="presses")
    assert [story.wrong_at(2.9), story.wrong_at(3.3)] == ["a1 no-bracket", ""]


def test_a_press_on_a_disc_that_is_to_be_taken_takes_it_and_on_any_other_turns_it() -> None:
    before = moves("d3", sensors="presses")
    story = played(f"{before}\n2 say undo\n3 d3 press\n4 d4 press\n9 end", sensors="presses")
    assert story.told("undo", "owed", since=2) == [
        "2.000 undo 1 d3",
        "2.000 owed undo: d3 take, d4 turn white",
        "3.000 owed undo: d4 turn white",
        "4.000 owed undo:",
    ]


def test_a_press_on_a_disc_of_the_board_turns_it() -> None:
    story = played("1 e4 press\n3 e4 press\n9 end", sensors="presses")
    assert [story.wrong_at(1.3), story.owed_at(1.3)] == ["e4 turned-wrongly", "e4 turn black"]
    assert [story.wrong_at(3.3), story.owed_at(3.3)] == ["", ""]


def test_a_press_on_the_disc_placed_last_turns_it_for_undo_by_hand_does_not_exist_here() -> None:
    before = moves("d3", sensors="presses")
    story = played(f"{before}\n2 d3 press\n9 end", sensors="presses")
    assert story.spine == ["1 black d3"]
    assert [story.owed_at(9), story.wrong_at(9)] == ["d3 turn black", "d3 turned-wrongly"]


def test_a_press_on_a_disc_that_lies_early_takes_it_for_the_record_does_not_know_it() -> None:
    story = played("1 d3 press\n2 c5 press\n3 c5 press\n4 d4 press\n9 end", sensors="presses")
    assert [story.wrong_at(2.3), story.wrong_at(3.3)] == ["c5 not-yet", ""]
    assert [story.spine, story.awaited_at(9)] == [["1 black d3"], "2 white"]


# Tags

DISCS = {f"t{n}": "disc" for n in range(1, 9)}
LAID = "0 d4 tag t1 tails\n0 e4 tag t2 heads\n0 d5 tag t3 heads\n0 e5 tag t4 tails\n"


def test_a_tag_shows_the_side_that_is_up() -> None:
    story = played(
        f"{LAID}1 d3 tag t5 heads\n2 d4 tag t1 gone\n2.2 d4 tag t1 heads\n9 end", sensors="tags", tags=DISCS
    )
    assert story.told("move", "owed", "complete", "wrong") == [
        *D3_OWED,
        "2.230 owed move:",
        "2.230 complete 1",
    ]


def test_a_tag_that_is_not_named_is_a_strangers_piece() -> None:
    story = played(f"{LAID}1 d3 tag x9 heads\n3 d3 empty\n9 end", sensors="tags", tags=DISCS)
    assert [story.wrong_at(1.33), story.owed_at(1.33)] == ["d3 extra-piece", "d3 take"]
    assert [story.wrong_at(3.33), story.spine] == ["", []]


# Lost and restored


def test_a_move_made_while_the_sensors_were_lost_is_recognised_when_they_are_back() -> None:
    story = played("1 lost\n2 d3 heads\n2.5 d4 heads\n4 restored\n9 end")
    assert story.told("move", "complete") == [
        "4.330 move 1 black d3: d3 - black, d4 white black",
        "4.330 complete 1",
    ]


def test_on_reeds_turns_that_could_not_be_seen_while_the_sensors_were_lost_stay_owed() -> None:
    story = played("1 lost\n2 d3 piece\n4 restored\n9 end", sensors="presence")
    assert story.told("move", "owed") == [
        "4.330 move 1 black d3: d3 - black, d4 white black",
        "4.330 owed move: d4 turn black",
    ]


def test_a_reading_that_had_not_counted_when_the_sensors_were_lost_does_not_count_later() -> None:
    story = played("1 d3 heads\n1.02 lost\n2 d3 empty\n4 restored\n9 end")
    assert story.told() == [FIRST_TURN]


def test_a_move_taken_back_while_the_sensors_were_lost_is_undone() -> None:
    before = moves("d3")
    story = played(f"{before}\n2 lost\n3 d3 empty\n3.5 d4 tails\n4 restored\n9 end")
    assert story.told("undo", "owed", since=2) == ["4.330 undo 1 d3"]


@pytest.mark.parametrize("sensors", ["presence", "polarity", "presses"])
def test_a_clean_opening_is_heard_the_same_on_every_kind_of_sensor(sensors: str) -> None:
    labels = "d3 c5 f6 f5 e6 e3"
    story = played(moves(labels, sensors=sensors) + "\n20 end", sensors=sensors)
    assert [event["move"] for event in story.of("move")] == labels.split()
    assert [event["ply"] for event in story.of("complete")] == [1, 2, 3, 4, 5, 6]
    assert story.told("wrong", "ask", "undo") == []
