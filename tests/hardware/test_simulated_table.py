"""A simulated table: what sensors of every kind tell of what hands do, in good order and in trouble."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardctl.core import events
from boardctl.core.events import Doubted, Event, Lost, Pressed, Restored, Sampled, Tagged
from hardware.contacts import Troubles
from hardware.ports import Sensors
from hardware.sights import Disc
from hardware.table import ImpossibleReading, NoButtons, NoPath, NothingThere, Table, UnknownCell

POINTS = {
    f"{column}{row}": (float(x), float(row)) for row in range(1, 7) for x, column in enumerate("abcdef")
}
CELLS = list(POINTS)
KINDS: Sequence[events.Sensors] = ("presence", "polarity", "presses", "tags")
WITH_STATE: Sequence[events.Sensors] = ("presence", "polarity", "tags")
BAD = Troubles(bounce=0.004, missed=0.2, blinks=120)


def a_table(kind: events.Sensors, seed: int = 0, rate: float = 100.0, hold: float = 0.03) -> Table:
    return Table(CELLS, kind, points=POINTS, seed=seed, rate=rate, hold=hold)


def seen(table: Table, now: float) -> list[tuple[float, str, object]]:
    """What a table told, as (hundredths of a second, cell, reading or tag)."""
    told: list[tuple[float, str, object]] = []
    for at, event in table.poll_timed(now):
        match event:
            case Sampled(cell, sees):
                told.append((round(at * 100), cell, sees))
            case Tagged(cell, tag, side, gone):
                told.append((round(at * 100), cell, f"{'-' if gone else '+'}{tag} {side}"))
            case Pressed(cell):
                told.append((round(at * 100), cell, "press"))
            case _:
                told.append((round(at * 100), "", event))
    return told


# Hands


def test_a_table_is_sensors() -> None:
    port: Sensors = a_table("presence")
    assert (port.kind, list(port.cells), port.poll(1.0)) == ("presence", CELLS, [])


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("presence", [(100, "c3", "piece")]),
        ("polarity", [(100, "c3", "tails")]),
        ("presses", [(100, "c3", "press")]),
        ("tags", [(100, "c3", "+t01 tails")]),
    ],
)
def test_a_disc_put_down_is_seen_at_once(kind: events.Sensors, told: list[tuple[float, str, object]]) -> None:
    table = a_table(kind)
    table.put("c3", "tails", 1.0)
    assert seen(table, 2.0) == told
    assert table.truth() == {"c3": "tails"}


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("presence", [(200, "c3", "empty"), (215, "c3", "piece")]),
        ("polarity", [(200, "c3", "empty"), (215, "c3", "heads")]),
        ("presses", [(200, "c3", "press")]),
        ("tags", [(200, "c3", "-t01 tails"), (215, "c3", "+t01 heads")]),
    ],
)
def test_a_disc_is_off_its_cell_while_it_turns(
    kind: events.Sensors, told: list[tuple[float, str, object]]
) -> None:
    table = a_table(kind)
    table.put("c3", "tails", 1.0)
    table.poll(1.5)
    table.turn("c3", 2.0)
    assert seen(table, 3.0) == told
    assert table.truth() == {"c3": "heads"}


def test_a_sliding_disc_is_seen_on_every_cell_it_passes_and_for_a_moment_on_two() -> None:
    table = a_table("presence")
    table.put("a1", "heads", 0.0)
    table.poll(0.5)
    table.slide(["a1", "d1"], 1.0)
    assert seen(table, 2.0) == [
        (112, "b1", "piece"),
        (115, "a1", "empty"),
        (124, "c1", "piece"),
        (127, "b1", "empty"),
        (136, "d1", "piece"),
        (139, "c1", "empty"),
    ]
    assert table.truth() == {"d1": "heads"}


def test_a_disc_sliding_over_another_is_not_seen_there() -> None:
    table = a_table("polarity")
    table.lay({"a1": "heads", "b2": "tails"}, 0.0)
    table.poll(0.5)
    table.slide(["a1", "c3"], 1.0)
    assert seen(table, 2.0) == [(115, "a1", "empty"), (124, "c3", "heads")]


def test_a_slide_on_buttons_presses_the_cell_left_and_then_the_cell_reached() -> None:
    table = a_table("presses")
    table.put("a1", "heads", 0.0)
    table.poll(0.5)
    table.slide(["a1", "c1"], 1.0)
    assert seen(table, 2.0) == [(100, "a1", "press"), (124, "c1", "press")]


def test_a_disc_carried_over_others_keeps_its_tag() -> None:
    table = a_table("tags")
    table.lay({"a1": "heads", "b1": "heads"}, 0.0)
    table.poll(0.5)
    table.carry("b1", "f6", 1.0)
    assert seen(table, 2.0) == [(100, "b1", "-t02 heads"), (140, "f6", "+t02 heads")]
    assert table.stacks() == {"a1": (Disc("heads", "t01"),), "f6": (Disc("heads", "t02"),)}


def test_a_lifted_disc_can_be_put_back_as_the_same() -> None:
    table = a_table("tags")
    table.put("a1", "heads", 0.0)
    disc = table.lift("a1", 1.0)
    table.put("b1", "tails", 2.0, disc.tag)
    assert table.stacks() == {"b1": (Disc("tails", "t01"),)}


def test_an_adjusted_disc_comes_back_as_it_was() -> None:
    table = a_table("polarity")
    table.put("c3", "tails", 0.0)
    table.poll(0.5)
    table.adjust("c3", 1.0, 2.5)
    assert seen(table, 4.0) == [(100, "c3", "empty"), (350, "c3", "tails")]


def test_nudges_open_a_contact_for_less_than_a_hold_and_for_more() -> None:
    table = a_table("presence", rate=1000)
    table.put("c3", "heads", 0.0)
    table.poll(0.5)
    for n in range(20):
        table.nudge("c3", 1.0 + n)
    instants = [at for at, _ in table.poll_timed(30.0)]
    open_for = [closes - opens for opens, closes in zip(instants[::2], instants[1::2], strict=True)]
    assert min(open_for) < 0.03 < max(open_for) < 0.1


def test_buttons_do_not_see_a_disc_adjusted() -> None:
    table = a_table("presses")
    table.put("c3", "heads", 0.0)
    table.poll(0.5)
    table.adjust("c3", 1.0)
    table.nudge("c3", 2.0)
    assert seen(table, 3.0) == []


def test_a_button_can_be_pressed_without_moving_anything() -> None:
    table = a_table("presses")
    table.press("c3", 1.0)
    assert (seen(table, 2.0), table.truth()) == ([(100, "c3", "press")], {})


def test_a_hand_waits_until_the_hand_before_it_has_done() -> None:
    table = a_table("polarity")
    table.put("c3", "heads", 1.0)
    table.turn("c3", 1.0)
    table.turn("c3", 1.05)
    assert seen(table, 2.0) == [(130, "c3", "heads")]
    assert table.rests_at == pytest.approx(1.3)


def test_a_disc_on_a_disc_hides_the_one_below() -> None:
    table = a_table("polarity")
    table.put("c3", "heads", 1.0)
    table.put("c3", "tails", 2.0)
    table.lift("c3", 3.0)
    assert seen(table, 4.0) == [(100, "c3", "heads"), (200, "c3", "tails"), (300, "c3", "heads")]


def test_laying_out_leaves_what_lies_there_already() -> None:
    table = a_table("tags")
    table.lay({"c3": "heads", "d4": "heads"}, 1.0)
    table.lay({"c3": "heads", "d4": "tails", "e5": "tails"}, 2.0)
    assert seen(table, 3.0) == [
        (100, "c3", "+t01 heads"),
        (100, "d4", "+t02 heads"),
        (200, "d4", "-t02 heads"),
        (200, "e5", "+t04 tails"),
        (215, "d4", "+t03 tails"),  # a hand takes one away before it lays the other
    ]


def test_a_cleared_board_is_empty() -> None:
    table = a_table("polarity")
    table.lay({"c3": "heads", "d4": "heads"}, 1.0)
    table.poll(1.5)
    table.clear(2.0)
    assert (seen(table, 3.0), table.truth()) == ([(200, "c3", "empty"), (200, "d4", "empty")], {})


def test_a_knocked_board_loses_some_discs_and_finds_others_elsewhere() -> None:
    table = a_table("polarity", seed=3)
    table.lay(dict.fromkeys(CELLS[:12], "heads"), 1.0)
    table.knock(2.0, 6)
    stayed = set(table.truth()) & set(CELLS[:12])
    assert 6 <= len(stayed) < 12
    assert sum(map(len, table.stacks().values())) in range(7, 12)


@pytest.mark.parametrize("seed", range(10))
def test_a_disc_that_lands_under_a_hand_is_seen_when_the_hand_is_done(seed: int) -> None:
    table = Table(["a1", "b1"], "tags", seed=seed)
    table.lay({"a1": "heads", "b1": "heads"}, 0.0)
    table.adjust("b1", 1.0, seconds=5.0)
    table.knock(1.1, ["a1"])
    table.poll(9.0)
    there = {Tagged(cell, disc.tag, disc.side) for cell, stack in table.stacks().items() for disc in stack}
    assert {event for event in table.snapshot() if isinstance(event, Tagged)} == there


def test_only_the_cells_hit_are_knocked() -> None:
    table = a_table("polarity")
    table.lay({"a1": "heads", "b1": "heads", "c1": "heads"}, 1.0)
    table.knock(2.0, ["b1"])
    assert {"a1", "c1"} <= set(table.truth())


@pytest.mark.parametrize("hand", [Table.lift, Table.turn, Table.adjust, Table.nudge])
def test_no_hand_can_take_what_does_not_lie_there(hand: Callable[[Table, str, float], object]) -> None:
    with pytest.raises(NothingThere, match="c3: no piece lies here"):
        hand(a_table("presence"), "c3", 1.0)


@pytest.mark.parametrize("hand", [Table.lift, Table.turn, Table.adjust, Table.nudge, Table.chattering])
def test_no_hand_finds_a_cell_that_is_not_there(hand: Callable[[Table, str, float], object]) -> None:
    with pytest.raises(UnknownCell, match="z9: this board has a1 to f6"):
        hand(a_table("presence"), "z9", 1.0)


@pytest.mark.parametrize("path", [[], ["c3"], ["c3", "c3"]])
def test_a_slide_needs_somewhere_to_go(path: list[str]) -> None:
    with pytest.raises(NoPath, match="a piece slides from one cell to another"):
        a_table("presence").slide(path, 1.0)


def test_a_disc_may_slide_to_and_fro() -> None:
    table = a_table("polarity")
    table.put("a1", "heads", 0.0)
    table.poll(0.5)
    table.slide(["a1", "b1", "a1"], 1.0)
    assert seen(table, 2.0) == [
        (112, "b1", "heads"),
        (115, "a1", "empty"),
        (124, "a1", "heads"),
        (127, "b1", "empty"),
    ]


def test_reeds_have_no_buttons() -> None:
    with pytest.raises(NoButtons, match="sensors for presence"):
        a_table("presence").press("c3", 1.0)


# Pieces that move, are taken and exchanged


def with_men(kind: events.Sensors) -> Table:
    """Three pieces that know who they are, on a1, b2 and c3; nothing told of that."""
    table = a_table(kind)
    table.lay({"a1": "heads", "b2": "tails", "c3": "heads"}, 0.0, {"a1": "t1", "b2": "t2", "c3": "t3"})
    table.poll(0.5)
    return table


def on_board(table: Table) -> dict[str, str]:
    return {cell: " ".join(disc.tag for disc in stack) for cell, stack in table.stacks().items()}


def beside(table: Table) -> list[tuple[str, str | None]]:
    return [(disc.tag, cell) for disc, cell, _ in table.off()]


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("presence", [(100, "a1", "empty"), (115, "b2", "empty"), (140, "b2", "piece")]),
        ("polarity", [(100, "a1", "empty"), (115, "b2", "empty"), (140, "b2", "heads")]),
        ("presses", [(100, "a1", "press"), (140, "b2", "press")]),
        (
            "tags",
            [(100, "a1", "-t1 heads"), (115, "b2", "-t2 tails"), (140, "b2", "+t1 heads")],
        ),
    ],
)
def test_a_piece_takes_another_which_leaves_the_board(
    kind: events.Sensors, told: list[tuple[float, str, object]]
) -> None:
    table = with_men(kind)
    table.take("a1", "b2", 1.0)
    assert seen(table, 2.0) == told
    assert (on_board(table), beside(table)) == ({"b2": "t1", "c3": "t3"}, [("t2", "b2")])


@pytest.mark.parametrize("kind", KINDS)
def test_a_piece_takes_out_of_the_hand_as_well(kind: events.Sensors) -> None:
    table = with_men(kind)
    table.lift("a1", 1.0)
    table.poll(1.5)
    table.take("a1", "b2", 2.0)
    assert {cell for _, cell, _ in seen(table, 3.0)} == {"b2"}
    assert (on_board(table), beside(table)) == ({"b2": "t1", "c3": "t3"}, [("t2", "b2")])


@pytest.mark.parametrize("lifted", [[], ["a1"], ["b2"], ["a1", "b2"]])
@pytest.mark.parametrize("kind", KINDS)
def test_two_pieces_change_places_whichever_is_in_the_hand_already(
    kind: events.Sensors, lifted: list[str]
) -> None:
    table = with_men(kind)
    for cell in lifted:
        table.lift(cell, 1.0)
    table.exchange("a1", "b2", 2.0)
    assert (on_board(table), beside(table)) == ({"a1": "t2", "b2": "t1", "c3": "t3"}, [])
    told = [cell for _, cell, _ in seen(table, 4.0)]
    if kind == "presses":
        assert sorted(told) == ["a1", "b2"]
    else:
        assert sorted(told) == ["a1", "a1", "b2", "b2"]


@pytest.mark.parametrize(
    ("after", "told"), [(1.0, ["a1", "b1"]), (6.0, ["a1", "a1", "b1"])], ids=["soon", "after long thought"]
)
def test_a_finger_presses_once_more_where_a_piece_was_lifted_so_long_ago_that_it_is_forgotten(
    after: float, told: list[str]
) -> None:
    table = with_men("presses")
    table.lift("a1", 1.0)
    table.set_down("a1", "b1", 1.0 + after)
    assert [cell for _, cell, _ in seen(table, 9.0)] == told


def test_a_piece_is_set_down_where_it_was_or_elsewhere() -> None:
    table = with_men("tags")
    table.lift("a1", 1.0)
    table.set_down("a1", "a1", 2.0)
    table.lift("c3", 3.0)
    table.set_down("c3", "d4", 4.0)
    assert (on_board(table), beside(table)) == ({"a1": "t1", "b2": "t2", "d4": "t3"}, [])


def test_the_piece_lifted_last_from_a_cell_is_the_one_in_the_hand() -> None:
    table = with_men("presence")
    table.take("a1", "b2", 1.0)
    table.lift("b2", 2.0)
    assert table.in_hand("b2").disc.tag == "t1"
    table.set_down("b2", "d4", 3.0)
    assert (on_board(table), beside(table)) == ({"c3": "t3", "d4": "t1"}, [("t2", "b2")])


def test_what_is_brought_or_thrown_off_lies_beside_the_board_until_it_is_put_on() -> None:
    table = with_men("polarity")
    table.bring([Disc("tails", "t4")], 1.0)
    table.clear(2.0)
    assert beside(table) == [("t4", None), ("t1", "a1"), ("t2", "b2"), ("t3", "c3")]
    table.put("f6", "tails", 3.0, "t4")
    assert (on_board(table), beside(table)[0]) == ({"f6": "t4"}, ("t1", "a1"))


def test_a_piece_knocked_off_lies_beside_the_board() -> None:
    table = with_men("presence")
    for at in range(1, 20):
        table.knock(float(at), sorted(table.truth()))
    on = [disc.tag for stack in table.stacks().values() for disc in stack]
    assert sorted([*on, *(tag for tag, _ in beside(table))]) == ["t1", "t2", "t3"]


def test_pieces_without_tags_are_not_kept() -> None:
    table = a_table("polarity")
    table.put("a1", "heads", 0.0)
    table.lift("a1", 1.0)
    assert table.off() == ()
    with pytest.raises(NothingThere, match="a1: no piece was lifted here"):
        table.set_down("a1", "b1", 2.0)


def test_laying_pieces_that_change_places_loses_none() -> None:
    table = with_men("presence")
    table.lay({"a1": "tails", "b2": "heads"}, 1.0, {"a1": "t2", "b2": "t1"})
    assert (on_board(table), beside(table)) == ({"a1": "t2", "b2": "t1", "c3": "t3"}, [])
    assert [(at, cell) for at, cell, _ in seen(table, 2.0)] == [
        (100, "a1"),
        (100, "b2"),
        (115, "a1"),
        (115, "b2"),
    ]


@pytest.mark.parametrize("hand", [Table.take, Table.exchange])
def test_a_piece_goes_from_one_cell_to_another_or_nothing_happens(
    hand: Callable[[Table, str, str, float], None],
) -> None:
    table = with_men("presence")
    for one, other, fault in (("a1", "a1", NoPath), ("a1", "f6", NothingThere), ("f6", "a1", NothingThere)):
        with pytest.raises(fault):
            hand(table, one, other, 1.0)
    assert (on_board(table), beside(table), seen(table, 3.0)) == (
        {"a1": "t1", "b2": "t2", "c3": "t3"},
        [],
        [],
    )


# The port


def test_a_quiet_board_tells_nothing_however_long() -> None:
    table = a_table("polarity")
    table.put("c3", "heads", 1.0)
    table.poll(2.0)
    assert [table.poll(now) for now in (2.0, 3.0, 1e6)] == [[], [], []]


def test_a_change_is_seen_by_the_next_scan_and_not_before() -> None:
    table = a_table("polarity")
    table.put("c3", "heads", 1.004)
    assert (table.poll(1.009), table.poll_timed(1.012)) == ([], [(1.01, Sampled("c3", "heads"))])


def test_what_comes_and_goes_between_two_scans_is_never_seen() -> None:
    table = a_table("polarity")
    table.put("c3", "heads", 1.001)
    table.lift("c3", 1.008)
    assert table.poll(2.0) == []


def test_a_hand_that_comes_late_is_seen_by_the_next_scan() -> None:
    table = a_table("polarity")
    table.poll(5.0)
    table.put("c3", "heads", 1.0)
    assert (table.poll_timed(5.0), table.poll_timed(5.1)) == ([], [(5.01, Sampled("c3", "heads"))])


def test_changes_of_one_scan_are_told_in_reading_order() -> None:
    table = a_table("polarity")
    for cell in ("f6", "a1", "c3"):
        table.put(cell, "heads", 1.0)
    assert [at for _, at, _ in seen(table, 2.0)] == ["a1", "c3", "f6"]


def test_a_snapshot_reads_every_cell() -> None:
    tables = [a_table(kind) for kind in KINDS]
    for table in tables:
        table.put("a1", "tails", 1.0)
        table.poll(2.0)
    empty = [Sampled(cell, "empty") for cell in CELLS[1:]]
    assert [table.snapshot() for table in tables] == [
        [Sampled("a1", "piece"), *empty],
        [Sampled("a1", "tails"), *empty],
        [],
        [Tagged("a1", "t01", "tails"), *empty],
    ]


def test_a_closed_table_is_silent() -> None:
    table = a_table("presence")
    table.put("a1", "heads", 1.0)
    table.close()
    table.close()
    assert (table.poll(2.0), table.snapshot()) == ([], [])


# Troubles


def test_a_lost_cable_that_comes_back_brings_a_full_set_of_readings() -> None:
    table = a_table("polarity")
    table.lay({"a1": "heads", "b1": "tails"}, 0.0)
    table.poll(0.5)
    table.lost(1.0)
    table.turn("a1", 2.0)
    table.lift("b1", 2.0)
    assert (table.poll(3.0), set(table.snapshot())) == (
        [Lost()],
        {Sampled(cell, "unknown") for cell in CELLS},
    )
    table.restored(4.0)
    readings = [Sampled("a1", "tails"), *(Sampled(cell, "empty") for cell in CELLS[1:])]
    assert (table.poll(5.0), table.snapshot(), table.poll(6.0)) == ([Restored(), *readings], readings, [])


def test_tags_that_went_while_the_cable_was_out_are_told_gone() -> None:
    table = a_table("tags")
    table.lay({"a1": "heads", "b1": "tails"}, 0.0)
    table.poll(0.5)
    table.lost(1.0)
    table.carry("a1", "c1", 2.0)
    table.restored(4.0)
    there = {"b1": Tagged("b1", "t02", "tails"), "c1": Tagged("c1", "t01", "heads")}
    readings = [there.get(cell, Sampled(cell, "empty")) for cell in CELLS]
    assert table.poll(5.0) == [Lost(), Restored(), Tagged("a1", "t01", "heads", gone=True), *readings]


def test_a_cable_can_be_lost_only_once_at_a_time() -> None:
    table = a_table("presses")
    for now in (1.0, 2.0):
        table.lost(now)
    for now in (3.0, 4.0):
        table.restored(now)
    assert table.poll(5.0) == [Lost(), Restored()]


@given(st.lists(st.sampled_from([Table.lift, Table.turn, Table.nudge, Table.adjust]), max_size=5))
def test_the_reading_of_a_stuck_cell_never_changes(
    hands: list[Callable[[Table, str, float], object]],
) -> None:
    table = a_table("polarity")
    table.stuck("c3", "tails", 0.0)
    for n, hand in enumerate(hands, 1):
        if "c3" not in table.truth():
            table.put("c3", "heads", n - 0.5)
        hand(table, "c3", n)
    assert table.poll(9.0) == [Sampled("c3", "tails")]


def test_a_healed_cell_reads_the_truth_again() -> None:
    table = a_table("presence")
    table.put("c3", "heads", 0.0)
    table.stuck("c3", "unknown", 1.0)
    table.healed("c3", 2.0)
    assert seen(table, 3.0) == [(0, "c3", "piece"), (100, "c3", "unknown"), (200, "c3", "piece")]


def test_a_dead_reader_of_tags_reads_empty() -> None:
    table = a_table("tags")
    table.put("c3", "heads", 0.0)
    table.stuck("c3", "empty", 1.0)
    table.healed("c3", 2.0)
    assert seen(table, 3.0) == [(0, "c3", "+t01 heads"), (100, "c3", "-t01 heads"), (200, "c3", "+t01 heads")]


def test_a_sensor_cannot_be_stuck_at_what_it_cannot_read() -> None:
    with pytest.raises(ImpossibleReading, match="c3: sensors for presence read empty, piece, unknown"):
        a_table("presence").stuck("c3", "heads", 1.0)


def test_a_chattering_cell_changes_often_enough_to_be_set_aside_and_no_other_does() -> None:
    table = a_table("presence")
    table.put("c3", "heads", 0.0)
    table.poll(1.0)
    table.chattering("c3", 1.0)
    told = seen(table, 3.0)
    assert {cell for _, cell, _ in told} == {"c3"}
    assert sum(later[0] - at[0] > 3 for at, later in pairwise(told)) > 8


def test_a_chattering_cell_is_quiet_once_healed() -> None:
    table = a_table("presence")
    table.put("c3", "heads", 0.0)
    table.chattering("c3", 1.0)
    table.healed("c3", 3.0)
    table.poll(3.5)
    assert (table.snapshot()[CELLS.index("c3")], table.poll(9.0)) == (Sampled("c3", "piece"), [])


def test_a_driver_can_say_that_it_doubts_a_sensor() -> None:
    table = a_table("presence")
    table.doubt("c3", "stuck", 1.0)
    assert table.poll(2.0) == [Doubted("c3", "stuck")]


@given(st.integers(0, 1000), st.sampled_from([100.0, 200.0, 1000.0]))
def test_a_bounce_is_over_within_its_time(seed: int, rate: float) -> None:
    table = a_table("polarity", seed, rate)
    table.trouble(Troubles(bounce=0.005), 0.0)
    table.put("c3", "heads", 1.0)
    told = table.poll_timed(2.0)
    assert told[-1][1] == Sampled("c3", "heads")
    assert told[-1][0] <= 1.005 + 1 / rate


def test_bounces_are_seen_by_a_fast_scan() -> None:
    table = a_table("presence", rate=2000)
    table.trouble(Troubles(bounce=0.005), 0.0)
    for n in range(10):
        table.put(CELLS[n], "heads", 1.0)
    assert len(table.poll(2.0)) > 20


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 1000), st.sampled_from([100.0, 200.0, 500.0]), st.sampled_from(WITH_STATE))
def test_idle_blinks_are_always_shorter_than_a_hold(seed: int, rate: float, kind: events.Sensors) -> None:
    table = Table(["a1", "b1"], kind, rate=rate, seed=seed)
    table.put("a1", "heads", 0.0)
    table.poll(0.5)
    table.trouble(Troubles(blinks=1200), 1.0)
    began: dict[str, float] = {}
    for at, cell, _ in ((at, getattr(event, "cell", ""), event) for at, event in table.poll_timed(20.0)):
        if cell in began:
            assert at - began.pop(cell) < 0.03 - 1e-9
        else:
            began[cell] = at


def test_idle_blinks_come_as_often_as_told_and_can_be_switched_off() -> None:
    table = a_table("presence")
    table.trouble(Troubles(blinks=600), 0.0)
    told = [event for second in range(1, 11) for event in table.poll(second)]
    table.trouble(Troubles(), 10.0)
    table.poll(11.0)
    assert len(told) in range(100, 300)
    assert [table.poll(now) for now in range(12, 20)] == [[]] * 8


def test_a_poll_that_comes_an_hour_late_is_not_flooded_with_noise() -> None:
    table = a_table("presence")
    table.chattering("c3", 1.0)
    table.trouble(Troubles(blinks=600), 1.0)
    late = table.poll_timed(3600.0)
    assert len(late) in range(50, 300)
    assert min(at for at, _ in late[1:]) >= 3595


def test_a_short_change_may_be_missed_but_not_its_end() -> None:
    table = a_table("polarity")
    table.trouble(Troubles(missed=1.0), 0.0)
    table.put("c3", "heads", 1.0)
    table.turn("c3", 2.0)
    table.adjust("c3", 3.0, 1.0)
    assert seen(table, 5.0) == [
        (100, "c3", "heads"),
        (215, "c3", "tails"),
        (300, "c3", "empty"),
        (400, "c3", "tails"),
    ]


# Whatever hands do

DEED = st.tuples(
    st.sampled_from(["put", "lift", "turn", "nudge", "adjust", "slide", "carry", "knock", "lay", "clear"]),
    st.sampled_from(CELLS[:9]),
    st.sampled_from(CELLS[3:12]),
    st.sampled_from([0.0, 0.01, 0.07, 0.3, 1.0]),
)
DEEDS = st.lists(DEED, max_size=25)


def do(table: Table, deed: str, cell: str, other: str, now: float) -> None:
    """One deed, or a disc put down where the deed would find none."""
    there = cell in table.truth()
    match deed:
        case "lift" | "turn" | "nudge" | "adjust" if there:
            getattr(table, deed)(cell, now)
        case "slide" if there and cell != other:
            table.slide([cell, other], now)
        case "carry" if there:
            table.carry(cell, other, now)
        case "knock":
            table.knock(now, min(3, len(table.truth())))
        case "lay":
            table.lay({cell: "heads", other: "tails"}, now)
        case "clear":
            table.clear(now)
        case _:
            table.put(cell, "heads", now)


def played(
    table: Table, deeds: Sequence[tuple[str, str, str, float]], every: float
) -> list[tuple[float, Event]]:
    """All that a table tells while these deeds are done between its scans, polled every so many seconds."""
    told, now, polled = [], 0.0037, 0.0
    for deed, cell, other, wait in deeds:
        now += wait
        while polled + every < now:
            polled += every
            told += table.poll_timed(polled)
        do(table, deed, cell, other, now)
    end = max(table.rests_at, now) + 1
    while polled < end:
        polled += every
        told += table.poll_timed(polled)
    return told


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(KINDS), DEEDS, st.sampled_from([0.01, 0.033, 0.5]), st.integers(0, 99))
def test_the_same_seed_and_the_same_hands_give_the_same_events_however_often_asked(
    kind: events.Sensors, deeds: list[tuple[str, str, str, float]], every: float, seed: int
) -> None:
    one, other = a_table(kind, seed), a_table(kind, seed)
    for table in (one, other):
        table.trouble(BAD, 0.0)
        table.chattering("f6", 0.5)
    upto = sum(wait for *_, wait in deeds) + 0.5
    first, second = played(one, deeds, 0.01), played(other, deeds, every)
    assert [told for told in first if told[0] < upto] == [told for told in second if told[0] < upto]


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(WITH_STATE), DEEDS, st.booleans(), st.integers(0, 99))
def test_once_all_has_come_to_rest_the_readings_are_the_truth(
    kind: events.Sensors, deeds: list[tuple[str, str, str, float]], bad: bool, seed: int
) -> None:
    table = a_table(kind, seed)
    if bad:
        table.trouble(Troubles(bounce=0.004, missed=0.3), 0.0)
    played(table, deeds, 0.05)
    truth, stacks = table.truth(), table.stacks()
    lies: set[Event]
    match kind:
        case "presence":
            lies = {Sampled(cell, "piece") for cell in truth}
        case "polarity":
            lies = {Sampled(cell, side) for cell, side in truth.items()}
        case _:
            lies = {Tagged(cell, disc.tag, disc.side) for cell, stack in stacks.items() for disc in stack}
    empty: set[Event] = {Sampled(cell, "empty") for cell in CELLS if cell not in truth}
    assert set(table.snapshot()) == lies | empty


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(WITH_STATE), DEEDS, st.integers(0, 99))
def test_who_listens_to_the_events_knows_what_a_snapshot_says(
    kind: events.Sensors, deeds: list[tuple[str, str, str, float]], seed: int
) -> None:
    table = a_table(kind, seed)
    table.trouble(BAD, 0.0)
    heard: dict[str, set[Event]] = {cell: set() for cell in CELLS}
    for _, event in played(table, deeds, 0.02):
        match event:
            case Sampled(cell):
                heard[cell] = {event}
            case Tagged(cell, tag, side, True):
                heard[cell].remove(Tagged(cell, tag, side))
            case Tagged(cell):
                heard[cell].add(event)
            case _:
                raise AssertionError(event)
    known = {event for cell, told in heard.items() for event in told or {Sampled(cell, "empty")}}
    assert known == set(table.snapshot())


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(KINDS), DEEDS, st.integers(0, 99))
def test_events_are_in_order_of_time_and_one_a_cell_and_scan(
    kind: events.Sensors, deeds: list[tuple[str, str, str, float]], seed: int
) -> None:
    table = a_table(kind, seed)
    table.trouble(BAD, 0.0)
    told = played(table, deeds, 0.1)
    instants = [at for at, _ in told]
    cells = [(at, event) for at, event in told if not isinstance(event, Tagged)]
    assert instants == sorted(instants)
    assert len({(at, event.cell) for at, event in cells if isinstance(event, (Sampled, Pressed))}) == len(
        cells
    )


@given(st.lists(st.sampled_from(["put", "lift", "turn"]), max_size=12), st.integers(0, 3))
def test_on_buttons_every_put_turn_and_lift_is_one_press(deeds: list[str], wait: int) -> None:
    table, done = a_table("presses"), 0
    for n, deed in enumerate(deeds):
        do(table, deed, "c3", "c3", n * wait / 20)
        done += 1
    assert table.poll(99.0) == [Pressed("c3")] * done
