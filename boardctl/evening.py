"""An evening at the board: opens the journal, plays, serves the page, prints what the judge says, and ends well."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import secrets
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from boardctl.app import Play, Told, opened, simulated
from boardctl.plugins import found
from boardctl.shells.journal import Journal, JournalError
from boardctl.trace import Header

if TYPE_CHECKING:
    from boardctl.shells.web import Server

LOOPBACK = ("127.0.0.1", "localhost", "::1")


class CannotServe(OSError):
    """The page cannot be served on this address and port."""


def journal_path(state: Path | None) -> Path:
    """Where the journal is kept: in the folder given, or in the user's state folder."""
    folder = state if state is not None else platformdirs.user_state_path("boardctl")
    return folder / "journal.sqlite"


def spend(header: Header, *, seed: int, state: Path | None, web: tuple[str, int] | None) -> None:
    """Play until interrupted. `web`: host and port of the page, or None to play in the terminal.

    Raises `CannotServe`, and what `app.opened` raises.
    """
    listening = None if web is None else _bound(*web)
    with _journal(state) as journal:
        play = opened(
            header,
            found(),
            journal,
            clock=time.monotonic,
            wall=_time_of_day,
            board=partial(simulated, seed=seed),
        )
        try:
            if listening is None:
                from boardctl.shells import terminal

                asyncio.run(terminal.played(play))
            else:
                asyncio.run(_served(play, listening, web[0] if web else ""))
        finally:
            play.close()


def _time_of_day() -> str:
    return datetime.datetime.now(datetime.UTC).astimezone().isoformat(timespec="seconds")


@contextlib.contextmanager
def _journal(state: Path | None) -> Iterator[Journal]:
    """The journal in its file; where that cannot be, a sentence, and one in memory."""
    path = journal_path(state)
    try:
        journal = Journal.open(path)
    except JournalError as fault:
        print(f"boardctl: {path}: {fault}. This game is kept in memory only.", file=sys.stderr)
        journal = Journal.in_memory()
    with journal:
        yield journal


def _bound(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(64)
    except OSError as fault:
        reason = fault.strerror or str(fault)
        raise CannotServe(
            f"the page cannot be served on {host}, port {port}: {reason}; choose another --port"
        ) from None
    return listening


async def _served(play: Play, listening: socket.socket, host: str) -> None:
    from boardctl.desk import PlayDesk
    from boardctl.shells import web

    token = None if host in LOOPBACK else secrets.token_urlsafe(12)
    server = web.server(web.site(PlayDesk(play), token=token, hosts=[host]))
    print_sentences(play)
    address = web.link(host, listening.getsockname()[1], token)
    _greet(play, address, token)
    await _until_told(server, play, listening)


def _greet(play: Play, address: str, token: str | None) -> None:
    from boardctl.scene import sentence

    print(f"{play.game.title}, open {address}", flush=True)
    if token is not None:
        import segno

        segno.make(address, error="m").terminal(compact=True)
        print("Who opens it without the token may watch.", flush=True)
    if play.resumed:
        print("The game left unfinished goes on. New game, on the page, gives it up.")
    print(sentence(play.session), flush=True)


async def _until_told(server: Server, play: Play, listening: socket.socket) -> None:
    """Serve and play until a signal says to end."""
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    playing = asyncio.create_task(play.run())
    ending = _on_signal(lambda: setattr(server, "should_exit", True))
    with ending:
        await asyncio.wait([serving, playing], return_when=asyncio.FIRST_COMPLETED)
    server.should_exit = True
    playing.cancel()
    await asyncio.gather(serving, playing, return_exceptions=True)
    if not playing.cancelled() and (fault := playing.exception()) is not None:
        raise fault


@contextlib.contextmanager
def _on_signal(end: Callable[[], None]) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    for each in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(each, end)
    yield
    for each in (signal.SIGINT, signal.SIGTERM):
        loop.remove_signal_handler(each)


def print_sentences(play: Play) -> None:
    """From now on print what the judge says, as it comes."""

    def heard(told: Told) -> None:
        words = play.session.referee.telling.sentences
        for command in told.commands:
            if (sentence := words.of(command)) is not None:
                print(sentence, flush=True)

    play.listeners.append(heard)
