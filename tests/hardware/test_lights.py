"""Lights as pixels: within their budget, never flickering, dark at once when there is nothing more to say."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardctl.core.commands import Debt, Light
from hardware.legend import Palette
from hardware.lights import DARK, BudgetTooSmall, NoSuchBrightness, Pixel, SimulatedLights, frame_ma
from hardware.ports import Lights

CELLS = [f"{column}{row}" for row in range(1, 9) for column in "abcdefgh"]
DISCS = Palette(("black", "white"))
TURN_IT = Light("owed", Debt("turn", "white"), 1)
WRONG = Light("wrong")
HINT = Light("hint")

LIGHT = st.one_of(
    st.builds(Light, st.sampled_from(["wrong", "choice", "mark", "hint", "last"])),
    st.builds(
        Light,
        st.just("owed"),
        st.builds(
            Debt, st.sampled_from(["put", "turn", "take", "confirm"]), st.sampled_from(["black", "white"])
        ),
        st.integers(0, 6),
    ),
)
FRAME = st.dictionaries(st.sampled_from(CELLS), LIGHT)
BOARDFUL = st.lists(LIGHT, min_size=64, max_size=64).map(lambda lights: dict(zip(CELLS, lights, strict=True)))


def simulated(budget_ma: float = 500.0, brightness: float = 0.6) -> SimulatedLights:
    return SimulatedLights(CELLS, DISCS, budget_ma=budget_ma, brightness=brightness)


def lit(lights: SimulatedLights, now: float) -> dict[str, Pixel]:
    return {cell: pixel for cell, pixel in lights.pixels(now).items() if pixel != DARK}


def onsets(lights: SimulatedLights, cell: str, ticks: range, shown: dict[int, dict[str, Light]]) -> list[int]:
    """The ticks (of 20 ms) at which a cell goes from dark to lit while these frames are shown in turn."""
    found, before = [], DARK
    for tick in ticks:
        if tick in shown:
            lights.show(shown[tick], tick / 50)
        pixel = lights.pixels(tick / 50)[cell]
        if pixel != DARK and before == DARK:
            found.append(tick)
        before = pixel
    return found


def test_simulated_lights_are_lights() -> None:
    port: Lights = simulated()
    port.show({"d4": TURN_IT}, 1.0)
    port.close()


def test_a_light_is_up_within_80_ms_and_comes_up_softly() -> None:
    lights = simulated()
    lights.show({"d4": HINT}, 10.0)
    assert [lights.pixels(10 + after)["d4"] for after in (0, 0.04, 0.08, 9)] == [
        (0, 0, 0),
        (0, 2, 1),
        (0, 12, 5),
        (0, 12, 5),
    ]


@given(FRAME, st.floats(0, 100), st.floats(0, 3))
def test_a_paid_debt_is_dark_at_once(others: dict[str, Light], now: float, later: float) -> None:
    lights = simulated()
    lights.show({**others, "d4": TURN_IT}, now)
    others.pop("d4", None)
    lights.show(others, now + later)
    assert lights.pixels(now + later)["d4"] == DARK


def test_a_debt_goes_on_breathing_while_others_of_its_line_are_paid() -> None:
    lights = simulated()
    lights.show({"d4": TURN_IT, "d5": Light("owed", Debt("turn", "white"), 2)}, 10.0)
    lights.show({"d5": TURN_IT}, 10.2)
    assert lit(lights, 10.5) == {"d5": (117, 45, 0)}


def test_what_was_lit_a_second_ago_lights_again_at_once() -> None:
    lights = simulated()
    for now, frame in ((10.0, {"d4": HINT}), (10.5, {}), (11.0, {"d4": WRONG})):
        lights.show(frame, now)
    assert lit(lights, 11.1) == {"d4": (96, 11, 0)}


@settings(deadline=None, max_examples=60)
@given(st.one_of(FRAME, BOARDFUL), st.floats(64, 700), st.floats(0.01, 1), st.floats(0, 4))
def test_no_frame_ever_exceeds_the_budget(
    frame: dict[str, Light], budget_ma: float, brightness: float, after: float
) -> None:
    lights = simulated(budget_ma, brightness)
    lights.show(frame, 100.0)
    assert frame_ma(lights.pixels(100.0 + after)) <= budget_ma


def test_too_many_lights_are_dimmed_alike_and_hints_before_them() -> None:
    wide, tight = simulated(brightness=1.0), simulated(84.0, brightness=1.0)
    frame = {"a1": HINT, "a2": Light("mark"), "a3": WRONG, "a4": Light("owed", Debt("turn", "black"))}
    for lights in (wide, tight):
        lights.show(frame, 10.0)
    assert lit(wide, 11.1) == {
        "a1": (0, 19, 9),
        "a2": (27, 24, 1),
        "a3": (160, 19, 0),
        "a4": (1, 10, 21),
    }
    assert lit(tight, 11.1) == {"a2": (12, 11, 0), "a3": (74, 8, 0), "a4": (1, 5, 10)}


def test_a_light_does_not_waver_when_its_neighbour_flashes() -> None:
    lights = simulated(84.0, 1.0)
    lights.show({"a1": HINT, "a2": Light("mark"), "a3": WRONG}, 10.0)
    assert {lights.pixels(10.1 + tick / 100)["a2"] for tick in range(100)} == {lights.pixels(10.1)["a2"]}


def test_night_halves_twice_and_nothing_is_lost_in_it() -> None:
    lights = simulated()
    lights.show({"a1": Light("last"), "a2": HINT, "a3": WRONG}, 10.0)
    lights.dim("night", 10.5)
    assert lit(lights, 11.1) == {"a1": (1, 1, 1), "a2": (0, 3, 1), "a3": (24, 3, 0)}
    lights.dim("day", 12.0)
    assert lit(lights, 12.1) == {"a1": (2, 2, 2), "a2": (0, 12, 5), "a3": (96, 11, 0)}


@given(st.one_of(FRAME, BOARDFUL), st.floats(0.1, 4))
def test_white_is_only_ever_a_glimmer(frame: dict[str, Light], after: float) -> None:
    lights = simulated(5000, 1.0)
    lights.show(frame, 100.0)
    white = [pixel for pixel in lights.pixels(100 + after).values() if len(set(pixel)) == 1]
    assert set(white) <= {(level, level, level) for level in range(5)}


@settings(deadline=None, max_examples=25)
@given(st.one_of(FRAME, BOARDFUL))
def test_a_board_goes_from_dark_to_lit_at_no_more_than_three_moments_a_second(
    frame: dict[str, Light],
) -> None:
    lights = simulated(5000)
    lights.show(frame, 0.0)
    shown = [set(lit(lights, 10 + tick / 50)) for tick in range(300)]
    moments = [tick for tick in range(1, 300) if shown[tick] - shown[tick - 1]]
    assert all(sum(start <= tick < start + 50 for tick in moments) <= 3 for start in range(250))


@settings(deadline=None, max_examples=60)
@given(
    st.dictionaries(
        st.integers(0, 249),
        st.dictionaries(st.sampled_from(["d4", "d5", "d6"]), LIGHT),
        min_size=5,
        max_size=60,
    )
)
def test_no_cell_flashes_more_than_three_times_a_second_whatever_it_is_told(
    shown: dict[int, dict[str, Light]],
) -> None:
    found = onsets(simulated(), "d4", range(250), shown)
    assert all(sum(start <= tick < start + 50 for tick in found) <= 3 for start in range(200))


def test_a_candidate_does_not_flicker_when_the_others_come_and_go() -> None:
    frames = [{"d4": Light("choice")}, {"a1": Light("choice"), "d4": Light("choice")}]
    found = onsets(simulated(), "d4", range(500), {5 * n: frames[n % 2] for n in range(100)})
    assert all(sum(start <= tick < start + 50 for tick in found) <= 3 for start in range(450))


def test_a_light_told_on_and_off_without_end_is_not_put_off_without_end() -> None:
    shown = {tick: {"d4": WRONG} if tick % 10 == 0 else {} for tick in range(0, 500, 5)}
    assert len(onsets(simulated(), "d4", range(500), shown)) >= 5


def test_a_cell_without_a_light_is_passed_over() -> None:
    lights = simulated()
    lights.show({"z9": WRONG, "d4": HINT}, 1.0)
    assert set(lit(lights, 2.0)) == {"d4"}


def test_what_was_shown_is_remembered_change_by_change() -> None:
    lights = SimulatedLights(CELLS, DISCS, remember=2)
    for now, frame in ((1.0, {"d4": HINT}), (1.1, {"d4": HINT}), (2.0, {"d4": WRONG, "a1": HINT}), (3.0, {})):
        lights.show(frame, now)
    assert list(lights.history) == [(2.0, {"d4": "wrong", "a1": "hint"}), (3.0, {})]


def test_what_is_showing_does_not_change_with_the_frame_it_was_told_in() -> None:
    lights, frame = simulated(), {"d4": HINT}
    lights.show(frame, 1.0)
    frame.clear()
    assert lights.showing == {"d4": HINT}


def test_closed_lights_are_dark() -> None:
    lights = simulated()
    lights.show({"d4": HINT}, 1.0)
    lights.close()
    lights.close()
    assert (lights.showing, lit(lights, 2.0)) == ({}, {})


def test_a_board_may_rest_once_only_steady_lights_are_up() -> None:
    lights = simulated()
    resting = []
    for frame in ({}, {"d4": HINT}, {"d4": HINT, "d5": TURN_IT}):
        lights.show(frame, 1.0)
        resting.append((lights.steady(1.05), lights.steady(1.1)))
    assert resting == [(True, True), (False, True), (False, False)]


def test_a_board_at_rest_draws_a_milliamp_a_pixel_and_a_white_one_sixty_more() -> None:
    assert [frame_ma(frame) for frame in ({"a1": DARK, "a2": DARK}, {"a1": DARK, "a2": (255, 255, 255)})] == [
        2.0,
        62.0,
    ]


def test_a_budget_below_the_pixels_at_rest_is_refused() -> None:
    with pytest.raises(BudgetTooSmall, match="63 mA; 64 pixels at rest draw 64 mA"):
        simulated(63.0)


@pytest.mark.parametrize("brightness", [0.0, 1.1, -1.0])
def test_a_brightness_that_is_none_is_refused(brightness: float) -> None:
    with pytest.raises(NoSuchBrightness, match="it is above 0 and at most 1"):
        simulated(brightness=brightness)
