"""The real lgpio and the real LGPIOFactory on a simulated chip with a board on its pins: calls, ghosts, busy lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gpiochip import chip as chips
from tests.gpiochip.chip import HIGH, INPUT, LOW, Chip, close
from tests.hardware.played import recorded

pytestmark = pytest.mark.skipif(chips.missing() is not None, reason=str(chips.missing()))

ROWS, COLUMNS = [5, 6, 13, 19, 26, 16, 20, 21], [4, 17, 27, 22, 23, 24, 25, 12]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The chip, built once."""
    return chips.built(tmp_path_factory.mktemp("gpiochip"))


@pytest.fixture
def chip(library: Path, tmp_path: Path) -> Chip:
    """A chip with an 8 by 8 matrix of switches with diodes on the pins of the preset."""
    made = Chip(library, tmp_path)
    made.matrix(ROWS, COLUMNS)
    return made


def test_the_library_takes_the_chip_for_that_of_a_pi(chip: Chip) -> None:
    assert chip.run("who") == ["Zero2W", [54, "gpiochip0", "pinctrl-bcm2835"]]


def test_a_scan_of_sixty_four_switches_takes_seventeen_calls(chip: Chip) -> None:
    close(chip.state, [0, 9, 27, 63])
    done = chip.run("scan")
    assert (done["kind"], done["seen"], done["claims"], done["calls"]) == (
        "GroupMatrix",
        [0, 9, 27, 63],
        2,
        17,
    )


def test_no_row_does_anything_before_the_first_scan_or_after_it_and_none_is_ever_driven_high(
    chip: Chip,
) -> None:
    done = chip.run("scan")
    assert done["before"] == []
    assert done["during"] == [[row, drives] for row in ROWS for drives in (LOW, INPUT)]
    assert done["after"] == [INPUT] * 28


def test_with_diodes_every_board_is_read_right(chip: Chip) -> None:
    assert chip.run("patterns") == {"wrong": 0, "unexplained": 0, "shorts": 0}


def test_without_diodes_most_boards_are_read_wrong_and_every_time_a_rectangle_shows_it(chip: Chip) -> None:
    chip.state.diodes = 0
    done = chip.run("patterns")
    assert done["wrong"] > 80
    assert (done["unexplained"], done["shorts"]) == (0, 0)


def test_three_closed_corners_show_a_ghost_on_the_fourth_without_diodes_and_none_with(chip: Chip) -> None:
    close(chip.state, [0, 1, 8])
    assert chip.run("scan")["seen"] == [0, 1, 8]
    chip.state.diodes = 0
    assert chip.run("scan")["seen"] == [0, 1, 8, 9]


def test_rows_that_were_driven_high_would_short_through_two_switches_of_a_column(chip: Chip) -> None:
    chip.state.diodes = 0
    assert chip.run("push_pull") > 0


@pytest.mark.parametrize(
    ("wrong", "words"),
    [("bare", "is missing or the wrong way round"), ("backwards", "is the wrong way round")],
)
def test_a_wrong_diode_is_named_with_its_lines(chip: Chip, wrong: str, words: str) -> None:
    getattr(chip.state, wrong)[3] = 1 << 2
    assert chip.run("blamed") == [
        f"C4 on row 4 (GPIO19), column 3 (GPIO27) lets current through backwards: its diode {words}."
    ]


def test_a_board_with_good_diodes_blames_none(chip: Chip) -> None:
    assert chip.run("blamed") == []


def test_a_line_that_somebody_has_is_refused_with_its_holder_and_all_others_are_let_go(chip: Chip) -> None:
    chip.state.holder[16].value, chip.state.holder[24].value = b"spi1 CS2", b"lircd"
    close(chip.state, [0])
    assert chip.run("busy") == ["PinBusy", "GPIO16 is in use by 'spi1 CS2'", 1]
    chip.state.holder[24].value = b"lircd"
    assert chip.run("busy") == ["PinBusy", "GPIO24 is in use by 'lircd'", 1]


def test_a_second_user_in_this_process_is_refused_and_what_is_closed_is_free(chip: Chip) -> None:
    assert chip.run("twice") == ["GPIOPinInUse", "pin GPIO5 is already in use"]


@pytest.mark.parametrize(("way", "drives"), [("devices", [LOW, HIGH] * 8), ("pins", []), ("groups", [])])
def test_rows_do_not_glitch_at_the_start_as_gpiozeros_devices_do(
    chip: Chip, way: str, drives: list[int]
) -> None:
    assert chip.run("glitch", way) == drives


@pytest.mark.parametrize(("way", "watched"), [("devices", 8), ("pins", 0), ("groups", 0)])
def test_no_column_is_watched_for_edges_as_gpiozeros_devices_are(chip: Chip, way: str, watched: int) -> None:
    assert chip.run("alerts", way) == watched


def test_a_chip_that_fails_is_out_of_reach_once_and_back_with_everything(chip: Chip) -> None:
    first, lost, back, pieces = chip.run("fault")
    assert first == 2
    assert (lost[1:], back[1:]) == ([1, True, False], [65, False, True])
    assert lost[0] in range(100, 107)  # a quiet board is scanned twenty times a second
    assert back[0] in range(300, 501)
    assert pieces == ["d5"]


@pytest.mark.parametrize(("name", "calls"), [("reed-6x6", 14), ("tiles-3x3", 2)])
def test_a_panel_costs_one_call_and_says_its_word(chip: Chip, name: str, calls: int) -> None:
    chip.matrix(ROWS[:6], COLUMNS[:6])
    assert chip.run("panel", name) == [calls, ["undo"]]


@pytest.mark.parametrize("row", [7, pytest.param(1500, marks=pytest.mark.slow)])
def test_a_real_game_on_reeds_is_recorded_to_its_last_move(chip: Chip, row: int) -> None:
    done = chip.run("game", "reed-8x8", str(row))
    assert done.pop("score")
    assert done == {
        "played": recorded(row), "ended": True, "findings": [], "calls": 17.0, "transfers": 0.0, "shorts": 0,
    }  # fmt: skip


def test_a_real_game_on_buttons_is_recorded_to_its_last_move(chip: Chip) -> None:
    done = chip.run("game", "button-8x8", "11")
    assert (done["played"], done["ended"], done["findings"]) == (recorded(11), True, [])


def test_a_real_game_on_halls_is_recorded_to_its_last_move(chip: Chip) -> None:
    chip.state.select_pin[:] = [5, 6, 13, 26]
    chip.state.rows = chip.state.columns = 0
    done = chip.run("game", "hall-8x8", "7")
    assert done.pop("score")
    assert done == {
        "played": recorded(7), "ended": True, "findings": [], "calls": 16.0, "transfers": 64.0, "shorts": 0,
    }  # fmt: skip
