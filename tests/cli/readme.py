"""The part of README.md that tells of commands, options and keys, written from the program itself.

`python -m tests.cli.readme` writes it between its two marks; a test checks that it is current.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import entry_points
from inspect import cleandoc, signature
from itertools import groupby
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from typer.models import ArgumentInfo

from boardctl import config
from boardctl.cli import app
from boardctl.core.model import Rules
from boardctl.plugins import GROUP, registered

README = Path(__file__).parents[2] / "README.md"
BEGIN, END = "<!-- commands:begin -->", "<!-- commands:end -->"
WRITTEN = "<!-- Written by `python -m tests.cli.readme`: change the program, not these lines. -->"
STATUS = """\
Every command exits with 0 when all is well, with 1 when it looked and found a fault, and with 2 for a wrong call or
a wrong configuration. It then prints one line, `boardctl: WHERE: WHAT IS WRONG; WHAT TO DO`, to standard error (for a
configuration one line a fault). `--json` prints JSON Lines and nothing else."""


def section() -> str:
    """All that stands between the marks."""
    parts = [WRITTEN, STATUS, *_commands(), *_keys(), *_games()]
    return "\n\n".join(parts)


def own_games() -> dict[str, Rules]:
    """The games of this project, whatever else is installed here."""
    return registered(entry for entry in entry_points(group=GROUP) if entry.value.startswith("boardctl."))


# Commands


class Parameter(NamedTuple):
    """One argument or option of a command, as its function declares it."""

    names: str
    """As a person types it: `[GAME]`, or `--option`, `-o` NAME=VALUE."""
    default: str
    allowed: str
    about: str


def commands() -> dict[str, Callable[..., object]]:
    """Every command and its function."""
    return {
        each.name or each.callback.__name__: each.callback
        for each in app.registered_commands
        if each.callback is not None
    }


def told(function: Callable[..., object]) -> tuple[str, str]:
    """A command's help without its example, and the example."""
    text, _, example = cleandoc(function.__doc__ or "").partition("Example: ")
    return text.strip(), example.strip()


def _commands() -> Iterator[str]:
    for name, function in commands().items():
        text, example = told(function)
        parameters = list(_parameters(function))
        arguments = [each.names.strip("`") for each in parameters if not each.names.startswith("`-")]
        yield f"### boardctl {' '.join([name, *arguments])}"
        yield text
        yield f"    {example}"
        if parameters:
            yield _table(("", "default", "allowed", "what it is"), parameters)


def _parameters(function: Callable[..., object]) -> Iterator[Parameter]:
    hints = get_type_hints(function, include_extras=True)
    for name, parameter in signature(function).parameters.items():
        kind, info = get_args(hints[name])
        yield Parameter(
            _names(name, info, parameter), _default(parameter), _allowed(kind, info), info.help or ""
        )


def _names(name: str, info: Any, parameter: inspect.Parameter) -> str:
    if isinstance(info, ArgumentInfo):
        placeholder = (info.metavar or name).upper()
        return f"`{placeholder if parameter.default is parameter.empty else f'[{placeholder}]'}`"
    option = f"--{name.replace('_', '-')}"
    both = (option, option.replace("--", "--no-")) if isinstance(parameter.default, bool) else (option,)
    told_names = [each for each in (info.default, *(info.param_decls or ())) if isinstance(each, str)]
    names = ", ".join(f"`{each}`" for each in told_names or both)
    return f"{names} {info.metavar}" if info.metavar else names


def _default(parameter: inspect.Parameter) -> str:
    value = parameter.default
    if value is True:
        return "on"
    nothing = value is parameter.empty or value is None or value is False
    return "" if nothing else f"`{_said(value)}`"


def _allowed(kind: Any, info: Any) -> str:
    if get_origin(kind) is Literal:
        return ", ".join(get_args(kind))
    return "" if info.min is None else f"{info.min} to {info.max}"


# Keys of `boardctl run --config FILE`


def _keys() -> Iterator[str]:
    yield "### The configuration of boardctl run"
    yield "A file in TOML. Every key may be left out; these are all there are, with their defaults:"
    yield f"```toml\n{example()}\n```"
    rows = [(f"`{key}`", config.allowed(field), str(field.description)) for key, field in config.every_key()]
    yield _table(("key", "allowed", "what it is"), rows)


def example() -> str:
    """A whole configuration, every key at its default."""
    tables = groupby(config.every_key(), key=lambda item: item[0].partition(".")[0])
    return "\n\n".join(
        "\n".join([f"[{part}]", *(_line(key.partition(".")[2], field.default) for key, field in keys)])
        for part, keys in tables
    )


EXAMPLES = {"file": "board.toml", "folder": "/var/lib/boardctl"}
"""What keys without a default may say."""


def _line(key: str, default: object) -> str:
    match default:
        case None:
            return f'# {key} = "{EXAMPLES[key]}"'
        case bool():
            return f"{key} = {str(default).lower()}"
        case str():
            return f'{key} = "{default}"'
        case dict():
            return f"{key} = {{}}"
        case _:
            return f"{key} = {default}"


# Options of the games


def _games() -> Iterator[str]:
    yield "### The games and their options"
    yield (
        "Given to `play` and `perft` as `--option NAME=VALUE`, in a configuration under `[game.options]`, in a trace "
        "under `options`."
    )
    for rules in own_games().values():
        yield f"**`{rules.name}`**: {rules.title}. {rules.about}"
        rows = [
            (f"`{each.name}`", f"`{_said(each.default)}`", each.allowed, each.about) for each in rules.options
        ]
        yield _table(("option", "default", "allowed", "what it is"), rows)


def _said(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [heads, tuple("---" for _ in heads), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def current(text: str) -> str:
    """The README with that part as it should be. Raises `ValueError` where the marks are missing."""
    before, _, rest = text.partition(BEGIN)
    _, mark, after = rest.partition(END)
    if not mark:
        raise ValueError(f"README.md needs the marks {BEGIN} and {END}")
    return f"{before}{BEGIN}\n{section()}\n{END}{after}"


if __name__ == "__main__":
    README.write_text(current(README.read_text(encoding="utf-8")), encoding="utf-8")
