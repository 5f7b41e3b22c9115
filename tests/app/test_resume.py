"""A game that goes on after a restart, on a board that was touched meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardctl.core.events import Sensors
from boardctl.shells.journal import Journal
from boardctl.trace import Header
from tests.app.evening import evening


@pytest.mark.parametrize("sensors", ["presence", "polarity"])
def test_a_stray_disc_taken_away_while_nobody_looked_is_owed_no_more(
    tmp_path: Path, sensors: Sensors
) -> None:
    header = Header("othello", sensors=sensors)
    with Journal.open(tmp_path / "journal.sqlite") as journal:
        before = evening(journal, header)
        before.put("a1", "black")
        before.wait(4)
        before.play.close()
        assert before.owed() == {"a1": ("take", None)}
    with Journal.open(tmp_path / "journal.sqlite") as journal:
        after = evening(journal, header, start=2000.003)
        after.lift("a1") if "a1" in after.play.board.hands.truth() else after.wait(1)
        assert after.play.resumed
        assert after.owed() == {}


def test_discs_that_nobody_touched_meanwhile_have_not_been_turned_however_little_a_reading_must_hold(
    tmp_path: Path,
) -> None:
    header = Header("othello", sensors="presence", hold=0.0)
    with Journal.open(tmp_path / "journal.sqlite") as journal:
        before = evening(journal, header)
        before.put("d3", "black")
        before.play.close()
        assert before.owed() == {"d4": ("turn", "black")}
    with Journal.open(tmp_path / "journal.sqlite") as journal:
        after = evening(journal, header, start=2000.003)
        after.wait(5)
        assert after.owed() == {"d4": ("turn", "black")}


@pytest.mark.parametrize("sensors", ["presence", "polarity", "presses"])
def test_a_start_that_lies_there_from_the_beginning_was_laid_by_no_hand(
    tmp_path: Path, sensors: Sensors
) -> None:
    with Journal.open(tmp_path / "journal.sqlite") as journal:
        night = evening(journal, Header("othello", sensors=sensors), start=1000.003)
        night.wait(2)
        assert night.owed() == {}
        assert night.play.session.table.told_wrong.cells == {}
        night.put("d3", "black")
        assert night.owed() == {"d4": ("turn", "black")}
        night.play.close()
    with Journal.open(tmp_path / "journal.sqlite") as journal:
        night = evening(journal, Header("othello", sensors=sensors), start=2000.003)
        night.wait(2)
        assert night.owed() == {"d4": ("turn", "black")}
