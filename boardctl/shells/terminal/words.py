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
    "hint-turn": "may be turned",
    "hint": "may be played",
    "last": "last move",
}
"""What each sign on the board says, for the line under it."""
MAY_LIFT: Mapping[str, str] = {"move": "may be moved", "exchange": "may be exchanged"}
"""What a hint says, by what hands do in the game, of a piece that lies there."""
MAY_TAKE = "may be taken"

NO_ROOM = "This terminal is too low for the lines; look {cell} tells those from a cell."
LINE = "{strokes} {owner}'s lines"
LINES_OF = "{owner} to {cells}"
LINES_FROM = " Lines: {lines}."

OWED: Mapping[str, str] = {
    "turn": "{cell}: turn it to {piece}.",
    "put": "{cell}: put {piece} here.",
    "take": "{cell}: take it away.",
    "confirm": "{cell}: see that it is {piece}, then say ok.",
}
NOTHING_OWED = "Nothing is owed."
LIT_WRONG = "{cell}: must not lie there so."

MAY = "{may}: {cells}."
MUST = "Has to move: {cells}."
MAY_GO = " May go to {cells}."
MAY_COME = " May come here: {cells}."
MAY_EXCHANGE = " May change places with {cells}."
NO_HINTS = "No move is shown."
NO_MOVES = "No move has been made."
THEN: Mapping[str, str] = {
    "call": "{player} calls {what}",
    "point": "a point with {what}",
    "round": "the round",
}
THEN_SHORT: Mapping[str, str] = {"call": "{what}", "point": "+{what}", "round": "round"}
"""What came with a move or after it: in the record, and where there is little room."""
POINTS = "{title} {points}"
POINTS_NUMBERED = "{title}: {points}"
"""The score of a player, and of one whose name ends in a number."""
ON_CELL = "{cell}: {lies}{light}{stop}"
EMPTY, UNKNOWN = "empty", "not known"

HELP_HANDS: Mapping[str, str] = {
    "put": """\
d3          put the mover's {noun} on D3, or turn the {noun} that lies there
put d3      the same on an empty cell; put d3 white: that side up
turn d4 e4  turn {noun}s over       lift d3     take a {noun} away
slide d3 e3 push a {noun} along     nudge d3    bump it""",
    "move": """\
g1 g3       move the {noun} on G1 to G3, and take what stands there
g1          what stands on G1, and where it may go
g1 g2 h2    push it along, over these cells
lift g1     take a {noun} in the hand, or off the board
put g3      put the {noun} lifted last on G3; put g3 {piece}: that one
turn g1     turn a {noun} over      nudge g1    bump it""",
    "exchange": """\
b2          turn the {noun} on B2 up, or tell what it shows
a1 b1       exchange the {noun}s on A1 and B1
turn b2 c2  turn {noun}s over
lift b2     take a {noun} in the hand
put b2      put the {noun} lifted last on B2
slide a1 b1 push a {noun} along     nudge b2    bump it""",
}
"""What simulated hands can be told, by what hands do with pieces in the game."""
HELP_BOARD = "lay         lay out what is owed      knock       knock the board"
HELP_REAL = "The board is real: its pieces are moved by hand."
HELP_SAY = "say {move:<7} name a move instead of making it; all changes are then owed"
HELP_WORDS = """\
pass  undo  ok  draw  resign  new{calls}; an answer, or how it begins
board       the board in letters    look {cell:<6} one cell
owed        what is to be done      moves       where one may play
record      the moves so far        score       how it stands
now         the sentence again      help  quit"""
JUDGED = ("pass", "undo", "ok", "draw", "resign", "new", "keep", "nothing", "trust", "distrust")
"""What may be said to the judge in every game."""

WHICH_CELL = "Which cell? Say for example {verb} {cell}."
WHICH_PATH = "From where to where? Say for example {verb} {cell} {other}."
WHICH_SIDE = "Which side up? Say for example put {cell} {side}."
NO_SUCH_SIDE = "There is no side {side}. Say {sides}."
NO_SUCH_CELL = "There is no cell {cell} on this board."
NOTHING_ON = "Nothing lies on {cell}."
NOTHING_BESIDE = "Nothing lies beside the board to put there."
NONE_BESIDE = "No {piece} lies beside the board."
REAL_BOARD = "The board is real. Move its pieces by hand, or say a move."
PERHAPS = "There is no word {word}. Did you mean {near}? Say help for all words."
UNREADABLE = "There is no word for that. Say help for all words."
TOO_LONG = "That is too long. Say help for all words."

SAY = "Say {words}; help, quit."
RESUMED = "The game left unfinished goes on. Say new to give it up."
BEGIN = "Say help for all words."
