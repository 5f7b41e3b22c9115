"""The settings of an evening, from a file or from a command: which game, which board, what judge, what page.

A file is TOML. It is read whole before anything starts, and every fault in it is told at once, each with its key,
the value found and what to write instead.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from reprlib import Repr
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo

from boardctl.core.model import Rules, WrongOption


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class GamePart(_Part):
    """The game and its options."""

    name: Annotated[str, Field(description="Which game: `boardctl games` lists them.")] = "othello"
    options: Annotated[Mapping[str, Any], Field(description="The options of the game, by name.")] = {}


class BoardPart(_Part):
    """The board."""

    kind: Annotated[Literal["simulated"], Field(description="What the board is.")] = "simulated"
    sensors: Annotated[
        Literal["presence", "polarity", "presses"],
        Field(description="What the simulated sensors tell: reeds, halls, or a button under each cell."),
    ] = "presence"
    hold: Annotated[
        float, Field(ge=0, le=5, description="Seconds a reading must stand before it counts.")
    ] = 0.03
    rest: Annotated[float, Field(ge=0, le=60, description="Seconds of quiet before the board is judged.")] = (
        0.3
    )
    start: Annotated[
        Literal["laid", "empty"], Field(description="Whether the start lies on the simulated board.")
    ] = "laid"
    seed: Annotated[int, Field(ge=0, le=2**32 - 1, description="Seed of the simulated board's troubles.")] = 0


class JudgePart(_Part):
    """The judge."""

    policy: Annotated[
        Literal["teach", "club", "tournament"], Field(description="How strict the judge is.")
    ] = "teach"
    take_back: Annotated[
        float,
        Field(ge=0, le=600, description="Seconds the last disc may be away before it is taken back."),
    ] = 2.0


class WebPart(_Part):
    """The page."""

    enabled: Annotated[bool, Field(description="Whether the page is served.")] = True
    host: Annotated[str, Field(min_length=1, description="Address the page is served on.")] = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535, description="Port of the page; 0 takes any free one.")] = 8373


class StatePart(_Part):
    """Where games are kept."""

    folder: Annotated[
        str | None,
        Field(
            min_length=1,
            description="Folder of the journal, seen from the file's own. Default: the user's state folder.",
        ),
    ] = None


class Settings(_Part):
    """All there is to set. Every key has a default."""

    game: GamePart = GamePart()
    board: BoardPart = BoardPart()
    judge: JudgePart = JudgePart()
    web: WebPart = WebPart()
    state: StatePart = StatePart()


class Fault(NamedTuple):
    """One thing that is wrong with a configuration: at which key (dotted), what, and what to do."""

    key: str
    what: str
    remedy: str


class WrongConfig(ValueError):
    """A configuration that cannot be used. `faults` are all its faults, in the order of the parts."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(f"{fault.key}: {fault.what}" for fault in self.faults))


def read(path: Path, rules: Mapping[str, Rules]) -> Settings:
    """The settings in a file, for the games there are. Raises `WrongConfig` with every fault at once."""
    said = _parsed(path)
    faults: list[Fault] = []
    settings = Settings()
    try:
        settings = Settings.model_validate(said)
    except ValidationError as wrong:
        faults += [_fault(dict(error)) for error in wrong.errors()]
    faults += _faults_of_game(said.get("game"), rules)
    if faults:
        raise WrongConfig(sorted(faults, key=_place))
    return _from_folder(settings, path.parent)


def _parsed(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as text:
            return tomllib.load(text)
    except OSError as fault:
        what, remedy = fault.strerror or str(fault), "name a configuration that can be read"
    except UnicodeDecodeError:
        what, remedy = "this is not text in UTF-8", "save it as UTF-8"
    except (ValueError, RecursionError) as fault:
        what, remedy = f"this is not TOML: {fault}", "mend it there"
    raise WrongConfig([Fault("", what, remedy)])


def _from_folder(settings: Settings, folder: Path) -> Settings:
    """A state folder that is not absolute starts where the file lies."""
    if settings.state.folder is None:
        return settings
    state = StatePart(folder=str((folder / Path(settings.state.folder).expanduser()).absolute()))
    return settings.model_copy(update={"state": state})


def every_key() -> Iterator[tuple[str, FieldInfo]]:
    """Every key there is, dotted, with its field: `web.port`."""
    for part, field in Settings.model_fields.items():
        yield from ((f"{part}.{key}", inner) for key, inner in _fields_of(field).items())


def _fields_of(field: FieldInfo) -> Mapping[str, FieldInfo]:
    model = field.annotation
    return model.model_fields if isinstance(model, type) and issubclass(model, BaseModel) else {}


# Faults of the form


def _place(fault: Fault) -> int:
    """Where the part of a fault stands in the settings; what is in none comes first."""
    part, parts = fault.key.partition(".")[0], list(Settings.model_fields)
    return parts.index(part) if part in parts else -1


def _fault(error: Mapping[str, Any]) -> Fault:
    """A fault as pydantic tells it, in our words."""
    path = [str(step) for step in error["loc"]]
    key = ".".join(path)
    if error["type"] == "extra_forbidden":
        return Fault(key, "there is no such key", _nearest(path[-1], _known(path[:-1])))
    if not (isinstance(error["input"], Mapping) or len(path) > 1):
        remedy = f"write [{key}] and below it {_either(_known(path))}, one a line"
        return Fault(key, f"{_shown(error['input'])} is not a table", remedy)
    return Fault(key, f"{_shown(error['input'])} cannot be", f"write {allowed(dict(every_key())[key])}")


def _known(path: list[str]) -> list[str]:
    """The keys there are in the table at `path`."""
    return list(_fields_of(Settings.model_fields[path[0]]) if path else Settings.model_fields)


def _nearest(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name.lower(), known, n=1)
    return f"did you mean {near[0]}?" if near else f"write one of {', '.join(known) or 'none'}"


def allowed(field: FieldInfo) -> str:
    """What a key may be, in words: `teach, club or tournament`, `a number from 0 to 5`."""
    kind = field.annotation
    if get_origin(kind) is Literal:
        return _either(get_args(kind))
    if kind is bool:
        return "true or false"
    if kind in (int, float):
        return f"a {'whole number' if kind is int else 'number'}{_bounds(field)}"
    return (
        "a table of names and values" if get_origin(kind) is Mapping else "a text in quotes, not an empty one"
    )


def _bounds(field: FieldInfo) -> str:
    least, most = (
        next((getattr(bound, end) for bound in field.metadata if hasattr(bound, end)), None)
        for end in ("ge", "le")
    )
    return "" if least is None else f" from {least} to {most}"


def _either(words: Iterable[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last


_BRIEF = Repr()
_BRIEF.maxstring = _BRIEF.maxother = 60
_LONGEST = 256
"""Bits of a number that is still shown; Python itself refuses to write very long ones out."""


def _shown(value: object) -> str:
    """A value as the file has it, cut where it is long."""
    if isinstance(value, bool):
        return str(value).lower()
    return "so long a number" if _too_long(value) else _BRIEF.repr(value)


def _too_long(value: object) -> bool:
    return isinstance(value, int) and value.bit_length() > _LONGEST


# Faults of the game


def _faults_of_game(part: object, rules: Mapping[str, Rules]) -> list[Fault]:
    """A game that is not there, and every option that it does not take."""
    given = part if isinstance(part, Mapping) else {}
    name, options = given.get("name", GamePart().name), given.get("options", {})
    if not isinstance(name, str) or not isinstance(options, Mapping):
        return []
    if name not in rules:
        return [Fault("game.name", f"there is no game {_shown(name)}", _nearest(name, list(rules)))]
    known = [option.name for option in rules[name].options]
    faults = [_fault_of_option(rules[name], known, {key: value}) for key, value in options.items()]
    found = [fault for fault in faults if fault is not None]
    return found or [fault for fault in [_fault_together(rules[name], options)] if fault is not None]


def _fault_of_option(rules: Rules, known: list[str], option: Mapping[str, object]) -> Fault | None:
    ((key, value),) = option.items()
    if _too_long(value):
        return Fault(f"game.options.{key}", f"{_shown(value)} cannot be", "boardctl games lists the options")
    if key not in known:
        return Fault(f"game.options.{key}", f"{rules.name} has no such option", _nearest(key, known))
    fault = _fault_together(rules, option)
    return fault and fault._replace(key=f"game.options.{key}")


def _fault_together(rules: Rules, options: Mapping[str, object]) -> Fault | None:
    """What the game says against these options."""
    try:
        rules.game(options)
    except WrongOption as fault:
        return Fault("game.options", *_split(str(fault)))
    return None


def _split(sentence: str) -> tuple[str, str]:
    what, _, remedy = sentence.partition("; ")
    return what, remedy or "boardctl games lists the options"
