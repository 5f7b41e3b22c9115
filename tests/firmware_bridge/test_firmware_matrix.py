"""The firmware's matrix, in the simulator: how fast a change is told, bounces, ghosts, fights and slow lines.

All times are simulated ones, in cycles of the processor.
"""

from __future__ import annotations

from random import Random

import pytest

from firmware_bridge.protocol import Leds, Received, Scan, encoded
from tests.firmware_bridge.conftest import Building
from tests.firmware_bridge.simulator.board import HERTZ, Board

ALL = tuple(range(64))


def bitmap(*cells: int) -> bytes:
    return sum(1 << cell for cell in cells).to_bytes(8, "little")


def changes(board: Board, *, ms: float) -> list[bytes]:
    """The bitmaps told while time passes, each but once in a row."""
    told: list[bytes] = []
    for each in board.told(ms=ms):
        if isinstance(each, Received) and isinstance(each.frame, Scan) and [each.frame.bitmap] != told[-1:]:
            told.append(each.frame.bitmap)
    return told


def delays(board: Board) -> list[tuple[float, float]]:
    """Milliseconds from a change to the begin and the end of its frame on the line, at 48 moments of a scan."""
    found, byte = [], 10 * HERTZ // board.baudrate
    for step in range(48):
        board.told(ms=20 + step / 48)
        since = (board.open_switch if step % 2 else board.close_switch)(step // 2)
        told = board.run(ms=12)
        (*_, scan) = board.decoder.feed(told)
        assert isinstance(scan, Received)
        begin = board.stamps[-len(encoded(scan.frame, scan.seq))] - byte
        found.append(((begin - since) * 1000 / HERTZ, (board.stamps[-1] - since) * 1000 / HERTZ))
    return found


def test_a_change_begins_to_be_told_within_five_milliseconds_of_which_it_has_to_last_four(
    board: Board,
) -> None:
    begins = [begin for begin, _ in delays(board)]
    assert 3 < min(begins) <= max(begins) < 4.5


def test_at_250000_baud_it_is_told_to_the_last_byte_within_five_milliseconds(powered: Building) -> None:
    ends = [end for _, end in delays(powered(baud=250000))]
    assert max(ends) < 5


def test_a_contact_of_less_than_the_hold_is_not_told(board: Board) -> None:
    for after in range(0, 400, 40):
        board.close_switch(12, after_ms=after + after / 400)
        board.open_switch(12, after_ms=after + after / 400 + 2.9)
    assert set(changes(board, ms=700)) <= {bitmap()}


def test_a_hundred_presses_that_bounce_are_a_hundred_events(board: Board) -> None:
    luck = Random(5)
    expected, told = [], []
    for _ in range(50):
        cell = luck.randrange(64)
        board.close_switch(cell, bounce_ms=luck.uniform(0.5, 3.5))
        board.open_switch(cell, after_ms=60, bounce_ms=luck.uniform(0.5, 3.5))
        expected += [bitmap(cell), bitmap()]
        told += changes(board, ms=60 + luck.uniform(30, 40))
    events = [now for now, before in zip(told, [bitmap(), *told], strict=False) if now != before]
    assert (len(events), events) == (100, expected)


def test_a_hundred_presses_that_bounce_while_the_pixels_move_are_a_hundred_events(powered: Building) -> None:
    board, luck = powered(baud=250000), Random(6)
    events: list[bytes] = []
    for press in range(100):
        move = board.open_switch if press % 2 else board.close_switch
        move(press // 2, bounce_ms=luck.uniform(0.5, 3.5), after_ms=luck.uniform(0, 10))
        for _ in range(4):
            board.write(encoded(Leds(luck.randbytes(192)), 0))
            events += changes(board, ms=13)
    told = [now for now, before in zip(events, [bitmap(), *events], strict=False) if now != before]
    assert told == [bitmap() if press % 2 else bitmap(press // 2) for press in range(100)]


def test_the_board_is_read_right_whatever_stands_on_it_when_it_has_diodes(board: Board) -> None:
    luck, standing = Random(7), set[int]()
    for count in (0, 1, 2, 8, 31, 32, 33, 56, 63, 64):
        wanted = set(luck.sample(ALL, count))
        for cell in wanted ^ standing:
            (board.close_switch if cell in wanted else board.open_switch)(cell)
        standing = wanted
        assert changes(board, ms=600)[-1] == bitmap(*wanted)
    assert (board.figures.shorts, board.figures.high_rows) == (0, 0)


def test_three_corners_show_a_ghost_on_the_fourth_without_diodes_and_none_with(powered: Building) -> None:
    for diodes, seen in ((True, bitmap(0, 1, 8)), (False, bitmap(0, 1, 8, 9))):
        board = powered()
        board.matrix(diodes=diodes)
        for cell in (0, 1, 8):
            board.close_switch(cell)
        assert changes(board, ms=20) == [seen]


def test_no_driver_fights_another_even_without_diodes(board: Board) -> None:
    board.matrix(diodes=False)
    for cell in ALL:
        board.close_switch(cell, after_ms=cell)
    board.run(ms=200)
    assert (board.figures.shorts, board.figures.high_rows) == (0, 0)


def test_rows_that_were_driven_high_would_be_seen_to_fight(powered: Building) -> None:
    wrong = {"matrix.c": {"PORTC |= COLUMNS_OF_C;": "PORTC |= COLUMNS_OF_C; PORTD |= 0xFC; DDRD |= 0xFC;"}}
    wrong["matrix.c"]["DDRD |= _BV(row + FIRST_OF_D);"] = "PORTD &= ~_BV(row + FIRST_OF_D);"
    wrong["matrix.c"]["DDRD &= ~(0x3F << FIRST_OF_D);"] = "PORTD |= 0xFC;"
    board = powered(changes=wrong)
    board.matrix(diodes=False)
    board.close_switch(0)
    board.close_switch(8)
    board.run(ms=20)
    assert board.figures.shorts > 0
    assert board.figures.high_rows > 0


@pytest.mark.parametrize(("nanofarads", "seen"), [(0.1, bitmap(0)), (0.4, bitmap(0)), (0.6, bitmap(0, 8))])
def test_lines_may_be_as_slow_as_the_settle_time_is_long(
    board: Board, nanofarads: float, seen: bytes
) -> None:
    board.matrix(ohms=50e3, farads=nanofarads * 1e-9)
    board.close_switch(0)
    assert changes(board, ms=20) == [seen]


def test_without_the_settle_time_even_short_lines_are_read_wrong(powered: Building) -> None:
    board = powered(changes={"matrix.c": {"_delay_us(SETTLE_US);": ""}})
    board.matrix(ohms=50e3, farads=100e-12)
    board.close_switch(0)
    assert changes(board, ms=20) == [bitmap(0, 8)]
