"""What goes over the cable: frames of type, sequence number, payload and checksum. Pure: bytes in, values out.

On the wire a frame is COBS(type, seq, payload, CRC) and a 0x00; the CRC is CRC-16/XMODEM over type, seq and payload,
big endian. README.md beside this file describes it with an exchange, byte by byte; tests/firmware_bridge/golden.txt
holds frames that every implementation has to agree on. Framing after Cheshire and Baker, "Consistent Overhead Byte
Stuffing" (IEEE/ACM Transactions on Networking 7(2), 1999).
"""

from __future__ import annotations

import struct
from binascii import crc_hqx
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import ClassVar, Literal, Self, TypeAlias

from cobs import cobs

VERSION = 1
"""Of the protocol, as this computer speaks it."""
MOST_PAYLOAD = 250
"""Bytes of a payload. With type, seq and CRC that is 254, so COBS adds exactly one byte to every frame."""
LONGEST = MOST_PAYLOAD + 5
"""Bytes of a frame on the wire, its 0x00 not counted."""
MOST_COLOURS = 32
"""Colours of a palette."""
DELIMITER = b"\0"
"""Ends a frame. Two in a row enclose nothing, so a sender that begins may well send one first."""


class Kind(IntEnum):
    """What the sensors of a board tell."""

    PRESENCE = 0
    POLARITY = 1
    PRESSES = 2


class Can(IntFlag):
    """What a board can do beside scanning."""

    LEDS = 1
    PALETTE = 2
    SETTINGS = 4


class Code(IntEnum):
    """What was wrong with a frame."""

    FORM = 1
    """Its checksum, or its form: too long, too short, not COBS."""
    TYPE = 2
    """Its type is not known."""
    LENGTH = 3
    """Its payload is no payload of its type."""
    VERSION = 4
    """It is a HELLO of another version of the protocol."""


class TooLong(ValueError):
    """A frame that does not fit on the wire."""


class _WrongPayload(ValueError):
    """A payload that is none of its type."""


@dataclass(frozen=True, slots=True)
class HostHello:
    """Asks the board for its HELLO and a SCAN. Resets nothing."""

    TYPE: ClassVar[int] = 0x01
    version: int = VERSION

    @property
    def payload(self) -> bytes:
        """As on the wire."""
        return bytes((self.version,))

    @classmethod
    def of(cls, payload: bytes) -> Self:
        """Later versions may say more; the first byte stays."""
        _least(payload, 1)
        return cls(payload[0])


@dataclass(frozen=True, slots=True)
class Leds:
    """A colour for every pixel of the strip: red, green, blue, the first pixel first."""

    TYPE: ClassVar[int] = 0x02
    colours: bytes

    @property
    def payload(self) -> bytes:
        """As on the wire."""
        return self.colours

    @classmethod
    def of(cls, payload: bytes) -> Self:
        """Three bytes a pixel."""
        _triples(payload)
        return cls(payload)


@dataclass(frozen=True, slots=True)
class Indexed:
    """A colour of the palette for every pixel of the strip; one beyond the palette is dark."""

    TYPE: ClassVar[int] = 0x03
    numbers: bytes

    @property
    def payload(self) -> bytes:
        """As on the wire."""
        return self.numbers

    @classmethod
    def of(cls, payload: bytes) -> Self:
        """One byte a pixel."""
        _least(payload, 1)
        return cls(payload)


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours that the next INDEXED frames mean; what is shown stays as it is."""

    TYPE: ClassVar[int] = 0x04
    colours: bytes

    @property
    def payload(self) -> bytes:
        """As on the wire."""
        return self.colours

    @classmethod
    def of(cls, payload: bytes) -> Self:
        """Three bytes a colour, 32 colours at most."""
        _triples(payload)
        if len(payload) > 3 * MOST_COLOURS:
            raise _WrongPayload(f"{len(payload)} bytes; {3 * MOST_COLOURS} are the most")
        return cls(payload)


@dataclass(frozen=True, slots=True)
class Ping:
    """The host is alive; the answer proves that the board is."""

    TYPE: ClassVar[int] = 0x05

    @property
    def payload(self) -> bytes:
        """Nothing."""
        return b""

    @classmethod
    def of(cls, payload: bytes) -> Self:
        """Nothing."""
        _exactly(payload, 0)
        return cls()


@dataclass(frozen=True, slots=True)
class Settings:
    """How the board scans and how bright it may be."""

    TYPE: ClassVar[int] = 0x06
    hold_ms: int
    """Milliseconds a switch has to read the same before it counts."""
    rate_hz: int
    """Scans of the whole board a second."""
    brightest: int
    """No part of a colour goes out to the pixels higher than this; 255 lets all through."""

    @property
    def payload(self) -> bytes:
        """As on the wire."""
        return struct.pack(">BHB", self.hold_ms, self.rate_hz, self.brightest)

    @classmethod
    def of(cls, payload: bytes) -> Self:
        """Four bytes."""
        _exactly(payload, 4)
        return cls(*struct.unpack(">BHB", payload))


@dataclass(frozen=True, slots=True)
class Hello:
    """What a board is: told when it starts and when it is asked."""

    TYPE: ClassVar[int] = 0x81
    version: int
    """Of the protocol."""
    major: int
    minor: int
    """Of the firmware."""
    rows: int
    columns: int
    pixels: int
    kind: Kind
    can: Can

    @property
    def payload(self) -> bytes:
        """As on the wire."""
        firmware = self.version, self.major, self.minor
        return bytes((*firmware, self.rows, self.columns, self.pixels, self.kind, self.can))

    @classmethod
    def of(cls, payload: bytes) -> Self:
        """Eight bytes; what bits beyond ours mean, a host need not know."""
        _exactly(payload, 8)
        version, major, minor, rows, columns, pixels, kind, can = payload
        if kind not in list(Kind):
            raise _WrongPayload(f"there is no kind {kind} of sensors")
        return cls(version, major, minor, rows, columns, pixels, Kind(kind), Can(can & sum(Can)))


@dataclass(frozen=True, slots=True)
class Scan:
    """What all sensors read: a bit each, row by row, the least significant bit of a byte first.

    Sensors that see sides tell heads in one bitmap and tails in another after it.
    """

    TYPE: ClassVar[int] = 0x82
    bitmap: bytes

    @property
    def payload(self) -> bytes:
        """As on the wire."""
        return self.bitmap

    @classmethod
    def of(cls, payload: bytes) -> Self:
        """A byte for every eight sensors."""
        _least(payload, 1)
        return cls(payload)


@dataclass(frozen=True, slots=True)
class Done:
    """The LEDS, INDEXED, PALETTE, SETTINGS or PING of this seq is carried out, pixels and all."""

    TYPE: ClassVar[int] = 0x83
    seq: int

    @property
    def payload(self) -> bytes:
        """As on the wire."""
        return bytes((self.seq,))

    @classmethod
    def of(cls, payload: bytes) -> Self:
        """One byte."""
        _exactly(payload, 1)
        return cls(payload[0])


@dataclass(frozen=True, slots=True)
class Log:
    """A line for people."""

    TYPE: ClassVar[int] = 0x84
    text: str

    @property
    def payload(self) -> bytes:
        """As on the wire."""
        return self.text.encode()

    @classmethod
    def of(cls, payload: bytes) -> Self:
        """UTF-8; bytes that are none are replaced."""
        return cls(payload.decode(errors="replace"))


@dataclass(frozen=True, slots=True)
class Error:
    """A frame could not be understood."""

    TYPE: ClassVar[int] = 0x85
    code: int
    seq: int
    """Of that frame; 0 where not even that could be read."""

    @property
    def payload(self) -> bytes:
        """As on the wire."""
        return bytes((self.code, self.seq))

    @classmethod
    def of(cls, payload: bytes) -> Self:
        """Two bytes."""
        _exactly(payload, 2)
        return cls(*payload)


FromHost: TypeAlias = HostHello | Leds | Indexed | Palette | Ping | Settings
FromBoard: TypeAlias = Hello | Scan | Done | Log | Error
Frame: TypeAlias = FromHost | FromBoard

HOST: Mapping[int, type[Frame]] = {
    frame.TYPE: frame for frame in (HostHello, Leds, Indexed, Palette, Ping, Settings)
}
"""What a host sends, by type."""
BOARD: Mapping[int, type[Frame]] = {frame.TYPE: frame for frame in (Hello, Scan, Done, Log, Error)}
"""What a board sends, by type."""


@dataclass(frozen=True, slots=True)
class Received:
    """A frame as it came."""

    seq: int
    frame: Frame


@dataclass(frozen=True, slots=True)
class Fault:
    """Bytes between two delimiters that are no frame for this end."""

    code: Code
    seq: int
    """0 where it could not be read."""
    why: str
    type: int = 0
    """0 where it could not be read. A board leaves those of a board (0x80 and up) unanswered: they are an echo."""


def encoded(frame: Frame, seq: int) -> bytes:
    """A frame on the wire with its delimiter; `seq` counts the frames of one sender, modulo 256. Raises `TooLong`."""
    payload = frame.payload
    if len(payload) > MOST_PAYLOAD:
        raise TooLong(f"a payload of {len(payload)} bytes; {MOST_PAYLOAD} are the most")
    said = bytes((frame.TYPE, seq % 256)) + payload
    wire: bytes = cobs.encode(said + crc_hqx(said, 0).to_bytes(2, "big"))
    return wire + DELIMITER


def mismatch(board: int) -> str:
    """What to say of a board that speaks this other version of the protocol, and what to do."""
    remedy = "flash the board anew" if board < VERSION else "update boardctl on this computer"
    return f"the board speaks version {board} of the protocol and this computer version {VERSION}; {remedy}"


class Decoder:
    """Bytes of one sender, as they come, into frames. Keeps no more than one frame, whatever comes."""

    def __init__(self, sender: Literal["host", "board"]) -> None:
        self._types = HOST if sender == "host" else BOARD
        self._kept = bytearray()
        self._next: int | None = None
        self.good = 0
        """Frames so far."""
        self.bad = 0
        """Faults so far."""
        self.gaps = 0
        """Times that a frame had another seq than the one before and one: frames were lost, or a sender began anew."""

    def feed(self, data: bytes) -> list[Received | Fault]:
        """What these bytes complete, in order. Never raises."""
        *ends, rest = data.split(DELIMITER)
        told: list[Received | Fault] = []
        for piece in ends:
            self._keep(piece)
            if self._kept:
                told.append(self._completed())
        self._keep(rest)
        return told

    def _keep(self, piece: bytes) -> None:
        """One byte more than a frame has shows that it was none."""
        self._kept += piece[: LONGEST + 1 - len(self._kept)]

    def _completed(self) -> Received | Fault:
        wire = bytes(self._kept)
        self._kept.clear()
        told = self._read(wire)
        if isinstance(told, Fault):
            self.bad += 1
        else:
            self.good += 1
        return told

    def _read(self, wire: bytes) -> Received | Fault:
        try:
            said = cobs.decode(wire)
        except cobs.DecodeError:
            return Fault(Code.FORM, 0, "it is not COBS")
        if len(wire) > LONGEST or len(said) < 4:
            return Fault(Code.FORM, 0, f"{len(wire)} bytes are no frame")
        if crc_hqx(said[:-2], 0) != int.from_bytes(said[-2:], "big"):
            return Fault(Code.FORM, 0, "its checksum is wrong")
        self._count(said[1])
        return self._understood(said[0], said[1], said[2:-2])

    def _count(self, seq: int) -> None:
        if self._next is not None and seq != self._next:
            self.gaps += 1
        self._next = (seq + 1) % 256

    def _understood(self, code: int, seq: int, payload: bytes) -> Received | Fault:
        kind = self._types.get(code)
        if kind is None:
            return Fault(Code.TYPE, seq, f"type {code:#04x} is not known", code)
        if kind in (Hello, HostHello) and payload and payload[0] != VERSION:
            return Fault(Code.VERSION, seq, mismatch(payload[0]), code)
        try:
            return Received(seq, kind.of(payload))
        except _WrongPayload as fault:
            return Fault(Code.LENGTH, seq, f"{kind.__name__}: {fault}", code)


def _exactly(payload: bytes, count: int) -> None:
    if len(payload) != count:
        raise _WrongPayload(f"{len(payload)} bytes, not {count}")


def _least(payload: bytes, count: int) -> None:
    if len(payload) < count:
        raise _WrongPayload(f"{len(payload)} bytes; {count} are the least")


def _triples(payload: bytes) -> None:
    if not payload or len(payload) % 3:
        raise _WrongPayload(f"{len(payload)} bytes are not three a colour")
