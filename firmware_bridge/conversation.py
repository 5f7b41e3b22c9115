"""What is said on one open cable: the board's HELLO, its scans, pictures for its pixels one at a time, pings.

A picture is sent when the board has shown the one before (DONE), or 100 ms later; of several that wait, only the
newest. Nothing else waits. Everything is said anew after every HELLO, for the board may have been reset.
"""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from firmware_bridge.cables import Cable
from firmware_bridge.protocol import (
    DELIMITER,
    MOST_COLOURS,
    MOST_PAYLOAD,
    Can,
    Code,
    Decoder,
    Done,
    Error,
    Fault,
    FromHost,
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
from hardware.lights import Pixel
from hardware.scanner import Seen

SILENCE_S = 1.5
"""Seconds without a frame from the board after which it is out of reach."""
FIRST_WORD_S = 3.0
"""Seconds that a board may take to its first HELLO: opening the port resets many, and a boot loader comes first."""
ASK_S = 0.5
"""Seconds between two of our HELLOs until it answers."""
ALIVE_S = 0.5
"""Seconds without a frame of ours after which we send one: a board that hears nothing for 2 s goes dark."""
DONE_S = 0.1
"""Seconds that we wait for DONE once a picture is out."""
SETTINGS = Settings(hold_ms=4, rate_hz=1000, brightest=255)
"""What every board is told: contacts rest after 4 ms; how bright it may be is minded on this side of the cable."""

Picture: TypeAlias = Sequence[Pixel]
"""A colour for every pixel of the strip."""


class Useless(Exception):
    """What is plugged in there is no board, or not this one: why, and what to do."""


class Expected(NamedTuple):
    """What the board file says of the board."""

    rows: int
    columns: int
    kind: Kind
    pixels: int
    """0 where they are not used."""

    def unlike(self, hello: Hello) -> str | None:
        """Where the board is another: both, and what to do. None where it is the one."""
        pixels = hello.pixels if self.pixels else 0
        if (hello.rows, hello.columns, hello.kind, pixels) != self:
            there = Expected(hello.rows, hello.columns, hello.kind, pixels)
            return f"the board file says {self.sentence}; the board says {there.sentence}; change one of them"
        if self.pixels and not Can.PALETTE & hello.can and not fits(hello):
            return f"the board has {hello.pixels} pixels and no way to light them; flash the board anew"
        return None

    @property
    def sentence(self) -> str:
        """A part of one: `8 rows, 8 columns, presence, 64 pixels`."""
        lights = f", {self.pixels} pixels" if self.pixels else ""
        return f"{self.rows} rows, {self.columns} columns, {self.kind.name.lower()}{lights}"


class Conversation:
    """With whatever is at the other end of one open cable."""

    def __init__(self, cable: Cable, expected: Expected, now: float, byte_s: float = 0.0) -> None:
        """Begins it; `byte_s`: seconds that a byte takes on this cable. Raises what the cable raises."""
        self.heard_at = self._begun_at = now
        self.hello: Hello | None = None
        """What the board is; None until it has said so."""
        self.logged: deque[str] = deque(maxlen=20)
        """Its last lines for people."""
        self.errors = 0
        """Frames of ours that the board could not understand."""
        self.unanswered = 0
        """Pictures that were not shown in time."""
        self.decoder = Decoder("board")
        self._cable, self._expected, self._byte_s = cable, expected, byte_s
        self._settled = False
        self._seq = 0
        self._settings_seq = -1
        self._picture: Picture = ()
        self._fresh = False
        self._sending: Picture = ()
        self._waiting: tuple[int, FromHost, float] | None = None
        self._palette = b""
        cable.write(DELIMITER)
        self._ask(now)

    # What the board says

    def look(self, now: float) -> list[Seen]:
        """The scans that have come, in order; sends what is due.

        Raises what the cable raises, `TimeoutError` for silence, `Useless`.
        """
        seen: list[Seen] = []
        for told in self.decoder.feed(self._cable.read()):
            seen += self._heard(told, now)
        self._mind(now)
        return seen

    def _heard(self, told: Received | Fault, now: float) -> Iterator[Seen]:
        if isinstance(told, Fault):
            if told.code is Code.VERSION:
                raise Useless(told.why)
            return
        self.heard_at = now
        match told.frame:
            case Hello() as hello:
                self._meet(hello, now)
            case Scan(bitmap):
                yield from self._seen(bitmap)
            case Done(seq):
                self._done(seq, now)
            case Log(text):
                self.logged.append(text)
            case Error():
                self.errors += 1

    def _meet(self, hello: Hello, now: float) -> None:
        if (why := self._expected.unlike(hello)) is not None:
            raise Useless(why)
        self.hello = hello
        self._settled = Can.SETTINGS not in hello.can
        self._palette, self._waiting = b"", None
        self._sending, self._fresh = (), bool(self._picture)
        self._keep_alive(now)

    def _seen(self, bitmap: bytes) -> Iterator[Seen]:
        """The bits of a scan; nothing where it does not fit the board."""
        if self.hello is None:
            return
        cells, sides = self.hello.rows * self.hello.columns, 1 + (self.hello.kind is Kind.POLARITY)
        size, every = -(-cells // 8), (1 << cells) - 1
        if len(bitmap) != sides * size:
            return
        heads = int.from_bytes(bitmap[:size], "little") & every
        tails = int.from_bytes(bitmap[size:], "little") & every
        yield Seen(heads & ~tails, tails & ~heads, heads & tails)

    # What we say

    def _mind(self, now: float) -> None:
        """Silence, theirs and ours."""
        if self.hello is None:
            if now - self._begun_at >= FIRST_WORD_S:
                raise TimeoutError(f"nothing there has said within {FIRST_WORD_S:g} s that it is a board")
            if now - self._said_at >= ASK_S:
                self._ask(now)
            return
        if now - self.heard_at >= SILENCE_S:
            raise TimeoutError(f"it has said nothing for {SILENCE_S:g} s")
        self._light(now)
        if now - self._said_at >= ALIVE_S:
            self._keep_alive(now)

    def _ask(self, now: float) -> None:
        self._say(HostHello(), now)

    def _keep_alive(self, now: float) -> None:
        if self._settled:
            self._say(Ping(), now)
        else:
            self._settings_seq = self._say(SETTINGS, now)

    def _say(self, frame: FromHost, now: float) -> int:
        seq = self._seq
        self._cable.write(encoded(frame, seq))
        self._seq, self._said_at = (seq + 1) % 256, now
        return seq

    def close(self) -> None:
        """Let go of the cable. Raises what it raises."""
        self._cable.close()

    def abandon(self) -> None:
        """Let go of a cable that is of no use: what did not go out must not hold up closing it."""
        with contextlib.suppress(Exception):  # whatever a driver raises, it was given up already
            self._cable.discard()
        with contextlib.suppress(Exception):
            self._cable.close()

    # Pictures

    def show(self, picture: Picture, now: float) -> None:
        """Have the board show this, as soon as it has shown what it is at. Raises what the cable raises."""
        self._picture, self._fresh = picture, True
        if self.hello is not None:
            self._light(now)

    def finish(self, now: float) -> None:
        """Send the newest picture unless the board has shown it; there is no later. Raises what the cable raises."""
        if self.hello is not None and (self._fresh or self._sending):
            for part in self._parts(self._picture):
                self._say(part, now)

    def _light(self, now: float) -> None:
        """Send a part of a picture, unless one is on its way."""
        if self._waiting is not None:
            if now < self._waiting[2]:
                return
            self.unanswered += 1
            self._waiting, self._sending, self._fresh = None, (), True
        if not self._sending and self._fresh:
            self._sending, self._fresh = self._picture, False
        if self._sending:
            part = self._parts(self._sending)[0]
            until = now + DONE_S + self._byte_s * len(encoded(part, 0))
            self._waiting = self._say(part, now), part, until

    def _parts(self, picture: Picture) -> list[FromHost]:
        """What has to be sent for a picture: all its colours, or first a palette and then which colour is where."""
        if self.hello is not None and fits(self.hello):
            return [Leds(bytes(part for pixel in picture for part in pixel))]
        colours, numbers = reduced(picture)
        known = colours == self._palette
        return [Indexed(numbers)] if known else [Palette(colours), Indexed(numbers)]

    def _done(self, seq: int, now: float) -> None:
        if seq == self._settings_seq:
            self._settled = True
        if self._waiting is None or self._waiting[0] != seq:
            return
        _, frame, _ = self._waiting
        self._waiting = None
        if isinstance(frame, Palette):
            self._palette = frame.colours
        else:
            self._sending = ()
        self._light(now)


def fits(hello: Hello) -> bool:
    """Whether the board takes every pixel's own colour, in one frame."""
    return Can.LEDS in hello.can and 3 * hello.pixels <= MOST_PAYLOAD


def reduced(picture: Picture) -> tuple[bytes, bytes]:
    """The colours of a picture and which of them every pixel has; as fine as 32 colours allow."""
    for bits in range(8):
        mask = 0xFF << bits & 0xFF
        coarse = [tuple(part & mask for part in pixel) for pixel in picture]
        colours = list(dict.fromkeys(coarse))
        if len(colours) <= MOST_COLOURS:
            break
    numbers = {colour: number for number, colour in enumerate(colours)}
    return bytes(part for colour in colours for part in colour), bytes(numbers[pixel] for pixel in coarse)
