"""What each light looks like, told apart without colours."""

from __future__ import annotations

import json
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardctl.core.commands import Debt, Light
from hardware.legend import (
    LOOKS,
    ORANGE,
    SKY_BLUE,
    VERMILLION,
    Colour,
    Palette,
    Sign,
    colour,
    legend,
    paint,
    rhythm,
    sign,
)

DISCS = Palette(("black", "white"))
LIGHTS: dict[Sign, Light] = {
    "wrong": Light("wrong"),
    "turn": Light("owed", Debt("turn", "white")),
    "put": Light("owed", Debt("put", "white")),
    "take": Light("owed", Debt("take")),
    "confirm": Light("owed", Debt("confirm", "white")),
    "choice": Light("choice"),
    "mark": Light("mark"),
    "hint-turn": Light("hint", Debt("turn")),
    "hint": Light("hint"),
    "last": Light("last"),
}
TICKS = 600
"""Twelve seconds, in which every rhythm here comes round, fifty times a second."""


def curve(name: Sign, of: int = 2) -> list[float]:
    """How a light comes and goes over twelve seconds: no colour, no strength."""
    pace = rhythm(LIGHTS[name], 0, of)
    return [pace.level(tick / 50) for tick in range(TICKS)]


def unlike(one: list[float], other: list[float]) -> float:
    """How far two curves differ on the average, at the delay at which they differ least."""
    delays = range(0, TICKS, 5)
    return min(sum(abs(a - other[n - delay]) for n, a in enumerate(one)) / TICKS for delay in delays)


def test_every_sign_has_a_look_and_a_light() -> None:
    assert {name: sign(light) for name, light in LIGHTS.items()} == {name: name for name in LOOKS}


@pytest.mark.parametrize("pair", [pair for pair in combinations(LOOKS, 2) if pair != ("hint", "last")])
def test_any_two_signs_can_be_told_apart_by_their_rhythm_alone(pair: tuple[Sign, Sign]) -> None:
    assert unlike(curve(pair[0]), curve(pair[1])) > 0.05


@pytest.mark.parametrize("of", [1, 3, 4, 6])
@pytest.mark.parametrize("name", [name for name in LOOKS if name != "choice"])
def test_a_choice_is_told_apart_however_many_there_are_to_choose_from(name: Sign, of: int) -> None:
    assert unlike(curve("choice", of), curve(name)) > 0.05


def test_the_two_that_never_move_differ_in_strength_three_to_one() -> None:
    steady = [name for name in LOOKS if rhythm(LIGHTS[name]).steady]
    assert steady == ["hint", "last"]
    assert LOOKS["hint"].strength == pytest.approx(3 * LOOKS["last"].strength)


def test_a_hint_tells_a_piece_to_be_turned_from_one_to_be_lifted_and_from_a_place_to_put_one() -> None:
    told = {do: sign(Light("hint", Debt(do))) for do in ("turn", "take", "put")}
    assert told == {"turn": "hint-turn", "take": "hint", "put": "hint"}


def test_a_wrong_light_flashes_twice_and_pauses() -> None:
    pace = rhythm(LIGHTS["wrong"])
    assert [pace.level(tick / 8) for tick in range(8)] == [1, 0, 1, 0, 0, 0, 0, 0]


def test_discs_of_a_line_breathe_one_after_the_other() -> None:
    line = [rhythm(Light("owed", Debt("turn", "white"), step)) for step in (1, 2, 3)]
    levels = [[pace.level(tick / 100) for tick in range(100)] for pace in line]
    assert [level.index(max(level)) for level in levels] == [50, 65, 80]


def test_a_disc_without_a_line_breathes_like_the_first_of_one() -> None:
    alone, first = (rhythm(Light("owed", Debt("turn", "white"), step)) for step in (0, 1))
    assert alone == first


def test_candidates_take_turns_a_second_each() -> None:
    lit = [
        [place for place in range(3) if rhythm(Light("choice"), place, 3).level(tick + 0.5)]
        for tick in range(4)
    ]
    assert lit == [[0], [1], [2], [0]]


def test_a_lone_candidate_still_comes_and_goes() -> None:
    assert [rhythm(Light("choice"), 0, 1).level(tick + 0.5) for tick in range(4)] == [1, 0, 1, 0]


def test_the_first_player_is_sky_blue_and_the_second_orange() -> None:
    assert DISCS.colours == {"black": SKY_BLUE, "white": ORANGE}


def test_a_debt_has_the_colour_of_the_piece_it_is_about() -> None:
    shown = {name: colour(LIGHTS[name], DISCS) for name in ("turn", "put", "take", "confirm")}
    assert shown == {"turn": ORANGE, "put": ORANGE, "take": VERMILLION, "confirm": ORANGE}


def test_players_have_colours_of_their_own_up_to_four() -> None:
    for count in range(1, 5):
        assert len(set(Palette([str(n) for n in range(count)]).colours.values())) == count


def test_a_piece_nobody_told_of_still_has_a_colour() -> None:
    assert Palette(("black",)).of("dragon") == Palette(("black",)).of(None)


def test_a_hint_is_painted_dim_bluish_green() -> None:
    assert paint(Light("hint"), 7.3, DISCS) == pytest.approx(Colour(0, 0.6 * 158 / 255, 0.6 * 115 / 255))


@given(st.sampled_from(list(LOOKS)), st.floats(0, 1e6), st.integers(0, 9), st.integers(0, 9))
def test_a_level_is_never_outside_its_range(name: Sign, seconds: float, place: int, of: int) -> None:
    assert 0 <= rhythm(LIGHTS[name], place, of).level(seconds) <= 1


@given(st.sampled_from(list(LOOKS)), st.integers(0, 9), st.integers(0, 9))
def test_what_goes_dark_comes_back_on_the_second_or_a_quarter_after(name: Sign, place: int, of: int) -> None:
    levels = [rhythm(LIGHTS[name], place, of).level(tick / 100) for tick in range(1200)]
    returns = {tick % 100 for tick in range(1200) if levels[tick] and not levels[tick - 1]}
    assert returns <= {0, 25}


def test_the_legend_is_json_and_tells_the_strongest_first() -> None:
    told = json.loads(json.dumps(legend()))
    assert [(entry["sign"], entry["meaning"], entry["do"]) for entry in told] == [
        ("wrong", "wrong", None),
        ("turn", "owed", "turn"),
        ("put", "owed", "put"),
        ("take", "owed", "take"),
        ("confirm", "owed", "confirm"),
        ("choice", "choice", None),
        ("mark", "mark", None),
        ("hint-turn", "hint", "turn"),
        ("hint", "hint", None),
        ("last", "last", None),
    ]


def test_the_legend_says_how_a_debt_to_turn_looks() -> None:
    assert legend(DISCS)[1] == {
        "sign": "turn",
        "meaning": "owed",
        "do": "turn",
        "says": "Turn this to the side of this colour.",
        "colours": {"black": "#56b4e9", "white": "#e69f00"},
        "strength": 1.0,
        "rhythm": "breath",
        "period": 1.0,
        "pattern": [[0.0, 0.35], [0.5, 1]],
        "passage": "glide",
        "step": 0.15,
        "turn": 0.0,
    }


def test_the_legend_has_a_single_colour_where_no_piece_is_meant() -> None:
    assert [entry["colours"] for entry in legend() if entry["sign"] in ("take", "hint")] == [
        {"any": "#d55e00"},
        {"any": "#009e73"},
    ]
