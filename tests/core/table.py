"""A table with hands, in virtual time: a transcript of what happened in, a transcript of what the judge told out.

A transcript in is text, one thing a line, each with its time in seconds:

    1.0 d3 heads          the sensor under d3 sees heads (empty, piece, tails, unknown)
    1.0 d3 press          the button under d3
    1.0 d3 tag t07 heads  a tag came; `d3 tag t07 gone`: it went
    1.0 d3 doubt stuck    a driver says so (chatter, back)
    1.0 say undo          somebody said a word
    1.0 lost              the sensors are out of reach; what the sensors would see from here on, they do not tell
    9.0 restored          they are back, and tell every cell as it is now
    9.9 end               time passes up to here

A transcript out has one line an event, `told` says which: `1.330 move 1 black d3: d3 - black, d4 white black`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from boardctl.core.commands import Command, told
from boardctl.core.events import Doubted, Elapsed, Event, Lost, Pressed, Restored, Said, Sampled, Tagged
from boardctl.core.model import Game
from boardctl.core.session import Session, Setup
from boardctl.plugins import found
from boardctl.replay import passed

RULES = found()
SPINE = ("move", "pass", "undo", "ask", "over", "call", "point", "round")
SEEN = ("empty", "piece", "heads", "tails", "unknown")
Told = dict[str, Any]
"""One event as JSON."""


@dataclass(frozen=True)
class Story:
    """All that the judge told, as JSON objects, in order."""

    events: list[Told]

    def of(self, *kinds: str) -> list[Told]:
        """The events of these kinds."""
        return [event for event in self.events if event["event"] in kinds]

    def told(self, *kinds: str, since: float = 0.0, until: float = 1e9) -> list[str]:
        """A line an event, all but `lights` or only these kinds, from `since` to `until` (seconds, both in)."""
        wanted = kinds or tuple(kind for kind in _LINE if kind not in ("lights", "link"))
        return [line(event) for event in self.of(*wanted) if since <= event["t"] <= until]

    @property
    def spine(self) -> list[str]:
        """Moves, passes, undos, questions and the end: what each says, without its time and name."""
        return [line(event).split(" ", 2)[2].split(":")[0] for event in self.of(*SPINE)]

    def owed_at(self, t: float) -> str:
        """What is owed at `t`, as `d4 turn black, e5 take`; empty if nothing."""
        return _owed(self._map("owed", t))

    def wrong_at(self, t: float) -> str:
        """What is wrong at `t`, as `a1 no-bracket`; empty if nothing."""
        return _pairs(self._map("wrong", t))

    def lights_at(self, t: float, *meanings: str) -> str:
        """The lights at `t`, as `d3 last, d4 owed`; all, or only those with these meanings."""
        cells = self._map("lights", t)
        return _pairs({cell: shows for cell, shows in cells.items() if not meanings or shows in meanings})

    def awaited_at(self, t: float) -> str:
        """Whose turn was announced last by `t`, as `2 white`."""
        turns = [event for event in self.of("turn") if event["t"] <= t]
        return f"{turns[-1]['ply']} {turns[-1]['player']}" if turns else ""

    def _map(self, kind: str, t: float) -> dict[str, Any]:
        maps: list[dict[str, Any]] = [event["cells"] for event in self.of(kind) if event["t"] <= t]
        return maps[-1] if maps else {}


def played(transcript: str, game: str = "othello", options: Mapping[str, object] = {}, **setup: Any) -> Story:
    """The story of a transcript at a table with this game and this `Setup`."""
    rules = RULES[game].game(options)
    return Story(list(_told(rules, Setup(**setup), transcript)))


def _told(game: Game, setup: Setup, transcript: str) -> Iterator[Told]:
    session = Session(game, setup)
    for command in session.opening():
        yield _json(command, 0.0)
    for now, event in happenings(game, setup, transcript):
        for at, command in passed(session, now):
            yield _json(command, at)
        for command in session.handle(event, now):
            yield _json(command, now)


def _json(command: Command, at: float) -> Told:
    said: Told = json.loads(json.dumps(told(command, round(at, 6))))
    return said


# What happens


def happenings(game: Game, setup: Setup, transcript: str) -> Iterator[tuple[float, Event]]:
    """The events of a transcript, each with its time."""
    contacts = Contacts(game, setup)
    for text in filter(None, map(str.strip, transcript.splitlines())):
        at, *words = text.split()
        for event in contacts.felt(words):
            yield float(at), event


class Contacts:
    """The sensors of one board, which a transcript moves; out of reach they go on seeing, but do not tell."""

    def __init__(self, game: Game, setup: Setup) -> None:
        laid = game.starts[0].pieces if setup.start == "laid" else {}
        sides = {cell: game.faces[piece] for cell, piece in laid.items()}
        self._sensors = setup.sensors
        self._lost = False
        self._sees: dict[str, str] = dict.fromkeys(game.points, "empty")
        self._sees |= {c: "piece" if setup.sensors == "presence" else side for c, side in sides.items()}

    def felt(self, words: list[str]) -> Iterable[Event]:
        """The events that one line stands for."""
        match words:
            case ["say", *said]:
                return [Said(" ".join(said))]
            case ["lost"]:
                self._lost = True
                return [Lost()]
            case ["restored"]:
                self._lost = False
                seen = self._sees.items() if self._sensors in ("presence", "polarity") else ()
                return [Restored(), *(Sampled(cell, sees) for cell, sees in seen)]  # type: ignore[arg-type]
            case ["end"]:
                return [Elapsed()]
            case [cell, *rest]:
                return self._of_cell(cell, rest)
        raise ValueError(words)

    def _of_cell(self, cell: str, words: list[str]) -> Iterable[Event]:
        match words:
            case ["press"]:
                return [Pressed(cell)]
            case ["tag", tag, "gone"]:
                return [Tagged(cell, tag, "heads", gone=True)]
            case ["tag", tag, ("heads" | "tails") as side]:
                return [Tagged(cell, tag, side)]
            case ["doubt", ("stuck" | "chatter" | "back") as state]:
                return [Doubted(cell, state)]
            case [("empty" | "piece" | "heads" | "tails" | "unknown") as sees]:
                self._sees[cell] = sees
                return [] if self._lost else [Sampled(cell, sees)]
        raise ValueError(words)


# Clean hands


def moves(labels: str, game: str = "othello", options: Mapping[str, object] = {}, **how: Any) -> str:
    """The transcript of these moves made cleanly, one a second from t = 1: the disc, then its turns, then rest.

    `sensors` as in `Setup`. The n-th move's disc comes at n seconds and all is done 0.4 s later, so that with the
    usual rest of 0.3 s the next move is awaited before the next second. Forced passes are left unsaid.
    """
    sensors: str = how.get("sensors", "polarity")
    position = RULES[game].game(options).starts[0]
    lines: list[str] = []
    for second, label in enumerate(labels.split(), start=1):
        if [move.label for move in position.moves()] == ["pass"]:
            position = position.play(position.moves()[0])
        move = next(move for move in position.moves() if move.label == label)
        side = RULES[game].game(options).faces[position.player]
        placed, *turned = [change.cell for change in move.changes]
        lines += hand(second, placed, side, sensors, "placed")
        for number, cell in enumerate(turned, start=1):
            lines += hand(second + 0.4 * number / len(turned) - 0.1, cell, side, sensors, "turned")
        position = position.play(move)
    return "\n".join(lines)


def hand(at: float, cell: str, side: str, sensors: str, how: str) -> list[str]:
    """The lines of one disc placed, or turned, by a hand."""
    if sensors == "presses":
        return [f"{at:.3f} {cell} press"]
    if sensors == "polarity":
        return [f"{at:.3f} {cell} {side}"]
    lifted = [f"{at - 0.04:.3f} {cell} empty"] if how == "turned" else []
    return [*lifted, f"{at:.3f} {cell} piece"]


# What is told


def line(event: Told) -> str:
    """One event as one line."""
    return f"{event['t']:.3f} {event['event']} {_LINE[event['event']](event)}".rstrip()


def _pairs(cells: Mapping[str, str]) -> str:
    return ", ".join(f"{cell} {what}" for cell, what in cells.items())


def _owed(cells: Mapping[str, Told]) -> str:
    return _pairs(
        {cell: " ".join(filter(None, (debt["do"], debt.get("to")))) for cell, debt in cells.items()}
    )


def _changes(cells: Mapping[str, list[str | None]]) -> str:
    return _pairs({cell: " ".join(piece or "-" for piece in pieces) for cell, pieces in cells.items()})


_LINE: Mapping[str, Callable[[Told], str]] = {
    "owed": lambda e: f"{e['why']}: {_owed(e['cells'])}",
    "turn": lambda e: f"{e['ply']} {e['player']}: {' '.join(e['moves'])}",
    "move": lambda e: (
        f"{e['ply']} {e['player']} {e['move']}{' practice' if e.get('practice') else ''}: {_changes(e['cells'])}"
    ),
    "complete": lambda e: str(e["ply"]),
    "wrong": lambda e: _pairs(e["cells"]),
    "ask": lambda e: " ".join(e["choices"]),
    "pass": lambda e: f"{e['ply']} {e['player']}",
    "undo": lambda e: f"{e['ply']} {e['move']}",
    "touch": lambda e: f"{e['cell']} first {e['first']}",
    "stands": lambda e: f"{e['ply']}: {_pairs(e['cells'])}",
    "refused": lambda e: f"{e['say']}: {e['because']}",
    "call": lambda e: f"{e['player']} {e['call']}: {' '.join(e['cells'])}",
    "point": lambda e: f"{e['player']} {e['shape']}",
    "round": lambda e: str(e["player"]),
    "offer": lambda e: f"{e['what']} {e['player']}",
    "sensor": lambda e: f"{e['cell']} {e['state']}",
    "over": lambda e: f"{e['winner']} {e['because']}: {_pairs({k: str(v) for k, v in e['score'].items()})}",
    "lights": lambda e: _pairs(e["cells"]),
    "link": lambda e: f"{e['what']} {e['state']}",
    "new": lambda e: e["game"],
}
