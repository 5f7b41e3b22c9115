"""The journal keeps a game as it was played, and tells it again in every form people ask for."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from boardctl.core.commands import (
    Begun,
    Called,
    Command,
    Completed,
    Debt,
    Ended,
    Light,
    Lit,
    Moved,
    Owed,
    Passed,
    RoundEnded,
    Scored,
    SensorDoubted,
    Stood,
    Turn,
    Undone,
    told,
)
from boardctl.shells.journal import Entry, Journal, NoSuchGame, Saved, Summary, standing

OTHELLO: Mapping[str, object] = {
    "game": "othello",
    "options": {"diagonal": "standard"},
    "sensors": "polarity",
    "hold": 0.03,
    "rest": 0.3,
    "start": "laid",
    "policy": "teach",
    "take_back": 2,
}
WALL = "2025-11-30T21:55:00+01:00"

D3 = Moved(1, "black", "d3", {"d3": (None, "black"), "d4": ("white", "black")})
C5 = Moved(2, "white", "c5", {"c5": (None, "white"), "d4": ("black", "white")})
C3 = Moved(2, "white", "c3", {"c3": (None, "white"), "d4": ("black", "white")})
WON = Ended("black", "no-moves", {"black": 34, "white": 30})


@pytest.fixture
def journal() -> Iterator[Journal]:
    """A journal in memory."""
    with Journal.in_memory() as journal:
        yield journal


def played(journal: Journal, *commands: Command) -> int:
    """A game in which these commands came, one a second."""
    game = journal.begin(OTHELLO, WALL)
    for second, command in enumerate(commands, start=1):
        journal.commit(game, [command], float(second))
    return game


def test_a_game_goes_on_from_the_file_as_it_was_left(tmp_path: Path) -> None:
    owed = Owed("move", {"d4": Debt("turn", "white"), "e5": Debt("take")})
    with Journal.open(tmp_path / "state" / "journal.sqlite") as journal:
        game = journal.begin(OTHELLO, WALL)
        journal.note(game, {"t": 1.2, "cell": "d3", "sees": "heads"})
        journal.commit(
            game, [SensorDoubted("h8", "stuck"), D3, Owed("move", {"d4": Debt("turn", "black")})], 1.5
        )
        journal.commit(game, [Undone(1, "d3"), SensorDoubted("h8", "back")], 3.0)
        journal.commit(game, [D3, C5, owed, SensorDoubted("a1", "set-aside")], 6.5, {"start": 1})

    with Journal.open(tmp_path / "state" / "journal.sqlite") as journal:
        assert journal.unfinished() == Saved(
            id=game,
            header=OTHELLO,
            started_at=WALL,
            entries=(
                Entry(1, 1.5, SensorDoubted("h8", "stuck")),
                Entry(2, 1.5, D3),
                Entry(3, 3.0, Undone(1, "d3")),
                Entry(4, 3.0, SensorDoubted("h8", "back")),
                Entry(5, 6.5, D3),
                Entry(6, 6.5, C5),
                Entry(7, 6.5, SensorDoubted("a1", "set-aside")),
            ),
            owed=owed,
            aside={"a1": "set-aside"},
            facts={"start": 1},
            last_t=6.5,
        )
        journal.commit(game, [Undone(2, "c5")], 8.0)
        assert journal.entries(game)[-1] == Entry(8, 8.0, Undone(2, "c5"))


def test_after_a_clean_end_there_is_one_file_in_the_folder(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal.sqlite") as journal:
        journal.commit(journal.begin(OTHELLO, WALL), [D3], 1.0)
    assert [file.name for file in tmp_path.iterdir()] == ["journal.sqlite"]


@pytest.mark.parametrize(
    "command",
    [
        Moved(1, "black", "d3", {"d3": (None, "black")}, practice=True),
        Moved(3, "red", "e6xf5", {"e6": ("red", None), "f5": ("blue", "red")}),
        Passed(4, "white"),
        Passed(4, "white", silent=True),
        Undone(4, "pass"),
        Called("blue", "brax", ("e6", "f5")),
        Scored("1", "star"),
        RoundEnded("2"),
        RoundEnded(None),
        Stood(7, {"d4": "white"}),
        SensorDoubted("e8", "chatter"),
        Ended(None, "agreed", {"black": 2, "white": 2}),
        Ended(("red_1", "red_2"), "no-pieces", {"blue": 0, "red_1": 1, "red_2": 2}),
    ],
    ids=lambda command: f"{type(command).__name__}",
)
def test_every_command_of_a_record_comes_back_as_it_was_given(journal: Journal, command: Command) -> None:
    game = played(journal, command)
    assert journal.entries(game) == (Entry(1, 1.0, command),)


def test_what_is_no_part_of_the_record_is_not_kept(journal: Journal) -> None:
    passing = [Turn(1, "black", ["d3"]), Completed(1), Begun("othello"), Lit({"d3": Light("hint")})]
    game = played(journal, *passing)
    assert journal.saved(game) == Saved(id=game, header=OTHELLO, started_at=WALL, entries=())


def test_of_what_is_owed_only_the_latest_is_known(journal: Journal) -> None:
    game = played(journal, Owed("move", {"d4": Debt("turn", "black")}), Owed("move", {}))
    assert journal.saved(game).owed == Owed("move", {})


def test_a_game_that_is_over_is_not_gone_on_with(journal: Journal) -> None:
    played(journal, D3, WON)
    assert journal.unfinished() is None


def test_a_game_whose_last_move_was_taken_back_after_the_end_goes_on(journal: Journal) -> None:
    game = played(journal, D3, C5, WON, Undone(2, "c5"))
    saved = journal.unfinished()
    assert saved is not None
    assert (saved.id, saved.ended) == (game, None)


def test_a_sensor_that_fails_after_the_end_does_not_open_the_game_again(journal: Journal) -> None:
    played(journal, D3, WON, SensorDoubted("a1", "stuck"))
    assert journal.unfinished() is None


def test_a_game_left_for_another_one_is_not_gone_on_with(journal: Journal) -> None:
    played(journal, D3)
    other = journal.begin({"game": "brax"}, WALL)
    journal.commit(other, [Ended("blue", "resigned", {"blue": 7, "red": 6})], 9.0)
    assert journal.unfinished() is None


def test_nothing_was_played_and_nothing_goes_on(journal: Journal) -> None:
    assert (journal.unfinished(), journal.games()) == (None, [])


def test_an_undo_takes_the_calls_after_the_move_and_leaves_those_before() -> None:
    call, later = Called("blue", "brax", ("f5",)), Called("red", "brax", ("e6",))
    assert standing([D3, call, C5, later, Undone(2, "c5")]) == [D3, call]


def test_practice_is_not_part_of_the_game(journal: Journal) -> None:
    practice = Moved(1, "black", "f5", {"f5": (None, "black")}, practice=True)
    game = played(journal, practice, D3, Undone(1, "d3"), D3)
    assert journal.transcript(game) == "d3"


def test_a_transcript_of_cells_is_glued_and_has_no_passes(journal: Journal) -> None:
    game = played(journal, D3, C5, Undone(2, "c5"), C3, Passed(3, "black"), Moved(4, "white", "f10", {}))
    assert journal.transcript(game) == "d3c3f10"


def test_a_transcript_of_other_labels_has_one_a_line(journal: Journal) -> None:
    game = played(
        journal,
        Moved(1, "blue", "g1-g3", {}),
        Called("blue", "brax", ("f5",)),
        Passed(2, "red"),
        Moved(3, "blue", "g3xf5", {}),
    )
    assert journal.transcript(game) == "g1-g3\nbrax\npass\ng3xf5"


def test_the_history_lists_every_game_with_its_result(journal: Journal) -> None:
    played(journal, D3, C5, Undone(2, "c5"), Passed(2, "white"), WON)
    allies = journal.begin({"game": "brax"}, "2025-12-01T09:00:00+01:00")
    journal.commit(allies, [Ended(("red_1", "red_2"), "no-pieces", {"blue": 0, "red_1": 1, "red_2": 2})], 4.0)
    drawn = journal.begin({"game": "othello"}, "2025-12-01T10:00:00+01:00")
    journal.commit(drawn, [D3, Ended(None, "agreed", {"black": 4, "white": 1})], 4.0)
    journal.begin({"game": "flip-switch"}, "2025-12-01T11:00:00+01:00")
    assert journal.games() == [
        Summary(1, "othello", WALL, 2, "black wins (no-moves): black 34, white 30"),
        Summary(
            2,
            "brax",
            "2025-12-01T09:00:00+01:00",
            0,
            "red_1 and red_2 win (no-pieces): blue 0, red_1 1, red_2 2",
        ),
        Summary(3, "othello", "2025-12-01T10:00:00+01:00", 1, "a draw (agreed): black 4, white 1"),
        Summary(4, "flip-switch", "2025-12-01T11:00:00+01:00", 0, "unfinished"),
    ]


def test_a_game_as_json_tells_the_moves_that_stand_and_the_whole_record(journal: Journal) -> None:
    game = played(journal, D3, C5, Undone(2, "c5"), C3, WON)
    whole = {
        "id": game,
        "header": OTHELLO,
        "started_at": WALL,
        "moves": ["d3", "c3"],
        "over": told(WON, 5.0),
        "record": [told(D3, 1.0), told(C5, 2.0), told(Undone(2, "c5"), 3.0), told(C3, 4.0), told(WON, 5.0)],
    }
    assert json.loads(json.dumps(journal.as_json(game))) == json.loads(json.dumps(whole))


def test_a_game_that_goes_on_has_no_over_in_json(journal: Journal) -> None:
    game = played(journal, WON, Undone(1, "d3"))
    assert journal.as_json(game)["over"] is None


def test_a_trace_has_its_header_every_line_and_an_end_late_enough_for_the_last_judgement(
    journal: Journal,
) -> None:
    game, other = journal.begin(OTHELLO, WALL), journal.begin({"game": "brax"}, WALL)
    placed = {"t": 1.2, "cell": "d3", "sees": "heads"}
    turned = {"t": 1.9, "cell": "d4", "sees": "heads"}
    journal.note(game, placed)
    journal.note(other, {"t": 0.5, "say": "resign"})
    journal.commit(game, [D3], 1.53)
    journal.note(game, turned)
    assert list(journal.trace(game)) == [{"trace": 1, **OTHELLO}, placed, turned, {"t": 1.9, "end": True}]
    journal.commit(game, [C5], 7.0)
    assert list(journal.trace(game))[-1] == {"t": 7.0, "end": True}
    assert list(journal.trace(other)) == [
        {"trace": 1, "game": "brax"},
        {"t": 0.5, "say": "resign"},
        {"t": 0.5, "end": True},
    ]


def test_the_clock_goes_on_from_the_latest_thing_kept(journal: Journal) -> None:
    game = played(journal, D3)
    journal.note(game, {"t": 4.0, "say": "undo"})
    journal.note(game, {"t": 4.5, "say": "undo"})
    journal.flush()
    saved = journal.unfinished()
    assert saved is not None
    assert saved.last_t == 4.5


def test_lines_wait_for_the_next_commit_until_there_are_five_hundred(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    with Journal.open(path) as journal:
        game = journal.begin(OTHELLO, WALL)
        lines = [{"t": float(number), "cell": "d3", "sees": "empty"} for number in range(500)]
        for line in lines[:-1]:
            journal.note(game, line)
        with Journal.read(path) as reader:
            assert list(reader.trace(game)) == [{"trace": 1, **OTHELLO}, {"t": 0.0, "end": True}]
            journal.note(game, lines[-1])
            assert list(reader.trace(game))[1:-1] == lines


def test_the_history_can_be_read_while_another_process_plays(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    with Journal.open(path) as journal:
        game = journal.begin(OTHELLO, WALL)
        journal.commit(game, [D3], 1.0)
        with Journal.read(path) as reader:
            assert reader.transcript(game) == "d3"
            journal.commit(game, [C5], 2.0)
            assert reader.transcript(game) == "d3c5"


def test_the_history_can_be_read_after_a_kill_and_nothing_is_changed_by_it(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "on" / "journal.sqlite") as journal:
        game = journal.begin(OTHELLO, WALL)
        journal.commit(game, [D3], 1.0)
        shutil.copytree(tmp_path / "on", tmp_path / "killed")
    parts = [tmp_path / "killed" / name for name in ("journal.sqlite", "journal.sqlite-wal")]
    before = [part.read_bytes() for part in parts]
    with Journal.read(parts[0]) as reader:
        assert reader.transcript(game) == "d3"
    assert [part.read_bytes() for part in parts] == before


def test_the_history_of_a_board_that_never_played_is_empty(tmp_path: Path) -> None:
    with Journal.read(tmp_path / "journal.sqlite") as journal:
        assert journal.games() == []
    assert list(tmp_path.iterdir()) == []


def test_a_game_nobody_played_is_named(journal: Journal) -> None:
    with pytest.raises(NoSuchGame) as raised:
        journal.transcript(7)
    assert str(raised.value) == "there is no game 7; boardctl history lists those there are"
