"""CircuitPython's modules as far as the Pico's firmware needs them, over a pseudo-terminal and a board in a file.

As a program it is the Pico: `python -m tests.firmware_bridge.circuitpython PORT BOARD` makes PORT, a symbolic link to
a terminal, runs boot.py and, told a line, code.py, again after every reload, until it is ended. BOARD is a file that
the test looks into, too: see `Wooden`.
"""

from __future__ import annotations

import fcntl
import mmap
import os
import runpy
import struct
import sys
import termios
import time
import tty
from pathlib import Path
from types import SimpleNamespace
from typing import NoReturn

from firmware_bridge import flash

TICKS = 0x1FFFFFFF
"""supervisor.ticks_ms counts to here and begins anew."""
WRAPS_MS = 300
"""It does so this soon, for a test has no six days."""
ROWS, COLUMNS, DATA = range(8), range(8, 16), 16


class Wooden:
    """What hangs on the pins: 64 switches with diodes, 64 pixels, a lamp; and a wire that may be broken."""

    SIZE = 64 + 192 + 2

    def __init__(self, file: Path) -> None:
        if not file.exists():
            file.write_bytes(bytes(self.SIZE))
        with file.open("r+b") as opened:
            self._bytes = mmap.mmap(opened.fileno(), self.SIZE)

    def close(self, *cells: int, closed: bool = True) -> None:
        """Close switches, or open them."""
        for cell in cells:
            self._bytes[cell] = closed

    def is_closed(self, cell: int) -> bool:
        return bool(self._bytes[cell])

    @property
    def pixels(self) -> bytes:
        """Red, green, blue, as they shine."""
        strip = self._bytes[64:256]
        return b"".join(bytes((strip[at + 1], strip[at], strip[at + 2])) for at in range(0, 192, 3))

    @pixels.setter
    def pixels(self, strip: bytes) -> None:
        self._bytes[64:256] = strip

    @property
    def lamp(self) -> bool:
        return bool(self._bytes[256])

    @lamp.setter
    def lamp(self, on: bool) -> None:
        self._bytes[256] = on

    @property
    def broken(self) -> bool:
        """Whether the next picture finds its wire broken."""
        return bool(self._bytes[257])

    @broken.setter
    def broken(self, broken: bool) -> None:
        self._bytes[257] = broken


class Reload(BaseException):
    """The program is to begin anew."""


class Pins:
    """digitalio, neopixel_write and board: what the wires of a wooden board say to each other."""

    def __init__(self, wooden: Wooden) -> None:
        self.wooden = wooden
        self.used: dict[int | str, DigitalInOut] = {}
        """The pins in use."""
        self.board = SimpleNamespace(LED="LED", **{f"GP{number}": number for number in range(23)})

    def claim(self, pin: int | str) -> DigitalInOut:
        """digitalio.DigitalInOut."""
        assert pin not in self.used, f"{pin} is in use"
        self.used[pin] = DigitalInOut(self, pin)
        return self.used[pin]

    def reads(self, column: int) -> bool:
        """High, unless a closed switch joins the column to a row that is low."""
        return not any(
            self.wooden.is_closed(row * 8 + column - COLUMNS.start)
            for row in ROWS
            if self.used[row].output is False
        )

    def write(self, pin: DigitalInOut, strip: bytes) -> None:
        """neopixel_write.neopixel_write."""
        assert (pin.pin, pin.output) == (DATA, False)
        if self.wooden.broken:
            self.wooden.broken = False
            raise RuntimeError("the wire is broken")
        self.wooden.pixels = bytes(strip)


class DigitalInOut:
    """One pin."""

    def __init__(self, pins: Pins, pin: int | str) -> None:
        self._pins, self.pin = pins, pin
        self.output: bool | None = None
        """None as an input."""
        self._pull: str | None = None
        self._drive = "PUSH_PULL"

    def switch_to_output(self, value: bool = False, drive_mode: str = "PUSH_PULL") -> None:
        self._drive = drive_mode
        self.value = value

    def switch_to_input(self, pull: str | None = None) -> None:
        self.output, self._pull = None, pull

    @property
    def value(self) -> bool:
        assert (self.pin in COLUMNS, self._pull) == (True, "UP"), f"{self.pin} hangs in the air"
        assert isinstance(self.pin, int)
        return self._pins.reads(self.pin)

    @value.setter
    def value(self, value: bool) -> None:
        assert self.pin not in ROWS or self._drive == "OPEN_DRAIN", "two rows would fight"
        self.output = value
        if self.pin == "LED":
            self._pins.wooden.lamp = value


class Serial:
    """usb_cdc.Serial at the near end of a terminal, whose far end is the port."""

    def __init__(self, port: str) -> None:
        self._fd, self._far = os.openpty()
        os.set_blocking(self._fd, False)
        tty.setraw(self._far)
        Path(port).symlink_to(os.ttyname(self._far))
        self.timeout: float | None = None
        self.write_timeout: float | None = None

    @property
    def in_waiting(self) -> int:
        (count,) = struct.unpack("i", fcntl.ioctl(self._fd, termios.FIONREAD, bytes(4)))
        return int(count)

    def read(self, size: int) -> bytes:
        assert self.timeout == 0, "the read waits"
        return os.read(self._fd, size)

    def write(self, data: bytes) -> int:
        assert self.write_timeout is not None, "the write may wait for ever"
        try:
            return os.write(self._fd, data)
        except BlockingIOError:
            return 0


class UsbCdc:
    """usb_cdc: as it is after a reset, until boot.py changes it."""

    def __init__(self, port: str) -> None:
        self._port = port
        self.data: Serial | None = None

    def enable(self, *, console: bool = True, data: bool = False) -> None:
        """There is one port."""
        assert not console, "a byte 0x03 of a frame would end the program"
        self.data = Serial(self._port) if data else None


class Dog:
    """microcontroller.watchdog; it barks where it is not fed in time."""

    timeout = 0.0
    mode: str | None = None

    def feed(self) -> None:
        now = time.monotonic()
        assert self.mode == "RESET"
        assert now - getattr(self, "fed", now) < self.timeout
        self.fed = now


def reload() -> NoReturn:
    """supervisor.reload."""
    raise Reload


class Modules:
    """All of them, as a program finds them at its start."""

    def __init__(self, port: str, wooden: Wooden) -> None:
        self._wooden = wooden
        self.usb = UsbCdc(port)
        self._begun = time.monotonic_ns() // 1_000_000

    def ticks_ms(self) -> int:
        """supervisor.ticks_ms."""
        return (time.monotonic_ns() // 1_000_000 - self._begun + TICKS - WRAPS_MS) & TICKS

    def load(self, run_reason: str) -> None:
        """Have `import` find them, all pins free."""
        pins = Pins(self._wooden)
        reasons = SimpleNamespace(POWER_ON=1, BROWNOUT=2, RESET_PIN=3, WATCHDOG=4)
        found = {
            "board": pins.board,
            "digitalio": SimpleNamespace(
                DigitalInOut=pins.claim,
                DriveMode=SimpleNamespace(OPEN_DRAIN="OPEN_DRAIN"),
                Pull=SimpleNamespace(UP="UP"),
            ),
            "microcontroller": SimpleNamespace(
                ResetReason=reasons,
                cpu=SimpleNamespace(reset_reason=reasons.POWER_ON),
                delay_us=lambda _: None,
                watchdog=Dog(),
            ),
            "neopixel_write": SimpleNamespace(neopixel_write=pins.write),
            "supervisor": SimpleNamespace(
                RunReason=SimpleNamespace(STARTUP="STARTUP"),
                runtime=SimpleNamespace(run_reason=run_reason),
                ticks_ms=self.ticks_ms,
                reload=reload,
            ),
            "usb_cdc": self.usb,
            "watchdog": SimpleNamespace(WatchDogMode=SimpleNamespace(RESET="RESET")),
        }
        sys.modules.update(found)  # type: ignore[arg-type]  # whatever has the names will do


def main(port: str, file: str) -> None:
    sys.path.insert(0, str(flash.PICO))
    modules = Modules(port, Wooden(Path(file)))
    reason = "STARTUP"
    modules.load(reason)
    runpy.run_path(str(flash.PICO / "boot.py"))
    sys.stdin.readline()
    while True:
        modules.load(reason)
        try:
            runpy.run_path(str(flash.PICO / "code.py"))
        except Reload:
            reason = "SUPERVISOR_RELOAD"


if __name__ == "__main__":
    main(*sys.argv[1:])
