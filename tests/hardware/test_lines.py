"""Whole lines of a wiring: stuck, dead, never heard of."""

from __future__ import annotations

from hardware.ghosts import spread
from hardware.lines import Lines, of_matrix, of_multiplexers

MATRIX = of_matrix([5, 6, 13, 19], [4, 17, 27, 22])
ALL = (1 << 16) - 1


def test_a_line_is_named_as_a_person_finds_it() -> None:
    assert [line.name for line in MATRIX][::5] == ["row 1 (GPIO5)", "column 2 (GPIO17)"]
    assert [bin(line.sensors) for line in MATRIX][::5] == ["0b1111", "0b10001000100010"]
    assert of_multiplexers([0, 3])[1].name == "multiplexer 2 (channel 3 of the MCP3008)"
    assert of_multiplexers([0, 3])[1].sensors == 0xFFFF << 16


def test_a_line_that_fills_piece_by_piece_is_no_fault() -> None:
    lines = Lines(MATRIX, ALL)
    lines.begin(0)
    seen = 0
    for number in (0, 1, 2, 3):
        lines.look(seen, seen | 1 << number)
        seen |= 1 << number
    assert (lines.doubted, lines.findings) == (0, [])


def test_a_board_that_is_swept_empty_is_no_fault() -> None:
    lines = Lines(MATRIX, ALL)
    lines.begin(ALL)
    lines.look(ALL, 0)
    assert (lines.doubted, lines.findings) == (0, [])


def test_a_line_that_is_closed_alone_at_the_start_is_stuck_and_two_are_a_game() -> None:
    lines = Lines(MATRIX, ALL)
    lines.begin(0b1111)
    assert lines.findings == ["Row 1 (GPIO5) reads closed from end to end. Look for a short to ground."]
    lines = Lines(MATRIX, ALL)
    lines.begin(0b1111_1111)
    assert lines.findings == []


def test_a_row_shorted_to_ground_shows_as_columns_that_are_stuck() -> None:
    lines = Lines(MATRIX, ALL)
    lines.begin(spread([0, 1]))
    lines.look(spread([0, 1]), spread([0, 1, 4, 5, 8, 9, 12, 13]))
    assert [finding[:8] for finding in lines.findings] == ["Column 1", "Column 2"]
    assert lines.doubted == spread([0, 1, 4, 5, 8, 9, 12, 13])


def test_a_line_that_never_closes_while_all_others_do_is_named_until_it_closes() -> None:
    lines = Lines(MATRIX, ALL)
    lines.begin(0)
    seen = 0
    for number in range(12):
        lines.look(seen, seen | 1 << number)
        seen |= 1 << number
    assert lines.findings == ["Row 4 (GPIO19) has never closed, while all other rows have. Look at its wire."]
    lines.look(seen, seen | 1 << 12)
    assert lines.findings == []


def test_only_cells_of_the_game_count() -> None:
    lines = Lines(MATRIX, spread([0, 1, 2, 4, 5, 6, 8, 9, 10]))  # three by three of four by four
    lines.begin(0)
    lines.look(0, 0b0111)
    assert lines.findings == ["Row 1 (GPIO5) reads closed from end to end. Look for a short to ground."]
