"""Whole real games on a matrix of mock pins with bouncing reeds, ending in the recorded moves."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from random import Random

import pytest

from boardctl.core.events import Elapsed, Said
from boardctl.core.session import Session, Setup
from boardctl.games.bracket import OTHELLO
from boardctl.replay import take
from hardware.board_file import cells_on, found, read, sensor_spots
from hardware.scanner import Scanned
from hardware.sensing import sensors as sensors_of

pytest.importorskip("gpiozero", reason="the extra `pi` is not installed")
from tests.hardware.board import MatrixFactory, Switches

ROWS, COLUMNS = [5, 6, 13, 19, 26, 16, 20, 21], [4, 17, 27, 22, 23, 24, 25, 12]
BOARD = read(found("reed-8x8"))
CELLS = cells_on(BOARD, OTHELLO.game({}).points)
SENSORS = {cell: sensor_spots(BOARD).index(spot) for cell, spot in CELLS.items()}
GAMES = (Path(__file__).parent.parent / "data" / "games_wthor_1977_2025.tsv").read_text().splitlines()


@pytest.mark.parametrize("row", [3, pytest.param(99, marks=pytest.mark.slow)])
def test_a_real_game_with_bouncing_reeds_is_recorded_to_its_last_move(row: int) -> None:
    labels = re.findall(
        "..", [line.split("\t") for line in GAMES if not line.startswith(("#", "file"))][row][-1]
    )
    switches = Switches(ROWS, COLUMNS)
    sensors = sensors_of(
        BOARD, OTHELLO.game({}).points, 64, pin_factory=MatrixFactory(switches), wait=switches.wait
    )
    game, luck = OTHELLO.game({}), Random(row)
    session = Session(game, Setup(sensors="presence"))
    session.opening()
    switches.close(*(SENSORS[cell] for cell in game.starts[0].pieces))
    for event in sensors.poll(0.0):
        take(session, event, 0.0)
    position, now = game.starts[0], 0.5
    for label in labels:
        if position.moves()[0].label == "pass":
            take(session, Said("pass"), now)
            position = position.play(position.moves()[0])
        move = next(move for move in position.moves() if move.label == label)
        now = bounced(switches, sensors, session, now, SENSORS[label], luck)
        for due in move.dues:
            now = bounced(switches, sensors, session, now, SENSORS[due.cell], luck)
            now = bounced(switches, sensors, session, now, SENSORS[due.cell], luck)
        now = scanned_until(sensors, session, now, now + 0.5)
        position = position.play(move)
    played = [ply.move.label for ply in session.table.record.plies if ply.move.label != "pass"]
    assert played == labels
    assert session.table.ended is not None
    assert sensors.findings == []
    sensors.close()


def bounced(
    switches: Switches, sensors: Scanned, session: Session, now: float, cell: int, luck: Random
) -> float:
    """A contact changes, after it was either way for some milliseconds, and stays so for a tenth of a second."""
    before = divmod(cell, 8) in switches.closed
    for _ in range(luck.randrange(3)):
        (switches.close if luck.random() < 0.5 else switches.open)(cell)
        now = scanned_until(sensors, session, now, now + 0.005)
    (switches.open if before else switches.close)(cell)
    return scanned_until(sensors, session, now, now + 0.1)


def scanned_until(sensors: Scanned, session: Session, now: float, end: float) -> float:
    """Ask every five milliseconds; the port scans when it is due."""
    while now < end:
        now += 0.005
        for event in sensors.poll(now):
            take(session, event, now)
        take(session, Elapsed(), now)
    return now


def test_every_cell_of_the_preset_has_its_own_sensor() -> None:
    assert sorted(SENSORS.values()) == list(range(64))
    assert {SENSORS["a1"], SENSORS["h8"]} == {0, 63}
    assert [SENSORS[f"{c}{r}"] for r, c in product("12", "abc")] == [0, 1, 2, 8, 9, 10]
