"""A live board on a terminal: drawn again when something changes, or when a light comes or goes, and never else."""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from io import StringIO

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.style import Style
from rich.table import Table
from rich.text import Text

from boardctl.shells.terminal import drawn, keys, rhythm, told, words
from boardctl.shells.terminal.desk import Desk, Scene
from boardctl.shells.terminal.typed import Answer, Do, Leave, meant

BEAT_S = 0.125
"""Seconds between two looks at lights that come and go: the shortest flash is 0.12 s."""
_PANEL = 24
"""Characters beside the board from which on score and moves stand there; else below it."""


class Screen:
    """One person at a board on a terminal."""

    def __init__(self, desk: Desk, console: Console, notice: str) -> None:
        """`notice`: what is said first."""
        self._desk, self._console = desk, console
        self._scene = desk.scene()
        self._typed, self._notice = "", notice
        self._news = asyncio.Event()

    async def run(self, fd: int) -> None:
        """Show the board and do what is typed at `fd`, until that ends or says quit."""
        with (
            keys.each_key(fd),
            _told_of_its_size(self._news),
            Live(console=self._console, screen=True, auto_refresh=False) as live,
        ):
            async with asyncio.TaskGroup() as tasks:
                others = [tasks.create_task(self._watch()), tasks.create_task(self._draw(live))]
                await self._listen(fd)
                for task in others:
                    task.cancel()

    async def _watch(self) -> None:
        """Look at the desk whenever it has changed."""
        while True:
            await self._desk.changed(self._scene["revision"])
            before, self._scene = self._scene, self._desk.scene()
            if (notice := self._scene["notice"]) not in (None, before["notice"]):
                self._notice = notice["say"]
            self._news.set()

    async def _draw(self, live: Live) -> None:
        shown: frozenset[str] | None = None
        while True:
            now = time.monotonic()
            bright = rhythm.lit(self._scene, now)
            if self._news.is_set() or bright != shown:
                self._news.clear()
                shown = bright
                with suppress(OSError):  # the terminal may have gone: then its keys have ended too
                    live.update(self._picture(bright), refresh=True)
            wait = BEAT_S - now % BEAT_S if rhythm.moving(self._scene) else None
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self._news.wait()

    async def _listen(self, fd: int) -> None:
        async for text in keys.texts(fd):
            typed = keys.typed(self._typed, text)
            self._typed = typed.line
            left = [line for line in typed.entered if self._enter(line)]
            self._news.set()
            if left or typed.left:
                return

    def _enter(self, line: str) -> bool:
        """Do what a line says. Answers whether it says to leave."""
        self._notice = ""
        if not line.strip():
            return False
        meaning = meant(line, self._desk.scene())
        match meaning:
            case Answer(say):
                self._notice = say
            case Do(messages):
                refusals = [self._desk.do(message) for message in messages]
                self._notice = "\n".join(refusal for refusal in refusals if refusal)
            case Leave():
                pass
        return isinstance(meaning, Leave)

    def _picture(self, bright: frozenset[str]) -> RenderableType:
        size = self._console.size
        return picture(self._scene, bright, self._notice, self._typed, (size.width, size.height))


@contextmanager
def _told_of_its_size(news: asyncio.Event) -> Iterator[None]:
    """Set `news` whenever the terminal has got another size."""
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGWINCH, news.set)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGWINCH)


def picture(
    scene: Scene, bright: frozenset[str], notice: str, typed: str, size: tuple[int, int]
) -> RenderableType:
    """Everything on the screen: the sentence, the board, what may be said, and the line that is typed.

    `bright`: the cells whose light is bright just now. `size`: columns and lines of the terminal.
    """
    says = Text(told.now(scene), style="bold reverse" if told.answers(scene) else "bold")
    line = Text.assemble(("> ", "bold"), typed, (" ", "reverse"))
    long = notice.count("\n") > 1
    head, foot = [says, line, Text("" if long else notice)], list(_foot(scene))
    left = size[1] - sum(_height(text, size[0]) for text in (*head, *foot))
    board = drawn.drawing(scene)
    if len(board) > left and scene["game"]["edges"]:
        board = drawn.drawing(scene, with_lines=False)
        foot[0] = Text(words.NO_ROOM.format(cell=told.example(scene)))
    spare = left if long else left - len(board)
    title, gap = [_title(scene)] if spare > 0 else [], [Text()] if spare > 1 else []
    body = Text(notice) if long else _board(scene, board, bright, size[0])
    return Group(*title, *head, body, *gap, *foot)


def _height(text: Text, width: int) -> int:
    """The lines that a text takes on a terminal so wide."""
    return len(text.wrap(Console(file=StringIO(), width=width), width)) or 1


def _foot(scene: Scene) -> Iterator[Text]:
    """What lines and signs say, what may be said, and what is wrong with the journal."""
    if owners := told.owners(scene):
        yield Text(owners)
    if key := told.key(scene):
        yield Text(key)
    yield Text(words.SAY.format(words=", ".join(told.answers(scene) or told.offered(scene))))
    if fault := scene["journal"]:
        yield Text(fault)


def _title(scene: Scene) -> Text:
    game = scene["game"]
    kind = "simulated board" if scene["simulated"] else "board"
    practice = f", practice: {left} left" if (left := scene["practice_left"]) else ""
    said = f"{game['title']}, {game['policy']}, {kind} of {game['sensors']}{practice}"
    return Text(said, style="dim", no_wrap=True, overflow="ellipsis")


def _board(scene: Scene, lines: Sequence[drawn.Line], bright: frozenset[str], columns: int) -> RenderableType:
    """The board with score and moves beside it, or below it where the terminal is narrow."""
    board = Text("\n").join(_line(scene, line, bright) for line in lines)
    width = max(len(drawn.text(line)) for line in lines)
    room = columns - width - 6
    if room < _PANEL:
        return Group(board, Text(), _score(scene), _moves(scene, columns, 2))
    grid = Table.grid(padding=(0, 3))
    grid.add_column(width=width + 1, no_wrap=True)
    grid.add_column(width=room)
    players = len(scene["score"])
    grid.add_row(board, Group(_score(scene), Text(), _moves(scene, room, max(len(lines) - players - 1, 2))))
    return grid


def _line(scene: Scene, line: drawn.Line, bright: frozenset[str]) -> Text:
    made = Text(no_wrap=True)
    for part in line:
        if isinstance(part, str):
            made.append(part)
        else:
            made.append(part.text, _style(scene, part, part.cell in bright))
    return made


def _style(scene: Scene, mark: drawn.Mark, bright: bool) -> Style:
    """Colour and rhythm, which come on top of the letters; an empty dark cell has neither."""
    if mark.piece is None and not mark.sign:
        return Style()
    return Style(color=rhythm.colour(scene, mark.sign, mark.piece), bold=True, reverse=bright)


def _score(scene: Scene) -> Text:
    """A line for each player; `>` whose turn it is; what is left to be placed."""
    turn = scene["turn"]["player"] if scene["turn"] else None
    lines = [
        f"{'>' if player['id'] == turn else ' '} {drawn.letter(scene, player['piece'] or player['id'])} "
        f"{told.points(scene, player['id'])}{_left(scene, player['id'])}"
        for player in scene["game"]["players"]
    ]
    return Text("\n".join([*lines, *([f"  {shared}"] if (shared := _left(scene, "shared")) else [])]))


def _left(scene: Scene, whose: str) -> str:
    return f"  ({scene['supply'][whose]} left)" if whose in scene["supply"] else ""


def _moves(scene: Scene, width: int, height: int) -> Text:
    """The last moves that fit, with passes: `1 X D3  2 O C3`."""
    plies = [told.short(scene, ply) for ply in told.standing(scene)]
    across = max(width // (max(map(len, plies), default=0) + 2), 1)
    rows = [plies[start : start + across] for start in range(0, len(plies), across)]
    wide = max(map(len, plies), default=0) + 2
    return Text("\n".join("".join(ply.ljust(wide) for ply in row).rstrip() for row in rows[-height:]))


async def shown(desk: Desk, notice: str) -> None:
    """A live board on standard output, its words typed at standard input. The last sentence stays behind."""
    with suppress(OSError):  # the terminal may have gone
        try:
            await Screen(desk, Console(file=sys.stdout), notice).run(sys.stdin.fileno())
        finally:
            print(told.now(desk.scene()), flush=True)
