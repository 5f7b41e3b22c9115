"""What is seen: at every size, in light and dark, by guests, by readers of the screen, on a board that is real."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import expect

from boardctl.shells import web
from hardware.legend import legend
from tests.browser.conftest import BOARDCTL, QUICK, Served
from tests.browser.seat import Seat

pytestmark = pytest.mark.browser

Serve = Callable[..., Served]
Sit = Callable[..., Seat]

SIZES = {
    "phone": (360, 640),
    "small phone": (320, 568),
    "phone on its side": (640, 360),
    "tablet": (768, 1024),
    "laptop": (1280, 720),
    "desktop": (1600, 900),
    "desktop at 200 %": (800, 450),
}
PLAYED_WITH = (".line", "#far", ".wood", "#near", "#words")
"""What one needs while playing."""


@pytest.fixture(scope="module")
def link(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A page that is only looked at, once for all tests here that need no more."""
    served = Served((*BOARDCTL, "play", "--state", str(tmp_path_factory.mktemp("state")), *QUICK))
    yield served.link
    served.kill()


@pytest.mark.parametrize("size", SIZES)
def test_all_one_plays_with_fits_the_screen_and_nothing_overlaps(size: str, link: str, sit: Sit) -> None:
    width, height = SIZES[size]
    seat = sit(link, viewport={"width": width, "height": height})
    seat.hears("Black to move.")
    boxes = [seat.page.locator(part).bounding_box() for part in PLAYED_WITH]
    outside = [
        part
        for part, box in zip(PLAYED_WITH, boxes, strict=True)
        if not box
        or box["x"] < 0
        or box["y"] < 0
        or box["x"] + box["width"] > width
        or box["y"] + box["height"] > height
    ]
    assert outside == []
    assert [pair for pair in pairwise(boxes) if overlap(*pair)] == []
    assert seat.page.evaluate("document.documentElement.scrollWidth") <= width


def overlap(one: Any, other: Any) -> bool:
    """Whether two boxes share more than an edge."""
    beside = one["x"] + one["width"] <= other["x"] + 0.5 or other["x"] + other["width"] <= one["x"] + 0.5
    above = one["y"] + one["height"] <= other["y"] + 0.5 or other["y"] + other["height"] <= one["y"] + 0.5
    return not (beside or above)


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_nothing_moves_when_a_sentence_comes(size: str, serve: Serve, sit: Sit) -> None:
    width, height = SIZES[size]
    seat = sit(serve().link, viewport={"width": width, "height": height})
    seat.hears("Black to move.")
    before = seat.places()
    seat.cell("a1").click()
    seat.hears("A1 brackets nothing for Black. Take the disc away.")
    assert seat.places() == before


def test_light_and_dark_follow_the_device_and_the_viewer(link: str, sit: Sit) -> None:
    seat = sit(link, color_scheme="dark")
    root = seat.page.locator("html")
    expect(root).to_have_attribute("data-theme", "dark")
    seat.page.emulate_media(color_scheme="light")
    expect(root).to_have_attribute("data-theme", "light")
    seat.page.locator("#show summary").click()
    seat.page.get_by_label("Colours").select_option("dark")
    expect(root).to_have_attribute("data-theme", "dark")


def test_what_a_viewer_sets_is_kept(link: str, sit: Sit) -> None:
    seat = sit(link)
    seat.page.locator("#show summary").click()
    seat.page.get_by_label("Letters on the pieces").check()
    seat.page.reload()
    expect(seat.page.get_by_label("Letters on the pieces")).to_be_checked()
    letter = "getComputedStyle(document.querySelector('[data-cell=d4] .tails.face'), '::before').content"
    assert seat.page.evaluate(letter) in ("attr(data-letter)", '"O"')


def test_pieces_called_by_letters_show_them_unasked(serve: Serve, sit: Sit) -> None:
    seat = sit(serve("bracket").link)
    seat.sees(c3="C3, O", d3="D3, X", b3="B3, empty, may be played")
    expect(seat.page.locator("body")).to_have_class("lettered")


def test_rubbish_in_what_was_kept_does_no_harm(link: str, sit: Sit) -> None:
    seat = sit(link)
    for rubbish in ("{", "null", "7", '{"letters":"yes","open":{},"theme":3}'):
        seat.page.evaluate("(rubbish) => localStorage.setItem('boardctl', rubbish)", rubbish)
        seat.page.reload()
        seat.hears("Black to move.")
        expect(seat.page.get_by_label("Letters on the pieces")).not_to_be_checked()


def test_the_board_is_a_grid_for_a_screen_reader(link: str, sit: Sit) -> None:
    seat = sit(link)
    seat.hears("Black to move.")
    grid = seat.page.get_by_role("grid", name="Board of Othello")
    expect(grid.get_by_role("row")).to_have_count(8)
    expect(grid.get_by_role("row").nth(3).get_by_role("gridcell")).to_have_count(8)
    assert grid.get_by_role("row").nth(3).aria_snapshot().splitlines()[1:] == [
        '  - gridcell "A4, empty"',
        '  - gridcell "B4, empty"',
        '  - gridcell "C4, empty, may be played"',
        '  - gridcell "D4, white"',
        '  - gridcell "E4, black"',
        '  - gridcell "F4, empty"',
        '  - gridcell "G4, empty"',
        '  - gridcell "H4, empty"',
    ]
    expect(seat.page.get_by_role("region", name="Black")).to_contain_text("Black2to move")


def test_every_control_has_a_name(link: str, sit: Sit) -> None:
    seat = sit(link)
    seat.hears("Black to move.")
    nameless = seat.page.locator("button:visible, select:visible, input:visible").evaluate_all(
        """all => all.filter((one) => !(one.ariaLabel || one.innerText || one.labels?.length))
                  .map((one) => one.outerHTML)"""
    )
    assert nameless == []


def test_the_tab_key_reaches_every_control_and_one_cell(link: str, sit: Sit) -> None:
    seat = sit(link)
    seat.hears("Black to move.")
    reached = set()
    for _ in range(16):
        seat.page.keyboard.press("Tab")
        reached.add(
            seat.page.evaluate(
                """() => {
                    const { id, dataset, textContent } = document.activeElement;
                    return id || dataset.cell || dataset.tray || textContent.trim();
                }"""
            )
        )
    assert {"tails", "a1", "heads", "open-new", "record", "Show", "open-keys"} <= reached
    assert {name for name in reached if re.fullmatch("[a-h][1-8]", name)} == {"a1"}


def test_the_lights_have_the_rhythm_of_the_leds(serve: Serve, sit: Sit) -> None:
    seat = sit(serve().link)
    seat.hears("Black to move.")
    seat.cell("d3").click()
    seat.sees(d4="D4, white, to be turned")
    turn = next(look for look in legend() if look["sign"] == "turn")
    playing = seat.page.locator("[data-cell=d4] .glow").evaluate(
        """glow => {
            const [light] = glow.getAnimations().filter((one) => one.effect.getTiming().iterations === Infinity);
            const frames = light.effect.getKeyframes();
            return {
                period: light.effect.getTiming().duration / 1000,
                start: light.startTime,
                pattern: frames.map(({ offset, opacity }) => [offset, Number(opacity)]),
                colour: getComputedStyle(glow).getPropertyValue("--light"),
            };
        }"""
    )
    pattern: Any = turn["pattern"]
    colours: Any = turn["colours"]
    assert playing == {
        "period": turn["period"],
        "start": 0,
        "pattern": [*pattern, [1, pattern[0][1]]],
        "colour": colours["first"],
    }


def test_where_less_motion_is_wished_nothing_moves_and_the_signs_tell(serve: Serve, sit: Sit) -> None:
    seat = sit(serve().link, reduced_motion="reduce")
    seat.hears("Black to move.")
    seat.cell("d3").click()
    seat.sees(d4="D4, white, to be turned")
    expect(seat.page.locator("[data-cell=d4] .sign")).to_be_visible()
    moving = "document.getAnimations().filter((one) => one.effect.getTiming().iterations === Infinity).length"
    assert seat.page.evaluate(moving) == 0
    assert (
        seat.page.locator("[data-cell=d4] .disc").evaluate(
            "disc => getComputedStyle(disc).transitionDuration"
        )
        == "0s"
    )


def test_a_disc_really_turns(serve: Serve, sit: Sit) -> None:
    seat = sit(serve().link)
    seat.hears("Black to move.")
    disc = seat.page.locator("[data-cell=d4] .disc")
    disc.evaluate("disc => { disc.marked = true; }")
    assert disc.evaluate("disc => getComputedStyle(disc).transitionDuration") == "0.2s"
    seat.cell("d4").click()
    expect(disc).to_have_attribute("data-side", "heads")
    assert disc.evaluate("disc => disc.marked")


def test_in_forced_colours_black_white_and_lights_stay_apart(link: str, sit: Sit) -> None:
    seat = sit(link, forced_colors="active")
    seat.hears("Black to move.")
    colour = "(face) => getComputedStyle(face).backgroundColor"
    faces = [
        seat.page.locator(f"[data-cell={cell}] .{side}.face").evaluate(colour)
        for cell, side in (("d4", "tails"), ("e4", "heads"))
    ]
    assert faces == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]


def test_a_real_board_is_only_mirrored(mirror: Served, sit: Sit) -> None:
    seat = sit(mirror.link)
    seat.hears("Black to move.")
    expect(seat.page.locator("[data-tray]")).to_have_count(0)
    expect(seat.page.locator("#trouble")).to_be_hidden()
    seat.cell("d3").click()
    seat.cell("d3").press("Enter")
    seat.drags(seat.cell("d4"), seat.cell("c3"))
    seat.sees(d3="D3, empty, may be played", d4="D4, white")
    mirror.say("put d3 heads")
    seat.sees(d3="D3, black, last move", d4="D4, white, to be turned")
    mirror.say("turn d4")
    seat.hears("White to move.")
    seat.in_words("Undo").click()
    seat.sees(d3="D3, black, to be taken away", d4="D4, black, to be turned")


def test_without_the_token_one_watches_and_with_it_one_plays(serve: Serve, sit: Sit) -> None:
    board = serve(host="127.0.0.2")
    assert "#token=" in board.link
    guest, owner = sit(board.link.split("#")[0]), sit(board.link)
    for seat in (guest, owner):
        seat.hears("Black to move.")
    expect(guest.page.locator("#notices")).to_have_text(
        "You are watching. To play, open the link with the token."
    )
    expect(guest.page.locator("#watching")).to_be_visible()
    expect(guest.page.get_by_role("button", name="New game")).to_be_hidden()
    guest.cell("d3").click()
    guest.page.keyboard.press("u")
    owner.plays("d3", 1, "Black")
    for seat in (guest, owner):
        seat.recorded(1, "Black", "D3")
        seat.hears("White to move.")


def test_a_refusal_is_said_in_the_line(serve: Serve, sit: Sit) -> None:
    seat = sit(serve().link)
    seat.hears("Black to move.")
    seat.page.keyboard.press("p")
    expect(seat.page.locator("#line")).to_have_attribute("data-kind", "refused")
    expect(seat.sentence).to_contain_text("Make a move.")


def test_the_page_loads_nothing_but_its_own_few_files(link: str, sit: Sit) -> None:
    seat = sit(link)
    seat.hears("Black to move.")
    loaded = seat.page.evaluate(
        "performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname.slice(1))"
    )
    assert set(loaded) <= {path.name for path in web.PAGE.iterdir()}
