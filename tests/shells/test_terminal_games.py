"""The terminal at games whose pieces are moved along lines, or turned up and exchanged: their boards, words and deeds.

Each story is typed at the plain terminal, on simulated reeds, and compared with all that was said.
"""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import pytest

from boardctl.shells.terminal import drawn, told
from boardctl.shells.terminal.desk import Scene
from boardctl.shells.terminal.typed import Answer, Do, Leave, meant
from boardctl.trace import Header
from tests.shells.sitting import Sitting, sitting
from tests.shells.test_terminal import board, scene_of, shown, strange

BRAX = Header("brax", sensors="presence")
FLIP_SWITCH = Header("flip-switch", sensors="presence")
ALLIES = Header("brax", {"players": 3}, sensors="presence")
PATENT = ("g1 g3", "f9 f8", "g3 g4", "f8 e7", "g4 f5", "e7 e6")
"""The example of play in the patent: after it F5 is threatened by E6."""
A_ROUND = (
    *("a1", "flip", "star", "b1", "flip", "star", "c1", "flip", "star"),
    *("a2", "flip", "square", "b2", "flip", "heart", "a3", "flip", "square"),
    *("b3", "flip", "heart", "c3", "flip", "heart", "a2 b2", "switch", "c2", "flip"),
    *("a2 a3", "switch"),
)
"""Flips and switches, with answers, by which the first player makes two points and wins the round."""


def said(capsys: pytest.CaptureFixture[str], at: Sitting, *lines: str) -> list[str]:
    """What is printed when these lines are typed."""
    capsys.readouterr()
    at.type(*lines)
    return capsys.readouterr().out.splitlines()


# Boards


def test_a_board_of_lines_is_drawn_with_them_single_and_double() -> None:
    assert told.board(scene_of(BRAX)) == dedent("""\
           A    B    C    D    E    F    G    H    I
        9  .----R----R====R====R----R----R====R====.
           |    |    #    |    |    |    #    |    |
        8  .====.----.====.----.====.----.====.----.
           |    #    #    #    |    #    #    #    |
        7  .====.====.----.----.====.====.----.----.
           #    |    |    |    #    |    |    |    #
        6  .====.----.====.----.====.----.====.----.
           #    #    |    #    #    #    |    #    #
        5  .----.----.====.====.----.----.====.====.
           |    |    #    |    |    |    #    |    |
        4  .====.----.====.----.====.----.====.----.
           |    #    #    #    |    #    #    #    |
        3  .====.====.----.----.====.====.----.----.
           #    |    |    |    #    |    |    |    #
        2  .====.----.====.----.====.----.====.----.
           #    #    |    #    #    #    |    #    #
        1  .---(B)--(B)==(B)==(B)--(B)--(B)==(B)===.
        - | Blue's lines   = # Red's lines
        (B) may be moved""")


def test_tiles_that_may_be_turned_look_unlike_what_may_be_moved() -> None:
    assert told.board(scene_of(FLIP_SWITCH)) == dedent("""\
           A   B   C
        1 <?> <?> <?>
        2 <?> <?> <?>
        3 <?> <?> <?>
        <?> may be turned""")


def test_lines_lean_where_points_are_in_no_grid_and_every_point_has_its_name() -> None:
    points = {
        "a3": (1.0, 0.0),
        "a2": (0.5, 1.0),
        "b2": (1.5, 1.0),
        "a1": (0.0, 2.0),
        "b1": (1.0, 2.0),
        "c1": (2.0, 2.0),
    }
    scene: dict[str, Any] = dict(strange(points, {"b2": "wrong"}))
    edges = "a3a2white a3b2black a2b2black a2a1black a2b1white b2b1black b2c1white a1b1white"
    scene["game"] |= {"edges": [{"a": e[:2], "b": e[2:4], "of": e[4:]} for e in edges.split()]}
    assert board(scene) == "\n".join(
        [
            "        A3 X",
            "         //  \\",
            "    A2 X----B2!X!",
            "     /   \\\\  /   \\\\",
            "A1 X====B1 X    C1 X",
        ]
    )
    assert told.owners(scene) == "- / \\ Black's lines   = // \\\\ White's lines"


@pytest.mark.parametrize("name", ["square", "triangle", "diamond", "hexagon", "octagon"])
def test_every_board_fits_eighty_columns_and_shows_every_line(name: str) -> None:
    scene = scene_of(Header("brax", {"board": name}))
    lines = board(scene).splitlines()
    assert max(map(len, lines)) < 80
    leaning = "".join(lines).replace("//", "/").replace("\\\\", "\\")
    upright = [edge for edge in scene["game"]["edges"] if _rows(scene, edge) > 1]
    assert sum(leaning.count(stroke) for stroke in "/\\|#") == len(upright)


def _rows(scene: Any, edge: Any) -> int:
    """How many rows a line joins."""
    places = {each["cell"]: each["y"] for each in scene["game"]["cells"]}
    return len({places[edge["a"]], places[edge["b"]]})


def test_a_cell_tells_its_lines_and_where_its_man_may_go() -> None:
    scene = scene_of(BRAX)
    assert [told.look(scene, cell) for cell in ("g1", "g2", "e5")] == [
        "G1: blue, may be moved. Lines: Blue to F1, G2; Red to H1. May go to F2, G2, G3.",
        "G2: empty. Lines: Blue to F2, G1, G3; Red to H2. May come here: G1.",
        "E5: empty. Lines: Blue to E4, F5; Red to D5, E6.",
    ]


def test_nothing_is_told_of_moves_where_the_judge_gives_no_hints() -> None:
    scene = scene_of(Header("brax", sensors="presence", policy="club"))
    assert told.look(scene, "g1") == "G1: blue. Lines: Blue to F1, G2; Red to H1."
    assert told.moves(scene) == "No move is shown."


# The screen


def test_a_board_of_lines_fits_the_usual_terminal_with_score_and_moves() -> None:
    with sitting(BRAX) as at:
        at.type(*PATENT, "brax")
        seen = shown(at.scene(), 80, 24)
    assert len(seen) == 24
    assert seen[:2] == ["Blue has to move F5.", ">"]
    assert seen[3:5] == [
        "   A    B    C    D    E    F    G    H    I    > B Blue 7",
        "9  .----R----R====R====R----.----R====R====.      R Red 7",
    ]
    assert seen[11].endswith("6 R E7-E6 brax")
    assert seen[21:] == [
        "- | Blue's lines   = # Red's lines",
        "#B# marked   [R] last move",
        "Say undo, draw, resign, new; help, quit.",
    ]


def test_what_a_board_of_lines_leaves_room_for_is_shown_too() -> None:
    seen = {lines: shown(scene_of(BRAX), 80, lines) for lines in (23, 24, 25, 26)}
    assert {lines: len(screen) for lines, screen in seen.items()} == {23: 18, 24: 24, 25: 25, 26: 26}
    assert seen[25][0] == seen[26][0] == "Brax, teach, simulated board of presence"
    assert [seen[lines][-4] for lines in (25, 26)] == [
        "1  .---(B)--(B)==(B)==(B)--(B)--(B)==(B)===.",
        "",
    ]


def test_a_terminal_that_is_too_low_for_the_lines_shows_the_men() -> None:
    seen = shown(scene_of(BRAX), 80, 18)
    assert seen[4:6] == [
        "   A   B   C   D   E   F   G   H   I    > B Blue 7",
        "9  .   R   R   R   R   R   R   R   .      R Red 7",
    ]
    assert "This terminal is too low for the lines; look b1 tells those from a cell." in seen


@pytest.mark.parametrize("header", [BRAX, FLIP_SWITCH])
def test_help_is_about_the_hands_of_the_game_and_stands_where_the_board_is(header: Header) -> None:
    scene = scene_of(header)
    lines = told.helped(scene).splitlines()
    noun = scene["game"]["noun"]
    assert lines[0] in (
        f"g1 g3       move the {noun} on G1 to G3, and take what stands there",
        f"b2          turn the {noun} on B2 up, or tell what it shows",
    )
    assert max(map(len, lines)) < 80
    assert len(shown(scene, 80, 24, told.helped(scene))) <= 24


def test_help_names_a_call_once_that_may_be_said_to_several() -> None:
    scene = {**scene_of(ALLIES), "can": ["draw", "resign", "new", "brax red_1", "brax red_2"]}
    assert "pass  undo  ok  draw  resign  new  brax; an answer, or how it begins" in told.helped(scene)
    assert meant("brax red 1", scene) == Do(({"say": "brax red_1"},))


# Typed lines

MOVING: dict[str, Answer | Do | Leave] = {
    "g1 g3": Do(({"hand": "lift", "cell": "g1"}, {"hand": "set", "start": "g1", "end": "g3"})),
    "move G1 G3": Do(({"hand": "lift", "cell": "g1"}, {"hand": "set", "start": "g1", "end": "g3"})),
    "g1 g2 f2": Do(({"hand": "slide", "path": ["g1", "g2", "f2"]},)),
    "slide g1 g3": Do(({"hand": "slide", "path": ["g1", "g3"]},)),
    "g1 g9": Do(({"hand": "take", "start": "g1", "end": "g9"},)),
    "lift g1": Do(({"hand": "lift", "cell": "g1"},)),
    "g1-g3": Do(({"say": "g1-g3"},)),
    "say g1-g3": Do(({"say": "g1-g3"},)),
    "brax": Do(({"say": "brax"},)),
    "g5 g6": Answer("Nothing lies on G5."),
    "g5": Answer("G5: empty. Lines: Blue to F5, G6; Red to G4, H5."),
    "put g5": Answer("Nothing lies beside the board to put there."),
    "put g5 red": Answer("No red lies beside the board."),
    "put g5 green": Answer("There is no side green. Say blue or red."),
    "move g1": Answer("From where to where? Say for example move b1 c1."),
    "lift": Answer("Which cell? Say for example lift b1."),
    "lay": Answer("Nothing is owed."),
    "moves": Answer("May be moved: B1, C1, D1, E1, F1, G1, H1."),
}


@pytest.mark.parametrize("line", MOVING)
def test_where_men_are_moved_a_typed_line_means(line: str) -> None:
    assert meant(line, scene_of(BRAX)) == MOVING[line]


EXCHANGING: dict[str, Answer | Do | Leave] = {
    "b2": Do(({"hand": "turn", "cell": "b2"},)),
    "turn b2": Do(({"hand": "turn", "cell": "b2"},)),
    "a1 b1": Do(({"hand": "exchange", "one": "a1", "other": "b1"},)),
    "exchange a1 b1": Do(({"hand": "exchange", "one": "a1", "other": "b1"},)),
    "switch a1 b1": Do(({"say": "switch a1 b1"},)),
    "flip b2": Do(({"say": "flip b2"},)),
    "resign player 2": Do(({"say": "resign 2"},)),
    "moves": Answer("May be turned: A1, B1, C1, A2, B2, C2, A3, B3, C3."),
    "score": Answer("Player 1: 0, Player 2: 0."),
}


@pytest.mark.parametrize("line", EXCHANGING)
def test_where_tiles_are_exchanged_a_typed_line_means(line: str) -> None:
    assert meant(line, scene_of(FLIP_SWITCH)) == EXCHANGING[line]


def test_on_a_real_board_cells_name_the_move_that_has_them() -> None:
    real = {"simulated": False, "hands": None}
    men, tiles = [{**scene_of(header), **real} for header in (BRAX, FLIP_SWITCH)]
    assert [meant(line, men) for line in ("g1 g3", "g1 g9")] == [
        Do(({"say": "g1-g3"},)),
        Do(({"say": "g1 g9"},)),
    ]
    assert meant("b2", tiles) == Do(({"say": "flip b2"},))
    assert meant("lay", tiles) == Answer("The board is real. Move its pieces by hand, or say a move.")


def test_a_question_is_answered_as_it_begins_by_a_letter_or_by_a_cell() -> None:
    scene: dict[str, Any] = dict(scene_of(FLIP_SWITCH))
    scene["ask"] = {"choices": ["heart", "square", "star"]}
    for line, answer in {"heart": "heart", "h": "heart", "q": "square", "s": "star", "sq": "square"}.items():
        assert meant(line, scene) == Do(({"say": answer},))
    scene["ask"] = {"choices": ["flip a1", "flip b1", "nothing", "switch a1 b1"]}
    assert meant("switch", scene) == Do(({"say": "switch a1 b1"},))
    assert meant("flip b1", scene) == Do(({"say": "flip b1"},))
    assert meant("flip", scene) == Do(({"say": "flip"},))  # either: the judge says so
    discs: dict[str, Any] = {**scene_of(Header("othello")), "ask": {"choices": ["d3", "e3"]}}
    assert meant("d3", discs) == Do(({"say": "d3"},))


# Stories


def test_the_example_of_the_patent_is_moved_and_a_call_obeyed(capsys: pytest.CaptureFixture[str]) -> None:
    with sitting(BRAX) as at:
        assert said(capsys, at, *PATENT)[-2:] == ["Red: E7 to E6.", "Blue to move."]
        assert told.offered(at.scene()) == ["undo", "draw", "resign", "new", "brax"]
        assert said(capsys, at, "brax", "moves", "b1 b2", "b2 b1", "f5 f6", "record") == [
            "Red calls brax. F5 has to move.",
            "Blue has to move F5.",
            "Has to move: F5.",
            "Move B2 to B1.",
            "B2 is not the piece that has to move. Move the one that was called.",
            "Put the blue piece on B1.",
            "Blue has to move F5.",
            "Blue: F5 to F6.",
            "Red to move.",
            "1 Blue G1-G3, 2 Red F9-F8, 3 Blue G3-G4, 4 Red F8-E7, 5 Blue G4-F5, 6 Red E7-E6 and Red calls brax, "
            "7 Blue F5-F6.",
        ]


def test_a_man_is_taken_and_comes_back(capsys: pytest.CaptureFixture[str]) -> None:
    with sitting(BRAX) as at:
        at.type(*PATENT, "b1 b2")
        assert said(capsys, at, "e6 f5", "score", "undo", "f5 e6", "put f5", "score") == [
            "Red: E6 takes F5.",
            "Blue to move.",
            "Blue 6, Red 7.",
            "E6 takes F5 is taken back.",
            "Taken back: move F5 to E6.",
            "Taken back: take F5 away.",
            "Taken back: put the blue piece on F5.",
            "Red to move.",
            "Blue 7, Red 7.",
        ]
        assert at.scene()["off"] == []


def test_a_man_in_the_hand_is_put_where_one_says(capsys: pytest.CaptureFixture[str]) -> None:
    with sitting(BRAX) as at:
        assert said(capsys, at, "lift g1", "board", "g3", "record")[-7:] == [
            "   #    #    |    #    #    #    |    #    #",
            "1  .----B----B====B====B----B----.====B====.",
            "- | Blue's lines   = # Red's lines",
            "(.) may be played",
            "Blue: G1 to G3.",
            "Red to move.",
            "1 Blue G1-G3.",
        ]


def test_what_a_man_in_the_hand_may_take_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with sitting(BRAX) as at:
        at.type(*PATENT, "b1 b2")
        assert said(capsys, at, "lift e6", "board", "look f5")[-2:] == [
            "(.) may be played   (B) may be taken   [B] last move",
            "F5: blue, may be taken. Lines: Blue to E5, F4, G5; Red to F6. May come here: E6.",
        ]


def test_a_piece_from_beside_the_board_is_the_one_that_is_meant() -> None:
    scene: dict[str, Any] = dict(scene_of(BRAX))
    scene["off"] = [
        {"tag": "t01", "piece": "red", "from": None},
        {"tag": "t02", "piece": "red", "from": "e5"},
        {"tag": "t03", "piece": "blue", "from": "e5"},
    ]
    assert {line: meant(line, scene) for line in ("put d4", "put d4 b", "put d4 red")} == {
        "put d4": Do(({"hand": "set", "start": "e5", "end": "d4"},)),
        "put d4 b": Do(({"hand": "set", "start": "e5", "end": "d4"},)),
        "put d4 red": Do(({"hand": "bring", "tag": "t02", "cell": "d4"},)),
    }
    scene["owed"] = {"e9": {"do": "put", "to": "red"}}
    scene["off"] = scene["off"][:1]
    del scene["hands"]["e9"]
    assert meant("e9", scene) == Do(({"hand": "bring", "tag": "t01", "cell": "e9"},))


def test_what_reeds_cannot_see_is_laid_right_at_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    with sitting(BRAX) as at:
        assert said(capsys, at, "g1 g9", "lay", "lay") == ["Nothing is owed."]
        scene: Scene = at.scene()
        assert (scene["hands"]["g1"], scene["hands"]["g9"], scene["off"]) == ("blue", "red", [])


def test_a_man_that_was_taken_does_not_come_back_by_naming_where_it_stood() -> None:
    with sitting(BRAX) as at:
        at.type(*PATENT, "b1 b2", "e6 f5", "b2 b1", "f5 f6")
        scene: Scene = at.scene()
        assert [each["from"] for each in scene["off"]] == ["f5"]
        assert meant("f5 e5", scene) == Answer("Nothing lies on F5.")


def test_tiles_are_turned_and_the_judge_told_what_came_up(capsys: pytest.CaptureFixture[str]) -> None:
    with sitting(FLIP_SWITCH) as at:
        assert said(capsys, at, "b2", "flip", "h", "board", "b2", "a1", "nothing") == [
            "Was it a flip of B2, or did nothing happen?",
            "What came up: heart, square or star?",
            "Player 1: a flip of B2, heart.",
            "Player 2 to move.",
            "   A   B   C",
            "1 <?> <?> <?>",
            "2 <?> [H] <?>",
            "3 <?> <?> <?>",
            "<?> may be turned   [H] last move",
            "B2: heart, last move.",
            "Was it a flip of A1, or did nothing happen?",
            "Player 2 to move.",
        ]


def test_a_round_is_won_by_a_switch_and_the_tiles_are_laid_anew(capsys: pytest.CaptureFixture[str]) -> None:
    with sitting(FLIP_SWITCH) as at:
        at.type(*A_ROUND[:-2])
        assert said(capsys, at, "look b2", "board", *A_ROUND[-2:], "score") == [
            "B2: square, may be exchanged. May change places with A2, B1, B3.",
            "   A   B   C",
            "1 #S# #S# #S#",
            "2 (H) (Q) (Q)",
            "3 (Q) (H) (H)",
            "#S# marked   (H) may be exchanged",
            "Was it a switch of A2 and A3, or did nothing happen?",
            "Player 1: a switch of A2 and A3.",
            "Player 1 makes a point with heart.",
            "Player 1 wins the round.",
            "Shuffle the tiles and lay them out: turn 9 tiles.",
            "Player 1: 1, Player 2: 0.",
        ]
        assert said(capsys, at, "lay", "lay", "board")[-7:] == [
            "Player 2 to move.",
            "Nothing is owed.",
            "   A   B   C",
            "1 <?> <?> <?>",
            "2 <?> <?> <?>",
            "3 <?> <?> <?>",
            "<?> may be turned",
        ]
        assert told.record(at.scene()).endswith(
            "10 Player 2 flip C2 square, 11 Player 1 switch A2 A3 and a point with heart and the round."
        )
        scene: Scene = at.scene()
        assert told.short(scene, scene["record"][-1]) == "11 1 switch A2 A3 +heart round"


def test_what_is_owed_to_an_empty_board_is_laid_out_at_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    with sitting(Header("brax", sensors="polarity", start="empty")) as at:
        assert said(capsys, at, "lay", "now")[-1] == "Blue to move."
        assert drawn.lying(at.scene(), "g1") == "blue"
