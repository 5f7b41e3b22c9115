"""The journal: every game, move by move, in one SQLite file that outlives a kill and a power cut.

It knows the commands of the core and nothing of games or rules. A game is a header, entries (the commands that
made the record, in order and never changed: an undo is an entry), facts (of each the latest: what is owed) and
the trace (what the sensors said). A move is kept when `commit` has returned.

Rows have a checksum of their own, because SQLite would not notice a flipped bit in a label. How the file is made,
held and examined is in `journal_file`.
"""

from __future__ import annotations

import json
import re
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, Self, TypeAlias, get_args

from boardctl.core.commands import (
    NAMES,
    Called,
    Command,
    Debt,
    Ended,
    Moved,
    Owed,
    Passed,
    RoundEnded,
    Scored,
    SensorDoubted,
    Stood,
    Undone,
    told,
)
from boardctl.core.model import PASS, Cell
from boardctl.shells.journal_file import (
    DiskFailed,
    DiskFull,
    JournalDamaged,
    JournalError,
    JournalFromNewerVersion,
    JournalInUse,
    JournalReadOnly,
    NoSuchGame,
    beside,
    named,
    opened,
    opened_for_reading,
    opened_in_memory,
)

__all__ = [
    "DiskFailed",
    "DiskFull",
    "Entry",
    "Journal",
    "JournalDamaged",
    "JournalError",
    "JournalFromNewerVersion",
    "JournalInUse",
    "JournalReadOnly",
    "NoSuchGame",
    "Saved",
    "Summary",
    "beside",
    "standing",
]

Recorded: TypeAlias = Moved | Passed | Undone | Called | Scored | RoundEnded | Stood | Ended | SensorDoubted
"""The commands that are entries."""

_LINES_A_WRITE = 500
_LINES_HELD = 20_000
_WRITTEN = {"games": "INSERT", "entries": "INSERT", "facts": "REPLACE", "trace": "INSERT"}
_OWED = "owed"


class Entry(NamedTuple):
    """One command of a game's record: its number from 1, its time in seconds of the game, the command."""

    number: int
    t: float
    command: Recorded


@dataclass(frozen=True, slots=True)
class Saved:
    """A game as the journal knows it: all that is needed to go on with it."""

    id: int
    header: Mapping[str, Any]
    """As given to `begin`."""
    started_at: str
    entries: Sequence[Entry]
    """In order; a ply taken back is still there, and its `Undone` follows it."""
    owed: Owed | None = None
    """What was owed last; None if nothing was ever said of it."""
    aside: Mapping[Cell, str] = field(default_factory=dict)
    """The cells whose sensors are not believed, and why (`stuck`, `chatter`, `set-aside`)."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What else was given to `commit` by name, the latest of each."""
    last_t: float = 0.0
    """The latest time in entries and trace, in seconds: the clock of the game goes on from here."""

    @property
    def ended(self) -> Ended | None:
        """How the game ended, or None while it goes on: also when the last move was taken back after the end."""
        return _end(entry.command for entry in self.entries)


class Summary(NamedTuple):
    """A game in the history: `plies` that stand, practice left out; `result` is `unfinished`, or who won."""

    id: int
    game: str
    started_at: str
    plies: int
    result: str


class Journal:
    """A journal that is open. One thread at a time may use it; close it, or use it in a `with`."""

    def __init__(
        self, db: sqlite3.Connection, held: AbstractContextManager[object], path: Path | None
    ) -> None:
        """Not for callers: `open`, `read` and `in_memory` make journals."""
        self.path = path
        """The file, or None in memory."""
        self.fault: JournalError | None = None
        """Why the latest write failed; None when all is written."""
        self._db = db
        self._held = held
        self._rows: list[tuple[str, tuple[object, ...]]] = []
        self._facts: dict[tuple[int, str], str] = {}
        self._lines: dict[int, list[str]] = {}
        self._held_lines = 0
        self._cut: set[int] = set()
        self._numbers: dict[int, int] = {}
        self._last_game: int = self._ask("SELECT coalesce(max(game), 0) FROM games")[0][0]

    @classmethod
    def open(cls, path: Path) -> Self:
        """The journal in this file, made if there is none, held against other processes until it is closed.

        Raises `JournalInUse`, `JournalFromNewerVersion`, `JournalDamaged`, `JournalReadOnly`, `DiskFull` or
        `DiskFailed`; the file is then as it was.
        """
        return cls(*opened(path), path)

    @classmethod
    def read(cls, path: Path) -> Self:
        """The journal in this file, for reading, also while another process plays; empty if there is none.

        Raises as `open` does, but never `JournalInUse`.
        """
        return cls(*opened_for_reading(path), path)

    @classmethod
    def in_memory(cls) -> Self:
        """A journal without a file: the game goes on, and is gone with the process."""
        return cls(*opened_in_memory(), None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Write what is still held and let go of the file, which also happens when this raises as `commit` does."""
        with self._held:
            self._write()

    def begin(self, header: Mapping[str, object], wall: str) -> int:
        """A new game: its number. `header` as in a trace; `wall` the time of day, a label and nothing more.

        Raises as `commit` does; the number then still counts, see there.
        """
        self._last_game += 1
        self._rows.append(("games", _summed("games", self._last_game, _json(header), wall)))
        self._numbers[self._last_game] = 0
        self._write()
        return self._last_game

    def commit(
        self,
        game: int,
        commands: Iterable[Command],
        t: float,
        facts: Mapping[str, object] = MappingProxyType({}),
    ) -> None:
        """Keep the entries among these commands, `Owed`, the facts and the lines noted so far, in one transaction.

        When it returns they are on the disk. Without entry, `Owed` or fact nothing is written. `t`: seconds of
        the game. Raises `DiskFull`, `DiskFailed`, `JournalReadOnly`, `JournalInUse` or `JournalDamaged` when
        writing fails, once: later calls that fail alike are silent (`fault` tells). What could not be written is
        held, and written by the first call that can: nothing needs to be given twice.
        """
        kept = [command for command in commands if isinstance(command, Recorded | Owed)]
        for command in kept:
            self._add(game, command, t)
        for name, value in facts.items():
            self._facts[game, name] = _json(value)
        if kept or facts:
            self._write()

    def note(self, game: int, line: Mapping[str, object]) -> None:
        """Hold a line of the trace (an object of the trace format, no `end`) for the next commit.

        When 500 are held they are written, and this raises as `commit` does. While nothing can be written,
        20,000 are held at most; of a trace that gets longer the beginning is kept.
        """
        if self._held_lines == _LINES_HELD:
            self._cut.add(game)
        if game in self._cut:
            return
        self._lines.setdefault(game, []).append(_json(line))
        self._held_lines += 1
        if self._held_lines % _LINES_A_WRITE == 0:
            self._write()

    def flush(self) -> None:
        """Write the lines held, if any. Raises as `commit` does."""
        self._write()

    def unfinished(self) -> Saved | None:
        """The game begun last, if it has no end: the one that lies on the board. Raises `JournalDamaged`.

        A game left without an end before another was begun is history.
        """
        latest = self._ask("SELECT max(game) FROM games")[0][0]
        saved = None if latest is None else self.saved(latest)
        return saved if saved is not None and saved.ended is None else None

    def saved(self, game: int) -> Saved:
        """All about one game. Raises `NoSuchGame` or `JournalDamaged`."""
        header, started_at = self._game(game)
        entries = self.entries(game)
        facts = {name: json.loads(value) for _, name, value in self._rows_of("facts", game)}
        return Saved(
            id=game,
            header=header,
            started_at=started_at,
            entries=entries,
            owed=_owed(facts.pop(_OWED, None)),
            aside=_aside(entry.command for entry in entries),
            facts=facts,
            last_t=self._latest_t(game, entries),
        )

    def games(self) -> list[Summary]:
        """Every game, the oldest first. One that is damaged is listed as `damaged`."""
        latest = self._ask("SELECT coalesce(max(game), 0) FROM games")[0][0]
        return [self._summary(game) for game in range(1, latest + 1)]

    def entries(self, game: int) -> tuple[Entry, ...]:
        """The record of a game in order. Raises `JournalDamaged`."""
        return tuple(_entry(n, json.loads(line)) for n, line in self._lines_of("entries", game))

    def trace(self, game: int) -> Iterator[dict[str, Any]]:
        """A game as a trace, its header first and its end last. Raises `NoSuchGame` or `JournalDamaged`."""
        self.flush()
        header, _ = self._game(game)
        yield {"trace": 1, **header}
        last = 0.0
        for _, lines in self._lines_of("trace", game):
            for line in map(json.loads, lines.split("\n")):
                last = line["t"]
                yield line
        yield {"t": max([last, *(entry.t for entry in self.entries(game)[-1:])]), "end": True}

    def transcript(self, game: int) -> str:
        """The moves that stand, as other programs read them. Raises `NoSuchGame` or `JournalDamaged`.

        Where every move is the name of a cell they are glued together without passes, as Othello programs do
        ("f5d6c3"); else it is one move, pass or call a line. Practice is left out.
        """
        self._game(game)
        words = [_word(command) for command in standing(entry.command for entry in self.entries(game))]
        cells = [word for word in words if word != PASS]
        if all(re.fullmatch(r"[a-z]\d{1,2}", word) for word in cells):
            return "".join(cells)
        return "\n".join(words)

    def as_json(self, game: int) -> dict[str, Any]:
        """A game as one JSON object. Raises `NoSuchGame` or `JournalDamaged`.

        `id`, `header`, `started_at`, `moves` (labels that stand), `over` (that event, or null while the game
        goes on) and `record` (every event of the record in order, as `boardctl replay --json` tells it).
        """
        saved = self.saved(game)
        record = [told(entry.command, entry.t) for entry in saved.entries]
        over = [said for said in record if said["event"] == NAMES[Ended]]
        return {
            "id": game,
            "header": saved.header,
            "started_at": saved.started_at,
            "moves": [_word(command) for command in standing(entry.command for entry in saved.entries)],
            "over": over[-1] if saved.ended else None,
            "record": record,
        }

    def _add(self, game: int, command: Recorded | Owed, t: float) -> None:
        line = _json(told(command, t))
        if isinstance(command, Owed):
            self._facts[game, _OWED] = line
            return
        self._rows.append(("entries", _summed("entries", game, self._next(game), line)))

    def _next(self, game: int) -> int:
        if game not in self._numbers:
            self._numbers[game] = self._ask("SELECT count(*) FROM entries WHERE game = ?", game)[0][0]
        self._numbers[game] += 1
        return self._numbers[game]

    def _write(self) -> None:
        """Write all that is held in one transaction, or keep holding it and raise why, if that is news."""
        if not (self._rows or self._facts or self._lines):
            return
        try:
            with named(self.path), self._db:
                self._db.execute("BEGIN IMMEDIATE")
                for table, row in self._held_rows():
                    self._db.execute(f"{_WRITTEN[table]} INTO {table} VALUES(?, ?, ?, ?)", row)
        except JournalError as fault:
            known, self.fault = self.fault, fault
            if type(known) is not type(fault):
                raise
            return
        self.fault = None
        self._rows, self._facts, self._lines, self._held_lines = [], {}, {}, 0

    def _held_rows(self) -> Iterator[tuple[str, tuple[object, ...]]]:
        yield from self._rows
        for (game, name), value in self._facts.items():
            yield "facts", _summed("facts", game, name, value)
        for game, lines in self._lines.items():
            n = self._ask("SELECT count(*) + 1 FROM trace WHERE game = ?", game)[0][0]
            yield "trace", _summed("trace", game, n, "\n".join(lines))

    def _ask(self, question: str, *values: object) -> list[tuple[Any, ...]]:
        with named(self.path):
            return self._db.execute(question, values).fetchall()

    def _rows_of(self, table: str, game: int) -> list[Any]:
        """The rows of a game, in order and without their checksums. Raises `JournalDamaged`."""
        return self._sound(table, game, self._ask(f"SELECT * FROM {table} WHERE game = ? ORDER BY 2", game))

    def _sound(self, table: str, game: int, rows: list[tuple[Any, ...]]) -> list[Any]:
        if any(_summed(table, *row[:-1]) != row for row in rows):
            raise JournalDamaged(self.path, f"game {game} is not as it was written")
        return [row[:-1] for row in rows]

    def _lines_of(self, table: str, game: int) -> list[tuple[int, str]]:
        """The numbered lines of a game. Raises `JournalDamaged`, also where a number is missing."""
        lines = [(n, line) for _, n, line in self._rows_of(table, game)]
        if [n for n, _ in lines] != list(range(1, len(lines) + 1)):
            raise JournalDamaged(self.path, f"a part of game {game} is missing")
        return lines

    def _game(self, game: int) -> tuple[dict[str, Any], str]:
        for _, header, started_at in self._rows_of("games", game):
            return json.loads(header), started_at
        raise NoSuchGame(self.path, f"there is no game {game}")

    def _latest_t(self, game: int, entries: Sequence[Entry]) -> float:
        rows = self._ask("SELECT * FROM trace WHERE game = ? ORDER BY n DESC LIMIT 1", game)
        last: list[float] = [entry.t for entry in entries[-1:]]
        for _, _, lines in self._sound("trace", game, rows):
            last.append(json.loads(lines.rpartition("\n")[2])["t"])
        return max(last, default=0.0)

    def _summary(self, game: int) -> Summary:
        try:
            header, started_at = self._game(game)
            commands = [entry.command for entry in self.entries(game)]
        except (JournalDamaged, NoSuchGame):
            return Summary(game, "?", "", 0, "damaged")
        plies = sum(not isinstance(command, Called) for command in standing(commands))
        return Summary(game, header["game"], started_at, plies, _result(_end(commands)))


def standing(commands: Iterable[Recorded]) -> list[Moved | Passed | Called]:
    """What was played and not taken back, in order, practice left out. A call goes with the ply before it."""
    line: list[Moved | Passed | Called] = []
    for command in commands:
        if isinstance(command, Undone):
            while line and isinstance(line.pop(), Called):
                pass
        elif isinstance(command, Called) or (isinstance(command, Moved | Passed) and not command.practice):
            line.append(command)
    return line


def _end(commands: Iterable[Recorded]) -> Ended | None:
    """The end, unless a ply was played or taken back after it."""
    end = None
    for command in commands:
        if isinstance(command, Ended):
            end = command
        elif isinstance(command, Moved | Passed | Undone):
            end = None
    return end


def _aside(commands: Iterable[Recorded]) -> dict[Cell, str]:
    states = {command.cell: command.state for command in commands if isinstance(command, SensorDoubted)}
    return {cell: state for cell, state in states.items() if state != "back"}


def _word(command: Moved | Passed | Called) -> str:
    match command:
        case Moved():
            return command.move
        case Passed():
            return PASS
        case Called():
            return command.call


def _result(end: Ended | None) -> str:
    if end is None:
        return "unfinished"
    score = ", ".join(f"{player} {points}" for player, points in end.score.items())
    if end.because == "abandoned":
        return f"given up: {score}"
    match end.winner:
        case None:
            winner = "a draw"
        case str(player):
            winner = f"{player} wins"
        case allies:
            winner = f"{' and '.join(allies)} win"
    return f"{winner} ({end.because}): {score}"


_MADE: Mapping[str, Callable[..., Recorded]] = {NAMES[kind]: kind for kind in get_args(Recorded)}


def _entry(number: int, said: dict[str, Any]) -> Entry:
    t, event = said.pop("t"), said.pop("event")
    return Entry(number, t, _MADE[event](**{key: _settled(value) for key, value in said.items()}))


def _owed(said: dict[str, Any] | None) -> Owed | None:
    if said is None:
        return None
    return Owed(said["why"], {cell: Debt(**debt) for cell, debt in said["cells"].items()})


def _settled(value: Any) -> Any:
    """JSON's lists as the tuples they were."""
    match value:
        case list():
            return tuple(map(_settled, value))
        case dict():
            return {key: _settled(inner) for key, inner in value.items()}
        case _:
            return value


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), default=dict)


def _summed(table: str, *values: object) -> tuple[object, ...]:
    """The row of that table with its checksum."""
    return (*values, zlib.crc32("\0".join(map(str, (table, *values))).encode()))
