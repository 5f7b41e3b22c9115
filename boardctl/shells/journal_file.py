"""The file of the journal: made, locked, examined and opened, with every fault of it by its name.

WAL mode with `synchronous=FULL`. A commit is one append and one sync, where a rollback journal syncs four times,
writes twice as much and overwrites the main file in place, which is what a power cut tears. A torn append is
found by its checksum and costs what was not yet kept, never what was. While in use the file has companions
(`-wal`, `-shm`, `-lock`); after a clean end it is alone; after a kill they belong to it.

A file that cannot be used is left as it is, byte for byte, and the fault is an exception with a sentence.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import NamedTuple

VERSION = 1
"""The form of the file; SQLite's `user_version`."""

_APPLICATION = 0x626F6172  # "boar", SQLite's application_id
_SCHEMA = (
    "CREATE TABLE games(game INTEGER PRIMARY KEY, header TEXT NOT NULL, started_at TEXT NOT NULL,"
    " crc INTEGER NOT NULL)",
    "CREATE TABLE entries(game INTEGER NOT NULL, n INTEGER NOT NULL, line TEXT NOT NULL,"
    " crc INTEGER NOT NULL, PRIMARY KEY(game, n)) WITHOUT ROWID",
    "CREATE TABLE facts(game INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, crc INTEGER NOT NULL,"
    " PRIMARY KEY(game, name)) WITHOUT ROWID",
    "CREATE TABLE trace(game INTEGER NOT NULL, n INTEGER NOT NULL, lines TEXT NOT NULL, crc INTEGER NOT NULL,"
    " PRIMARY KEY(game, n)) WITHOUT ROWID",
)
_CHECKED_WHOLE = 16 * 2**20
"""Bytes up to which a file is checked whole when it is opened; of a bigger one the traces are left out."""
_ROOM = 64 * 1024


class JournalError(Exception):
    """The journal cannot be used. The text is what is wrong and what to do; `where` is the file."""

    remedy = ""

    def __init__(self, where: Path | None, wrong: str) -> None:
        super().__init__(f"{wrong}; {self.remedy}")
        self.where = where


class JournalFromNewerVersion(JournalError):
    """A later boardctl wrote the file."""

    remedy = "update boardctl, or choose another folder with --state"


class JournalDamaged(JournalError):
    """The file, or a row of it, is not as it was written; or it is no journal at all."""

    remedy = "it is left as it is: move it away, or choose another folder with --state"


class JournalReadOnly(JournalError):
    """The file or its folder cannot be written or made."""

    remedy = "allow writing there, or choose another folder with --state"


class JournalInUse(JournalError):
    """Another process holds the file."""

    remedy = "end that one first, or choose another folder with --state"


class DiskFull(JournalError):
    """There is no room left to write."""

    remedy = "free some space: until then the game is kept in memory only"


class DiskFailed(JournalError):
    """The disk answers a write or a read with an error."""

    remedy = "look at the disk or the card: until it can be written the game is kept in memory only"


class NoSuchGame(JournalError):
    """The journal holds no game of that number."""

    remedy = "boardctl history lists those there are"


class Opened(NamedTuple):
    """An open file: close `held` to let go of it."""

    db: sqlite3.Connection
    held: ExitStack


def opened(path: Path) -> Opened:
    """The file, made if there is none, for writing, held against other processes.

    Raises `JournalInUse`, `JournalFromNewerVersion`, `JournalDamaged`, `JournalReadOnly`, `DiskFull` or
    `DiskFailed`; the file is then as it was.
    """
    with named(path), ExitStack() as held:
        path.parent.mkdir(parents=True, exist_ok=True)
        held.enter_context(_lock(path))
        if _absent(path):
            _make(path)
        with closing(_connected(path, _reading(path))) as db:
            _examine(db, path)
        path.open("r+b").close()  # where this is refused SQLite would open it for reading, without a word
        db = held.enter_context(closing(_connected(path, "mode=rw")))
        db.execute("PRAGMA synchronous = FULL")
        return Opened(db, held.pop_all())


def opened_for_reading(path: Path) -> Opened:
    """The file for reading only, also while another process writes it; one in memory where there is none.

    Raises as `opened` does, but never `JournalInUse`.
    """
    with named(path), ExitStack() as held:
        if _absent(path):
            return opened_in_memory()
        db = held.enter_context(closing(_connected(path, _reading(path))))
        _examine(db, path)
        return Opened(db, held.pop_all())


def opened_in_memory() -> Opened:
    """No file: all is gone when it is closed."""
    held = ExitStack()
    db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    held.enter_context(closing(db))
    _lay_out(db)
    return Opened(db, held)


def beside(path: Path) -> Path:
    """A name next to this file that no journal has: `journal-2.sqlite`, `journal-3.sqlite`, ..."""
    names = (path.with_stem(f"{path.stem}-{number}") for number in count(2))
    return next(name for name in names if not name.exists() and not _companion(name, "wal").exists())


def _companion(path: Path, kind: str) -> Path:
    return path.with_name(f"{path.name}-{kind}")


def _absent(path: Path) -> bool:
    """Whether nothing of a journal is here. Raises `JournalDamaged` where only its write-ahead log is."""
    if path.exists() and path.stat().st_size > 0:
        return False
    log = _companion(path, "wal")
    if log.exists() and log.stat().st_size > 0:
        raise JournalDamaged(path, f"the main part of the journal is gone, only {log.name} is left")
    return True


def _make(path: Path) -> None:
    """Make the file under another name first, so that a kill here leaves none instead of half a one."""
    new = _companion(path, "new")
    for stray in path.parent.glob(f"{new.name}*"):
        stray.unlink()
    with closing(_connected(new, "mode=rwc")) as db:
        _lay_out(db)
        db.execute("PRAGMA journal_mode = WAL")
    new.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _lay_out(db: sqlite3.Connection) -> None:
    with db:
        db.execute("BEGIN IMMEDIATE")
        for statement in _SCHEMA:
            db.execute(statement)
        db.execute(f"PRAGMA application_id = {_APPLICATION}")
        db.execute(f"PRAGMA user_version = {VERSION}")


def _connected(path: Path, how: str) -> sqlite3.Connection:
    address = f"{path.absolute().as_uri()}?{how}"
    return sqlite3.connect(address, uri=True, isolation_level=None, timeout=1.0, check_same_thread=False)


def _reading(path: Path) -> str:
    """How to open a file so that nothing is made or changed: without a log, nobody is writing it."""
    return "mode=ro" if _companion(path, "wal").exists() else "immutable=1"


def _examine(db: sqlite3.Connection, path: Path) -> None:
    """Raise `JournalFromNewerVersion` or `JournalDamaged` if this is not a sound journal of ours."""
    application, version = (
        db.execute(f"PRAGMA {key}").fetchone()[0] for key in ("application_id", "user_version")
    )
    if application != _APPLICATION:
        raise JournalDamaged(path, "this is not a journal of boardctl")
    if version > VERSION:
        wrong = f"a newer boardctl wrote this journal (form {version}, this one reads {VERSION})"
        raise JournalFromNewerVersion(path, wrong)
    found = tuple(statement for (statement,) in db.execute("SELECT sql FROM sqlite_schema ORDER BY rowid"))
    if found != _SCHEMA:
        raise JournalDamaged(path, "the tables of the journal are not as they should be")
    for table in _to_check(path):
        problem = db.execute(f"PRAGMA integrity_check{table}").fetchone()[0]
        if problem != "ok":
            raise JournalDamaged(path, "the journal is damaged")


def _to_check(path: Path) -> Sequence[str]:
    if path.stat().st_size <= _CHECKED_WHOLE:
        return ("",)
    return ("(games)", "(entries)", "(facts)")


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    """Hold the file against other processes; however this process ends, the system lets go of it."""
    name = _companion(path, "lock")
    lock = _locked(name)
    try:
        yield
    finally:
        with suppress(OSError):
            name.unlink()
        os.close(lock)


def _locked(name: Path) -> int:
    lock = os.open(name, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BaseException:
        os.close(lock)
        raise
    if os.fstat(lock).st_nlink:
        return lock
    os.close(lock)  # whoever held it has just removed the name: there is a new one to lock
    return _locked(name)


@contextmanager
def named(path: Path | None) -> Iterator[None]:
    """Turn what SQLite and the system raise into exceptions of ours."""
    try:
        yield
    except sqlite3.ProgrammingError:
        raise
    except sqlite3.DatabaseError as error:
        raise _sqlite_fault(path, error) from error
    except UnicodeDecodeError as error:  # of a text in the file
        raise JournalDamaged(path, "the journal is damaged") from error
    except BlockingIOError as error:
        raise JournalInUse(path, "another boardctl uses this journal") from error
    except OSError as error:
        raise _system_fault(path, error) from error


def _system_fault(path: Path | None, error: OSError) -> JournalError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DiskFull(path, "the disk is full")
    if error.errno == errno.EIO:
        return DiskFailed(path, "the disk reports an error")
    return JournalReadOnly(path, f"the journal cannot be written ({error.strerror})")


def _sqlite_fault(path: Path | None, error: sqlite3.DatabaseError) -> JournalError:
    match getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF:
        case sqlite3.SQLITE_FULL:
            return DiskFull(path, "the disk is full")
        case sqlite3.SQLITE_IOERR if path and shutil.disk_usage(path.parent).free < _ROOM:
            return DiskFull(path, "the disk is full")
        case sqlite3.SQLITE_IOERR:
            return DiskFailed(path, "the disk reports an error")
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return JournalReadOnly(path, "the journal cannot be written")
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return JournalInUse(path, "another program uses this journal")
        case _:
            return JournalDamaged(path, f"the journal is damaged ({error})")
