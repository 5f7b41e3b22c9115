"""The wizard on a page: the board as it is known so far, what to touch next, and buttons for what may be said."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Mapping

from boardctl import ears
from boardctl.notify import NOBODY
from boardctl.shells import web
from boardctl.wizard.sitting import LOOK_S, CannotWrite, Sitting
from hardware.board_file import named
from hardware.course import place

FAREWELL_S = 1.0
"""How long the last scene is given to reach the viewers."""


class Desk:
    """A sitting as the page's server sees it: scenes out, words in."""

    def __init__(self, sit: Sitting) -> None:
        self._sit = sit
        self._revision = 1
        self._news = asyncio.Event()
        self.stopped = False
        self.fault: CannotWrite | None = None
        """Why nothing can be kept; it ends the wizard."""

    def scene(self) -> Mapping[str, object]:
        """All there is to show."""
        sit = self._sit
        step, known, found = sit.course.step, sit.course.known, sit.found
        done, of = sit.course.progress
        lit = [] if sit.bench is None else sit.bench.lit()
        return {
            "revision": self._revision,
            "name": sit.board.name,
            "columns": sit.board.grid.columns,
            "rows": sit.board.grid.rows,
            "ask": sit.ask,
            "said": sit.said,
            "asked": "" if step is None or step.spot is None else named([step.spot])[0],
            "glows": named([spot for spot, _ in lit]),
            "colour": next((colour for _, colour in lit), "white"),
            "lying": [] if sit.bench is None else named(sorted(sit.bench.lying)),
            "known": {named([spot])[0]: place(sit.board, sensor) for spot, sensor in sorted(known.items())},
            "words": [] if step is None or self.stopped else list(step.words),
            "done": done,
            "of": of,
            "touchable": sit.bench is not None and found is None,
            "over": self.over,
            "findings": [] if found is None else [*found.findings, *found.notes],
            "written": "" if found is None else f"Written: {sit.files.board} and {sit.files.certificate}.",
        }

    @property
    def over(self) -> bool:
        """Whether nothing more is asked."""
        return self.stopped or self.fault is not None or self._sit.found is not None

    async def changed(self, since: int) -> int:
        """As the server's desk promises."""
        while self._revision == since:
            await self._news.wait()
        return self._revision

    def do(self, message: Mapping[str, object]) -> str | None:
        """A word of a viewer."""
        word = message.get("say")
        if not isinstance(word, str) or self._sit.course.step is None:
            return "The wizard does not understand that."
        if word == "stop":
            self.stopped = True
            self._sit.said = self._sit.stopped
        else:
            self._say(word)
        self.tell()
        return None

    def _say(self, word: str) -> None:
        try:
            self._sit.said = self._sit.say(word) or self._sit.said
        except CannotWrite as fault:
            self.fault = fault

    def tell(self) -> None:
        """There is something new to show."""
        self._revision += 1
        self._news.set()
        self._news = asyncio.Event()


def ask(sit: Sitting, host: str, port: int, clock: Callable[[], float] = time.monotonic) -> None:
    """Serve the page until all is learnt and shown, or somebody stops. Raises `CannotServe`."""
    with ears.listening(NOBODY, host, port) as listening:
        asyncio.run(_served(sit, clock, listening[0]))


async def _served(sit: Sitting, clock: Callable[[], float], ear: ears.Ear) -> None:
    desk = Desk(sit)
    token = None if ear.private else secrets.token_urlsafe(12)
    server = web.server(web.site(desk, token=token, hosts=ears.names(ear.host)), lambda: _greet(ear, token))
    serving = asyncio.create_task(server.serve(sockets=[ear.socket]))
    try:
        while not desk.over and not serving.done():
            if sit.look(clock()) is not None:
                desk.tell()
            await asyncio.sleep(LOOK_S)
        if desk.fault is not None:
            raise desk.fault
        await asyncio.sleep(FAREWELL_S)
    finally:
        server.should_exit = True
        await serving


def _greet(ear: ears.Ear, token: str | None) -> None:
    where = web.link(ears.reachable(ear.host), ear.socket.getsockname()[1], token, "wizard.html")
    print(f"The wizard, open {where}", flush=True)
