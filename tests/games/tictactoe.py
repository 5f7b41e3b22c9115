"""Tic-tac-toe: the worked example of `boardctl/games/README.md`, a whole game as a stranger would write it."""

from dataclasses import dataclass

from boardctl.core.model import Change, Move, Outcome, PlainGame, PlainPosition, chosen

CELLS = [column + row for row in "123" for column in "abc"]
LINES = [
    *(CELLS[n : n + 3] for n in (0, 3, 6)),
    *(CELLS[n::3] for n in (0, 1, 2)),
    CELLS[::4],
    CELLS[2:7:2],
]


@dataclass(frozen=True)
class Grid(PlainPosition):
    player: str
    pieces: dict

    def _won(self):
        rows = ({self.pieces.get(cell) for cell in line} for line in LINES)
        return next((row.pop() for row in rows if len(row) == 1 and None not in row), None)

    @property
    def outcome(self):
        if winner := self._won():
            return Outcome(winner, "three-in-a-row", {})
        return Outcome(None, "full", {}) if len(self.pieces) == 9 else None

    def moves(self):
        if self.outcome:
            return []
        return [Move(cell, (Change(cell, None, self.player),)) for cell in CELLS if cell not in self.pieces]

    def play(self, move):
        return Grid("O" if self.player == "X" else "X", self.pieces | {move.label: self.player})


class TicTacToe(PlainGame):
    name, title, about, options = "tictactoe", "Tic-tac-toe", "Three in a row.", {}
    points = {cell: (float(n % 3), float(n // 3)) for n, cell in enumerate(CELLS)}
    players = {"X": "X", "O": "O"}
    faces = {"X": "heads", "O": "tails"}
    letters = {"X": "X", "O": "O"}
    starts = (Grid("X", {}),)

    def game(self, options):
        chosen((), options)
        return self


class Rules(TicTacToe):
    options = ()


TICTACTOE = Rules()
