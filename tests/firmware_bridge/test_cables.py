"""This computer's ports: which are tried in which order, and pyserial on pseudo terminals with a twin behind them."""

from __future__ import annotations

import contextlib
import os
import select
import termios
import threading
import time
import tty
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from boardctl.core.events import Event, Lost, Restored, Sampled
from firmware_bridge.cables import MAKERS, SerialPorts
from firmware_bridge.link import Cabled, CabledStrip, Link
from firmware_bridge.protocol import DELIMITER
from tests.firmware_bridge.at import CELLS, EXPECTED, readings
from tests.firmware_bridge.twin import Twin

LIMIT_S = 20.0
"""Seconds after which a test gives up; none needs a tenth of them."""


@dataclass(frozen=True)
class Listed:
    """What pyserial tells of a port."""

    device: str
    vid: int | None = None


def plugged(dev: Path, name: str, lasting: str | None = None) -> str:
    device = dev / name
    device.touch()
    if lasting is not None:
        (dev / "serial/by-id").mkdir(parents=True, exist_ok=True)
        (dev / "serial/by-id" / lasting).symlink_to(device)
    return str(device)


# Where to look


def test_boards_are_tried_first_and_ports_that_are_not_on_usb_never(tmp_path: Path) -> None:
    listed = [
        Listed(plugged(tmp_path, "ttyS0")),
        Listed(plugged(tmp_path, "ttyACM2", "usb-Printer_3D-if00"), 0x1D50),
        Listed(plugged(tmp_path, "ttyUSB1"), 0x1A86),
        Listed(plugged(tmp_path, "ttyACM0", "usb-Arduino_Uno-if00"), 0x2341),
    ]
    assert SerialPorts(listed=lambda: listed, dev=tmp_path).ports() == [
        str(tmp_path / "serial/by-id/usb-Arduino_Uno-if00"),
        str(tmp_path / "ttyUSB1"),
        str(tmp_path / "serial/by-id/usb-Printer_3D-if00"),
    ]


def test_the_name_that_udev_gives_a_board_comes_before_all_and_once(tmp_path: Path) -> None:
    device = plugged(tmp_path, "ttyACM0", "usb-Pico-if00")
    (tmp_path / "boardctl").symlink_to(device)
    other = plugged(tmp_path, "ttyACM1", "usb-Pico-if02")
    listed = [Listed(device, 0x2E8A), Listed(other, 0x2E8A)]
    assert SerialPorts(listed=lambda: listed, dev=tmp_path).ports() == [
        str(tmp_path / "boardctl"),
        str(tmp_path / "serial/by-id/usb-Pico-if02"),
    ]


def test_a_configured_port_is_the_only_one(tmp_path: Path) -> None:
    here = str(tmp_path / "ttyACM7")
    ports = SerialPorts(here, listed=lambda: [Listed("/dev/ttyACM0", 0x2341)], dev=tmp_path)
    assert (ports.ports(), ports.sought) == ([], f"a board at {here}")
    plugged(tmp_path, "ttyACM7")
    assert ports.ports() == [here]
    assert SerialPorts("COM3").ports() == ["COM3"]


def test_the_ports_of_this_computer_can_be_listed() -> None:
    assert isinstance(SerialPorts().ports(), list)
    assert 0x2341 in MAKERS


# pyserial on a pseudo terminal


class Terminal:
    """A pseudo terminal, behind which a thread runs a twin in real time; a name in a folder leads to it."""

    def __init__(self, name: Path, twin: Twin) -> None:
        self.twin, self.name = twin, name
        self.spoke = threading.Event()
        """Set when the twin has said something."""
        self._hands = threading.Lock()
        self._plug()

    def _plug(self) -> None:
        self._master, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(self._master, False)
        self.name.symlink_to(os.ttyname(slave))
        os.close(slave)
        self._stop = os.pipe()
        self._thread = threading.Thread(target=self._run, args=(self._master, self._stop[0]), daemon=True)
        self._thread.start()

    def _run(self, master: int, stop: int) -> None:
        while True:
            ready, _, _ = select.select([master, stop], [], [], 0.005)
            if stop in ready:
                return
            with contextlib.suppress(OSError):  # nobody has opened the other end
                self._talk(master, os.read(master, 4096) if master in ready else b"")

    def _talk(self, master: int, data: bytes) -> None:
        with self._hands:
            answer = self.twin.run(data, time.monotonic())
        os.write(master, answer)
        if answer:
            self.spoke.set()

    def lay(self, cell: str, side: str | None = "heads") -> None:
        with self._hands:
            self.twin.lay(CELLS[cell], side)  # type: ignore[arg-type]

    def inject(self, noise: bytes) -> None:
        os.write(self._master, noise)
        self.spoke.set()

    def pull(self) -> None:
        """The device goes away, as with a cable that is pulled."""
        os.write(self._stop[1], b"x")
        self._thread.join(LIMIT_S)
        for end in (self._master, *self._stop):
            os.close(end)
        self.name.unlink()

    def plug(self, name: Path) -> None:
        self.name = name
        self._plug()


class Host:
    """A link over the real pyserial, looked at until something is so."""

    def __init__(self, terminal: Terminal) -> None:
        folder, self._spoke = terminal.name.parent, terminal.spoke
        ports = SerialPorts(listed=lambda: [Listed(str(each), 0x2341) for each in sorted(folder.iterdir())])
        self.link = Link(ports, EXPECTED)
        self.sensors = Cabled(self.link, "presence", CELLS)
        self.strip = CabledStrip(self.link)
        self.told: list[Event] = []

    def until(self, so: Callable[[], bool]) -> None:
        end = time.monotonic() + LIMIT_S
        while not so():
            assert time.monotonic() < end, (self.link.fault, self.told[-3:])
            self.told += self.sensors.poll(time.monotonic())
            self._spoke.wait(0.02)
            self._spoke.clear()

    def until_told(self, *wanted: Event) -> None:
        self.told = []
        self.until(lambda: all(event in self.told for event in wanted))


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    made = Terminal(tmp_path / "ttyACM0", Twin())
    yield made
    with contextlib.suppress(OSError):
        made.pull()


@pytest.fixture
def host(terminal: Terminal) -> Iterator[Host]:
    made = Host(terminal)
    with made.sensors:
        yield made


def test_pyserial_carries_scans_and_pictures(host: Host, terminal: Terminal) -> None:
    terminal.lay("d4")
    host.until_told(Sampled("d4", "piece"))
    host.strip.write([(9, 8, 7)] * 64)
    host.until(lambda: terminal.twin.pixels == bytes([9, 8, 7] * 64))
    terminal.inject(b"AT+GCAP\r\nlogin: " + bytes(range(256)) * 20 + DELIMITER)
    terminal.lay("e4")
    host.until_told(Sampled("e4", "piece"))


def test_pulled_and_plugged_in_elsewhere_it_is_lost_and_back(host: Host, terminal: Terminal) -> None:
    host.until_told(*readings())
    terminal.pull()
    host.until_told(Lost())
    terminal.lay("a1")
    terminal.plug(terminal.name.with_name("ttyUSB5"))
    host.until_told(Restored(), *readings("a1"))
    assert host.link.port == str(terminal.name)


def test_pulled_with_bytes_on_the_way_nothing_waits(host: Host, terminal: Terminal) -> None:
    host.until_told(*readings())
    terminal.pull()
    begun = time.monotonic()
    with contextlib.suppress(OSError):
        host.strip.write([(1, 2, 3)] * 64)
    host.sensors.poll(time.monotonic())
    host.sensors.close()
    assert time.monotonic() - begun < 1


def test_a_port_is_ours_alone_and_a_second_program_says_so(host: Host, terminal: Terminal) -> None:
    host.until_told(*readings())
    other = Host(terminal)
    other.until(lambda: "lock" in (other.link.fault or "") or "[Errno 11]" in (other.link.fault or ""))
    other.sensors.close()


def test_a_port_that_says_and_takes_nothing_holds_the_program_up_no_longer_than_a_moment() -> None:
    master, slave = os.openpty()
    tty.setraw(slave)
    cable = SerialPorts().open(os.ttyname(slave))
    begun = time.monotonic()
    assert cable.read() == b""
    assert time.monotonic() - begun < 0.3
    with pytest.raises(OSError, match="timeout"):
        for _ in range(1000):
            cable.write(bytes(1000))
    cable.discard()
    cable.close()
    assert time.monotonic() - begun < 5
    os.close(master)
    os.close(slave)


def test_dtr_stays_up_when_the_port_is_closed() -> None:
    master, slave = os.openpty()
    before = termios.tcgetattr(slave)
    before[2] |= termios.HUPCL
    termios.tcsetattr(slave, termios.TCSANOW, before)
    cable = SerialPorts().open(os.ttyname(slave))
    assert not termios.tcgetattr(slave)[2] & termios.HUPCL
    cable.close()
    os.close(master)
    os.close(slave)
