"""The page's server: it shows a desk to any number of viewers and hands it what they do. It knows no rule.

Every viewer is sent the whole scene, never a difference, so one that comes late or comes back sees everything
at once. A viewer takes scenes at its own pace and skips those it was too slow for. What viewers send is typed
and bounded; nonsense is answered with a sentence. A request whose Host is not ours, or whose Origin is some
other site's, gets 403: a page elsewhere on the web must not move discs here.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import socket
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Literal, Protocol
from urllib.parse import quote, urlsplit

import uvicorn
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

PAGE = Path(__file__).parent / "page"
"""The folder with the page: plain HTML, CSS and modules."""

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
"""Names of this machine that never leave it."""
ANYWHERE = frozenset({"0.0.0.0", "::"})
"""What one gives as host to be reached from everywhere."""

LARGEST = 2048
"""Bytes a viewer's message may have."""
RATE, BURST = 40.0, 80.0
"""Messages a second a viewer may send for long, and how many at once."""
VIEWERS = 64
"""How many may look at the same time."""
GAP = 1 / 30
"""Seconds from one scene to the next, at least."""
HEARTBEAT = 5.0
"""Seconds of nothing new after which a viewer is told that the server is still there."""

TOO_LARGE, TOO_FAST = 1009, 1008
"""Codes a socket is closed with."""

HEADERS = {
    "content-security-policy": (
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}
"""What every answer carries: nothing from elsewhere, nothing inline, in nobody's frame, never stale."""


class Desk(Protocol):
    """What the page shows and serves: the application, seen from here."""

    def scene(self) -> Mapping[str, object]:
        """All there is to show, as JSON; `revision` (int) differs whenever anything else in it does."""
        ...

    async def changed(self, since: int) -> int:
        """Waits until the revision is another than `since` and answers it. May be cancelled at any time."""
        ...

    def do(self, message: Mapping[str, object]) -> str | None:
        """Carries out one message of a viewer; answers a sentence when that cannot be, and never raises."""
        ...


Word = Annotated[str, StringConstraints(min_length=1, max_length=80, pattern=r"^[\x20-\x7e]+$")]
"""What may be said: printable, of one line."""
CellName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9_-]{1,12}$")]
"""What may be the name of a cell."""


class _Sent(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class _Say(_Sent):
    say: Word


class _Put(_Sent):
    hand: Literal["put"]
    cell: CellName
    side: Literal["heads", "tails"]


class _Bring(_Sent):
    hand: Literal["bring"]
    tag: CellName
    cell: CellName


class _Touch(_Sent):
    hand: Literal["lift", "turn", "nudge"]
    cell: CellName


class _Slide(_Sent):
    hand: Literal["slide"]
    path: Annotated[list[CellName], Field(min_length=2, max_length=100)]


class _FromTo(_Sent):
    hand: Literal["set", "take"]
    start: CellName
    end: CellName


class _Exchange(_Sent):
    hand: Literal["exchange"]
    one: CellName
    other: CellName


class _Lay(_Sent):
    hand: Literal["lay"]


class _Trouble(_Sent):
    trouble: Literal["bounce", "blink", "lost"]
    on: bool


class _CellTrouble(_Sent):
    trouble: Literal["dead", "chatter"]
    cell: CellName
    on: bool


class _Knock(_Sent):
    trouble: Literal["knock"]


class _Fresh(_Sent):
    game: Word
    options: dict[Word, bool | int | Word] = Field(default={}, max_length=40)
    sensors: Word | None = None
    policy: Word | None = None
    start: Literal["laid", "empty"] | None = None


class _New(_Sent):
    new: _Fresh


_MESSAGE: TypeAdapter[_Sent] = TypeAdapter(
    _Say
    | _Put
    | _Touch
    | _Slide
    | _Bring
    | _FromTo
    | _Exchange
    | _Lay
    | _Trouble
    | _CellTrouble
    | _Knock
    | _New,
    config=ConfigDict(strict=True),
)


def message_of(text: str) -> Mapping[str, object] | None:
    """The message in a viewer's text, with the keys that were sent and no others; None for nonsense."""
    try:
        return _MESSAGE.validate_json(text).model_dump(exclude_unset=True)
    except ValidationError:
        return None


class Allowance:
    """How much a viewer may still send: `burst` at once, refilled at `rate` a second. Time is an argument."""

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate, self._burst = rate, burst
        self._left, self._at = burst, now

    def take(self, now: float) -> bool:
        """Whether one more message is within bounds at `now` (seconds); counts it if so."""
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class _Sheet:
    """The newest scene as text, written once for all viewers."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._revision, self._text = -1, ""

    def newest(self, revision: int | None = None) -> tuple[int, str]:
        """The revision and the text of the scene, which is at least as new as `revision`."""
        if revision is None or revision != self._revision:
            scene = self._desk.scene()
            self._text = json.dumps(scene, separators=(",", ":"), ensure_ascii=False)
            self._revision = revision_of(scene)
        return self._revision, self._text


def revision_of(scene: Mapping[str, object]) -> int:
    """The scene's revision. Raises `TypeError` when the desk gave none."""
    revision = scene.get("revision")
    if not isinstance(revision, int):
        raise TypeError(f"a scene needs a revision, not {revision!r}")
    return revision


class _Room:
    """All who look at one desk."""

    def __init__(self, desk: Desk, token: str | None) -> None:
        self.desk = desk
        self.sheet = _Sheet(desk)
        self._token = token
        self._seated = 0

    async def seat(self, socket: WebSocket) -> None:
        """Shows one viewer the desk until it goes."""
        if self._seated >= VIEWERS:
            await socket.send_denial_response(PlainTextResponse("Too many viewers.", 503))
            return
        self._seated += 1
        try:
            await _Viewer(socket, self, self._trusts(socket.query_params.get("token", ""))).stay()
        except* WebSocketDisconnect:
            pass
        finally:
            self._seated -= 1

    def _trusts(self, given: str) -> bool:
        return self._token is None or secrets.compare_digest(given.encode(), self._token.encode())

    async def scene(self, _request: Request) -> Response:
        return Response(self.sheet.newest()[1], media_type="application/json")


class _Viewer:
    """One socket: scenes go out, messages come in; neither waits for the other."""

    def __init__(self, socket: WebSocket, room: _Room, trusted: bool) -> None:
        self._socket = socket
        self._room = room
        self._trusted = trusted

    async def stay(self) -> None:
        await self._socket.accept()
        async with asyncio.TaskGroup() as tasks:
            telling = tasks.create_task(self._tell())
            await self._listen()
            telling.cancel()

    async def _tell(self) -> None:
        told = await self._show(None)
        while True:
            try:
                async with asyncio.timeout(HEARTBEAT):
                    revision = await self._room.desk.changed(told)
            except TimeoutError:
                await self._socket.send_json({"alive": told})
            else:
                told = await self._show(revision)
                await asyncio.sleep(GAP)

    async def _show(self, revision: int | None) -> int:
        shown, text = self._room.sheet.newest(revision)
        may = "command" if self._trusted else "watch"
        await self._socket.send_text(f'{{"may":"{may}","scene":{text}}}')
        return shown

    async def _listen(self) -> None:
        clock = asyncio.get_running_loop().time
        allowance = Allowance(RATE, BURST, clock())
        while (received := await self._socket.receive())["type"] == "websocket.receive":
            text = received.get("text")
            if text is None or len(text.encode()) > LARGEST:
                await self._send_away(TOO_LARGE, f"A message is text of at most {LARGEST} bytes.")
                return
            if not allowance.take(clock()):
                await self._send_away(TOO_FAST, f"A viewer may send {RATE:.0f} messages a second.")
                return
            if (refusal := self._taken(text)) is not None:
                await self._socket.send_json({"refused": refusal})

    def _taken(self, text: str) -> str | None:
        if (message := message_of(text)) is None:
            return "The board does not understand that message."
        if not self._trusted:
            return "You are watching. To play, open the link with the token that was shown at the start."
        return self._room.desk.do(message)

    async def _send_away(self, code: int, sentence: str) -> None:
        await self._socket.send_json({"refused": sentence})
        await self._socket.close(code)


class _Door:
    """Lets in who asks for us by a name we know and comes from our own page, or from no page at all."""

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        self._app = app
        self._names = LOOPBACK | {host.lower().strip("[]") for host in hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            if message["type"].endswith("http.response.start"):
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        welcome = self._known(host) and _own(origin, host)
        answer = self._app if welcome else PlainTextResponse("This is not the address of this board.", 403)
        await answer(scope, receive, sent)

    def _known(self, host: str) -> bool:
        name = _name(host)
        return name in self._names or (not self._names.isdisjoint(ANYWHERE) and _is_number(name))


def _name(host: str) -> str:
    """The name in a Host header, without the port; empty when it is none."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _is_number(name: str) -> bool:
    """Whether it is an address and no name: a foreign site can make its name mean us, but not our number."""
    try:
        return bool(ip_address(name))
    except ValueError:
        return False


def _own(origin: str | None, host: str) -> bool:
    """Whether a request with this Origin comes from the page at `host`. Only browsers send one."""
    return origin is None or origin.lower() in {f"http://{host.lower()}", f"https://{host.lower()}"}


def site(desk: Desk, *, token: str | None, hosts: Collection[str]) -> Starlette:
    """The page for this desk. `hosts`: names and addresses it may be asked for by, besides the loopback's;
    `0.0.0.0` or `::` among them allows every number. With a `token`, who does not bring it may only watch."""
    room = _Room(desk, token)
    return Starlette(
        routes=[
            Route("/healthz", _healthy),
            Route("/scene.json", room.scene),
            WebSocketRoute("/live", room.seat),
            Mount("/", StaticFiles(directory=PAGE, html=True)),
        ],
        middleware=[Middleware(_Door, hosts=hosts)],
    )


async def _healthy(_request: Request) -> Response:
    return PlainTextResponse("ok\n")


def link(host: str, port: int, token: str | None, page: str = "") -> str:
    """The address to open. The token stands behind the `#`, which no browser sends or tells."""
    where = f"[{host}]" if ":" in host else host
    return f"http://{where}:{port}/{page}" + (f"#token={quote(token, safe='')}" if token else "")


class Server(uvicorn.Server):
    """uvicorn in the application's own loop: signals stay the application's. To end it, set `should_exit`."""

    def __init__(self, config: uvicorn.Config, opened: Callable[[], object]) -> None:
        """`opened` is called once the page answers."""
        super().__init__(config)
        self._opened = opened

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen from now on."""
        await super().startup(sockets)
        self._opened()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _nothing() -> None:
    """Nobody waits for the page."""


def server(app: Starlette, opened: Callable[[], object] = _nothing) -> Server:
    """A server for the page: `await server(app).serve(sockets=[socket])`, on TCP or Unix sockets that listen; when the
    page answers, it calls `opened`. It writes no access log (a socket's address holds the token), believes no
    proxy, and reads no message much larger than one may be."""
    logging.getLogger("uvicorn.error").addFilter(_without_garbage)
    return Server(
        uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            lifespan="off",
            proxy_headers=False,
            server_header=False,
            ws_max_size=16 * LARGEST,
            ws_ping_interval=10,
            ws_ping_timeout=20,
            timeout_graceful_shutdown=2,
        ),
        opened,
    )


def _without_garbage(record: logging.LogRecord) -> bool:
    """Whether a line of uvicorn's tells more than that somebody sent bytes that are no text."""
    return not (record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError))
