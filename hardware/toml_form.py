"""A TOML file held against a form: every fault at once, each with its key, what was found and what to write instead.

Configurations and board files are read by it. A form is a pydantic model of models, strict and closed; a part that
has several shapes is a union of models told apart by one key.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from reprlib import Repr
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.fields import FieldInfo


class Part(BaseModel):
    """A table of a form: no other keys, no values that are nearly right, and nothing changes later."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Fault(NamedTuple):
    """One thing that is wrong with a file: at which key (dotted), what, and what to do."""

    key: str
    what: str
    remedy: str


class WrongFile(ValueError):
    """A file that does not fit its form. `faults` are all its faults, in the order of the parts."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(f"{fault.key}: {fault.what}" for fault in self.faults))


M = TypeVar("M", bound=BaseModel)


def parsed(path: Path) -> dict[str, Any]:
    """What a file says. Raises `WrongFile` where it cannot be read or is no TOML."""
    try:
        with path.open("rb") as text:
            return tomllib.load(text)
    except OSError as fault:
        what, remedy = fault.strerror or str(fault), "name a file that can be read"
    except UnicodeDecodeError:
        what, remedy = "this is not text in UTF-8", "save it as UTF-8"
    except (ValueError, RecursionError) as fault:
        what, remedy = f"this is not TOML: {fault}", "mend it there"
    raise WrongFile([Fault("", what, remedy)])


def fitted(form: type[M], said: Mapping[str, Any]) -> tuple[M | None, list[Fault]]:
    """The form filled in, or what is wrong with it."""
    try:
        return form.model_validate(said), []
    except ValidationError as wrong:
        return None, [_fault(form, dict(error)) for error in wrong.errors()]


def in_order(form: type[BaseModel], faults: Iterable[Fault]) -> list[Fault]:
    """Faults in the order of the parts they are in; what is in none comes first."""
    parts = list(form.model_fields)
    where = {part: n for n, part in enumerate(parts)}
    return sorted(faults, key=lambda fault: where.get(fault.key.partition(".")[0], -1))


def every_key(form: type[BaseModel]) -> Iterator[tuple[str, FieldInfo]]:
    """Every key of every part, dotted, with its field: `web.port`; of a part with several shapes, those of all."""
    seen: set[str] = set()
    for part, field in form.model_fields.items():
        shapes = _models(field.annotation)
        if not shapes:
            yield part, field
        for model in shapes:
            for key, inner in model.model_fields.items():
                if f"{part}.{key}" not in seen:
                    seen.add(f"{part}.{key}")
                    yield f"{part}.{key}", inner


def _models(kind: object) -> list[type[BaseModel]]:
    """The models that a field may hold: one, several shapes of a part, or none."""
    if isinstance(kind, type):
        return [kind] if issubclass(kind, BaseModel) else []
    if get_origin(kind) in (Union, UnionType, Annotated):
        return [model for each in get_args(kind) for model in _models(each)]
    return []


# Faults of the form


def _fault(form: type[BaseModel], error: Mapping[str, Any]) -> Fault:
    """A fault as pydantic tells it, in our words."""
    steps, found, fields = _walked(form, error["loc"])
    key = _dotted(steps)
    match error["type"]:
        case "extra_forbidden":
            return Fault(key, "there is no such key", _nearest(str(steps[-1]), fields))
        case "missing":
            return Fault(key, "it is missing", _written(key, found))
        case "union_tag_invalid" | "union_tag_not_found":
            tag = error["ctx"]["discriminator"].strip("'")
            tags = error["ctx"].get("expected_tags") or _tags(found, tag)
            return Fault(f"{key}.{tag}", "this cannot be", f"write {_either(_quoteless(tags))}")
    if found is None:
        return Fault(key, f"{shown(error['input'])} cannot be", error["msg"])
    if _models(found.annotation) and not isinstance(error["input"], Mapping):
        return Fault(key, f"{shown(error['input'])} is not a table", _written(key, found))
    field = _entry(found) if isinstance(steps[-1], int) else found
    return Fault(key, f"{shown(error['input'])} cannot be", f"write {allowed(field)}")


def _written(key: str, field: FieldInfo | None) -> str:
    """How a key is written that is not there, or not so."""
    parts = list(_keys_of(field.annotation)) if field else []
    if parts:
        return f"write [{key}] and below it {_either(parts)}, one a line"
    return f"write {allowed(field) if field else 'it'}"


def _entry(field: FieldInfo) -> FieldInfo:
    """The field that each entry of a list is."""
    return FieldInfo.from_annotation(get_args(_inner(field.annotation))[0])


def _quoteless(tags: str) -> list[str]:
    return [tag.strip().strip("'") for tag in tags.split(",")]


def _tags(field: FieldInfo | None, tag: str) -> str:
    models = _models(field.annotation) if field else []
    return ", ".join(str(get_args(model.model_fields[tag].annotation)[0]) for model in models)


def _walked(
    form: type[BaseModel], path: Sequence[int | str]
) -> tuple[list[int | str], FieldInfo | None, list[str]]:
    """The keys of a path without the names of shapes, the field it leads to, and the keys beside the last."""
    steps: list[int | str] = []
    models: list[type[BaseModel]] = [form]
    field: FieldInfo | None = None
    for step in path:
        beside = [key for model in models for key in model.model_fields]
        holders = [model for model in models if step in model.model_fields]
        if holders:
            field = holders[0].model_fields[str(step)]
            steps.append(step)
            models = _models(field.annotation)
        elif len(models) > 1 and (shape := _shape(models, step)) is not None:
            models = [shape]
        else:
            steps.append(step)
            field = field if isinstance(step, int) else None
    return steps, field, beside


def _shape(models: Iterable[type[BaseModel]], tag: object) -> type[BaseModel] | None:
    """Which of several shapes is called so."""
    return next(
        (m for m in models if any(tag in get_args(f.annotation) for f in m.model_fields.values())), None
    )


def _keys_of(kind: object) -> Iterator[str]:
    yield from dict.fromkeys(key for model in _models(kind) for key in model.model_fields)


def _dotted(steps: Iterable[int | str]) -> str:
    """`pixels.count`; entries of a list are counted from 1: `sensors.rows 3`."""
    dotted = ""
    for step in steps:
        dotted += f" {step + 1}" if isinstance(step, int) else f".{step}" if dotted else step
    return dotted


def _nearest(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name.lower(), list(known), n=1)
    return f"did you mean {near[0]}?" if near else f"write one of {', '.join(known) or 'none'}"


nearest = _nearest
"""What to write instead of a name that is not known: the one most like it, or all."""


def allowed(field: FieldInfo) -> str:
    """What a key may be, in words: `teach, club or tournament`, `a number from 0 to 5`."""
    kind = _inner(field.annotation)
    if get_origin(kind) is Literal:
        return _either([str(word) for word in get_args(kind)])
    if kind is bool:
        return "true or false"
    if kind in (int, float):
        return f"a {'whole number' if kind is int else 'number'}{_bounds(field)}"
    if get_origin(kind) in (list, tuple, Sequence):
        return f"a list of {_plural(get_args(kind)[0])}"
    if get_origin(kind) in (dict, Mapping):
        return "a table of names and values"
    return "a text in quotes, not an empty one"


def _inner(kind: object) -> object:
    """A kind without `None` beside it and without what is only noted about it."""
    if get_origin(kind) is Annotated:
        return _inner(get_args(kind)[0])
    if get_origin(kind) in (Union, UnionType):
        kinds = [each for each in get_args(kind) if each is not type(None)]
        return _inner(kinds[0])
    return kind


def _plural(kind: object) -> str:
    return {int: "whole numbers", float: "numbers", str: "texts in quotes"}.get(_inner(kind), "entries")  # type: ignore[call-overload, no-any-return]


_ENDS = {"ge": "{} or more", "gt": "above {}", "le": "at most {}", "lt": "below {}"}
"""How each kind of bound is said."""


def _bounds(field: FieldInfo) -> str:
    bounds = {end: getattr(bound, end) for bound in field.metadata for end in _ENDS if hasattr(bound, end)}
    if bounds.keys() == {"ge", "le"}:
        return f" from {bounds['ge']} to {bounds['le']}"
    said = " and ".join(words.format(bounds[end]) for end, words in _ENDS.items() if end in bounds)
    return f", {said}" if said else ""


def _either(words: Iterable[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last


_BRIEF = Repr()
_BRIEF.maxstring = _BRIEF.maxother = 60
_LONGEST = 256
"""Bits of a number that is still shown; Python itself refuses to write very long ones out."""


def shown(value: object) -> str:
    """A value as the file has it, cut where it is long."""
    if isinstance(value, bool):
        return str(value).lower()
    return "so long a number" if too_long(value) else _BRIEF.repr(value)


def too_long(value: object) -> bool:
    """Whether a number is too long to be written out."""
    return isinstance(value, int) and value.bit_length() > _LONGEST
