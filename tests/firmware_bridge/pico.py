"""The Pico's firmware on CPython: its core on a board of memory, a millisecond a step, behind the face of a `Twin`."""

from __future__ import annotations

from boardctl.core.model import Side
from firmware_bridge.firmware.pico.bridge import PRESENCE, Board, Hardware
from firmware_bridge.protocol import Decoder, Frame, Received, encoded

BOOT_S = 1.0
"""Seconds from a reset until CircuitPython runs code.py."""


class Memory(Hardware):
    """Switches and pixels that are kept in memory; every look at the clock takes a millisecond."""

    def __init__(self, rows: int = 8, columns: int = 8, pixels: int = 64) -> None:
        self.closed: set[int] = set()
        self.strip = bytes(3 * pixels)
        """Green, red, blue, as they went out last."""
        self.shown = 0
        self.show_ms = 2
        """What it takes to write the pixels."""
        self.lit = False
        self.incoming = b""
        self.outgoing = b""
        self.room = 1_000_000
        """Bytes that the host still takes."""
        self.now = 0
        self._rows, self._columns = rows, columns
        self._asked = 0
        self._moves: list[tuple[int, int, bool]] = []

    def move(self, cell: int, closed: bool, *, at: int) -> None:
        """Have a switch closed or opened so many milliseconds after the beginning."""
        self._moves.append((at, cell, closed))
        self._moves.sort(key=lambda move: move[0])

    def rows(self) -> list[int]:
        while self._moves and self._moves[0][0] <= self.now:
            _, cell, closed = self._moves.pop(0)
            (self.closed.add if closed else self.closed.discard)(cell)
        lines = [range(row * self._columns, (row + 1) * self._columns) for row in range(self._rows)]
        return [sum(1 << at for at, cell in enumerate(line) if cell in self.closed) for line in lines]

    def show(self, strip: bytearray) -> None:
        self.strip = bytes(strip)
        self.shown += 1
        self.now += self.show_ms

    def lamp(self, on: bool) -> None:
        self.lit = on

    def received(self) -> bytes:
        came, self.incoming = self.incoming[:64], self.incoming[64:]
        return came

    def send(self, data: bytes) -> int:
        taken = data[: self.room]
        self.room -= len(taken)
        self.outgoing += taken
        return len(taken)

    def passed(self) -> int:
        self.now += 1
        passed, self._asked = self.now - self._asked, self.now
        return passed


class Pico:
    """The core with its memory, and somebody who looks at it."""

    def __init__(self, rows: int = 8, columns: int = 8, pixels: int = 64, kind: int = PRESENCE) -> None:
        self.memory = Memory(rows, columns, pixels)
        self.core = Board(self.memory, rows, columns, pixels, kind)
        self.decoder = Decoder("board")

    def run(self, ms: int) -> bytes:
        """What it says meanwhile; it may take a moment longer."""
        until = self.memory.now + ms
        while self.memory.now < until:
            self.core.step()
        said, self.memory.outgoing = self.memory.outgoing, b""
        return said

    def started(self, cause: str = "a reset") -> Pico:
        """It has begun, and said all that it says then."""
        self.core.start(cause)
        self.frames(0)
        return self

    def told(self, ms: int) -> list[object]:
        """What it says meanwhile, taken apart."""
        return list(self.decoder.feed(self.run(ms)))

    def frames(self, ms: int) -> list[Frame]:
        """Likewise, without what is none."""
        return [each.frame for each in self.told(ms) if isinstance(each, Received)]

    def asked(self, frame: Frame, seq: int = 0, ms: int = 20) -> list[Frame]:
        """What it says to a frame."""
        self.memory.incoming += encoded(frame, seq)
        return self.frames(ms)

    @property
    def pixels(self) -> bytes:
        """Red, green, blue, as they shine."""
        strip = self.memory.strip
        return b"".join(bytes((strip[at + 1], strip[at], strip[at + 2])) for at in range(0, len(strip), 3))


class PicoTwin:
    """A Pico at the end of a cable, where tests of the host plug in a `Twin`."""

    def __init__(self, rows: int = 8, columns: int = 8, pixels: int = 64, kind: int = PRESENCE) -> None:
        self._size = rows, columns, pixels, kind
        self.resets_when_opened = False
        self.sides: dict[int, Side | None] = {}
        self._since: dict[int, float] = {}
        self._now = 0.0
        self.reset(0.0, 0.0)

    def lay(self, number: int, side: Side | None) -> None:
        """Have a piece lie over a switch, or none."""
        self.sides[number] = side
        memory = self._pico.memory
        (memory.closed.add if side else memory.closed.discard)(number)

    def reset(self, now: float, boot: float = BOOT_S) -> None:
        """It forgets everything, but not what lies on it."""
        self._pico = Pico(*self._size)
        self._pico.memory.closed = {number for number, side in self.sides.items() if side}
        self._starts_at: float | None = now + boot

    def run(self, data: bytes, now: float) -> bytes:
        """These bytes come in at `now`; what has gone out since the last time."""
        self._now = now
        memory = self._pico.memory
        if self._starts_at is not None:
            if now < self._starts_at:
                return b""
            self._starts_at = None
            memory.now = memory._asked = round(now * 1000)
            self._pico.core.start("power on")
        memory.incoming += data
        self._pico.core.step()
        while memory.incoming:
            self._pico.core.step()
        return self._pico.run(round(now * 1000) - memory.now)

    @property
    def pixels(self) -> bytes:
        """Red, green, blue, as they shine."""
        return self._pico.pixels
