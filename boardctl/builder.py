"""What the commands for those who build boards do: the wiring plan, and lights that are put out."""

from __future__ import annotations

from pathlib import Path

from hardware import board_file, wiring
from hardware.board_file import DoesNotFit, NoBoard
from hardware.lights import DARK
from hardware.neopixels import NeoPixels, NoStrip, facts
from hardware.toml_form import Fault, WrongFile

__all__ = ["DoesNotFit", "Fault", "NoBoard", "NoStrip", "WrongFile", "dark", "plan", "presets"]


def presets() -> list[str]:
    """The names of the board files that come with the package."""
    return list(board_file.presets())


def plan(board: str, svg: Path | None) -> str:
    """How a board is wired, as text, and drawn into a file if one is named.

    `board`: a preset or a file. Raises `WrongFile` with every fault of the board file, OSError where the drawing cannot
    be written.
    """
    built = board_file.read(board_file.found(board))
    if svg is not None:
        svg.write_text(wiring.drawing(built), encoding="utf-8")
    return wiring.told(built)


def dark(board: str) -> None:
    """Put out all pixels of a board, whatever lit them: they keep their last colour when a program ends badly.

    Raises `WrongFile`, and `NoStrip` where the board has no pixels of its own or they cannot be driven here.
    """
    built = board_file.read(board_file.found(board))
    pixels = built.pixels
    if pixels is None or pixels.through == "serial":
        raise NoStrip("this board has no pixels on this computer")
    strip = NeoPixels(pixels, facts())
    strip.write([DARK] * pixels.count)
    strip.close()
