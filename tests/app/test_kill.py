"""A game that is killed again and again loses no move that it announced."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from boardctl.shells.journal import Journal
from tests.app.evening import entry

KILLS = 100


def killed(journal: Path, seed: int, after: float) -> list[str]:
    """Play from a journal in a process of its own, kill it `after` so many seconds. Answers what it announced."""
    player = subprocess.Popen(
        [sys.executable, "-m", "tests.app.evening", str(journal), str(seed)],
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    try:
        said, _ = player.communicate(timeout=after)
    except subprocess.TimeoutExpired:
        player.kill()
        said, _ = player.communicate()
    whole = said.decode().rpartition("\n")[0]  # a line cut short was not announced
    return [line for line in whole.split("\n") if line and line not in ("ready", "over")]


def recorded(path: Path) -> list[str]:
    """All entries of all games in a journal."""
    with Journal.open(path) as journal:
        told = (entry(each.command) for game in journal.games() for each in journal.entries(game.id))
        return [line for line in told if line is not None]


def missing(announced: list[str], kept: list[str]) -> Iterator[str]:
    """Announced entries that are not in the journal, in their order."""
    rest = iter(kept)
    for line in announced:
        if line not in rest:  # takes from `rest` up to the line
            yield line
            return


@pytest.mark.slow
def test_a_hundred_kills_lose_no_announced_move(tmp_path: Path) -> None:
    draw = random.Random(2026)
    path = tmp_path / "journal.sqlite"
    announced: list[str] = []
    for number in range(KILLS):
        announced += killed(path, number, draw.uniform(0.3, 0.9))
        assert list(missing(announced, recorded(path))) == []
    kept = recorded(path)
    assert len(announced) > KILLS // 5  # they did play, and were killed in the middle of it
    assert len(kept) - len(announced) <= 2 * KILLS  # at most what was kept and not yet said at each kill


def test_a_killed_game_goes_on_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    first = killed(path, 1, 0.6)
    kept = recorded(path)
    again = killed(path, 1, 10.0)  # to the end of that game, unless it was over before
    assert list(missing([*first, *again], recorded(path))) == []
    with Journal.open(path) as journal:
        games = journal.games()
    assert [game.result for game in games[:1]] != ["unfinished"]
    assert recorded(path)[: len(kept)] == kept
