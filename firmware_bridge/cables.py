"""Serial ports: where a board may be plugged in, and one of them opened so that nothing on it ever waits for long.

pyserial is met here and nowhere else, and only when a port is wanted.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

WRITE_S = 0.05
"""Seconds that a write may take. The kernel takes a frame at once, unless the other end has stopped reading."""
MOST_READ = 4096
"""Bytes taken at a time, so that a port that pours out text does not hold up the program."""
OWN_NAME = "boardctl"
"""The name in /dev that our udev rules give a board."""
MAKERS = frozenset({0x2341, 0x2A03, 0x1B4F, 0x2E8A, 0x239A, 0x1A86, 0x0403, 0x10C4})
"""USB vendors whose ports are tried first: Arduino (two), SparkFun, Raspberry Pi, Adafruit, and the makers of the
converters CH340, FT232 and CP210x on small boards (usb-ids.gowdy.us)."""


class Cable(Protocol):
    """An open port."""

    def read(self) -> bytes:
        """What has come; nothing, nearly always. Never waits. Raises where the port is gone."""
        ...

    def write(self, data: bytes) -> None:
        """Send all of it. Raises where the port is gone or takes nothing."""
        ...

    def discard(self) -> None:
        """Forget what was written and has not gone out: a port that takes nothing would be closed only then."""
        ...

    def close(self) -> None:
        """Let go of it; closing twice does no harm."""
        ...


class Cables(Protocol):
    """The ports of a computer."""

    @property
    def sought(self) -> str:
        """Which board is looked for, to end a sentence: `a board at /dev/ttyUSB0`."""
        ...

    @property
    def byte_s(self) -> float:
        """Seconds that a byte takes on a cable."""
        ...

    def ports(self) -> Sequence[str]:
        """Where a board may be now, the likeliest first."""
        ...

    def open(self, port: str) -> Cable:
        """One of them, for us alone. Raises what the driver raises."""
        ...


class SerialPorts:
    """The ports of this computer."""

    def __init__(
        self,
        port: str | None = None,
        baud: int = 115_200,
        *,
        listed: Callable[[], Iterable[Any]] | None = None,
        dev: Path = Path("/dev"),
    ) -> None:
        """`port`: the only one that is used; by default a board is looked for on USB.

        `listed`: tells the ports as `serial.tools.list_ports.comports` does, which is the default; `dev`: the folder
        of devices.
        """
        self._port, self._baud, self._dev = port, baud, dev
        self._listed = listed or _listed

    @property
    def sought(self) -> str:
        """`a board at /dev/ttyUSB0`, or on any USB port."""
        return f"a board at {self._port}" if self._port else "a board on a USB port"

    @property
    def byte_s(self) -> float:
        """Eight bits, one before and one behind them."""
        return 10 / self._baud

    def ports(self) -> list[str]:
        """By names that stay, where there are: our own, then the makers of small boards, then all that is on USB."""
        if self._port is not None:
            there = "/" not in self._port or Path(self._port).exists()
            return [self._port] if there else []
        own = [str(self._dev / OWN_NAME)] if (self._dev / OWN_NAME).exists() else []
        on_usb = [port for port in self._listed() if port.vid is not None]
        on_usb.sort(key=lambda port: (port.vid not in MAKERS, port.device))
        lasting = dict(self._lasting())
        found = [
            lasting.get(port.device, port.device) for port in on_usb if port.device not in self._real(own)
        ]
        return [*own, *found]

    def _lasting(self) -> Iterator[tuple[str, str]]:
        """The device behind every name that says what is plugged in, and that name."""
        folder = self._dev / "serial" / "by-id"
        if folder.is_dir():
            yield from ((str(link.resolve()), str(link)) for link in sorted(folder.iterdir()))

    @staticmethod
    def _real(names: Iterable[str]) -> list[str]:
        return [str(Path(name).resolve()) for name in names]

    def open(self, port: str) -> SerialCable:
        """As the port says; nobody else who asks for it alone gets it meanwhile."""
        import serial

        opened = serial.Serial(port, self._baud, timeout=0, write_timeout=WRITE_S, exclusive=True)
        _keep_up(opened)
        return SerialCable(opened)


def _listed() -> Iterable[Any]:
    from serial.tools.list_ports import comports

    found: Iterable[Any] = comports()
    return found


def _keep_up(port: Any) -> None:
    """Have DTR stay up when the port is closed, so that an Arduino is not reset again by the next one who opens it.

    HUPCL is what takes it down (termios(3)); Windows has none.
    """
    with contextlib.suppress(ImportError, OSError, AttributeError, TypeError):
        import termios

        with contextlib.suppress(termios.error):
            flags = termios.tcgetattr(port.fd)
            flags[2] &= ~termios.HUPCL
            termios.tcsetattr(port.fd, termios.TCSANOW, flags)


class SerialCable:
    """An open port of pyserial's. `flush` is never called: it waits for the other end, without limit."""

    def __init__(self, port: Any) -> None:
        self._port = port

    def read(self) -> bytes:
        """As the port says."""
        data: bytes = self._port.read(MOST_READ)
        return data

    def write(self, data: bytes) -> None:
        """As the port says."""
        self._port.write(data)

    def discard(self) -> None:
        """As the port says."""
        self._port.reset_output_buffer()

    def close(self) -> None:
        """As the port says."""
        self._port.close()
