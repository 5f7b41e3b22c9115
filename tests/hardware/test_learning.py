"""The lesson: boards wired in two hundred shuffled ways, all learnt; dead cells, crossed wires and shadows found."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import NamedTuple

import pytest

from hardware.board_file import Grid, Spot, wired
from hardware.learning import Learnt, Lesson, Way, in_file, ways


class Built(NamedTuple):
    """A board as somebody wired it: which sensor lies under every cell, and which pixel."""

    grid: Grid
    lines: tuple[int, int]
    sensors: dict[Spot, int]
    pixels: dict[Spot, int]
    way: Way


def shuffled(seed: int, pixels: bool = True) -> Built:
    """A board whose lines, orientation and strip are decided by chance."""
    luck = Random(seed)
    grid = Grid(columns=luck.choice([6, 8, 9]), rows=luck.choice([6, 8, 9]))
    turned = luck.random() < 0.5
    rows, columns = (grid.columns, grid.rows) if turned else (grid.rows, grid.columns)
    row_at, column_at = luck.sample(range(rows), rows), luck.sample(range(columns), columns)
    sensors = {}
    for r, c in product(range(rows), range(columns)):
        spot = (row_at[r], column_at[c]) if turned else (column_at[c], row_at[r])
        sensors[spot] = r * columns + c
    way = luck.choice(ways())
    strip = {spot: number for number, spot in enumerate(wired(grid, *way))} if pixels else {}
    return Built(grid, (rows, columns), sensors, strip, way)


def taught(built: Built, dead: set[Spot] = frozenset(), shadow: dict[int, int] = {}) -> Learnt:  # noqa: B006
    """The lesson by a hand that touches what is asked."""
    lesson = Lesson(built.grid, built.lines, len(built.pixels))
    under = {pixel: spot for spot, pixel in built.pixels.items()}
    for _ in range(400):
        ask = lesson.ask
        if ask is None:
            break
        spot = ask.spot if ask.spot is not None else under[ask.pixel]
        if spot in dead:
            lesson.skip()
        else:
            sensor = built.sensors[spot]
            lesson.felt([sensor, *([shadow[sensor]] if sensor in shadow else [])])
    assert lesson.progress[0] == lesson.progress[1]
    return lesson.learnt()


def as_written(built: Built, learnt: Learnt) -> dict[Spot, int]:
    """Where the file that comes out of it says that every sensor lies, by the numbers before."""
    rows, columns = in_file(learnt, range(built.lines[0]), range(built.lines[1]))
    spots = wired(built.grid, "top-left", learnt.along)
    numbers = [r * built.lines[1] + c for r in rows for c in columns]
    return dict(zip(spots, numbers, strict=True))


@pytest.mark.parametrize("seed", range(200))
def test_a_shuffled_board_is_learnt(seed: int) -> None:
    built = shuffled(seed)
    learnt = taught(built)
    assert (learnt.sensors, learnt.findings) == (built.sensors, ())
    assert as_written(built, learnt) == built.sensors
    assert {spot: n for n, spot in enumerate(wired(built.grid, *learnt.strip))} == built.pixels


@pytest.mark.parametrize("seed", range(20))
def test_a_board_without_pixels_is_learnt_cell_by_cell(seed: int) -> None:
    built = shuffled(seed, pixels=False)
    learnt = taught(built)
    assert (learnt.sensors, learnt.strip, learnt.findings) == (built.sensors, None, ())
    assert as_written(built, learnt) == built.sensors


@pytest.mark.parametrize("seed", range(20))
def test_a_dead_cell_is_named_and_everything_else_learnt(seed: int) -> None:
    built = shuffled(seed)
    learnt = taught(built, dead={(2, 3)})
    assert learnt.findings == (
        "C4 does not answer. Look at its switch and its diode, which may be the wrong way round.",
    )
    assert as_written(built, learnt) == built.sensors


def test_a_dead_row_is_named_as_a_row() -> None:
    built = shuffled(3)
    dead = {(x, 2) for x in range(built.grid.columns)}
    assert taught(built, dead=dead).findings == (
        "No cell of board row 3 answers. Look at the wire of that line.",
    )


@pytest.mark.parametrize("seed", range(10))
def test_two_crossed_wires_are_found_where_they_are(seed: int) -> None:
    built = shuffled(seed)
    sensors = dict(built.sensors)
    sensors[2, 2], sensors[3, 3] = sensors[3, 3], sensors[2, 2]
    learnt = taught(built._replace(sensors=sensors))
    assert learnt.findings == (
        "C3 hangs on other lines than its neighbours. Two wires are crossed there.",
        "D4 hangs on other lines than its neighbours. Two wires are crossed there.",
    )


def test_a_cell_that_closes_with_others_is_named_for_its_diode() -> None:
    built = shuffled(5)
    ghost = built.sensors[1, 1]
    shadow = {built.sensors[3, 1]: ghost, built.sensors[1, 4]: ghost}
    assert taught(built, shadow=shadow).findings == (
        "B2 answers for other cells. Look for a missing diode there.",
    )


def test_it_is_asked_for_corners_by_name_and_for_the_rest_by_light() -> None:
    lesson = Lesson(Grid(columns=2, rows=2), (2, 2), 4)
    over = wired(lesson.grid, "top-left", "rows", True)
    asked = []
    while lesson.ask is not None:
        asked.append(lesson.ask)
        x, y = lesson.ask.spot or over[lesson.ask.pixel]
        lesson.felt([2 * y + x])
    assert [ask.say for ask in asked] == ["Touch A1.", "Touch B1.", "Touch A2."] + [
        "Touch the cell that is lit."
    ] * 4
    assert [ask.pixel for ask in asked] == [None, None, None, 0, 1, 2, 3]


def test_once_the_corners_are_lit_every_cell_is_foretold() -> None:
    lesson = Lesson(Grid(), (8, 8), 64)
    over = wired(lesson.grid, "bottom-right", "columns", True)
    foretold = []
    while (ask := lesson.ask) is not None:
        x, y = ask.spot or over[ask.pixel]
        foretold.append(lesson.foretold == (x, y))
        assert lesson.foretold in (None, (x, y))
        lesson.felt([8 * y + x])
    assert sum(foretold) >= 55


def test_a_pixel_that_nobody_saw_is_named_and_its_cell_asked_for_by_name() -> None:
    built = shuffled(4)
    lesson = Lesson(built.grid, built.lines, len(built.pixels))
    under = {pixel: spot for spot, pixel in built.pixels.items()}
    while (ask := lesson.ask) is not None:
        if ask.pixel is not None and under[ask.pixel] == (2, 3):
            lesson.unlit()
        else:
            lesson.felt([built.sensors[ask.spot or under[ask.pixel]]])
    learnt = lesson.learnt()
    assert (learnt.sensors, learnt.findings) == (
        built.sensors,
        ("The pixel under C4 stays dark. Look at its joints and its data line.",),
    )


def test_a_strip_that_fits_no_way_has_every_cell_asked_for_by_name() -> None:
    built = shuffled(4)
    lesson = Lesson(built.grid, built.lines, len(built.pixels))
    under = {pixel: spot for spot, pixel in built.pixels.items()}
    under[0], under[1] = under[1], under[0]
    under[0], under[9] = under[9], under[0]
    while (ask := lesson.ask) is not None:
        lesson.felt([built.sensors[ask.spot or under[ask.pixel]]])
    learnt = lesson.learnt()
    assert (learnt.sensors, learnt.strip) == (built.sensors, None)
    assert [each.partition(".")[0] for each in learnt.findings] == [
        "The corners do not fit any way of the strip"
    ]
