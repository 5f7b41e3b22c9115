"""Board files: the five that come with the package, a maker's own, and every way in which one can be wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardctl.board_files import BRAX, FOLDER, SHIPPED, MalformedBoard, board_named, board_names, read_board
from boardctl.core.model import WrongOption


@pytest.mark.parametrize(
    ("name", "points", "edges", "men"),
    [
        ("square", 81, 144, 7),
        ("triangle", 77, 196, 7),
        ("diamond", 97, 168, 7),
        ("hexagon", 90, 122, 7),
        ("octagon", 80, 104, 7),
    ],
)
def test_a_shipped_board_is_whole(name: str, points: int, edges: int, men: int) -> None:
    board = board_named(name)
    assert (len(board.points), len(board.edges)) == (points, edges)
    assert {side: len(cells) for side, cells in board.starts.items()} == {"blue": men, "red": men}
    assert min(x for x, _ in board.points.values()) == min(y for _, y in board.points.values()) == 0
    blue, red = (board.points[board.starts[side][0]][1] for side in ("blue", "red"))
    assert blue > red  # Blue sits at the bottom, and y grows downwards


def square() -> dict[str, Any]:
    return json.loads((files("boardctl") / "boards" / "square.json").read_text())


def spoil(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    board = square()
    change(board)
    return board


FAULTS = {
    "point a1 is there 2 times": lambda b: b["points"].append({"id": "a1", "x": 9, "y": 9}),
    "points a1 and z9 lie in one place": lambda b: b["points"].append({"id": "z9", "x": 0, "y": 0}),
    "point z9: no edge leads there": lambda b: b["points"].append({"id": "z9", "x": 9, "y": 9}),
    "edge a1-z9: there is no point z9": lambda b: b["edges"].append({"a": "a1", "b": "z9", "colour": "red"}),
    "edge a1-a1: it leads nowhere": lambda b: b["edges"].append({"a": "a1", "b": "a1", "colour": "red"}),
    "edge b1-a1: it is there twice": lambda b: b["edges"].append({"a": "b1", "b": "a1", "colour": "red"}),
    "edge a1-b1: its colour is 'green'; it is blue or red": lambda b: b["edges"][0].update(colour="green"),
    "figure s00: its side a2-b2 is no edge": lambda b: b["edges"].remove(
        next(edge for edge in b["edges"] if {edge["a"], edge["b"]} == {"a2", "b2"})
    ),
    "figure s00: its sides are 4 of a colour; they have to be 3+1": lambda b: b["edges"][0].update(
        colour="red" if b["edges"][0]["colour"] == "blue" else "blue"
    ),
    "start: there is no point z9": lambda b: b["start"]["blue"].__setitem__(0, "z9"),
    "start: two men stand on b1": lambda b: b["start"]["blue"].__setitem__(1, "b1"),
    "start: both sides have to have as many men, and one at least": lambda b: b["start"]["blue"].pop(),
    "start: it names blue, red, green; it has to name blue and red": lambda b: b["start"].update(
        green=["a5"]
    ),
    "half_turn: it does not pair all points, a1 for one": lambda b: b["half_turn"].pop("a1"),
    "half_turn: it does not pair all points, two lines for one": lambda b: b["half_turn"].update(
        {"two\nlines": "a1"}
    ),
    "edge a1-b1: the half turn brings it to i9-g9, which is no edge": lambda b: b["half_turn"].update(
        b1="g9", c1="h9"
    ),
    "start: the half turn brings b1 to h9, where no red man starts": lambda b: b["start"]["red"].__setitem__(
        -1, "a9"
    ),
    "points.0.id: String should match pattern": lambda b: b["points"][0].update(id="a-1"),
    "points.0.y: Input should be less than or equal to 1000": lambda b: b["points"][0].update(y=1e300),
    "points.0.x: Input should be a valid number": lambda b: b["points"][0].update(x="left"),
    "start: Field required": lambda b: b.pop("start"),
}


@pytest.mark.parametrize("said", FAULTS)
def test_a_malformed_board_is_refused_with_what_is_at_fault(said: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(spoil(FAULTS[said])))
    with pytest.raises(MalformedBoard) as refused:
        read_board(file)
    assert str(refused.value).startswith(f"board file mine.json: {said}")


def test_an_unfair_board_is_refused_where_the_half_turn_shows_it(tmp_path: Path) -> None:
    board = square()
    board["figures"] = []
    board["edges"][0]["colour"] = "red" if board["edges"][0]["colour"] == "blue" else "blue"
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(board))
    with pytest.raises(MalformedBoard, match=r"edge a1-b1: it is red like (h9-i9|i9-h9)"):
        read_board(file)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"points": []}', "\xff", "[" * 100_000])
def test_a_file_that_is_no_board_at_all_is_refused_in_a_line(text: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text(text, encoding="latin-1")
    with pytest.raises(MalformedBoard) as refused:
        read_board(file)
    assert str(refused.value).startswith("board file mine.json: ")
    assert "\n" not in str(refused.value)


@given(st.data())
def test_however_a_file_is_spoilt_it_is_a_board_or_refused_in_a_line(data: st.DataObject) -> None:
    board: Any = square()
    for _ in range(data.draw(st.integers(1, 3))):
        spoil_somewhere(board, data)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "mine.json"
        file.write_text(json.dumps(board))
        try:
            assert read_board(file).points
        except MalformedBoard as refused:
            assert str(refused).startswith("board file mine.json: ")
            assert "\n" not in str(refused)


def spoil_somewhere(within: Any, data: st.DataObject) -> None:
    keys = list(within) if isinstance(within, dict) else range(len(within))
    if not keys:
        return
    key = data.draw(st.sampled_from(keys))
    if isinstance(within[key], (dict, list)) and data.draw(st.integers(0, 5)):
        spoil_somewhere(within[key], data)
    elif data.draw(st.booleans()):
        del within[key]
    else:
        within[key] = data.draw(
            st.sampled_from([None, 0, 1e308, "", "a1", "z9", "red", "two\nlines", [], {}])
        )


def small_board() -> dict[str, Any]:
    lines = [("a1", "b1"), ("b1", "c1"), ("a2", "b2"), ("b2", "c2"), ("a1", "a2"), ("b1", "b2"), ("c1", "c2")]
    return {
        "points": [{"id": f"{c}{r}", "x": "abc".index(c), "y": r} for r in (1, 2) for c in "abc"],
        "edges": [{"a": a, "b": b, "colour": "blue" if "1" in a + b else "red"} for a, b in lines],
        "start": {"blue": ["a1"], "red": ["c2"]},
    }


@pytest.mark.parametrize("file", ["small.json", "board_small.json", "Small.json"])
def test_a_maker_adds_a_board_of_his_own(file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / file).write_text(json.dumps(small_board()))
    monkeypatch.setenv(FOLDER, str(tmp_path))
    assert board_names() == [*SHIPPED, "small"]
    start = BRAX.game({"board": "small"}).starts[0]
    assert sorted(move.label for move in start.moves()) == ["a1-a2", "a1-b1", "a1-b2", "a1-c1"]


def test_a_board_drawn_in_other_units_is_laid_out_with_one_unit_a_space(tmp_path: Path) -> None:
    board = small_board()
    for point in board["points"]:
        point.update(x=point["x"] * 25 - 5, y=point["y"] * 25)
    (tmp_path / "wide.json").write_text(json.dumps(board))
    points = read_board(tmp_path / "wide.json").points
    assert points == {"a2": (0, 0), "b2": (1, 0), "c2": (2, 0), "a1": (0, 1), "b1": (1, 1), "c1": (2, 1)}


def test_a_board_without_men_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bare.json").write_text(json.dumps(small_board() | {"start": {"blue": [], "red": []}}))
    with pytest.raises(MalformedBoard, match="both sides have to have as many men, and one at least"):
        read_board(tmp_path / "bare.json")


def test_a_shipped_board_is_read_once() -> None:
    assert board_named("square") is board_named("square")


def test_a_makers_square_board_may_be_too_small_for_three(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "square.json").write_text(json.dumps(small_board()))
    monkeypatch.setenv(FOLDER, str(tmp_path))
    assert board_names() == list(SHIPPED)
    assert len(BRAX.game({}).points) == 6
    with pytest.raises(WrongOption, match="players is 3; the square board has no point d1 to start from"):
        BRAX.game({"players": 3})


def test_a_spoilt_board_is_listed_but_refused_when_it_is_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.json").write_text("{")
    monkeypatch.setenv(FOLDER, str(tmp_path))
    assert BRAX.options[1].choices == (*SHIPPED, "mine")
    with pytest.raises(MalformedBoard, match=r"board file mine\.json: it cannot be read"):
        BRAX.game({"board": "mine"})


def test_without_a_folder_there_are_the_shipped_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER, "/nowhere at all")
    assert board_names() == list(SHIPPED)


@pytest.mark.parametrize("name", SHIPPED)
def test_every_line_of_a_shipped_board_is_drawn_one_space_long(name: str) -> None:
    board = board_named(name)
    lengths = {abs(complex(*board.points[a]) - complex(*board.points[b])) for a, b, _ in board.edges}
    assert all(abs(length - 1) < 0.002 for length in lengths)
