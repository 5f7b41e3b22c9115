"""The firmware, in the simulator: the frames it reads and writes, and those that are none."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

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
from tests.firmware_bridge.conftest import Building
from tests.firmware_bridge.golden import Golden, golden
from tests.firmware_bridge.simulator.board import EMPTY, Board, missing_arduino

HELLO = Hello(1, 1, 0, 8, 8, 64, Kind.PRESENCE, Can.LEDS | Can.PALETTE | Can.SETTINGS)
GOLDEN = {each.name: each for each in golden("")}
OTHER_STRIP = ("host-leds-3", "host-leds-83", "host-indexed-250")
"""They are good, and not for a strip of 64."""


def answers(board: Board, wire: bytes) -> list[Frame]:
    """What bytes of a host make the board say, heartbeats aside."""
    board.write(wire)
    return [frame for frame in board.frames(ms=40) if frame != Scan(EMPTY)]


def test_a_board_begins_with_who_it_is_and_why_it_begins_and_what_stands_on_it(powered: Building) -> None:
    board = powered()
    board.reset()
    board.close_switch(0)
    assert board.frames(ms=100) == [HELLO, Log("started by the reset pin"), Scan(b"\1" + bytes(7))]


@pytest.mark.parametrize("name", [each.name for each in golden("host-")])
def test_the_firmware_reads_the_golden_frames_of_a_host(board: Board, name: str) -> None:
    each = GOLDEN[name]
    expected: Frame = Done(each.seq)
    if each.type == HostHello.TYPE:
        expected = HELLO
    elif name in OTHER_STRIP:
        expected = Error(Code.LENGTH, each.seq)
    assert answers(board, each.wire) == [expected]


@pytest.mark.parametrize("each", golden("bad-"), ids=lambda each: each.name)
def test_the_firmware_answers_golden_garbage_with_an_error_and_understands_what_follows(
    board: Board, each: Golden
) -> None:
    told = answers(board, each.wire + encoded(Ping(), 99))
    greeting = [HELLO] if each.type == Code.VERSION else []
    assert told == [*greeting, Error(each.type, each.seq), Done(99)]


@pytest.mark.parametrize("each", golden("mute-"), ids=lambda each: each.name)
def test_the_firmware_has_nothing_to_say_to(board: Board, each: Golden) -> None:
    assert answers(board, each.wire) == []


def test_the_firmware_writes_the_golden_frames_of_a_board(powered: Building) -> None:
    board = powered()
    board.reset()
    said = board.run(ms=30)
    for cells in ({0, 63}, set(range(64))):
        for cell in cells:
            board.close_switch(cell)
        said += board.run(ms=10)
    for wire in (
        encoded(Ping(), 5),
        GOLDEN["host-leds-64"].wire,
        GOLDEN["host-ping-seq-0"].wire,
        encoded(Ping(), 8) + encoded(Ping(), 9),
        GOLDEN["bad-checksum"].wire,
    ):
        board.write(wire)
        said += board.run(ms=30)
    names = ("scan-empty", "scan-first-and-last", "scan-full", "done", "done-seq-0", "error-form")
    missed = [name for name in names if GOLDEN[f"board-{name}"].wire not in said]
    assert missed == []


def test_all_that_a_board_says_is_written_as_the_host_would_write_it(board: Board) -> None:
    for cell in range(0, 64, 5):
        board.close_switch(cell, after_ms=cell * 3)
    said = board.run(ms=1500)
    told = board.decoder.feed(said)
    assert len(told) > 12
    assert b"".join(encoded(each.frame, each.seq) for each in told if isinstance(each, Received)) == said


def test_a_person_who_types_a_question_mark_is_answered_and_a_host_takes_that_for_no_frame(
    board: Board,
) -> None:
    board.close_switch(1)
    board.run(ms=20)
    board.write(b"?\n")
    said = board.run(ms=60)
    assert said.startswith(b"\r\nboardctl firmware.")
    assert b"\r\n.#......\r\n........\r\n" in said
    (told,) = board.decoder.feed(said)
    assert isinstance(told, Fault)
    assert board.asked(Ping(), seq=4) == [Done(4)]


def test_a_host_of_another_version_is_told_which_one_the_board_speaks(board: Board) -> None:
    assert answers(board, encoded(HostHello(2), 7)) == [HELLO, Error(Code.VERSION, 7)]


def test_a_frame_that_comes_in_halves_and_with_noise_before_it_is_one_frame(board: Board) -> None:
    whole = encoded(Ping(), 17)
    board.write(b"\0" + whole[:3])
    assert board.frames(ms=300) == []
    board.write(whole[3:])
    assert board.frames(ms=20) == [Done(17)]


def test_a_longer_hold_and_a_slower_scan_are_taken_from_the_settings(board: Board) -> None:
    assert board.asked(Settings(hold_ms=50, rate_hz=200, brightest=255), seq=3) == [Done(3)]
    since = board.close_switch(20)
    (told,) = board.told(ms=80)
    assert told == Received(told.seq, Scan(bytes((0, 0, 16, 0, 0, 0, 0, 0))))
    assert 45 < (board.stamps[-1] - since) / 16_000 < 57


@pytest.mark.parametrize("settings", [Settings(0, 0, 0), Settings(255, 65535, 255)])
def test_settings_beyond_sense_are_taken_as_far_as_they_have_any(board: Board, settings: Settings) -> None:
    assert Done(3) in board.asked(settings, seq=3)
    board.close_switch(20)
    assert Scan(bytes((0, 0, 16, 0, 0, 0, 0, 0))) in board.frames(ms=400)
    assert board.asked(Ping(), seq=4) == [Done(4)]


def test_colours_that_a_new_palette_does_not_name_are_dark(board: Board) -> None:
    answers(board, encoded(Palette(bytes(range(96))), 1))
    answers(board, encoded(Palette(b"\xff\x80\1"), 2))
    answers(board, GOLDEN["host-indexed-64"].wire)
    assert board.pixels() == (b"\xff\x80\1" + bytes(9)) * 16


def test_numbers_beyond_the_palette_are_dark(board: Board) -> None:
    answers(board, encoded(Palette(b"\xff" * 96), 1))
    answers(board, encoded(Indexed(bytes(range(0, 256, 4))), 2))
    assert board.pixels() == b"\xff" * 24 + bytes(168)


def test_no_colour_goes_out_brighter_than_the_cap(board: Board) -> None:
    answers(board, encoded(Settings(4, 1000, 100), 1))
    answers(board, encoded(Leds(bytes(range(192))), 2))
    assert board.pixels() == bytes(min(value, 100) for value in range(192))


@pytest.mark.parametrize("options", [{}, {"KIND": 1}, {"KIND": 2}, {"sketch": True}], ids=str)
def test_it_leaves_most_of_the_chip_free(
    powered: Building, built: Callable[..., Path], options: dict[str, object]
) -> None:
    if "sketch" in options and (why := missing_arduino()) is not None:
        pytest.skip(why)
    powered(**options)
    elf = built(**options).with_suffix(".elf")
    words = subprocess.run(["avr-size", "-A", str(elf)], check=True, capture_output=True, text=True).stdout
    size = {name: int(count) for name, count in re.findall(r"^\.(\w+) +(\d+)", words, re.MULTILINE)}
    flash = size["text"] + size["data"]
    memory = size["data"] + size["bss"] + size.get("noinit", 0)
    assert (flash < 24 * 1024, memory < 1536) == (True, True), (flash, memory)
