"""A board file's content put right: pins, corners, poles and thresholds as touches showed them to be.

Pins of a matrix and of single lines are written in the order of the board, so that the file reads as one looks at it.
Sensors that keep no order, whether wires are crossed or multiplexers are wired as they lay best, get their cells
written one by one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

from hardware.board_file import (
    BoardFile,
    LinesWiring,
    MatrixWiring,
    MultiplexedWiring,
    Pixels,
    Spot,
    named,
    sensor_spots,
)
from hardware.learning import Learnt, Sensor, in_file

WEAKEST = 0.03
"""The threshold while the wizard listens: what moves a hall less is none of our magnets."""
FITS = (0.25, 0.6)
"""A threshold fits a hall whose piece moves it so much: it lies between these parts of that."""


def rewired(board: BoardFile, learnt: Learnt, moved: Mapping[Sensor, float], colour: str) -> BoardFile:
    """The board file's content as it should be."""
    sensors, renumbered = _sensors(board, learnt, moved)
    made = board.model_copy(update={"sensors": sensors, "pixels": _pixels(board.pixels, learnt, colour)})
    where = {renumbered.get(sensor, sensor): spot for spot, sensor in learnt.sensors.items()}
    return _in_any_order(made, where)


def _pixels(pixels: Pixels | None, learnt: Learnt, colour: str) -> Pixels | None:
    if pixels is None:
        return None
    change: dict[str, object] = {} if learnt.strip is None else dict(learnt.strip._asdict())
    if colour == "green":
        change["order"] = {"GRB": "RGB", "RGB": "GRB", "GRBW": "RGBW", "RGBW": "GRBW"}[pixels.order]
    return pixels.model_copy(update=change)


def _sensors(
    board: BoardFile, learnt: Learnt, moved: Mapping[Sensor, float]
) -> tuple[MatrixWiring | LinesWiring | MultiplexedWiring, dict[Sensor, Sensor]]:
    """The sensors with their pins in the order of the board, and the new number of every sensor."""
    match board.sensors:
        case MatrixWiring() as sensors:
            rows, columns = in_file(learnt, sensors.rows, sensors.columns)
            width = len(columns)
            numbers_of = [r * width + c for r in learnt.rows for c in learnt.columns]
            change = {
                "rows": rows,
                "columns": columns,
                "corner": "top-left",
                "along": learnt.along,
                "cells": None,
            }
            return sensors.model_copy(update=change), {old: new for new, old in enumerate(numbers_of)}
        case LinesWiring() as sensors:
            order = _filled(board.grid.spots, {sensor: spot for spot, sensor in learnt.sensors.items()})
            old = sorted(range(len(order)), key=lambda sensor: (order[sensor][1], order[sensor][0]))
            change = {
                "pins": [sensors.pins[n] for n in old],
                "corner": "top-left",
                "along": "rows",
                "cells": None,
            }
            return sensors.model_copy(update=change), {was: now for now, was in enumerate(old)}
        case MultiplexedWiring() as sensors:
            return sensors.model_copy(update={"cells": None, **_hall_keys(sensors, moved, board)}), {}
    raise TypeError("a board on a cable has no wires to learn here")


def _hall_keys(
    sensors: MultiplexedWiring, moved: Mapping[Sensor, float], board: BoardFile
) -> dict[str, object]:
    """Which pole is heads, and where pieces begin: one threshold where that fits all."""
    if not moved:
        return {}
    heads = "above" if median(moved.values()) > 0 else "below"
    least, most = FITS
    if all(least * abs(by) <= sensors.threshold <= most * abs(by) for by in moved.values()):
        return {"heads": heads, "thresholds": None}
    each = {sensor: max(round(abs(by) / 2, 3), WEAKEST) for sensor, by in moved.items()}
    wanted = [each.get(n, sensors.threshold) for n in range(len(board.grid.spots))]
    hysteresis = min(sensors.hysteresis, round(min(wanted) / 2, 3))
    return {"heads": heads, "thresholds": wanted, "hysteresis": hysteresis}


def _in_any_order(board: BoardFile, where: Mapping[Sensor, Spot]) -> BoardFile:
    """The board with the cells of its sensors written one by one, unless they keep an order."""
    for corner in ("top-left", "top-right", "bottom-left", "bottom-right"):
        for along in ("rows", "columns"):
            if isinstance(board.sensors, MatrixWiring) and (corner, along) != (
                "top-left",
                board.sensors.along,
            ):
                continue
            tried = board.model_copy(
                update={"sensors": board.sensors.model_copy(update={"corner": corner, "along": along})}
            )
            spots = sensor_spots(tried)
            if all(spots[sensor] == spot for sensor, spot in where.items()):
                return tried
    order = _filled(sensor_spots(board), where)
    cells = named(order[sensor] for sensor in range(len(order)))
    return board.model_copy(update={"sensors": board.sensors.model_copy(update={"cells": cells})})


def _filled(spots: Sequence[Spot], where: Mapping[Sensor, Spot]) -> dict[Sensor, Spot]:
    """A place for every sensor: as learnt, else its own if that is free, else one that is left."""
    order = dict(where)
    free = [spot for spot in spots if spot not in set(where.values())]
    for sensor, own in enumerate(spots):
        if sensor not in order and own in free:
            order[sensor] = own
            free.remove(own)
    order.update(zip((sensor for sensor in range(len(spots)) if sensor not in order), free, strict=True))
    return order
