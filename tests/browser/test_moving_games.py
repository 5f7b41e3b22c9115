"""Tiles and men on the page: flipped, switched, moved, captured and called, by mouse and keys, on simulated boards."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Served
from tests.browser.seat import Seat

pytestmark = pytest.mark.browser

Serve = Callable[..., Served]
Sit = Callable[..., Seat]

PATENT = ["g1-g3", "f9-f8", "g3-g4", "f8-e7", "g4-f5", "e7-e6"]
"""The patent's example of play; then Red calls."""


def answer(seat: Seat, word: str) -> None:
    seat.in_words(word).click()


def figure(seat: Seat, cell: str) -> str:
    """The figure on a tile, as a person sees it."""
    return seat.cell(cell).locator(".heads.face").get_attribute("data-figure") or ""


def flip(seat: Seat, cell: str, ply: int, player: str) -> str:
    """Turns a tile on a board of reeds and answers what is asked, truthfully. Answers the shape."""
    seat.cell(cell).click()
    answer(seat, f"Flip {cell.upper()}")
    shape = figure(seat, cell)
    last = seat.page.locator("#answers button")
    if last.count():
        answer(seat, shape.capitalize())
    seat.recorded(ply, f"{player[-1]}{player}", f"flip {cell.upper()} {shape}")
    return shape


def goes(seat: Seat, label: str, ply: int, player: str) -> None:
    """Moves a man by two clicks."""
    start, end = re.split("[-x]", label)
    seat.cell(start).click()
    expect(seat.cell(start)).to_have_accessible_name(re.compile("in hand"))
    seat.cell(end).click()
    sign = "–" if "-" in label else "×"
    seat.recorded(ply, player, f"{start.upper()}{sign}{end.upper()}")


def test_tiles_are_flipped_and_switched_on_reeds_and_every_question_is_answered_by_mouse(
    serve: Serve, sit: Sit
) -> None:
    seat = sit(serve("flip-switch", "--sensors", "presence").link)
    seat.hears("Player 1 to move.")
    seat.sees(b2="B2, face down, may be turned")
    seat.cell("b2").click()
    seat.hears("Was it a flip of B2, or did nothing happen?")
    answer(seat, "Flip B2")
    seat.hears("What came up: heart, square or star?")
    shape = figure(seat, "b2")
    expect(seat.in_words(shape.capitalize()).locator("svg")).to_be_visible()
    answer(seat, shape.capitalize())
    seat.recorded(1, "1Player 1", f"flip B2 {shape}")
    seat.sees(b2=f"B2, {shape}, last move")
    cells, up, ply = ["a2", "c2", "b1", "b3"], {"b2": shape}, 1
    partner = None
    while partner is None:
        ply += 1
        cell = cells.pop(0)
        up[cell] = flip(seat, cell, ply, f"Player {2 - ply % 2}")
        partner = next((each for each, figured in up.items() if figured != shape), None)
    seat.drags(seat.cell("b2"), seat.cell(partner))
    one, other = sorted(["b2", partner])
    seat.hears(f"Was it a switch of {one.upper()} and {other.upper()}, or did nothing happen?")
    answer(seat, f"Switch {one.upper()} {other.upper()}")
    seat.recorded(
        ply + 1, f"{2 - (ply + 1) % 2}Player {2 - (ply + 1) % 2}", f"switch {one.upper()} {other.upper()}"
    )
    assert (figure(seat, "b2"), figure(seat, partner)) == (up[partner], shape)


def test_a_tile_touched_and_left_is_answered_with_nothing(serve: Serve, sit: Sit) -> None:
    seat = sit(serve("flip-switch", "--sensors", "presence").link)
    seat.cell("c3").focus()
    seat.page.keyboard.press("t")
    seat.page.keyboard.press("t")
    seat.hears("Was it a flip of C3, or did nothing happen?")
    answer(seat, "Nothing happened")
    seat.hears("Player 1 to move.")
    expect(seat.page.locator("#record .nothing")).to_be_visible()


def test_a_round_is_laid_out_again_by_one_button(serve: Serve, sit: Sit) -> None:
    seat = sit(serve("flip-switch", "--sensors", "polarity", "--option", "quiet_limit=3").link)
    for ply, cell in enumerate(("a1", "b2", "c1"), 1):
        seat.cell(cell).click()
        expect(seat.page.locator("#answers button").first).to_be_visible()
        answer(seat, figure(seat, cell).capitalize())
        expect(seat.record).to_have_count(ply)
    expect(seat.record.last).to_contain_text("round void")
    seat.hears("Shuffle the tiles and lay them out: turn A1, B2 and C1.")
    answer(seat, "Lay it out")
    seat.hears("Player 2 to move.")
    seat.sees(a1="A1, face down, may be turned", b2="B2, face down, may be turned")


def test_hidden_shapes_never_reach_the_page(serve: Serve, sit: Sit) -> None:
    seat = sit(serve("flip-switch").link)
    seat.hears("Player 1 to move.")
    scene = seat.page.evaluate("fetch('scene.json').then(answer => answer.json())")
    assert set(scene["hands"].values()) == {"face-down"}
    assert "carriers" not in str(scene)


def test_the_patents_example_is_played_by_mouse_and_brax_is_called_and_obeyed(serve: Serve, sit: Sit) -> None:
    seat = sit(serve("brax", "--sensors", "presence").link)
    seat.hears("Blue to move.")
    for ply, label in enumerate(PATENT, 1):
        goes(seat, label, ply, "Blue" if ply % 2 else "Red")
    answer(seat, "Brax")
    seat.hears("Blue has to move F5.")
    seat.sees(f5="F5, blue, has to move")
    expect(seat.record.last).to_contain_text("brax")
    seat.cell("d1").click()
    seat.cell("d2").click()
    seat.hears("D2 is not the piece that has to move. Move the one that was called.")
    seat.cell("d2").click()
    seat.cell("d1").click()
    seat.hears("Blue has to move F5.")
    goes(seat, "f5-g5", 7, "Blue")
    seat.hears("Red to move.")


def test_an_opening_is_played_by_keys_alone(serve: Serve, sit: Sit) -> None:
    seat = sit(serve("brax").link)
    seat.hears("Blue to move.")
    seat.cell("g1").focus()
    seat.page.keyboard.press("Enter")
    seat.sees(g1="G1, blue in hand", g3="G3, empty, may be played")
    seat.page.keyboard.press("ArrowUp")
    seat.page.keyboard.press("ArrowUp")
    expect(seat.cell("g3")).to_be_focused()
    seat.page.keyboard.press("Enter")
    seat.recorded(1, "Blue", "G1–G3")
    seat.cell("f9").focus()
    seat.page.keyboard.press("Enter")
    seat.page.keyboard.press("Escape")
    seat.hears("Red to move.")
    seat.sees(f9="F9, red, may be moved")


def test_a_man_is_captured_by_dragging_and_lies_beside_the_board(serve: Serve, sit: Sit) -> None:
    seat = sit(serve("brax", "--sensors", "polarity").link)
    for ply, label in enumerate([*PATENT, "d1-d2"], 1):
        goes(seat, label, ply, "Blue" if ply % 2 else "Red")
    seat.drags(seat.cell("e6"), seat.cell("f5"))
    seat.recorded(8, "Red", "E6×F5")
    seat.sees(f5="F5, red, last move")
    expect(beside(seat)).to_have_accessible_name("Take blue, 1 beside the board")
    assert seat.score() == {"blue": "6", "red": "7"}


def test_a_man_taken_off_by_mistake_is_brought_back_from_beside_the_board(serve: Serve, sit: Sit) -> None:
    seat = sit(serve("brax", "--sensors", "polarity").link)
    seat.cell("b1").focus()
    seat.page.keyboard.press("Delete")
    seat.sees(b1=re.compile("B1, empty"))
    beside(seat).click()
    seat.cell("b1").click()
    seat.sees(b1="B1, blue, may be moved")


def beside(seat: Seat) -> Locator:
    return seat.page.locator("[data-tag]")


def test_what_is_owed_is_put_right_by_one_tap_each(serve: Serve, sit: Sit) -> None:
    seat = sit(serve("brax", "--sensors", "polarity").link)
    goes(seat, "g1-g3", 1, "Blue")
    seat.page.keyboard.press("u")
    seat.sees(g3="G3, blue, to be taken away", g1="G1, empty, put blue here")
    seat.cell("g3").click()
    seat.sees(g3=re.compile("^G3, empty"))
    expect(beside(seat)).to_have_count(1)
    seat.cell("g1").click()
    seat.hears("Blue to move.")
    seat.sees(g1="G1, blue, may be moved")


def test_a_piece_in_hand_is_left_beside_the_board_by_its_tray_and_by_a_key(serve: Serve, sit: Sit) -> None:
    seat = sit(serve("brax", "--sensors", "polarity").link)
    seat.hears("Blue to move.")
    for cell in ("b1", "c1"):
        seat.cell(cell).click()
        expect(seat.cell(cell)).to_have_accessible_name(re.compile("in hand"))
        if cell == "b1":
            seat.page.locator("#near").click()
        else:
            seat.page.keyboard.press("Delete")
        seat.sees(**{cell: re.compile("^.1, empty")})
    expect(beside(seat)).to_have_accessible_name("Take blue, 2 beside the board")


SCREENS = [(360, 640), (640, 360), (1600, 900)]
BOARDS = [("brax", f"board={board}") for board in ("square", "triangle", "diamond", "hexagon", "octagon")]


@pytest.mark.parametrize(("game", "option"), [("flip-switch", "rounds=1"), *BOARDS, ("brax", "players=4")])
def test_every_board_fits_every_screen_and_no_point_is_smaller_than_a_fingertip_may_hit(
    game: str, option: str, serve: Serve, sit: Sit
) -> None:
    link = serve(game, "--option", option).link
    for width, height in SCREENS:
        seat = sit(link, viewport={"width": width, "height": height})
        expect(seat.page.get_by_role("gridcell", name=re.compile("may be")).first).to_be_visible()
        for part in ("#far", ".wood", "#near", "#words"):
            box = seat.page.locator(part).bounding_box()
            assert box is not None
            assert box["x"] >= 0 and box["x"] + box["width"] <= width, part
            assert box["y"] >= 0 and box["y"] + box["height"] <= height + 0.5, (part, width)
        side = seat.page.locator("[data-cell]").first.bounding_box()
        assert side is not None
        assert side["width"] >= (24 if width != 640 else 19)


def test_a_board_of_hexagons_is_drawn_and_played_on_a_phone(serve: Serve, sit: Sit) -> None:
    seat = sit(serve("brax", "--option", "board=hexagon").link, viewport={"width": 360, "height": 640})
    seat.hears("Blue to move.")
    assert seat.page.locator(".lines path").count() == 2
    wide = seat.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 360
    goes(seat, "c1-d3", 1, "Blue")
    seat.hears("Red to move.")


def test_lines_can_be_told_apart_in_other_ways(serve: Serve, sit: Sit) -> None:
    seat = sit(serve("brax").link)
    seat.hears("Blue to move.")
    seat.page.locator("#show summary").click()
    for style in ("dotted", "wavy", "double", "light"):
        seat.page.locator("#lines").select_option(style)
        expect(seat.page.locator(f".lines path[data-style={style}]").first).to_be_attached()
    seat.page.reload()
    expect(seat.page.locator(".lines path[data-style=light]")).to_have_count(1)


def test_four_sit_round_the_board_and_allies_are_told_apart_without_colour(serve: Serve, sit: Sit) -> None:
    seat = sit(serve("brax", "--option", "players=4").link)
    seat.sees(c1="C1, blue 1, may be moved", a3="A3, blue 2")
    expect(seat.cell("a3").locator(".face[data-ornate]")).to_have_count(1)
    expect(seat.cell("c1").locator(".face[data-ornate]")).to_have_count(0)
    assert set(seat.score()) == {"blue_1", "red_1", "blue_2", "red_2"}


def test_the_script_is_moved_where_the_lights_say(serve: Serve, sit: Sit) -> None:
    seat = sit(serve("brax", "--option", "players=1").link)
    goes(seat, "e1-e2", 1, "Blue")
    seat.hears("Move B9 to B8.")
    seat.cell("b9").click()
    seat.cell("b8").click()
    seat.recorded(2, "Red", "B9–B8")
    seat.hears("Blue to move.")


def test_a_new_game_of_another_kind_is_begun_from_the_sheet_with_tags_where_pieces_carry_something(
    serve: Serve, sit: Sit
) -> None:
    seat = sit(serve().link)
    seat.page.locator("#open-new").click()
    seat.page.get_by_role("radio", name=re.compile("Flip Switch")).check()
    seat.page.locator("#new-sensors").select_option("tags")
    seat.page.get_by_role("button", name="Begin").click()
    seat.hears("Player 1 to move.")
    seat.cell("a1").click()
    expect(seat.record.last).to_have_text(re.compile("^11Player 1 flip A1 (heart|square|star)$"))


def test_the_same_hands_watch_a_game_go_on_after_a_power_cut(serve: Serve, sit: Sit) -> None:
    served = serve("brax")
    seat = sit(served.link)
    goes(seat, "g1-g3", 1, "Blue")
    served.kill()
    seat.hears("The connection is lost. Trying again.")
    served.start()
    seat.sees(g3="G3, blue, last move", g1=re.compile("^G1, empty"))
    answer(seat, "Go on")
    goes(seat, "f9-f8", 2, "Red")


def test_a_man_in_the_hand_is_still_there_after_a_reload(serve: Serve, sit: Sit) -> None:
    seat = sit(serve("brax").link)
    seat.hears("Blue to move.")
    seat.cell("g1").click()
    expect(seat.cell("g1")).to_have_accessible_name(re.compile("in hand"))
    seat.page.reload()
    expect(seat.cell("g1")).to_have_accessible_name(re.compile("in hand"))
    seat.cell("g3").click()
    seat.recorded(1, "Blue", "G1–G3")
