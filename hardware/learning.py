"""Learns how a board is wired from touches: a pixel is lit, a hand touches the cell over it, a sensor answers.

Pure: it is told what closed and what was said, and answers what to ask next. At the end it knows which sensor and which
pixel belong to every cell, whether rows and columns are crossed or dead, where the strip begins and how it runs.
`wizard` does it at a real board.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import NamedTuple, get_args

from hardware.board_file import Along, Corner, Grid, Spot, named, wired

Sensor = int
"""The number of a sensor: for a matrix row times columns plus column, in the order of the pins in the file."""


class Ask(NamedTuple):
    """What to ask for: a sentence, the cell it is about if it is known by name, and the pixel to light."""

    say: str
    spot: Spot | None
    pixel: int | None


class Way(NamedTuple):
    """How a strip runs."""

    corner: Corner
    along: Along
    serpentine: bool


@dataclass(frozen=True, slots=True)
class Learnt:
    """What came out of it."""

    sensors: Mapping[Spot, Sensor]
    """The sensor under every cell that answered."""
    strip: Way | None
    """How the strip runs; None without pixels."""
    rows: tuple[int, ...]
    """The matrix's row lines from top to bottom (or left to right where `along` is columns), as numbers of the file."""
    columns: tuple[int, ...]
    """The matrix's column lines, likewise."""
    along: Along
    """Whether matrix rows run along rows of the board."""
    findings: tuple[str, ...]
    """What is wrong, each in a sentence with its remedy."""


@dataclass(slots=True)
class Lesson:
    """One run through the cells. `ask` says what is next, `felt` and `skip` answer it, `learnt` is the end."""

    grid: Grid
    lines: tuple[int, int] | None
    """How many row and column lines the matrix has; None where there is no matrix."""
    pixels: int
    """Pixels under the cells; 0 without a strip."""
    corners: dict[Spot, Sensor] = field(default_factory=dict)
    pairs: dict[int, Sensor] = field(default_factory=dict)
    """The sensor that answered to each pixel."""
    dark: list[int] = field(default_factory=list)
    """Pixels that nobody saw; their cells are asked for by name."""
    silent: list[int] = field(default_factory=list)
    """Pixels, or cells in reading order without a strip, whose cell did not answer."""
    ghosts: Counter[Sensor] = field(default_factory=Counter)
    """Sensors that closed together with the one that was touched."""

    @property
    def spots(self) -> list[Spot]:
        """The cells asked for by name: all without pixels; with them corners, and what pixels did not tell."""
        if not self.pixels:
            return self.grid.spots
        right, bottom = self.grid.columns - 1, self.grid.rows - 1
        corners = [(0, 0), (right, 0), (0, bottom)]
        if self.lines is None:  # no lines of a matrix will tell which way the strip turns
            corners += [(min(1, right), 0), (0, min(1, bottom))]
        return list(dict.fromkeys([*corners, *self._untold()]))

    def _untold(self) -> list[Spot]:
        """Once all pixels were lit: the cells over those that stayed dark; all, where the strip fits no way."""
        if len(self.pairs) + len(self.dark) + sum(n >= 0 for n in self.silent) < self.pixels:
            return []
        strip = self._strip()
        if strip is None:
            return self.grid.spots
        over = laid(self.grid, strip)
        return [over[pixel] for pixel in sorted(self.dark)]

    @property
    def ask(self) -> Ask | None:
        """What to ask for next; None when there is nothing left."""
        for spot in self.spots:
            if spot not in self.corners and self._number(spot) not in self.silent:
                return Ask(f"Touch {named([spot])[0]}.", spot, None)
        for pixel in self._lit_in_turn():
            if pixel not in self.pairs and pixel not in self.silent and pixel not in self.dark:
                return Ask("Touch the cell that is lit.", None, pixel)
        return None

    def _lit_in_turn(self) -> list[int]:
        """The pixels that may lie under corners first: when those are known, the rest can be foretold."""
        across, down = self.grid.columns, self.grid.rows
        ends = [end for end in (0, across - 1, down - 1, across, down) if end < self.pixels]
        last = self.pixels - 1
        return list(dict.fromkeys([*ends, *(last - end for end in ends), *range(self.pixels)]))

    @property
    def foretold(self) -> Spot | None:
        """Where the pixel lies that is asked for, if all ways of the strip that are left say the same."""
        asked = self.ask
        if asked is None or asked.pixel is None or len(self.corners) + len(self.silent) < len(self.spots):
            return None
        known = self._known()
        if len(known) < 3:
            return None
        places = {laid(self.grid, way)[asked.pixel] for way in ways() if self._fits(way, known)}
        return places.pop() if len(places) == 1 else None

    def _number(self, spot: Spot) -> int:
        return -1 - self.grid.spots.index(spot)

    def felt(self, closed: Iterable[Sensor]) -> None:
        """These sensors closed at the touch: the first is taken for the one touched, the others for its shadows."""
        touched, *others = closed
        self.ghosts.update(others)
        asked = self.ask
        if asked is None:
            return
        if asked.spot is not None:
            self.corners[asked.spot] = touched
        elif asked.pixel is not None:
            self.pairs[asked.pixel] = touched

    def unlit(self) -> None:
        """No light was seen: the pixel is dead, its cell need not be."""
        asked = self.ask
        if asked is not None and asked.pixel is not None:
            self.dark.append(asked.pixel)

    def skip(self) -> None:
        """Nothing answered to the touch: the sensor is dead."""
        asked = self.ask
        if asked is not None:
            self.silent.append(asked.pixel if asked.pixel is not None else self._number(asked.spot or (0, 0)))

    @property
    def progress(self) -> tuple[int, int]:
        """How many touches are done, of how many."""
        done = len(self.corners) + len(self.pairs) + len(self.silent) + len(self.dark)
        return done, len(self.spots) + self.pixels

    def learnt(self) -> Learnt:
        """What follows from all touches."""
        strip = self._strip()
        sensors = self._sensors(strip)
        along, rows, columns, crossed = _lines(sensors, self.lines) if self.lines else ("rows", (), (), [])
        findings = [*self._dead(sensors), *crossed, *self._shadows(sensors), *self._unseen(strip)]
        if self.pixels and strip is None:
            findings.append("The corners do not fit any way of the strip. Look at the order of its pieces.")
        return Learnt(sensors, strip, rows, columns, along, tuple(findings))

    def _strip(self) -> Way | None:
        """The way of the strip on which the corners lie under the pixels that answered there."""
        if not self.pixels:
            return None
        known = self._known()
        fitting = [way for way in ways() if self._fits(way, known)]
        return max(fitting, key=self._straight, default=None)

    def _known(self) -> dict[Spot, int]:
        """The pixels under the corners."""
        pixel_of = {sensor: pixel for pixel, sensor in self.pairs.items()}
        return {spot: pixel_of[sensor] for spot, sensor in self.corners.items() if sensor in pixel_of}

    def _fits(self, way: Way, known: Mapping[Spot, int]) -> bool:
        spots = laid(self.grid, way)
        return bool(known) and all(spots[pixel] == spot for spot, pixel in known.items())

    def _straight(self, way: Way) -> int:
        """How many sensors lie on lines of the matrix, if the strip runs so."""
        if self.lines is None:
            return 0
        spots = laid(self.grid, way)
        return _aligned({spots[pixel]: sensor for pixel, sensor in self.pairs.items()}, self.lines[1])

    def _sensors(self, strip: Way | None) -> dict[Spot, Sensor]:
        if strip is None:
            return dict(self.corners)
        spots = laid(self.grid, strip)
        return {**self.corners, **{spots[pixel]: sensor for pixel, sensor in self.pairs.items()}}

    def _dead(self, sensors: Mapping[Spot, Sensor]) -> Iterator[str]:
        """Whole lines that never answered, then single cells."""
        missing = [spot for spot in self.grid.spots if spot not in sensors]
        for what, at, length in (("row", 1, self.grid.columns), ("column", 0, self.grid.rows)):
            for line, count in Counter(spot[at] for spot in missing).items():
                if count == length and length > 1:
                    yield f"No cell of board {what} {line + 1} answers. Look at the wire of that line."
                    missing = [spot for spot in missing if spot[at] != line]
        for name in named(missing):
            yield f"{name} does not answer. Look at its switch and its diode, which may be the wrong way round."

    def _unseen(self, strip: Way | None) -> Iterator[str]:
        """Pixels that nobody saw, under their cells."""
        if strip is not None:
            over = laid(self.grid, strip)
            for name in named(over[pixel] for pixel in sorted(self.dark)):
                yield f"The pixel under {name} stays dark. Look at its joints and its data line."

    def _shadows(self, sensors: Mapping[Spot, Sensor]) -> Iterator[str]:
        where = {sensor: spot for spot, sensor in sensors.items()}
        for sensor, times in sorted(self.ghosts.items()):
            if times > 1 and sensor in where:
                yield f"{named([where[sensor]])[0]} answers for other cells. Look for a missing diode there."


@cache
def laid(grid: Grid, way: Way) -> Sequence[Spot]:
    """The places over the pixels of a strip that runs so."""
    return tuple(wired(grid, *way))


def ways() -> list[Way]:
    """Every way in which a strip can run."""
    return [Way(*way) for way in product(get_args(Corner), get_args(Along), (True, False))]


def _aligned(sensors: Mapping[Spot, Sensor], across: int) -> int:
    """How many cells lie in the row and the column in which most of their line's sensors lie."""
    return max(
        sum(_agreeing(sensors, across, axis, line) for axis, line in ((0, _column), (1, _row))),
        sum(_agreeing(sensors, across, axis, line) for axis, line in ((0, _row), (1, _column))),
    )


def _row(sensor: Sensor, across: int) -> int:
    """The row line of a sensor."""
    return sensor // across


def _column(sensor: Sensor, across: int) -> int:
    """The column line of a sensor."""
    return sensor % across


def _agreeing(
    sensors: Mapping[Spot, Sensor], across: int, axis: int, line: Callable[[Sensor, int], int]
) -> int:
    return sum(count.most_common(1)[0][1] for count in _by_line(sensors, across, axis, line).values())


def _by_line(
    sensors: Mapping[Spot, Sensor], across: int, axis: int, line: Callable[[Sensor, int], int]
) -> dict[int, Counter[int]]:
    """For every line of the matrix where its cells lie on the board, along this axis."""
    found: dict[int, Counter[int]] = {}
    for spot, sensor in sensors.items():
        found.setdefault(line(sensor, across), Counter())[spot[axis]] += 1
    return found


def _lines(
    sensors: Mapping[Spot, Sensor], lines: tuple[int, int]
) -> tuple[Along, tuple[int, ...], tuple[int, ...], list[str]]:
    """Which way the matrix lies, its lines in the order of the board, and what does not lie on its lines."""
    rows, columns = lines
    upright = _agreeing(sensors, columns, 1, _row) + _agreeing(sensors, columns, 0, _column)
    turned = _agreeing(sensors, columns, 0, _row) + _agreeing(sensors, columns, 1, _column)
    along: Along = "rows" if upright >= turned else "columns"
    row_axis = 1 if along == "rows" else 0
    places = {
        "row": _by_line(sensors, columns, row_axis, _row),
        "column": _by_line(sensors, columns, 1 - row_axis, _column),
    }
    crossed = list(_crossed(sensors, columns, row_axis, places))
    return (
        along,
        _ordered(places["row"], rows),
        _ordered(places["column"], columns),
        crossed,
    )


def _ordered(places: Mapping[int, Counter[int]], count: int) -> tuple[int, ...]:
    """Lines in the order of the board; one that never answered takes a place that is left."""
    at = {line: where.most_common(1)[0][0] for line, where in places.items()}
    free = iter(sorted(set(range(count)) - set(at.values())))
    for line in range(count):
        if line not in at:
            at[line] = next(free, count)
    return tuple(sorted(range(count), key=lambda line: (at[line], line)))


def _crossed(
    sensors: Mapping[Spot, Sensor],
    across: int,
    row_axis: int,
    places: Mapping[str, Mapping[int, Counter[int]]],
) -> Iterator[str]:
    """Cells whose sensor hangs on another line than its neighbours."""
    for spot, sensor in sorted(sensors.items(), key=lambda item: (item[0][1], item[0][0])):
        row = places["row"][sensor // across].most_common(1)[0][0]
        column = places["column"][sensor % across].most_common(1)[0][0]
        if (row, column) != (spot[row_axis], spot[1 - row_axis]):
            yield f"{named([spot])[0]} hangs on other lines than its neighbours. Two wires are crossed there."


def in_file(learnt: Learnt, rows: Sequence[int], columns: Sequence[int]) -> tuple[list[int], list[int]]:
    """The pins of the rows and columns in the order of the board, from those of the file."""
    return [rows[line] for line in learnt.rows], [columns[line] for line in learnt.columns]
