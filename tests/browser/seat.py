"""A person in front of the page: eyes that read names as a screen reader does, a mouse, a finger and a keyboard."""

from __future__ import annotations

import re
from collections.abc import Mapping

from playwright.sync_api import Locator, Page, expect

SHORTEST = ["f5", "d6", "c5", "f4", "e7", "f6", "g5", "e6", "e3"]
"""Nine discs, and White has none left."""
WITH_A_PASS = ["b1", "c1", "d1", "a1", "a3", "pass", "d4"]
"""On four by four: seven plies, White passes once."""


class Seat:
    """One page, and one who plays at it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.sentence = page.locator("#say")

    def cell(self, cell: str) -> Locator:
        """The cell, which a screen reader calls by its name and what it holds."""
        return self.page.locator(f'[data-cell="{cell}"]')

    def sees(self, **names: str | re.Pattern[str]) -> None:
        """Waits until these cells are called so: `d3="D3, black, last move"`."""
        for cell, name in names.items():
            expect(self.cell(cell)).to_have_accessible_name(name)

    def hears(self, sentence: str) -> None:
        """Waits until the judge says this."""
        expect(self.sentence).to_have_text(sentence)

    def in_words(self, word: str) -> Locator:
        """The button with this text, where the answers and the usual words are."""
        return self.page.locator("#words").get_by_role("button", name=word, exact=True)

    @property
    def owed(self) -> Locator:
        """Cells whose piece is to be turned."""
        return self.page.get_by_role("gridcell", name=re.compile("to be turned"))

    @property
    def hints(self) -> Locator:
        """Cells where one may play."""
        return self.page.get_by_role("gridcell", name=re.compile("may be played"))

    @property
    def record(self) -> Locator:
        """The moves as written down."""
        return self.page.locator("#record li")

    def score(self) -> dict[str, str]:
        """The score by player."""
        seats = self.page.locator(".seat").all()
        return {
            seat.get_attribute("data-player") or "": seat.locator(".score").inner_text() for seat in seats
        }

    def recorded(self, plies: int, player: str, move: str) -> None:
        """Waits until so many plies are written down and the last is this one."""
        expect(self.record.last).to_have_text(f"{plies}{player} {move}")

    def plays(self, move: str, ply: int, player: str) -> None:
        """Puts the mover's piece by a click, waits until it is written down, turns what glows."""
        self.cell(move).click()
        self.recorded(ply, player, move.upper())
        self.turns_all()

    def turns_all(self) -> None:
        """Turns every disc that glows so, by mouse, one after the other."""
        while self.owed.count():
            name = self.owed.first.get_attribute("data-cell") or ""
            self.cell(name).click()
            expect(self.cell(name)).not_to_have_accessible_name(re.compile("to be turned"))

    def walks_to(self, cell: str) -> None:
        """Moves the focus from the cell that has it to another, by arrows alone."""
        here = self.page.evaluate("document.activeElement.dataset.cell")
        for axis, keys in ((0, ("ArrowRight", "ArrowLeft")), (1, ("ArrowDown", "ArrowUp"))):
            steps = ord(cell[axis]) - ord(here[axis])
            for _ in range(abs(steps)):
                self.page.keyboard.press(keys[steps < 0])
        expect(self.cell(cell)).to_be_focused()

    def turns_all_by_keys(self) -> None:
        """Turns every disc that glows so, by keys."""
        while self.owed.count():
            name = self.owed.first.get_attribute("data-cell") or ""
            self.walks_to(name)
            self.page.keyboard.press("Enter")
            expect(self.cell(name)).not_to_have_accessible_name(re.compile("to be turned"))

    def drags(self, start: Locator, end: Locator | tuple[float, float]) -> None:
        """Presses, moves in many small steps, lets go."""
        x, y = end if isinstance(end, tuple) else middle(end)
        self.page.mouse.move(*middle(start))
        self.page.mouse.down()
        self.page.mouse.move(x, y, steps=12)
        self.page.mouse.up()

    def places(self) -> Mapping[str, object]:
        """Where board, trays, words and line are on the screen."""
        return {
            part: self.page.locator(part).bounding_box()
            for part in (".wood", "#near", "#far", "#words", "#line")
        }


def middle(what: Locator) -> tuple[float, float]:
    """The middle of something on the screen."""
    box = what.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
