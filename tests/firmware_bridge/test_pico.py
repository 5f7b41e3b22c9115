"""The Pico's firmware on CPython: frames, bounces, pixels and the cable, as the AVR's is tested in its simulator."""

from __future__ import annotations

from random import Random

import pytest

from firmware_bridge.firmware.pico.bridge import framed, opened, stuffed, unstuffed
from firmware_bridge.protocol import (
    Can,
    Code,
    Done,
    Error,
    Frame,
    Hello,
    HostHello,
    Kind,
    Ping,
    Received,
    Scan,
    encoded,
)
from tests.firmware_bridge.golden import Golden, golden
from tests.firmware_bridge.pico import Pico

HELLO = Hello(1, 1, 0, 8, 8, 64, Kind.PRESENCE, Can.LEDS | Can.PALETTE | Can.SETTINGS)
GOLDEN = {each.name: each for each in golden("")}
OTHER_STRIP = ("host-leds-3", "host-leds-83", "host-indexed-250")
"""They are good, and not for a strip of 64."""
EMPTY = bytes(8)


@pytest.fixture
def pico() -> Pico:
    """One that has begun."""
    return Pico().started()


def bitmap(*cells: int) -> bytes:
    return sum(1 << cell for cell in cells).to_bytes(8, "little")


def answers(pico: Pico, wire: bytes) -> list[Frame]:
    """What bytes of a host make the board say, heartbeats aside."""
    pico.memory.incoming += wire
    return [frame for frame in pico.frames(40) if frame != Scan(EMPTY)]


# Frames


@pytest.mark.parametrize("each", [*golden("host-"), *golden("board-")], ids=lambda each: each.name)
def test_it_writes_and_reads_the_golden_frames(each: Golden) -> None:
    assert framed(each.type, each.seq, each.payload) == each.wire
    assert opened(each.wire[:-1]) == bytes((each.type, each.seq)) + each.payload


@pytest.mark.parametrize("name", [each.name for each in golden("host-")])
def test_it_answers_the_golden_frames_of_a_host(pico: Pico, name: str) -> None:
    each = GOLDEN[name]
    expected: Frame = Done(each.seq)
    if each.type == HostHello.TYPE:
        expected = HELLO
    elif name in OTHER_STRIP:
        expected = Error(Code.LENGTH, each.seq)
    assert answers(pico, each.wire) == [expected]


@pytest.mark.parametrize("each", golden("bad-"), ids=lambda each: each.name)
def test_it_answers_golden_garbage_with_an_error_and_understands_what_follows(
    pico: Pico, each: Golden
) -> None:
    told = answers(pico, each.wire + encoded(Ping(), 99))
    greeting = [HELLO] if each.type == Code.VERSION else []
    assert told == [*greeting, Error(each.type, each.seq), Done(99)]


@pytest.mark.parametrize("each", golden("mute-"), ids=lambda each: each.name)
def test_it_has_nothing_to_say_to(pico: Pico, each: Golden) -> None:
    assert answers(pico, each.wire) == []


def test_whatever_is_stuffed_comes_out_again() -> None:
    luck = Random(1)
    for length in range(255):
        said = bytes(luck.choice((0, 0, 1, 255)) for _ in range(length))
        wire = stuffed(said)
        assert (unstuffed(wire), len(wire), 0 in wire) == (said, length + 1, False)


def test_all_that_it_says_is_written_as_the_host_would_write_it(pico: Pico) -> None:
    for cell in range(0, 64, 5):
        pico.memory.move(cell, True, at=pico.memory.now + cell * 3)
    said = pico.run(1500)
    told = pico.decoder.feed(said)
    assert len(told) > 12
    assert b"".join(encoded(each.frame, each.seq) for each in told if isinstance(each, Received)) == said
    assert (pico.decoder.bad, pico.decoder.gaps) == (0, 0)
