"""Board files: the presets are sound, all faults are told at once, every cell finds its sensor and its pixel."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardctl.plugins import found as games
from hardware.board_file import (
    BoardFile,
    DoesNotFit,
    cells_on,
    found,
    named,
    pixel_spots,
    presets,
    read,
    sensor_spots,
    uses,
    wired,
)
from hardware.toml_form import Fault, WrongFile

PRESETS = ("button-8x8", "hall-8x8", "points-9x9", "reed-6x6", "reed-8x8", "serial-8x8", "tiles-3x3")
LEAST = """
[grid]
columns = 2
rows = 2
[sensors]
wiring = "matrix"
rows = [5, 6]
columns = [13, 19]
"""


def board(text: str, tmp_path: Path) -> BoardFile:
    file = tmp_path / "mine.toml"
    file.write_text(text)
    return read(file)


def faults(text: str, tmp_path: Path) -> list[Fault]:
    with pytest.raises(WrongFile) as wrong:
        board(text, tmp_path)
    return list(wrong.value.faults)


def test_the_presets_are_those_of_the_readme() -> None:
    assert tuple(presets()) == PRESETS


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_sound_and_gives_every_cell_one_sensor_and_its_pixels(name: str) -> None:
    preset = read(found(name))
    assert sorted(sensor_spots(preset)) == sorted(preset.grid.spots)
    assert sorted(pixel_spots(preset)) == sorted(preset.grid.spots)
    pixels = [pixel for each in pixel_spots(preset).values() for pixel in each]
    assert len(pixels) == len(set(pixels)) <= preset.pixels.count
    pins = [use.pin for use in uses(preset)]
    assert len(pins) == len(set(pins))


@pytest.mark.parametrize(
    ("name", "game", "options"),
    [
        ("reed-8x8", "othello", {}),
        ("reed-6x6", "bracket", {}),
        ("tiles-3x3", "flip-switch", {}),
        ("points-9x9", "brax", {}),
        ("serial-8x8", "fundex", {}),
        ("reed-8x8", "bracket", {}),
    ],
)
def test_every_game_fits_a_preset(name: str, game: str, options: dict) -> None:
    points = games()[game].game(options).points
    assert len(set(cells_on(read(found(name)), points).values())) == len(points)


def test_a_smaller_game_lies_where_the_file_places_it(tmp_path: Path) -> None:
    text = found("reed-8x8").read_text().replace("[sensors]", "[place]\ncolumn = 2\nrow = 3\n\n[sensors]")
    placed = board(text, tmp_path)
    spots = cells_on(placed, games()["bracket"].game({}).points)
    assert (spots["a1"], spots["f6"]) == ((1, 2), (6, 7))
    with pytest.raises(DoesNotFit, match="h1 lies outside the 8 by 8 cells of the board"):
        cells_on(placed, games()["othello"].game({}).points)


def test_a_board_of_slanted_lines_does_not_lie_on_a_grid() -> None:
    with pytest.raises(DoesNotFit, match="lies between the places of a grid"):
        cells_on(read(found("points-9x9")), games()["brax"].game({"board": "octagon"}).points)


@pytest.mark.parametrize(
    ("corner", "along", "serpentine", "order"),
    [
        ("top-left", "rows", False, "A1 B1 C1 A2 B2 C2"),
        ("top-right", "rows", False, "C1 B1 A1 C2 B2 A2"),
        ("bottom-left", "rows", False, "A2 B2 C2 A1 B1 C1"),
        ("bottom-right", "rows", False, "C2 B2 A2 C1 B1 A1"),
        ("top-left", "columns", False, "A1 A2 B1 B2 C1 C2"),
        ("top-right", "columns", False, "C1 C2 B1 B2 A1 A2"),
        ("bottom-left", "columns", False, "A2 A1 B2 B1 C2 C1"),
        ("bottom-right", "columns", False, "C2 C1 B2 B1 A2 A1"),
        ("top-left", "rows", True, "A1 B1 C1 C2 B2 A2"),
        ("bottom-right", "columns", True, "C2 C1 B1 B2 A2 A1"),
    ],
)
def test_a_wiring_begins_at_a_corner_and_runs_as_said(corner, along, serpentine, order, tmp_path) -> None:
    grid = board(LEAST, tmp_path).grid.model_copy(update={"columns": 3, "rows": 2})
    assert " ".join(named(wired(grid, corner, along, serpentine))) == order


def test_pixels_may_begin_later_and_be_several_to_a_cell(tmp_path: Path) -> None:
    text = LEAST + "[pixels]\ncount = 11\nfirst = 2\nper_cell = 2\n"
    assert pixel_spots(board(text, tmp_path)) == {
        (0, 0): range(2, 4),
        (1, 0): range(4, 6),
        (1, 1): range(6, 8),
        (0, 1): range(8, 10),
    }


SHAPES = (
    "write [sensors] and below it corner, along, cells, rate, idle_rate, hold, rest, wiring, kind, rows, columns, "
    "diodes, settle_us, pull_ups, pins, select, channels, bus, device, threshold, thresholds, hysteresis, heads, port "
    "or baud, one a line"
)
WRONG = {
    "[grid]\ncolums = 2\n[sensors]\nwiring = 'lines'\npins = []\n": [
        Fault("grid.colums", "there is no such key", "did you mean columns?"),
        Fault("sensors.pins", "[] cannot be", "write a list of whole numbers"),
    ],
    "[sensors]\nwiring = 'web'\n": [
        Fault("sensors.wiring", "this cannot be", "write matrix, lines, multiplexed or serial")
    ],
    "[sensors]\nkind = 'presence'\n": [
        Fault("sensors.wiring", "this cannot be", "write matrix, lines, multiplexed or serial")
    ],
    "sensors = 3\n": [Fault("sensors", "3 is not a table", SHAPES)],
    "name = 'mine'\n": [Fault("sensors", "it is missing", SHAPES)],
    LEAST.replace("[5, 6]", "[5, 99]"): [
        Fault("sensors.rows 2", "99 cannot be", "write a whole number from 0 to 27")
    ],
    LEAST.replace("[5, 6]", "[5, 6, 7]"): [Fault("sensors.rows", "3 pins", "write 2 for a grid of 2 by 2")],
    LEAST.replace("[5, 6]", "[5, 13]"): [
        Fault("sensors.columns 1", "GPIO13 is taken by sensors.rows 2", "FREE")
    ],
    LEAST.replace("[5, 6]", "[2, 14]"): [
        Fault("sensors.rows 1", "GPIO2 belongs to I2C, with a pull-up of its own", "FREE"),
        Fault("sensors.rows 2", "GPIO14 belongs to the serial console", "FREE"),
    ],
    LEAST.replace("[5, 6]", "[5, 8]") + "[pixels]\ncount = 4\n": [
        Fault("pixels.through (SPI, CE0)", "GPIO8 is taken by sensors.rows 2", "FREE")
    ],
    LEAST + "[pixels]\ncount = 3\n": [
        Fault("pixels.count", "3 pixels are too few", "write 4 or more for 4 cells")
    ],
    LEAST + "[pixels]\ncount = 4\nthrough = 'pwm'\npin = 10\n": [
        Fault("pixels.pin", "GPIO10 cannot drive pixels through pwm", "write one of 12, 13, 18, 19, 21")
    ],
    LEAST + "[pixels]\ncount = 4\nthrough = 'serial'\n": [
        Fault(
            "pixels.through",
            "sensors and pixels have to be on the same side of the cable",
            "write serial for both",
        )
    ],
    LEAST + "[panel]\npass = 5\n": [Fault("panel.pass", "GPIO5 is taken by sensors.rows 1", "FREE")],
    LEAST + "[panel]\nPass = 20\n": [Fault("panel.Pass", "no button says that", "did you mean pass?")],
}


@pytest.mark.parametrize("text", WRONG, ids=range(len(WRONG)))
def test_every_fault_of_a_board_is_told_at_once_with_key_and_remedy(text: str, tmp_path: Path) -> None:
    found_out = [
        fault._replace(remedy="FREE") if fault.remedy.startswith("write one of 4") else fault
        for fault in faults(text, tmp_path)
    ]
    assert found_out == WRONG[text]


def test_a_taken_pin_is_refused_with_those_that_are_free(tmp_path: Path) -> None:
    (fault,) = faults(LEAST.replace("[5, 6]", "[5, 13]"), tmp_path)
    assert (
        fault.remedy == "write one of 4, 6, 7, 8, 9, 10, 11, 12, 16, 17, 18, 20, 21, 22, 23, 24, 25, 26, 27"
    )


def test_a_file_that_is_no_board_says_why(tmp_path: Path) -> None:
    assert faults("[sensors", tmp_path)[0].what.startswith("this is not TOML")
    with pytest.raises(WrongFile) as wrong:
        read(tmp_path / "none.toml")
    assert wrong.value.faults == (Fault("", "No such file or directory", "name a file that can be read"),)


def test_sensors_in_no_order_have_their_cells_written_one_by_one(tmp_path: Path) -> None:
    text = """
[grid]
columns = 2
rows = 2
[sensors]
wiring = "multiplexed"
select = [5, 6, 13, 26]
channels = [0]
cells = ["B2", "A1", "A2", "B1"]
thresholds = [0.1, 0.2, 0.1, 0.1]
"""
    file = tmp_path / "board.toml"
    file.write_text(text)
    assert sensor_spots(read(file)) == [(1, 1), (0, 0), (0, 1), (1, 0)]
    assert faults(text.replace('"B1"', '"B2"').replace("[0.1, 0.2,", "[0.2,"), tmp_path) == [
        Fault("sensors.cells", "they are not the cells of the grid", "write each of the 4 once"),
        Fault("sensors.thresholds", "3 thresholds", "write 4 for 4 cells"),
    ]
