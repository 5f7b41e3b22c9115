"""The firmware behind a real serial port, as far as a pty is one: pyserial opens it, at the pace of the clock.

How long things take is not looked at here: the machine may be busy. test_firmware_matrix.py does that.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import serial

from firmware_bridge.protocol import (
    Hello,
    HostHello,
    Leds,
    Log,
    Ping,
    Scan,
)
from tests.firmware_bridge.simulator.process import BoardProcess
from tests.firmware_bridge.talking import host

PICTURE = bytes(range(192))


@pytest.mark.parametrize("baud", [115200, 250000])
def test_pyserial_talks_with_the_firmware(
    program: Path, built: Callable[..., Path], tmp_path: Path, baud: int
) -> None:
    with (
        BoardProcess(program, built(BAUD=baud), tmp_path / "tty") as board,
        host(board.port, baud) as talking,
    ):
        assert isinstance(talking.ask(HostHello(), 0), Hello)
        board.put(9)
        assert talking.until(lambda frame: frame == Scan(b"\0\2" + bytes(6)))
        board.take(9)
        assert talking.until(lambda frame: frame == Scan(bytes(8)))
        for number in range(20):
            talking.ask(Leds(bytes([number]) * 192), number)
        talking.ask(Leds(PICTURE), 20)
        talking.ask(Ping(), 21)
        assert board.pixels() == PICTURE
        stats = board.stats()
        assert (stats["overruns"], stats["torn"], stats["lamp"], stats["strips"]) == (0, 0, 1, 22)


def test_at_the_wrong_rate_nothing_is_understood(
    program: Path, built: Callable[..., Path], tmp_path: Path
) -> None:
    with BoardProcess(program, built(BAUD=250000), tmp_path / "tty") as board, host(board.port) as talking:
        talking.send(HostHello(), 0)
        with pytest.raises(TimeoutError):
            talking.until(lambda _: True, tries=20)


def test_a_pulled_cable_is_an_error_and_the_board_begins_anew_when_it_is_back(
    program: Path, built: Callable[..., Path], tmp_path: Path
) -> None:
    with BoardProcess(program, built(), tmp_path / "tty") as board:
        with host(board.port) as talking:
            talking.ask(Leds(PICTURE), 1)
            board.put(0)
            board.pull()
            with pytest.raises((serial.SerialException, OSError)):
                talking.until(lambda _: False)
        assert not board.port.is_symlink()
        board.plug()
        with host(board.port) as talking:
            talking.ask(HostHello(), 0)
            assert talking.until(lambda frame: isinstance(frame, Scan)) == Scan(b"\1" + bytes(7))
            assert board.pixels() == bytes(192)


def test_opening_the_port_of_an_uno_resets_it(
    program: Path, built: Callable[..., Path], tmp_path: Path
) -> None:
    with BoardProcess(program, built(), tmp_path / "tty", dtr=True) as board:
        for _ in range(2):
            resets = board.stats()["resets"]
            with host(board.port) as talking:
                words = talking.until(lambda frame: isinstance(frame, Log))
                assert (words, board.stats()["resets"]) == (Log("started by the reset pin"), resets + 1)
            board.stats()  # by the answer to the second, it has seen that the port is closed
            board.stats()
