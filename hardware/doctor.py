"""What is wrong with a machine and with the board that is to hang on it: look after look, each said in one line.

A look changes nothing and never raises: one that cannot look says so.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from hardware import board_file
from hardware.board_file import BoardFile, Pixels
from hardware.doctoring import cables, pins, pixels, system
from hardware.doctoring.case import Case, Said, State, ok, skip, wrong
from hardware.doctoring.machine import Machine, this_machine
from hardware.lights import DARK, Pixel
from hardware.neopixels import NeoPixels, NoStrip, facts
from hardware.toml_form import Fault, WrongFile

__all__ = ["Case", "Finding", "Machine", "faulty", "findings", "lit", "read", "this_machine"]

Look: TypeAlias = Callable[[Case], Said | Sequence[Said]]


class Finding(NamedTuple):
    """One line: what was looked at, how it is, what was found, and the one command or line that mends it."""

    check: str
    state: State
    found: str
    remedy: str | None

    def __str__(self) -> str:
        remedy = f"; {self.remedy}" if self.remedy else ""
        return f"{self.state:5}  {self.check:13}  {self.found}{remedy}"


LOOKS: Mapping[str, Look] = {
    "model": system.model,
    "system": system.release,
    "python": system.python,
    "packages": system.packages,
    "power": system.power,
    "room": system.room,
    "clock": system.clock,
    "chip": pins.chip,
    "lgpio": pins.lgpio,
    "gpiozero": pins.gpiozero,
    "factory": pins.factory,
    "lgpio folder": pins.folder,
    "lines": pins.lines,
    "spi": pixels.spi,
    "pixels": pixels.way,
    "spi buffer": pixels.buffer,
    "spi clock": pixels.core_freq,
    "root": pixels.rights,
    "audio": pixels.audio,
    "pio": pixels.pio,
    "blinka": pixels.library,
    "pixel driver": pixels.backend,
    "serial port": cables.port,
    "serial": cables.library,
    "console": cables.console,
    "modems": cables.modems,
}
"""All that is looked at, in the order in which it is told."""


def findings(case: Case, looks: Mapping[str, Look] = LOOKS) -> Iterator[Finding]:
    """What every look finds, told as it is found."""
    for check, look in looks.items():
        yield from _looked(check, look, case)


def _looked(check: str, look: Look, case: Case) -> list[Finding]:
    try:
        said = look(case)
    except Exception as fault:  # whatever a machine comes up with, the other looks are still worth having
        said = skip(f"could not look: {type(fault).__name__}: {fault}")
    return [_finding(check, each) for each in ([said] if isinstance(said, Said) else said)]


def _finding(check: str, said: Said) -> Finding:
    return Finding(check, said.state, " ".join(said.found.splitlines()), said.remedy)


# The board file


def read(name: str | None) -> tuple[BoardFile | None, list[Finding]]:
    """The board of a file or a preset, or of none; and what is to be said of the file."""
    if name is None:
        return None, [_finding("board file", skip("none is named; --board FILE looks at one"))]
    try:
        board = board_file.read(board_file.found(name))
    except WrongFile as fault:
        return None, faulty("board file", name, fault.faults)
    return board, [_finding("board file", ok(f"{name}: {board.name}"))]


def faulty(check: str, file: str, faults: Sequence[Fault]) -> list[Finding]:
    """The faults of a file, a line each."""
    return [
        _finding(check, wrong(f"{file}: {f'{key}: ' if key else ''}{what}", remedy))
        for key, what, remedy in faults
    ]


# The light test


class Lamps(Protocol):
    """As much of a strip as the test needs."""

    def write(self, pixels: Sequence[Pixel]) -> None:
        """Shows this frame."""
        ...

    def close(self) -> None:
        """Lets go of the strip."""
        ...


EACH_S = 0.05
"""Seconds that each pixel is lit."""
WHITE: Pixel = (64, 64, 64)
"""A quarter of its light: some 15 mA, which any supply can give."""


def _strip(pixels: Pixels) -> Lamps:
    return NeoPixels(pixels, facts())


def lit(
    board: BoardFile | None,
    opened: Callable[[Pixels], Lamps] = _strip,
    wait: Callable[[float], None] = time.sleep,
) -> Finding:
    """Lights each pixel in turn, white, and leaves all dark."""
    pixels = board.pixels if board else None
    if pixels is None or pixels.through == "serial":
        return _finding("light", skip("the board has no pixels on this computer"))
    try:
        _run_through(opened(pixels), pixels.count, wait)
    except NoStrip as fault:
        what, _, remedy = str(fault).partition("; ")
        return _finding("light", wrong(what, remedy or SEE_ABOVE))
    except Exception as fault:  # the libraries below raise many kinds
        return _finding("light", wrong(f"the strip fails: {type(fault).__name__}: {fault}", SEE_ABOVE))
    return _finding("light", ok(f"{pixels.count} pixels were lit one after the other, white"))


SEE_ABOVE = "mend first what is wrong above"


def _run_through(strip: Lamps, count: int, wait: Callable[[float], None]) -> None:
    try:
        for number in range(count):
            strip.write([WHITE if number == each else DARK for each in range(count)])
            wait(EACH_S)
    finally:
        strip.write([DARK] * count)
        strip.close()
