"""Calls that are done at once: help, exit statuses, listings, recordings."""

from __future__ import annotations

import json
import os
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest
import typer

from boardctl.cli import app
from tests.cli import readme
from tests.cli.command import COMMAND, ROOT, Ran, boardctl
from tests.cli.game import typed

Call: TypeAlias = Callable[..., Ran]

HEADER = {"trace": 1, "game": "othello", "sensors": "polarity"}
MOVE = [
    {"t": 1.0, "cell": "d3", "sees": "heads"},
    {"t": 2.0, "cell": "d4", "sees": "empty"},
    {"t": 2.2, "cell": "d4", "sees": "heads"},
    {"t": 5.0, "end": True},
]


def trace(*lines: object) -> str:
    return "".join(f"{json.dumps(line)}\n" for line in lines)


@pytest.fixture
def taken() -> Iterator[str]:
    """A port that somebody else has."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield str(other.getsockname()[1])


# Help


@pytest.mark.parametrize("command", readme.commands())
def test_every_help_has_an_example_that_can_be_called(call: Call, command: str) -> None:
    ran = call(command, "--help")
    _, example = readme.told(readme.commands()[command])
    assert (ran.status, ran.err) == (0, "")
    assert f"Example: {example}" in " ".join(ran.out.split())
    assert example.startswith(f"boardctl {command}")
    words = example.partition(" > ")[0].split()
    typer.main.get_command(app).make_context("boardctl", words[1:], resilient_parsing=False)


# Exit statuses


WRONG_CALLS = [
    ([], "Missing command; see boardctl --help"),
    (["playy"], "No such command 'playy'"),
    (["play", "--sensor", "presence"], "see boardctl play --help"),
    (["play", "--policy", "strict"], "see boardctl play --help"),
    (["play", "--port", "70000"], "see boardctl play --help"),
    (["play", "chess", "--port", "0"], "play: there is no game 'chess'; "),
    (["play", "othello", "-o", "siez=8", "--port", "0"], "play: there is no option 'siez'; "),
    (["play", "othello", "-o", "size=7", "--port", "0"], "play: size is 7; it is one of 4, 6, 8, 10; "),
    (["play", "othello", "-o", "size", "--port", "0"], "--option: 'size' is not NAME=VALUE; write"),
    (["run"], "run: Missing option '--config'; see boardctl run --help"),
    (["run", "--config", "nowhere.toml"], "nowhere.toml: No such file or directory; "),
    (["games", "--yaml"], "games: No such option: --yaml; see boardctl games --help"),
    (["replay"], "replay: Missing argument"),
    (["replay", "nowhere.jsonl"], "nowhere.jsonl: No such file or directory; "),
    (["replay", "."], ".: Is a directory; "),
    (["history", "all"], "history: Got unexpected extra argument"),
    (["export"], "export: Missing argument"),
    (["export", "three"], "see boardctl export --help"),
    (["export", "3", "--as", "pdf"], "see boardctl export --help"),
    (["perft", "othello"], "perft: Missing argument"),
    (["perft", "othello", "-1"], "see boardctl perft --help"),
    (["perft", "chess", "3"], "perft: there is no game 'chess'; "),
    (["perft", "bracket", "3", "-o", "first=black"], "perft: first is 'black'; it is one of X, O; "),
]


@pytest.mark.parametrize(("words", "said"), WRONG_CALLS, ids=[" ".join(words) for words, _ in WRONG_CALLS])
def test_a_wrong_call_ends_with_2_and_one_line(
    call: Call, tmp_path: Path, words: list[str], said: str
) -> None:
    state = ["--state", str(tmp_path)] if words[:1] == ["play"] else []
    ran = call(*words, *state)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
    assert ran.err.startswith("boardctl: ")
    assert ran.err.count("\n") == 1
    assert ran.err.endswith("\n")


def faulty(tmp_path: Path, taken: str) -> dict[str, list[str]]:
    """For every command that looks for faults, a call that finds one."""
    damaged = tmp_path / "damaged"
    damaged.mkdir()
    (damaged / "journal.sqlite").write_bytes(b"this is no journal " * 100)
    config = tmp_path / "board.toml"
    config.write_text(f"[web]\nport = {taken}\n[state]\nfolder = 'state'\n")
    return {
        "play": ["play", "--port", taken, "--state", str(tmp_path / "state")],
        "run": ["run", "--config", str(config)],
        "history": ["history", "--state", str(damaged)],
        "export": ["export", "7", "--state", str(tmp_path / "state")],
    }


@pytest.mark.parametrize("command", ["play", "run", "history", "export"])
def test_a_fault_that_is_found_ends_with_1_and_one_line(
    call: Call, tmp_path: Path, taken: str, command: str
) -> None:
    ran = call(*faulty(tmp_path, taken)[command])
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith(f"boardctl: {command}")
    assert ran.err.count("; ") >= 1
    assert ran.err.count("\n") == 1


def test_a_port_that_somebody_else_has_is_named(call: Call, tmp_path: Path, taken: str) -> None:
    ran = call(*faulty(tmp_path, taken)["play"])
    assert ran.err == (
        f"boardctl: play: the page cannot be served on 127.0.0.1, port {taken}: Address already in use; "
        "choose another port\n"
    )


def test_a_recording_with_a_malformed_line_ends_with_2_after_what_came_before() -> None:
    ran = boardctl("replay", "-", "--json", typed=trace(HEADER, MOVE[0], {"t": 0.5, "cell": "d4"}))
    told = [json.loads(line) for line in ran.out.splitlines()]
    assert ran.status == 2
    assert told[0]["event"] == "turn"
    assert ran.err.startswith("boardctl: -, line 3: ")
    assert ran.err.count("\n") == 1


def test_who_stops_reading_is_not_scolded(tmp_path: Path) -> None:
    moves = [
        {"t": float(t), "say": f"asdf{t}"}
        for t in range(1, 5000)  # more than a pipe holds
    ]
    path = tmp_path / "long.trace.jsonl"
    path.write_text(trace(HEADER, *moves))
    reading = subprocess.Popen(
        [*COMMAND, "replay", str(path), "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
    )
    assert reading.stdout is not None and reading.stderr is not None
    reading.stdout.readline()
    reading.stdout.close()
    assert (reading.wait(60), reading.stderr.read()) == (0, b"")
    reading.stderr.close()


# What is printed


@pytest.mark.parametrize(
    "words",
    [
        ["games"],
        ["history"],
        ["perft", "othello", "3"],
        ["perft", "bracket", "3", "--divide"],
    ],
    ids=lambda words: words[0],
)
def test_json_is_json_lines_and_nothing_else(call: Call, tmp_path: Path, words: list[str]) -> None:
    state = ["--state", str(tmp_path)] if words == ["history"] else []
    ran = call(*words, "--json", *state)
    assert (ran.status, ran.err) == (0, "")
    assert all(isinstance(json.loads(line), dict) for line in ran.out.splitlines())
    assert ran.out == "" or ran.out.endswith("}\n")


def test_the_games_are_listed_with_every_option_and_its_default(call: Call) -> None:
    listed = {each["name"]: each for each in map(json.loads, call("games", "--json").out.splitlines())}
    assert {"bracket", "brax", "flip-switch", "fundex", "othello"} <= listed.keys()
    assert {option["name"]: option["default"] for option in listed["bracket"]["options"]} == {
        "first": "X",
        "diagonal": "standard",
        "pass": "announce",
        "empties_to_winner": False,
        "practice": 0,
        "size": 6,
    }
    told = call("games").out
    for name, game in listed.items():
        assert f"{name}: {game['title']}. {game['about']}\n" in told
        for option in game["options"]:
            assert (
                f"    {option['name']} = {str(option['default']).replace('False', 'false').replace('True', 'true')}"
                in told
            )


def test_a_recording_is_read_from_standard_input() -> None:
    ran = boardctl("replay", "-", "--json", typed=trace(HEADER, *MOVE))
    told = [json.loads(line) for line in ran.out.splitlines()]
    assert (ran.status, ran.err) == (0, "")
    assert [each for each in told if each["event"] in ("move", "complete")] == [
        {
            "t": 1.33,
            "event": "move",
            "ply": 1,
            "player": "black",
            "move": "d3",
            "cells": {"d3": [None, "black"], "d4": ["white", "black"]},
        },
        {"t": 2.23, "event": "complete", "ply": 1},
    ]


def test_a_recording_is_told_in_sentences_to_people() -> None:
    ran = boardctl("replay", "-", typed=trace(HEADER, *MOVE))
    said = [(float(line[:9]), line[11:]) for line in ran.out.splitlines()]
    assert said == [
        (0.0, "Black to move."),
        (1.33, "Black plays D3."),
        (1.33, "Turn D4."),
        (2.23, "White to move."),
    ]


def long_recording(path: Path) -> Path:
    """More than half a megabyte of nudges."""
    nudges = [{"t": t / 10, "cell": "d4", "sees": ("empty", "tails")[t % 2]} for t in range(12_000)]
    path.write_text(trace(HEADER, *nudges, {"t": 1e4, "end": True}))
    return path


def test_a_long_recording_shows_on_a_terminal_how_far_it_is_and_keeps_the_answers_clean(
    tmp_path: Path,
) -> None:
    path = long_recording(tmp_path / "long.trace.jsonl")
    near, far = os.openpty()
    with (tmp_path / "answers.jsonl").open("wb") as answers:
        replaying = subprocess.Popen(
            [*COMMAND, "replay", str(path), "--json"],
            stdin=subprocess.DEVNULL,
            stdout=answers,
            stderr=far,
            env=os.environ | {"TERM": "xterm", "LANG": "C.UTF-8"},
            cwd=ROOT,
        )
    os.close(far)
    shown = b"".join(iter(lambda: read_or_end(near), b"")).decode()
    os.close(near)
    assert replaying.wait(60) == 0
    assert "replaying" in shown
    assert "100%" in shown
    told = [json.loads(line) for line in (tmp_path / "answers.jsonl").read_text().splitlines()]
    assert told[0]["event"] == "turn"


def read_or_end(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # the program has ended
        return b""


def test_a_long_recording_shows_nothing_extra_where_no_terminal_is(tmp_path: Path) -> None:
    ran = boardctl("replay", long_recording(tmp_path / "long.trace.jsonl"), "--json")
    assert (ran.status, ran.err) == (0, "")


def test_a_game_is_counted_as_published(call: Call) -> None:
    assert call("perft", "othello", "4").out == "244\n"
    divided = call("perft", "othello", "2", "--divide").out
    assert divided == "c4       3\nd3       3\ne6       3\nf5       3\n12\n"


def test_a_typed_game_is_the_same_for_the_same_seed() -> None:
    assert typed("bracket", {"size": 4}, 1) == typed("bracket", {"size": 4}, 1)
