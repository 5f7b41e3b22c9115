"""The play as the page sees it: one scene for all viewers, and the messages of their hands and voices."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from boardctl import __version__
from boardctl.app import SCAN_S, NoSuchGame, Play, Told, palette
from boardctl.core.commands import Begun, Moved, Passed, Refused, SensorDoubted, Undone
from boardctl.core.model import PASS, WrongOption
from boardctl.scene import Json, game_scene, rules_scene, session_scene
from hardware.contacts import Troubles
from hardware.legend import legend
from hardware.table import ImpossibleReading, NoPath, NothingThere, Table, UnknownCell

KNOCKED = 12
"""Discs that fly when the board is knocked."""
SENSORS = ("presence", "polarity", "presses")
"""What the sensors of a simulated board can be."""
POLICIES = ("teach", "club", "tournament")
BOUNCE_S = 0.005
BLINKS_A_MINUTE = 60.0


class PlayDesk:
    """A `Desk` for the page, on a `Play`."""

    def __init__(self, play: Play) -> None:
        self._play = play
        self._revision = 0
        self._news = asyncio.Event()
        self._notice: str | None = None
        self._troubles = Troubles()
        self._lost = False
        self._dead: set[str] = set()
        self._chattering: set[str] = set()
        self._rules = rules_scene(play.rules)
        self._still: Json = {}
        self._record: list[Json] = []
        self._note(entry.command for entry in play.past)
        self._board_changed()
        play.listeners.append(self._heard)

    def _board_changed(self) -> None:
        play = self._play
        self._dead, self._chattering, self._lost, self._troubles = set(), set(), False, Troubles()
        self._still = {
            "version": __version__,
            "game": game_scene(play.game) | {"sensors": play.header.sensors, "policy": play.header.policy},
            "simulated": play.board.hands is not None,
            "games": self._rules,
            "sensors": list(SENSORS),
            "policies": list(POLICIES),
            "legend": legend(palette(play.game)),
        }

    # What is to be seen

    def scene(self) -> Json:
        """All there is to show now."""
        play, table = self._play, self._play.session.table
        hands = play.board.hands
        changing: Json = {
            "revision": self._revision,
            "record": self._record,
            "practice_left": max(0, table.practice - len(table.record.plies)) if table.practice else 0,
            "resumed": play.resumed,
            "journal": play.journal_fault,
            "hands": None if hands is None else dict(hands.truth()),
            "troubles": {
                "bounce": self._troubles.bounce > 0,
                "blink": self._troubles.blinks > 0,
                "lost": self._lost,
                "dead": sorted(self._dead),
                "chatter": sorted(self._chattering),
            },
        }
        scene = self._still | session_scene(play.session) | changing
        if self._notice is not None:
            scene |= {"say": self._notice, "kind": "refused"}
        return scene

    def _note(self, commands: Iterable[object]) -> None:
        """Keep the moves as people read them: a ply taken back stays, struck out."""
        for command in commands:
            match command:
                case Moved() | Passed():
                    self._record.append(_noted(command))
                case Undone():
                    last = next(entry for entry in reversed(self._record) if not entry["undone"])
                    last["undone"] = True
                case Begun():
                    self._record.clear()

    async def changed(self, since: int) -> int:
        """Wait until the revision is another than `since`."""
        while self._revision == since:
            await self._news.wait()
        return self._revision

    async def settled(self) -> None:
        """Wait until simulated hands have done all they were told and the board has been judged."""
        play = self._play
        while play.board.hands is not None:
            play.poll()
            wake_at, header = play.session.wake_at, play.header
            moving = play.clock() <= play.board.hands.rests_at + SCAN_S
            if not moving and (wake_at is None or wake_at > play.now + header.hold + header.rest):
                return
            await asyncio.sleep(SCAN_S)

    def _touch(self) -> None:
        self._revision += 1
        news, self._news = self._news, asyncio.Event()
        news.set()

    def _heard(self, told: Told) -> None:
        words = self._play.session.referee.telling.sentences
        notices = [words.of(each) for each in told.commands if isinstance(each, Refused | SensorDoubted)]
        self._notice = notices[-1] if notices else None
        self._note(told.commands)
        self._touch()

    # What viewers send

    def do(self, message: Mapping[str, object]) -> str | None:
        """Carry out a message. Answers a sentence when it cannot be."""
        refusal = self._done(message)
        self._touch()
        return refusal

    def _done(self, message: Mapping[str, Any]) -> str | None:
        if "say" in message:
            self._play.say(str(message["say"]))
            return None
        if "new" in message:
            return self._begin(message["new"])
        hands = self._play.board.hands
        if hands is None:
            return "This page mirrors a real board. Move the pieces there."
        deed = _DEEDS.get(str(message.get("hand") or message.get("trouble")))
        if deed is None:
            return "The board does not understand that message."
        if _taken(hands, message):
            return "Something lies there already."
        try:
            deed(self, hands, message)
        except UnknownCell:
            return "There is no such cell on this board."
        except NothingThere:
            return "Nothing lies there."
        except (NoPath, ImpossibleReading):
            return "That cannot be done on this board."
        return None

    def _begin(self, fresh: Mapping[str, Any]) -> str | None:
        """A new game, on a new board where it is simulated."""
        wishes = {key: value for key, value in fresh.items() if value is not None}
        for key, allowed in (("sensors", SENSORS), ("policy", POLICIES)):
            if wishes.get(key, allowed[0]) not in allowed:
                return f"{key} can be {', '.join(allowed)}."
        if wishes.get("game", self._play.header.game) != self._play.header.game:
            wishes.setdefault("options", {})
        try:
            self._play.change(dataclasses.replace(self._play.header, **wishes))
        except (NoSuchGame, WrongOption) as fault:
            return f"That game cannot be: {fault}."
        self._record.clear()
        self._board_changed()
        return None

    def _trouble(self, hands: Table, troubles: Troubles) -> None:
        self._troubles = troubles
        hands.trouble(troubles, self._play.clock())

    def _put(self, hands: Table, message: Mapping[str, Any]) -> None:
        hands.put(message["cell"], message["side"], self._play.clock())

    def _lift(self, hands: Table, message: Mapping[str, Any]) -> None:
        hands.lift(message["cell"], self._play.clock())

    def _turn(self, hands: Table, message: Mapping[str, Any]) -> None:
        hands.turn(message["cell"], self._play.clock())

    def _nudge(self, hands: Table, message: Mapping[str, Any]) -> None:
        hands.nudge(message["cell"], self._play.clock())

    def _slide(self, hands: Table, message: Mapping[str, Any]) -> None:
        hands.slide(message["path"], self._play.clock())

    def _knock(self, hands: Table, message: Mapping[str, Any]) -> None:  # noqa: ARG002 every deed is called alike
        hands.knock(self._play.clock(), min(KNOCKED, len(hands.truth())))

    def _bounce(self, hands: Table, message: Mapping[str, Any]) -> None:
        self._trouble(hands, dataclasses.replace(self._troubles, bounce=BOUNCE_S if message["on"] else 0.0))

    def _blink(self, hands: Table, message: Mapping[str, Any]) -> None:
        self._trouble(
            hands, dataclasses.replace(self._troubles, blinks=BLINKS_A_MINUTE if message["on"] else 0.0)
        )

    def _lose(self, hands: Table, message: Mapping[str, Any]) -> None:
        self._lost = bool(message["on"])
        (hands.lost if self._lost else hands.restored)(self._play.clock())

    def _kill(self, hands: Table, message: Mapping[str, Any]) -> None:
        self._spoil(hands, message, self._dead, lambda cell, at: hands.stuck(cell, "empty", at))

    def _chatter(self, hands: Table, message: Mapping[str, Any]) -> None:
        self._spoil(hands, message, self._chattering, hands.chattering)

    def _spoil(
        self, hands: Table, message: Mapping[str, Any], spoilt: set[str], how: Callable[[str, float], None]
    ) -> None:
        cell = str(message["cell"])
        if message["on"]:
            how(cell, self._play.clock())
            spoilt.add(cell)
        else:
            hands.healed(cell, self._play.clock())
            with contextlib.suppress(KeyError):
                spoilt.remove(cell)


def _taken(hands: Table, message: Mapping[str, Any]) -> bool:
    """Whether a piece would be put on another one, which no sensor could tell apart."""
    path = message.get("path", [message.get("cell")])
    return message.get("hand") in ("put", "slide") and path[-1] in hands.truth() and path[-1] not in path[:-1]


def _noted(command: Moved | Passed) -> Json:
    label = command.move if isinstance(command, Moved) else PASS
    practice = bool(command.practice)
    return {
        "ply": command.ply,
        "player": command.player,
        "label": label,
        "undone": False,
        "practice": practice,
    }


_DEEDS: Mapping[str, Callable[[PlayDesk, Table, Mapping[str, Any]], None]] = {
    "put": PlayDesk._put,
    "lift": PlayDesk._lift,
    "turn": PlayDesk._turn,
    "nudge": PlayDesk._nudge,
    "slide": PlayDesk._slide,
    "knock": PlayDesk._knock,
    "bounce": PlayDesk._bounce,
    "blink": PlayDesk._blink,
    "lost": PlayDesk._lose,
    "dead": PlayDesk._kill,
    "chatter": PlayDesk._chatter,
}
