"""The simulated board from Python: built, run in lock step with a test, or started as a program with a pty."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Self

from firmware_bridge.protocol import Decoder, Fault, Frame, Received, encoded

HERE = Path(__file__).parent
FIRMWARE = HERE.parent.parent.parent / "firmware_bridge" / "firmware" / "avr"
HERTZ = 16_000_000
POWER, PIN, BROWN_OUT = 1, 2, 4
"""What a reset is by."""
NEVER = 2**32 - 1
EMPTY = bytes(8)
"""The bitmap of a board with nothing on it."""


def missing() -> str | None:
    """Why the firmware cannot be tried here, or None."""
    lacking = [
        package for command, package in (("gcc", "gcc"), ("make", "make")) if shutil.which(command) is None
    ]
    if shutil.which("avr-gcc") is None:
        lacking.append("gcc-avr")
    if not Path("/usr/lib/avr/include/avr/io.h").exists():
        lacking.append("avr-libc")
    if not Path("/usr/include/simavr/sim_avr.h").exists():
        lacking.append("libsimavr-dev")
    return f"apt install {' '.join(lacking)}. The firmware was NOT tried" if lacking else None


def simulator(folder: Path, *, library: bool = True) -> Path:
    """The simulator, built into a folder: as a library or as a program."""
    out = folder / ("board.so" if library else "board")
    kind = ["-shared", "-fPIC"] if library else []
    strict = ["-O2", "-Wall", "-Wextra", "-Werror", *kind]
    command = ["gcc", *strict, "-o", str(out), str(HERE / "board.c"), "-lsimavr", "-lm"]
    subprocess.run(command, check=True, timeout=120)
    return out


def firmware(
    folder: Path, *, changes: Mapping[str, Mapping[str, str]] | None = None, **options: object
) -> Path:
    """The firmware, built into a folder by its own Makefile; answers its hex file.

    `options` are the Makefile's (BAUD, KIND). `changes` are for firmware that is wrong on purpose: for each file, what
    to put in the place of what; raises `LookupError` where that is not there, so that no wrong firmware is right.
    """
    copy = folder / "avr"
    shutil.copytree(FIRMWARE, copy, ignore=shutil.ignore_patterns("build"))
    for name, swaps in (changes or {}).items():
        text = (copy / name).read_text()
        for old, new in swaps.items():
            if old not in text:
                raise LookupError(f"{name} has no {old!r}")
            text = text.replace(old, new)
        (copy / name).write_text(text)
    words = [f"{name}={value}" for name, value in options.items()]
    subprocess.run(["make", "--silent", "-C", str(copy), *words], check=True, timeout=120)
    return copy / "build" / "board.hex"


def sketch(folder: Path) -> Path:
    """The same sources as an Arduino sketch, built with the Arduino core of Debian; answers its hex file."""
    copy, build = folder / "avr", folder / "build"
    shutil.copytree(FIRMWARE, copy, ignore=shutil.ignore_patterns("build"))
    build.mkdir()
    command = ["arduino-builder", "-compile", "-warnings", "none", "-build-path", str(build)]
    command += ["-hardware", "/usr/share/arduino/hardware", "-hardware", "/usr/share/arduino-builder"]
    command += ["-tools", "/usr/bin", "-fqbn", "arduino:avr:uno"]
    command += [
        "-prefs=compiler.cpp.extra_flags=-DDECIMAL_DIG=__DECIMAL_DIG__"
    ]  # which gcc-avr 5.4 does not have
    subprocess.run([*command, str(copy / "avr.ino")], check=True, timeout=300, stdout=subprocess.DEVNULL)
    return build / "avr.ino.hex"


def missing_arduino() -> str | None:
    """Why the sketch cannot be built here, or None."""
    lacking = [] if shutil.which("arduino-builder") else ["arduino-builder"]
    if not Path("/usr/share/arduino/hardware/arduino/avr/platform.txt").exists():
        lacking.append("arduino-core-avr")
    return f"apt install {' '.join(lacking)}. The sketch was NOT tried" if lacking else None


class Range(ctypes.Structure):
    """The least and the most of a time, in cycles; 0 and 0 where it never came."""

    _fields_ = [("least", ctypes.c_uint32), ("most", ctypes.c_uint32)]

    @property
    def ns(self) -> tuple[float, float]:
        """In nanoseconds."""
        return self.least * 1e9 / HERTZ, self.most * 1e9 / HERTZ


class Figures(ctypes.Structure):
    """What the board has counted, as `struct figures` of board.c."""

    _fields_ = [
        *(
            (name, ctypes.c_uint64)
            for name in (
                "sent",
                "heard",
                "overruns",
                "deaf",
                "overwritten",
                "shorts",
                "high_rows",
                "resets",
                "strips",
                "torn",
                "shown_at",
                "lamp",
                "crashed",
            )
        ),
        ("high", Range * 2),
        ("low", Range * 2),
        ("period", Range),
        ("gap", Range),
        ("rest", Range),
    ]


def loaded(path: Path) -> ctypes.CDLL:
    """The library, its functions told their types."""
    library = ctypes.CDLL(str(path))
    board, u32, u64, f64 = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_double
    octets, cycles = ctypes.c_char_p, ctypes.POINTER(ctypes.c_uint64)
    for name, answers, takes in (
        ("make", board, [ctypes.c_char_p, f64]),
        ("free", None, []),
        ("now", u64, []),
        ("figures", ctypes.POINTER(Figures), []),
        ("run", None, [u64, u32]),
        ("waiting", u32, []),
        ("send", u32, [octets, u32]),
        ("unsent", u32, []),
        ("take", u32, [octets, cycles, u32]),
        ("switch", None, [u64, u32, u32, u64]),
        ("matrix", None, [u32, f64, f64]),
        ("hall", None, [u32, u32]),
        ("reset", None, [ctypes.c_int]),
        ("jam", None, []),
        ("strip", u32, [octets]),
    ):
        function = library[f"board_{name}"]
        function.restype = answers
        function.argtypes = takes if name == "make" else [board, *takes]
        setattr(library, f"board_{name}", function)
    return library


class Board:
    """A board with the firmware, in lock step, and the port of a host, as pyserial has it, in simulated time.

    Time passes only while `read` waits and in `run`, so that every run is the same to the byte and the cycle.
    """

    def __init__(self, library: ctypes.CDLL, hex_file: Path, *, baud: int = 115200) -> None:
        """Under power from now on. Raises `OSError` where there is no such firmware."""
        self._library = library
        self._board = library.board_make(str(hex_file).encode(), float(baud))
        if not self._board:
            raise OSError(f"no board with {hex_file}")
        self.baudrate = baud
        self.timeout: float | None = 1.0
        self.decoder = Decoder("board")
        self.stamps: list[int] = []
        """The cycle at which each byte that `read` has answered was there."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends it."""
        if self._board:
            self._library.board_free(self._board)
            self._board = None

    @property
    def cycle(self) -> int:
        """Where the processor is."""
        return int(self._library.board_now(self._board))

    @property
    def ms(self) -> float:
        """The same as milliseconds since the power came."""
        return self.cycle * 1000 / HERTZ

    @property
    def figures(self) -> Figures:
        """What it has counted; live."""
        return self._library.board_figures(self._board).contents

    @property
    def in_waiting(self) -> int:
        """Bytes that can be read at once."""
        return int(self._library.board_waiting(self._board))

    @property
    def out_waiting(self) -> int:
        """Bytes of the host that are still on their way."""
        return int(self._library.board_unsent(self._board))

    def write(self, data: bytes) -> int:
        """Puts bytes on the line, one after another at the baud rate."""
        return int(self._library.board_send(self._board, data, len(data)))

    def read(self, size: int = 1) -> bytes:
        """So many bytes, or those that came before `timeout`."""
        until = 2**62 if self.timeout is None else self.cycle + int(self.timeout * HERTZ)
        self._library.board_run(self._board, until, size)
        bytes_, cycles = ctypes.create_string_buffer(size), (ctypes.c_uint64 * size)()
        count = self._library.board_take(self._board, bytes_, cycles, size)
        self.stamps += cycles[:count]
        return bytes_.raw[:count]

    def told(self, *, ms: float) -> list[Received | Fault]:
        """Lets time pass; answers what the board said, as the host's codec understands it."""
        return self.decoder.feed(self.run(ms=ms))

    def asked(self, frame: Frame, *, seq: int = 0, ms: float = 40) -> list[Frame]:
        """Sends a frame; answers all frames that come meanwhile. Raises `ValueError` where one is none."""
        self.write(encoded(frame, seq))
        return self.frames(ms=ms)

    def frames(self, *, ms: float) -> list[Frame]:
        """Lets time pass; answers the frames of the board. Raises `ValueError` where one is none."""
        told = self.told(ms=ms)
        faults = [each for each in told if isinstance(each, Fault)]
        if faults:
            raise ValueError(f"{faults}")
        return [each.frame for each in told if isinstance(each, Received)]

    def run(self, *, ms: float) -> bytes:
        """Lets time pass; answers what the board said."""
        self._library.board_run(self._board, self.cycle + int(ms * HERTZ / 1000), NEVER)
        return self.read(self.in_waiting) if self.in_waiting else b""

    def close_switch(self, cell: int, *, after_ms: float = 0, bounce_ms: float = 0) -> int:
        """Something is put on a cell; answers the cycle of the first contact."""
        return self._switch(cell, 1, after_ms, bounce_ms)

    def open_switch(self, cell: int, *, after_ms: float = 0, bounce_ms: float = 0) -> int:
        """Something is taken from it."""
        return self._switch(cell, 0, after_ms, bounce_ms)

    def _switch(self, cell: int, closed: int, after_ms: float, bounce_ms: float) -> int:
        cycle = self.cycle + int(after_ms * HERTZ / 1000)
        self._library.board_switch(self._board, cycle, cell, closed, int(bounce_ms * HERTZ / 1000))
        return cycle

    def matrix(self, *, diodes: bool = True, ohms: float = 35e3, farads: float = 100e-12) -> None:
        """With diodes or without; the pull-ups, and what each column's line has as a capacity."""
        self._library.board_matrix(self._board, int(diodes), ohms, farads)

    def hall(self, cell: int, millivolts: int) -> None:
        """What the hall of a cell gives; 2500 is nothing near."""
        self._library.board_hall(self._board, cell, millivolts)

    def reset(self, cause: int = PIN) -> None:
        """By a pin, or without power for a moment."""
        self._library.board_reset(self._board, cause)

    def jam(self) -> None:
        """The processor's tick stops, as by a fault."""
        self._library.board_jam(self._board)

    def pixels(self) -> bytes:
        """What the strip shows: red, green, blue a pixel."""
        out = ctypes.create_string_buffer(256)
        count = self._library.board_strip(self._board, out)
        grb = out.raw[:count]
        return b"".join(bytes((grb[i + 1], grb[i], grb[i + 2])) for i in range(0, len(grb) - 2, 3))
