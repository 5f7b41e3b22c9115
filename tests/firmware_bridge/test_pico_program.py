"""boot.py and code.py of the Pico, unchanged, on stand-ins for CircuitPython's modules and behind a real pyserial."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.protocol import Can, Done, Hello, HostHello, Kind, Leds, Log, Ping, Scan
from tests.firmware_bridge.circuitpython import Wooden
from tests.firmware_bridge.talking import Host, host

ROOT = Path(__file__).parents[2]
HELLO = Hello(1, 1, 0, 8, 8, 64, Kind.PRESENCE, Can.LEDS | Can.PALETTE | Can.SETTINGS)
PICTURE = bytes(range(192))


@pytest.fixture
def wooden(tmp_path: Path) -> Wooden:
    return Wooden(tmp_path / "board")


@pytest.fixture
def talking(tmp_path: Path) -> Iterator[Host]:
    """A host at a Pico that has just begun."""
    port, board = tmp_path / "port", tmp_path / "board"
    program = (sys.executable, "-m", "tests.firmware_bridge.circuitpython", str(port), str(board))
    pico = subprocess.Popen(program, cwd=ROOT, stdin=subprocess.PIPE)
    until = time.monotonic() + 10
    while not port.is_symlink() and time.monotonic() < until:
        assert pico.poll() is None
    try:
        with host(port) as talking:
            assert pico.stdin is not None
            pico.stdin.write(b"\n")
            pico.stdin.close()
            assert told(talking, "started by power on")
            yield talking
        assert pico.poll() is None
    finally:
        pico.kill()
        pico.wait()


def told(host: Host, words: str) -> Log:
    return host.until(lambda frame: frame == Log(words))  # type: ignore[return-value]  # it is that


def test_it_begins_dark_with_who_it_is_and_what_stands_on_it(talking: Host, wooden: Wooden) -> None:
    assert (wooden.pixels, wooden.lamp) == (bytes(192), False)
    assert talking.ask(HostHello(), 0) == HELLO
    wooden.close(7, 56)
    assert talking.until(lambda frame: frame == Scan(b"\x80" + bytes(6) + b"\1"))


def test_a_picture_shines_and_goes_out_when_the_host_is_silent(talking: Host, wooden: Wooden) -> None:
    assert talking.ask(HostHello(), 0) == HELLO
    assert talking.ask(Leds(PICTURE), 1) == Done(1)
    assert (wooden.pixels, wooden.lamp) == (PICTURE, True)
    talking.until(lambda _: wooden.pixels == bytes(192))
    assert (wooden.pixels, wooden.lamp) == (bytes(192), False)


def test_a_broken_wire_is_told_and_the_board_begins_anew(talking: Host, wooden: Wooden) -> None:
    talking.ask(HostHello(), 0)
    wooden.broken = True
    talking.send(Leds(PICTURE), 1)
    assert told(talking, "begins anew after RuntimeError('the wire is broken')")
    assert told(talking, "started by new files or a fault")
    assert talking.ask(Ping(), 2) == Done(2)
    assert talking.ask(Leds(PICTURE), 3) == Done(3)
    assert wooden.pixels == PICTURE


def test_every_switch_is_read_by_itself(talking: Host, wooden: Wooden) -> None:
    for cell in range(64):
        wooden.close(cell)
        assert talking.until(lambda frame, cell=cell: frame == Scan((1 << cell).to_bytes(8, "little")))
        wooden.close(cell, closed=False)
