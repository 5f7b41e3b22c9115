"""Ghosts on a board that should have a diode at every switch: which one is blamed, from what scans saw alone."""

from __future__ import annotations

from random import Random

import pytest

from hardware.ghosts import (
    Ghosts,
    NeedsDiodes,
    Suspect,
    rectangles,
    refuse_without_diodes,
    spread,
    told_apart,
)

pytest.importorskip("gpiozero", reason="the extra `pi` is not installed")
from tests.hardware.board import Switches

ROWS, COLUMNS = [5, 6, 13, 19, 26, 16, 20, 21], [4, 17, 27, 22, 23, 24, 25, 12]


def suspects(reeds: Switches, hands: Random, moves: int = 600) -> list[Suspect]:
    """Who is blamed after one piece after another came and went, some thirty on the board."""
    ghosts = Ghosts(8)
    before = reeds.seen()
    for _ in range(moves):
        cell = hands.randrange(64)
        lies = divmod(cell, 8) in reeds.closed
        if lies or len(reeds.closed) < 30:
            (reeds.open if lies else reeds.close)(cell)
        seen = reeds.seen()
        ghosts.look(before, seen)
        ghosts.look(seen, seen)
        before = seen
    return ghosts.suspects


@pytest.mark.parametrize("seed", range(6))
def test_with_all_diodes_in_place_nobody_is_blamed(seed: int) -> None:
    assert suspects(Switches(ROWS, COLUMNS), Random(seed)) == []


@pytest.mark.parametrize("seed", range(6))
def test_a_missing_diode_is_found_among_sixty_four(seed: int) -> None:
    hands = Random(seed)
    reeds, cell = Switches(ROWS, COLUMNS), hands.randrange(64)
    reeds.bare = {divmod(cell, 8)}
    assert suspects(reeds, hands) == [Suspect(cell, "missing")]


@pytest.mark.parametrize("seed", range(6))
def test_a_reversed_diode_is_found_among_sixty_four(seed: int) -> None:
    hands = Random(seed)
    reeds, cell = Switches(ROWS, COLUMNS), hands.randrange(64)
    reeds.backwards = {divmod(cell, 8)}
    assert suspects(reeds, hands) == [Suspect(cell, "reversed")]


def test_a_ghost_has_to_come_three_times_before_anybody_is_blamed() -> None:
    ghosts = Ghosts(8)
    for times in range(3):
        assert ghosts.suspects == [], times
        ghosts.look(spread({0, 8}), spread({0, 1, 8, 9}))
    assert ghosts.suspects == [Suspect(0, "missing"), Suspect(8, "missing")]  # one of the two, by symmetry


def test_a_switch_that_stops_a_ghost_is_innocent() -> None:
    ghosts = Ghosts(8)
    for _ in range(3):
        ghosts.look(spread({0, 8}), spread({0, 1, 8, 9}))
    ghosts.look(spread({0, 1, 8}), spread({0, 1, 8}))  # A1 is closed with both neighbours, and B2 stays open
    assert ghosts.suspects == [Suspect(8, "missing")]


def test_corners_that_close_one_after_another_are_hands() -> None:
    ghosts = Ghosts(8)
    for _ in range(9):
        ghosts.look(spread({0, 1}), spread({0, 1, 8}))
        ghosts.look(spread({0, 1, 8}), spread({0, 1, 8, 9}))
        ghosts.look(spread({0, 1, 8, 9}), spread({0, 1, 8}))
        ghosts.look(spread({0, 1, 8}), spread({0, 1}))
    assert ghosts.suspects == []


def test_a_board_that_is_laid_or_cleared_at_once_proves_nothing() -> None:
    ghosts = Ghosts(8)
    for _ in range(9):
        ghosts.look(0, spread(range(16)))
        ghosts.look(spread(range(16)), 0)
    assert ghosts.suspects == []


def test_rectangles_are_two_rows_that_share_two_columns() -> None:
    assert rectangles(spread({0, 2, 24, 26}), 8) == [(0, 2, 24, 26)]
    assert rectangles(spread({0, 2, 24, 27}), 8) == []
    assert len(rectangles(spread(range(16)), 8)) == 28


def test_without_diodes_only_what_is_in_no_rectangle_is_news() -> None:
    assert told_apart(spread({0, 1}), spread({0, 1, 8, 9, 63}), 8) == spread({0, 1, 63})


def test_three_pieces_may_be_played_without_diodes_and_four_may_not() -> None:
    refuse_without_diodes(3)
    with pytest.raises(NeedsDiodes, match=r"up to 4 pieces .* solder a diode to every switch"):
        refuse_without_diodes(4)
