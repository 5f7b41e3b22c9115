"""A wired board out of its file: sensors and lights behind their ports, or why there are none.

`built` meets the libraries of the Pi; everything else in this package runs without them.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Mapping
from typing import Any, NamedTuple

from boardctl.core.model import Cell
from hardware import sensing
from hardware.board_file import BoardFile, DoesNotFit, NoBoard, Spot, cells_on, pixel_spots
from hardware.ghosts import NeedsDiodes
from hardware.halls import Silent
from hardware.legend import Palette
from hardware.matrix import PinBusy
from hardware.neopixels import Facts, NeoPixels, NoStrip, facts
from hardware.scanner import Scanned, Scanner
from hardware.sensing import OnCable
from hardware.strip import NoLights, StripLights


class Wired(NamedTuple):
    """What a board file comes to."""

    sensors: Scanned
    lights: NoLights | StripLights
    without_lights: str | None
    """Why there are no lights, or None."""

    def findings(self) -> list[str]:
        """What looks wrong with it just now, each in a sentence."""
        dark = self.without_lights and f"There are no lights: {self.without_lights}."
        return [*filter(None, [dark, self.lights.finding]), *self.sensors.findings]


def built(
    board: BoardFile,
    points: Mapping[Cell, tuple[float, float]],
    pieces: int,
    palette: Palette,
    *,
    factory: Any = None,
    here: Facts | None = None,
) -> Wired:
    """The board as wired, for a game with these cells and so many pieces at once.

    `factory`: a pin factory of gpiozero, by default lgpio's. Raises `DoesNotFit` or `NoBoard`.
    """
    if (why := refusal(board, points, pieces)) is not None:
        raise DoesNotFit(why)
    sensors = _sensors(board, points, pieces, factory or lgpio_factory())
    lights, why = _lights(board, cells_on(board, points), palette, here)
    return Wired(sensors, lights, why)


def bare_sensors(board: BoardFile, factory: Any = None) -> Scanner:
    """What scans a board, with no game on it. Raises `NoBoard`."""
    from gpiozero import GPIOZeroError

    try:
        return sensing.scanner(board, factory or lgpio_factory())
    except (OnCable, PinBusy, Silent, GPIOZeroError) as fault:
        raise NoBoard(str(fault)) from fault


def refusal(board: BoardFile, points: Mapping[Cell, tuple[float, float]], pieces: int) -> str | None:
    """Why a game cannot be played on a board, or None."""
    try:
        sensing.fits(board, points, pieces)
    except DoesNotFit as fault:
        return f"{fault}; play another game, or write another grid or place in the board file"
    except NeedsDiodes as fault:
        return str(fault)
    return None


def _sensors(
    board: BoardFile, points: Mapping[Cell, tuple[float, float]], pieces: int, factory: Any
) -> Scanned:
    from gpiozero import GPIOZeroError

    try:
        return sensing.sensors(board, points, pieces, pin_factory=factory)
    except (OnCable, PinBusy, Silent, GPIOZeroError) as fault:
        raise NoBoard(str(fault)) from fault


def _lights(
    board: BoardFile, spots: Mapping[Cell, Spot], palette: Palette, here: Facts | None
) -> tuple[NoLights | StripLights, str | None]:
    """The strip, or none and why: the game is playable without."""
    if board.pixels is None:
        return NoLights(), None
    try:
        strip = NeoPixels(board.pixels, here or facts())
    except NoStrip as fault:
        return NoLights(), str(fault)
    pixels = board.pixels
    under = {cell: pixel_spots(board)[spot] for cell, spot in spots.items()}
    lights = StripLights(
        strip, pixels.count, under, palette, budget_ma=pixels.budget_ma, brightness=pixels.brightness
    )
    return lights, None


def lgpio_factory() -> Any:
    """gpiozero's factory on lgpio. Raises `NoBoard` with the remedy where this machine has none."""
    _give_lgpio_a_folder()
    try:
        from gpiozero.pins.lgpio import LGPIOFactory
    except ImportError as fault:
        raise NoBoard(
            f"the library for pins does not load ({fault}); sudo apt install python3-lgpio"
        ) from None
    except OSError as fault:  # it may not make its pipe where LG_WD says
        raise NoBoard(f"the library for pins does not load ({fault}); boardctl doctor says why") from None
    try:
        return LGPIOFactory()
    except Exception as fault:  # gpiozero and lgpio raise many kinds, and each is the same to us
        raise NoBoard(f"the pins cannot be used ({fault}); boardctl doctor says why") from None


def _give_lgpio_a_folder() -> None:
    """Where lgpio makes its pipe as it loads, by default the folder we are in: a folder of its own, gone at the end."""
    if "LG_WD" not in os.environ:
        os.environ["LG_WD"] = folder = tempfile.mkdtemp(prefix="boardctl-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
