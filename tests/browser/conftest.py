"""A real Chromium looks at a real `boardctl play`. Without Debian's packages these tests are skipped, loudly."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.seat import Seat

ROOT = Path(__file__).parents[2]
CHROMIUM = Path("/usr/bin/chromium")
FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
BOARDCTL = (sys.executable, "-c", "from boardctl.cli import main; main()")
QUICK = ("--hold", "0.01", "--rest", "0.1")
"""A board that judges sooner than a real one, so that no test waits long."""


class Served:
    """A board with its page, in a process of its own: it can be killed and started again on the same port."""

    def __init__(self, command: tuple[str, ...], host: str = "127.0.0.1") -> None:
        with socket.create_server((host, 0)) as ear:
            self.port = ear.getsockname()[1]
        self._command = (*command, "--host", host, "--port", str(self.port))
        self.start()

    def start(self) -> None:
        """Starts it and waits until it says where the page is."""
        self.process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=ROOT,
        )
        assert self.process.stdout is not None
        first = self.process.stdout.readline()
        assert "http://" in first, first + self.process.stdout.read()
        self.link = first.split()[-1]

    def kill(self) -> None:
        """Ends it at once, as a power cut does."""
        self.process.kill()
        self.process.communicate()

    def say(self, line: str) -> None:
        """Tells the process a line."""
        assert self.process.stdin is not None
        print(line, file=self.process.stdin, flush=True)


@pytest.fixture(scope="package")  # its event loop runs in this thread and has to be gone before other tests
def chromium() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        pytest.skip(f"{CHROMIUM} is missing: install Debian's packages chromium and chromium-driver")
    with sync_playwright() as play:
        expect.set_options(timeout=10_000)
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS, chromium_sandbox=False)
        yield browser
        browser.close()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """Starts `boardctl play` with these arguments; all are ended after the test."""
    begun: list[Served] = []

    def started(*arguments: str, host: str = "127.0.0.1") -> Served:
        program = (*BOARDCTL, "play", "--state", str(tmp_path), *QUICK, *arguments)
        begun.append(Served(program, host))
        return begun[-1]

    yield started
    for each in begun:
        each.kill()


@pytest.fixture
def mirror() -> Iterator[Served]:
    """A page that only mirrors a board on a table."""
    served = Served((sys.executable, "-m", "tests.browser.mirror"))
    yield served
    served.kill()


@pytest.fixture
def sit(chromium: Browser) -> Iterator[Callable[..., Seat]]:
    """Opens a page of its own on an address. Every fault the browser notes, and every request elsewhere, fails."""
    seats: list[Seat] = []
    faults: list[str] = []

    def seated(link: str, **settings: object) -> Seat:
        context = chromium.new_context(**settings)  # type: ignore[arg-type]  # passed on as given
        page = context.new_page()
        _watch(page, link, faults)
        page.goto(link)
        seats.append(Seat(page))
        return seats[-1]

    yield seated
    for seat in seats:
        seat.page.context.close()
    assert faults == []


def _watch(page: Page, link: str, faults: list[str]) -> None:
    home = "{0.scheme}://{0.netloc}/".format(urlsplit(link))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda told: _note(told.type, told.text, faults))
    page.on("request", lambda asked: None if asked.url.startswith(home) else faults.append(asked.url))


def _note(kind: str, text: str, faults: list[str]) -> None:
    """A line that cannot be opened is what a killed server is like; all else is a fault of ours."""
    if kind in ("error", "warning") and "WebSocket connection to" not in text:
        faults.append(text)
