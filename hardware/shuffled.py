"""A simulated board that somebody wired as they pleased: lines in any order, turned, the strip from any corner.

It scans like the real one and shows what its strip is told, so that the wizard can be tried without a board and
driven in tests. What is wrong with it is said or left to chance.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from random import Random

from hardware.board_file import BoardFile, MatrixWiring, MultiplexedWiring, Spot, wired
from hardware.ghosts import spread
from hardware.learning import Sensor, ways
from hardware.lights import DARK, Pixel
from hardware.scanner import Seen


@dataclass(frozen=True, slots=True)
class Faults:
    """What is wrong with a board."""

    dead: frozenset[Spot] = frozenset()
    """Cells whose switch or hall never answers."""
    bare: frozenset[Spot] = frozenset()
    """Cells whose diode is missing."""
    backwards: frozenset[Spot] = frozenset()
    """Cells whose diode is the wrong way round."""
    crossed: tuple[tuple[Spot, Spot], ...] = ()
    """Pairs of cells whose wires changed places."""
    dark: frozenset[Spot] = frozenset()
    """Cells whose pixel stays dark."""
    turned: frozenset[Spot] = frozenset()
    """Cells whose hall lies upside down."""


def by_chance(board: BoardFile, seed: int) -> Faults:
    """A dead cell, a missing diode, two crossed wires and a dark pixel, somewhere inside; a small board has fewer."""
    spots = [spot for spot in board.grid.spots if spot[0] and spot[1]]
    drawn = Random(seed).sample(spots, min(5, len(spots)))
    crossed = ((drawn[2], drawn[3]),) if len(drawn) > 3 else ()
    return Faults(frozenset(drawn[:1]), frozenset(drawn[1:2]), crossed=crossed, dark=frozenset(drawn[4:]))


class Shuffled:
    """The board: a `Scanner` and a `Strip`. `touch` and `clear` are hands; `lit` is what eyes see."""

    def __init__(self, board: BoardFile, seed: int, faults: Faults = Faults()) -> None:  # a value
        """`board` says what there is, `seed` how it is wired."""
        chance = Random(seed)
        self.board, self.faults = board, faults
        self.sensors: dict[Spot, Sensor] = _wires(board, chance)
        for one, other in faults.crossed:
            self.sensors[one], self.sensors[other] = self.sensors[other], self.sensors[one]
        self.way = chance.choice(ways())
        self.pixels: dict[Spot, int] = {spot: n for n, spot in enumerate(wired(board.grid, *self.way))}
        self.swapped = chance.random() < 0.5
        """Whether red and green of the strip are the other way than the file has them."""
        self.pole = chance.choice((1, -1))
        """Which way heads move a hall."""
        self._pull = {spot: chance.uniform(0.09, 0.25) for spot in board.grid.spots}
        self._lying: dict[Spot, int] = {}
        self._shown: Sequence[Pixel] = ()

    # Hands and eyes

    def touch(self, spot: Spot, side: int = 1) -> None:
        """A piece lies there, or a finger; `side` 1 is heads."""
        self._lying[spot] = side

    def clear(self, *spots: Spot) -> None:
        """These are taken off; all, if none is named."""
        for spot in spots or list(self._lying):
            self._lying.pop(spot, None)

    @property
    def lying(self) -> Set[Spot]:
        """Where something lies."""
        return self._lying.keys()

    def lit(self) -> list[tuple[Spot, str]]:
        """The cells that are lit, with their colour."""
        pixels = self.board.pixels
        if pixels is None or not self._shown:
            return []
        first = {spot: pixels.first + n * pixels.per_cell for spot, n in self.pixels.items()}
        return [
            (spot, self._colour(self._shown[at]))
            for spot, at in first.items()
            if self._shown[at] != DARK and spot not in self.faults.dark
        ]

    def _colour(self, pixel: Pixel) -> str:
        red, green, blue = pixel
        if self.swapped:
            red, green = green, red
        return "white" if red and green and blue else "red" if red else "green"

    # The scanner

    def scan(self) -> Seen:
        """Every sensor, as the port says."""
        if isinstance(self.board.sensors, MatrixWiring):
            return Seen(self._matrix(len(self.board.sensors.columns)))
        answering = {self.sensors[spot]: spot for spot in self._lying if spot not in self.faults.dead}
        if not isinstance(self.board.sensors, MultiplexedWiring):
            return Seen(spread(answering))
        above = [sensor for sensor in answering if self.away(sensor) > 0]
        return Seen(spread(above), spread(answering.keys() - set(above)))

    def _matrix(self, across: int) -> int:
        """Current from each row through closed switches, the straight way and through switches without a diode."""
        faults = self.faults
        closed = {divmod(self.sensors[spot], across): spot for spot in self._lying if spot not in faults.dead}
        onward = [at for at, spot in closed.items() if spot not in faults.backwards]
        back = [at for at, spot in closed.items() if spot in faults.bare | faults.backwards]
        seen = 0
        for row in range(-(-len(self.sensors) // across)):
            rows, columns = {row}, set[int]()
            while True:
                reached = {column for r, column in onward if r in rows}
                further = rows | {r for r, column in back if column in reached}
                if (further, reached) == (rows, columns):
                    break
                rows, columns = further, reached
            seen |= spread(row * across + column for column in columns)
        return seen

    def away(self, sensor: Sensor) -> float:
        """How far from its rest a hall reads."""
        for spot, side in self._lying.items():
            if self.sensors[spot] == sensor and spot not in self.faults.dead:
                turned = -1 if spot in self.faults.turned else 1
                return side * turned * self.pole * self._pull[spot]
        return 0.0

    def write(self, pixels: Sequence[Pixel]) -> None:
        """As the port of a strip says."""
        self._shown = list(pixels)

    def close(self) -> None:
        """Nothing is to be let go of."""


def _wires(board: BoardFile, chance: Random) -> dict[Spot, Sensor]:
    """Which sensor lies under every cell, as chance has wired it."""
    spots = board.grid.spots
    if not isinstance(board.sensors, MatrixWiring):
        return dict(zip(spots, chance.sample(range(len(spots)), len(spots)), strict=True))
    rows, columns = len(board.sensors.rows), len(board.sensors.columns)
    turned = board.sensors.along == "columns" if rows != columns else chance.random() < 0.5
    row_at, column_at = chance.sample(range(rows), rows), chance.sample(range(columns), columns)
    return {
        (row_at[r], column_at[c]) if turned else (column_at[c], row_at[r]): r * columns + c
        for r in range(rows)
        for c in range(columns)
    }
