"""Who may import whom, as data, and the rules of the house that a machine can check.

A module answers to the row of its longest prefix. Whoever changes a row says in the commit why that is right.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Set
from itertools import chain
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("boardctl", "hardware", "firmware_bridge")

PURE = frozenset(
    {
        "__future__",
        "bisect",
        "collections",
        "dataclasses",
        "enum",
        "functools",
        "heapq",
        "itertools",
        "math",
        "operator",
        "re",
        "types",
        "typing",
    }
)
"""What the pure parts take from the standard library: nothing that has a clock, a file, a log or a die."""
STDLIB = frozenset(sys.stdlib_module_names)


class May(NamedTuple):
    """What a part may import: ours (with all below it), others, and what only inside a function."""

    ours: tuple[str, ...] = ()
    others: Set[str] = STDLIB
    lazily: Set[str] = frozenset()


MAY = {
    "boardctl": May(),
    "boardctl.core": May(("boardctl.core",), PURE),
    "boardctl.games": May(("boardctl.core.model", "boardctl.games"), PURE),
    "boardctl.shells": May(("boardctl.core",)),
    "boardctl.shells.journal": May(("boardctl.core", "boardctl.shells.journal_file")),
    "boardctl.shells.terminal": May(("boardctl.core", "boardctl.shells.terminal"), STDLIB, {"rich"}),
    "boardctl.shells.terminal.screen": May(("boardctl.core", "boardctl.shells.terminal"), STDLIB | {"rich"}),
    "boardctl.shells.web": May(("boardctl.core",), STDLIB | {"pydantic", "starlette", "uvicorn"}),
    "hardware": May(
        ("boardctl.core", "hardware"),
        STDLIB | {"pydantic"},
        {"adafruit_raspberry_pi5_neopixel_write", "board", "gpiozero", "lgpio", "neopixel", "neopixel_spi"},
    ),
    "firmware_bridge": May(("boardctl.core", "firmware_bridge", "hardware"), STDLIB, {"serial"}),
    "firmware_bridge.firmware.pico": May(
        (),
        {
            "board",
            "bridge",
            "digitalio",
            "microcontroller",
            "neopixel_write",
            "supervisor",
            "usb_cdc",
            "watchdog",
        },  # CircuitPython's own, and the core beside it on the drive
    ),
    "firmware_bridge.firmware.pico.bridge": May((), frozenset()),
    "firmware_bridge.protocol": May(("firmware_bridge",), PURE | {"binascii", "cobs", "struct", "zlib"}),
    "boardctl.plugins": May(("boardctl.core.model",)),
    "boardctl.board_files": May(("boardctl.core.model", "boardctl.games"), STDLIB, {"pydantic"}),
    "boardctl.builder": May(("hardware",)),
    "boardctl.wizard": May(
        ("boardctl.ears", "boardctl.notify", "boardctl.shells.web", "boardctl.wizard", "hardware")
    ),
    "boardctl.checkup": May(("boardctl.config", "boardctl.plugins", "hardware"), STDLIB | {"platformdirs"}),
    "boardctl.conformance": May(("boardctl.core",)),
    "boardctl.scene": May(("boardctl.core",)),
    "boardctl.trace_lines": May(("boardctl.core",)),
    "boardctl.trace": May(("boardctl.core", "boardctl.trace_lines")),
    "boardctl.replay": May(("boardctl.core", "boardctl.trace")),
    "boardctl.config": May(("boardctl.core", "boardctl.plugins", "hardware"), STDLIB | {"pydantic"}),
    "boardctl.app": May(
        ("boardctl.core", "boardctl.replay", "boardctl.shells", "boardctl.trace", "hardware"),
        STDLIB,
        {"firmware_bridge"},  # a board on a cable is one more board
    ),
    "boardctl.desk": May(("boardctl.app", "boardctl.core", "boardctl.scene", "hardware")),
    "boardctl.notify": May(),
    "boardctl.journald": May(("boardctl.core",)),
    "boardctl.ears": May(("boardctl.notify",)),
    "boardctl.install": May(),
    "boardctl.evening": May(
        (
            "boardctl.app",
            "boardctl.config",
            "boardctl.core",
            "boardctl.desk",
            "boardctl.ears",
            "boardctl.journald",
            "boardctl.notify",
            "boardctl.plugins",
            "boardctl.scene",
            "boardctl.shells",
            "boardctl.trace",
        ),
        STDLIB | {"platformdirs"},
        {"segno"},
    ),
    "boardctl.cli": May((), STDLIB | {"typer"}, {"boardctl", "firmware_bridge.flash", "hardware", "rich"}),
    "boardctl.__main__": May(("boardctl.cli",)),
}

MEETING_PLACE = "boardctl.app"
"""The only module that may import hardware, core and shells together."""

PURE_PARTS = ("boardctl.core", "boardctl.games")
IMPURE = frozenset(
    {"__import__", "breakpoint", "eval", "exec", "exit", "globals", "input", "open", "print", "quit", "vars"}
)
"""Built-in names that the pure parts do not use."""

GAMES = ("othello", "bracket", "fundex", "brax", "flip")
"""How the names of games begin; the core knows none of them."""
NAMED_IN_CORE = {
    ("boardctl.core.commands", "brax"): "the call is a word of the interface; a docstring names it",
    ("boardctl.core.events", "brax"): "a docstring lists the words people may say",
    ("boardctl.core.sentences", "bracket"): "the reason `no-bracket` of the interface, and its sentence",
    ("boardctl.core.sentences", "brax"): "the reason `brax-owed` of the interface",
    (
        "boardctl.core.referee",
        "flip",
    ): "the interface's own word for the turns of a move: 'until its first flip'",
}
"""Judged exceptions, each with its reason."""

EMPTY_WORDS = frozenset({"manager", "managers", "handler", "handlers", "util", "utils", "helper", "helpers"})
"""Words of names that say nothing."""
LONGEST = 50
"""Lines of a function, its docstring not counted."""

PURITY = "core and games do no I/O and keep no globals"
NAMELESS = "the core knows no game (NAMED_IN_CORE lists the exceptions)"
EMPTY = "which says nothing"


class Source(NamedTuple):
    """One module as parsed."""

    module: str
    file: str
    tree: ast.Module


class Import(NamedTuple):
    """One name imported, and whether that waits until a function is called (or a type checker looks)."""

    name: str
    line: int
    lazy: bool


Rule: TypeAlias = Callable[[Source], Iterator[str]]


def parsed(module: str, text: str) -> Source:
    return Source(module, module.replace(".", "/") + ".py", ast.parse(text))


def of_project() -> Iterator[Source]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            file = path.relative_to(ROOT)
            parts = file.with_suffix("").parts
            module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            yield Source(module, file.as_posix(), ast.parse(path.read_text(encoding="utf-8"), str(file)))


def within(name: str, parts: Iterable[str]) -> bool:
    return any(name == part or name.startswith(f"{part}.") for part in parts)


def row_of(module: str) -> str:
    """The longest prefix with a row; a file right in `boardctl` needs a row of its own."""
    names = [part for part in MAY if within(module, [part])]
    longest = max(names, key=len, default="")
    return "" if longest == "boardctl" != module else longest


def imports(source: Source) -> Iterator[Import]:
    yield from _imports(source, source.tree, lazy=False)


def _imports(source: Source, node: ast.AST, *, lazy: bool) -> Iterator[Import]:
    match node:
        case ast.Import():
            yield from (Import(alias.name, node.lineno, lazy) for alias in node.names)
        case ast.ImportFrom():
            start = _from(source, node)
            yield from (Import(f"{start}.{alias.name}", node.lineno, lazy) for alias in node.names)
        case (
            ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda() | ast.If(test=ast.Name("TYPE_CHECKING"))
        ):
            lazy = True
    for child in ast.iter_child_nodes(node):
        yield from _imports(source, child, lazy=lazy)


def _from(source: Source, node: ast.ImportFrom) -> str:
    """The module after `from`, relative ones made absolute."""
    if not node.level:
        return node.module or ""
    package = source.module.split(".")
    if not source.file.endswith("__init__.py"):
        package.pop()
    package = package[: len(package) - node.level + 1]
    return ".".join([*package, *([node.module] if node.module else [])])


def is_ours(name: str) -> bool:
    return within(name, PACKAGES)


def imports_only_what_its_row_allows(source: Source) -> Iterator[str]:
    row = row_of(source.module)
    if not row:
        yield f"{source.file}:1: {source.module} has no row in the table MAY; give it one"
        return
    may = MAY[row]
    for name, line, lazy in imports(source):
        allowed = _allows(may, name)
        if allowed == "never" or (allowed == "lazily" and not lazy):
            where = "only inside a function" if allowed == "lazily" else "nowhere"
            yield f"{source.file}:{line}: imports {name}; the row of {row} allows that {where}"


def _allows(may: May, name: str) -> str:
    """always, lazily or never. `from boardctl import __version__` harms nobody."""
    if within(name, may.ours) or name in ("boardctl", "boardctl.__version__"):
        return "always"
    if not is_ours(name) and name.split(".")[0] in may.others:
        return "always"
    return "lazily" if within(name, may.lazily) else "never"


def meets_only_in_app(source: Source) -> Iterator[str]:
    names = [found.name for found in imports(source)]
    met = [part for part in ("hardware", "boardctl.core", "boardctl.shells") if _any_within(names, part)]
    if len(met) == 3 and source.module != MEETING_PLACE:
        yield f"{source.file}:1: imports {', '.join(met)}; only {MEETING_PLACE} may import them together"


def _any_within(names: Iterable[str], part: str) -> bool:
    return any(within(name, [part]) for name in names)


def stays_pure(source: Source) -> Iterator[str]:
    if not within(source.module, PURE_PARTS):
        return
    for node in ast.walk(source.tree):
        match node:
            case ast.Name(id=name, ctx=ast.Load()) if name in IMPURE:
                yield f"{source.file}:{node.lineno}: uses {name}; {PURITY}"
            case ast.Global(names=[name, *_]):
                yield f"{source.file}:{node.lineno}: global {name}; {PURITY}"


def names_of(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Every identifier the code defines or uses, with its line."""
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name, node.lineno
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield name, node.lineno
            case ast.alias(name=name, asname=other):
                yield other or name, node.lineno
            case ast.keyword(arg=str(name)):
                yield name, node.value.lineno


def texts_of(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Every text of the code, docstrings too, line by line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            lines = node.value.splitlines()
            yield from ((text, node.lineno + at) for at, text in enumerate(lines))


def words(name: str) -> list[str]:
    """The words of an identifier or a text: `BoardManager`, `board_manager`, `board-manager` are two each."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]


def games_named(source: Source) -> Iterator[tuple[str, int]]:
    """Every game that the code of the core names, with its line."""
    if within(source.module, ["boardctl.core"]):
        for text, line in chain(names_of(source.tree), texts_of(source.tree)):
            yield from ((game, line) for game in GAMES if any(word.startswith(game) for word in words(text)))


def names_no_game_in_core(source: Source) -> Iterator[str]:
    for game, line in games_named(source):
        if (source.module, game) not in NAMED_IN_CORE:
            yield f"{source.file}:{line}: names {game}; {NAMELESS}"


def names_say_something(source: Source) -> Iterator[str]:
    defined = chain([(source.module, 1)], _defined(source.tree))
    for name, line in defined:
        if empty := EMPTY_WORDS.intersection(words(name)):
            yield f"{source.file}:{line}: {name} has the word {min(empty)}, {EMPTY}"


def _defined(tree: ast.AST) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name, node.lineno
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                yield name, node.lineno


def has_no_long_function(source: Source) -> Iterator[str]:
    for node in ast.walk(source.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (length := _length(node)) > LONGEST:
            yield f"{source.file}:{node.lineno}: {node.name} has {length} lines; {LONGEST} are the most"


def _length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines from `def` to the end, without the docstring's."""
    lines = (function.end_lineno or function.lineno) - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function) is None:
        return lines
    return lines - ((first.end_lineno or first.lineno) - first.lineno + 1)


RULES: tuple[Rule, ...] = (
    imports_only_what_its_row_allows,
    meets_only_in_app,
    stays_pure,
    names_no_game_in_core,
    names_say_something,
    has_no_long_function,
)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_every_module_of_the_project(rule: Rule) -> None:
    faults = [fault for source in of_project() for fault in rule(source)]
    assert not faults, "\n" + "\n".join(faults)


def test_every_exception_in_the_table_is_still_needed() -> None:
    named = {(source.module, game) for source in of_project() for game, _ in games_named(source)}
    assert NAMED_IN_CORE.keys() - named == set()


BREACHES: dict[Rule, list[tuple[str, str, str]]] = {
    imports_only_what_its_row_allows: [
        (
            "boardctl.core.judge",
            "from boardctl.games.bits import BITS",
            "1: imports boardctl.games.bits.BITS; the row of boardctl.core allows that nowhere",
        ),
        (
            "boardctl.core.judge",
            "import math\ndef f():\n    import random",
            "3: imports random; the row of boardctl.core allows that nowhere",
        ),
        (
            "boardctl.core.judge",
            "from ..games import bits",
            "1: imports boardctl.games.bits; the row of boardctl.core allows that nowhere",
        ),
        (
            "boardctl.games.bracket",
            "from boardctl.core import session",
            "1: imports boardctl.core.session; the row of boardctl.games allows that nowhere",
        ),
        (
            "boardctl.games.bracket",
            "import json",
            "1: imports json; the row of boardctl.games allows that nowhere",
        ),
        (
            "boardctl.shells.web",
            "from boardctl.shells import journal",
            "1: imports boardctl.shells.journal; the row of boardctl.shells.web allows that nowhere",
        ),
        (
            "boardctl.shells.mqtt",
            "def f():\n    import hardware.table",
            "2: imports hardware.table; the row of boardctl.shells allows that nowhere",
        ),
        (
            "boardctl.shells.mqtt",
            "import boardctl.games",
            "1: imports boardctl.games; the row of boardctl.shells allows that nowhere",
        ),
        (
            "hardware.strip",
            "import neopixel",
            "1: imports neopixel; the row of hardware allows that only inside a function",
        ),
        (
            "hardware.strip",
            "from boardctl.app import App",
            "1: imports boardctl.app.App; the row of hardware allows that nowhere",
        ),
        (
            "boardctl.cli",
            "import typer\nfrom boardctl.app import App",
            "2: imports boardctl.app.App; the row of boardctl.cli allows that only inside a function",
        ),
        (
            "boardctl.app",
            "from boardctl.games import bracket",
            "1: imports boardctl.games.bracket; the row of boardctl.app allows that nowhere",
        ),
        ("boardctl.stray", "", "1: boardctl.stray has no row in the table MAY; give it one"),
    ],
    meets_only_in_app: [
        (
            "boardctl.desk",
            "import hardware.table, boardctl.core.model\ndef f():\n    import boardctl.shells.web",
            "1: imports hardware, boardctl.core, boardctl.shells; only boardctl.app may import them together",
        ),
    ],
    stays_pure: [
        ("boardctl.games.bracket", "def f():\n    print(1)", f"2: uses print; {PURITY}"),
        ("boardctl.core.judge", "read = open", f"1: uses open; {PURITY}"),
        ("boardctl.core.judge", "def f():\n    global last\n    last = 1", f"2: global last; {PURITY}"),
    ],
    names_no_game_in_core: [
        ("boardctl.core.judge", "def play_othello(): ...", f"1: names othello; {NAMELESS}"),
        ("boardctl.core.judge", "f(kind='flip-switch')", f"1: names flip; {NAMELESS}"),
        ("boardctl.core.judge", '"""Turn discs.\n\nAs in Fundex."""', f"3: names fundex; {NAMELESS}"),
    ],
    names_say_something: [
        ("hardware.pins", "class PinManager: ...", f"1: PinManager has the word manager, {EMPTY}"),
        ("hardware.pin_utils", "", f"1: hardware.pin_utils has the word utils, {EMPTY}"),
        ("hardware.pins", "def f(event_handler): ...", f"1: event_handler has the word handler, {EMPTY}"),
    ],
    has_no_long_function: [
        ("hardware.pins", "def f():\n" + "    x = 1\n" * 50, "1: f has 51 lines; 50 are the most"),
    ],
}


@pytest.mark.parametrize(
    ("rule", "module", "text", "fault"), [(rule, *breach) for rule in BREACHES for breach in BREACHES[rule]]
)
def test_a_breach_is_found_and_named(rule: Rule, module: str, text: str, fault: str) -> None:
    assert list(rule(parsed(module, text))) == [f"{module.replace('.', '/')}.py:{fault}"]


def test_every_rule_has_been_seen_to_fail() -> None:
    assert set(BREACHES) == set(RULES)


KEPT = [
    ("boardctl.core.judge", "from . import telling\nimport collections.abc"),
    ("boardctl.games.bracket", "from boardctl.core.model import Move\nfrom boardctl.games.bits import BITS"),
    ("boardctl.shells.journal", "import sqlite3\nfrom boardctl.core.commands import Lit"),
    ("hardware.strip", "from boardctl.core import events\ndef f():\n    import neopixel"),
    ("boardctl.cli", "import typer\nfrom boardctl import __version__\ndef f():\n    import boardctl.app"),
    ("boardctl.cli", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from boardctl.app import App"),
    ("boardctl.app", "import hardware.table, boardctl.core.model, boardctl.shells.journal"),
    ("boardctl.core.judge", "def handle(position): position.open()"),
    ("hardware.pins", "from contextlib import contextmanager\nprint(open('f'))"),
    ("hardware.pins", 'def f():\n    """Long.\n' + "\n" * 60 + '    """'),
    ("hardware.pins", "def f():\n" + "    x = 1\n" * 49),
]


@pytest.mark.parametrize(("module", "text"), KEPT)
def test_what_keeps_the_rules_is_let_be(module: str, text: str) -> None:
    assert [fault for rule in RULES for fault in rule(parsed(module, text))] == []
