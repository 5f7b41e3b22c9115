"""The wizard's page in a real Chromium: a simulated board learnt by mouse, watched on a phone, stopped by a button."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import BOARDCTL, Served
from tests.browser.seat import Seat

pytestmark = pytest.mark.browser
PHONE = {"viewport": {"width": 360, "height": 640}, "color_scheme": "dark"}
Sit = Callable[..., Seat]


@pytest.fixture
def wizard(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """Starts `boardctl wizard` on a small board wired by chance; it writes mine.toml."""
    begun: list[Served] = []

    def started(*words: str, host: str = "127.0.0.1") -> Served:
        told = ("wizard", "tiles-3x3", "--simulated", "--web", "-o", str(tmp_path / "mine.toml"), *words)
        begun.append(Served((*BOARDCTL, *told), host))
        return begun[-1]

    yield started
    for each in begun:
        each.kill()


def says(seat: Seat, word: str) -> Locator:
    return seat.page.get_by_role("button", name=word, exact=True)


def asked(seat: Seat) -> Locator:
    """The sentence that says what to do."""
    return seat.page.locator("#ask")


def looks(seat: Seat) -> None:
    """Answers what colour the first light has."""
    glowing = seat.page.get_by_role("gridcell", name=re.compile("glows"))
    expect(glowing).to_have_accessible_name(re.compile("glows (red|green)"))
    says(seat, "Red" if "red" in (glowing.get_attribute("aria-label") or "") else "Green").click()
    expect(says(seat, "Red")).to_have_count(0)


def clicks(seat: Seat, wanted: Locator) -> None:
    """Clicks it and waits until the wizard says something else."""
    told = "document.querySelector('#said').textContent + document.querySelector('#ask').textContent"
    before = seat.page.evaluate(told)
    wanted.click()
    seat.page.wait_for_function(f"was => was !== {told}", arg=before)


def touches(seat: Seat) -> str:
    """Touches the cell that glows or is named, and waits until something is learnt. Answers its name."""
    wanted = seat.page.locator("[data-glows], [data-asked]").first
    name = wanted.get_attribute("data-cell") or ""
    clicks(seat, wanted)
    return name


def test_a_board_is_learnt_by_touching_what_glows_and_its_file_is_written(
    wizard: Callable[..., Served], sit: Sit, tmp_path: Path
) -> None:
    served = wizard("--seed", "6")
    seat, phone = sit(served.link), sit(served.link, **PHONE)
    looks(seat)
    first = touches(seat)
    expect(seat.cell(first)).to_have_accessible_name(re.compile(rf"^{first}, on .*GPIO\d+"))
    says(seat, "Back").click()
    expect(seat.page.locator("#said")).to_have_text("One step back.")
    for _ in range(20):
        if "Done" in asked(seat).inner_text():
            break
        touches(seat)
    for page in (seat.page, phone.page):
        expect(page.locator("#ask")).to_have_text("Done: 9 of 9 cells answer; 0 faults found.")
        expect(page.locator("#written")).to_have_text(
            re.compile("^Written: .*mine.toml and .*certificate.txt")
        )
    assert served.process.wait(timeout=20) == 0
    assert len(tomllib.loads((tmp_path / "mine.toml").read_text())["sensors"]["pins"]) == 9


def test_a_dead_cell_is_said_by_a_button_and_told_in_the_end(wizard: Callable[..., Served], sit: Sit) -> None:
    served = wizard("--seed", "6", "--faulty")
    seat = sit(served.link)
    looks(seat)
    for _ in range(40):
        if "Done" in asked(seat).inner_text():
            break
        wanted = seat.page.locator("[data-glows], [data-asked]")
        if "Nothing answers" in seat.page.locator("#said").inner_text():
            clicks(seat, says(seat, "No answer"))
        else:
            clicks(seat, wanted.first if wanted.count() else says(seat, "It stays dark"))
    expect(asked(seat)).to_have_text(re.compile("^Done: 8 of 9 cells answer; "))
    expect(seat.page.locator("#findings li").first).to_have_text(re.compile("does not answer"))
    assert served.process.wait(timeout=20) == 1


def test_one_may_stop_and_the_answers_are_kept(
    wizard: Callable[..., Served], sit: Sit, tmp_path: Path
) -> None:
    served = wizard()
    seat = sit(served.link)
    looks(seat)
    touches(seat)
    says(seat, "Stop").click()
    expect(seat.page.locator("#said")).to_have_text(
        re.compile("^Stopped. The same command goes on from here")
    )
    expect(says(seat, "Stop")).to_have_count(0)
    assert served.process.wait(timeout=20) == 0
    assert (tmp_path / "mine.toml.answers").exists()


def test_who_comes_without_the_token_may_only_watch(wizard: Callable[..., Served], sit: Sit) -> None:
    served = wizard(host="0.0.0.0")
    seat = sit(f"http://127.0.0.1:{served.port}/wizard.html")
    expect(seat.page.get_by_text("You are watching.")).to_be_visible()
    expect(says(seat, "Stop")).to_have_count(0)


def test_nothing_is_wider_than_a_phone(wizard: Callable[..., Served], sit: Sit) -> None:
    phone = sit(wizard().link, **PHONE)
    expect(says(phone, "Stop")).to_be_visible()
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= 360
