"""The settings of an evening, from a file or from a command: which game, which board, what judge, what page.

A file is TOML. It is read whole before anything starts, and every fault in it is told at once, each with its key,
the value found and what to write instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field
from pydantic.fields import FieldInfo

from boardctl.core.model import Rules, WrongOption
from hardware import toml_form
from hardware.board_file import presets
from hardware.toml_form import (
    Fault,
    Part,
    WrongFile,
    allowed,
    fitted,
    in_order,
    nearest,
    parsed,
    shown,
    too_long,
)

__all__ = ["Fault", "Settings", "WrongConfig", "allowed", "every_key", "read"]


class GamePart(Part):
    """The game and its options."""

    name: Annotated[str, Field(description="Which game: `boardctl games` lists them.")] = "othello"
    options: Annotated[Mapping[str, Any], Field(description="The options of the game, by name.")] = {}


class BoardPart(Part):
    """The board."""

    file: Annotated[
        str | None,
        Field(
            min_length=1,
            description="A wired board: its file, seen from this file's folder, or a preset. "
            "Default: a simulated one.",
        ),
    ] = None
    sensors: Annotated[
        Literal["presence", "polarity", "presses"],
        Field(description="What the simulated sensors tell: reeds, halls, or a button under each cell."),
    ] = "polarity"
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


class JudgePart(Part):
    """The judge."""

    policy: Annotated[
        Literal["teach", "club", "tournament"], Field(description="How strict the judge is.")
    ] = "teach"
    take_back: Annotated[
        float,
        Field(ge=0, le=600, description="Seconds the last disc may be away before it is taken back."),
    ] = 2.0


class WebPart(Part):
    """The page."""

    enabled: Annotated[bool, Field(description="Whether the page is served.")] = True
    host: Annotated[str, Field(min_length=1, description="Address the page is served on.")] = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535, description="Port of the page; 0 takes any free one.")] = 8373


class StatePart(Part):
    """Where games are kept."""

    folder: Annotated[
        str | None,
        Field(
            min_length=1,
            description="Folder of the journal, seen from the file's own. Default: the user's state folder.",
        ),
    ] = None


class Settings(Part):
    """All there is to set. Every key has a default."""

    game: GamePart = GamePart()
    board: BoardPart = BoardPart()
    judge: JudgePart = JudgePart()
    web: WebPart = WebPart()
    state: StatePart = StatePart()


class WrongConfig(WrongFile):
    """A configuration that cannot be used. `faults` are all its faults, in the order of the parts."""


def read(path: Path, rules: Mapping[str, Rules]) -> Settings:
    """The settings in a file, for the games there are. Raises `WrongConfig` with every fault at once."""
    try:
        said = parsed(path)
    except WrongFile as wrong:
        raise WrongConfig(wrong.faults) from None
    settings, faults = fitted(Settings, said)
    faults += _faults_of_game(said.get("game"), rules)
    if settings is None or faults:
        raise WrongConfig(in_order(Settings, faults))
    return _from_folder(settings, path.parent)


def _from_folder(settings: Settings, folder: Path) -> Settings:
    """What is no absolute path starts where the file lies."""
    update: dict[str, Part] = {}
    if (state := settings.state.folder) is not None:
        update["state"] = StatePart(folder=_from(folder, state))
    if (file := settings.board.file) is not None and file.removesuffix(".toml") not in presets():
        update["board"] = settings.board.model_copy(update={"file": _from(folder, file)})
    return settings.model_copy(update=update)


def _from(folder: Path, path: str) -> str:
    return str((folder / Path(path).expanduser()).absolute())


def every_key() -> Iterator[tuple[str, FieldInfo]]:
    """Every key there is, dotted, with its field: `web.port`."""
    return toml_form.every_key(Settings)


# Faults of the game


def _faults_of_game(part: object, rules: Mapping[str, Rules]) -> list[Fault]:
    """A game that is not there, and every option that it does not take."""
    given = part if isinstance(part, Mapping) else {}
    name, options = given.get("name", GamePart().name), given.get("options", {})
    if not isinstance(name, str) or not isinstance(options, Mapping):
        return []
    if name not in rules:
        return [Fault("game.name", f"there is no game {shown(name)}", nearest(name, list(rules)))]
    known = [option.name for option in rules[name].options]
    faults = [_fault_of_option(rules[name], known, {key: value}) for key, value in options.items()]
    found = [fault for fault in faults if fault is not None]
    return found or [fault for fault in [_fault_together(rules[name], options)] if fault is not None]


def _fault_of_option(rules: Rules, known: list[str], option: Mapping[str, object]) -> Fault | None:
    ((key, value),) = option.items()
    if too_long(value):
        return Fault(f"game.options.{key}", f"{shown(value)} cannot be", "boardctl games lists the options")
    if key not in known:
        return Fault(f"game.options.{key}", f"{rules.name} has no such option", nearest(key, known))
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
