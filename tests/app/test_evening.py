"""What an evening does when its journal cannot be used, and which game it goes on with."""

from __future__ import annotations

import contextlib
import resource
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from boardctl.app import opened
from boardctl.config import BoardPart, GamePart, Settings, StatePart, WebPart
from boardctl.core.commands import Moved
from boardctl.desk import PlayDesk
from boardctl.evening import _at_board, journal_path
from boardctl.plugins import found
from boardctl.shells.journal import Journal
from boardctl.trace import Header
from tests.app.evening import Evening, evening


def at(folder: Path) -> Settings:
    return Settings(
        game=GamePart(name="othello"),
        board=BoardPart(sensors="polarity"),
        web=WebPart(enabled=False),
        state=StatePart(folder=str(folder)),
    )


def test_a_damaged_journal_is_left_as_it_is_and_the_game_is_kept_beside_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = journal_path(tmp_path)
    old.write_bytes(b"this was never a journal" * 100)
    with _at_board(at(tmp_path)) as play:
        assert play.journal.path is not None and play.journal.path != old
        kept = play.journal.path
    assert old.read_bytes() == b"this was never a journal" * 100
    assert f"This game is kept in {kept.name}, beside it" in capsys.readouterr().err
    with Journal.read(kept) as journal:
        assert [game.game for game in journal.games()] == ["othello"]


def test_a_journal_of_a_newer_version_is_left_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with _at_board(at(tmp_path)):
        pass
    db = sqlite3.connect(journal_path(tmp_path))
    db.execute("PRAGMA journal_mode=DELETE")
    db.execute("PRAGMA user_version=99")
    db.commit()
    db.close()
    before = journal_path(tmp_path).read_bytes()
    with _at_board(at(tmp_path)) as play:
        assert play.journal.path is not None
    assert journal_path(tmp_path).read_bytes() == before
    assert "update boardctl" in capsys.readouterr().err


def test_a_second_evening_on_the_same_journal_is_played_in_memory(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with _at_board(at(tmp_path)), _at_board(at(tmp_path)) as second:
        assert second.journal.path is None
    assert "kept in memory only" in capsys.readouterr().err


def test_a_game_begun_on_the_page_goes_on_after_the_same_command(tmp_path: Path) -> None:
    path, header = tmp_path / "journal.sqlite", Header("othello", sensors="polarity")
    with Journal.open(path) as journal:
        night = evening(journal, header)
        desk = PlayDesk(night.play)
        assert (
            desk.do({"new": {"game": "bracket", "options": {"pass": "automatic"}, "policy": "club"}}) is None
        )
        night.put("b3", "X")
        night.play.close()
    with Journal.open(path) as journal:
        again = evening(journal, header, start=5000.0)
        assert (again.play.game.name, again.play.resumed) == ("bracket", True)
        assert again.owed() == {"c3": ("turn", "X")}
        assert PlayDesk(again.play).scene()["record"] == [
            {"ply": 1, "player": "X", "label": "b3", "undone": False, "practice": False}
        ]


def test_another_command_begins_another_game(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal.sqlite") as journal:
        evening(journal, Header("othello")).play.close()
        other = evening(journal, Header("othello", policy="club"), start=5000.0)
        assert not other.play.resumed
        assert [game.result for game in journal.games()] == ["unfinished", "unfinished"]


def test_a_ply_taken_back_stays_on_the_page_struck_out() -> None:
    time = [0.0]
    play = opened(
        Header("othello", sensors="polarity"),
        found(),
        Journal.in_memory(),
        clock=lambda: time[0],
        wall=lambda: "",
    )
    desk, night = PlayDesk(play), Evening(play, time)
    night.put("d3", "black")
    play.say("undo")
    night.settle()
    night.put("c4", "black")
    record = desk.scene()["record"]
    assert isinstance(record, list)
    assert [(entry["label"], entry["undone"]) for entry in record] == [("d3", True), ("c4", False)]


@contextlib.contextmanager
def no_file_may_grow() -> Iterator[None]:
    """The system refuses every write that makes a file longer, as a full disk does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_journal_that_cannot_be_written_is_said_and_kept_when_it_can(tmp_path: Path) -> None:
    path, header = tmp_path / "journal.sqlite", Header("othello", sensors="polarity")
    with Journal.open(path) as journal:
        night = evening(journal, header)
        desk = PlayDesk(night.play)
        with no_file_may_grow():
            night.put("d3", "black")
            assert any(isinstance(command, Moved) for command in night.heard)
            assert desk.scene()["journal"] is not None
        night.turn("d4")
        assert desk.scene()["journal"] is None
        night.play.close()
    with Journal.open(path) as journal:
        assert journal.transcript(1) == "d3"
