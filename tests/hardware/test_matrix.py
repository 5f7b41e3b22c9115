"""Switches on mock pins: what a matrix reads, that it shares no pin, ghosts, slow lines, one pin a switch."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.board_file import MatrixWiring, found, read
from hardware.ghosts import NeedsDiodes, rectangles, spread
from hardware.scanner import Seen
from hardware.sensing import OnCable, sensors
from tests.hardware.board import MatrixFactory, Switches

gpiozero = pytest.importorskip("gpiozero", reason="the extra `pi` is not installed")
from hardware.matrix import PinLines, PinMatrix, matrix, switches  # noqa: E402

ROWS, COLUMNS = [5, 6, 13, 19, 26, 16, 20, 21], [4, 17, 27, 22, 23, 24, 25, 12]


def built(settle_s: float = 30e-6, **how: object) -> tuple[Switches, MatrixFactory, PinMatrix]:
    reeds = Switches(ROWS, COLUMNS, **how)  # type: ignore[arg-type]
    factory = MatrixFactory(reeds)
    scanner = matrix(ROWS, COLUMNS, pin_factory=factory, settle_s=settle_s, wait=reeds.wait)
    assert isinstance(scanner, PinMatrix)
    return reeds, factory, scanner


@given(st.sets(st.integers(0, 63)))
def test_with_diodes_just_the_closed_switches_are_seen(closed: set[int]) -> None:
    reeds, factory, scanner = built()
    reeds.close(*closed)
    assert scanner.scan() == Seen(spread(closed))
    assert factory.high() == []


@given(st.sets(st.integers(0, 63), max_size=12))
def test_without_diodes_every_misreading_is_a_rectangle(closed: set[int]) -> None:
    reeds, _, scanner = built(diodes=False)
    reeds.close(*closed)
    seen = scanner.scan().pieces
    assert seen & spread(closed) == spread(closed)
    if seen != spread(closed):
        assert rectangles(seen, 8)


def test_three_corners_of_a_rectangle_show_a_ghost_on_the_fourth_without_diodes() -> None:
    reeds, _, scanner = built(diodes=False)
    reeds.close(0, 1, 8)
    assert scanner.scan() == Seen(spread({0, 1, 8, 9}))
    assert rectangles(spread({0, 1, 8, 9}), 8) == [(0, 1, 8, 9)]


@pytest.mark.parametrize(("settle_s", "seen"), [(5e-6, {0, 8, 16, 24, 32}), (30e-6, {0})])
def test_lines_that_rise_slowly_need_their_time_to_settle(settle_s: float, seen: set[int]) -> None:
    reeds, _, scanner = built(settle_s, rise_s=25e-6)
    reeds.close(0)
    reeds.now = 1.0
    assert scanner.scan() == Seen(spread(seen))  # too early, the column is still low for rows below


def test_a_pin_that_is_in_use_is_refused_by_name() -> None:
    _, factory, scanner = built()
    with pytest.raises(gpiozero.GPIOPinInUse, match="GPIO5"):
        switches([5], pin_factory=factory)
    with pytest.raises(gpiozero.GPIOPinInUse, match="GPIO4"):
        gpiozero.Button(4, pin_factory=factory)
    scanner.close()
    scanner.close()
    gpiozero.Button(4, pin_factory=factory).close()


def test_pins_are_given_back_at_the_end_of_a_block() -> None:
    _, factory, scanner = built()
    with scanner:
        pass
    with matrix(ROWS, COLUMNS, pin_factory=factory) as again:
        assert isinstance(again, PinMatrix)


def test_no_column_watches_for_edges_and_no_row_is_driven_before_the_first_scan() -> None:
    _, factory, _ = built()
    assert [factory.pin(pin).when_changed for pin in COLUMNS] == [None] * 8
    assert [factory.pin(pin).pull for pin in COLUMNS] == ["up"] * 8
    assert [factory.pin(pin).function for pin in ROWS] == ["input"] * 8


def test_columns_with_resistors_of_their_own_need_no_pull_up_of_the_chip() -> None:
    factory = MatrixFactory(Switches(ROWS, COLUMNS))
    with matrix(ROWS, COLUMNS, pin_factory=factory, pull="floating"):
        assert {factory.pin(pin).pull for pin in COLUMNS} == {"floating"}


def test_a_board_whose_panel_is_taken_gives_its_matrix_back() -> None:
    from gpiozero.pins.mock import MockFactory

    board, factory = read(found("reed-6x6")), MockFactory(revision="902120")
    cells = {"a1": (0.0, 0.0)}
    taken = gpiozero.LED(board.panel["undo"], pin_factory=factory)
    with pytest.raises(gpiozero.GPIOPinInUse, match=f"GPIO{board.panel['undo']}") as caught:
        sensors(board, cells, 1, pin_factory=factory)
    assert isinstance(board.sensors, MatrixWiring)
    gpiozero.LED(
        board.sensors.rows[0], pin_factory=factory
    ).close()  # while the failed attempt is still in hand
    del caught
    taken.close()
    sensors(board, cells, 1, pin_factory=factory).close()


def test_a_board_without_diodes_takes_buttons_and_three_pieces_but_not_a_game_of_four() -> None:
    factory = MatrixFactory(Switches(ROWS, COLUMNS))
    board, cells = read(found("reed-8x8")), {"a1": (0.0, 0.0)}
    bare = board.model_copy(update={"sensors": board.sensors.model_copy(update={"diodes": False})})
    pressed = bare.model_copy(update={"sensors": bare.sensors.model_copy(update={"kind": "presses"})})
    with pytest.raises(NeedsDiodes, match="up to 4 pieces"):
        sensors(bare, cells, 4, pin_factory=factory)
    for each, pieces in ((bare, 3), (pressed, 64), (board, 64)):
        sensors(each, cells, pieces, pin_factory=factory).close()


def test_what_the_file_says_of_time_and_pull_ups_is_done() -> None:
    board, reeds = read(found("reed-8x8")), Switches(ROWS, COLUMNS)
    how = {"settle_us": 200, "pull_ups": "external", "rate": 50.0, "idle_rate": 10.0}
    board = board.model_copy(update={"sensors": board.sensors.model_copy(update=how)})
    factory = MatrixFactory(reeds)
    with sensors(board, {"a1": (0.0, 0.0)}, 64, pin_factory=factory, wait=reeds.wait) as port:
        scans: list[int] = []
        for n in range(400):
            if n == 1:
                reeds.close(0)
            before = reeds.reads
            port.poll(n / 100)
            scans += [n] * (reeds.reads > before)
    assert {factory.pin(pin).pull for pin in COLUMNS} == {"floating"}
    gaps = [later - n for n, later in pairwise(scans)]
    assert (gaps[:1], set(gaps[1:50]), set(gaps[52:])) == (
        [8],
        {2},
        {8},
    )  # quiet, then busy for a second, quiet
    assert reeds.now == pytest.approx(2e-4 * len(scans), rel=0.02)  # one wait a scan, after the row of A1


def test_a_board_on_a_cable_has_no_pins() -> None:
    with pytest.raises(OnCable):
        sensors(read(found("serial-8x8")), {}, 0, pin_factory=None)


def test_one_pin_a_switch_is_read_in_the_order_of_the_file() -> None:
    from gpiozero.pins.mock import MockFactory

    factory = MockFactory(revision="902120")
    with switches([5, 6, 13], pin_factory=factory) as lines:
        assert isinstance(lines, PinLines)
        factory.pin(6).drive_low()
        assert lines.scan() == Seen(0b010)
