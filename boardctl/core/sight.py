"""What is believed to lie on every cell, from what sensors of any kind tell.

Halls see which side is up; reeds see only that something is there; a button says that a hand did something.
So the core keeps, for every cell, what lies there to the best of its knowledge, and which cells were touched
since the board was last in order. On reeds a disc lifted and set down may have been turned: `agrees` then holds
for either side, until a move uses the touch up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from boardctl.core.events import Sensors
from boardctl.core.model import Cell, Game, Piece, Side

ANY = "?"
"""A piece whose side is not seen."""
SHOWING: Mapping[Side, str] = {"heads": "?heads", "tails": "?tails"}
"""A piece of which only the side that is up is seen."""
STRANGER = "?stranger"
"""A piece that is not of this game: it agrees with nothing."""

Tags = frozenset[tuple[str, Side]]
"""All tagged pieces on a cell, each with the side that is up."""


class Sight:
    """The board as it lies, as far as `sensors` can tell."""

    def __init__(self, game: Game, sensors: Sensors, tags: Mapping[str, str]) -> None:
        self.sensors: Sensors = sensors
        self.lies: dict[Cell, Piece | None] = dict.fromkeys(game.points)
        """For every cell a piece, nothing (None), or one of the marks above."""
        self.changed: set[Cell] = set(game.points)
        """Cells of which `agrees` may answer otherwise than it did; whoever has looked at them clears it."""
        self.touched: dict[Cell, int] = {}
        """Cells changed since the board was last in order, first touched first: how often lifted and set down."""
        self.empty_since: dict[Cell, float] = {}
        """When a cell that is empty became so (seconds)."""
        self.filled_since: dict[Cell, float] = {}
        """When a piece last came to a cell that was empty (seconds)."""
        self.aside: dict[Cell, str] = {}
        """Cells set aside, and why: `set-aside` by word, `stuck`, `chatter`."""
        self._unknown: set[Cell] = set()
        self.wild: set[Cell] = set()
        """Cells that agree with anything: set aside, or unknown to the sensor."""
        self._lifted: dict[Cell, Piece] = {}
        self.displaced: set[Cell] = set()
        """Cells on which another piece of the same kind lies than when they were last in order: tags tell."""
        self._tag_on: dict[Cell, str] = {}
        self._rested: dict[Cell, tuple[Piece | None, str]] = {}
        """What lay on a cell when it was last in order, and its tag."""
        self._tags = tags
        self._game = game
        self._faces = game.faces
        self._shown: dict[str, Piece] = {
            "heads": self._seen("heads"),
            "tails": self._seen("tails"),
            "piece": ANY,
        }

    def _seen(self, side: Side) -> Piece:
        pieces = [piece for piece, face in self._faces.items() if face == side]
        return pieces[0] if len(pieces) == 1 else SHOWING[side]

    def agrees(self, cell: Cell, piece: Piece | None) -> bool:
        """Whether this may be what lies on the cell."""
        lies = self.lies[cell]
        if lies == piece or cell in self.wild:
            return True
        if lies is None or piece is None or lies == STRANGER:
            return False
        if lies == ANY or lies == SHOWING.get(self._faces[piece]):
            return True
        return self.sensors == "presence" and self.touched.get(cell, 0) > 0

    def differing(self, pieces: Mapping[Cell, Piece]) -> set[Cell]:
        """Cells that cannot lie as `pieces` says."""
        get, agrees = pieces.get, self.agrees
        return {cell for cell, lies in self.lies.items() if lies != get(cell) and not agrees(cell, get(cell))}

    def piece_on(self, cell: Cell) -> Piece | None:
        """The piece known to lie there; None where there is none or its side is not seen."""
        lies = self.lies[cell]
        return lies if lies in self._faces else None

    def may_be(self, cell: Cell) -> frozenset[Piece]:
        """All pieces that may lie there, as far as the sensor can tell; none where it is empty or holds a stranger."""
        lies = self.lies[cell]
        if lies is None or lies in self._faces:
            return frozenset() if lies is None else frozenset({lies})
        return frozenset(piece for piece, side in self._faces.items() if lies in (ANY, SHOWING[side]))

    def other_side(self, cell: Cell, want: Piece) -> bool:
        """Whether what lies there shows `want` when it is turned over, as far as anybody knows."""
        if cell in self.displaced:
            return False
        turned = self._game.turned
        return any(turned(piece) == want or turned(want) == piece for piece in self.may_be(cell))

    def unmoved(self, cell: Cell) -> bool:
        """Whether the piece there may be the one that lay there when the board was last in order: tags tell."""
        return cell not in self._rested or self._tag_on.get(cell, "") == self._rested[cell][1]

    def accept_displaced(self) -> None:
        """It does not matter which of several pieces of a kind lies where."""
        for cell in self.displaced:
            self._rested[cell] = (self.lies[cell], self._tag_on.get(cell, ""))
        self.displaced.clear()

    def read(self, cell: Cell, reading: str | Tags, at: float) -> None:
        """A reading counts: from now on the cell lies so."""
        if reading == "unknown":
            self._unknown.add(cell)
            self._spread()
            return
        if cell in self._unknown:
            self._unknown.discard(cell)
            self._spread()
        self._lay(cell, self._lying(cell, reading), at)

    def _lying(self, cell: Cell, reading: str | Tags) -> Piece | None:
        self._tag_on.pop(cell, None)
        if reading == "empty" or not reading:
            return None
        if isinstance(reading, str):
            return self._shown[reading] if reading != "piece" or self.lies[cell] is None else self.lies[cell]
        if len(reading) > 1:
            return ANY
        tag, side = next(iter(reading))
        self._tag_on[cell] = tag
        return self._game.carried(self._tags[tag], side) if tag in self._tags else STRANGER

    def _lay(self, cell: Cell, piece: Piece | None, at: float) -> None:
        was = self.lies[cell]
        self.changed.add(cell)
        self.touched.setdefault(cell, 0)
        if piece is None and was is not None:
            self._lifted[cell] = was
            self.empty_since[cell] = at
        elif piece is not None and was is None:
            self.empty_since.pop(cell, None)
            self.filled_since[cell] = at
            piece = self._returned(cell, piece)
        self.lies[cell] = piece
        kind, tag = self._rested.get(cell, (None, ""))
        if piece is not None and piece == kind and self._tag_on.get(cell, tag) != tag:
            self.displaced.add(cell)
        else:
            self.displaced.discard(cell)

    def _returned(self, cell: Cell, piece: Piece) -> Piece:
        """What now lies on a cell that was empty: where no side is seen, what was lifted from it before."""
        if cell not in self._lifted:
            return piece
        self.touched[cell] += 1
        return self._lifted[cell] if piece == ANY else piece

    def place(self, cell: Cell, at: float) -> None:
        """A finger says that a piece was put on this empty cell: any, whatever was taken from it before."""
        self._lifted.pop(cell, None)
        self._lay(cell, ANY, at)

    def take(self, cell: Cell, at: float) -> None:
        """A finger says that the piece on this cell was taken."""
        self._lay(cell, None, at)

    def turn(self, cell: Cell) -> None:
        """A finger says that the piece on this cell was turned over."""
        self._put(cell, self._other_side(self.lies[cell]))

    def move(self, start: Cell, end: Cell, at: float) -> None:
        """Two fingers say that a piece went from cell to cell, and that what it met there was taken."""
        piece = self.lies[start]
        self._lay(start, None, at)
        self._put(end, piece)

    def exchange(self, one: Cell, other: Cell) -> None:
        """Two fingers say that the pieces on these cells changed places."""
        piece = self.lies[one]
        self._put(one, self.lies[other])
        self._put(other, piece)

    def _put(self, cell: Cell, piece: Piece | None) -> None:
        self.touched.setdefault(cell, 0)
        self.empty_since.pop(cell, None)
        self.believe(cell, piece)

    def _other_side(self, piece: Piece | None) -> Piece | None:
        """What a piece shows when it is turned; only its side where nobody knows more."""
        sides = {mark: side for side, mark in SHOWING.items()}
        side = self._faces.get(piece or "", sides.get(piece or ""))
        if piece is None or side is None:
            return piece
        known = self._game.turned(piece) if piece in self._faces else None
        return known or self._shown["tails" if side == "heads" else "heads"]

    def believe(self, cell: Cell, piece: Piece | None) -> None:
        """Take it that this lies there: the record says so and the sensors cannot tell, or agree."""
        self.lies[cell] = piece
        self.changed.add(cell)

    def doubt(self, cell: Cell) -> None:
        """Of the piece there only the side that is up is sure."""
        lies = self.lies[cell]
        if lies is not None and lies in self._faces:
            self.believe(cell, SHOWING[self._faces[lies]])

    def spend(self, cell: Cell, piece: Piece | None) -> None:
        """Use up one touch of a cell for the turn that it stands for: now `piece` lies there."""
        if self.touched.get(cell, 0) > 0:
            self.touched[cell] -= 1
        self.lies[cell] = piece
        self.changed.add(cell)

    def settle(self, pieces: Mapping[Cell, Piece]) -> None:
        """The board is in order: it lies as `pieces` says, and all touches are forgotten."""
        self.forget(list(self.touched), pieces)

    def forget(self, cells: Iterable[Cell], pieces: Mapping[Cell, Piece]) -> None:
        """What was done on these cells came to nothing: they lie as `pieces` says."""
        for cell in cells:
            if cell not in self.wild:
                self.lies[cell] = pieces.get(cell)
            self._rested[cell] = (self.lies[cell], self._tag_on.get(cell, ""))
            self.changed.add(cell)
            self.displaced.discard(cell)
            self.touched.pop(cell, None)
            self._lifted.pop(cell, None)

    def forget_touches(self) -> None:
        """What hands did so far counts for nothing that comes: the board is to be laid anew."""
        self.changed |= self.touched.keys()
        self.touched.clear()
        self._lifted.clear()

    def set_aside(self, cell: Cell, cause: str) -> None:
        """Believe this cell's sensor no more."""
        self.aside[cell] = cause
        self._spread()

    def take_back(self, cell: Cell) -> None:
        """Believe this cell's sensor again. Raises KeyError where it is not set aside."""
        del self.aside[cell]
        self._spread()

    def _spread(self) -> None:
        wild = self._unknown | self.aside.keys()
        self.changed |= wild ^ self.wild
        self.wild = wild
