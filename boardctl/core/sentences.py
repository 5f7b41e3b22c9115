"""Everything the judge says to people, in one place so that it can be translated.

One sentence a situation, at most two short clauses: what is so, then what to do; the cell first where there is
one. No blame, no exclamation marks, no names out of the code. The same words go to page, terminal and voice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from boardctl.core.commands import (
    Asked,
    Begun,
    Called,
    Command,
    Completed,
    Debt,
    Ended,
    LinkChanged,
    Lit,
    Moved,
    Offered,
    Owed,
    Passed,
    Refused,
    RoundEnded,
    Scored,
    SensorDoubted,
    Stood,
    Touched,
    Turn,
    Undone,
    Wrong,
)
from boardctl.core.model import Cell, Game, Piece, Player

SEVERAL = 4
"""From so many cells on a sentence counts them instead of naming each."""


def cell_name(cell: Cell) -> str:
    """The cell as printed on a board: D3."""
    return cell.upper()


def listed(words: Sequence[str], last: str = "and") -> str:
    """`A, B and C`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


class Sentences:
    """The sentences of one game."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._noun = game.noun

    def player(self, player: Player) -> str:
        """The player's name: Black."""
        return self._game.players.get(player, player)

    def piece(self, piece: Piece) -> str:
        """A piece as it shows, in the middle of a sentence: black, X."""
        return (
            self._game.players.get(piece, piece)
            if len(piece) == 1
            else piece.replace("_", " ").replace("-", " ")
        )

    def cells(self, cells: Sequence[Cell]) -> str:
        """The cells by name; many are counted."""
        if len(cells) >= SEVERAL:
            return f"{len(cells)} {self._noun}s"
        return listed([cell_name(cell) for cell in cells])

    def of(self, command: Command) -> str | None:
        """What to say about a command; None where there is nothing to be said."""
        match command:
            case Moved() | Passed() | Undone() | Touched() | Stood() | Called() | Scored() | RoundEnded():
                return self._happened(command)
            case Turn():
                return self.turn(command)
            case Owed():
                return self.owed(command) if command.cells else None
            case Wrong():
                return command.say or None
            case Asked():
                return self.ask(command.choices)
            case Refused():
                return self.refused(command)
            case Offered():
                return self.offer(command)
            case SensorDoubted():
                return self.sensor(command)
            case LinkChanged():
                return self.link(command)
            case Ended():
                return self.over(command)
            case Begun():
                return "A new game."
            case Completed() | Lit():
                return None

    def _happened(
        self, command: Moved | Passed | Undone | Touched | Stood | Called | Scored | RoundEnded
    ) -> str:
        match command:
            case Moved():
                played = self._game.spoken(command.move)
                return f"{self.player(command.player)}{':' if ' ' in played else ' plays'} {played}."
            case Passed():
                return f"{self.player(command.player)} passes."
            case Undone():
                what = "The pass" if command.move == "pass" else self.labels([command.move])
                return f"{what[0].upper()}{what[1:]} is taken back."
            case Touched():
                first = cell_name(command.first)
                return f"{first} was touched first and counts. Put the {self._noun} back there."
            case Stood():
                return f"{self.cells(list(command.cells))} can no longer be claimed. It stands as it lies."
            case Called():
                named = listed([cell_name(cell) for cell in command.cells], "or")
                return f"{self.player(command.player)} calls {command.call}. {named} has to move."
            case Scored():
                return f"{self.player(command.player)} makes a point with {command.shape}."
            case RoundEnded():
                won = "Nobody" if command.player is None else self.player(command.player)
                return f"{won} wins the round."

    def turn(self, turn: Turn) -> str:
        """Whose turn it is, and what binds the player."""
        name = self.player(turn.player)
        if list(turn.moves) == ["pass"]:
            return f"{name} cannot move. Pass: say so, or let the next {self._noun} be placed."
        if turn.must:
            return f"{name} has to move {listed([cell_name(cell) for cell in turn.must], 'or')}."
        return f"{name} to move."

    def owed(self, owed: Owed) -> str:
        """What hands still have to do."""
        by_do: dict[str, list[Cell]] = {}
        for cell, debt in owed.cells.items():
            by_do.setdefault(debt.do, []).append(cell)
        parts = [self._do(do, cells, owed.cells) for do, cells in by_do.items()]
        move = self._move(by_do)
        if move is not None:
            parts = [move]
        said = listed(parts)
        if owed.why == "set-up" and self._game.shuffled:
            return f"Shuffle the {self._noun}s and lay them out: {said}."
        return f"{_WHY[owed.why]}{said[0].lower() if _WHY[owed.why] else said[0].upper()}{said[1:]}."

    def _move(self, by_do: Mapping[str, Sequence[Cell]]) -> str | None:
        """What is to be done as one move, where it is that: a piece goes from one cell to another."""
        if self._game.hands != "move" or by_do.keys() != {"put", "take"}:
            return None
        (start, *more), (end, *others) = by_do["take"], by_do["put"]
        return None if more or others else f"move {cell_name(start)} to {cell_name(end)}"

    def _do(self, do: str, cells: Sequence[Cell], owed: Mapping[Cell, Debt]) -> str:
        if do == "put":
            return f"put {self._put(cells, owed)}"
        if do == "take":
            return f"take {self.cells(cells)} away"
        if do == "turn":
            return f"turn {self.cells(cells)}"
        return f"look at {self.cells(cells)}, which no sensor sees, and say ok when it lies right"

    def _put(self, cells: Sequence[Cell], owed: Mapping[Cell, Debt]) -> str:
        if len(cells) > SEVERAL:
            return f"{self._counted([owed[cell].to or '' for cell in cells])} where the lights show"
        by_piece: dict[str, list[str]] = {}
        for cell in cells:
            by_piece.setdefault(self.piece(owed[cell].to or ""), []).append(cell_name(cell))
        return listed(
            [f"{self._thing(piece, len(names))} on {listed(names)}" for piece, names in by_piece.items()]
        )

    def _thing(self, shown: str, count: int = 1) -> str:
        """Pieces as they are put: white; where they move from cell to cell, the blue piece."""
        if self._game.hands == "put":
            return shown
        return f"the {shown} {self._noun}" if count == 1 else f"{shown} {self._noun}s"

    def _counted(self, pieces: Sequence[Piece]) -> str:
        """How many of each: 6 black and 4 white discs."""
        kinds = dict.fromkeys(pieces)
        return f"{listed([f'{pieces.count(kind)} {self.piece(kind)}' for kind in kinds])} {self._noun}s"

    def wrong(self, cells: Mapping[Cell, str], mover: Player, wants: Mapping[Cell, Piece]) -> str:
        """What must not lie there so, and the remedy; about the first such cell when there are several."""
        if not cells:
            return ""
        first = min(
            cells, key=lambda cell: (_ORDER.index(cells[cell]) if cells[cell] in _ORDER else 99, cell)
        )
        same = [cell for cell, reason in cells.items() if reason == cells[first]]
        strays = [cell for cell, reason in cells.items() if reason in _STRAY]
        if len(strays) >= SEVERAL:
            return f"{len(strays)} {self._noun}s lie where none should. Take those away that flash."
        if len(same) >= SEVERAL and cells[first] == "turned-wrongly":
            return f"{len(same)} {self._noun}s show the wrong side. Turn those that flash."
        if len(same) >= SEVERAL and cells[first] == "missing-piece":
            gone = self._counted([wants[cell] for cell in same])
            return f"{gone} are missing. Put them where the lights show."
        moving = _MOVING if self._game.hands == "move" else _WRONG
        said = moving.get(cells[first]) or _WRONG.get(cells[first], _UNTOLD)
        if "{cells}" in said and len(same) == 1:
            said = _HALF  # the other one is in somebody's hand
        return said.format(
            cell=cell_name(first),
            cells=listed([cell_name(cell) for cell in same]),
            noun=self._noun,
            mover=self.player(mover),
            want=self._thing(self.piece(wants.get(first, ""))),
        )

    def ask(self, choices: Sequence[str]) -> str:
        """The question that several explanations leave."""
        named = [choice for choice in choices if choice not in ("nothing", "keep", "undo")]
        if "keep" in choices:
            return f"Was that meant to be taken back? Say undo, or keep and put the {self._noun} back."
        if set(choices) <= self._game.faces.keys():
            return f"What came up: {listed(named, 'or')}?"
        if "nothing" in choices:
            return f"Was it {self.labels(named)}, or did nothing happen?"
        return f"Was it {self.labels(named)}?"

    def labels(self, labels: Sequence[str]) -> str:
        """Move labels as a person says them."""
        return listed([self._game.spoken(label) for label in labels], "or")

    def over(self, ended: Ended) -> str:
        """How the game ended."""
        score = " to ".join(str(points) for points in sorted(ended.score.values(), reverse=True))
        if ended.because == "abandoned":
            return "The game was given up."
        if ended.winner is None:
            return "A draw by agreement." if ended.because == "agreed" else f"A draw, {score}."
        winners = (ended.winner,) if isinstance(ended.winner, str) else tuple(ended.winner)
        name = listed([self.player(player) for player in winners])
        if ended.because == "resigned":
            return f"{name} wins: the other side resigned."
        return f"{name} wins, {score}."

    def refused(self, refused: Refused) -> str:
        """Why what was said cannot be."""
        return _REFUSED.get(refused.because, "That cannot be.").format(say=self._said(refused.say))

    def _said(self, word: str) -> str:
        """What somebody said, whether or not it is a move."""
        return cell_name(word) if word in self._game.points else word

    def offer(self, offered: Offered) -> str:
        """What waits for the other's ok."""
        what = "a draw" if offered.what == "draw" else "to take the last move back"
        return f"{self.player(offered.player)} offers {what}. The other side says ok, or plays on."

    def sensor(self, doubted: SensorDoubted) -> str:
        """Which sensor is not to be believed."""
        return _SENSOR[doubted.state].format(cell=cell_name(doubted.cell))

    def link(self, changed: LinkChanged) -> str:
        """That the sensors went out of reach, or are back."""
        return (
            "The board does not answer. Look at its cable."
            if changed.state == "lost"
            else "The board is back."
        )


_WHY: Mapping[str, str] = {
    "set-up": "Lay the start: ",
    "move": "",
    "repair": "",
    "undo": "Taken back: ",
    "resume": "As it was: ",
}
_ORDER = (
    "wrong-side",
    "not-your-piece",
    "no-bracket",
    "not-yet",
    "extra-piece",
    "turned-wrongly",
    "not-turned",
    "missing-piece",
)
_WRONG: Mapping[str, str] = {
    "not-yet": "{cell} lies there early. First finish what glows.",
    "wrong-side": "{cell} has the wrong side up for {mover}. Turn it over.",
    "not-your-piece": "{cell} is no move for {mover}, whose turn it is. Take the {noun} away.",
    "no-bracket": "{cell} brackets nothing for {mover}. Take the {noun} away.",
    "turned-wrongly": "{cell} should show {want}. Turn it back.",
    "not-turned": "{cell} was not turned. Turn it to {want}.",
    "missing-piece": "{cell} is empty. Put {want} back.",
    "extra-piece": "{cell} should be empty. Take the {noun} away.",
    "own-piece": "{cell} was held by the same side, which takes none of its own. Move back.",
    "same-piece": "{cell} holds the piece that has just moved. Move another one.",
    "brax-owed": "{cell} is not the piece that has to move. Move the one that was called.",
    "blocked": "{cell} cannot be reached: a {noun} stands in the way. Move back.",
    "too-far": "{cell} is too far. Move back.",
    "not-adjacent": "{cells} are not side by side. Switch them back.",
    "face-down": "{cells} may not change places while one lies face down. Switch them back.",
    "same-shape": "{cells} show the same shape. Switch them back.",
    "both-nullified": "{cells} are both out of play. Switch them back.",
    "repeats-last": "{cells} have just been switched. Switch them back.",
}
_MOVING: Mapping[str, str] = {
    "not-your-piece": "{mover} is to move, and {cell} holds another's {noun}. Put it back.",
}
"""What is said instead where pieces move from cell to cell."""
_HALF = "{cell} holds the other {noun}. Switch them back."
_UNTOLD = "{cell} is not as it should be. Put it right."
_STRAY = frozenset({"no-bracket", "not-your-piece", "extra-piece"})
"""Reasons of pieces that lie where none should; many of them tell of a board that was knocked, not of moves."""
_REFUSED: Mapping[str, str] = {
    "cannot-pass": "There is a move, so the turn cannot be passed. Make a move.",
    "no-threat": "There is no threat to call. Move on.",
    "too-few-pieces": "A lone piece may not call. Move on.",
    "not-offered": "{say} is not one of the answers. Choose one that is shown.",
    "not-allowed": "{say} is not allowed in this game. Play on.",
    "not-legal": "{say} is no move and no word now. Choose another.",
    "not-open": "There is nothing to answer with {say}. Play on.",
}
_SENSOR: Mapping[str, str] = {
    "stuck": "The sensor under {cell} is stuck and set aside. Play on; say trust {cell} when it is mended.",
    "chatter": "The sensor under {cell} does not come to rest and is set aside. Play on.",
    "set-aside": "The sensor under {cell} is set aside. Play on.",
    "back": "The sensor under {cell} is believed again.",
}
