"""How a board is wired, from its file: which header pin goes where, what to buy, what it draws, and a picture of it.

The numbers of the header are those of the 40-pin header of every Raspberry Pi since the B+ (raspberrypi.com, GPIO and
the 40-pin header). The currents of a pixel are in `lights`.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import NamedTuple

from hardware.board_file import (
    SPI,
    BoardFile,
    LinesWiring,
    MatrixWiring,
    MultiplexedWiring,
    Pixels,
    SerialWiring,
    named,
    pixel_spots,
    sensor_spots,
)
from hardware.lights import CHANNEL_MA, REST_MA

HEADER: dict[int, int] = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22, 11: 23,
    8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip
"""The header pin of every GPIO."""
POWER: dict[int, str] = {1: "3.3 V", 2: "5 V", 4: "5 V", 17: "3.3 V"}
GROUND = (6, 9, 14, 20, 25, 30, 34, 39)
HALL_MA = 6.0
"""Milliamps of a linear hall sensor (DRV5055 and SS49E, typical): too many of them for the 3.3 V of the header."""
COLOURS = ("brown", "red", "orange", "yellow", "green", "blue", "violet", "grey", "white", "black")
"""The wires of a ribbon, in their order."""


class Wire(NamedTuple):
    """One wire: from which pin of the header, which GPIO that is (None: power), where to, and its colour."""

    header: int
    gpio: int | None
    to: str
    colour: str


class Part(NamedTuple):
    """One line of the bill of materials."""

    number: int
    what: str


def wires(board: BoardFile) -> list[Wire]:
    """Every wire from the header, in the order in which one builds: sensors, panel, pixels, power."""
    ends = [*_sensor_ends(board), *_panel_ends(board), *_pixel_ends(board.pixels)]
    made = [Wire(HEADER[pin], pin, to, COLOURS[n % len(COLOURS)]) for n, (pin, to) in enumerate(ends)]
    return made + [Wire(header, None, to, colour) for header, to, colour in _power(board)]


def _sensor_ends(board: BoardFile) -> Iterator[tuple[int, str]]:
    sensors, spots = board.sensors, sensor_spots(board)
    match sensors:
        case MatrixWiring():
            across = len(sensors.columns)
            for n, pin in enumerate(sensors.rows):
                first, *_, last = named(spots[n * across : (n + 1) * across])
                yield pin, f"row {n + 1}, {first} to {last}"
            for n, pin in enumerate(sensors.columns):
                first, *_, last = named(spots[n::across])
                yield pin, f"column {n + 1}, {first} to {last}"
        case LinesWiring():
            yield from ((pin, f"switch {cell}") for pin, cell in zip(sensors.pins, named(spots), strict=True))
        case MultiplexedWiring():
            yield from ((pin, f"S{n} of all multiplexers") for n, pin in enumerate(sensors.select))
            lines = {"MISO": "DOUT", "MOSI": "DIN", "SCLK": "CLK", f"CE{sensors.device}": "CS"}
            held = {line: pin for pin, line in SPI[sensors.bus].items()}
            yield from ((held[line], f"{end} of the MCP3008") for line, end in lines.items())
        case SerialWiring():
            return


def _panel_ends(board: BoardFile) -> Iterator[tuple[int, str]]:
    yield from ((pin, f"button {word}, other side to ground") for word, pin in board.panel.items())


def _pixel_ends(pixels: Pixels | None) -> Iterator[tuple[int, str]]:
    if pixels is not None and pixels.through != "serial":
        yield pixels.pin, "data of the first pixel, through the level shifter and 330 ohm"


def _power(board: BoardFile) -> Iterator[tuple[int, str, str]]:
    if isinstance(board.sensors, SerialWiring):
        return
    yield GROUND[0], "ground, common to all", "black"
    if isinstance(board.sensors, MultiplexedWiring):
        yield 4, "5 V of the regulator; its 3.3 V is for halls, multiplexers and MCP3008", "red"
    if board.pixels is not None:
        yield 2, "5 V of the level shifter; the strip has its own supply", "red"


def parts(board: BoardFile) -> list[Part]:
    """What to buy, the Pi and its supply left out."""
    cells = board.grid.columns * board.grid.rows
    bought = [*_sensor_parts(board, cells)]
    if board.panel:
        bought.append(Part(len(board.panel), "push buttons"))
    if board.pixels is not None:
        bought += [
            Part(board.pixels.count, "NeoPixels (WS2812B or alike), 5 V"),
            Part(1, "level shifter 74AHCT125"),
            Part(1, "resistor, 330 to 470 ohm, at the first pixel's data"),
            Part(1, "capacitor, 1000 uF, 6.3 V or more, across the strip's supply"),
        ]
    return bought


def _sensor_parts(board: BoardFile, cells: int) -> Iterator[Part]:
    sensors = board.sensors
    switch = "push buttons, one a cell" if sensors.kind == "presses" else "reed switches, normally open"
    if isinstance(sensors, MultiplexedWiring):
        yield Part(cells, "linear hall sensors, ratiometric, 3.3 V (DRV5055A2 or alike)")
        yield Part(len(sensors.channels), "multiplexers 74HC4067, sixteen inputs")
        yield Part(1, "converter MCP3008")
        yield Part(cells, "magnets, one in each piece, poles towards its faces")
        yield Part(
            1, f"regulator from 5 V to 3.3 V, 1 A (LD1117V33 or alike): {HALL_MA * cells:g} mA for the halls"
        )
        return
    yield Part(cells, switch)
    if isinstance(sensors, MatrixWiring) and sensors.diodes:
        yield Part(cells, "diodes 1N4148, one at each switch, band towards the row")
    if isinstance(sensors, MatrixWiring) and sensors.pull_ups == "external":
        yield Part(len(sensors.columns), "resistors, 10 kilohm, column to 3.3 V")
    if isinstance(sensors, SerialWiring):
        yield Part(1, "microcontroller board with USB: firmware_bridge/README.md")
    if sensors.kind != "presses":
        yield Part(cells, "magnets, one in each piece")


def currents(board: BoardFile) -> list[str]:
    """What the pixels draw, line by line."""
    pixels = board.pixels
    if pixels is None:
        return ["no pixels: the board draws next to nothing"]
    return [
        f"at rest {REST_MA * pixels.count:g} mA: 1 mA a pixel",
        f"never more than {pixels.budget_ma:g} mA: brighter frames are dimmed as a whole (pixels.budget_ma)",
        f"{(REST_MA + 3 * CHANNEL_MA) * pixels.count / 1000:.2f} A if every pixel were white, which never happens",
    ]


def told(board: BoardFile) -> str:
    """All of it as text."""
    lines = [f"{board.name}, {board.grid.columns} by {board.grid.rows}", ""]
    lines += ["pin  GPIO  colour  goes to"]
    lines += [
        f"{wire.header:>3}  {'' if wire.gpio is None else wire.gpio:>4}  {wire.colour:<6}  {wire.to}"
        for wire in wires(board)
    ]
    lines += ["", "to buy", *(f"{part.number:>4}  {part.what}" for part in parts(board))]
    lines += ["", "current", *(f"      {line}" for line in currents(board))]
    if isinstance(board.sensors, SerialWiring):
        lines[2] = "one USB cable, from the microcontroller to the computer"
    return "\n".join(lines)


# The picture

_CELL, _PITCH, _TOP = 46, 13, 70
_PAINT = {"white": "#c9c9c9", "yellow": "#d9b400", "grey": "#8a8a8a"}


def drawing(board: BoardFile) -> str:
    """The board from above with the way of the wiring and of the strip, and the header beside it, as SVG."""
    across, down = board.grid.columns, board.grid.rows
    width, height = across * _CELL + 520, max(down * _CELL, 20 * _PITCH * 2) + _TOP + 40
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            'font-family="sans-serif" font-size="11" fill="none">',
            f'<rect width="{width}" height="{height}" fill="#fbf8f2"/>',
            f'<text x="20" y="30" font-size="18" fill="#222">{escape(board.name)}</text>',
            '<text x="20" y="48" fill="#555">from above: each cell with its sensor; the dashes are the strip</text>',
            *_cells(board),
            *_strip(board),
            *_header(board, across * _CELL + 130),
            "</svg>\n",
        ]
    )


def _middle(spot: tuple[int, int]) -> tuple[float, float]:
    return 20 + (spot[0] + 0.5) * _CELL, _TOP + (spot[1] + 0.5) * _CELL


def _cells(board: BoardFile) -> Iterator[str]:
    order = {spot: n for n, spot in enumerate(sensor_spots(board))}
    for spot, name in zip(board.grid.spots, named(board.grid.spots), strict=True):
        x, y = _middle(spot)
        yield (
            f'<rect x="{x - _CELL / 2:g}" y="{y - _CELL / 2:g}" width="{_CELL}" height="{_CELL}" '
            'stroke="#7a5c3e" fill="#efe3d0"/>'
        )
        yield f'<text x="{x - 19:g}" y="{y - 11:g}" fill="#333">{name}</text>'
        hangs = _line(board, order[spot])
        yield f'<text x="{x + 19:g}" y="{y + 19:g}" fill="#777" font-size="9" text-anchor="end">{hangs}</text>'


def _line(board: BoardFile, number: int) -> str:
    """Where the sensor of this number hangs: row and column, pin, or multiplexer and input."""
    match board.sensors:
        case MatrixWiring(columns=columns):
            return f"r{number // len(columns) + 1} c{number % len(columns) + 1}"
        case LinesWiring(pins=pins):
            return f"GPIO{pins[number]}"
        case MultiplexedWiring():
            return f"m{number // 16 + 1} i{number % 16}"
        case SerialWiring():
            return str(number + 1)


def _strip(board: BoardFile) -> Iterator[str]:
    """The way of the strip, a dot for every cell, the first one filled."""
    ways = sorted(pixel_spots(board).items(), key=lambda item: item[1].start)
    if not ways:
        return
    points = " ".join(f"{x:g},{y:g}" for x, y in (_middle(spot) for spot, _ in ways))
    yield f'<polyline points="{points}" stroke="#0072b2" stroke-width="2" stroke-dasharray="5 4"/>'
    for n, (spot, _) in enumerate(ways):
        x, y = _middle(spot)
        fill = "#0072b2" if n == 0 else "#ffffff"
        yield f'<circle cx="{x:g}" cy="{y:g}" r="5" stroke="#0072b2" stroke-width="2" fill="{fill}"/>'


def _header(board: BoardFile, left: int) -> Iterator[str]:
    """The header, two pins a line as on the Pi, each that is used with its wire and where it goes."""
    used = {wire.header: wire for wire in wires(board)}
    yield f'<text x="{left}" y="{_TOP - 8}" fill="#222">the header, pin 1 at the top left</text>'
    for pin in range(1, 41):
        side, line = (pin - 1) % 2, (pin - 1) // 2
        x, y = left + 120 + side * 16, _TOP + 8 + line * _PITCH * 2
        wire = used.get(pin)
        paint = "#e3ddd0" if wire is None else _PAINT.get(wire.colour, wire.colour)
        yield f'<circle cx="{x}" cy="{y}" r="6" stroke="#555" fill="{paint}"/>'
        if wire is not None:
            yield from _label(wire, x, y, side)


def _label(wire: Wire, x: int, y: int, side: int) -> Iterator[str]:
    towards, anchor = (1, "start") if side else (-1, "end")
    what = f"{wire.header}: {'' if wire.gpio is None else f'GPIO{wire.gpio} '}{_short(wire.to)}"
    paint = _PAINT.get(wire.colour, wire.colour)
    yield f'<path d="M{x + 6 * towards} {y}h{10 * towards}" stroke="{paint}" stroke-width="3"/>'
    place = f'x="{x + 20 * towards}" y="{y + 4}"'
    yield f'<text {place} fill="#222" text-anchor="{anchor}">{escape(what)}</text>'


def _short(to: str) -> str:
    """Where a wire goes, up to the first pause."""
    return to.split(",")[0].split(";")[0]
