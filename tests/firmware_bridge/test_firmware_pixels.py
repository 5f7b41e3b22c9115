"""The firmware's pixels, in the simulator: the waveform of WS2812 to the cycle, and firmware that is wrong on purpose.

Limits in nanoseconds, such as both generations of the part allow: WS2812B (T0H 250 to 550, T1H 650 to 950, T0L 700 to
1000, T1L 300 to 600) and WS2812B-V5 (T0H 220 to 380, T1H 580 to 1000; reset 280 us). The first generation takes 50 us
of low for a reset, but parts were seen to do so from 6 us on (J. Levine, "NeoPixels Revealed", 2014).
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from firmware_bridge.protocol import Done, Leds, Ping, encoded
from tests.firmware_bridge.conftest import Building
from tests.firmware_bridge.golden import GOLDEN
from tests.firmware_bridge.simulator.board import Board

LIMITS = {
    "T0H": (250, 380),
    "T1H": (650, 950),
    "T0L": (700, 1000),
    "T1L": (300, 600),
    "period": (1100, 1400),
    "gap": (300, 5_000),
    "rest": (280_000, 1e12),
}
LINE_OF_COLOURS = bytes(range(192))


def busy(board: Board, *, pictures: int = 20) -> int:
    """Has it show pictures while bytes come and cells change; answers how many it showed right."""
    right = 0
    for number in range(pictures):
        picture = bytes((number * 37 + at * 11) % 256 for at in range(192))
        (board.open_switch if number % 2 else board.close_switch)(number % 64, bounce_ms=2)
        board.write(encoded(Leds(picture), number))
        board.write(encoded(Ping(), number) * 4)
        board.run(ms=45)
        right += board.pixels() == picture
    return right


def faults(board: Board) -> set[str]:
    """The times that were out of their limits."""
    figures = board.figures
    measured = {
        "T0H": figures.high[0],
        "T1H": figures.high[1],
        "T0L": figures.low[0],
        "T1L": figures.low[1],
        "period": figures.period,
        "gap": figures.gap,
        "rest": figures.rest,
    }
    wrong = {
        name
        for name, (least, most) in LIMITS.items()
        if not least <= measured[name].ns[0] <= measured[name].ns[1] <= most
    }
    return wrong | ({"torn"} if figures.torn else set())


def test_every_pulse_and_pause_is_within_the_data_sheets_while_all_else_goes_on(board: Board) -> None:
    assert busy(board) == 20
    assert faults(board) == set()
    assert board.figures.overruns == 0


def test_a_bit_is_twenty_cycles_long_five_or_twelve_of_them_high(board: Board) -> None:
    busy(board)
    figures = board.figures
    pulses = [*figures.high, *figures.low, figures.period]
    assert [(each.least, each.most) for each in pulses] == [(5, 5), (12, 12), (15, 15), (8, 8), (20, 20)]


ZERO, ONE = '"   nop\\n\\t"                   /*  3 */', '"   nop\\n\\t"                   /* 11 */'
"""The last clocks of a pulse for a 0 and for a 1."""
SERVED = "        clock_poll();\n"


@pytest.mark.parametrize(
    ("swaps", "wrong", "seen"),
    [
        pytest.param({ZERO: '"   .rept 4\\n nop\\n .endr\\n"'}, {"T0H"}, 20, id="a zero of 8 cycles"),
        pytest.param({ONE: '"   .rept 8\\n nop\\n .endr\\n"'}, {"T1H"}, 20, id="a one of 19 cycles"),
        pytest.param({SERVED: SERVED + "_delay_us(4);"}, {"gap"}, 20, id="a pause between bytes"),
        pytest.param({"    cli();\n": ""}, {"T1H"}, 0, id="interrupts not held off"),
    ],
)
def test_the_same_look_finds_firmware_that_is_wrong(
    powered: Building, swaps: Mapping[str, str], wrong: set[str], seen: int
) -> None:
    board = powered(changes={"pixels.c": swaps})
    right = busy(board)
    assert wrong <= faults(board)
    assert right == seen if seen else right < 20


def test_pixels_show_the_frame_of_the_host_before_it_is_told_that_they_do(board: Board) -> None:
    board.stamps.clear()
    assert board.asked(Leds(LINE_OF_COLOURS), seq=7) == [Done(7)]
    assert board.pixels() == LINE_OF_COLOURS
    byte = 10 * 16_000_000 // board.baudrate
    assert board.figures.shown_at - 280 * 16 < board.stamps[0] - byte


def test_two_pictures_in_a_row_are_two_pictures(board: Board) -> None:
    (indexed,) = (each for each in GOLDEN if each.name == "host-indexed-64")
    board.pixels()
    strips = board.figures.strips
    board.write(indexed.wire * 5)
    board.run(ms=100)
    board.pixels()
    assert board.figures.strips == strips + 5
    assert faults(board) - {"T1H", "T1L"} == set()


def test_the_strip_is_dark_when_the_board_begins_and_two_seconds_after_the_last_word_of_a_host(
    board: Board,
) -> None:
    assert board.pixels() == bytes(192)
    board.asked(Leds(b"\x20" * 192), ms=500)
    board.asked(Ping(), ms=1900)
    assert (board.pixels(), board.figures.lamp) == (b"\x20" * 192, 1)
    board.run(ms=120)
    assert (board.pixels(), board.figures.lamp) == (bytes(192), 0)
