"""Whatever a journal has said to have kept is there after a kill and after a power cut."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

from boardctl.core.commands import Moved
from boardctl.shells.journal import Journal
from tests.shells.journal_player import Player


def test_no_move_that_was_said_is_lost_in_thirty_kills(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    chance = random.Random(54)
    said: list[list[str]] = []
    for _ in range(30):
        with Player(path) as player:
            heard = [player.said() for _ in range(chance.randrange(1, 40))]
            said.append((heard + player.kill())[1:])
    with Journal.open(path) as journal:
        kept = [[move.command.move for move in journal.entries(game.id)] for game in journal.games()]
    assert len(kept) == 30
    for moves, heard in zip(kept, said, strict=True):
        assert moves in (heard, [*heard, f"d{len(heard) + 1}"])


def test_a_kill_while_the_file_is_made_leaves_none_or_a_whole_one(tmp_path: Path) -> None:
    chance = random.Random(55)
    for number in range(5):
        path = tmp_path / str(number) / "journal.sqlite"
        with Player(path) as player:
            while not path.parent.exists():
                pass
            for _ in range(chance.randrange(20_000)):
                pass
            player.kill()
        with Journal.open(path) as journal:
            assert len(journal.games()) <= 1


def test_a_power_cut_anywhere_in_the_last_writes_leaves_what_was_kept_before_them(tmp_path: Path) -> None:
    """The main file and the log are copied while the game is on, and the log is cut at every length."""
    path = tmp_path / "on" / "journal.sqlite"
    lengths = [0]
    with Journal.open(path) as journal:
        game = journal.begin({"game": "othello"}, "2025-11-30T21:55:00+01:00")
        for ply in range(1, 13):
            lengths.append(path.with_name("journal.sqlite-wal").stat().st_size)
            journal.note(game, {"t": float(ply), "cell": f"d{ply}", "sees": "heads"})
            journal.commit(game, [Moved(ply, "black", f"d{ply}", {})], float(ply))
        lengths.append(path.with_name("journal.sqlite-wal").stat().st_size)
        for number, cut in enumerate(range(0, lengths[-1] + 1, 1999)):
            left = left_after_cut(path, tmp_path / str(number), cut)
            reached = [length for length in lengths if length <= cut]
            assert left == [f"d{ply}" for ply in range(1, len(reached) - 1)]


def left_after_cut(path: Path, folder: Path, cut: int) -> list[str]:
    """The moves of a copy of the journal whose log ends at this length."""
    folder.mkdir()
    copy = Path(shutil.copy(path, folder))
    log = path.with_name("journal.sqlite-wal").read_bytes()
    copy.with_name("journal.sqlite-wal").write_bytes(log[:cut])
    with Journal.open(copy) as journal:
        saved = journal.unfinished()
        return [] if saved is None else [entry.command.move for entry in saved.entries]
