"""An evening at the board: opens the journal, plays, serves the page, prints what the judge says, and ends well."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import os
import secrets
import signal
import sys
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from boardctl import ears, journald
from boardctl.app import Board, Play, Told, on_wired, opened, simulated
from boardctl.core.commands import Command, Owed, Wrong
from boardctl.core.model import Game
from boardctl.ears import Ear
from boardctl.notify import NOBODY, Duty, Service
from boardctl.plugins import found
from boardctl.scene import sentence
from boardctl.shells.journal import Journal, JournalDamaged, JournalError, JournalFromNewerVersion, beside
from boardctl.trace import Header

if TYPE_CHECKING:
    from boardctl.config import Settings
    from boardctl.shells.terminal import Look


def journal_path(state: Path | None) -> Path:
    """Where the journal is kept: in the folder given, or in the user's state folder."""
    folder = state if state is not None else platformdirs.user_state_path("boardctl")
    return folder / "journal.sqlite"


def spend(settings: Settings, service: Service = NOBODY) -> None:
    """Play until a signal says to end, with the page if the settings have one.

    `service`: what started us, which hears how we are and may have passed the page's sockets. Raises
    `ears.CannotServe`, and what `app.opened` raises.
    """
    web = settings.web
    duty = Duty(service, time.monotonic)
    if not web.enabled:
        with _at_board(settings) as play:
            asyncio.run(_unseen(play, duty))
        return
    with ears.listening(service, web.host, web.port) as listening, _at_board(settings) as play:
        asyncio.run(_served(play, listening, web.host, duty))


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
    header, board = _board(settings)
    with _journal(None if folder is None else Path(folder)) as journal:
        play = opened(header, found(), journal, clock=time.monotonic, wall=_time_of_day, board=board)
        try:
            yield play
        finally:
            play.close()


def _board(settings: Settings) -> tuple[Header, Callable[[Header, Game], Board]]:
    """The header of the game, and what makes the board: a simulated one, or the one that a file describes."""
    if settings.board.file is not None:
        return on_wired(_header(settings), settings.board.file)
    return _header(settings), partial(simulated, seed=settings.board.seed)


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
    _warn(f"boardctl: {path}: {what}")


def _warn(line: str) -> None:
    print(journald.graded(line, journald.WARNING, sys.stderr), file=sys.stderr, flush=True)


async def _served(play: Play, listening: Sequence[Ear], name: str, duty: Duty) -> None:
    """Serve the page; besides its sockets' own names it may be asked for by `name`."""
    from boardctl.desk import PlayDesk
    from boardctl.shells import web

    private = name in ears.LOOPBACK and all(ear.private for ear in listening)
    token = None if private else secrets.token_urlsafe(12)
    hosts = [each for host in (name, *(ear.host for ear in listening)) if host for each in ears.names(host)]
    server = web.server(web.site(PlayDesk(play), token=token, hosts=hosts), duty.opened)

    async def serve() -> None:
        _greet(play, [_address(ear, token) for ear in listening], token)
        print_sentences(play)
        await server.serve(sockets=[ear.socket for ear in listening])

    await _until_told(play, serve(), duty, lambda: setattr(server, "should_exit", True))


def _address(ear: Ear, token: str | None) -> str:
    """Where to open the page. A Unix socket has no address that a browser knows."""
    from boardctl.shells import web

    where = ear.socket.getsockname()
    if not ear.host:
        return f"the Unix socket {where if isinstance(where, str) else where.decode().replace(chr(0), '@')}"
    return web.link(ears.reachable(ear.host), where[1], token)


async def _unseen(play: Play, duty: Duty) -> None:
    """No page and no terminal: the judge speaks, the hands are at the board."""

    async def speak() -> None:
        print(sentence(play.session), flush=True)
        print_sentences(play)
        duty.opened()
        await asyncio.Event().wait()

    await _until_told(play, speak(), duty)


async def _in_terminal(play: Play, look: Look | None) -> None:
    from boardctl.desk import PlayDesk
    from boardctl.shells import terminal

    shown = look or terminal.possible()

    async def talk() -> None:
        if shown == "lines":
            _tell_left(play)
            resumed = f"{terminal.words.RESUMED} " if play.resumed else ""
            print(f"{play.game.title}. {resumed}{sentence(play.session)}")
            print_sentences(play)
        await terminal.played(PlayDesk(play), shown)

    await _until_told(play, talk(), Duty(NOBODY, play.clock))


def _greet(play: Play, addresses: Sequence[str], token: str | None) -> None:
    for address in addresses:
        print(f"{play.game.title}, open {address}", flush=True)
    if token is not None:
        if not journald.hears(os.environ, sys.stdout):
            import segno

            segno.make(addresses[0], error="m").terminal(compact=True)
        print("Who opens it without the token may watch.", flush=True)
    if play.resumed:
        print("The game left unfinished goes on. New game, on the page, gives it up.")
    _tell_left(play)
    print(sentence(play.session), flush=True)


def _tell_left(play: Play) -> None:
    if play.left is not None:
        print(f"The game before it was left unfinished. It is number {play.left} in boardctl history.")


async def _until_told(
    play: Play, shell: Coroutine[object, object, None], duty: Duty, end: Callable[[], object] | None = None
) -> None:
    """Play until the shell has ended or a signal says to end. `end` ends the shell; else it is cancelled."""
    showing = asyncio.create_task(shell)
    end_shell = end or showing.cancel

    def end_all() -> None:
        duty.stopping()
        end_shell()

    with _on_signal(end_all):
        playing = asyncio.create_task(play.run(duty.looked))
        await asyncio.wait([showing, playing], return_when=asyncio.FIRST_COMPLETED)
    end_all()
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
    """From now on print what the judge says, as it comes; in a system's journal, sensors by cell and level."""
    say = _journaled if journald.hears(os.environ, sys.stdout) else _printed
    last: str | None = None
    found: set[str] = set()

    def heard(told: Told) -> None:
        nonlocal last
        for finding in play.findings:
            if finding not in found:
                _warn(f"boardctl: {finding}")
        found.update(play.findings)
        words = play.session.referee.telling.sentences
        for command in told.commands:
            sentence = None if _said_better(command, told.commands) else words.of(command)
            if sentence is not None and not (isinstance(command, Wrong) and sentence == last):
                say(command, sentence)
                last = sentence

    play.listeners.append(heard)


def _said_better(command: Command, told: Sequence[Command]) -> bool:
    """Whether what is owed is nothing but what a mistake told with it says to take away."""
    if not isinstance(command, Owed):
        return False
    wrong = {cell for each in told if isinstance(each, Wrong) for cell in each.cells}
    return all(cell in wrong and debt.do == "take" for cell, debt in command.cells.items())


def _printed(_command: Command, sentence: str) -> None:
    print(sentence, flush=True)


def _journaled(command: Command, sentence: str) -> None:
    level, fields = journald.grade(command)
    try:
        if fields:
            journald.write(sentence, level, fields)
            return
    except OSError:
        pass  # a journal that takes lines only
    print(journald.graded(sentence, level, sys.stdout), flush=True)
