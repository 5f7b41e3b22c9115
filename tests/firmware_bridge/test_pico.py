"""The Pico's firmware on CPython: frames, bounces, pixels and the cable, as the AVR's is tested in its simulator."""

from __future__ import annotations

import contextlib
from random import Random

import pytest

from boardctl.core.events import Sampled
from boardctl.shells.journal import Journal
from firmware_bridge.firmware.pico.bridge import framed, opened, stuffed, unstuffed
from firmware_bridge.protocol import (
    Can,
    Code,
    Done,
    Error,
    Fault,
    Frame,
    Hello,
    HostHello,
    Indexed,
    Kind,
    Leds,
    Log,
    Palette,
    Ping,
    Received,
    Scan,
    Settings,
    encoded,
)
from tests.firmware_bridge.at import LOST, At, back, readings
from tests.firmware_bridge.golden import Golden, golden
from tests.firmware_bridge.pico import Pico, PicoTwin
from tests.firmware_bridge.test_board import OTHELLO
from tests.firmware_bridge.test_board import At as Player
from tests.firmware_bridge.twin import LosingBytes

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


def test_it_begins_with_who_it_is_and_why_it_begins_and_what_stands_on_it() -> None:
    pico = Pico()
    pico.memory.closed = {0}
    pico.core.start("the reset pin")
    said = pico.run(0)
    assert said[:1] == b"\0"
    told = pico.decoder.feed(said)
    assert told == [
        Received(0, HELLO),
        Received(1, Log("started by the reset pin")),
        Received(2, Scan(bitmap(0))),
    ]


def test_a_board_of_another_size_says_so_and_packs_its_cells_row_by_row() -> None:
    pico = Pico(3, 5, 7, Kind.PRESSES).started()
    for cell in (0, 6, 14):
        pico.memory.move(cell, True, at=pico.memory.now)
    assert pico.frames(20)[-1] == Scan((1 | 1 << 6 | 1 << 14).to_bytes(2, "little"))
    assert pico.asked(HostHello())[0] == Hello(1, 1, 0, 3, 5, 7, Kind.PRESSES, HELLO.can)
    assert pico.asked(Leds(bytes(range(21))), seq=4) == [Done(4)]
    assert pico.pixels == bytes(range(21))


def test_to_a_hello_it_says_who_it_is_and_what_stands_on_it_and_resets_nothing(pico: Pico) -> None:
    pico.asked(Leds(b"\x40" * 192), seq=1)
    pico.memory.closed = {9, 63}
    pico.run(20)
    assert pico.asked(HostHello(), seq=2) == [HELLO, Scan(bitmap(9, 63))]
    assert pico.pixels == b"\x40" * 192


def test_a_host_of_another_version_is_told_which_one_the_board_speaks(pico: Pico) -> None:
    assert answers(pico, encoded(HostHello(2), 7)) == [HELLO, Error(Code.VERSION, 7)]


def test_a_frame_that_comes_in_halves_and_with_noise_before_it_is_one_frame(pico: Pico) -> None:
    whole = encoded(Ping(), 17)
    assert answers(pico, b"\x05noise\0" + whole[:3]) == [Error(Code.FORM, 0)]
    assert answers(pico, whole[3:]) == [Done(17)]


def test_noise_without_end_is_no_host_and_does_not_stop_the_scan(pico: Pico) -> None:
    pico.asked(Leds(b"\x40" * 192), seq=1)
    luck = Random(4)
    for _ in range(23):
        pico.memory.incoming += bytes(luck.randrange(1, 256) for _ in range(1150))
        assert all(isinstance(frame, Scan) for frame in pico.frames(100))
    assert (pico.pixels, pico.memory.lit) == (bytes(192), False)
    pico.memory.closed = {3}
    assert pico.frames(7) == [Scan(bitmap(3))]
    assert pico.asked(Ping(), seq=2) == [Error(Code.FORM, 0)]
    assert pico.asked(Ping(), seq=3) == [Done(3)]


def test_whatever_comes_in_it_answers_the_frame_after_the_next(pico: Pico) -> None:
    luck = Random(9)
    for number in range(300):
        pico.memory.incoming += luck.randbytes(luck.randrange(300))
        pico.run(20)
        pico.asked(Ping(), seq=0)
        assert Done(number % 256) in pico.asked(Ping(), seq=number)


def test_not_a_byte_is_lost_of_two_thousand_pictures_that_are_sent_without_waiting(pico: Pico) -> None:
    told: list[Frame] = []
    for number in range(2000):
        pico.memory.incoming += encoded(Leds(bytes([number % 256]) * 192), number)
        told += [frame for frame in pico.frames(1) if isinstance(frame, Done)]
    told += [frame for frame in pico.frames(15_000) if isinstance(frame, Done)]
    assert told == [Done(number % 256) for number in range(2000)]
    assert (pico.decoder.bad, pico.decoder.gaps) == (0, 0)


def test_a_person_who_types_a_question_mark_is_answered_and_a_host_takes_that_for_no_frame(
    pico: Pico,
) -> None:
    pico.memory.closed = {1}
    pico.run(20)
    pico.memory.incoming += b"?\n"
    said = pico.run(20)
    assert said.startswith(b"\r\nboardctl firmware.")
    assert b"\r\n.#......\r\n........\r\n" in said
    assert isinstance(pico.decoder.feed(said)[0], Fault)
    assert pico.asked(Ping(), seq=4) == [Done(4)]


def test_a_frame_that_a_host_did_not_take_does_not_spoil_the_next(pico: Pico) -> None:
    pico.memory.room = 3
    assert pico.told(600) == []
    pico.memory.room = 1000
    cut_off, *whole = pico.told(500)
    assert isinstance(cut_off, Fault)
    assert [each.frame for each in whole if isinstance(each, Received)] == [Scan(EMPTY)]


# Cells


def changes(told: list[Frame]) -> list[bytes]:
    """The bitmaps of these, each but once in a row."""
    scans = [frame.bitmap for frame in told if isinstance(frame, Scan)]
    return [now for now, before in zip(scans, [EMPTY, *scans], strict=False) if now != before]


def bounce(pico: Pico, luck: Random, cell: int, closed: bool, at: int) -> None:
    """It swings for up to 3 ms and rests."""
    for ms in range(luck.randrange(4)):
        pico.memory.move(cell, luck.random() < 0.5, at=at + ms)
    pico.memory.move(cell, closed, at=at + 3)


def test_a_change_that_has_been_read_for_the_hold_is_told(pico: Pico) -> None:
    pico.memory.closed = {20}
    assert pico.frames(3) == []
    assert pico.frames(2) == [Scan(bitmap(20))]


def test_a_contact_of_less_than_the_hold_is_not_told(pico: Pico) -> None:
    for after in range(0, 400, 40):
        pico.memory.move(12, True, at=pico.memory.now + after)
        pico.memory.move(12, False, at=pico.memory.now + after + 3)
    assert changes(pico.frames(700)) == []


def test_a_hundred_presses_that_bounce_while_the_pixels_move_are_a_hundred_events(pico: Pico) -> None:
    luck, told = Random(6), []
    pico.memory.show_ms = 3
    for press in range(100):
        bounce(pico, luck, press // 2, press % 2 == 0, pico.memory.now + luck.randrange(10))
        for _ in range(4):
            told += pico.asked(Leds(luck.randbytes(192)), ms=13)
    assert changes(told) == [EMPTY if press % 2 else bitmap(press // 2) for press in range(100)]


def test_all_cells_at_once_are_one_scan(pico: Pico) -> None:
    pico.memory.closed = set(range(64))
    assert pico.frames(20) == [Scan(b"\xff" * 8)]


def test_a_longer_hold_and_a_slower_scan_are_taken_from_the_settings(pico: Pico) -> None:
    assert pico.asked(Settings(hold_ms=50, rate_hz=200, brightest=255), seq=3) == [Done(3)]
    pico.memory.closed = {20}
    assert pico.frames(44) == []
    assert pico.frames(13) == [Scan(bitmap(20))]


@pytest.mark.parametrize("settings", [Settings(0, 0, 0), Settings(255, 65535, 255)])
def test_settings_beyond_sense_are_taken_as_far_as_they_have_any(pico: Pico, settings: Settings) -> None:
    assert Done(3) in pico.asked(settings, seq=3)
    pico.memory.closed = {20}
    assert Scan(bitmap(20)) in pico.frames(400)
    assert pico.asked(Ping(), seq=4) == [Done(4)]


def test_twice_a_second_it_says_what_stands_on_it(pico: Pico) -> None:
    assert pico.frames(5000) == [Scan(EMPTY)] * 10


def test_its_time_goes_on_while_the_pixels_are_written(pico: Pico) -> None:
    told: list[Frame] = []
    pico.memory.show_ms = 8
    pico.run(490)
    begun = pico.memory.now
    while pico.memory.now < begun + 2500:
        told += pico.asked(Leds(b"\xaa" * 192), ms=1)
    assert told.count(Scan(EMPTY)) in (5, 6)


# Pixels


def test_the_pixels_are_out_before_the_host_is_told(pico: Pico) -> None:
    pico.memory.incoming += encoded(Leds(bytes(range(192))), 7)
    while not pico.memory.outgoing:
        pico.core.step()
    assert pico.pixels == bytes(range(192))
    assert pico.frames(0) == [Done(7)]


def test_colours_that_a_new_palette_does_not_name_are_dark(pico: Pico) -> None:
    pico.asked(Palette(bytes(range(96))))
    pico.asked(Palette(b"\xff\x80\1"))
    assert pico.pixels == bytes(192)
    answers(pico, GOLDEN["host-indexed-64"].wire)
    assert pico.pixels == (b"\xff\x80\1" + bytes(9)) * 16


def test_numbers_beyond_the_palette_are_dark(pico: Pico) -> None:
    pico.asked(Palette(b"\xff" * 96))
    pico.asked(Indexed(bytes(range(0, 256, 4))))
    assert pico.pixels == b"\xff" * 24 + bytes(168)


def test_no_colour_goes_out_brighter_than_the_ceiling(pico: Pico) -> None:
    pico.asked(Settings(4, 1000, 100))
    pico.asked(Leds(bytes(range(192))))
    assert pico.pixels == bytes(min(value, 100) for value in range(192))
    pico.asked(Palette(b"\xff\x20\x80"))
    pico.asked(Indexed(bytes(64)))
    assert pico.pixels == b"\x64\x20\x64" * 64


def test_it_is_dark_when_it_begins_and_two_seconds_after_the_last_word_of_a_host(pico: Pico) -> None:
    assert (pico.pixels, pico.memory.shown, pico.memory.lit) == (bytes(192), 1, False)
    pico.asked(Leds(b"\x20" * 192), ms=500)
    pico.asked(Ping(), ms=1900)
    assert (pico.pixels, pico.memory.lit) == (b"\x20" * 192, True)
    pico.run(120)
    assert (pico.pixels, pico.memory.lit) == (bytes(192), False)
    pico.run(5000)
    assert pico.memory.shown == 3


# The host at its other end


@pytest.fixture
def at() -> At:
    """A computer with a link to a Pico."""
    return At(PicoTwin())  # type: ignore[arg-type]  # it has the face of one


def test_a_host_finds_it_and_hears_of_every_cell_and_of_every_change(at: At) -> None:
    at.lay("d4")
    assert at.wait(1) == readings("d4")
    at.lay("e5")
    assert at.wait(0.1) == [Sampled("e5", "piece")]
    at.lay("d4", None)
    assert at.wait(0.1) == [Sampled("d4", "empty")]
    assert (at.link.fault, at.sentences) == (None, [])


def test_the_pictures_of_a_host_shine_on_it_and_none_is_left_unanswered(at: At) -> None:
    at.wait(1)
    for number in range(50):
        picture = [(number, 255 - number, pixel) for pixel in range(64)]
        at.strip.write(picture)
        at.wait(0.05)
        assert at.twin.pixels == bytes(part for pixel in picture for part in pixel)
    talk = at.link.conversation
    assert talk is not None
    assert (talk.errors, talk.unanswered, talk.decoder.bad, talk.decoder.gaps) == (0, 0, 0, 0)
    assert list(talk.logged) == ["started by power on"]


def test_pulled_and_plugged_in_again_it_shows_the_picture_and_tells_what_lies_there_now(at: At) -> None:
    at.lay("d4")
    at.wait(1)
    at.strip.write([(9, 8, 7)] * 64)
    at.pull()
    assert at.wait(2) == LOST
    at.lay("e4")
    at.plug()
    assert at.wait(2) == back("d4", "e4")
    assert at.twin.pixels == b"\x09\x08\x07" * 64


def test_a_bad_cable_costs_time_and_nothing_else() -> None:
    at = At(PicoTwin(), transports=lambda: (LosingBytes(3, 1.0, 3.0), LosingBytes(4, 1.0, 3.0)))  # type: ignore[arg-type]
    luck, told = Random(2), at.wait(3)
    for side in ("heads", None) * 10:
        at.lay("d4", side)  # type: ignore[arg-type]
        with contextlib.suppress(OSError):
            at.strip.write([(luck.randrange(256), 0, 0)] * 64)
        told += at.wait(2)
    there = [each.cell for each in told if isinstance(each, Sampled) and each.sees == "piece"]
    assert (set(there), len(there)) == ({"d4"}, 10)


def test_othello_is_played_on_it() -> None:
    at = Player(Journal.in_memory(), PicoTwin())  # type: ignore[arg-type]
    assert at.lit == OTHELLO
    at.put(*OTHELLO, "d3")
    at.turn("d4")
    assert at.record == ["d3"]
    at.play.close()
    assert at.twin.pixels == bytes(192)
