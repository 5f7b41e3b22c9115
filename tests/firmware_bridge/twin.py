"""The firmware's behaviour in Python: bytes in, bytes out, on a clock that is given. And cables that lead to it.

It knows nothing of the host but the frames. What is fast in the firmware (scanning at 1 kHz, the output to the pixels)
happens at once here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Protocol

from boardctl.core.model import Side
from firmware_bridge.protocol import (
    DELIMITER,
    VERSION,
    Can,
    Code,
    Decoder,
    Done,
    Error,
    Fault,
    FromBoard,
    Hello,
    HostHello,
    Indexed,
    Kind,
    Leds,
    Log,
    Palette,
    Received,
    Scan,
    Settings,
    encoded,
)

DARK_S = 2.0
HEARTBEAT_S = 0.5
BOOT_S = 1.6
"""Seconds that a boot loader takes after DTR has reset the board."""
ALL = Can.LEDS | Can.PALETTE | Can.SETTINGS


class Twin:
    """A microcontroller with its matrix or halls and its strip."""

    def __init__(
        self,
        rows: int = 8,
        columns: int = 8,
        pixels: int = 64,
        kind: Kind = Kind.PRESENCE,
        can: Can = ALL,
        version: int = VERSION,
    ) -> None:
        self.hello = Hello(version, 0, 1, rows, columns, pixels, kind, can)
        self.resets_when_opened = False
        self.says: str | None = None
        """A line it prints as soon as it has started."""
        self.wedged = False
        self.frames = 0
        """Pictures shown."""
        self.sides: dict[int, Side | None] = {}
        """What lies over the sensors."""
        self._since: dict[int, float] = {}
        self._now = 0.0
        self._start(0.0)

    # Hands

    def lay(self, number: int, side: Side | None) -> None:
        """Have a piece lie over a sensor, or none, since the last time that it ran."""
        self.sides[number] = side
        self._since[number] = self._now

    # Power

    def reset(self, now: float, boot: float = BOOT_S) -> None:
        """It forgets everything and begins again after its boot loader."""
        self._start(now + boot)

    def _start(self, at: float) -> None:
        count = self.hello.rows * self.hello.columns
        self.counted: list[Side | None] = [None] * count
        """What it takes to lie over the sensors, after the hold."""
        self.pixels = bytes(3 * self.hello.pixels)
        self.settings = Settings(4, 1000, 255)
        self._palette = b""
        self._decoder = Decoder("host")
        self._seq = 0
        self._out = b""
        self._starts_at: float | None = at
        self._heard_at = at
        self._told_at = at
        self._told: bytes | None = None

    # The cable

    def run(self, data: bytes, now: float) -> bytes:
        """These bytes come in at `now`; what has gone out since the last time."""
        self._now = now
        if self.wedged or not self._awake(now):
            return b""
        for told in self._decoder.feed(data):
            self._heard(told, now)
        self._scan(now)
        if now - self._heard_at >= DARK_S:
            self.pixels = bytes(len(self.pixels))
        out, self._out = self._out, b""
        return out

    def _awake(self, now: float) -> bool:
        if self._starts_at is not None and now >= self._starts_at:
            self._starts_at = None
            self._out += DELIMITER
            self._say(self.hello)
            if self.says is not None:
                self._out += self.says.encode() + DELIMITER
                self._say(Log(self.says))
        return self._starts_at is None

    def _say(self, frame: FromBoard) -> None:
        self._out += encoded(frame, self._seq)
        self._seq = (self._seq + 1) % 256

    def _heard(self, told: Received | Fault, now: float) -> None:
        if isinstance(told, Fault):
            if told.code is Code.VERSION:
                self._say(self.hello)
            if told.type < 0x80:
                self._say(Error(told.code, told.seq))
            return
        self._heard_at = now
        match told.frame:
            case HostHello():
                self._say(self.hello)
                self._told = None
                return
            case Leds(colours) if len(colours) == len(self.pixels):
                self._show(colours)
            case Indexed(numbers) if 3 * len(numbers) == len(self.pixels):
                self._show(b"".join(self._colour(number) for number in numbers))
            case Leds() | Indexed():
                self._say(Error(Code.LENGTH, told.seq))
                return
            case Palette(colours):
                self._palette = colours
            case Settings() as settings:
                self.settings = settings
        self._say(Done(told.seq))

    def _colour(self, number: int) -> bytes:
        return self._palette[3 * number : 3 * number + 3].ljust(3, b"\0")

    def _show(self, colours: bytes) -> None:
        self.pixels = bytes(min(part, self.settings.brightest) for part in colours)
        self.frames += 1

    def _scan(self, now: float) -> None:
        for number, since in list(self._since.items()):
            if now - since >= self.settings.hold_ms / 1000:
                self.counted[number] = self.sides[number]
                del self._since[number]
        bitmap = self._bitmap()
        if bitmap != self._told or now - self._told_at >= HEARTBEAT_S:
            self._say(Scan(bitmap))
            self._told, self._told_at = bitmap, now

    def _bitmap(self) -> bytes:
        if self.hello.kind is not Kind.POLARITY:
            return self._bits(lambda side: side is not None)
        return self._bits(lambda side: side == "heads") + self._bits(lambda side: side == "tails")

    def _bits(self, lies: Callable[[Side | None], bool]) -> bytes:
        bits = sum(1 << number for number, side in enumerate(self.counted) if lies(side))
        return bits.to_bytes(-(-len(self.counted) // 8), "little")


# What lies between


class Transport(Protocol):
    """How bytes travel one way."""

    def carry(self, data: bytes, now: float) -> Iterator[bytes]:
        """What arrives at `now`, these having been sent."""
        ...


class Direct:
    """All at once."""

    def carry(self, data: bytes, _: float) -> Iterator[bytes]:
        yield data


class ByteByByte:
    """One after the other."""

    def carry(self, data: bytes, _: float) -> Iterator[bytes]:
        yield b""
        yield from (data[at : at + 1] for at in range(len(data)))


class LosingFrames:
    """A fifth of the frames, each in one write, never arrives."""

    def __init__(self, seed: int) -> None:
        self._luck = Random(seed)

    def carry(self, data: bytes, _: float) -> Iterator[bytes]:
        yield b"".join(frame + b"\0" for frame in data.split(b"\0")[:-1] if self._luck.random() >= 0.2)


class LosingBytes:
    """A fifth of all bytes is lost while the cable is bad: for `bad` of every `period` seconds."""

    def __init__(self, seed: int, bad: float = 1.0, period: float = 1.0) -> None:
        self._luck, self._bad, self._period = Random(seed), bad, period

    def carry(self, data: bytes, now: float) -> Iterator[bytes]:
        if now % self._period >= self._bad:
            yield data
        else:
            yield bytes(byte for byte in data if self._luck.random() >= 0.2)


class LosingFirst:
    """The first frame of such a length never arrives."""

    def __init__(self, longer_than: int = 150) -> None:
        self._lost, self._longer_than = False, longer_than

    def carry(self, data: bytes, _: float) -> Iterator[bytes]:
        losing = not self._lost and len(data) > self._longer_than
        self._lost = self._lost or losing
        yield b"" if losing else data


class Delayed:
    """Some milliseconds later, as in a queue."""

    def __init__(self, seconds: float = 0.03) -> None:
        self._seconds = seconds
        self._queue: deque[tuple[float, bytes]] = deque()

    def carry(self, data: bytes, now: float) -> Iterator[bytes]:
        self._queue.append((now + self._seconds, data))
        yield b""
        while self._queue and self._queue[0][0] <= now:
            yield self._queue.popleft()[1]


class TwinCable:
    """An open port with a twin at its other end: a `Cable`."""

    def __init__(self, bench: Bench, port: str, there: Transport, back: Transport) -> None:
        self._bench, self._port, self._there, self._back = bench, port, there, back
        self._arrived = b""
        self.open = True

    def _twin(self) -> Twin:
        twin = self._bench.plugged.get(self._port)
        if twin is None or self._bench.cable is not self or not self.open:
            raise OSError(5, "Input/output error")
        return twin

    def _run(self, data: bytes) -> None:
        twin, now = self._twin(), self._bench.clock()
        for piece in self._there.carry(data, now):
            for answer in self._back.carry(twin.run(piece, now), now):
                self._arrived += answer

    def read(self) -> bytes:
        self._run(b"")
        arrived, self._arrived = self._arrived + self._bench.noise, b""
        self._bench.noise = b""
        return arrived

    def write(self, data: bytes) -> None:
        self._bench.wrote += data
        self._run(data)

    def discard(self) -> None:
        self._twin()

    def close(self) -> None:
        self.open = False


class Bench:
    """A computer with ports into which a test plugs twins: `Cables`."""

    def __init__(
        self,
        clock: Callable[[], float],
        plugged: dict[str, Twin],
        transports: Callable[[], tuple[Transport, Transport]] = lambda: (Direct(), Direct()),
    ) -> None:
        self.clock, self.plugged, self._transports = clock, plugged, transports
        self.sought = "a board on a USB port"
        self.byte_s = 0.0
        self.noise = b""
        """What somebody else puts on the line next."""
        self.wrote = b""
        """What the host has written, all of it."""
        self.refusing: Exception | None = None
        """What opening a port raises."""
        self.opened: list[str] = []
        """The ports that were opened, in order."""
        self.cable: TwinCable | None = None

    def ports(self) -> Sequence[str]:
        return list(self.plugged)

    def open(self, port: str) -> TwinCable:
        if self.refusing is not None:
            raise self.refusing
        twin = self.plugged[port]
        self.opened.append(port)
        if twin.resets_when_opened:
            twin.reset(self.clock())
        self.cable = TwinCable(self, port, *self._transports())
        return self.cable

    def pull(self) -> Twin:
        """Pull the cable of the only board; it loses its power."""
        ((port, twin),) = self.plugged.items()
        del self.plugged[port]
        return twin

    def plug(self, twin: Twin, port: str) -> None:
        """Plug a board in: it starts, and what lies on it lies there still."""
        twin.reset(self.clock(), boot=0.0)
        for number in twin.sides:
            twin._since[number] = self.clock()
        self.plugged[port] = twin
