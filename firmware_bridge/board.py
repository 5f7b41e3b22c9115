"""A board on a cable out of its file: sensors and lights behind their ports, and what people should know of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

from boardctl.core.model import Cell
from hardware.board_file import (
    BoardFile,
    DoesNotFit,
    NoBoard,
    SerialWiring,
    cells_on,
    pixel_spots,
    sensor_spots,
)
from hardware.legend import Palette
from hardware.strip import NoLights, StripLights
from hardware.wired import refusal

if TYPE_CHECKING:
    from firmware_bridge.cables import Cables
    from firmware_bridge.conversation import Expected
    from firmware_bridge.link import Cabled, Link


class OnCable(NamedTuple):
    """What a board file comes to."""

    sensors: Cabled
    lights: NoLights | StripLights
    link: Link

    def findings(self) -> list[str]:
        """What looks wrong with it just now, each in a sentence."""
        if (fault := self.link.fault) is not None:
            return [f"{fault[0].upper()}{fault[1:]}."]
        return [*filter(None, [self.lights.finding]), *self.sensors.findings]


def built(
    board: BoardFile,
    points: Mapping[Cell, tuple[float, float]],
    palette: Palette,
    *,
    cables: Cables | None = None,
    tell: Callable[[str], None] = lambda _: None,
    factory: Any = None,
) -> OnCable:
    """The board of a file that says `wiring = "serial"`, for a game with these cells. It may be plugged in later.

    `cables`: where it is looked for, by default this computer's ports; `tell`: what is given sentences for people, by
    default the log; `factory`: gpiozero's, for the buttons of a panel. Raises `DoesNotFit` or `NoBoard`.
    """
    if (why := refusal(board, points, 0)) is not None:
        raise DoesNotFit(why)
    cables = cables or _this_computers(board)
    from firmware_bridge.link import Cabled, Link

    spots, cells = sensor_spots(board), cells_on(board, points)
    under = {cell: spots.index(spot) for cell, spot in cells.items()}
    panel = _panel(board, factory) if board.panel else None
    link = Link(cables, expected(board), tell=tell)
    pixels = {cell: pixel_spots(board)[spot] for cell, spot in cells.items()} if board.pixels else {}
    return OnCable(Cabled(link, board.kind, under, panel=panel), _lights(board, link, pixels, palette), link)


def expected(board: BoardFile) -> Expected:
    """What the board has to say of itself to be this one."""
    from firmware_bridge.conversation import Expected
    from firmware_bridge.protocol import Kind

    across, down = board.grid.columns, board.grid.rows
    rows, columns = (down, across) if board.sensors.along == "rows" else (across, down)
    pixels = board.pixels.count if board.pixels else 0
    return Expected(rows, columns, Kind[board.kind.upper()], pixels)


def _this_computers(board: BoardFile) -> Cables:
    """The ports of this computer. Raises `NoBoard` without the libraries for them."""
    missing = [
        name for name, module in (("pyserial", "serial"), ("cobs", "cobs")) if find_spec(module) is None
    ]
    if missing:
        raise NoBoard(f"{' and '.join(missing)} not installed; pip install 'boardctl[serial]'")
    from firmware_bridge.cables import SerialPorts

    assert isinstance(board.sensors, SerialWiring)
    return SerialPorts(board.sensors.port, board.sensors.baud)


def _panel(board: BoardFile, factory: Any) -> Any:
    from hardware.matrix import Buttons
    from hardware.wired import lgpio_factory

    return Buttons(board.panel, pin_factory=factory or lgpio_factory())


def _lights(
    board: BoardFile, link: Link, under: Mapping[Cell, range], palette: Palette
) -> NoLights | StripLights:
    from firmware_bridge.link import CabledStrip

    pixels = board.pixels
    if pixels is None:
        return NoLights()
    return StripLights(
        CabledStrip(link),
        pixels.count,
        under,
        palette,
        budget_ma=pixels.budget_ma,
        brightness=pixels.brightness,
    )
