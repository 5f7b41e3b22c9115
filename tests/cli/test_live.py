"""The live board, on a terminal of its own."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.cli.command import PATIENCE_S, boardctl, on_terminal, resized

LEFT = "\x1b[?1049l"
"""What gives the screen back as it was."""


def test_a_move_is_made_and_its_turn_done_on_the_live_board(tmp_path: Path) -> None:
    with on_terminal("play", "--no-web", "--state", tmp_path) as playing:
        playing.until("Othello, teach, simulated board of polarity", "Black to move.")
        playing.until("3  .   .   .  (.)  .   .   .   .", "4  .   .  (.)  O   X", "(.) may be played")
        playing.type("d3")
        playing.until("Turn D4.", "3  .   .   .  [X]  .", "4  .   .   .  O>X  X", "O>X turn it")
        playing.type("d4")
        playing.until("White to move.", "> O White 1  (30 left)", "1 X D3", "4  .   .   .   X   X")
        playing.type("a1")
        playing.until("A1 brackets nothing for White. Take the disc away.", "!O!", "!O! wrong")
        playing.until(*["!O! wrong"] * 5)  # it flashes, though nothing happens
        playing.type("take a1")
        playing.until("White to move.")
        playing.type("quit")
        assert playing.end() == 0
        assert playing.said.endswith("White to move.\nThe game is kept. The same command goes on with it.\n")
    assert boardctl("export", "1", "--state", tmp_path).out == "d3\n"


def test_men_go_along_drawn_lines_on_the_live_board(tmp_path: Path) -> None:
    with on_terminal("play", "brax", "--no-web", "--state", tmp_path) as playing:
        playing.until("Blue to move.", "1  .---(B)--(B)==(B)==(B)--(B)--(B)==(B)===.")
        playing.until("- | Blue's lines   = # Red's lines", "(B) may be moved")
        playing.type("g1 g3")
        playing.until("Red to move.", "(R)--(R)==(R)", "1 B G1-G3", "[B]")
        playing.type("f9 f8")
        playing.until("Blue to move.", "2 R F9-F8")
        playing.type("lift g3")
        playing.until("(.)", "(.) may be played")
        playing.type("g4")
        playing.until("Red to move.", "3 B G3-G4")
        playing.type("g4")
        playing.until("G4: blue, last move. Lines: Blue to F4; Red to G3, G5, H4.")
        playing.type("quit")
        assert playing.end() == 0
    assert boardctl("export", "1", "--state", tmp_path).out == "g1-g3\nf9-f8\ng3-g4\n"


def test_a_tile_is_turned_and_answered_for_on_the_live_board(tmp_path: Path) -> None:
    with on_terminal(
        "play", "flip-switch", "--no-web", "--sensors", "presence", "--state", tmp_path
    ) as playing:
        playing.until("Player 1 to move.", "2 <?> <?> <?>", "> 1 Player 1: 0", "<?> may be turned")
        playing.type("b2")
        playing.until("Was it a flip of B2, or did nothing happen? (flip b2, nothing)")
        playing.type("flip")
        playing.until("What came up: heart, square or star? (heart, square, star)")
        playing.type("heart")
        playing.until("Player 2 to move.", "1 1 flip B2 heart")
        playing.type("quit")
        assert playing.end() == 0
    assert boardctl("export", "1", "--state", tmp_path).out == "flip b2 heart\n"


def test_words_are_shown_as_they_are_typed_and_can_be_mended(tmp_path: Path) -> None:
    with on_terminal("play", "--no-web", "--state", tmp_path) as playing:
        playing.until("Say help for all words.")
        playing.press("scx")
        playing.until("> scx ")
        playing.press("\x7fore")
        playing.until("> score ")
        playing.press("\n")
        playing.until("Black 2, White 2, Black 30 left, White 30 left.")
        playing.type("help")
        playing.until("put the mover's disc on D3", "board       the board in letters")
        playing.press("\x1b[A\x1b[Bnow\x17moves\n")
        playing.until("May be played: D3, C4, F5, E6.")
        playing.press("\x04")
        assert playing.end() == 0


def test_what_is_typed_before_the_board_is_there_counts(tmp_path: Path) -> None:
    with on_terminal("play", "--no-web", "--state", tmp_path) as playing:
        playing.type("score")
        playing.until("Black to move.", "Black 2, White 2, Black 30 left, White 30 left.")
        playing.type("quit")
        assert playing.end() == 0


def test_a_question_is_shown_with_its_answers(tmp_path: Path) -> None:
    with on_terminal("play", "--no-web", "--state", tmp_path, "--policy", "club") as playing:
        playing.until("Black to move.")
        playing.type("say d3")
        playing.until("Put black on D3 and turn D4.", ".+X", "O>X", ".+X put it here")
        playing.type("d3")
        playing.type("d4")
        playing.until("White to move.")
        playing.type("undo")
        playing.until("Black offers to take the last move back. The other side says ok, or plays on.")
        playing.until("Say undo, ok, resign, new; help, quit.")
        playing.type("ok")
        playing.until("X^.", "take it away")
        playing.type("quit")
        assert playing.end() == 0


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_gives_the_terminal_back(tmp_path: Path, ending: signal.Signals) -> None:
    with on_terminal("play", "--no-web", "--state", tmp_path) as playing:
        playing.until("Black to move.")
        assert playing.end(ending) == 0
        assert LEFT in playing.raw
        assert playing.said.endswith("Black to move.\nThe game is kept. The same command goes on with it.\n")


def test_ctrl_c_ends_well(tmp_path: Path) -> None:
    with on_terminal("play", "--no-web", "--state", tmp_path) as playing:
        playing.until("Black to move.")
        playing.press("\x03")
        assert playing.end() == 0
        assert "Traceback" not in playing.said


def test_a_terminal_that_goes_away_ends_the_evening_well(tmp_path: Path) -> None:
    with on_terminal("play", "--no-web", "--state", tmp_path) as playing:
        playing.until("Black to move.")
        playing.type("d3")
        playing.until("Turn D4.")
        os.close(playing.terminal)
        assert playing.process.wait(PATIENCE_S) == 0
    assert boardctl("export", "1", "--state", tmp_path).out == "d3\n"


def test_the_board_fits_a_small_terminal_and_grows_with_it(tmp_path: Path) -> None:
    with on_terminal("play", "--no-web", "--state", tmp_path, columns=40, lines=13) as playing:
        playing.until("Black to move.", "> ", "8  .   .   .   .   .   .   .   .")
        assert "White 2" not in playing.said
        resized(playing.terminal, 80, 24)
        playing.until("White 2")
        playing.type("quit")
        assert playing.end() == 0


@pytest.mark.parametrize(("words", "term"), [(["--plain"], "xterm"), ([], "dumb")])
def test_who_wants_plain_lines_on_a_terminal_gets_them(tmp_path: Path, words: list[str], term: str) -> None:
    with on_terminal("play", "--no-web", "--state", tmp_path, *words, term=term) as playing:
        playing.until("Othello. Black to move.\nSay help for all words.\n")
        playing.type("d3")
        playing.until("Black plays D3.\nTurn D4.\n")
        playing.type("quit")
        assert playing.end() == 0
        assert "\x1b" not in playing.raw
