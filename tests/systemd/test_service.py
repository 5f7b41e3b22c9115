"""`boardctl run` as systemd starts it: it serves on sockets it is given, says how it is, and ends when told."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from websockets.sync.client import ClientConnection, connect, unix_connect

from boardctl import journald
from tests.systemd.manager import PATIENCE_S, SYS_SOCKET, listening_at_path, listening_at_port, started

PORT_IN_USE_NOWHERE = "[web]\nport = 0\n"
without_network = pytest.mark.skipif(SYS_SOCKET is None, reason="the filter knows x86_64 and aarch64 only")


def seen(live: AbstractContextManager[ClientConnection]) -> str:
    """What the page is shown first: the game."""
    with live as viewer:
        shown = json.loads(viewer.recv(PATIENCE_S))
        assert shown["may"] == "command"
        return str(shown["scene"]["game"]["name"])


def by_port(ear: socket.socket) -> AbstractContextManager[ClientConnection]:
    return connect(f"ws://127.0.0.1:{ear.getsockname()[1]}/live", proxy=None)


def by_path(ear: socket.socket) -> AbstractContextManager[ClientConnection]:
    return unix_connect(ear.getsockname(), "ws://localhost/live")


Reach = Callable[[socket.socket], AbstractContextManager[ClientConnection]]


@without_network
@pytest.mark.parametrize("reach", [by_port, by_path])
def test_the_page_is_served_on_a_socket_passed_to_a_program_that_may_open_none(
    tmp_path: Path, reach: Reach
) -> None:
    where = listening_at_port() if reach is by_port else listening_at_path(tmp_path / "page.sock")
    with where as ear, started(tmp_path, '[game]\nname = "bracket"', [ear], network=False) as unit:
        assert unit.line.hear() == "READY=1"
        assert seen(reach(ear)) == "bracket"
        assert unit.stop() == 0
        assert unit.line.rest() == ["STOPPING=1"]


def test_one_page_is_served_on_every_socket_passed(tmp_path: Path) -> None:
    with listening_at_port() as one, listening_at_path(tmp_path / "page.sock") as other:
        with started(tmp_path, "", [one, other]) as unit:
            assert unit.line.hear() == "READY=1"
            assert [seen(by_port(one)), seen(by_path(other))] == ["othello", "othello"]
            assert unit.stop() == 0
            assert unit.process.stdout is not None
            told = unit.process.stdout.read().splitlines()
        assert told[:3] == [
            f"Othello, open http://127.0.0.1:{one.getsockname()[1]}/",
            f"Othello, open the Unix socket {tmp_path / 'page.sock'}",
            "Black to move.",
        ]


@without_network
def test_whoever_comes_from_the_network_needs_the_token_that_the_journal_shows(tmp_path: Path) -> None:
    with socket.create_server(("0.0.0.0", 0)) as ear:
        with started(tmp_path, "", [ear], network=False, journal=True) as unit:
            unit.line.until("READY=1")
            with by_port(ear) as viewer:
                assert json.loads(viewer.recv(PATIENCE_S))["may"] == "watch"
            assert unit.stop() == 0
            assert unit.process.stdout is not None
            told = unit.process.stdout.read().splitlines()
        address, token = told[0].split("#token=")
        assert address == f"Othello, open http://{socket.gethostname()}:{ear.getsockname()[1]}/"
        assert len(token) == 16
        assert told[1:] == ["Who opens it without the token may watch.", "Black to move."]


@pytest.mark.skipif(Path(journald.ADDRESS).exists(), reason="a real journal listens here")
def test_where_the_journal_takes_lines_only_a_sensor_is_told_with_its_level(tmp_path: Path) -> None:
    with listening_at_port() as ear, started(tmp_path, "", [ear], journal=True) as unit:
        unit.line.until("READY=1")
        with by_port(ear) as viewer:
            viewer.send(json.dumps({"say": "distrust e8"}))
            assert unit.process.stdout is not None
            told = [unit.process.stdout.readline() for _ in range(3)]
        assert told[2] == "<5>The sensor under E8 is set aside. Play on.\n"


def test_the_next_run_is_given_the_same_socket_and_goes_on_with_the_game(tmp_path: Path) -> None:
    with listening_at_port() as ear:
        for _ in range(2):
            with started(tmp_path, "", [ear]) as unit:
                unit.line.until("READY=1")
                assert seen(by_port(ear)) == "othello"
                assert unit.stop() == 0
                assert unit.process.stdout is not None
                told = unit.process.stdout.read()
        assert "The game left unfinished goes on." in told


def test_without_a_passed_socket_it_opens_its_own(tmp_path: Path) -> None:
    with started(tmp_path, PORT_IN_USE_NOWHERE) as unit:
        assert unit.line.hear() == "READY=1"
        assert unit.process.stdout is not None
        assert unit.process.stdout.readline().startswith("Othello, open http://127.0.0.1:")
        assert unit.stop() == 0


@without_network
def test_without_a_network_and_without_a_socket_it_says_so(tmp_path: Path) -> None:
    with started(tmp_path, "", network=False) as unit:
        _, err = unit.process.communicate(timeout=PATIENCE_S)
        assert (unit.process.returncode, unit.line.rest()) == (1, [])
    assert err == (
        "boardctl: run: the page cannot be served on 127.0.0.1, port 8373: "
        "Address family not supported by protocol; choose another port\n"
    )


def test_a_board_without_a_page_is_ready_too(tmp_path: Path) -> None:
    with started(tmp_path, "[web]\nenabled = false") as unit:
        assert unit.line.hear() == "READY=1"
        assert unit.stop() == 0
        assert unit.line.rest() == ["STOPPING=1"]


def test_it_gives_signs_of_life_while_it_plays(tmp_path: Path) -> None:
    with started(tmp_path, "[web]\nenabled = false", watchdog_s=0.06) as unit:
        heard = [unit.line.hear() for _ in range(4)]
        assert unit.stop() == 0
        assert (heard, unit.line.rest()[-1]) == (["READY=1", *["WATCHDOG=1"] * 3], "STOPPING=1")


def test_a_wrong_configuration_ends_it_with_2_and_a_line_a_fault(tmp_path: Path) -> None:
    with listening_at_port() as ear, started(tmp_path, '[game]\nname = "otello"', [ear]) as unit:
        out, err = unit.process.communicate(timeout=PATIENCE_S)
        assert (unit.process.returncode, out, unit.line.rest()) == (2, "", [])
    file = tmp_path / "boardctl.toml"
    assert err == f"boardctl: {file}: game.name: there is no game 'otello'; did you mean othello?\n"


def test_what_is_passed_must_listen(tmp_path: Path) -> None:
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        with started(tmp_path, "", [deaf]) as unit:
            _, err = unit.process.communicate(timeout=PATIENCE_S)
            assert unit.process.returncode == 1
    assert err == (
        "boardctl: run: descriptor 3 does not listen for connections; pass stream sockets, as boardctl.socket does\n"
    )


def test_what_is_passed_must_be_a_socket(tmp_path: Path) -> None:
    pipe = os.pipe()
    with started(tmp_path, "", [pipe[0]]) as unit:
        _, err = unit.process.communicate(timeout=PATIENCE_S)
        assert unit.process.returncode == 1
    for each in pipe:
        os.close(each)
    assert err.startswith("boardctl: run: descriptor 3: Socket operation on non-socket; ")
