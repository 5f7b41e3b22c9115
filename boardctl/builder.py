"""What the commands for those who build boards do: so far the wiring plan."""

from __future__ import annotations

from pathlib import Path

from hardware import board_file, wiring
from hardware.toml_form import Fault, WrongFile

__all__ = ["Fault", "WrongFile", "plan", "presets"]


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
