"""What a press of the button under a cell means: buttons have no state, so every press is one change of its cell.

Where pieces are put down, an empty cell gets one and a piece is turned, or taken if it should not be there. Where
pieces move, the cell left is pressed and then the cell reached; where they are exchanged, the two in any order. What
is owed is paid by pressing its cell.
"""

from __future__ import annotations

from boardctl.core.debounce import SOON
from boardctl.core.model import Cell
from boardctl.core.table import Table

FIRST_STANDS = 5.0
"""Seconds for which the first press of a piece that moves waits for the second."""


class Presses:
    """The presses at one table."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.first: Cell | None = None
        """The cell whose piece is to move, until the cell it goes to is pressed."""
        self.wake_at: float | None = None
        """When that will be forgotten (seconds)."""

    def forget(self, now: float) -> bool:
        """Forget a first press that has waited too long. Answers whether there was one."""
        if self.wake_at is None or self.wake_at > now + SOON:
            return False
        self._forget()
        return True

    def _forget(self) -> None:
        self.first = self.wake_at = None

    def press(self, cell: Cell, now: float) -> None:
        """The button under a cell was pressed."""
        table, sight = self._table, self._table.sight
        if sight.lies[cell] is None and self.first is None:
            sight.place(cell, now)
        elif table.game.hands == "put" or self._pays(cell) or self._stray(cell):
            self._change(cell, now)
        elif self._turns(cell):
            self._forget()
            sight.turn(cell)
        else:
            self._choose(cell, now)

    def _change(self, cell: Cell, now: float) -> None:
        if cell in self._table.record.pieces and not self._is_to_go(cell):
            self._table.sight.turn(cell)
        else:
            self._table.sight.take(cell, now)

    def _is_to_go(self, cell: Cell) -> bool:
        """Whether another piece stands where one was taken, and has to leave first."""
        table, debt = self._table, self._table.told_owed.cells.get(cell)
        another = table.sight.lies[cell] != table.record.pieces.get(cell)
        return debt is not None and debt.do == "take" and another and table.game.hands == "move"

    def _pays(self, cell: Cell) -> bool:
        """Whether the piece on this cell is owed something that one press does."""
        debt = self._table.told_owed.cells.get(cell)
        return debt is not None and (debt.do in ("turn", "confirm") or self._is_to_go(cell))

    def _stray(self, cell: Cell) -> bool:
        return self.first is None and cell not in self._table.record.pieces

    def _turns(self, cell: Cell) -> bool:
        """Whether a move turns the piece on this cell where it lies."""
        acts = [move.act for move in self._table.record.moves if len(move.act) == 1]
        return any(act[0].cell == cell and None not in act[0] for act in acts)

    def _choose(self, cell: Cell, now: float) -> None:
        sight, first = self._table.sight, self.first
        if first is None or (self._table.game.hands == "move" and sight.lies[cell] == sight.lies[first]):
            self.first, self.wake_at = cell, now + FIRST_STANDS
            return
        self._forget()
        if first == cell:
            return
        if self._table.game.hands == "move":
            sight.move(first, cell, now)
        else:
            sight.exchange(first, cell)
