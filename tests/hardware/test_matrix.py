"""A matrix on mock pins: what it reads, that it shares no pin, ghosts, slow lines, and games with bouncing reeds."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardctl.core.events import Elapsed, Lost, Pressed, Restored, Said, Sampled
from boardctl.core.session import Session, Setup
from boardctl.games.bracket import OTHELLO
from boardctl.replay import take
from hardware.board_file import cells_on, found, read, sensor_spots
from hardware.scanner import Ghosts, Scanned, Seen, rectangles, spread
from tests.hardware.board import MatrixFactory, Switches

gpiozero = pytest.importorskip("gpiozero", reason="the extra `pi` is not installed")
from hardware.matrix import PinLines, PinMatrix, PinPanel  # noqa: E402

ROWS, COLUMNS = [5, 6, 13, 19, 26, 16, 20, 21], [4, 17, 27, 22, 23, 24, 25, 12]
BOARD = read(found("reed-8x8"))
CELLS = cells_on(BOARD, OTHELLO.game({}).points)
SENSORS = {cell: sensor_spots(BOARD).index(spot) for cell, spot in CELLS.items()}
GAMES = (Path(__file__).parent.parent / "data" / "games_wthor_1977_2025.tsv").read_text().splitlines()


def matrix(**how: object) -> tuple[Switches, MatrixFactory, PinMatrix]:
    switches = Switches(ROWS, COLUMNS, **how)  # type: ignore[arg-type]
    factory = MatrixFactory(switches)
    return switches, factory, PinMatrix(ROWS, COLUMNS, factory, 30e-6, switches.wait)


@given(st.sets(st.integers(0, 63)))
def test_with_diodes_just_the_closed_switches_are_seen(closed: set[int]) -> None:
    switches, factory, scanner = matrix()
    switches.close(*closed)
    assert scanner.scan() == Seen(spread(closed))
    assert factory.high() == []


@given(st.sets(st.integers(0, 63), max_size=12))
def test_without_diodes_every_misreading_is_a_rectangle(closed: set[int]) -> None:
    switches, _, scanner = matrix(diodes=False)
    switches.close(*closed)
    seen = scanner.scan().pieces
    assert seen & spread(closed) == spread(closed)
    if seen != spread(closed):
        assert rectangles(seen, 8)


def test_three_corners_of_a_rectangle_show_a_ghost_on_the_fourth_without_diodes() -> None:
    switches, _, scanner = matrix(diodes=False)
    switches.close(0, 1, 8)
    assert scanner.scan() == Seen(spread({0, 1, 8, 9}))
    assert rectangles(spread({0, 1, 8, 9}), 8) == [(0, 1, 8, 9)]


def test_lines_that_rise_slowly_need_their_time_to_settle() -> None:
    switches, factory, _ = matrix(rise_s=25e-6)
    switches.close(0)
    hasty = PinMatrix.__new__(PinMatrix)
    hasty.__dict__.update(_factory=factory, _settle_s=5e-6, _wait=switches.wait)
    hasty._rows = [factory.pin(pin) for pin in ROWS]
    hasty._columns = [factory.pin(pin) for pin in COLUMNS]
    switches.now = 1.0
    assert hasty.scan() == Seen(spread({0, 8, 16, 24, 32}))  # the column is still low for rows below
    hasty._settle_s = 30e-6
    switches.now = 2.0
    assert hasty.scan() == Seen(spread({0}))


def test_a_pin_that_is_in_use_is_refused_by_name() -> None:
    _, factory, scanner = matrix()
    with pytest.raises(gpiozero.GPIOPinInUse, match="GPIO5"):
        PinLines([5], factory)
    scanner.close()
    PinLines([5], factory).close()


def test_one_pin_a_switch_is_read_in_the_order_of_the_file() -> None:
    from gpiozero.pins.mock import MockFactory

    factory = MockFactory(revision="902120")
    lines = PinLines([5, 6, 13], factory)
    factory.pin(6).drive_low()
    assert lines.scan() == Seen(0b010)
    lines.close()


# The port


class Reeds:
    """A scanner whose switches a test closes."""

    def __init__(self) -> None:
        self.bits = self.tails = self.scans = 0
        self.fault: Exception | None = None
        self.closed = False

    def scan(self) -> Seen:
        self.scans += 1
        if self.fault:
            raise self.fault
        return Seen(self.bits, self.tails)

    def close(self) -> None:
        self.closed = True


def port(reeds: Reeds, kind: str = "presence", **how: object) -> Scanned:
    return Scanned(reeds, kind, {"a1": 0, "b1": 1, "a2": 2}, stopwatch=lambda: 0.0, **how)  # type: ignore[arg-type]


def test_the_first_poll_tells_what_lies_there_and_later_ones_what_changed() -> None:
    reeds = Reeds()
    reeds.bits = 0b001
    sensors = port(reeds)
    assert sensors.poll_timed(1.0) == [(1.0, Sampled("a1", "piece"))]
    reeds.bits = 0b110
    assert sensors.poll(1.01) == [Sampled("a1", "empty"), Sampled("b1", "piece"), Sampled("a2", "piece")]
    assert sensors.poll(1.02) == []
    assert sensors.snapshot() == [Sampled("a1", "empty"), Sampled("b1", "piece"), Sampled("a2", "piece")]


def test_halls_tell_which_side_is_up() -> None:
    reeds = Reeds()
    sensors = port(reeds, "polarity")
    reeds.bits, reeds.tails = 0b001, 0b010
    assert sensors.poll(1.0) == [Sampled("a1", "heads"), Sampled("b1", "tails")]
    reeds.bits, reeds.tails = 0b000, 0b011
    assert sensors.poll(1.01) == [Sampled("a1", "tails")]


def test_a_button_is_told_when_it_goes_down_and_not_when_it_comes_up() -> None:
    reeds = Reeds()
    sensors = port(reeds, "presses")
    reeds.bits = 0b010
    assert sensors.poll(1.0) == [Pressed("b1")]
    reeds.bits = 0b000
    assert sensors.poll(1.01) == []
    assert sensors.snapshot() == []


def test_a_quiet_board_is_scanned_at_its_idle_rate_and_a_busy_one_at_its_full() -> None:
    reeds = Reeds()
    sensors = port(reeds)
    for n in range(300):
        reeds.bits = n % 2 if n < 100 else 0
        sensors.poll(n / 100)
    assert 195 <= reeds.scans <= 225  # a second and the one after it at 100 Hz, the third at 20 Hz


def test_a_driver_that_fails_is_out_of_reach_once_and_back_with_everything() -> None:
    reeds = Reeds()
    sensors = port(reeds)
    sensors.poll(0.0)
    reeds.fault = OSError(5, "Input/output error")
    assert sensors.poll(0.05) == [Lost()]
    assert sensors.fault == "[Errno 5] Input/output error"
    assert sensors.snapshot() == [Sampled(cell, "unknown") for cell in ("a1", "b1", "a2")]
    assert [event for n in range(1, 300) for event in sensors.poll(0.05 + n / 100)] == []
    assert reeds.scans < 12  # it is tried less and less often
    reeds.fault, reeds.bits = None, 0b100
    assert sensors.poll(10.0) == [
        Restored(), Sampled("a1", "empty"), Sampled("b1", "empty"), Sampled("a2", "piece"),
    ]  # fmt: skip


def test_a_closed_board_tells_nothing_and_has_let_go() -> None:
    reeds = Reeds()
    sensors = port(reeds)
    sensors.close()
    sensors.close()
    assert (sensors.poll(1.0), sensors.snapshot(), reeds.closed) == ([], [], True)


def test_a_button_of_the_panel_says_its_word_once_it_is_held() -> None:
    from gpiozero.pins.mock import MockFactory

    factory = MockFactory(revision="902120")
    sensors = port(Reeds(), panel=PinPanel({"pass": 20, "undo": 21}, factory))
    sensors.poll(0.0)
    factory.pin(21).drive_low()
    told = [event for n in range(1, 30) for event in sensors.poll(n / 100)]
    factory.pin(21).drive_high()
    told += sensors.poll(1.0)
    factory.pin(21).drive_low()
    told += sensors.poll(1.1)
    factory.pin(21).drive_high()
    told += sensors.poll(1.12)
    assert told == [Said("undo")]
    sensors.close()


def test_a_cell_that_changes_with_its_rectangle_is_suspected_after_three_times() -> None:
    ghosts = Ghosts(8)
    for times in range(3):
        assert ghosts.suspects == [], times
        ghosts.look(spread({0, 1}), spread({0, 1, 8, 9}))
    assert ghosts.suspects == [8, 9]
    apart = Ghosts(8)
    for _ in range(9):
        apart.look(spread({0, 1}), spread({0, 1, 8}))
        apart.look(spread({0, 1, 8}), spread({0, 1, 8, 9}))
        apart.look(spread({0, 1, 8, 9}), spread({0, 1, 8}))
        apart.look(spread({0, 1, 8}), spread({0, 1}))
    assert apart.suspects == []


def test_a_finding_names_the_cell() -> None:
    reeds = Reeds()
    sensors = Scanned(reeds, "presence", {"a1": 0, "b1": 1, "a2": 8, "b2": 9}, lines=8, stopwatch=lambda: 0.0)
    for n in range(8):
        reeds.bits = spread({0, 1, 8, 9}) if n % 2 else spread({0, 1})
        sensors.poll(float(n))
    assert sensors.findings[0].startswith("A2 closes and opens together with another corner of a rectangle.")


# Whole games


@pytest.mark.parametrize("row", [3, pytest.param(99, marks=pytest.mark.slow)])
def test_a_real_game_with_bouncing_reeds_is_recorded_to_its_last_move(row: int) -> None:
    labels = re.findall(
        "..", [line.split("\t") for line in GAMES if not line.startswith(("#", "file"))][row][-1]
    )
    switches, _, scanner = matrix()
    sensors = Scanned(scanner, "presence", SENSORS, lines=8)
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
