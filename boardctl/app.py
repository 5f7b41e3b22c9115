"""Where everything meets: sensors -> session -> journal, then lights and listeners. Nothing is decided here.

A `Play` is one board with one game on it. Whatever the session answers is first kept in the journal and only
then shown: a move that a light, a page or a line has told of is never lost.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import takewhile
from random import Random
from typing import Any, NamedTuple

from boardctl.core.commands import Begun, Called, Command, Ended, Moved, Passed, Stood, Undone
from boardctl.core.events import Elapsed, Event, Lost, Restored, Said, Sampled
from boardctl.core.model import Cell, Game, Piece, Rules, Side
from boardctl.core.session import Session
from boardctl.core.table import NoSuchPast
from boardctl.replay import setup_of
from boardctl.shells.journal import Entry, Journal, JournalError, Saved
from boardctl.trace import Header, header_line, written
from hardware import board_file
from hardware.board_file import BoardFile, DoesNotFit, SerialWiring
from hardware.legend import Palette
from hardware.lights import SimulatedLights
from hardware.pieces import Pieces
from hardware.ports import Lights, Sensors
from hardware.sights import Disc
from hardware.table import TURN_S, Table

SCAN_S = 0.01
"""Seconds between two looks at the sensors: 100 Hz."""


QUIET_S = 1.0
"""Seconds without an event after which looks may be as far apart as a reading has to hold: nothing counts sooner."""
LAZY_S = 0.025
"""Seconds between two looks at a quiet board, at the most: half of the usual time between two scans of a wired one."""
LOOK_OVER_S = 1.0
"""Seconds between two looks at what is wrong with a real board."""
BEFORE_S = 1.0
"""Seconds before its beginning at which a simulated board was laid: no hand is still busy with that."""


class NoSuchGame(LookupError):
    """No game of that name is installed."""


class Told(NamedTuple):
    """What listeners hear: commands that the journal has kept, at `t` seconds of the game."""

    t: float
    commands: Sequence[Command]


@dataclass(frozen=True, slots=True)
class Board:
    """The hardware of one board, real or simulated."""

    sensors: Sensors
    lights: Lights
    hands: Table | None
    """The simulated table itself, whose hands the page moves; None on a real board."""
    pieces: Pieces | None = None
    """What lies on that table, or beside it; None on a real board."""
    findings: Callable[[], Sequence[str]] = tuple
    """What looks wrong with this board just now, each in a sentence."""
    refuses: Callable[[Game], str | None] = lambda _: None
    """Why another game cannot be played on this board, or None."""


def game_of(header: Header, rules: Mapping[str, Rules]) -> Game:
    """The game a header names. Raises `NoSuchGame` or `WrongOption`."""
    if header.game not in rules:
        raise NoSuchGame(f"there is no game {header.game!r}; there is {', '.join(rules)}")
    return rules[header.game].game(header.options)


def palette(game: Game) -> Palette:
    """The colours of the pieces: the first player's first."""
    return Palette((*(player for player in game.players if player in game.faces), *game.faces))


def simulated(header: Header, game: Game, seed: int = 0, chance: Random | None = None) -> Board:
    """A simulated board for a game, with nothing on it. `chance` shuffles what nobody is to know."""
    table = Table(tuple(game.points), header.sensors, points=game.points, hold=header.hold, seed=seed)
    pieces = Pieces(game, chance or Random(), header.tags)
    return Board(table, SimulatedLights(tuple(game.points), palette(game)), table, pieces)


def on_wired(header: Header, name: str) -> tuple[Header, Callable[[Header, Game], Board]]:
    """The header of a game on a board that is wired as a file says (or a preset), and what makes that board.

    What lies on it is to be seen, so it is never taken to be laid. Raises `hardware.toml_form.WrongFile`.
    """
    file = board_file.read(board_file.found(name))
    sensors = file.sensors
    header = dataclasses.replace(
        header, sensors=file.kind, hold=sensors.hold, rest=sensors.rest, start="empty", tags={}
    )
    return header, lambda _, game: wired(file, game)


def wired(file: BoardFile, game: Game, pin_factory: Any = None, cables: Any = None) -> Board:
    """The board of a file, for a game. Raises `DoesNotFit` or `hardware.board_file.NoBoard`.

    `pin_factory`: gpiozero's; `cables`: serial ports; by default those of this machine.
    """
    from firmware_bridge import board as on_cable
    from hardware import wired as on_pins  # both meet libraries that not every machine has

    def refuses(other: Game) -> str | None:
        return on_pins.refusal(file, other.points, _most(other))

    how = palette(game)
    if isinstance(file.sensors, SerialWiring):
        found = on_cable.built(file, game.points, how, cables=cables, factory=pin_factory)
        return Board(found.sensors, found.lights, None, findings=found.findings, refuses=refuses)
    made = on_pins.built(file, game.points, _most(game), how, factory=pin_factory)
    return Board(made.sensors, made.lights, None, findings=made.findings, refuses=refuses)


def _most(game: Game) -> int:
    """How many pieces may lie on the board at once."""
    return len(game.points) if game.hands == "put" else max(len(start.pieces) for start in game.starts)


class Play:
    """One board being played. `begin` or `resume` first, then `poll` at least a hundred times a second."""

    def __init__(
        self,
        header: Header,
        rules: Mapping[str, Rules],
        journal: Journal,
        *,
        clock: Callable[[], float],
        wall: Callable[[], str],
        board: Callable[[Header, Game], Board] = simulated,
    ) -> None:
        """`clock`: seconds that never go back; `wall`: the time of day as a label.

        Raises `NoSuchGame` or `WrongOption`.
        """
        self.rules = rules
        self.journal = journal
        self.listeners: list[Callable[[Told], None]] = []
        self.journal_fault: str | None = None
        """Why the journal cannot be written just now; play goes on, kept in memory."""
        self.resumed = False
        """Whether the game on the board was begun in an earlier run."""
        self.number = 0
        """The game's number in the journal."""
        self.left: int | None = None
        """The number in the journal of a game left unfinished, which was another than the one asked for."""
        self.past: Sequence[Entry] = ()
        """What was recorded of the game in earlier runs."""
        self.asked = header
        """What this run was started for; the page may have changed the game since."""
        self.clock, self._wall, self._make_board = clock, wall, board
        self._prepare(header)

    def _prepare(self, header: Header) -> None:
        self.game = game_of(header, self.rules)
        self.board = self._make_board(header, self.game)
        self.header = _tagged(header, self.board)
        self.session = Session(self.game, setup_of(self.header))
        self.findings: Sequence[str] = ()
        """What looked wrong with the board when it was last looked over, each in a sentence."""
        self._zero = self.clock()
        self._look_over_at = 0.0
        self._trace_zero = self._latest = 0.0

    @property
    def now(self) -> float:
        """Seconds of this session."""
        return self.clock() - self._zero

    # Beginning

    def begin(self) -> None:
        """A new game, on a board that is laid or empty as the header says."""
        self._lay(self.game.starts[0].pieces if self.header.start == "laid" else {})
        self._open(self.header)
        self._carry_out(self.session.opening(), 0.0)

    def resume(self, saved: Saved) -> None:
        """Go on with a game out of the journal. Raises `NoSuchPast` where these rules do not allow it.

        A simulated board is laid as the game was left; a real one is looked at, and only what differs is owed.
        """
        past = [entry.command for entry in saved.entries]
        record = [told for told in past if isinstance(told, Moved | Passed | Called | Undone | Stood)]
        self._zero -= saved.last_t
        told = self.session.resume(record, saved.owed, saved.aside, self.now)
        self.number, self.resumed, self.past = saved.id, True, saved.entries
        self._lay(self.session.sight.lies)
        self._carry_out(told, self.now)
        for event in self._first_readings():
            self.take(event, self.now)

    def _first_readings(self) -> Sequence[Event]:
        """All that the sensors read; where they are out of reach, only that. They tell all when they are back."""
        polled, snapshot = self.board.sensors.poll(self.clock()), self.board.sensors.snapshot()
        if snapshot and all(isinstance(event, Sampled) and event.sees == "unknown" for event in snapshot):
            return [event for event in polled if isinstance(event, Lost)]
        return [Lost(), Restored(), *snapshot]

    def _lay(self, pieces: Mapping[Cell, Piece | None]) -> None:
        """Have these pieces lie on a simulated board, as they did before anybody looked or pressed."""
        hands, game_pieces = self.board.hands, self.board.pieces
        if hands is None or game_pieces is None:
            return
        laid = game_pieces.laid(pieces)
        before = self.clock() - BEFORE_S
        hands.lay(_sides(laid), before, _tags(laid))
        hands.bring(game_pieces.beside(laid), before)
        if self.header.sensors == "presses":
            self.board.sensors.poll(self.clock())

    def lay_out(self) -> None:
        """Have hands lay on a simulated board what should lie there now, instead of what does."""
        hands, game_pieces = self.board.hands, self.board.pieces
        if hands is None or game_pieces is None:
            return
        laid = game_pieces.laid(self.session.table.record.pieces, self._staying(hands))
        for cell, stack in hands.stacks().items():
            if cell not in laid or (self.game.hands == "move" and stack != (laid[cell],)):
                for _ in stack:
                    hands.lift(cell, self.clock())
        hands.lay(_sides(laid), self.clock() + TURN_S, _tags(laid))

    def _staying(self, hands: Table) -> dict[Cell, Disc]:
        """What may stay where it lies: nothing where all is to be shuffled."""
        if self.game.shuffled and self.session.table.setting_up:
            return {}
        return {cell: stack[-1] for cell, stack in hands.stacks().items()}

    def change(self, header: Header) -> None:
        """Give the game up and begin another: on a fresh board, or on the real one as it lies.

        Raises `NoSuchGame`, `WrongOption`, or `DoesNotFit` where this board cannot play that game.
        """
        if (why := self.board.refuses(game_of(header, self.rules))) is not None:
            raise DoesNotFit(why)
        if self.session.table.ended is None:
            score = self.session.table.record.position.score
            self._carry_out([Ended(None, "abandoned", score)], self.now)
        if self.board.hands is None:
            header = dataclasses.replace(header, sensors=self.header.sensors, start="empty")
        self.close()
        self._prepare(dataclasses.replace(header, tags={}))
        self.begin()

    def _open(self, header: Header) -> None:
        self.resumed = False
        with self._minding_the_journal():
            self.number = self.journal.begin(header_line(header), self._wall())
            self.journal.commit(self.number, (), 0.0, {"asked": header_line(self.asked)})

    # Playing

    def poll(self) -> None:
        """Look at the sensors once, let time pass, and tell what came of it."""
        for at, event in self.board.sensors.poll_timed(self.clock()):
            self.take(event, max(at - self._zero, self._latest))
        wake_at = self.session.wake_at
        if wake_at is not None and wake_at <= self.now:
            self._carry_out(self.session.handle(Elapsed(), self.now), self.now)
        if self.board.hands is None:
            self._light()  # rhythms go on between two commands
            self._look_over()

    def _look_over(self) -> None:
        """Once a second: what looks wrong with the board. Listeners hear of it without a command."""
        if self.now < self._look_over_at:
            return
        self._look_over_at = self.now + LOOK_OVER_S
        before, self.findings = self.findings, list(self.board.findings())
        if before != self.findings:
            for listener in self.listeners:
                listener(Told(self.now, ()))

    def _light(self) -> None:
        self.board.lights.show(self.session.referee.telling.told_lights.cells, self.clock())

    def say(self, word: str) -> None:
        """Somebody says a word: pass, undo, a label, an answer."""
        self.take(Said(word), self.now)

    def take(self, event: Event, now: float) -> None:
        """An event: into the trace, to the session, and what it answers to everybody."""
        self._latest = now
        with self._minding_the_journal():
            self.journal.note(self.number, written(now - self._trace_zero, event))
        self._carry_out(self.session.handle(event, now), now)

    def _carry_out(self, commands: Sequence[Command], now: float) -> None:
        """Keep the commands, then show and tell them; a new game closes the record of the one before."""
        if not commands:
            return
        if any(isinstance(command, Moved | Passed | Undone) for command in commands):
            self.resumed = False  # somebody plays on
        before = list(takewhile(lambda command: not isinstance(command, Begun), commands))
        self._keep(before, now)
        if len(before) < len(commands):
            self._open_next(now)
            self._keep(commands[len(before) :], now)
        self._light()
        for listener in self.listeners:
            listener(Told(now, commands))

    def _keep(self, commands: Sequence[Command], now: float) -> None:
        with self._minding_the_journal():
            self.journal.commit(self.number, commands, now - self._trace_zero)

    def _open_next(self, now: float) -> None:
        """The trace of a game that follows another on the same board opens with all that its sensors read."""
        self._trace_zero = now
        self._open(dataclasses.replace(self.header, start="empty"))
        for event in self.board.sensors.snapshot():
            with self._minding_the_journal():
                self.journal.note(self.number, written(0.0, event))

    @contextmanager
    def _minding_the_journal(self) -> Iterator[None]:
        """A journal that cannot be written is said once, and play goes on."""
        try:
            yield
        except JournalError as fault:
            self.journal_fault = str(fault)
        else:
            self.journal_fault = None if self.journal.fault is None else str(self.journal.fault)

    def close(self) -> None:
        """Lights dark, sensors released; the journal stays open."""
        with self._minding_the_journal():
            self.journal.flush()
        self.board.lights.close()
        self.board.sensors.close()

    @property
    def pause(self) -> float:
        """Seconds until the next look: a scan later, or sooner where something falls due."""
        wake_at, now = self.session.wake_at, self.now
        scan = SCAN_S if now - self._latest < QUIET_S else max(SCAN_S, min(self.header.hold, LAZY_S))
        return scan if wake_at is None else min(scan, max(0.0, wake_at - now))

    async def run(self, looked: Callable[[], object] = lambda: None) -> None:
        """Play until cancelled; `looked` hears of every look at the board, which is a sign of life."""
        while True:
            self.poll()
            looked()
            await asyncio.sleep(self.pause)


def opened(
    header: Header,
    rules: Mapping[str, Rules],
    journal: Journal,
    *,
    clock: Callable[[], float],
    wall: Callable[[], str],
    board: Callable[[Header, Game], Board] = simulated,
) -> Play:
    """The board with the game that was left unfinished, if it is the one asked for; else with a new one.

    Raises `NoSuchGame` or `WrongOption`.
    """
    saved, fault = _left(journal)
    if saved is not None and _asked_for(saved, header, rules):
        play = Play(Header(**_known(saved.header)), rules, journal, clock=clock, wall=wall, board=board)
        play.asked = header
        try:
            play.resume(saved)
        except NoSuchPast:
            pass  # the rules have changed since: the game stays in the history as it is
        else:
            return play
    play = Play(header, rules, journal, clock=clock, wall=wall, board=board)
    play.begin()
    play.left = None if saved is None else saved.id
    play.journal_fault = play.journal_fault or fault
    return play


def _tagged(header: Header, board: Board) -> Header:
    """The header, naming what the tags of a simulated board carry where its sensors read them."""
    if header.sensors != "tags" or header.tags or board.pieces is None:
        return header
    return dataclasses.replace(header, tags=board.pieces.carried)


def _sides(discs: Mapping[Cell, Disc]) -> dict[Cell, Side]:
    return {cell: disc.side for cell, disc in discs.items()}


def _tags(discs: Mapping[Cell, Disc]) -> dict[Cell, str]:
    return {cell: disc.tag for cell, disc in discs.items()}


def _left(journal: Journal) -> tuple[Saved | None, str | None]:
    """The game that was left unfinished; where the journal cannot tell, why."""
    try:
        return journal.unfinished(), None
    except JournalError as fault:
        return None, str(fault)


def _asked_for(saved: Saved, header: Header, rules: Mapping[str, Rules]) -> bool:
    """Whether a game is the one asked for, or was begun on the page after just this had been asked for."""
    if saved.facts.get("asked") == header_line(header):
        return True
    left = Header(**_known(saved.header))
    return left.game == header.game and _whole(left, rules) == _whole(header, rules)


def _whole(header: Header, rules: Mapping[str, Rules]) -> Header:
    """A header with every option of the game, and as if begun from the start laid."""
    return dataclasses.replace(header, options=dict(game_of(header, rules).options), start="laid")


def _known(header: Mapping[str, object]) -> dict[str, Any]:
    return {key: value for key, value in header.items() if key != "trace"}
