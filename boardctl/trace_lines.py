"""One line of a trace: parsed, and checked key by key. Of the lines before it it is told the time, no more.

Checked by hand and not by a schema: a long evening is read in a moment, and every fault is a sentence.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Literal, NamedTuple, NoReturn, TypeAlias, get_args

from boardctl.core.events import (
    Doubted,
    Elapsed,
    Event,
    Lost,
    Pressed,
    Reading,
    Restored,
    Said,
    Sampled,
    Sensors,
    Tagged,
)
from boardctl.core.model import Cell, Side

Start = Literal["laid", "empty"]
"""Whether the start position is on the board at t = 0, or the players must lay it first."""
Policy = Literal["teach", "club", "tournament"]
"""How strict the judge is."""
Line: TypeAlias = dict[str, Any]
"""A line as parsed: a JSON object."""

VERSION = 1
"""The version of the format, the value of the header's key `trace`."""
LONGEST = 1e9
"""Seconds; more than any game lasts, and small enough to tell a number from infinity."""

GIVEN: Mapping[Sensors, tuple[Reading, ...]] = {
    "presence": ("empty", "piece", "unknown"),
    "polarity": ("empty", "heads", "tails", "unknown"),
    "presses": (),
    "tags": ("empty", "unknown"),
}
"""The readings each kind of sensors can give. `tags`: `empty` says that every tag of the cell went."""


class MalformedLine(ValueError):
    """A line of a trace is not as the format says: a sentence that tells how."""


class Board(NamedTuple):
    """What an event is checked against."""

    sensors: Sensors
    readings: tuple[Reading, ...]
    """What these sensors can say: a row of `GIVEN`."""
    cells: frozenset[Cell]


def parsed(line: str | bytes) -> Line:
    """The object on a line that has no white space at its ends; bytes are UTF-8. Raises `MalformedLine`."""
    try:
        text = line if isinstance(line, str) else line.decode()
        said, end = _DECODER.raw_decode(text)
    except UnicodeDecodeError as fault:
        raise MalformedLine(f"this is not UTF-8: {fault.reason} at byte {fault.start + 1}") from None
    except json.JSONDecodeError as fault:
        raise MalformedLine(f"this is not JSON: {fault.msg} at column {fault.colno}") from None
    except (ValueError, RecursionError) as fault:  # NaN, a number of thousands of digits, endless nesting
        raise MalformedLine(f"this is not JSON: {fault}") from None
    if end != len(text):
        raise MalformedLine(f"this is not JSON: more follows at column {end + 1}")
    if isinstance(said, dict):
        return said
    raise MalformedLine(f"this is {_shown(said)}; a line of a trace is an object in braces")


def header(said: Line) -> Line:
    """The keys and values of a header, every one of them known and allowed. Raises `MalformedLine`."""
    if not {"trace", "game"} <= said.keys():
        raise MalformedLine('a trace opens with its header, {"trace": 1, "game": ...}')
    _know(said, _HEADER)
    values = {key: _HEADER[key](key, value) for key, value in said.items()}
    if values.get("tags") and values.get("sensors") != "tags":
        raise MalformedLine('"tags" are named, but "sensors" is not "tags"')
    del values["trace"]
    return values


def event(said: Line, now: float, board: Board) -> tuple[float, Event]:
    """When it happened, not before `now`, and what happened. Raises `MalformedLine`."""
    build = _EVENTS.get(frozenset(said)) or _misshapen(said)
    then = _seconds("t", said["t"])
    if then < now:
        raise MalformedLine(f'"t" goes back from {now} to {then}')
    return then, build(said, board)


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"it knows no number {name}")


_DECODER = json.JSONDecoder(parse_constant=_no_number)


def _shown(value: object) -> str:
    match value:
        case dict():
            return "an object"
        case list():
            return "a list"
        case _:
            shown = json.dumps(value)
            return shown if len(shown) <= 60 else shown[:60] + "..."


def _listed(words: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _know(said: Line, keys: Collection[str]) -> None:
    strange = [_shown(key) for key in said if key not in keys]
    if strange:
        raise MalformedLine(f"there is no key {_listed(strange)}; there is {_listed(tuple(keys))}")


def _version(key: str, value: Any) -> int:
    if type(value) is int and value == VERSION:
        return value
    raise MalformedLine(f'"{key}" is {_shown(value)}; this program reads version {VERSION}')


def _text(key: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    raise MalformedLine(f'"{key}" is {_shown(value)}; it is a text')


def _object(key: str, value: Any) -> Line:
    if isinstance(value, dict):
        return value
    raise MalformedLine(f'"{key}" is {_shown(value)}; it is an object in braces')


def _texts(key: str, value: Any) -> dict[str, str]:
    return {name: _text(name, text) for name, text in _object(key, value).items()}


def _seconds(key: str, value: Any) -> float:
    if type(value) in (float, int) and 0 <= value <= LONGEST:
        return float(value)
    raise MalformedLine(f'"{key}" is {_shown(value)}; it is a number of seconds, 0 or more')


def _true(key: str, value: Any) -> None:
    if value is not True:
        raise MalformedLine(f'"{key}" is {_shown(value)}; it can only be true')


def _one_of(*words: str) -> Callable[[str, Any], Any]:
    """A check that a value is one of these words."""

    def checked(key: str, value: Any) -> Any:
        if value in words:
            return value
        raise MalformedLine(f'"{key}" is {_shown(value)}; it can be {_listed(words)}')

    return checked


_HEADER: Mapping[str, Callable[[str, Any], Any]] = {
    "trace": _version,
    "game": _text,
    "options": _object,
    "sensors": _one_of(*get_args(Sensors)),
    "hold": _seconds,
    "rest": _seconds,
    "start": _one_of(*get_args(Start)),
    "policy": _one_of(*get_args(Policy)),
    "take_back": _seconds,
    "tags": _texts,
}
"""The keys of a header and what checks their values."""

_side = _one_of(*get_args(Side))
_state = _one_of("stuck", "chatter", "back")
_link = _one_of("sensors")


def _cell(said: Line, board: Board) -> Cell:
    cell = said["cell"]
    if isinstance(cell, str) and cell in board.cells:
        return cell
    raise MalformedLine(f'"cell" is {_shown(cell)}; the board has no such cell')


def _sampled(said: Line, board: Board) -> Sampled:
    sees = said["sees"]
    if sees in board.readings:
        return Sampled(_cell(said, board), sees)
    can = f"can say {_listed(board.readings)}" if board.readings else "tells of presses only"
    raise MalformedLine(f'"sees" is {_shown(sees)}; a {board.sensors} board {can}')


def _tagged(said: Line, board: Board) -> Tagged:
    _only("tags", "tag", board)
    gone = "gone" in said
    if gone:
        _true("gone", said["gone"])
    side = _side("side", said.get("side", "heads"))
    return Tagged(_cell(said, board), _text("tag", said["tag"]), side, gone)


def _pressed(said: Line, board: Board) -> Pressed:
    _only("presses", "press", board)
    _true("press", said["press"])
    return Pressed(_cell(said, board))


def _only(sensors: Sensors, key: str, board: Board) -> None:
    if board.sensors != sensors:
        raise MalformedLine(f'"{key}" comes from {sensors}; the sensors here are {board.sensors}')


def _said(said: Line, _: Board) -> Said:
    return Said(_text("say", said["say"]))


def _doubted(said: Line, board: Board) -> Doubted:
    return Doubted(_cell(said, board), _state("doubt", said["doubt"]))


def _lost(said: Line, _: Board) -> Lost:
    return Lost(_link("lost", said["lost"]))


def _restored(said: Line, _: Board) -> Restored:
    return Restored(_link("restored", said["restored"]))


def _ended(said: Line, _: Board) -> Elapsed:
    _true("end", said["end"])
    return Elapsed()


_Build: TypeAlias = Callable[[Line, Board], Event]
_KINDS: Mapping[str, tuple[_Build, tuple[set[str], ...]]] = {
    "sees": (_sampled, ({"cell"},)),
    "tag": (_tagged, ({"cell", "side"}, {"cell", "side", "gone"}, {"cell", "gone"})),
    "press": (_pressed, ({"cell"},)),
    "say": (_said, (set(),)),
    "doubt": (_doubted, ({"cell"},)),
    "lost": (_lost, (set(),)),
    "restored": (_restored, (set(),)),
    "end": (_ended, (set(),)),
}
"""What a line can tell, by the key that tells it: what builds the event, which keys stand beside it."""

_EVENTS: Mapping[frozenset[str], _Build] = {
    frozenset({"t", key} | beside): build for key, (build, shapes) in _KINDS.items() for beside in shapes
}


def _misshapen(said: Line) -> NoReturn:
    """Say why these keys make no event."""
    if "trace" in said:
        raise MalformedLine("this is a second header; a trace has one, its first line")
    _know(said, ("t", "cell", "side", "gone", *_KINDS))
    if "t" not in said:
        raise MalformedLine('"t" is missing; every event tells its time')
    told = [key for key in _KINDS if key in said]
    if len(told) != 1:
        raise MalformedLine(
            f"this tells {' and '.join(told) or 'nothing'}; an event tells one of {_listed(tuple(_KINDS))}"
        )
    _, (usual, *_) = _KINDS[told[0]]
    lacking, strange = usual - said.keys(), said.keys() - usual - {"t", told[0]}
    fault = f"lacks {_quoted(lacking)}" if lacking else f"does not go with {_quoted(strange)}"
    raise MalformedLine(f'"{told[0]}" {fault}')


def _quoted(keys: set[str]) -> str:
    return " and ".join(f'"{key}"' for key in sorted(keys))
