"""The terminal without one: the board in letters, what typed lines mean, keys, and lines carried out in turn."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from boardctl.desk import PlayDesk
from boardctl.shells.journal import Journal
from boardctl.shells.terminal import drawn, keys, plain, rhythm, told
from boardctl.shells.terminal.desk import Scene
from boardctl.shells.terminal.screen import picture
from boardctl.shells.terminal.typed import Answer, Do, Leave, meant
from boardctl.trace import Header
from hardware.legend import legend
from tests.app.evening import Evening, evening

OTHELLO = Header("othello")
SIGNS = {
    "wrong": {"meaning": "wrong", "step": 0, "do": None, "to": None},
    "turn": {"meaning": "owed", "step": 1, "do": "turn", "to": "white"},
    "put": {"meaning": "owed", "step": 0, "do": "put", "to": "white"},
    "take": {"meaning": "owed", "step": 0, "do": "take", "to": None},
    "confirm": {"meaning": "owed", "step": 0, "do": "confirm", "to": "white"},
    "choice": {"meaning": "choice", "step": 0, "do": None, "to": None},
    "mark": {"meaning": "mark", "step": 0, "do": None, "to": None},
    "hint": {"meaning": "hint", "step": 0, "do": None, "to": None},
    "last": {"meaning": "last", "step": 0, "do": None, "to": None},
}


@contextmanager
def seat(header: Header = OTHELLO) -> Iterator[tuple[Evening, PlayDesk]]:
    """A board in virtual time and its desk."""
    with Journal.in_memory() as journal:
        night = evening(journal, header)
        yield night, PlayDesk(night.play)


def scene_of(header: Header = OTHELLO) -> Scene:
    with seat(header) as (_, desk):
        return desk.scene()


def board(scene: Scene) -> str:
    return "\n".join(drawn.text(line) for line in drawn.drawing(scene))


def strange(cells: Mapping[str, tuple[float, float]], lit: Mapping[str, str] | None = None) -> Scene:
    """A board of no game: black on every cell, lights as given."""
    lights = {cell: SIGNS[said] for cell, said in (lit or {}).items()}
    return {
        "game": {
            "cells": [{"cell": cell, "name": cell.upper(), "x": x, "y": y} for cell, (x, y) in cells.items()],
            "faces": {"black": "heads", "white": "tails"},
            "letters": {"black": "X", "white": "O"},
            "noun": "disc",
            "hands": "put",
            "edges": [],
            "looks": {},
            "policy": "teach",
            "players": [
                {"id": "black", "title": "Black", "letter": "X", "piece": "black"},
                {"id": "white", "title": "White", "letter": "O", "piece": "white"},
            ],
        },
        "cells": {cell: {"should": "black", "lies": "black", "light": lights.get(cell)} for cell in cells},
        "hands": None,
        "off": [],
        "simulated": False,
        "can": [],
        "legend": legend(),
        "turn": None,
        "record": [],
        "owed": {},
        "ask": None,
    }


ROW = {f"{letter}1": (float(x), 0.0) for x, letter in enumerate("abcdefghi")}


# The board in letters


def test_every_light_is_told_by_letters_alone() -> None:
    scene = strange(ROW, dict(zip(ROW, SIGNS, strict=True)))
    assert drawn.text(drawn.drawing(scene)[1]) == "1 !X! X>O X+O X^. X=O ?X? #X# (X) [X]"


def test_what_nobody_knows_has_a_letter_of_its_own() -> None:
    scene: dict[str, Any] = dict(strange(ROW))
    lies = {"a1": None, "b1": "some", "c1": "unknown", "d1": "white"}
    scene["cells"] |= {cell: {"should": None, "lies": piece, "light": None} for cell, piece in lies.items()}
    assert drawn.text(drawn.drawing(scene)[1]).startswith("1  .   ~   ~   O   X ")


def test_on_a_simulated_board_the_discs_are_seen_as_they_lie_whatever_the_sensors_tell() -> None:
    with seat(Header("othello", sensors="presence")) as (night, desk):
        night.wait(1)
        night.turn("d4")  # reeds cannot see which side is up
        scene: Scene = desk.scene()
        assert scene["cells"]["d4"]["lies"] == "white"
        assert drawn.lying(scene, "d4") == "black"


def test_a_board_that_is_no_grid_names_every_cell() -> None:
    triangle = {
        "a3": (1.0, 0.0),
        "a2": (0.5, 1.0),
        "b2": (1.5, 1.0),
        "a1": (0.0, 2.0),
        "b1": (1.0, 2.0),
        "c1": (2.0, 2.0),
    }
    assert board(strange(triangle, {"b2": "wrong"})) == (
        "        A3 X\n    A2 X    B2!X!\nA1 X    B1 X    C1 X"
    )


def test_a_board_of_ten_rows_keeps_its_columns_straight() -> None:
    lines = board(scene_of(Header("othello", {"size": 10}))).splitlines()
    assert lines[0] == "    A   B   C   D   E   F   G   H   I   J"
    assert lines[10] == "10  .   .   .   .   .   .   .   .   .   ."
    assert lines[5] == " 5  .   .   .  (.)  O   X   .   .   .   ."


def test_the_key_explains_the_signs_that_are_there_and_no_others() -> None:
    assert told.key(strange(ROW)) == ""
    assert told.key(strange(ROW, {"a1": "last", "b1": "wrong", "c1": "wrong"})) == "!X! wrong   [X] last move"


# Rhythm, out of the same legend as the lights


def beats(scene: Scene, cell: str, seconds: int = 2) -> str:
    """How a cell looks eight times a second."""
    return "".join("#" if cell in rhythm.lit(scene, n / 8) else "." for n in range(8 * seconds))


def test_the_rhythms_are_those_of_the_lights() -> None:
    lit = dict(zip(ROW, SIGNS, strict=True))
    scene = strange(ROW, lit | {"h1": "choice"})
    assert {said: beats(scene, cell) for cell, said in lit.items() if said != "hint"} == {
        "wrong": "#.#.....#.#.....",
        "turn": "..#####...#####.",
        "put": "######..######..",
        "take": "##......##......",
        "confirm": "....#########...",
        "choice": "########........",
        "mark": "................",
        "last": "................",
    }
    assert beats(scene, "h1") == "........########"


def test_turns_of_one_line_breathe_one_after_the_other() -> None:
    scene: dict[str, Any] = dict(strange(ROW, {"a1": "turn"}))
    third = scene["cells"]["a1"]["light"] | {"step": 3}
    scene["cells"] = scene["cells"] | {"b1": scene["cells"]["a1"] | {"light": third}}
    assert (beats(scene, "a1"), beats(scene, "b1")) == ("..#####...#####.", "#....####....###")


def test_no_light_of_the_terminal_flashes_more_than_three_times_a_second() -> None:
    for said in SIGNS:
        shown = beats(strange(ROW, {"a1": said}), "a1", seconds=6)
        assert shown.count(".#") <= 3 * 6


def test_a_board_at_rest_is_not_drawn_again() -> None:
    assert not rhythm.moving(strange(ROW, {"a1": "hint", "b1": "last"}))
    assert rhythm.moving(strange(ROW, {"a1": "hint", "b1": "wrong"}))


# Typed lines

MEANT: dict[str, Answer | Do | Leave] = {
    "d3": Do(({"hand": "put", "cell": "d3", "side": "heads"},)),
    "D4": Do(({"hand": "turn", "cell": "d4"},)),
    "put d3": Do(({"hand": "put", "cell": "d3", "side": "heads"},)),
    "put d3 white": Do(({"hand": "put", "cell": "d3", "side": "tails"},)),
    "put d3 o": Do(({"hand": "put", "cell": "d3", "side": "tails"},)),
    "put d3 heads": Do(({"hand": "put", "cell": "d3", "side": "heads"},)),
    "turn d4 e4": Do(({"hand": "turn", "cell": "d4"}, {"hand": "turn", "cell": "e4"})),
    "lift d4": Do(({"hand": "lift", "cell": "d4"},)),
    "take d4": Do(({"hand": "lift", "cell": "d4"},)),
    "nudge d4": Do(({"hand": "nudge", "cell": "d4"},)),
    "slide d4 d5": Do(({"hand": "slide", "path": ["d4", "d5"]},)),
    "knock": Do(({"trouble": "knock"},)),
    "say D3": Do(({"say": "d3"},)),
    "pass": Do(({"say": "pass"},)),
    "resign White": Do(({"say": "resign white"},)),
    "distrust E8": Do(({"say": "distrust e8"},)),
    "nonsense": Do(({"say": "nonsense"},)),
    "lok d3": Answer("There is no word lok. Did you mean look? Say help for all words."),
    "lift": Answer("Which cell? Say for example lift d3."),
    "lift d9": Answer("There is no cell D9 on this board."),
    "slide d3": Answer("From where to where? Say for example slide d3 e3."),
    "put d3 green": Answer("There is no side green. Say black or white."),
    "look d4 a1": Answer("D4: white.\nA1: empty."),
    "moves": Answer("May be played: D3, C4, F5, E6."),
    "record": Answer("No move has been made."),
    "quit": Leave(),
    "exit": Leave(),
}


@pytest.mark.parametrize("line", MEANT)
def test_a_typed_line_means(line: str) -> None:
    assert meant(line, scene_of()) == MEANT[line]


def test_on_a_real_board_a_cell_is_a_move_said_and_hands_are_ones_own() -> None:
    scene = strange(ROW)
    assert meant("a1", scene) == Do(({"say": "a1"},))
    for line in ("put a1", "turn a1", "knock"):
        assert meant(line, scene) == Answer("The board is real. Move its pieces by hand, or say a move.")


def test_a_letter_is_a_players_name_where_the_game_calls_them_so() -> None:
    scene = scene_of(Header("bracket"))
    assert meant("resign x", scene) == Do(({"say": "resign X"},))
    assert meant("put b3 o", scene) == Do(({"hand": "put", "cell": "b3", "side": "tails"},))


def test_a_disc_put_where_one_is_owed_shows_the_side_that_is_owed() -> None:
    scene = scene_of(Header("othello", start="empty"))
    assert scene["turn"] is None
    assert [meant(cell, scene) for cell in ("d4", "e4")] == [
        Do(({"hand": "put", "cell": "d4", "side": "tails"},)),
        Do(({"hand": "put", "cell": "e4", "side": "heads"},)),
    ]
    assert told.owed(scene).splitlines() == [
        "D4: put white here.",
        "D5: put black here.",
        "E4: put black here.",
        "E5: put white here.",
    ]


def test_a_disc_put_before_the_turns_are_done_is_the_next_players() -> None:
    with seat() as (night, desk):
        night.wait(1)
        night.put("d3", "black")
        assert desk.scene()["turn"] is None
        assert meant("c3", desk.scene()) == Do(({"hand": "put", "cell": "c3", "side": "tails"},))


def test_what_lies_early_is_told_though_nothing_is_owed_for_it() -> None:
    with seat() as (night, desk):
        night.wait(1)
        night.put("d3", "black")
        night.put("c3", "white")
        assert told.owed(desk.scene()) == "D4: turn it to black.\nC3: must not lie there so."


# Keys and lines


@pytest.mark.parametrize(
    ("line", "pressed", "after"),
    [
        ("", "d3", keys.Typed("d3")),
        ("d", "3\r", keys.Typed("", ("d3",))),
        ("", "d3\nd4\nq", keys.Typed("q", ("d3", "d4"))),
        ("turn d4", "\x7f5", keys.Typed("turn d5")),
        ("turn d4", "\x17e4", keys.Typed("turne4")),
        ("turn d4", "\x15now", keys.Typed("now")),
        ("d", "\x1b[A\x1b[1;5C\x1bOP\x1b3", keys.Typed("d")),
        ("d", "\x07\t\x04", keys.Typed("d")),
        ("", "\x04", keys.Typed("", (), left=True)),
        ("", "größer", keys.Typed("größer")),
    ],
)
def test_keys_make_a_line(line: str, pressed: str, after: keys.Typed) -> None:
    assert keys.typed(line, pressed) == after


async def all_lines(fd: int) -> list[str]:
    return [line async for line in keys.lines(fd)]


def test_lines_come_whole_out_of_a_pipe_however_they_are_cut(tmp_path: Path) -> None:
    async def cut() -> list[str]:
        far, near = os.pipe()
        reading = asyncio.create_task(all_lines(far))
        for part in (b"d3\ntu", b"rn d4\r\n", b"\xff\nla", b"st"):
            os.write(near, part)
            await asyncio.sleep(0)
        os.close(near)
        try:
            return await reading
        finally:
            os.close(far)

    assert asyncio.run(cut()) == ["d3", "turn d4", "\ufffd", "last"]
    (tmp_path / "lines").write_bytes(b"d3\n\nlast")
    with (tmp_path / "lines").open("rb") as file:
        assert asyncio.run(all_lines(file.fileno())) == ["d3", "", "last"]


def test_an_input_that_is_gone_or_cannot_be_read_is_at_its_end(tmp_path: Path) -> None:
    near, far = os.openpty()
    os.close(near)
    folder = os.open(tmp_path, os.O_RDONLY)
    assert [asyncio.run(all_lines(fd)) for fd in (far, folder)] == [[], []]
    os.close(far)
    os.close(folder)


class Slate:
    """A desk that writes down what it is told, and when it was asked to let the board settle."""

    def __init__(self) -> None:
        self.kept: list[object] = []

    def scene(self) -> Scene:
        return {**scene_of(), "journal": "The disk is full." if {"say": "pass"} in self.kept else None}

    async def changed(self, since: int) -> int:
        return since + 1

    def do(self, message: Mapping[str, object]) -> str | None:
        self.kept.append(dict(message))
        return None if "hand" in message else "That cannot be."

    async def settled(self) -> None:
        await asyncio.sleep(0)
        self.kept.append("settled")


def test_each_line_is_judged_before_the_next_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "lines").write_text("d3\nturn d4 e4\n\nnow\npass\nscore\nquit\nd3\n")
    slate = Slate()
    with (tmp_path / "lines").open("rb") as file:
        asyncio.run(plain.read(slate, file.fileno()))
    assert slate.kept == [
        "settled",
        {"hand": "put", "cell": "d3", "side": "heads"},
        "settled",
        {"hand": "turn", "cell": "d4"},
        {"hand": "turn", "cell": "e4"},
        "settled",
        {"say": "pass"},
        "settled",
    ]
    assert capsys.readouterr().out.splitlines() == [
        "Black to move.",
        "That cannot be.",
        "The disk is full.",
        "Black 2, White 2, Black 30 left, White 30 left.",
    ]


# The screen


def shown(scene: Scene, columns: int, lines: int, notice: str = "", typed: str = "") -> list[str]:
    """What a terminal of that size shows, without colour."""
    console = Console(file=StringIO(), width=columns, height=lines, color_system=None)
    with console.capture() as captured:
        console.print(picture(scene, frozenset(), notice, typed, (columns, lines)))
    return [line.rstrip() for line in captured.get().splitlines()]


def test_the_screen_tells_everything_at_once() -> None:
    with seat(Header("othello", sensors="presence")) as (night, desk):
        night.wait(1)
        for cell, piece in (("d3", "black"), ("c3", "white"), ("c4", "black"), ("e3", "white")):
            night.put(cell, piece)
            night.settle()
        assert shown(desk.scene(), 80, 24, "Nothing lies there.", "turn e4") == [
            "Othello, teach, simulated board of presence",
            "Black to move.",
            "> turn e4",
            "Nothing lies there.",
            "   A   B   C   D   E   F   G   H    > X Black 3  (28 left)",
            "1  .   .   .   .   .   .   .   .      O White 5  (28 left)",
            "2  .  (.) (.) (.) (.) (.)  .   .",
            "3  .   .   O   O  [O] (.)  .   .    1 X D3  2 O C3  3 X C4  4 O E3",
            "4  .   .   X   X   O  (.)  .   .",
            "5  .   .   .   X   O  (.)  .   .",
            "6  .   .   .   .   .  (.)  .   .",
            "7  .   .   .   .   .   .   .   .",
            "8  .   .   .   .   .   .   .   .",
            "",
            "(.) may be played   [O] last move",
            "Say undo, draw, resign, new; help, quit.",
        ]


@pytest.mark.parametrize("columns", [20, 36, 60, 80, 200])
def test_the_line_that_is_typed_is_seen_on_every_terminal(columns: int) -> None:
    seen = shown(scene_of(), columns, 24, "Nothing lies there.", "d3")
    assert "> d3" in seen[:4]


def test_help_stands_where_the_board_is() -> None:
    scene = scene_of()
    seen = shown(scene, 80, 24, told.helped(scene))
    assert seen[4:6] == told.helped(scene).splitlines()[:2]
    assert not any(line.startswith("3 ") for line in seen)
    assert len(seen) <= 24
    assert max(map(len, told.helped(scene).splitlines())) < 80
