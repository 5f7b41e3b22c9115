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
        after = evening(journal, header, start=2000.0)
        after.lift("a1") if "a1" in after.play.board.hands.truth() else after.wait(1)
        assert after.play.resumed
        assert after.owed() == {}
