"""Ghosts in a matrix of switches: where they come from, which diode is to blame, what can be done without diodes.

Current that may flow both ways through closed switches shows a switch as closed that is open: the fourth corner of a
rectangle of rows and columns whose other three are closed. The corner opposite to the ghost is the one that let
current through backwards. Pure functions of what scans saw; sensors are numbered row by row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Literal, NamedTuple

WITHOUT_DIODES = 3
"""The most pieces that a matrix without diodes is trusted with."""
REPEATS = 3
"""How often a ghost has to come or go together with a real change before a diode is blamed."""
SURELY = 0.6
"""The part of the most blames that a likely suspect has; what only stands beside it has about half."""
MOST_AT_ONCE = 8
"""More changes than these in one scan are hands that lay or clear a board, and prove nothing."""

Corners = tuple[int, int, int, int]
"""Four sensors: top left, top right, bottom left, bottom right."""


class NeedsDiodes(ValueError):
    """A game lays more pieces than a matrix without diodes can tell apart."""


class Suspect(NamedTuple):
    """A switch whose diode looks wrong."""

    number: int
    fault: Literal["missing", "reversed"]


def refuse_without_diodes(pieces: int) -> None:
    """Raises `NeedsDiodes` for a game with so many pieces at once, if a matrix without diodes would misread it."""
    if pieces > WITHOUT_DIODES:
        raise NeedsDiodes(
            f"this game has up to {pieces} pieces on the board at once, and a matrix without diodes shows some that "
            f"are not there as soon as more than {WITHOUT_DIODES} lie on it; "
            "solder a diode to every switch and write diodes = true in the board file"
        )


def rectangles(closed: int, columns: int) -> list[Corners]:
    """All rectangles whose four corners are closed, in a matrix with so many columns."""
    rows = _rows(closed, columns)
    found: list[Corners] = []
    for (top, above), (bottom, below) in combinations(rows.items(), 2):
        for left, right in combinations(numbers(above & below), 2):
            upper, lower = top * columns, bottom * columns
            found.append((upper + left, upper + right, lower + left, lower + right))
    return found


def told_apart(before: int, after: int, columns: int) -> int:
    """What a matrix without diodes may be believed: corners of a rectangle stay what they were before it came up."""
    doubtful = spread(corner for corners in rectangles(after, columns) for corner in corners)
    return (after & ~doubtful) | (before & doubtful)


class Ghosts:
    """Finds the diodes that are missing or reversed in a matrix that should have one at every switch.

    A ghost closes and opens in the same scan as a real switch of its rectangle, whoever moves the pieces, and each
    time the blame falls on the corner opposite to it. A switch that was seen to stop a ghost is innocent.
    """

    def __init__(self, columns: int) -> None:
        self._columns = columns
        self._blamed: Counter[Suspect] = Counter()
        self._innocent: dict[str, int] = {"missing": 0, "reversed": 0}
        """The switches, as bits, that were seen to work."""
        self._judged = 0

    @property
    def suspects(self) -> list[Suspect]:
        """The switches that were blamed often enough, and not much less often than another."""
        enough = max(REPEATS, max(self._blamed.values(), default=0) / 4)
        return sorted(suspect for suspect, times in self._blamed.items() if times >= enough)

    @property
    def proven(self) -> int:
        """The switches, as bits, whose diode was seen to stop a ghost."""
        return self._innocent["missing"]

    @property
    def likely(self) -> list[Suspect]:
        """The suspects that explain most; the others may only stand beside one of these."""
        most = max(self._blamed.values(), default=0)
        return [suspect for suspect in self.suspects if self._blamed[suspect] > most * SURELY]

    def look(self, before: int, after: int) -> None:
        """One scan after another."""
        if before == after:
            self._acquit(after)
            return
        closed = before | after
        if (before ^ after).bit_count() == 1:
            self._innocent["reversed"] |= after & ~before  # what closes alone is no ghost, and is seen
        if closed in (before, after) and 2 <= (before ^ after).bit_count() <= MOST_AT_ONCE:
            blamed = set(self._to_blame(before ^ after, closed))
            self._blamed.update(each for each in blamed if not self._works(each))

    def _works(self, suspect: Suspect) -> bool:
        return bool(self._innocent[suspect.fault] >> suspect.number & 1)

    def _to_blame(self, changed: int, closed: int) -> Iterator[Suspect]:
        """Every switch that explains one of the changes as the ghost of another."""
        rows = _rows(closed, self._columns)
        for ghost in numbers(changed):
            row, column = divmod(ghost, self._columns)
            for other_row, across in rows.items():
                if other_row == row or not across >> column & 1:
                    continue
                for other_column in numbers(rows[row] & ~(1 << column)):
                    opposite = other_row * self._columns + other_column
                    real = spread([row * self._columns + other_column, other_row * self._columns + column])
                    if changed & (real | 1 << opposite):
                        yield Suspect(opposite, "missing" if closed >> opposite & 1 else "reversed")

    def _acquit(self, seen: int) -> None:
        """A board at rest shows whose diode works, for good: diodes do not come loose and back."""
        if seen == self._judged:
            return
        self._judged = seen
        self._innocent["missing"] |= spread(number for number in numbers(seen) if self._stops(number, seen))
        for suspect in [each for each in self._blamed if self._works(each)]:
            del self._blamed[suspect]

    def _stops(self, number: int, seen: int) -> bool:
        """Whether a closed switch keeps a ghost away: both its neighbours are closed, the fourth corner is not."""
        rows = _rows(seen, self._columns)
        row, column = divmod(number, self._columns)
        beside = rows[row] & ~(1 << column)
        return any(
            other != row and across >> column & 1 and beside & ~across for other, across in rows.items()
        )


def _rows(closed: int, columns: int) -> dict[int, int]:
    """The columns closed in each row that has any."""
    mask = (1 << columns) - 1
    rows = ((row, closed >> row * columns & mask) for row in range(-(-closed.bit_length() // columns)))
    return {row: across for row, across in rows if across}


def numbers(bits: int) -> list[int]:
    """The numbers of the bits that are set."""
    return [number for number in range(bits.bit_length()) if bits >> number & 1]


def spread(wanted: Iterable[int]) -> int:
    """The bits with these numbers."""
    bits = 0
    for number in wanted:
        bits |= 1 << number
    return bits
