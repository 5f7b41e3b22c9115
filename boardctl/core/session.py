"""One game at one board as a pure machine: `Session.handle(event, now)` answers what to say and show.

It keeps no clock: time is the `now` of the caller (seconds, never decreasing), and `wake_at` says when to call
again with `Elapsed` if nothing happens before. A whole game is a list of events; a recording, a simulation, a
test and a real board are the same calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from boardctl.core import speech
from boardctl.core.commands import Command, LinkChanged, Owed, SensorDoubted
from boardctl.core.debounce import CHATTER_QUIET, SAME_PRESS, SOON, Chatter, Debouncer
from boardctl.core.events import (
    Doubted,
    Elapsed,
    Event,
    Lost,
    Pressed,
    Restored,
    Said,
    Sampled,
    Sensors,
    Tagged,
)
from boardctl.core.model import Cell, Game
from boardctl.core.presses import Presses
from boardctl.core.referee import Manner, Policy, Referee
from boardctl.core.sight import Sight, Tags
from boardctl.core.table import Past, Table


@dataclass(frozen=True, slots=True)
class Setup:
    """How a board is wired and judged: what the header of a trace says, besides the game."""

    sensors: Sensors = "polarity"
    hold: float = 0.03
    """Seconds a reading must stand before it counts."""
    rest: float = 0.3
    """Seconds of quiet before the board as a whole is judged."""
    start: Literal["laid", "empty"] = "laid"
    policy: Policy = "teach"
    take_back: float = 2.0
    """Seconds after which the piece placed last, if it is away, counts as taken back."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """What carries each tag."""


class Session:
    """A game from its start. `opening` first, then `handle` for every event."""

    def __init__(self, game: Game, setup: Setup) -> None:
        self.game = game
        self.setup = setup
        self.sight = Sight(game, setup.sensors, setup.tags)
        self.table = Table(game, self.sight)
        self.referee = Referee(self.table, Manner(setup.policy, setup.take_back))
        self.presses = Presses(self.table)
        self.connected = True
        """Whether the sensors are in reach."""
        self._debouncer: Debouncer[str | Tags] = Debouncer(setup.hold)
        self._chatter = Chatter()
        self._chattered: dict[Cell, float] = {}
        """Cells set aside for chattering, and when they last changed."""
        self._tags: dict[Cell, Tags] = {}
        self._pressed: dict[Cell, float] = {}
        self._rest_at: float | None = None

    def opening(self, now: float = 0.0) -> list[Command]:
        """What there is to say before anything has happened."""
        if self.setup.start == "laid":
            self._lay(self.table.record.pieces)
        else:
            self._lay({})
            self.table.lay_start("set-up")
        self.referee.judge(now)
        return self._said()

    def resume(
        self, past: Iterable[Past], owed: Owed | None, aside: Mapping[Cell, str], now: float
    ) -> list[Command]:
        """Go on with a game from its journal, instead of `opening`; a reading of every cell is to follow.

        `past`: the commands that made the record, in order; `owed`: what was owed last; `aside`: the cells whose
        sensors were not believed, and why. Raises `NoSuchPast` where the rules do not allow it.
        """
        lying = self.table.resume(list(past), owed)
        self._lay(lying)
        for cell, cause in aside.items():
            self.sight.set_aside(cell, cause)
        self.referee.judge(now)
        return self._said()

    def _lay(self, pieces: Mapping[Cell, str | None]) -> None:
        for cell in self.game.points:
            piece = pieces.get(cell)
            self.sight.believe(cell, piece)
            if self.setup.sensors != "tags":
                self._debouncer.assume(cell, self._reading(piece))

    def seen(self, cell: Cell) -> str:
        """What the sensor of a cell reads now: a `Reading`; of a board of buttons and of tags, what is believed."""
        reading = self._debouncer.counted(cell)
        if isinstance(reading, str) and self.setup.sensors not in ("presses", "tags"):
            return reading
        return "empty" if self.sight.lies[cell] is None else "piece"

    def _reading(self, piece: str | None) -> str:
        if piece is None:
            return "empty"
        return "piece" if self.setup.sensors == "presence" else self.game.faces.get(piece, "piece")

    @property
    def wake_at(self) -> float | None:
        """When something is to be done even if nothing happens (seconds), or None."""
        soonest = self._debouncer.wake_at
        for at in (self._rest_at, self.referee.judge_at, self.presses.wake_at):
            if at is not None and (soonest is None or at < soonest):
                soonest = at
        for last in self._chattered.values():
            if soonest is None or last + CHATTER_QUIET < soonest:
                soonest = last + CHATTER_QUIET
        return soonest

    def handle(self, event: Event, now: float) -> list[Command]:
        """Take an event at this time. Answers commands, to be carried out in this order."""
        self._pass_time(now)
        match event:
            case Sampled():
                self._tags.pop(event.cell, None)
                self._sample(event.cell, event.sees, now)
            case Tagged():
                self._tag(event, now)
            case Pressed():
                self._press(event.cell, now)
            case Said():
                self._say(event.word, now)
            case Doubted():
                self._doubt(event, now)
            case Lost():
                self._lose(event)
            case Restored():
                self._restore(event, now)
            case Elapsed():
                pass
        return self._said()

    def _said(self) -> list[Command]:
        said, self.table.out = self.table.out, []
        return said

    # Time

    def _pass_time(self, now: float) -> None:
        """Do all that falls due by now, each at its own time."""
        while (at := self.wake_at) is not None and at <= now + SOON:
            for counted in self._debouncer.take(at):
                self._count(counted.cell, counted.reading, counted.at)
            if self._chattered:
                self._believe_quiet_cells(at)
            forgot = self.presses.forget(at)
            if forgot or self._falls_due(self._rest_at, at) or self._falls_due(self.referee.judge_at, at):
                self._rest_at = None
                self.referee.judge(at)

    @staticmethod
    def _falls_due(at: float | None, now: float) -> bool:
        return at is not None and at <= now + SOON

    def _count(self, cell: Cell, reading: str | Tags, at: float) -> None:
        self.sight.read(cell, reading, at)
        if cell in self._chattered:
            self._chattered[cell] = at
        if cell in self.sight.aside:
            return
        self._rest_at = at + self.setup.rest
        if self._chatter.changed(cell, at):
            self._chattered[cell] = at
            self._set_aside(cell, "chatter", at)
        else:
            self.referee.noticed(cell, at)

    def _believe_quiet_cells(self, at: float) -> None:
        for cell, last in list(self._chattered.items()):
            if last + CHATTER_QUIET <= at + SOON:
                del self._chattered[cell]
                self._take_back(cell, at)

    # Events

    def _sample(self, cell: Cell, sees: str | Tags, now: float) -> None:
        if not self.connected:
            return
        self._debouncer.sample(cell, sees, now)
        if not self.setup.hold:
            self._pass_time(now)

    def _tag(self, event: Tagged, now: float) -> None:
        tags = {tag: side for tag, side in self._tags.get(event.cell, frozenset()) if tag != event.tag}
        if not event.gone:
            tags[event.tag] = event.side
        self._tags[event.cell] = frozenset(tags.items())
        self._sample(event.cell, self._tags[event.cell] or "empty", now)

    def _press(self, cell: Cell, now: float) -> None:
        if not self.connected or now - self._pressed.get(cell, -1.0) < SAME_PRESS:
            return
        self._pressed[cell] = now
        self._rest_at = now + self.setup.rest
        self.presses.press(cell, now)
        self.referee.noticed(cell, now)

    def _say(self, word: str, now: float) -> None:
        verb, _, cell = word.partition(" ")
        if verb in self.game.calls and self._rest_at is not None:
            self._rest_at = None
            self.referee.judge(now)  # a call follows the move at once: it does not wait for the rest
        speech.say(self.referee, word, now)
        if verb == "trust" and cell in self.game.points:
            self._chattered.pop(cell, None)
            self._look_again(cell, now)

    def _doubt(self, event: Doubted, now: float) -> None:
        if event.state == "back":
            if event.cell in self.sight.aside:
                self._take_back(event.cell, now)
        elif event.cell not in self.sight.aside:
            self._set_aside(event.cell, event.state, now)

    def _set_aside(self, cell: Cell, cause: str, now: float) -> None:
        self.sight.set_aside(cell, cause)
        self.table.out.append(SensorDoubted(cell, cause))
        self.referee.judge(now)

    def _take_back(self, cell: Cell, now: float) -> None:
        self.sight.take_back(cell)
        self.table.out.append(SensorDoubted(cell, "back"))
        self._look_again(cell, now)

    def _look_again(self, cell: Cell, now: float) -> None:
        """A sensor is believed again: what it reads counts, and the board is judged after a rest."""
        reading = self._debouncer.counted(cell)
        if reading is not None and self.setup.sensors != "presses":
            self.sight.read(cell, reading, now)
        self._rest_at = now + self.setup.rest

    def _lose(self, event: Lost) -> None:
        if self.connected:
            self.connected = False
            self._debouncer.forget()
            self._rest_at = None
            self.referee.pause()
            self.table.out.append(LinkChanged(event.what, "lost"))

    def _restore(self, event: Restored, now: float) -> None:
        if not self.connected:
            self.connected = True
            self._tags.clear()
            self._rest_at = now + self.setup.hold + self.setup.rest
            self.table.out.append(LinkChanged(event.what, "restored"))
