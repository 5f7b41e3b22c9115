"""The play as the page sees it: one scene for all viewers, and the messages of their hands and voices."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from boardctl import __version__
from boardctl.app import SCAN_S, NoSuchGame, Play, Told, game_of, palette
from boardctl.core.commands import (
    Begun,
    Called,
    Moved,
    Passed,
    Refused,
    RoundEnded,
    Scored,
    SensorDoubted,
    Undone,
)
from boardctl.core.model import PASS, WrongOption
from boardctl.scene import Json, game_scene, rules_scene, sensors_of, session_scene
from hardware.board_file import DoesNotFit, NoBoard
from hardware.contacts import Troubles
from hardware.legend import legend
from hardware.table import ImpossibleReading, NoPath, NothingThere, Table, UnknownCell

KNOCKED = 12
"""Discs that fly when the board is knocked."""
POLICIES = ("teach", "club", "tournament")
BOUNCE_S = 0.005
BLINKS_A_MINUTE = 60.0


class PlayDesk:
    """A `Desk` for the page, on a `Play`."""

    def __init__(self, play: Play) -> None:
        self._play = play
        self._revision = 0
        self._news = asyncio.Event()
        self._notice: Json | None = None
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
            "sensors": sensors_of(play.game),
            "policies": list(POLICIES),
            "legend": legend(palette(play.game)),
        }

    # What is to be seen

    def scene(self) -> Json:
        """All there is to show now."""
        play, table = self._play, self._play.session.table
        changing: Json = {
            "revision": self._revision,
            "record": self._record,
            "practice_left": max(0, table.practice - len(table.record.plies)) if table.practice else 0,
            "resumed": play.resumed,
            "journal": play.journal_fault,
            "findings": list(play.findings),
            "notice": self._notice,
            **self._lying(),
            "troubles": {
                "bounce": self._troubles.bounce > 0,
                "blink": self._troubles.blinks > 0,
                "lost": self._lost,
                "dead": sorted(self._dead),
                "chatter": sorted(self._chattering),
            },
        }
        return self._still | session_scene(play.session) | changing

    def _lying(self) -> Json:
        """What lies on a simulated board and beside it, as a person there sees it; nothing hidden."""
        hands, pieces = self._play.board.hands, self._play.board.pieces
        if hands is None or pieces is None:
            return {"hands": None, "off": []}
        return {
            "hands": {cell: pieces.seen(stack[-1]) for cell, stack in hands.stacks().items()},
            "off": [
                {"tag": disc.tag, "piece": pieces.seen(disc), "from": cell} for disc, cell, _ in hands.off()
            ],
        }

    def _note(self, commands: Iterable[object]) -> None:
        """Keep the moves as people read them: a ply taken back stays, struck out."""
        for command in commands:
            match command:
                case Moved() | Passed():
                    self._record.append(_noted(command))
                case Called() | Scored() | RoundEnded():
                    then: list[Json] = self._last.setdefault("then", [])
                    then.append(_added(command))
                case Undone():
                    self._last["undone"] = True
                case Begun():
                    self._record.clear()

    @property
    def _last(self) -> dict[str, Any]:
        """The last ply that stands."""
        return next(entry for entry in reversed(self._record) if not entry["undone"])

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
        notices = [each for each in told.commands if isinstance(each, Refused | SensorDoubted)]
        self._note(told.commands)
        self._touch()
        self._notice = None if told.commands else self._notice
        if notices:  # it is said once; what the judge says stands meanwhile
            kind = "refused" if isinstance(notices[-1], Refused) else "sensor"
            self._notice = {"at": self._revision, "kind": kind, "say": words.of(notices[-1])}

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
        if wishes.get("policy", POLICIES[0]) not in POLICIES:
            return f"policy can be {', '.join(POLICIES)}."
        if wishes.get("game", self._play.header.game) != self._play.header.game:
            wishes.setdefault("options", {})
        try:
            header = dataclasses.replace(self._play.header, **wishes)
            sensors = sensors_of(game_of(header, self._play.rules))
            if header.sensors not in sensors:
                return f"sensors can be {', '.join(sensors)}."
            self._play.change(header)
        except (NoSuchGame, WrongOption, DoesNotFit, NoBoard) as fault:
            return f"That game cannot be: {fault}."
        self._record.clear()
        self._board_changed()
        return None

    def _trouble(self, hands: Table, troubles: Troubles) -> None:
        self._troubles = troubles
        hands.trouble(troubles, self._play.clock())

    def _put(self, hands: Table, message: Mapping[str, Any]) -> None:
        hands.put(message["cell"], message["side"], self._play.clock())

    def _bring(self, hands: Table, message: Mapping[str, Any]) -> None:
        """A piece from beside the board, the side up that it had."""
        disc = next((disc for disc, *_ in hands.off() if disc.tag == message["tag"]), None)
        if disc is None:
            raise NothingThere(f"no piece {message['tag']} is beside the board")
        hands.put(message["cell"], disc.side, self._play.clock(), disc.tag)

    def _set(self, hands: Table, message: Mapping[str, Any]) -> None:
        hands.set_down(message["start"], message["end"], self._play.clock())

    def _take(self, hands: Table, message: Mapping[str, Any]) -> None:
        hands.take(message["start"], message["end"], self._play.clock())

    def _exchange(self, hands: Table, message: Mapping[str, Any]) -> None:
        hands.exchange(message["one"], message["other"], self._play.clock())

    def _lay(self, hands: Table, message: Mapping[str, Any]) -> None:  # noqa: ARG002 every deed is called alike
        self._play.lay_out()

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
    path = message.get("path", [message.get("end", message.get("cell"))])
    puts = message.get("hand") in ("put", "bring", "set", "slide")
    return puts and path[-1] in hands.truth() and path[-1] not in path[:-1]


def _added(command: Called | Scored | RoundEnded) -> Json:
    """What came with a ply, or was called after it."""
    match command:
        case Called(player, call, _):
            return {"event": "call", "player": player, "what": call}
        case Scored(player, shape):
            return {"event": "point", "player": player, "what": shape}
        case RoundEnded(player):
            return {"event": "round", "player": player, "what": None}


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
    "bring": PlayDesk._bring,
    "set": PlayDesk._set,
    "take": PlayDesk._take,
    "exchange": PlayDesk._exchange,
    "lay": PlayDesk._lay,
    "knock": PlayDesk._knock,
    "bounce": PlayDesk._bounce,
    "blink": PlayDesk._blink,
    "lost": PlayDesk._lose,
    "dead": PlayDesk._kill,
    "chatter": PlayDesk._chatter,
}
