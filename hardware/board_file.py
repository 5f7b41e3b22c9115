"""A board as it is built: its cells, how its sensors and pixels are wired, and to which pins. Read from a TOML file.

`read` checks the form and then the sense: every pin has one user, every cell one sensor, every pixel a place. All
faults are told at once. Pins are numbered as the chip does (GPIO5), not as the header.

Facts about pins: GPIO0 and 1 belong to the EEPROM of a HAT, GPIO2 and 3 have fixed pull-ups for I2C, GPIO14 and 15
are the serial console; with SPI0 on, the kernel holds GPIO7 to 11, with SPI1 GPIO16 to 21 (raspberrypi.com,
documentation of config.txt and of the 40-pin header).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, TypeAlias

from pydantic import Field

from boardctl.core import events
from boardctl.core.model import Cell
from hardware.toml_form import Fault, Part, WrongFile, fitted, in_order, nearest, parsed

Spot: TypeAlias = tuple[int, int]
"""A place on the board: column and row, both from 0, from the top left as the players of the first side see it."""
Corner = Literal["top-left", "top-right", "bottom-left", "bottom-right"]
Along = Literal["rows", "columns"]
Pin = Annotated[int, Field(ge=0, le=27)]

BUTTONS = ("pass", "undo", "ok", "brax", "new")
"""The words that buttons of a panel may say; besides, the answers of a game (`heart`)."""

FIXED: Mapping[int, str] = {
    0: "the EEPROM of a HAT",
    1: "the EEPROM of a HAT",
    2: "I2C, with a pull-up of its own",
    3: "I2C, with a pull-up of its own",
    14: "the serial console",
    15: "the serial console",
}
"""Pins that belong to something else on every Pi."""
SPI: Mapping[str, Mapping[int, str]] = {
    "spi0": {7: "CE1", 8: "CE0", 9: "MISO", 10: "MOSI", 11: "SCLK"},
    "spi1": {16: "CE2", 17: "CE1", 18: "CE0", 19: "MISO", 20: "MOSI", 21: "SCLK"},
}
"""The lines of each bus; the kernel holds them all while the bus is on."""
PIXEL_PINS: Mapping[str, Sequence[int]] = {
    "spi": (10,),
    "pwm": (12, 13, 18, 19, 21),
    "pio": tuple(range(4, 28)),
}
"""Where pixels can be driven from, by what drives them."""


class Grid(Part):
    """How many cells the board has."""

    columns: Annotated[int, Field(ge=1, le=26, description="Cells in a row.")] = 8
    rows: Annotated[int, Field(ge=1, le=26, description="Rows.")] = 8

    @property
    def spots(self) -> list[Spot]:
        """Every place in reading order."""
        return [(x, y) for y in range(self.rows) for x in range(self.columns)]


class Place(Part):
    """Where a game that needs fewer cells lies on the board."""

    column: Annotated[int, Field(ge=1, le=26, description="Column of its first cell, from the left.")] = 1
    row: Annotated[int, Field(ge=1, le=26, description="Row of its first cell, from the top.")] = 1


class Wired(Part):
    """What all kinds of wiring have."""

    corner: Annotated[Corner, Field(description="The corner of the board where the wiring begins.")] = (
        "top-left"
    )
    along: Annotated[Along, Field(description="Whether it runs along rows or along columns first.")] = "rows"
    cells: Annotated[
        list[str] | None,
        Field(description="The cell of every sensor, where they keep no order; boardctl wizard writes it."),
    ] = None
    rate: Annotated[float, Field(ge=10, le=200, description="Scans a second while hands move.")] = 100.0
    idle_rate: Annotated[float, Field(ge=5, le=200, description="Scans a second on a quiet board.")] = 20.0
    hold: Annotated[
        float, Field(ge=0, le=5, description="Seconds a reading must stand before it counts.")
    ] = 0.03
    rest: Annotated[float, Field(ge=0, le=60, description="Seconds of quiet before the board is judged.")] = (
        0.3
    )


class MatrixWiring(Wired):
    """Switches at the crossings of rows and columns."""

    wiring: Literal["matrix"]
    kind: Annotated[
        Literal["presence", "presses"], Field(description="Reeds under the cells, or buttons.")
    ] = "presence"
    rows: Annotated[list[Pin], Field(min_length=1, description="The pins of the rows, which are driven low.")]
    columns: Annotated[list[Pin], Field(min_length=1, description="The pins of the columns, which are read.")]
    diodes: Annotated[bool, Field(description="Whether every switch has its diode.")] = True
    settle_us: Annotated[
        int, Field(ge=0, le=1000, description="Microseconds between driving a row and reading the columns.")
    ] = 30
    pull_ups: Annotated[
        Literal["internal", "external"], Field(description="What holds the columns high.")
    ] = "internal"


class LinesWiring(Wired):
    """One pin for each cell, in the order of the wiring; a closed switch pulls it low."""

    wiring: Literal["lines"]
    kind: Annotated[
        Literal["presence", "presses"], Field(description="Reeds under the cells, or buttons.")
    ] = "presence"
    pins: Annotated[list[Pin], Field(min_length=1, description="The pin of every cell.")]


class MultiplexedWiring(Wired):
    """Linear hall sensors behind 16:1 multiplexers, read by an MCP3008."""

    wiring: Literal["multiplexed"]
    kind: Literal["polarity"] = "polarity"
    select: Annotated[
        list[Pin],
        Field(min_length=4, max_length=4, description="The pins that choose one input of sixteen, S0 first."),
    ]
    channels: Annotated[
        list[Annotated[int, Field(ge=0, le=7)]],
        Field(min_length=1, max_length=8, description="The channels of the MCP3008, one a multiplexer."),
    ]
    bus: Annotated[Literal["spi0", "spi1"], Field(description="The bus the MCP3008 is on.")] = "spi1"
    device: Annotated[int, Field(ge=0, le=2, description="Its chip select.")] = 0
    threshold: Annotated[
        float,
        Field(gt=0, lt=1, description="How far from rest a reading means a disc; 1 is the whole scale."),
    ] = 0.08
    thresholds: Annotated[
        list[Annotated[float, Field(gt=0, lt=1)]] | None,
        Field(
            description="The same for every sensor, where one does not fit all; boardctl wizard writes it."
        ),
    ] = None
    hysteresis: Annotated[
        float, Field(ge=0, lt=1, description="How much nearer to rest it has to come to mean none again.")
    ] = 0.02
    settle_us: Annotated[
        int, Field(ge=0, le=1000, description="Microseconds between choosing an input and reading it.")
    ] = 20
    heads: Annotated[
        Literal["above", "below"], Field(description="On which side of rest a disc with heads up reads.")
    ] = "above"


class SerialWiring(Wired):
    """A microcontroller that scans and lights, on one cable."""

    wiring: Literal["serial"]
    kind: Annotated[
        Literal["presence", "polarity", "presses"], Field(description="What its sensors tell.")
    ] = "presence"
    port: Annotated[
        str | None, Field(min_length=1, description="The device file; by default the board is looked for.")
    ] = None
    baud: Annotated[int, Field(ge=9600, le=2_000_000, description="Bits a second.")] = 115_200


Sensors: TypeAlias = Annotated[
    MatrixWiring | LinesWiring | MultiplexedWiring | SerialWiring, Field(discriminator="wiring")
]


class Pixels(Part):
    """A strip of NeoPixels under the cells."""

    count: Annotated[int, Field(ge=1, le=1000, description="Pixels of the whole strip.")]
    through: Annotated[
        Literal["spi", "pwm", "pio", "serial"],
        Field(description="What drives them: SPI needs no root, PWM does, PIO is for a Pi 5."),
    ] = "spi"
    pin: Annotated[int, Field(ge=0, le=27, description="The pin of the data line.")] = 10
    order: Annotated[
        Literal["GRB", "RGB", "GRBW", "RGBW"], Field(description="The order of the colours in the strip.")
    ] = "GRB"
    corner: Annotated[Corner, Field(description="The corner of the board where the strip begins.")] = (
        "top-left"
    )
    along: Annotated[Along, Field(description="Whether it runs along rows or along columns first.")] = "rows"
    serpentine: Annotated[bool, Field(description="Whether every other line runs back.")] = True
    first: Annotated[int, Field(ge=0, le=999, description="Pixels before the first cell's.")] = 0
    per_cell: Annotated[int, Field(ge=1, le=16, description="Pixels under each cell.")] = 1
    brightness: Annotated[float, Field(gt=0, le=1, description="Of everything; 1 is all there is.")] = 0.6
    budget_ma: Annotated[
        float,
        Field(gt=0, le=20_000, description="Milliamps that a frame may take; one that would is dimmed."),
    ] = 500.0


class BoardFile(Part):
    """All there is to say of a board. `grid` and `place` have defaults; pixels and a panel may be missing."""

    name: Annotated[str, Field(min_length=1, description="What to call it.")] = "board"
    grid: Grid = Grid()
    place: Place = Place()
    sensors: Sensors
    panel: Annotated[
        Mapping[str, Pin], Field(description="Buttons beside the board: the word each says, and its pin.")
    ] = {}
    pixels: Pixels | None = None

    @property
    def kind(self) -> events.Sensors:
        """What the sensors tell."""
        return self.sensors.kind


class DoesNotFit(ValueError):
    """A game needs what this board does not have: why, and mostly what to do, parted by a semicolon."""


class NoBoard(RuntimeError):
    """A board cannot be used here: why, and what to do, parted by a semicolon."""


class Use(NamedTuple):
    """A pin and who uses it."""

    pin: int
    user: str


def presets() -> dict[str, Path]:
    """The board files that come with the package, by name: `reed-8x8`."""
    folder = Path(str(files("hardware") / "boards"))
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


def found(name: str) -> Path:
    """The file that a name means: a preset, or a path."""
    return presets().get(name.removesuffix(".toml"), Path(name))


def read(path: Path) -> BoardFile:
    """The board in a file. Raises `WrongFile` with every fault at once."""
    said = parsed(path)
    board, faults = fitted(BoardFile, said)
    if board is not None:
        faults = list(_faults(board))
    if board is None or faults:
        raise WrongFile(in_order(BoardFile, faults))
    return board


# Sense


def _faults(board: BoardFile) -> Iterator[Fault]:
    yield from _counts(board)
    yield from _each(board)
    yield from _pins(board)
    yield from _words(board)


def _counts(board: BoardFile) -> Iterator[Fault]:
    """Every cell has a sensor and a pixel."""
    cells = board.grid.columns * board.grid.rows
    across, down = board.grid.columns, board.grid.rows
    match board.sensors:
        case MatrixWiring(rows=rows, columns=columns, along=along):
            wanted = (down, across) if along == "rows" else (across, down)
            for key, pins, count in zip(("rows", "columns"), (rows, columns), wanted, strict=True):
                if len(pins) != count:
                    yield _off(f"sensors.{key}", len(pins), "pins", count, f"a grid of {across} by {down}")
        case LinesWiring(pins=pins) if len(pins) != cells:
            yield _off("sensors.pins", len(pins), "pins", cells, f"a grid of {across} by {down}")
        case MultiplexedWiring(channels=channels) if len(channels) * 16 < cells:
            yield _off("sensors.channels", len(channels), "channels", -(-cells // 16), f"{cells} cells")
    if (pixels := board.pixels) is not None and pixels.count < pixels.first + cells * pixels.per_cell:
        least = pixels.first + cells * pixels.per_cell
        yield Fault(
            "pixels.count", f"{pixels.count} pixels are too few", f"write {least} or more for {cells} cells"
        )
    if pixels is not None and pixels.through != "serial" and pixels.pin not in PIXEL_PINS[pixels.through]:
        possible = ", ".join(map(str, PIXEL_PINS[pixels.through]))
        what = f"GPIO{pixels.pin} cannot drive pixels through {pixels.through}"
        yield Fault("pixels.pin", what, f"write one of {possible}")
    if pixels is not None and (pixels.through == "serial") != isinstance(board.sensors, SerialWiring):
        yield Fault(
            "pixels.through",
            "sensors and pixels have to be on the same side of the cable",
            "write serial for both",
        )


def _each(board: BoardFile) -> Iterator[Fault]:
    """What is said of every sensor is said of each once."""
    cells = board.grid.columns * board.grid.rows
    if board.sensors.cells is not None and sorted(board.sensors.cells) != sorted(named(board.grid.spots)):
        yield Fault("sensors.cells", "they are not the cells of the grid", f"write each of the {cells} once")
    thresholds = board.sensors.thresholds if isinstance(board.sensors, MultiplexedWiring) else None
    if thresholds is not None and len(thresholds) != cells:
        yield _off("sensors.thresholds", len(thresholds), "thresholds", cells, f"{cells} cells")


def _off(key: str, given: int, what: str, wanted: int, why: str) -> Fault:
    return Fault(key, f"{given} {what}", f"write {wanted} for {why}")


def uses(board: BoardFile) -> list[Use]:
    """Every pin that the board takes, with what takes it."""
    return [*_sensor_uses(board.sensors), *_pixel_uses(board.pixels), *_panel_uses(board.panel)]


def _sensor_uses(sensors: Sensors) -> Iterator[Use]:
    match sensors:
        case MatrixWiring():
            yield from (Use(pin, f"sensors.rows {n}") for n, pin in enumerate(sensors.rows, 1))
            yield from (Use(pin, f"sensors.columns {n}") for n, pin in enumerate(sensors.columns, 1))
        case LinesWiring():
            yield from (Use(pin, f"sensors.pins {n}") for n, pin in enumerate(sensors.pins, 1))
        case MultiplexedWiring():
            yield from (Use(pin, f"sensors.select {n}") for n, pin in enumerate(sensors.select, 1))
            yield from (Use(pin, f"sensors.bus ({line})") for pin, line in SPI[sensors.bus].items())
        case SerialWiring():
            return


def _pixel_uses(pixels: Pixels | None) -> Iterator[Use]:
    if pixels is None or pixels.through == "serial":
        return
    if pixels.through == "spi":
        yield from (Use(pin, f"pixels.through (SPI, {line})") for pin, line in SPI["spi0"].items())
    else:
        yield Use(pixels.pin, "pixels.pin")


def _panel_uses(panel: Mapping[str, int]) -> Iterator[Use]:
    yield from (Use(pin, f"panel.{word}") for word, pin in panel.items())


def _pins(board: BoardFile) -> Iterator[Fault]:
    """No pin has two users, and none belongs to something else."""
    users: dict[int, str] = {}
    for pin, user in uses(board):
        if pin in FIXED:
            yield Fault(user, f"GPIO{pin} belongs to {FIXED[pin]}", f"write one of {_free(board)}")
        elif pin in users:
            yield Fault(user, f"GPIO{pin} is taken by {users[pin]}", f"write one of {_free(board)}")
        users.setdefault(pin, user)


def _free(board: BoardFile) -> str:
    taken = {use.pin for use in uses(board)} | FIXED.keys()
    free = [str(pin) for pin in range(28) if pin not in taken]
    return ", ".join(free) or "none, for all pins are taken"


def _words(board: BoardFile) -> Iterator[Fault]:
    for word in board.panel:
        if not word.isidentifier() or word != word.lower():
            yield Fault(f"panel.{word}", "no button says that", nearest(word, BUTTONS))


# Where everything is


def wired(grid: Grid, corner: Corner, along: Along, serpentine: bool = False) -> list[Spot]:
    """The places in the order of a wiring that begins at a corner and runs along rows, or along columns, first."""
    across = range(grid.columns) if corner.endswith("left") else range(grid.columns)[::-1]
    down = range(grid.rows) if corner.startswith("top") else range(grid.rows)[::-1]
    outer, inner = (down, across) if along == "rows" else (across, down)
    spots: list[Spot] = []
    for n, line in enumerate(outer):
        run = inner[::-1] if serpentine and n % 2 else inner
        spots += [(each, line) if along == "rows" else (line, each) for each in run]
    return spots


def sensor_spots(board: BoardFile) -> list[Spot]:
    """The place above each sensor, in the order of the wiring."""
    if board.sensors.cells is not None:
        return [spot_named(name) for name in board.sensors.cells]
    return wired(board.grid, board.sensors.corner, board.sensors.along)


def pixel_spots(board: BoardFile) -> dict[Spot, range]:
    """The pixels under each place; empty without pixels."""
    pixels = board.pixels
    if pixels is None:
        return {}
    spots = wired(board.grid, pixels.corner, pixels.along, pixels.serpentine)
    starts = range(pixels.first, pixels.first + len(spots) * pixels.per_cell, pixels.per_cell)
    return {spot: range(start, start + pixels.per_cell) for spot, start in zip(spots, starts, strict=True)}


def cells_on(board: BoardFile, points: Mapping[Cell, tuple[float, float]]) -> dict[Cell, Spot]:
    """The place of every cell of a game whose cells lie at these points. Raises `DoesNotFit`."""
    dx, dy = board.place.column - 1, board.place.row - 1
    spots: dict[Cell, Spot] = {}
    for cell, (x, y) in points.items():
        if x != int(x) or y != int(y):
            raise DoesNotFit(f"{cell} lies between the places of a grid")
        spots[cell] = (int(x) + dx, int(y) + dy)
    beyond = [cell for cell, spot in spots.items() if spot not in set(board.grid.spots)]
    if beyond:
        raise DoesNotFit(
            f"{beyond[0]} lies outside the {board.grid.columns} by {board.grid.rows} cells of the board"
        )
    return spots


def named(spots: Iterable[Spot]) -> list[str]:
    """Places as people call them: A1 at the top left."""
    return [f"{chr(ord('A') + x)}{y + 1}" for x, y in spots]


def spot_named(name: str) -> Spot:
    """The place that people call so: the opposite of `named`. Raises `ValueError`."""
    return ord(name[:1].upper() or " ") - ord("A"), int(name[1:]) - 1
