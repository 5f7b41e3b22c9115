"""Takes the pictures in the README: `python -m tests.browser.picture`. Look at them before you commit them."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import BOARDCTL, CHROMIUM, FLAGS, Served
from tests.browser.seat import Seat

HERE = Path(__file__).parent
OPENING = ["f5", "d6", "c3", "d3", "c4", "f4", "c5", "b3", "c2"]
"""A known opening of Othello, nine plies."""
PATENT = ["g1-g3", "f9-f8", "g3-g4", "f8-e7", "g4-f5", "e7-e6"]
"""The example of play in the patent of Brax."""


def main() -> None:
    """Play an opening, leave the turns of the next disc to be done, and take the pictures."""
    with tempfile.TemporaryDirectory() as state, sync_playwright() as play:
        served = Served((*BOARDCTL, "play", "othello", "--sensors", "polarity", "--state", state))
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS, chromium_sandbox=False)
        wide = browser.new_page(viewport={"width": 1280, "height": 760}, color_scheme="light")
        _played(wide, served.link)
        wide.screenshot(path=HERE / "page.jpg", type="jpeg", quality=82)
        phone = browser.new_page(viewport={"width": 360, "height": 640}, color_scheme="dark")
        phone.goto(served.link)
        phone.get_by_text("Black").first.wait_for()
        phone.wait_for_timeout(600)
        phone.screenshot(path=HERE / "phone.jpg", type="jpeg", quality=82)
        served.kill()
        _brax(browser, state)
        browser.close()


def _brax(browser: Browser, state: str) -> None:
    """The patent's example of play, called, and a man in the hand."""
    served = Served((*BOARDCTL, "play", "brax", "--sensors", "polarity", "--state", state))
    page = browser.new_page(viewport={"width": 1280, "height": 760}, color_scheme="dark")
    page.goto(served.link)
    seat = Seat(page)
    for number, move in enumerate(PATENT):
        for cell in move.split("-"):
            seat.cell(cell).click()
        seat.record.nth(number).wait_for()
    seat.in_words("Brax").click()
    seat.cell("f5").click()
    page.wait_for_timeout(1500)
    page.screenshot(path=HERE / "brax.jpg", type="jpeg", quality=82)
    served.kill()


def _played(page: Page, link: str) -> None:
    page.goto(link)
    seat = Seat(page)
    for number, move in enumerate(OPENING):
        seat.plays(move, number + 1, ("Black", "White")[number % 2])
    seat.cell("e3").click()
    page.get_by_text("turn", exact=False).first.wait_for()
    seat.owed.first.wait_for()
    seat.cell("a8").click()
    page.wait_for_timeout(1000)


if __name__ == "__main__":
    main()
