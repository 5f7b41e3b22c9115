"""Real games of Othello played by hands on the switches or halls of a wired board, whose contacts bounce."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from boardctl.core.events import Elapsed, Said
from boardctl.core.model import Side
from boardctl.core.session import Session, Setup
from boardctl.games.bracket import OTHELLO
from boardctl.replay import take
from hardware.board_file import BoardFile, cells_on, sensor_spots
from hardware.scanner import Scanned

GAME = OTHELLO.game({})
TABLE = Path(__file__).parent.parent / "data" / "games_wthor_1977_2025.tsv"

Lay = Callable[[int, Side | None], None]
"""Has a piece lie over the sensor of this number, this side up; or none."""


def recorded(row: int) -> list[str]:
    """The moves of a recorded game, without passes."""
    rows = [line.split("\t") for line in TABLE.read_text().splitlines() if not line.startswith(("#", "file"))]
    return re.findall("..", rows[row][-1])


def under(board: BoardFile) -> dict[str, int]:
    """The number of the sensor under every cell."""
    spots = sensor_spots(board)
    return {cell: spots.index(spot) for cell, spot in cells_on(board, GAME.points).items()}


class Hands:
    """Two players at a wired board."""

    def __init__(self, board: BoardFile, sensors: Scanned, lay: Lay, seed: int) -> None:
        self.session = Session(GAME, Setup(sensors=sensors.kind))
        self._numbers, self._sensors, self._lay, self._luck = under(board), sensors, lay, Random(seed)
        self._buttons = sensors.kind == "presses"
        self._lies: dict[str, Side | None] = {}
        self._now = 0.0

    def play(self, labels: Sequence[str]) -> list[str]:
        """A whole game; answers the moves that the board has recorded."""
        position = GAME.starts[0]
        if not self._buttons:
            for cell, piece in position.pieces.items():
                self._put(cell, GAME.faces[piece])
        self.session.opening()
        self._wait(0.5)
        for label in labels:
            if position.moves()[0].label == "pass":
                take(self.session, Said("pass"), self._now)
                position = position.play(position.moves()[0])
            move = next(move for move in position.moves() if move.label == label)
            for cell, before, after in move.changes:
                if self._buttons:
                    self._press(cell)
                    continue
                if before is not None:
                    self._bounce(cell, None)
                self._bounce(cell, None if after is None else GAME.faces[after])
            self._wait(0.5)
            position = position.play(move)
        return [ply.move.label for ply in self.session.table.record.plies if ply.move.label != "pass"]

    def _put(self, cell: str, side: Side | None) -> None:
        self._lay(self._numbers[cell], side)

    def _press(self, cell: str) -> None:
        self._bounce(cell, "heads")
        self._bounce(cell, None)

    def _bounce(self, cell: str, side: Side | None) -> None:
        """A piece comes or goes: its sensor wavers for some milliseconds, then rests for a tenth of a second."""
        before, self._lies[cell] = self._lies.get(cell), side
        for _ in range(self._luck.randrange(3)):
            self._put(cell, self._luck.choice([before, side]))
            self._wait(0.005)
        self._put(cell, side)
        self._wait(0.1)

    def _wait(self, seconds: float) -> None:
        """Ask every five milliseconds; the port scans when it is due."""
        for _ in range(round(seconds / 0.005)):
            self._now += 0.005
            for event in self._sensors.poll(self._now):
                take(self.session, event, self._now)
            take(self.session, Elapsed(), self._now)
