"""The wiring plan of a board: every pin once, what to buy, what it draws, and a picture that says the same."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from hardware.board_file import found, presets, read, uses
from hardware.wiring import GROUND, HEADER, POWER, Part, Wire, currents, drawing, parts, told, wires


def test_every_gpio_has_its_own_pin_of_the_header_and_the_rest_is_power() -> None:
    assert sorted([*HEADER.values(), *POWER, *GROUND]) == list(range(1, 41))
    assert sorted(HEADER) == list(range(28))


@pytest.mark.parametrize("name", presets())
def test_every_pin_of_a_board_is_wired_once(name: str) -> None:
    board = read(found(name))
    made = wires(board)
    assert len({wire.header for wire in made}) == len(made)
    wired = {wire.gpio for wire in made if wire.gpio is not None}
    assert wired <= {use.pin for use in uses(board)}
    assert all(HEADER[wire.gpio] == wire.header for wire in made if wire.gpio is not None)


def test_a_matrix_names_its_lines_by_the_cells_they_cross() -> None:
    made = wires(read(found("reed-8x8")))
    assert made[0] == Wire(29, 5, "row 1, A1 to H1", "brown")
    assert made[8] == Wire(7, 4, "column 1, A1 to A8", "white")
    assert made[-1].gpio is None


def test_what_to_buy_is_counted() -> None:
    assert parts(read(found("hall-8x8")))[:4] == [
        Part(64, "linear hall sensors, ratiometric, 3.3 V (DRV5055A2 or alike)"),
        Part(4, "multiplexers 74HC4067, sixteen inputs"),
        Part(1, "converter MCP3008"),
        Part(64, "magnets, one in each piece, poles towards its faces"),
    ]
    assert Part(64, "diodes 1N4148, one at each switch, band towards the row") in parts(
        read(found("reed-8x8"))
    )
    assert Part(6, "push buttons") in parts(read(found("tiles-3x3")))


def test_what_the_pixels_draw_is_told() -> None:
    assert currents(read(found("reed-8x8")))[0] == "at rest 64 mA: 1 mA a pixel"
    bare = read(found("reed-8x8")).model_copy(update={"pixels": None})
    assert currents(bare) == ["no pixels: the board draws next to nothing"]


@pytest.mark.parametrize("name", presets())
def test_the_picture_names_every_cell_and_every_wire(name: str) -> None:
    board = read(found(name))
    picture = ElementTree.fromstring(drawing(board))
    said = [each.text or "" for each in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert {f"{chr(65 + x)}{y + 1}" for x, y in board.grid.spots} <= set(said)
    labels = {int(text.split(":")[0]) for text in said if re.match(r"\d+: ", text)}
    assert labels == {wire.header for wire in wires(board)}


@pytest.mark.parametrize("name", presets())
def test_the_text_has_a_line_for_every_wire_and_part(name: str) -> None:
    board = read(found(name))
    text = told(board)
    assert all(wire.to in text for wire in wires(board))
    assert all(part.what in text for part in parts(board))
