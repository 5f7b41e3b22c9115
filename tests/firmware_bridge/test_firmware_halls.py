"""The firmware with halls behind multiplexers, in the simulator."""

from __future__ import annotations

from random import Random

import pytest

from firmware_bridge.protocol import Can, Hello, HostHello, Kind, Leds, Scan
from tests.firmware_bridge.conftest import Building
from tests.firmware_bridge.simulator.board import Board

HEADS, TAILS, NOTHING = 3500, 1500, 2500


@pytest.fixture
def halls(powered: Building) -> Board:
    """A board whose cells tell heads from tails."""
    return powered(KIND=1)


def bits(cells: set[int]) -> bytes:
    return sum(1 << cell for cell in cells).to_bytes(8, "little")


def test_it_says_that_it_tells_heads_from_tails(halls: Board) -> None:
    assert halls.asked(HostHello()) == [
        Hello(1, 1, 0, 8, 8, 64, Kind.POLARITY, Can.LEDS | Can.PALETTE | Can.SETTINGS),
        Scan(bytes(16)),
    ]


def test_every_cell_is_read_as_what_lies_on_it(halls: Board) -> None:
    luck = Random(3)
    for _ in range(8):
        lies = [luck.choice((HEADS, TAILS, NOTHING)) for _ in range(64)]
        for cell, millivolts in enumerate(lies):
            halls.hall(cell, millivolts)
        heads = {cell for cell in range(64) if lies[cell] == HEADS}
        tails = {cell for cell in range(64) if lies[cell] == TAILS}
        assert halls.frames(ms=600)[-1] == Scan(bits(heads) + bits(tails))


def test_a_disc_is_told_within_a_few_hundredths_of_a_second(halls: Board) -> None:
    halls.hall(63, TAILS)
    assert halls.frames(ms=20) == [Scan(bytes(15) + b"\x80")]
    halls.hall(63, HEADS)
    assert halls.frames(ms=20) == [Scan(bytes(7) + b"\x80" + bytes(8))]


def test_a_voltage_between_there_and_gone_changes_nothing(halls: Board) -> None:
    halls.hall(5, 2500 + 240)
    assert halls.frames(ms=100) == []
    halls.hall(5, 2500 + 320)
    assert halls.frames(ms=100) == [Scan(b"\x20" + bytes(15))]
    halls.hall(5, 2500 + 240)
    assert halls.frames(ms=100) == []
    halls.hall(5, 2500 + 180)
    assert halls.frames(ms=100) == [Scan(bytes(16))]


def test_its_pixels_shine_like_those_of_a_matrix(halls: Board) -> None:
    halls.asked(Leds(bytes(range(192))))
    assert halls.pixels() == bytes(range(192))
    assert [(each.least, each.most) for each in halls.figures.high] == [(5, 5), (12, 12)]
