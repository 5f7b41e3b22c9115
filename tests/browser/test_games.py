"""Whole games on the page: by mouse, by keys, watched by others, through a reload and a power cut."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import cycle

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Served
from tests.browser.seat import SHORTEST, WITH_A_PASS, Seat

pytestmark = pytest.mark.browser

Serve = Callable[..., Served]
Sit = Callable[..., Seat]


def test_a_whole_short_game_by_mouse(serve: Serve, sit: Sit) -> None:
    seat = sit(serve().link)
    for ply, (move, player) in enumerate(zip(SHORTEST, cycle(["Black", "White"]), strict=False), 1):
        seat.hears(f"{player} to move.")
        expect(seat.cell(move)).to_have_accessible_name(f"{move.upper()}, empty, may be played")
        seat.plays(move, ply, player)
    seat.hears("Black wins, 13 to 0.")
    assert seat.score() == {"black": "13", "white": "0"}
    expect(seat.in_words("New game")).to_be_visible()


def test_a_whole_short_game_by_keys_with_a_pass(serve: Serve, sit: Sit) -> None:
    seat = sit(serve("--option", "size=4").link)
    seat.hears("Black to move.")
    seat.page.keyboard.press("Tab")
    seat.cell("a1").focus()
    for ply, (move, player) in enumerate(zip(WITH_A_PASS, cycle(["Black", "White"]), strict=False), 1):
        if move == "pass":
            expect(seat.in_words("Pass")).to_be_enabled()
            seat.page.keyboard.press("p")
        else:
            seat.hears(f"{player} to move.")
            seat.walks_to(move)
            seat.page.keyboard.press("Enter")
        seat.recorded(ply, player, move if move == "pass" else move.upper())
        seat.turns_all_by_keys()
    seat.hears("Black wins, 9 to 1.")
    assert seat.score() == {"black": "9", "white": "1"}


def test_a_reload_in_mid_flip_shows_what_is_still_owed(serve: Serve, sit: Sit) -> None:
    seat = sit(serve().link)
    seat.hears("Black to move.")
    seat.cell("d3").click()
    seat.sees(d4="D4, white, to be turned")
    seat.page.reload()
    seat.sees(d3="D3, black, last move", d4="D4, white, to be turned")
    seat.turns_all()
    seat.hears("White to move.")
    seat.recorded(1, "Black", "D3")


def test_two_viewers_see_the_same_and_a_late_one_sees_it_all(serve: Serve, sit: Sit) -> None:
    link = serve().link
    one, other = sit(link), sit(link)
    one.hears("Black to move.")
    one.cell("d3").click()
    other.sees(d3="D3, black, last move", d4="D4, white, to be turned")
    other.cell("d4").click()
    one.hears("White to move.")
    late = sit(link)
    late.sees(d3="D3, black, last move", d4="D4, black")
    late.recorded(1, "Black", "D3")


def test_a_page_outlives_the_power_cut_of_its_server(serve: Serve, sit: Sit) -> None:
    board = serve()
    seat = sit(board.link)
    seat.hears("Black to move.")
    seat.cell("d3").click()
    seat.sees(d4="D4, white, to be turned")
    board.kill()
    seat.hears("The connection is lost. Trying again.")
    expect(seat.page.locator("body")).to_have_attribute("data-link", "down")
    board.start()
    expect(seat.page.locator("body")).to_have_attribute("data-link", "up")
    seat.sees(d3="D3, black, last move", d4="D4, white, to be turned")
    expect(seat.page.locator("#notices")).to_have_text("An earlier game goes on.")
    seat.in_words("Go on").click()
    expect(seat.in_words("Go on")).to_have_count(0)
    seat.turns_all()
    seat.hears("White to move.")


def test_an_earlier_game_can_be_given_up(serve: Serve, sit: Sit) -> None:
    board = serve()
    seat = sit(board.link)
    seat.hears("Black to move.")
    seat.plays("d3", 1, "Black")
    seat.hears("White to move.")
    board.kill()
    board.start()
    seat.in_words("Abandon it").click()
    expect(seat.record).to_have_text("None yet.")
    expect(seat.page.locator("#notices")).to_have_text("")


def test_an_undo_by_hand_is_asked_and_answered_with_a_button(serve: Serve, sit: Sit) -> None:
    seat = sit(serve("--policy", "club", "--take-back", "0.2").link)
    seat.hears("Black to move.")
    seat.plays("d3", 1, "Black")
    seat.hears("White to move.")
    seat.cell("d3").click(button="right")
    seat.cell("d4").click()
    seat.in_words("Take it back").click()
    expect(seat.record).to_have_text(re.compile("D3 taken back"))
    expect(seat.in_words("Take it back")).to_have_count(0)
    seat.hears("Black to move.")


def test_a_new_game_has_every_option(serve: Serve, sit: Sit) -> None:
    seat = sit(serve().link)
    seat.hears("Black to move.")
    seat.page.get_by_role("button", name="New game").click()
    sheet = seat.page.get_by_role("dialog", name="New game")
    sheet.get_by_label("Bracket and Flip").check()
    sheet.get_by_label("Who moves first").select_option("O")
    sheet.get_by_label("How many cells along a side").fill("4")
    sheet.get_by_label("Empty cells go to the winner").check()
    sheet.get_by_label("Moves for practice").fill("0")
    sheet.get_by_label("Tournament").check()
    sheet.get_by_label("Its sensors tell").select_option("polarity")
    sheet.get_by_label("Its first position").select_option("empty")
    sheet.get_by_role("button", name="Begin").click()
    expect(seat.page.get_by_role("gridcell")).to_have_count(16)
    seat.sees(b2="B2, empty, put O here")
    game = seat.page.evaluate("fetch('scene.json').then((answer) => answer.json())")["game"]
    assert (game["name"], game["sensors"], game["policy"]) == ("bracket", "polarity", "tournament")
    assert {name: game["options"][name] for name in ("first", "size", "empties_to_winner")} == {
        "first": "O",
        "size": 4,
        "empties_to_winner": True,
    }


def test_an_empty_board_invites_and_is_laid_by_taps(serve: Serve, sit: Sit) -> None:
    seat = sit(serve("--start", "empty").link)
    seat.sees(d4="D4, empty, put white here", e4="E4, empty, put black here")
    for cell in ("d4", "e4", "d5", "e5"):
        seat.cell(cell).click()
    seat.hears("Black to move.")
    expect(seat.hints).to_have_count(4)


def test_an_answer_before_the_turns_are_done_is_the_other_sides_disc(serve: Serve, sit: Sit) -> None:
    seat = sit(serve().link)
    seat.hears("Black to move.")
    seat.cell("d3").click()
    seat.hears("Turn D4.")
    seat.cell("c3").click()
    seat.sees(c3=re.compile("^C3, white"))
    seat.cell("d4").click()
    seat.recorded(2, "White", "C3")


def test_a_knocked_board_is_laid_again_by_one_button(serve: Serve, sit: Sit) -> None:
    seat = sit(serve().link)
    seat.plays("d3", 1, "Black")
    seat.page.locator("#trouble summary").click()
    seat.page.get_by_role("button", name="Knock the board over").click()
    seat.in_words("Lay it out").click()
    seat.hears("White to move.")
    seat.sees(d3=re.compile("^D3, black"), e5=re.compile("^E5, white"))
