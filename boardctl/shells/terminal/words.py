"""Everything the terminal itself says, in one place so that it can be translated. The judge's sentences come ready."""

from __future__ import annotations

from collections.abc import Mapping

SIGNS: Mapping[str, str] = {
    "wrong": "wrong",
    "turn": "turn it",
    "put": "put it here",
    "take": "take it away",
    "confirm": "make it so, say ok",
    "choice": "which one?",
    "mark": "marked",
    "hint": "may be played",
    "last": "last move",
}
"""What each sign on the board says, for the line under it."""

OWED: Mapping[str, str] = {
    "turn": "{cell}: turn it to {piece}.",
    "put": "{cell}: put {piece} here.",
    "take": "{cell}: take it away.",
    "confirm": "{cell}: see that it is {piece}, then say ok.",
}
NOTHING_OWED = "Nothing is owed."
LIT_WRONG = "{cell}: must not lie there so."

MAY = "May be played: {cells}."
NO_HINTS = "No move is shown."
NO_MOVES = "No move has been made."
ON_CELL = "{cell}: {lies}{light}."
EMPTY, UNKNOWN = "empty", "not known"

HELP_SIMULATED = """\
d3          put the mover's disc on D3, or turn the disc that lies there
put d3      the same on an empty cell; put d3 white: that side up
turn d4 e4  turn discs over       lift d3     take a disc away
slide d3 e3 push a piece along    nudge d3    bump it    knock   the board"""
HELP_REAL = "The board is real: its pieces are moved by hand."
HELP_WORDS = """\
say d3      name a move instead of making it; all changes are then owed
pass  undo  ok  draw  resign  new, or an answer to a question
board       the board in letters  look d3     one cell
owed        what is to be done    moves       where one may play
record      the moves so far      score       and discs left
now         the sentence again    help  quit"""

WHICH_CELL = "Which cell? Say for example {verb} d3."
WHICH_PATH = "From where to where? Say for example slide d3 e3."
WHICH_SIDE = "Which side up? Say for example put {cell} {side}."
NO_SUCH_SIDE = "There is no side {side}. Say {sides}."
NO_SUCH_CELL = "There is no cell {cell} on this board."
REAL_BOARD = "The board is real. Move its pieces by hand, or say a move."
PERHAPS = "There is no word {word}. Did you mean {near}? Say help for all words."
UNREADABLE = "There is no word for that. Say help for all words."
TOO_LONG = "That is too long. Say help for all words."

SAY = "Say {words}; help, quit."
RESUMED = "The game left unfinished goes on. Say new to give it up."
BEGIN = "Say help for all words."
