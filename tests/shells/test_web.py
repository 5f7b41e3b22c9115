"""The page's server without a browser: a desk that only keeps what it is told, uvicorn on the loopback."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from http.client import HTTPConnection, HTTPResponse

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Data, Origin

from boardctl.shells import web


class Slate:
    """A desk: it keeps what viewers did, refuses one word, and its scene is how often something happened."""

    def __init__(self) -> None:
        self.done: list[Mapping[str, object]] = []
        self.written = 0
        self._revision = 1
        self._turned = asyncio.Condition()

    def scene(self) -> Mapping[str, object]:
        self.written += 1
        return {"revision": self._revision, "say": "Grüße"}

    async def changed(self, since: int) -> int:
        async with self._turned:
            await self._turned.wait_for(lambda: self._revision != since)
        return self._revision

    def do(self, message: Mapping[str, object]) -> str | None:
        self.done.append(message)
        return "Black has a move and cannot pass." if message == {"say": "pass"} else None

    async def turn(self, times: int = 1) -> None:
        for _ in range(times):
            async with self._turned:
                self._revision += 1
                self._turned.notify_all()


class Address:
    """Where the page is served."""

    def __init__(self, port: int) -> None:
        self.port = port

    def live(self, *, token: str = "", origin: str | None = None, host: str | None = None) -> connect:
        query = f"?token={token}" if token else ""
        return connect(
            f"ws://{host or '127.0.0.1'}:{self.port}/live{query}",
            host="127.0.0.1",
            origin=Origin(origin) if origin else None,
            max_size=None,
            compression=None,
            proxy=None,
        )

    async def get(self, path: str, **headers: str) -> tuple[HTTPResponse, str]:
        return await asyncio.to_thread(self._get, path, headers)

    def _get(self, path: str, headers: dict[str, str]) -> tuple[HTTPResponse, str]:
        line = HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            line.request("GET", path, headers=headers)
            answer = line.getresponse()
            return answer, answer.read().decode()
        finally:
            line.close()


@asynccontextmanager
async def served(
    desk: web.Desk, *, token: str | None = None, hosts: tuple[str, ...] = ()
) -> AsyncIterator[Address]:
    ear = socket.create_server(("127.0.0.1", 0))
    server = web.server(web.site(desk, token=token, hosts=hosts))
    serving = asyncio.create_task(server.serve(sockets=[ear]))
    try:
        yield Address(ear.getsockname()[1])
    finally:
        server.should_exit = True
        await serving
        ear.close()


def said(data: Data) -> object:
    return json.loads(data)


async def sent(viewer: ClientConnection, text: str) -> object:
    await viewer.send(text)
    return said(await viewer.recv())


async def closed_with(viewer: ClientConnection) -> int | None:
    with pytest.raises(ConnectionClosed) as end:
        while True:
            await viewer.recv()
    return end.value.rcvd.code if end.value.rcvd else None


def test_a_viewer_is_sent_the_whole_scene_at_once() -> None:
    async def story() -> object:
        async with served(Slate()) as address, address.live() as viewer:
            return said(await viewer.recv())

    assert asyncio.run(story()) == {"may": "command", "scene": {"revision": 1, "say": "Grüße"}}


def test_every_viewer_is_sent_a_change_and_the_scene_is_written_once_for_all() -> None:
    async def story() -> tuple[list[object], int]:
        desk = Slate()
        async with served(desk) as address, address.live() as one, address.live() as other:
            await one.recv()
            await other.recv()
            before = desk.written
            await desk.turn()
            told = [said(await viewer.recv()) for viewer in (one, other)]
            return told, desk.written - before

    second = {"may": "command", "scene": {"revision": 2, "say": "Grüße"}}
    assert asyncio.run(story()) == ([second, second], 1)


def test_many_changes_in_a_moment_are_told_as_the_newest() -> None:
    async def story() -> list[int]:
        desk = Slate()
        async with served(desk) as address, address.live() as viewer:
            await viewer.recv()
            await desk.turn(500)
            seen: list[int] = []
            while not seen or seen[-1] != 501:
                seen.append(json.loads(await viewer.recv())["scene"]["revision"])
            return seen

    seen = asyncio.run(story())
    assert len(seen) < 100
    assert seen == sorted(set(seen))


def test_a_viewer_that_reads_nothing_holds_up_nobody() -> None:
    class Heavy(Slate):
        def scene(self) -> Mapping[str, object]:
            return {**super().scene(), "weight": "x" * 4_000_000}

    async def story() -> object:
        desk = Heavy()
        async with served(desk) as address, address.live() as sleeper, address.live() as waker:
            for _ in range(8):
                newest = json.loads(await waker.recv())["scene"]["revision"]
                await desk.turn()
            sleeper.transport.abort()
            return newest

    assert asyncio.run(story()) == 8


@pytest.mark.slow
def test_a_viewer_hears_that_the_server_is_alive_when_nothing_is_new() -> None:
    async def story() -> object:
        async with served(Slate()) as address, address.live() as viewer:
            await viewer.recv()
            return said(await viewer.recv())

    assert asyncio.run(story()) == {"alive": 1}


def test_what_a_viewer_does_reaches_the_desk_as_it_was_sent() -> None:
    messages: list[dict[str, object]] = [
        {"say": "d3"},
        {"say": "flip b2 star"},
        {"hand": "put", "cell": "d3", "side": "heads"},
        {"hand": "lift", "cell": "d3"},
        {"hand": "turn", "cell": "d3"},
        {"hand": "nudge", "cell": "d3"},
        {"hand": "slide", "path": ["d3", "e3"]},
        {"trouble": "bounce", "on": True},
        {"trouble": "blink", "on": False},
        {"trouble": "lost", "on": True},
        {"trouble": "dead", "cell": "e8", "on": True},
        {"trouble": "chatter", "cell": "e8", "on": False},
        {"trouble": "knock"},
        {"new": {"game": "othello"}},
        {
            "new": {
                "game": "othello",
                "options": {"first": "white", "empties_to_winner": True, "size": 6},
                "sensors": "presence",
                "policy": "teach",
                "start": "laid",
            }
        },
    ]

    async def story() -> list[Mapping[str, object]]:
        desk = Slate()
        async with served(desk) as address, address.live() as viewer:
            await viewer.recv()
            for message in messages:
                await viewer.send(json.dumps(message))
            await sent(viewer, '{"say":"pass"}')
        return desk.done

    assert asyncio.run(story()) == [*messages, {"say": "pass"}]


def test_a_refusal_of_the_desk_is_told_to_the_one_who_asked() -> None:
    async def story() -> object:
        async with served(Slate()) as address, address.live() as viewer:
            await viewer.recv()
            return await sent(viewer, '{"say":"pass"}')

    assert asyncio.run(story()) == {"refused": "Black has a move and cannot pass."}


@pytest.mark.parametrize(
    "nonsense",
    [
        "",
        "{",
        "null",
        "7",
        "[]",
        "{}",
        '"pass"',
        '{"say":7}',
        '{"say":""}',
        '{"say":"a\\nb"}',
        '{"say":"pass","more":1}',
        '{"say":"' + "x" * 81 + '"}',
        '{"hand":"put","cell":"d3"}',
        '{"hand":"put","cell":"d3","side":"edge"}',
        '{"hand":"put","cell":"../etc","side":"heads"}',
        '{"hand":"throw","cell":"d3"}',
        '{"hand":"slide","path":["d3"]}',
        '{"hand":"slide","path":"d3"}',
        '{"trouble":"bounce"}',
        '{"trouble":"bounce","on":"yes"}',
        '{"trouble":"dead","on":true}',
        '{"new":{}}',
        '{"new":{"game":"othello","options":{"first":null}}}',
        '{"new":{"game":"othello","options":{"first":["white"]}}}',
        '{"new":{"game":"othello","start":"upside-down"}}',
        "[" * 1000 + "]" * 1000,
        '{"say":NaN}',
        '{"say":1e999}',
    ],
)
def test_nonsense_is_refused_with_a_sentence(nonsense: str) -> None:
    assert web.message_of(nonsense) is None


def test_nonsense_reaches_no_desk_and_the_viewer_stays() -> None:
    async def story() -> tuple[object, list[Mapping[str, object]]]:
        desk = Slate()
        async with served(desk) as address, address.live() as viewer:
            await viewer.recv()
            refusal = await sent(viewer, '{"hand":"throw"}')
            await sent(viewer, '{"say":"pass"}')
            return refusal, desk.done

    assert asyncio.run(story()) == (
        {"refused": "The board does not understand that message."},
        [{"say": "pass"}],
    )


def test_a_message_too_large_is_refused_and_ends_the_visit() -> None:
    async def story() -> tuple[object, int | None]:
        async with served(Slate()) as address, address.live() as viewer:
            await viewer.recv()
            refusal = await sent(viewer, " " * 2048 + "1")
            return refusal, await closed_with(viewer)

    assert asyncio.run(story()) == ({"refused": "A message is text of at most 2048 bytes."}, 1009)


def test_size_is_counted_in_bytes_and_not_in_letters() -> None:
    async def story() -> object:
        async with served(Slate()) as address, address.live() as viewer:
            await viewer.recv()
            return await sent(viewer, "ü" * 1025)

    assert asyncio.run(story()) == {"refused": "A message is text of at most 2048 bytes."}


@pytest.mark.parametrize("garbage", [b"\x00\x01", b"\xff" * 10])
def test_bytes_that_are_no_text_end_the_visit(garbage: bytes) -> None:
    async def story() -> int | None:
        async with served(Slate()) as address, address.live() as viewer:
            await viewer.recv()
            await viewer.send(garbage)
            return await closed_with(viewer)

    assert asyncio.run(story()) == 1009


def test_text_that_is_no_utf8_leaves_no_traceback(
    capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> int | None:
        async with served(Slate()) as address, address.live() as viewer:
            await viewer.recv()
            await viewer.send(b"\xff\xfe", text=True)
            return await closed_with(viewer)

    assert asyncio.run(story()) == 1007
    assert (capfd.readouterr().err, [record for record in caplog.records if record.exc_info]) == ("", [])


def test_a_message_far_too_large_is_not_even_read() -> None:
    async def story() -> int | None:
        async with served(Slate()) as address, address.live() as viewer:
            await viewer.recv()
            await viewer.send(" " * 1_000_000)
            return await closed_with(viewer)

    assert asyncio.run(story()) == 1009


def test_a_flood_is_refused_and_ends_the_visit() -> None:
    async def story() -> tuple[int, int | None]:
        desk = Slate()
        async with served(desk) as address, address.live() as viewer:
            await viewer.recv()
            for _ in range(400):
                await viewer.send('{"say":"ok"}')
            code = await closed_with(viewer)
            return len(desk.done), code

    done, code = asyncio.run(story())
    assert code == 1008
    assert 80 <= done < 400


def test_an_allowance_takes_a_burst_and_then_its_rate() -> None:
    allowance = web.Allowance(rate=2.0, burst=3.0, now=100.0)
    times = [100.0, 100.0, 100.0, 100.0, 100.5, 100.5, 200.0, 200.0, 200.0, 200.0]
    assert [allowance.take(now) for now in times] == [
        *(True, True, True, False),
        *(True, False),
        *(True, True, True, False),
    ]


def test_with_a_token_watching_is_free_and_commands_need_it() -> None:
    async def story() -> tuple[object, object, object, list[Mapping[str, object]]]:
        desk = Slate()
        async with (
            served(desk, token="geheim") as address,
            address.live(token="falsch") as guest,
            address.live(token="geheim") as owner,
        ):
            seen = said(await guest.recv())
            owned = said(await owner.recv())
            refusal = await sent(guest, '{"say":"pass"}')
            await sent(owner, '{"say":"pass"}')
        return seen, owned, refusal, desk.done

    scene = {"revision": 1, "say": "Grüße"}
    assert asyncio.run(story()) == (
        {"may": "watch", "scene": scene},
        {"may": "command", "scene": scene},
        {"refused": "You are watching. To play, open the link with the token that was shown at the start."},
        [{"say": "pass"}],
    )


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "file://"])
def test_a_page_from_elsewhere_gets_no_socket(origin: str) -> None:
    async def story() -> int:
        async with served(Slate()) as address:
            with pytest.raises(InvalidStatus) as refused:
                async with address.live(origin=origin):
                    pass
            return refused.value.response.status_code

    assert asyncio.run(story()) == 403


def test_our_own_page_gets_its_socket() -> None:
    async def story() -> object:
        async with (
            served(Slate()) as address,
            address.live(origin=f"http://127.0.0.1:{address.port}") as viewer,
        ):
            return said(await viewer.recv())

    assert asyncio.run(story()) == {"may": "command", "scene": {"revision": 1, "say": "Grüße"}}


def test_a_foreign_name_that_points_here_gets_no_socket() -> None:
    async def story() -> int:
        async with served(Slate()) as address:
            with pytest.raises(InvalidStatus) as refused:
                async with address.live(host="evil.example"):
                    pass
            return refused.value.response.status_code

    assert asyncio.run(story()) == 403


@pytest.mark.parametrize(
    ("hosts", "welcome", "foreign"),
    [
        (
            (),
            ["localhost", "LOCALHOST:80", "[::1]:8000"],
            ["evil.example", "192.168.1.7", "localhost.evil.example", "127.0.0.1@evil.example", "[::1", ""],
        ),
        (("board.local", "fe80::7"), ["board.local:8000", "[fe80::7]:8000"], ["192.168.1.7"]),
        (("0.0.0.0",), ["192.168.1.7:8000", "[fe80::7]"], ["evil.example"]),
        (("::",), ["192.168.1.7", "[fe80::7]:8000"], ["evil.example"]),
    ],
)
def test_only_names_we_know_are_answered(
    hosts: tuple[str, ...], welcome: list[str], foreign: list[str]
) -> None:
    async def story() -> dict[str, int]:
        async with served(Slate(), hosts=hosts) as address:
            return {
                host: (await address.get("/healthz", Host=host))[0].status for host in [*welcome, *foreign]
            }

    assert asyncio.run(story()) == dict.fromkeys(welcome, 200) | dict.fromkeys(foreign, 403)


def test_it_says_that_it_is_well_and_tells_the_scene() -> None:
    async def story() -> tuple[str, str]:
        async with served(Slate()) as address:
            return (await address.get("/healthz"))[1], (await address.get("/scene.json"))[1]

    assert asyncio.run(story()) == ("ok\n", '{"revision":1,"say":"Grüße"}')


def test_every_answer_forbids_what_is_not_ours() -> None:
    async def story() -> list[dict[str, str | None]]:
        async with served(Slate()) as address:
            answers = [
                (await address.get(path))[0]
                for path in ("/", "/main.js", "/scene.json", "/nowhere", "/healthz")
            ]
            answers.append((await address.get("/", Host="evil.example"))[0])
            return [{name: answer.getheader(name) for name in web.HEADERS} for answer in answers]

    assert asyncio.run(story()) == [dict(web.HEADERS)] * 6


def test_no_file_outside_the_page_is_served() -> None:
    async def story() -> list[int]:
        async with served(Slate()) as address:
            paths = ("/../web.py", "/%2e%2e/web.py", "/..%2fweb.py", "//etc/passwd")
            return [(await address.get(path))[0].status for path in paths]

    assert asyncio.run(story()) == [404] * 4


def test_the_page_asks_nothing_of_the_network() -> None:
    texts = {
        path.name: path.read_text()
        for path in web.PAGE.iterdir()
        if path.suffix in {".html", ".css", ".js", ".svg"}
    }
    allowed = "http://www.w3.org/2000/svg"
    foreign = {name for name, text in texts.items() if "://" in text.replace(allowed, "")}
    assert (foreign, "index.html" in texts) == (set(), True)


def test_the_page_is_plain_and_holds_nothing_inline() -> None:
    async def story() -> tuple[int, str]:
        async with served(Slate()) as address:
            answer, text = await address.get("/")
            return answer.status, text

    status, text = asyncio.run(story())
    assert status == 200
    assert [
        word for word in ("<style", " style=", "<script>", " onclick=", "javascript:") if word in text
    ] == []


def test_a_room_that_is_full_turns_the_next_one_away_until_somebody_goes() -> None:
    async def story() -> tuple[int, object]:
        async with served(Slate()) as address:
            seated = [await address.live() for _ in range(web.VIEWERS)]
            for viewer in seated:
                await viewer.recv()
            with pytest.raises(InvalidStatus) as refused:
                await address.live()
            for viewer in seated:
                await viewer.close()
            async with address.live() as viewer:
                return refused.value.response.status_code, said(await viewer.recv())

    assert asyncio.run(story()) == (503, {"may": "command", "scene": {"revision": 1, "say": "Grüße"}})


def test_the_link_carries_the_token_where_no_server_sees_it() -> None:
    assert [
        web.link("127.0.0.1", 8000, None),
        web.link("board.local", 80, "a/b c"),
        web.link("::1", 8000, "t"),
    ] == ["http://127.0.0.1:8000/", "http://board.local:80/#token=a%2Fb%20c", "http://[::1]:8000/#token=t"]
