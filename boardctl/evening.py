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
from collections.abc import Callable, Coroutine, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from boardctl.app import Play, Told, opened, simulated
from boardctl.plugins import found
from boardctl.scene import sentence
from boardctl.shells.journal import Journal, JournalDamaged, JournalError, JournalFromNewerVersion, beside
from boardctl.trace import Header

if TYPE_CHECKING:
    from boardctl.config import Settings
    from boardctl.shells.terminal import Look

LOOPBACK = ("127.0.0.1", "localhost", "::1")


class CannotServe(OSError):
    """The page cannot be served on this address and port."""


def journal_path(state: Path | None) -> Path:
    """Where the journal is kept: in the folder given, or in the user's state folder."""
    folder = state if state is not None else platformdirs.user_state_path("boardctl")
    return folder / "journal.sqlite"


def spend(settings: Settings) -> None:
    """Play until a signal says to end, with the page if the settings have one. Raises `CannotServe`, and what
    `app.opened` raises.
    """
    web = settings.web
    if not web.enabled:
        with _at_board(settings) as play:
            asyncio.run(_unseen(play))
        return
    with _bound(web.host, web.port) as listening, _at_board(settings) as play:
        asyncio.run(_served(play, listening, web.host))


def sit(settings: Settings, look: Look | None = None) -> None:
    """Play in the terminal until its input ends, it says quit, or a signal says to end.

    `look`: a live board or plain lines; if it is not given, the best this terminal can do. Raises what `app.opened`
    raises.
    """
    with _at_board(settings) as play:
        asyncio.run(_in_terminal(play, look))
        if play.journal.path is not None and play.session.table.ended is None:
            print("The game is kept. The same command goes on with it.", flush=True)


@contextlib.contextmanager
def _at_board(settings: Settings) -> Iterator[Play]:
    """The board with the game on it; afterwards its lights are dark and the journal is written."""
    folder = settings.state.folder
    with _journal(None if folder is None else Path(folder)) as journal:
        play = opened(
            _header(settings),
            found(),
            journal,
            clock=time.monotonic,
            wall=_time_of_day,
            board=partial(simulated, seed=settings.board.seed),
        )
        try:
            yield play
        finally:
            play.close()


def _header(settings: Settings) -> Header:
    game, board, judge = settings.game, settings.board, settings.judge
    return Header(
        game=game.name,
        options=game.options,
        sensors=board.sensors,
        hold=board.hold,
        rest=board.rest,
        start=board.start,
        policy=judge.policy,
        take_back=judge.take_back,
    )


def _time_of_day() -> str:
    return datetime.datetime.now(datetime.UTC).astimezone().isoformat(timespec="seconds")


@contextlib.contextmanager
def _journal(state: Path | None) -> Iterator[Journal]:
    """The journal in its file; where that cannot be used, a sentence, and one beside it or in memory."""
    path = journal_path(state)
    try:
        journal = Journal.open(path)
    except (JournalDamaged, JournalFromNewerVersion) as fault:
        journal = _journal_beside(path, fault)
    except JournalError as fault:
        journal = _journal_in_memory(path, fault)
    try:
        with journal:
            yield journal
    except JournalError as fault:  # the last words could not be written
        _complain(path, str(fault))


def _journal_beside(path: Path, fault: JournalError) -> Journal:
    new = beside(path)
    try:
        journal = Journal.open(new)
    except JournalError as other:
        return _journal_in_memory(path, other)
    _complain(path, f"{fault}. This game is kept in {new.name}, beside it")
    return journal


def _journal_in_memory(path: Path, fault: JournalError) -> Journal:
    _complain(path, f"{fault}. This game is kept in memory only")
    return Journal.in_memory()


def _complain(path: Path, what: str) -> None:
    print(f"boardctl: {path}: {what}", file=sys.stderr, flush=True)


@contextlib.contextmanager
def _bound(host: str, port: int) -> Iterator[socket.socket]:
    """A socket that listens there. Raises `CannotServe`."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM) as listening:
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((host, port))
            listening.listen(64)
        except OSError as fault:
            reason = fault.strerror or str(fault)
            raise CannotServe(
                f"the page cannot be served on {host}, port {port}: {reason}; choose another port"
            ) from None
        yield listening


async def _served(play: Play, listening: socket.socket, host: str) -> None:
    from boardctl.desk import PlayDesk
    from boardctl.shells import web

    token = None if host in LOOPBACK else secrets.token_urlsafe(12)
    server = web.server(web.site(PlayDesk(play), token=token, hosts=_names(host)))
    address = web.link(_reachable(host), listening.getsockname()[1], token)

    async def serve() -> None:
        _greet(play, address, token)
        print_sentences(play)
        await server.serve(sockets=[listening])

    await _until_told(play, serve(), lambda: setattr(server, "should_exit", True))


async def _unseen(play: Play) -> None:
    """No page and no terminal: the judge speaks, the hands are at the board."""

    async def speak() -> None:
        print(sentence(play.session), flush=True)
        print_sentences(play)
        await asyncio.Event().wait()

    await _until_told(play, speak())


async def _in_terminal(play: Play, look: Look | None) -> None:
    from boardctl.desk import PlayDesk
    from boardctl.shells import terminal

    shown = look or terminal.possible()

    async def talk() -> None:
        if shown == "lines":
            print(f"{play.game.title}. {terminal.words.RESUMED if play.resumed else sentence(play.session)}")
            print_sentences(play)
        await terminal.played(PlayDesk(play), shown)

    await _until_told(play, talk())


def _names(host: str) -> list[str]:
    """What a page that is served on this address may be asked for by."""
    name = socket.gethostname()
    return [host] if host in LOOPBACK else [host, name, f"{name}.local"]


def _reachable(host: str) -> str:
    """An address that others can open: for all interfaces, the one that leads out of this machine."""
    if host not in ("0.0.0.0", "::"):
        return host
    family, far = (socket.AF_INET, "192.0.2.1") if host == "0.0.0.0" else (socket.AF_INET6, "2001:db8::1")
    with socket.socket(family, socket.SOCK_DGRAM) as asking:  # nothing is sent: the system only picks the way
        try:
            asking.connect((far, 9))
        except OSError:
            return socket.gethostname()
        return str(asking.getsockname()[0])


def _greet(play: Play, address: str, token: str | None) -> None:
    print(f"{play.game.title}, open {address}", flush=True)
    if token is not None:
        import segno

        segno.make(address, error="m").terminal(compact=True)
        print("Who opens it without the token may watch.", flush=True)
    if play.resumed:
        print("The game left unfinished goes on. New game, on the page, gives it up.")
    print(sentence(play.session), flush=True)


async def _until_told(
    play: Play, shell: Coroutine[object, object, None], end: Callable[[], object] | None = None
) -> None:
    """Play until the shell has ended or a signal says to end. `end` ends the shell; else it is cancelled."""
    showing = asyncio.create_task(shell)
    end = end or showing.cancel
    with _on_signal(end):
        playing = asyncio.create_task(play.run())
        await asyncio.wait([showing, playing], return_when=asyncio.FIRST_COMPLETED)
    end()
    playing.cancel()
    for fault in await asyncio.gather(playing, showing, return_exceptions=True):
        if isinstance(fault, Exception):
            raise fault


@contextlib.contextmanager
def _on_signal(end: Callable[[], object]) -> Iterator[None]:
    """Call this when somebody interrupts, when the system ends us, and when a terminal goes unless that is to be
    outlived (nohup).
    """
    loop = asyncio.get_running_loop()
    ends = [signal.SIGINT, signal.SIGTERM]
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        ends.append(signal.SIGHUP)
    for each in ends:
        loop.add_signal_handler(each, end)
    yield
    for each in ends:
        loop.remove_signal_handler(each)


def print_sentences(play: Play) -> None:
    """From now on print what the judge says, as it comes."""

    def heard(told: Told) -> None:
        words = play.session.referee.telling.sentences
        for command in told.commands:
            if (sentence := words.of(command)) is not None:
                print(sentence, flush=True)

    play.listeners.append(heard)
