"""Every hand by mouse, finger and keys; every trouble by its switch."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Served
from tests.browser.seat import Seat, middle

pytestmark = pytest.mark.browser

Serve = Callable[..., Served]
Sit = Callable[..., Seat]

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def seat(serve: Serve, sit: Sit) -> Seat:
    """At a board that sees which side is up, the start laid."""
    taken = sit(serve("--sensors", "polarity").link)
    taken.hears("Black to move.")
    return taken


def test_a_disc_is_dragged_from_its_tray(seat: Seat) -> None:
    seat.drags(seat.page.get_by_role("button", name=re.compile("Take black")), seat.cell("d3"))
    seat.sees(d3="D3, black, last move", d4="D4, white, to be turned")


def test_a_tray_is_tapped_and_then_a_cell(seat: Seat) -> None:
    tray = seat.page.get_by_role("button", name=re.compile("Take white"))
    tray.click()
    expect(tray).to_have_attribute("aria-pressed", "true")
    seat.cell("d3").click()
    seat.sees(d3="D3, white, wrong")
    seat.hears("D3 has the wrong side up for Black. Turn it over.")
    expect(tray).to_have_attribute("aria-pressed", "false")


def test_a_hand_may_think_better_of_it(seat: Seat) -> None:
    tray = seat.page.get_by_role("button", name=re.compile("Take white"))
    tray.click()
    seat.page.keyboard.press("Escape")
    expect(tray).to_have_attribute("aria-pressed", "false")
    tray.click()
    tray.click()
    expect(tray).to_have_attribute("aria-pressed", "false")


def test_a_long_press_lifts(seat: Seat) -> None:
    seat.page.mouse.move(*middle(seat.cell("d4")))
    seat.page.mouse.down()
    seat.sees(d4="D4, empty")
    seat.page.mouse.up()
    expect(seat.page.locator("#told")).to_have_text("D4 lifted.")
    seat.hears("D4 is empty. Put white back.")


def test_a_disc_is_lifted_off_the_board_by_dragging(seat: Seat) -> None:
    box = seat.page.locator(".wood").bounding_box()
    assert box is not None
    seat.drags(seat.cell("d4"), (box["x"] - 20, box["y"] + box["height"] / 2))
    seat.sees(d4="D4, empty")


def test_a_disc_slides_to_another_cell_and_back(seat: Seat) -> None:
    seat.drags(seat.cell("d4"), seat.cell("b4"))
    seat.sees(d4="D4, empty", b4=re.compile("B4, white"))
    seat.drags(seat.cell("b4"), seat.cell("d4"))
    seat.sees(d4="D4, white", b4="B4, empty")
    seat.hears("Black to move.")


def test_a_disc_does_not_slide_onto_another(seat: Seat) -> None:
    seat.drags(seat.cell("d4"), seat.cell("e4"))
    seat.hears("A piece lies there already. Slide to an empty cell.")
    seat.sees(d4="D4, white", e4="E4, black")


def test_a_nudge_is_told_and_changes_nothing(seat: Seat) -> None:
    x, y = middle(seat.cell("d4"))
    seat.drags(seat.cell("d4"), (x + 12, y + 6))
    expect(seat.page.locator("#told")).to_have_text("D4 nudged.")
    seat.sees(d4="D4, white")
    seat.hears("Black to move.")


def test_a_double_click_puts_one_disc_and_does_not_turn_it(seat: Seat) -> None:
    seat.cell("d3").dblclick()
    seat.recorded(1, "Black", "D3")
    seat.turns_all()
    seat.hears("White to move.")
    seat.sees(d3="D3, black, last move")


def test_keys_put_turn_lift_slide_and_nudge(seat: Seat) -> None:
    press = seat.page.keyboard.press
    told = seat.page.locator("#told")
    seat.cell("c4").focus()
    press("Shift+Enter")
    seat.sees(c4="C4, white, wrong")
    expect(told).to_have_text("White put on C4.")
    press("Delete")
    expect(told).to_have_text("C4 lifted.")
    seat.sees(c4="C4, empty, may be played")
    seat.walks_to("d4")
    press("n")
    expect(told).to_have_text("D4 nudged.")
    press("Shift+ArrowUp")
    expect(told).to_have_text("D4 slid to D3.")
    expect(seat.cell("d3")).to_be_focused()
    seat.sees(d4="D4, empty")
    press("Shift+ArrowDown")
    seat.sees(d4="D4, white")
    seat.walks_to("d5")
    press(" ")
    seat.sees(d5="D5, white, wrong")
    press("Enter")
    seat.hears("Black to move.")


def test_home_and_end_walk_to_the_ends(seat: Seat) -> None:
    seat.cell("d4").focus()
    for key, cell in (("Home", "a4"), ("End", "h4"), ("Control+Home", "a1"), ("Control+End", "h8")):
        seat.page.keyboard.press(key)
        expect(seat.cell(cell)).to_be_focused()
    seat.page.keyboard.press("ArrowRight")
    expect(seat.cell("h8")).to_be_focused()
    assert seat.page.locator('[data-cell][tabindex="0"]').count() == 1


def test_undo_by_its_key(seat: Seat) -> None:
    seat.plays("d3", 1, "Black")
    seat.hears("White to move.")
    seat.page.keyboard.press("u")
    seat.sees(d3="D3, black, to be taken away", d4="D4, black, to be turned")


def test_letter_keys_can_be_switched_off(seat: Seat) -> None:
    seat.plays("d3", 1, "Black")
    seat.hears("White to move.")
    seat.page.locator("#show summary").click()
    seat.page.get_by_label("Keys of one letter").uncheck()
    seat.page.keyboard.press("u")
    seat.page.keyboard.press("?")
    expect(seat.page.get_by_role("dialog", name="Keys and gestures")).to_be_visible()
    seat.page.keyboard.press("Escape")
    seat.hears("White to move.")


def test_a_finger_taps_presses_long_and_drags(serve: Serve, sit: Sit) -> None:
    seat = sit(serve("--sensors", "polarity").link, **PHONE)
    seat.hears("Black to move.")
    seat.cell("d3").tap()
    seat.sees(d4="D4, white, to be turned")
    seat.cell("d4").tap()
    seat.hears("White to move.")
    finger = Finger(seat)
    finger.down(seat.cell("d3"))
    seat.sees(d3=re.compile("D3, empty"))
    finger.up()
    tray = seat.page.get_by_role("button", name=re.compile("Take black"))
    finger.down(tray)
    finger.move(seat.cell("d3"))
    finger.up()
    seat.sees(d3=re.compile("D3, black"))
    seat.hears("White to move.")


class Finger:
    """A finger on the glass, told to the browser as a touch screen tells it."""

    def __init__(self, seat: Seat) -> None:
        self._glass = seat.page.context.new_cdp_session(seat.page)
        self._at = (0.0, 0.0)

    def down(self, what: object) -> None:
        self._at = middle(what)  # type: ignore[arg-type]  # a locator
        self._tell("touchStart", self._at)

    def move(self, what: object) -> None:
        (x, y), (to_x, to_y) = self._at, middle(what)  # type: ignore[arg-type]  # a locator
        for part in range(1, 11):
            self._tell("touchMove", (x + (to_x - x) * part / 10, y + (to_y - y) * part / 10))

    def up(self) -> None:
        self._glass.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def _tell(self, kind: str, at: tuple[float, float]) -> None:
        points = [{"x": at[0], "y": at[1]}]
        self._glass.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_every_trouble_has_its_switch(seat: Seat) -> None:
    seat.page.locator("#trouble summary").click()
    for name in ("Contacts bounce", "Readings blink now and then"):
        switch = seat.page.get_by_label(name)
        switch.click()
        expect(switch).to_be_checked()
        switch.click()
        expect(switch).not_to_be_checked()
    seat.page.get_by_label("The cable is out").check()
    seat.hears("The board does not answer. Look at its cable.")
    expect(seat.page.locator("body")).to_have_attribute("data-unlinked", "")
    seat.page.get_by_label("The cable is out").uncheck()
    seat.hears("Black to move.")


def test_a_cell_goes_dead_and_the_page_shows_what_its_sensor_sees(seat: Seat) -> None:
    seat.page.locator("#trouble summary").click()
    seat.page.locator("#show summary").click()
    seat.page.get_by_label("What the sensors see").check()
    seat.page.get_by_label("What should lie there instead").check()
    seat.sees(e4="E4, black, its sensor sees heads")
    seat.page.locator("#trouble-cell").select_option("e4")
    dead = seat.page.get_by_role("button", name="Dead")
    dead.click()
    seat.sees(e4="E4, black, put black here, its sensor sees nothing")
    expect(dead).to_have_attribute("aria-pressed", "true")
    seat.page.locator("#speak summary").click()
    seat.page.get_by_label("A move, an answer").fill("distrust e4")
    seat.page.get_by_role("button", name="Say", exact=True).click()
    seat.sees(e4=re.compile("E4, black.*sensor set aside"))
    dead.click()
    expect(dead).to_have_attribute("aria-pressed", "false")


def test_the_board_is_knocked_over_and_the_lights_say_what_goes_where(seat: Seat) -> None:
    seat.page.locator("#trouble summary").click()
    seat.page.get_by_role("button", name="Knock the board over").click()
    expect(
        seat.page.get_by_role("gridcell", name=re.compile("put (black|white) here|to be turned")).first
    ).to_be_visible()
    expect(seat.record).to_have_text("None yet.")
