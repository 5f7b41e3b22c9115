"""The firmware on its line, in the simulator: nothing is lost, and it comes back from whatever happens to it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from firmware_bridge.protocol import (
    Done,
    Error,
    Fault,
    Frame,
    Hello,
    HostHello,
    Indexed,
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
from tests.firmware_bridge.simulator.board import BROWN_OUT, EMPTY, PIN, POWER, Board


def random_frames(luck: Random, count: int) -> Iterator[Frame]:
    """Frames of every type that a host sends, pixels the most."""
    kinds = ("leds", "leds", "indexed", "indexed", "palette", "ping", "settings", "hello")
    for _ in range(count):
        match luck.choice(kinds):
            case "leds":
                yield Leds(luck.randbytes(192))
            case "indexed":
                yield Indexed(bytes(luck.randrange(32) for _ in range(64)))
            case "palette":
                yield Palette(luck.randbytes(3 * luck.randint(1, 32)))
            case "settings":
                yield Settings(luck.randint(1, 5), luck.randint(500, 1000), 255)
            case "hello":
                yield HostHello()
            case _:
                yield Ping()


class Exchange:
    """A host that sends frame after frame, each when the one before is answered, while cells change."""

    def __init__(self, board: Board, luck: Random) -> None:
        self.board, self._luck = board, luck
        self.sent = self.heard = self.faults = self.shown = self.wrong = 0
        self._palette = b""

    def send(self, frame: Frame) -> None:
        """Sends one and waits for its answer."""
        seq = self.sent % 256
        self.sent += 1
        self.board.write(encoded(frame, seq))
        if self._luck.random() < 0.6:
            move = self.board.open_switch if self._luck.random() < 0.5 else self.board.close_switch
            move(self._luck.randrange(64), bounce_ms=self._luck.uniform(0, 2))
        self._wait(frame)
        self._look(frame)

    def _wait(self, frame: Frame) -> None:
        """Until the answer has come; what else comes is counted."""
        wanted = Hello if isinstance(frame, HostHello) else Done
        answered = False
        while not answered:
            data = self.board.read(max(1, self.board.in_waiting))
            assert data, f"no answer to frame {self.sent}, {frame}"
            told = self.board.decoder.feed(data)
            frames = [each.frame for each in told if isinstance(each, Received)]
            self.heard += len(frames)
            self.faults += sum(isinstance(each, Fault) for each in told)
            self.faults += sum(isinstance(each, Error) for each in frames)
            answered = any(isinstance(each, wanted) for each in frames)

    def _look(self, frame: Frame) -> None:
        """Compares every eighth picture with what the strip shows, after the strip's reset time."""
        if isinstance(frame, Palette):
            self._palette = frame.colours.ljust(96, b"\0")
        if self.sent % 8 or not isinstance(frame, Leds | Indexed):
            return
        self.heard += len(self.board.frames(ms=0.5))
        picture = frame.colours if isinstance(frame, Leds) else self._coloured(frame.numbers)
        self.shown += 1
        self.wrong += self.board.pixels() != picture

    def _coloured(self, numbers: bytes) -> bytes:
        return b"".join((self._palette or bytes(96))[3 * at : 3 * at + 3] for at in numbers)


def exchanged(board: Board, count: int) -> Exchange:
    """So many frames both ways."""
    luck = Random(11)
    exchange = Exchange(board, luck)
    board.timeout = 0.2
    while exchange.sent < count or exchange.heard < count:
        for frame in random_frames(luck, 50):
            exchange.send(frame)
    return exchange


@pytest.mark.parametrize("baud", [115200, 250000])
def test_not_a_byte_is_lost_of_ten_thousand_random_frames_each_way_while_the_pixels_move(
    powered: Building, baud: int
) -> None:
    board = powered(baud=baud)
    exchange = exchanged(board, 10_000)
    assert min(exchange.sent, exchange.heard) >= 10_000
    assert (exchange.faults, exchange.wrong, board.decoder.gaps, board.decoder.bad) == (0, 0, 0, 0)
    figures = board.figures
    assert (figures.overruns, figures.deaf, figures.overwritten, figures.torn) == (0, 0, 0, 0)
    assert exchange.shown > 500
    assert [(each.least, each.most) for each in figures.high] == [(5, 5), (12, 12)]


def test_even_a_host_that_does_not_wait_loses_nothing(powered: Building) -> None:
    board = powered(baud=250000)
    board.write(b"".join(encoded(Leds(bytes([number]) * 192), number) for number in range(100)))
    told = [frame for frame in board.frames(ms=1200) if isinstance(frame, Done)]
    assert told == [Done(number) for number in range(100)]
    assert (board.figures.overruns, board.pixels()) == (0, bytes([99]) * 192)


def test_without_the_line_being_served_between_the_pixels_bytes_are_lost(powered: Building) -> None:
    board = powered(baud=250000, changes={"pixels.c": {"        uart_poll();\n": ""}})
    board.write(b"".join(encoded(Leds(bytes([number + 1]) * 192), number) for number in range(100)))
    told = [frame for frame in board.frames(ms=1200) if isinstance(frame, Done)]
    assert board.figures.overruns > 100
    assert len(told) < 100


def start(cause: str, bitmap: bytes) -> list[Frame]:
    """What a board says when it begins: that it did, why, and what stands on it."""
    return [Log(f"started by {cause}"), Scan(bitmap)]


@pytest.mark.parametrize(
    ("cause", "words"),
    [(PIN, "the reset pin"), (BROWN_OUT, "a brown-out"), (POWER | BROWN_OUT, "power on")],
)
def test_after_a_reset_it_is_dark_and_tells_what_stands_on_it(board: Board, cause: int, words: str) -> None:
    board.close_switch(10)
    board.asked(Leds(b"\x40" * 192), ms=60)
    board.write(encoded(Leds(b"\x50" * 192), 1)[:99])
    board.run(ms=3)
    board.reset(cause)
    hello, *rest = board.frames(ms=100)
    assert (type(hello), rest, board.pixels()) == (Hello, start(words, b"\0\4" + bytes(6)), bytes(192))
    board.write(b"\0")  # what came of the frame after the reset is none
    assert board.asked(Leds(b"\x60" * 192), seq=2) == [Error(1, 0), Done(2)]
    assert board.pixels() == b"\x60" * 192


def test_a_reset_in_the_midst_of_a_picture_leaves_no_torn_one(board: Board) -> None:
    board.write(encoded(Leds(b"\xaa" * 192), 1))
    while not board.figures.high[1].most:
        board.run(ms=0.5)
    board.reset(BROWN_OUT)
    board.told(ms=100)
    assert board.pixels() == bytes(192)


def test_a_board_that_hangs_is_reset_by_its_watchdog_in_less_than_a_third_of_a_second(board: Board) -> None:
    board.close_switch(0)
    board.asked(Leds(b"\x40" * 192), ms=60)
    resets = board.figures.resets
    board.jam()
    hello, *rest = board.frames(ms=333)
    assert (type(hello), rest) == (Hello, start("the watchdog", b"\1" + bytes(7)))
    assert (board.figures.resets - resets, board.pixels()) == (1, bytes(192))
    assert board.asked(Ping(), seq=1) == [Done(1)]


def test_without_the_watchdog_it_would_hang_for_ever(powered: Building) -> None:
    board = powered(changes={"clock.c": {"wdt_enable(WDTO_250MS);": ""}})
    board.jam()
    board.told(ms=20)
    assert board.frames(ms=3000) == []


def test_it_does_not_reset_itself_as_long_as_it_works(board: Board) -> None:
    for number in range(100):
        board.asked(Leds(bytes([number]) * 192), seq=number, ms=50)
    assert board.figures.resets == 1


def test_a_host_that_stops_within_a_frame_is_missed_after_two_seconds_and_heard_again_with_the_next(
    board: Board,
) -> None:
    board.asked(Leds(b"\x40" * 192), seq=1)
    board.write(encoded(Leds(b"\x50" * 192), 2)[:120])
    assert {type(frame) for frame in board.frames(ms=2100)} == {Scan}
    assert board.pixels() == bytes(192)
    board.write(b"\0")
    assert board.asked(Leds(b"\x60" * 192), seq=3) == [Error(1, 0), Done(3)]
    assert board.pixels() == b"\x60" * 192


def test_a_line_of_endless_noise_is_no_host_and_does_not_stop_the_scan(board: Board) -> None:
    board.asked(Leds(b"\x40" * 192), seq=1)
    luck = Random(4)
    for _ in range(23):
        board.write(bytes(luck.randrange(1, 256) for _ in range(1150)))
        assert all(isinstance(frame, Scan | Error) for frame in board.frames(ms=100))
    assert board.pixels() == bytes(192)
    board.close_switch(3)
    board.write(bytes(luck.randrange(1, 256) for _ in range(200)))
    assert board.frames(ms=7) == [Scan(b"\x08" + bytes(7))]
    board.write(b"\0")
    assert Done(2) in board.asked(Ping(), seq=2)


def test_twice_a_second_it_says_what_stands_on_it(board: Board) -> None:
    assert board.frames(ms=5000) == [Scan(EMPTY)] * 10


def test_its_time_goes_on_while_the_pixels_are_written(powered: Building) -> None:
    board = powered(baud=250000)
    for _ in range(2):
        assert board.write(encoded(Leds(b"\xaa" * 192), 0) * 315) == 315 * 198  # for two seconds and a half
        told = board.frames(ms=2500)
        assert (told.count(Done(0)) > 313, told.count(Scan(EMPTY))) == (True, 5)


def test_a_frame_that_a_reset_cuts_off_does_not_spoil_the_next(board: Board) -> None:
    board.write(encoded(HostHello(), 0))
    assert board.told(ms=1.2) == []
    board.reset()
    cut_off, hello, *_ = board.told(ms=100)
    assert isinstance(cut_off, Fault)
    assert isinstance(hello, Received)
    assert isinstance(hello.frame, Hello)
