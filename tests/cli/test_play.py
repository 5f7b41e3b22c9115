"""Evenings at the command: typed games, the page's address, what a kill leaves, and every way to end."""

from __future__ import annotations

import json
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.cli.command import COMMAND, ROOT, Running, boardctl, piped
from tests.cli.game import typed

QUICK = ["--hold", "0.01", "--rest", "0.05"]
"""A judge in a hurry, so that a whole game takes seconds."""


def moves_of(state: Path, number: int) -> list[str]:
    """The moves of a game in the journal."""
    moves: list[str] = json.loads(boardctl("export", str(number), "--as", "json", "--state", state).out)[
        "moves"
    ]
    return moves


@pytest.mark.parametrize("sensors", ["presence", pytest.param("presses", marks=pytest.mark.slow)])
def test_a_whole_game_is_played_by_typed_words(tmp_path: Path, sensors: str) -> None:
    game = typed("bracket", {"size": 4}, seed=3)
    assert game.outcome is not None
    lines = [*game.lines, "record", "score", "quit"]
    played = boardctl(
        *[
            "play",
            "bracket",
            "-o",
            "size=4",
            "--no-web",
            "--sensors",
            sensors,
            "--state",
            str(tmp_path),
            *QUICK,
        ],
        typed="\n".join(lines),
    )
    assert (played.status, played.err) == (0, "")
    said = played.out.splitlines()
    points = sorted(game.outcome.score.values(), reverse=True)
    assert f"{game.outcome.winner} wins, {points[0]} to {points[1]}." in said
    assert moves_of(tmp_path, 1) == game.moves
    history = json.loads(boardctl("history", "--json", "--state", tmp_path).out)
    assert (history["id"], history["game"], history["plies"]) == (1, "bracket", len(game.moves))
    assert history["result"].startswith(f"{game.outcome.winner} wins")


def test_a_game_played_by_typed_words_replays_to_the_same_moves(tmp_path: Path) -> None:
    game = typed("othello", {}, seed=5, plies=6)
    played = boardctl("play", "--no-web", "--state", tmp_path, *QUICK, typed="\n".join(game.lines))
    assert (played.status, played.err) == (0, "")
    recording = boardctl("export", "1", "--as", "trace", "--state", tmp_path)
    replayed = boardctl("replay", "-", "--json", typed=recording.out)
    told = [json.loads(line) for line in replayed.out.splitlines()]
    assert [each["move"] for each in told if each["event"] == "move"] == game.moves
    assert boardctl("export", "1", "--state", tmp_path).out == f"{''.join(game.moves)}\n"


def test_all_that_can_be_asked_is_answered_without_a_board_to_see(tmp_path: Path) -> None:
    words = ["board", "moves", "d3", "owed", "look d4", "turn d4", "owed", "score", "record", "now", "quit"]
    played = boardctl("play", "--no-web", "--state", tmp_path, *QUICK, typed="\n".join(words))
    assert played.out.splitlines() == [
        "Othello. Black to move.",
        "Say help for all words.",
        "   A   B   C   D   E   F   G   H",
        "1  .   .   .   .   .   .   .   .",
        "2  .   .   .   .   .   .   .   .",
        "3  .   .   .  (.)  .   .   .   .",
        "4  .   .  (.)  O   X   .   .   .",
        "5  .   .   .   X   O  (.)  .   .",
        "6  .   .   .   .  (.)  .   .   .",
        "7  .   .   .   .   .   .   .   .",
        "8  .   .   .   .   .   .   .   .",
        "(.) may be played",
        "May be played: D3, C4, F5, E6.",
        "Black plays D3.",
        "Turn D4.",
        "D4: turn it to black.",
        "D4: white, turn it.",
        "White to move.",
        "Nothing is owed.",
        "Black 4, White 1, Black 29 left, White 30 left.",
        "1 Black D3.",
        "White to move.",
        "The game is kept. The same command goes on with it.",
    ]


def test_nonsense_is_answered_with_a_sentence_each(tmp_path: Path) -> None:
    words = [
        "hlep",
        "xyzzy",
        "put z9",
        "put d3 purple",
        "turn",
        "slide d4",
        "lift a1",
        "pass",
        "\x07",
        "a" * 99,
    ]
    played = boardctl("play", "--no-web", "--state", tmp_path, *QUICK, typed="\n".join(words))
    assert (played.status, played.err) == (0, "")
    assert played.out.splitlines()[2:] == [
        "There is no word hlep. Did you mean help? Say help for all words.",
        "xyzzy is no move and no word now. Choose another.",
        "There is no cell Z9 on this board.",
        "There is no side purple. Say black or white.",
        "Which cell? Say for example turn d3.",
        "From where to where? Say for example slide d3 e3.",
        "Nothing lies there.",
        "There is a move, so the turn cannot be passed. Make a move.",
        "There is no word for that. Say help for all words.",
        "That is too long. Say help for all words.",
        "The game is kept. The same command goes on with it.",
    ]


def test_a_game_killed_in_the_middle_goes_on_with_the_same_command(tmp_path: Path) -> None:
    words = ["play", "--no-web", "--state", str(tmp_path), *QUICK]
    with piped(*words) as playing:
        playing.until("Black to move.")
        playing.type("d3")
        playing.until("Black plays D3.", "Turn D4.")
        assert playing.end(signal.SIGKILL) == -signal.SIGKILL
    with piped(*words) as playing:
        playing.until("The game left unfinished goes on. Say new to give it up.")
        playing.type("record")
        playing.until("1 Black D3.")
        playing.type("owed")
        playing.until("D4: turn it to black.")
        playing.type("turn d4")
        playing.until("White to move.")
        playing.type("new")
        playing.until("The game was given up.", "A new game.")
        playing.type("quit")
        assert playing.end() == 0
    games = [json.loads(line) for line in boardctl("history", "--json", "--state", tmp_path).out.splitlines()]
    assert [(game["id"], game["plies"], game["result"].partition(":")[0]) for game in games] == [
        (1, 1, "given up"),
        (2, 0, "unfinished"),
    ]


def test_input_out_of_a_file_is_played_line_by_line(tmp_path: Path) -> None:
    lines = tmp_path / "lines.txt"
    lines.write_text("d3\nturn d4\nc3\nturn d4\n")
    with lines.open() as opened:
        played = run_with(opened.fileno(), tmp_path)
    assert played.splitlines()[2:] == [
        "Black plays D3.",
        "Turn D4.",
        "White to move.",
        "White plays C3.",
        "Turn D4.",
        "Black to move.",
        "The game is kept. The same command goes on with it.",
    ]


def run_with(fd: int, state: Path) -> str:
    """Play with this as standard input, to its end."""
    return subprocess.run(
        [*COMMAND, "play", "--no-web", "--state", str(state), *QUICK],
        stdin=fd,
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    ).stdout


def test_no_input_at_all_ends_at_once(tmp_path: Path) -> None:
    with piped("play", "--no-web", "--state", tmp_path, typing=False) as playing:
        assert playing.end() == 0
        assert "Black to move." in playing.said


# The page


def address(playing: Running) -> tuple[str, int]:
    """Where the page says that it is."""
    playing.until("open http://")
    host, port = re.findall(r"http://([\d.]+):(\d+)/", playing.until("/\n") and playing.said)[0]
    return host, int(port)


def got(where: tuple[str, int], path: str) -> tuple[int, str]:
    line = HTTPConnection(*where, timeout=30)
    try:
        line.request("GET", path)
        answer = line.getresponse()
        return answer.status, answer.read().decode()
    finally:
        line.close()


def test_the_page_is_served_where_it_says_and_the_judge_is_heard(tmp_path: Path) -> None:
    with piped("play", "--port", "0", "--state", tmp_path) as playing:
        where = address(playing)
        playing.until("Black to move.")
        assert got(where, "/healthz")[0] == 200
        assert "<title>" in got(where, "/")[1]
        assert playing.end(signal.SIGTERM) == 0
        assert playing.said.splitlines() == [
            f"Othello, open http://127.0.0.1:{where[1]}/",
            "Black to move.",
        ]


@contextmanager
def configured(tmp_path: Path, more: str = "") -> Iterator[Running]:
    file = tmp_path / "board.toml"
    file.write_text(f'[game]\nname = "fundex"\n[web]\nport = 0\n[state]\nfolder = "state"\n{more}')
    with piped("run", "--config", file) as running:
        yield running


def test_a_configuration_runs_and_prints_nothing_but_address_and_sentences(tmp_path: Path) -> None:
    with configured(tmp_path) as running:
        where = address(running)
        running.until("White to move.")
        assert got(where, "/healthz")[0] == 200
        assert running.end(signal.SIGTERM) == 0
        assert running.said.splitlines() == [
            f"Fundex Reversi, open http://127.0.0.1:{where[1]}/",
            "White to move.",
        ]
    assert (tmp_path / "state" / "journal.sqlite").exists()


def test_a_configuration_without_a_page_runs_until_it_is_told_to_end(tmp_path: Path) -> None:
    file = tmp_path / "board.toml"
    file.write_text(f'[web]\nenabled = false\n[state]\nfolder = "{tmp_path}"\n')
    with piped("run", "--config", file, typing=False) as running:
        running.until("Black to move.\n")
        assert running.end(signal.SIGTERM) == 0
        assert running.said == "Black to move.\n"


def test_all_faults_of_a_configuration_are_told_at_once(tmp_path: Path) -> None:
    file = tmp_path / "board.toml"
    file.write_text(
        'speed = 3\n[game]\noptions = { sizes = 8, pass = "never" }\n[judge]\npolicy = "strict"\n[web]\nport = 99999\n'
    )
    ran = boardctl("run", "--config", file)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.splitlines() == [
        f"boardctl: {file}: speed: there is no such key; write one of game, board, judge, web, state",
        f"boardctl: {file}: game.options.sizes: othello has no such option; did you mean size?",
        f"boardctl: {file}: game.options.pass: pass is 'never'; it is one of announce, automatic",
        f"boardctl: {file}: judge.policy: 'strict' cannot be; write teach, club or tournament",
        f"boardctl: {file}: web.port: 99999 cannot be; write a whole number from 0 to 65535",
    ]


# Ends


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
@pytest.mark.parametrize("page", [["--port", "0"], ["--no-web"]], ids=["page", "terminal"])
def test_a_signal_ends_the_evening_well_and_what_was_seen_is_kept(
    tmp_path: Path, page: list[str], ending: signal.Signals
) -> None:
    with piped("play", *page, "--state", tmp_path) as playing:
        playing.until("Black to move.")
        assert playing.end(ending) == 0
        assert "Traceback" not in playing.said
    recorded = boardctl("export", "1", "--as", "trace", "--state", tmp_path).out.splitlines()
    assert {"t": 0.0, "cell": "d4", "sees": "tails"}.items() <= (
        {**json.loads(recorded[1]), "t": 0.0}.items() if len(recorded) > 2 else set()
    )
    assert json.loads(recorded[-1])["end"] is True


def test_a_journal_that_cannot_be_written_is_said_once_and_play_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "no-folder"
    file.touch()
    played = boardctl("play", "--no-web", "--state", file, *QUICK, typed="d3\nturn d4\nquit\n")
    assert played.status == 0
    assert played.out.splitlines()[2:] == ["Black plays D3.", "Turn D4.", "White to move."]
    assert played.err.startswith(f"boardctl: {file}/journal.sqlite: the journal cannot be written")
    assert "This game is kept in memory only" in played.err
    assert played.err.count("\n") == 1


def test_two_evenings_with_one_journal_do_not_mix(tmp_path: Path) -> None:
    with piped("play", "--no-web", "--state", tmp_path) as first:
        first.until("Black to move.")
        second = boardctl("play", "--no-web", "--state", tmp_path, typed="quit\n")
        assert second.status == 0
        assert "another boardctl uses this journal" in second.err
        first.type("quit")
        assert first.end() == 0
    assert boardctl("history", "--state", tmp_path).out.count("\n") == 1
