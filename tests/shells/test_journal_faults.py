"""What the journal says when its file cannot be used, that it leaves the file alone, and that play goes on."""

from __future__ import annotations

import os
import random
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from boardctl.core.commands import Moved, Owed
from boardctl.shells.journal import (
    DiskFailed,
    Entry,
    Journal,
    JournalDamaged,
    JournalError,
    JournalFromNewerVersion,
    JournalInUse,
    JournalReadOnly,
    Summary,
    beside,
)
from tests.shells.journal_player import Player

WALL = "2025-11-30T21:55:00+01:00"


def move(ply: int) -> Moved:
    """A move; the journal knows no rules, so any will do."""
    return Moved(ply, "black", f"d{ply}", {f"d{ply}": (None, "black")})


def written(path: Path, plies: int = 3) -> Path:
    """A journal with one game, closed."""
    with Journal.open(path) as journal:
        game = journal.begin({"game": "othello"}, WALL)
        for ply in range(1, plies + 1):
            journal.note(game, {"t": float(ply), "cell": f"d{ply}", "sees": "heads"})
            journal.commit(game, [move(ply), Owed("move", {})], float(ply))
    return path


def refused(path: Path) -> JournalError:
    """Why the file is not opened; checks that nothing in its folder was touched by trying."""
    before = contents(path.parent)
    with pytest.raises(JournalError) as raised:
        Journal.open(path)
    assert contents(path.parent) == before
    return raised.value


def contents(folder: Path) -> dict[str, bytes]:
    """Every file with its bytes, but for the lock and the index of a log, which are nothing of the game."""
    return {
        file.name: file.read_bytes() for file in folder.iterdir() if not file.name.endswith(("-shm", "-lock"))
    }


def told_twice(path: Path) -> list[object]:
    """All that a journal tells of its games."""
    with Journal.read(path) as journal:
        games = journal.games()
        return [(game, journal.as_json(game.id), list(journal.trace(game.id))) for game in games]


def test_a_second_process_is_refused_until_the_first_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    with Player(path) as player:
        assert player.said() == "ready"
        with pytest.raises(JournalInUse) as raised:
            Journal.open(path)
        assert str(raised.value) == (
            "another boardctl uses this journal; end that one first, or choose another folder with --state"
        )
        assert raised.value.where == path
        player.kill()
    with Journal.open(path) as journal:
        assert [game.game for game in journal.games()] == ["othello"]


def test_a_file_held_in_this_process_is_not_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    with Journal.open(path) as journal:
        with pytest.raises(JournalInUse):
            Journal.open(path)
        journal.commit(journal.begin({"game": "othello"}, WALL), [move(1)], 1.0)
    with Journal.open(path) as journal:
        assert len(journal.games()) == 1


def test_a_file_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    path = written(tmp_path / "journal.sqlite")
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 2")
    fault = refused(path)
    assert type(fault) is JournalFromNewerVersion
    assert str(fault) == (
        "a newer boardctl wrote this journal (form 2, this one reads 1); "
        "update boardctl, or choose another folder with --state"
    )


def test_a_file_of_a_newer_version_that_was_killed_is_left_alone(tmp_path: Path) -> None:
    path = written(tmp_path / "on" / "journal.sqlite")
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 2")
        shutil.copytree(path.parent, tmp_path / "killed")
    assert (tmp_path / "killed" / "journal.sqlite-wal").stat().st_size > 0
    assert type(refused(tmp_path / "killed" / "journal.sqlite")) is JournalFromNewerVersion


@pytest.mark.parametrize(
    "content", [b"d3 c5 f6", bytes(8192), b"SQLite format 3\0" + bytes(4080)], ids=["text", "zeros", "magic"]
)
def test_a_file_that_is_no_journal_is_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "journal.sqlite"
    path.write_bytes(content)
    assert type(refused(path)) is JournalDamaged


def test_the_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE bookmarks(address TEXT)")
    fault = refused(path)
    assert str(fault) == (
        "this is not a journal of boardctl; "
        "it is left as it is: move it away, or choose another folder with --state"
    )


def test_a_file_cut_short_is_left_alone(tmp_path: Path) -> None:
    path = written(tmp_path / "journal.sqlite")
    whole = path.read_bytes()
    for size in range(1, len(whole), 1021):
        path.write_bytes(whole[:size])
        assert type(refused(path)) is JournalDamaged


def test_a_log_whose_main_file_is_gone_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "killed" / "journal.sqlite"
    with Journal.open(tmp_path / "on" / "journal.sqlite") as journal:
        journal.begin({"game": "othello"}, WALL)
        shutil.copytree(journal.path.parent, path.parent)
    path.unlink()
    assert type(refused(path)) is JournalDamaged
    path.touch()
    assert type(refused(path)) is JournalDamaged


def test_an_empty_file_is_taken_for_none(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    path.touch()
    assert len(told_twice(written(path))) == 1


def test_a_journal_whose_making_was_cut_short_is_made_again(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite-new").write_bytes(b"SQLite format 3\0")
    (tmp_path / "journal.sqlite-new-journal").write_bytes(b"\xd9\xd5\x05\xf9")
    written(tmp_path / "journal.sqlite")
    assert [file.name for file in tmp_path.iterdir()] == ["journal.sqlite"]


def test_a_flipped_byte_anywhere_is_found_or_changes_nothing(tmp_path: Path) -> None:
    path = written(tmp_path / "journal.sqlite", plies=40)
    whole, truth = path.read_bytes(), told_twice(path)
    chance = random.Random(1)
    outcomes = set()
    for _ in range(150):
        flipped = bytearray(whole)
        flipped[chance.randrange(len(whole))] ^= chance.randrange(1, 256)
        path.write_bytes(flipped)
        outcomes.add(outcome(path, truth))
    assert outcomes == {"told", "refused", "the same"}


def outcome(path: Path, truth: list[object]) -> str:
    """What came of reading a flipped file."""
    try:
        with Journal.open(path):
            pass
    except JournalError:
        return "refused"
    try:
        assert told_twice(path) == truth
    except JournalError:
        return "told"
    return "the same"


def test_a_file_with_other_tables_is_left_alone(tmp_path: Path) -> None:
    path = written(tmp_path / "journal.sqlite")
    with closing(sqlite3.connect(path)) as db:
        db.execute("ALTER TABLE games ADD COLUMN place TEXT")
    assert type(refused(path)) is JournalDamaged


def test_a_file_with_tables_nobody_can_read_is_left_alone(tmp_path: Path) -> None:
    path = written(tmp_path / "journal.sqlite")
    path.write_bytes(path.read_bytes().replace(b"WITHOUT ROWID", b"WITHOUT\xa0ROWID"))
    assert type(refused(path)) is JournalDamaged


def test_an_entry_that_went_to_another_game_is_found_and_with_it_those_it_hides(tmp_path: Path) -> None:
    path = written(written(tmp_path / "journal.sqlite"), plies=30)
    whole = path.read_bytes()
    assert whole.count(b'\x02\x0a{"t":10.0') == 2, "once in the entries, once in the trace"
    path.write_bytes(whole.replace(b'\x02\x0a{"t":10.0,"event"', b'\x42\x0a{"t":10.0,"event"'))
    assert type(refused(path)) is JournalDamaged


def test_entries_in_the_place_of_a_trace_are_found(tmp_path: Path) -> None:
    path = written(tmp_path / "journal.sqlite")
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DELETE FROM trace")
        db.execute("INSERT INTO trace SELECT * FROM entries")
    with Journal.open(path) as journal, pytest.raises(JournalDamaged):
        list(journal.trace(1))


def test_of_a_big_file_the_games_are_checked_and_the_traces_only_when_they_are_read(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    long = "e" * 50_000
    with Journal.open(path) as journal:
        game = journal.begin({"game": "othello"}, WALL)
        journal.commit(game, [move(1)], 1.0)
        for number in range(400):
            journal.note(game, {"t": float(number), "say": long})
    whole = path.read_bytes()
    path.write_bytes(without_page(whole, len(whole) // 2))
    with Journal.open(path) as journal:
        assert journal.transcript(game) == "d1"
        with pytest.raises(JournalDamaged):
            list(journal.trace(game))
    path.write_bytes(without_page(whole, whole.index(b'"move":"d1"')))
    assert type(refused(path)) is JournalDamaged


def without_page(whole: bytes, at: int) -> bytes:
    """The file with zeros in the page around this byte."""
    start = at - at % 4096
    return whole[:start] + bytes(4096) + whole[start + 4096 :]


def test_a_damaged_game_is_told_and_the_others_are_still_there(tmp_path: Path) -> None:
    path = written(written(tmp_path / "journal.sqlite"))
    path.write_bytes(path.read_bytes().replace(b'"move":"d2"', b'"move":"d7"', 1))
    with Journal.open(path) as journal:
        assert [game.result for game in journal.games()] in (
            ["damaged", "unfinished"],
            ["unfinished", "damaged"],
        )
        damaged = next(game.id for game in journal.games() if game.result == "damaged")
        with pytest.raises(JournalDamaged, match=f"game {damaged} is not as it was written; "):
            journal.entries(damaged)


def test_a_missing_game_is_told(tmp_path: Path) -> None:
    path = written(written(tmp_path / "journal.sqlite"))
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DELETE FROM games WHERE game = 1")
    with Journal.open(path) as journal:
        assert journal.games() == [
            Summary(1, "?", "", 0, "damaged"),
            Summary(2, "othello", WALL, 3, "unfinished"),
        ]


def test_a_missing_entry_is_told(tmp_path: Path) -> None:
    path = written(tmp_path / "journal.sqlite")
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DELETE FROM entries WHERE n = 2")
    with (
        Journal.open(path) as journal,
        pytest.raises(JournalDamaged, match="a part of game 1 is missing; "),
    ):
        journal.unfinished()


def test_play_goes_on_beside_a_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    path.write_bytes(b"damaged")
    assert beside(path) == tmp_path / "journal-2.sqlite"
    written(beside(path))
    assert beside(path) == tmp_path / "journal-3.sqlite"


@pytest.fixture
def ordinary_user() -> Iterator[Path]:
    """A folder of somebody who is not root, whom the rights of files bind; the test runs as this person."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)
    finally:
        if root:
            os.seteuid(0)


def test_a_folder_that_may_not_be_written_is_named(ordinary_user: Path) -> None:
    path = written(ordinary_user / "journal.sqlite")
    ordinary_user.chmod(0o555)
    fault = refused(path)
    assert type(fault) is JournalReadOnly
    assert str(fault) == (
        "the journal cannot be written (Permission denied); allow writing there, or choose another folder with --state"
    )
    with Journal.read(path) as journal:
        assert journal.games() == [Summary(1, "othello", WALL, 3, "unfinished")]
    assert type(refused_new(ordinary_user / "new" / "journal.sqlite")) is JournalReadOnly
    ordinary_user.chmod(0o755)


def test_a_file_that_may_not_be_written_is_named(ordinary_user: Path) -> None:
    path = written(ordinary_user / "journal.sqlite")
    path.chmod(0o444)
    assert type(refused(path)) is JournalReadOnly


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("not a folder")
    assert type(refused_new(tmp_path / "state" / "journal.sqlite")) is JournalReadOnly
    assert type(refused_new(Path("/proc/boardctl/journal.sqlite"))) is JournalReadOnly


def refused_new(path: Path) -> JournalError:
    """Why no file is made here."""
    with pytest.raises(JournalError) as raised:
        Journal.open(path)
    return raised.value


def test_a_journal_open_for_reading_is_not_written(tmp_path: Path) -> None:
    path = written(tmp_path / "journal.sqlite")
    with Journal.read(path) as journal, pytest.raises(JournalReadOnly):
        journal.begin({"game": "brax"}, WALL)


@contextmanager
def files_no_longer_than(size: int) -> Iterator[None]:
    """A disk that fails to write beyond this size (the limit is the system's own)."""
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, usual[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)


def test_a_write_that_fails_is_told_once_and_made_good_when_the_disk_is_back(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    with Journal.open(path) as journal:
        game = journal.begin({"game": "othello"}, WALL)
        journal.commit(game, [move(1)], 1.0)
        size = path.with_name("journal.sqlite-wal").stat().st_size
        with files_no_longer_than(size):
            journal.note(game, {"t": 1.9, "cell": "d2", "sees": "heads"})
            with pytest.raises(DiskFailed) as raised:
                journal.commit(game, [move(2)], 2.0)
            journal.commit(game, [move(3)], 3.0)
            assert journal.fault is not None
            other = journal.begin({"game": "brax"}, WALL)
            journal.commit(other, [move(1)], 1.0)
            assert [entry.command for entry in journal.entries(game)] == [move(1)]
        journal.commit(other, [move(2)], 2.0)
        assert journal.fault is None
    assert str(raised.value) == (
        "the disk reports an error; "
        "look at the disk or the card: until it can be written the game is kept in memory only"
    )
    with Journal.open(path) as journal:
        assert journal.entries(game) == tuple(Entry(ply, float(ply), move(ply)) for ply in (1, 2, 3))
        assert journal.entries(other) == tuple(Entry(ply, float(ply), move(ply)) for ply in (1, 2))
        assert list(journal.trace(game))[1:] == [
            {"t": 1.9, "cell": "d2", "sees": "heads"},
            {"t": 3.0, "end": True},
        ]


def test_while_nothing_can_be_written_the_beginning_of_the_trace_is_held_and_no_more(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal.sqlite") as journal:
        game = journal.begin({"game": "othello"}, WALL)
        lines = [{"t": float(number), "cell": "d3", "sees": "empty"} for number in range(20_100)]
        with files_no_longer_than(1):
            with pytest.raises(DiskFailed):
                journal.commit(game, [move(1)], 1.0)
            for line in lines:
                journal.note(game, line)
        journal.flush()
        journal.note(game, {"t": 30_000.0, "cell": "d3", "sees": "heads"})
        assert list(journal.trace(game))[1:-1] == lines[:20_000]


def test_what_is_held_is_written_when_the_journal_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    with Journal.open(path) as journal:
        game = journal.begin({"game": "othello"}, WALL)
        with files_no_longer_than(1), pytest.raises(DiskFailed):
            journal.commit(game, [move(1)], 1.0)
        journal.note(game, {"t": 1.0, "cell": "d3", "sees": "heads"})
    with Journal.open(path) as journal:
        assert journal.entries(game) == (Entry(1, 1.0, move(1)),)
        assert len(list(journal.trace(game))) == 3


FILLED = """
import sys
from pathlib import Path
from boardctl.core.commands import Moved
from boardctl.shells.journal import DiskFull, Journal

folder = Path(sys.argv[1])
filler = folder / "filler"
Journal.open(folder / "earlier" / "journal.sqlite").close()
with Journal.open(folder / "journal.sqlite") as journal:
    game = journal.begin({"game": "othello"}, "")
    with filler.open("wb", buffering=0) as file:
        try:
            while file.write(bytes(4096)):
                pass
        except OSError:
            pass
    try:
        for ply in range(1, 100):
            journal.commit(game, [Moved(ply, "black", f"d{ply}", {})], 1.0)
    except DiskFull as fault:
        print(fault)
    for name in ("earlier", "other"):
        try:
            Journal.open(folder / name / "journal.sqlite")
        except DiskFull as fault:
            print(fault)
    journal.commit(game, [Moved(ply + 1, "black", f"d{ply + 1}", {})], 1.0)
    filler.unlink()
    journal.commit(game, [Moved(ply + 2, "black", f"d{ply + 2}", {})], 1.0)
with Journal.open(folder / "journal.sqlite") as journal:
    print([entry.command.ply for entry in journal.entries(game)] == list(range(1, ply + 3)))
"""


def test_a_full_disk_is_told_once_and_nothing_is_lost_when_there_is_room_again(tmp_path: Path) -> None:
    """On a disk of 512 KiB, which only a process with mounts of its own can have."""
    own = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]
    small = f'mount -t tmpfs -o size=512k none "{tmp_path}"'
    if (
        not shutil.which("unshare")
        or subprocess.run([*own, small], capture_output=True, check=False).returncode
    ):
        pytest.skip("this system lets no process have mounts of its own")
    run = subprocess.run(
        [*own, f'{small} && exec "$@"', "sh", sys.executable, "-c", FILLED, tmp_path],
        capture_output=True,
        text=True,
        check=False,
    )
    full = "the disk is full; free some space: until then the game is kept in memory only"
    assert (run.stdout.splitlines(), run.stderr) == ([full, full, full, "True"], "")


READ_ONLY = """
import sys
from pathlib import Path
from boardctl.shells.journal import Journal, JournalReadOnly

path = Path(sys.argv[1])
try:
    Journal.open(path)
except JournalReadOnly as fault:
    print(fault)
with Journal.read(path) as journal:
    print(len(journal.games()))
"""


def test_a_read_only_disk_is_told_and_its_history_can_be_read(tmp_path: Path) -> None:
    path = written(tmp_path / "journal.sqlite")
    own = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]
    frozen = f'mount --bind "{tmp_path}" "{tmp_path}" && mount -o remount,ro,bind "{tmp_path}"'
    if (
        not shutil.which("unshare")
        or subprocess.run([*own, frozen], capture_output=True, check=False).returncode
    ):
        pytest.skip("this system lets no process have mounts of its own")
    run = subprocess.run(
        [*own, f'{frozen} && exec "$@"', "sh", sys.executable, "-c", READ_ONLY, path],
        capture_output=True,
        text=True,
        check=False,
    )
    said = "the journal cannot be written (Read-only file system); "
    remedy = "allow writing there, or choose another folder with --state"
    assert (run.stdout.splitlines(), run.stderr) == ([said + remedy, "1"], "")
