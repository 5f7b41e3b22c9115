"""What a board does, without its pins: frames, cells that bounce, and what the host wants.

It runs in CircuitPython on the microcontroller and in CPython in the tests, and imports nothing. It does what the
firmware in ../avr does; the protocol is described in firmware_bridge/README.md. Times are in milliseconds.
"""

PROTOCOL = 1
FIRMWARE = (1, 0)

PRESENCE = 0
"""Switches: something stands there."""
PRESSES = 2
"""Buttons."""

HELLO, LEDS, INDEXED, PALETTE, PING, SETTINGS = 1, 2, 3, 4, 5, 6
BOARD_HELLO, SCAN, DONE, LOG, ERROR = 0x81, 0x82, 0x83, 0x84, 0x85
BAD_FORM, UNKNOWN_TYPE, WRONG_LENGTH, OTHER_VERSION = 1, 2, 3, 4
CAN_ALL = 7
"""LEDS, PALETTE and INDEXED, SETTINGS."""

LONGEST = 255
"""Bytes of a frame on the wire, its 0x00 not counted."""
MOST_PAYLOAD = 250
MOST_COLOURS = 32
QUESTION = b"?\n"
"""What a person types, with nothing before it. As a frame that would be of type 0x0A, which there is not."""

HOLD_MS = 4
SCAN_HZ = 1000
SLOWEST_HZ, FASTEST_HZ = 50, 1000
HEARTBEAT_MS = 500
SILENCE_MS = 2000
FIRST_READINGS = 10


def _remainders() -> list[int]:
    """Of CRC-16/XMODEM, for every value of a byte."""
    table = []
    for value in range(256):
        value <<= 8
        for _ in range(8):
            value = value << 1 ^ 0x1021 if value & 0x8000 else value << 1
        table.append(value & 0xFFFF)
    return table


_REMAINDERS = _remainders()


def crc(data: bytes) -> int:
    """CRC-16/XMODEM; 0 for bytes that end with their own."""
    table, value = _REMAINDERS, 0
    for byte in data:
        value = (value << 8 & 0xFF00) ^ table[value >> 8 ^ byte]
    return value


def stuffed(data: bytes) -> bytes:
    """COBS of at most 254 bytes, so that exactly one is added."""
    wire = bytearray()
    for block in data.split(b"\0"):
        wire.append(len(block) + 1)
        wire.extend(block)
    return bytes(wire)


def unstuffed(wire: bytes) -> bytes | None:
    """What COBS made these 255 bytes at most of; None where it did not."""
    data, at = bytearray(), 0
    while at < len(wire):
        end = at + wire[at]
        if end > len(wire):
            return None
        if at:
            data.append(0)
        data.extend(wire[at + 1 : end])
        at = end
    return bytes(data)


def framed(kind: int, seq: int, payload: bytes) -> bytes:
    """A frame on the wire with the 0x00 that ends it."""
    said = bytes((kind, seq)) + payload
    check = crc(said)
    return stuffed(said + bytes((check >> 8, check & 0xFF))) + b"\0"


def opened(wire: bytes) -> bytes | None:
    """Type, seq and payload of a frame without its 0x00; None where it is none."""
    said = unstuffed(wire) if len(wire) <= LONGEST else None
    if said is None or len(said) < 4 or crc(said):
        return None
    return said[:-2]


class Reader:
    """Bytes, as they come, cut into what stands between two 0x00. Keeps no more than one frame."""

    def __init__(self) -> None:
        self._kept = b""

    def feed(self, data: bytes) -> list[bytes]:
        """What these bytes complete, in order; `QUESTION` as soon as a person has typed it."""
        told: list[bytes] = []
        pieces = data.split(b"\0")
        for piece in pieces[:-1]:
            self._keep(piece, told)
            if self._kept:
                told.append(self._kept)
            self._kept = b""
        self._keep(pieces[-1], told)
        return told

    def _keep(self, piece: bytes, told: list[bytes]) -> None:
        """One byte more than a frame has shows that it was none."""
        self._kept += piece
        while self._kept[:2] == QUESTION:
            told.append(QUESTION)
            self._kept = self._kept[2:]
        self._kept = self._kept[: LONGEST + 1]


class Cells:
    """Cells that bounce: a change counts when it has been read for the whole hold, every cell by itself."""

    def __init__(self, rows: int, columns: int) -> None:
        self.rows = [0] * rows
        """What counts now: a number a row, its lowest bit the first column."""
        self._columns = columns
        self._doubts = [[0] * columns for _ in range(rows)]
        self._doubtful = [0] * rows

    def read(self, rows: list[int], passed: int, period: int, hold: int) -> bool:
        """Takes a reading, `passed` after the one before. True where a cell has changed."""
        changed = False
        for row in range(len(rows)):
            differs = rows[row] ^ self.rows[row]
            if differs or self._doubtful[row]:
                self._doubtful[row] = differs
                convinced = self._convinced(self._doubts[row], differs, passed, period, hold)
                self.rows[row] ^= convinced
                changed = changed or convinced > 0
        return changed

    def _convinced(self, doubts: list[int], differs: int, passed: int, period: int, hold: int) -> int:
        """The columns whose change has lasted. The first reading proves nothing of the time before it."""
        lasted = 0
        for column in range(self._columns):
            if not differs >> column & 1:
                doubts[column] = 0
                continue
            doubts[column] = doubts[column] + passed if doubts[column] else period
            if doubts[column] >= hold:
                doubts[column] = 0
                lasted |= 1 << column
        return lasted

    def bitmap(self) -> bytes:
        """As SCAN has it: a bit a cell, row by row, the lowest of a byte first."""
        bits, held, count = bytearray(), 0, 0
        for row in self.rows:
            held |= row << count
            count += self._columns
            while count >= 8:
                bits.append(held & 0xFF)
                held >>= 8
                count -= 8
        if count:
            bits.append(held)
        return bytes(bits)

    def drawn(self) -> str:
        """For people."""
        columns = range(self._columns)
        lines = ["".join(["#" if row >> column & 1 else "." for column in columns]) for row in self.rows]
        return "\r\n".join(lines)


class Pixels:
    """Colours on their way to the strip: green, red, blue, none of them above the ceiling."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.ceiling = 255
        self._palette = b""

    def take(self, palette: bytes) -> None:
        """Replaces the palette before."""
        self._palette = palette

    def coloured(self, colours: bytes) -> bytearray:
        """Red, green, blue of every pixel, as the strip wants them."""
        strip, ceiling = bytearray(colours), self.ceiling
        for at in range(0, len(strip), 3):
            strip[at], strip[at + 1] = strip[at + 1], strip[at]
        if ceiling < 255:
            for at in range(len(strip)):
                strip[at] = min(strip[at], ceiling)
        return strip

    def indexed(self, numbers: bytes) -> bytearray:
        """Likewise, of a number in the palette for every pixel; one beyond it is dark."""
        colours = bytearray()
        for number in numbers:
            colours.extend(self._palette[3 * number : 3 * number + 3] or b"\0\0\0")
        return self.coloured(bytes(colours))

    def dark(self) -> bytearray:
        """Nothing shines."""
        return bytearray(3 * self.count)


class Hardware:
    """What a microcontroller has to do for its board. code.py does it on a Pico."""

    def rows(self) -> list[int]:
        """Reads all cells: a number a row, its lowest bit the first column, 1 where something is."""
        raise NotImplementedError

    def show(self, strip: bytearray) -> None:
        """Sends these bytes to the pixels; they are out when it returns."""
        raise NotImplementedError

    def lamp(self, on: bool) -> None:
        """Lights the lamp on the microcontroller itself."""
        raise NotImplementedError

    def received(self) -> bytes:
        """What has come from the host. Never waits."""
        raise NotImplementedError

    def send(self, data: bytes) -> int:
        """To the host; answers how many bytes of it are on their way. Never waits for long."""
        raise NotImplementedError

    def passed(self) -> int:
        """Milliseconds since it was last asked, whole ones."""
        raise NotImplementedError


class Board:
    """The whole of it: serves the host, scans, and tells."""

    def __init__(
        self, hardware: Hardware, rows: int, columns: int, pixels: int, kind: int = PRESENCE
    ) -> None:
        self._hardware = hardware
        self._hello = bytes((PROTOCOL, FIRMWARE[0], FIRMWARE[1], rows, columns, pixels, kind, CAN_ALL))
        self._cells = Cells(rows, columns)
        self._pixels = Pixels(pixels)
        self._reader = Reader()
        self._seq = 0
        self._cut = False
        self._hold, self._period = HOLD_MS, 1000 // SCAN_HZ
        self._since_reading = self._since_scan = self._silence = 0
        self._there = False
        self._requests = {
            LEDS: (self._show, 3 * pixels, 3 * pixels, 1),
            INDEXED: (self._show_indexed, pixels, pixels, 1),
            PALETTE: (self._pixels.take, 3, 3 * MOST_COLOURS, 3),
            PING: (self._nothing, 0, 0, 1),
            SETTINGS: (self._set, 4, 4, 1),
        }

    def start(self, cause: str) -> None:
        """Is dark, looks what stands on the board, and tells who it is, why it begins, and what it saw."""
        self._dark()
        self._look_first()
        self._send(b"\0")  # ends whatever the line brought before
        self._tell(BOARD_HELLO, self._hello)
        self.log(f"started by {cause}")
        self._tell_scan()

    def _look_first(self) -> None:
        """The host shall not take a board for empty that has only just begun to look."""
        readings = 0
        while readings < FIRST_READINGS:
            passed = self._hardware.passed()
            if passed:
                self._read(passed)
                readings += 1

    def step(self) -> None:
        """Does what there is to do now; to be called again at once, for ever."""
        for wire in self._reader.feed(self._hardware.received()):
            self._serve(wire)
        passed = self._hardware.passed()
        if passed:
            self._tick(passed)

    def _tick(self, passed: int) -> None:
        self._since_scan += passed
        if self._read(passed) or self._since_scan >= HEARTBEAT_MS:
            self._since_scan = 0
            self._tell_scan()
        self._silence += passed
        if self._there and self._silence >= SILENCE_MS:
            self._dark()

    def _read(self, passed: int) -> bool:
        """Reads the cells where it is time to. True where one has changed."""
        self._since_reading += passed
        if self._since_reading < self._period:
            return False
        passed, self._since_reading = self._since_reading, 0
        return self._cells.read(self._hardware.rows(), passed, self._period, self._hold)

    def _dark(self) -> None:
        self._there = False
        self._hardware.lamp(False)
        self._hardware.show(self._pixels.dark())

    # What the host wants

    def _serve(self, wire: bytes) -> None:
        if wire == QUESTION:
            self._tell_person()
            return
        said = opened(wire)
        if said is None:
            self._tell(ERROR, bytes((BAD_FORM, 0)))
        elif said[0] < 0x80:  # others are an echo of our own, and no host
            self._heard()
            self._answer(said[0], said[1], said[2:])

    def _heard(self) -> None:
        self._silence = 0
        if not self._there:
            self._there = True
            self._hardware.lamp(True)

    def _answer(self, kind: int, seq: int, payload: bytes) -> None:
        if kind == HELLO:
            self._greet(seq, payload)
            return
        request = self._requests.get(kind)
        if request is None:
            self._tell(ERROR, bytes((UNKNOWN_TYPE, seq)))
            return
        carry_out, least, most, step = request
        if not least <= len(payload) <= most or len(payload) % step:
            self._tell(ERROR, bytes((WRONG_LENGTH, seq)))
            return
        carry_out(payload)
        self._tell(DONE, bytes((seq,)))

    def _greet(self, seq: int, payload: bytes) -> None:
        """Later versions may say more than a byte."""
        if not payload:
            self._tell(ERROR, bytes((WRONG_LENGTH, seq)))
            return
        self._tell(BOARD_HELLO, self._hello)
        if payload[0] == PROTOCOL:
            self._tell_scan()
        else:
            self._tell(ERROR, bytes((OTHER_VERSION, seq)))

    def _show(self, colours: bytes) -> None:
        self._hardware.show(self._pixels.coloured(colours))

    def _show_indexed(self, numbers: bytes) -> None:
        self._hardware.show(self._pixels.indexed(numbers))

    def _nothing(self, payload: bytes) -> None:
        pass

    def _set(self, payload: bytes) -> None:
        hertz = min(max(payload[1] << 8 | payload[2], SLOWEST_HZ), FASTEST_HZ)
        self._period = 1000 // hertz
        self._hold = payload[0]
        self._pixels.ceiling = payload[3]

    # What the host is told

    def log(self, text: str) -> None:
        """A line for people; what is too long is cut."""
        self._tell(LOG, text.encode()[:MOST_PAYLOAD])

    def _tell_scan(self) -> None:
        self._tell(SCAN, self._cells.bitmap())

    def _tell_person(self) -> None:
        words = "\r\nboardctl firmware. It talks in frames: see firmware_bridge/README.md.\r\n"
        self._send(
            f"{words}{self._cells.drawn()}\r\n".encode() + b"\0"
        )  # so that a host takes it for garbage

    def _tell(self, kind: int, payload: bytes) -> None:
        self._send(framed(kind, self._seq, payload))
        self._seq = (self._seq + 1) % 256

    def _send(self, data: bytes) -> None:
        """Where a host has stopped reading, a frame may be cut off; the next one is not to be glued to it."""
        if self._cut:
            data = b"\0" + data
        self._cut = self._hardware.send(data) < len(data)
