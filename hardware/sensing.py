"""From a board file to sensors that work: what scans them, the panel beside them, and the port over both."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from boardctl.core.model import Cell
from hardware import lines
from hardware.board_file import (
    BoardFile,
    LinesWiring,
    MatrixWiring,
    MultiplexedWiring,
    SerialWiring,
    cells_on,
    sensor_spots,
)
from hardware.ghosts import refuse_without_diodes
from hardware.halls import halls
from hardware.matrix import Buttons, Wait, matrix, spin, switches
from hardware.scanner import Scanned, Scanner, Wiring


class OnCable(ValueError):
    """The sensors of this board are on a cable, not on pins of this machine."""


def sensors(
    board: BoardFile,
    points: Mapping[Cell, tuple[float, float]],
    pieces: int,
    *,
    pin_factory: Any,
    wait: Wait = spin,
    stopwatch: Callable[[], float] = time.perf_counter,
) -> Scanned:
    """The sensors of a board on this machine's pins, with its panel, for a game.

    `points`: where the cells of the game lie; `pieces`: the most that may lie there at once. Raises `DoesNotFit` and
    `NeedsDiodes` for a game that this board cannot play, gpiozero's `GPIOPinInUse` and `PinBusy` for pins that somebody
    else has, `Silent` where the converter of halls cannot be reached, `OnCable`.
    """
    fits(board, points, pieces)
    spots = sensor_spots(board)
    under = {cell: spots.index(spot) for cell, spot in cells_on(board, points).items()}
    scanner, wiring = _scanner(board, pin_factory, wait)
    try:
        panel = Buttons(board.panel, pin_factory=pin_factory) if board.panel else None
    except BaseException:
        scanner.close()
        raise
    return Scanned(
        scanner,
        board.kind,
        under,
        rate=board.sensors.rate,
        idle_rate=board.sensors.idle_rate,
        panel=panel,
        wiring=wiring,
        stopwatch=stopwatch,
    )


def fits(board: BoardFile, points: Mapping[Cell, tuple[float, float]], pieces: int) -> None:
    """Raises `DoesNotFit` or `NeedsDiodes` for a game that this board cannot play."""
    cells_on(board, points)
    if isinstance(board.sensors, MatrixWiring) and not board.sensors.diodes and board.kind != "presses":
        refuse_without_diodes(pieces)


def scanner(board: BoardFile, pin_factory: Any, wait: Wait = spin) -> Scanner:
    """What scans a board, panel and game left out. Raises as `sensors` does."""
    return _scanner(board, pin_factory, wait)[0]


def _scanner(board: BoardFile, pin_factory: Any, wait: Wait) -> tuple[Scanner, Wiring]:
    """What scans a board, and how it is connected."""
    match board.sensors:
        case MatrixWiring(rows=rows, columns=columns) as how:
            scanner = matrix(
                rows,
                columns,
                pin_factory=pin_factory,
                settle_s=how.settle_us * 1e-6,
                pull="up" if how.pull_ups == "internal" else "floating",
                wait=wait,
            )
            return scanner, Wiring(lines.of_matrix(rows, columns), len(columns), how.diodes)
        case LinesWiring(pins=pins):
            own = [lines.Line("line", n + 1, f"GPIO{pin}", 1 << n) for n, pin in enumerate(pins)]
            return switches(pins, pin_factory=pin_factory), Wiring(own)
        case MultiplexedWiring(channels=channels) as how:
            found = halls(how, board.grid.columns * board.grid.rows, pin_factory=pin_factory, wait=wait)
            return found, Wiring(lines.of_multiplexers(channels))
        case SerialWiring():
            raise OnCable("the sensors of this board are on a cable, not on pins of this machine")
