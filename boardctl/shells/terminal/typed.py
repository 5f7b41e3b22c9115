"""What a typed line means: deeds of hands, a word to the judge, a question about the board, or the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeAlias

from boardctl.core.model import Cell
from boardctl.core.sentences import listed
from boardctl.shells.terminal import told, words
from boardctl.shells.terminal.desk import Scene

LONGEST = 80
"""Characters of a line that may mean something."""

Message: TypeAlias = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Do:
    """The desk is to carry these out, in this order."""

    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """There is nothing to do but to tell this."""

    say: str


@dataclass(frozen=True, slots=True)
class Leave:
    """The person wants to end."""


Meaning: TypeAlias = Do | Answer | Leave


def meant(line: str, scene: Scene) -> Meaning:
    """What a line means in a scene. Whatever it is not, is a word for the judge, who answers for it."""
    verb, *rest = line.lower().split() or [""]
    if len(line) > LONGEST or not line.isprintable():
        return Answer(words.TOO_LONG if line.isprintable() else words.UNREADABLE)
    if verb in ("quit", "exit"):
        return Leave()
    if verb in told.QUESTIONS and not rest:
        return Answer(told.QUESTIONS[verb](scene))
    if verb in _VERBS:
        return _VERBS[verb](rest, scene)
    if verb in scene["cells"] and not rest:
        return _touch(verb, scene)
    return _word([verb, *rest], scene)


def _touch(cell: Cell, scene: Scene) -> Meaning:
    """A cell alone: what a hand would do there; on a real board, the move of that name."""
    if not scene["simulated"]:
        return Do(({"say": cell},))
    if cell in scene["hands"]:
        return Do(({"hand": "turn", "cell": cell},))
    return _put([cell], scene)


# Hands


def _put(rest: Sequence[str], scene: Scene) -> Meaning:
    cell, *sides = rest or [""]
    if (refusal := _refused("put", rest[:1], scene)) is not None:
        return refusal
    known = _sides(scene)
    if not sides:
        side = known.get(_due(cell, scene))
    elif (side := known.get(" ".join(sides))) is None:
        named = listed(list(scene["game"]["faces"]), "or")
        return Answer(words.NO_SUCH_SIDE.format(side=" ".join(sides), sides=named))
    if side is None:
        return Answer(words.WHICH_SIDE.format(cell=cell, side=next(iter(scene["game"]["faces"]))))
    return Do(({"hand": "put", "cell": cell, "side": side},))


def _sides(scene: Scene) -> dict[str, str]:
    """Every name of a side of a piece, in lower case: of the piece, of its player, its letter, the side itself."""
    game = scene["game"]
    sides = {"heads": "heads", "tails": "tails"}
    sides |= {str(game["letters"][piece]).lower(): side for piece, side in game["faces"].items()}
    sides |= {
        str(player["title"]).lower(): game["faces"][player["piece"]]
        for player in game["players"]
        if player["piece"]
    }
    return sides | {piece.lower(): side for piece, side in game["faces"].items()}


def _due(cell: Cell, scene: Scene) -> str:
    """The piece a hand would put on a cell if it is not told which: the one owed there, else the mover's."""
    owed = scene["owed"].get(cell, {}).get("to")
    return str(owed or _mover(scene) or "").lower()


def _mover(scene: Scene) -> str | None:
    """The piece of whose turn it is, or will be once all is in order."""
    players = scene["game"]["players"]
    ids = [player["id"] for player in players]
    if scene["turn"] is not None:
        at = ids.index(scene["turn"]["player"])
    else:
        plies = told.standing(scene)
        at = ids.index(plies[-1]["player"]) + 1 if plies else 0
    piece: str | None = players[at % len(players)]["piece"]
    return piece


def _on_each(hand: str) -> Callable[[Sequence[str], Scene], Meaning]:
    def meaning(rest: Sequence[str], scene: Scene) -> Meaning:
        refusal = _refused(hand, rest, scene)
        return refusal or Do(tuple({"hand": hand, "cell": cell} for cell in rest))

    return meaning


def _slide(rest: Sequence[str], scene: Scene) -> Meaning:
    if len(rest) == 1:
        return Answer(words.WHICH_PATH)
    return _refused("slide", rest, scene) or Do(({"hand": "slide", "path": list(rest)},))


def _knock(rest: Sequence[str], scene: Scene) -> Meaning:
    if rest:
        return _word(["knock", *rest], scene)
    return Do(({"trouble": "knock"},)) if scene["simulated"] else Answer(words.REAL_BOARD)


def _refused(verb: str, cells: Sequence[str], scene: Scene) -> Answer | None:
    """Why hands cannot do this: the board is real, no cell is named, or one that is not there."""
    if not scene["simulated"]:
        return Answer(words.REAL_BOARD)
    if not cells:
        return Answer(words.WHICH_CELL.format(verb=verb))
    strange = next((cell for cell in cells if cell not in scene["cells"]), None)
    return None if strange is None else Answer(words.NO_SUCH_CELL.format(cell=strange.upper()))


# Words


def _say(rest: Sequence[str], scene: Scene) -> Meaning:
    return Do(({"say": _spelled(rest, scene)},)) if rest else Answer(words.WHICH_CELL.format(verb="say"))


def _look(rest: Sequence[str], scene: Scene) -> Meaning:
    if not rest:
        return Answer(words.WHICH_CELL.format(verb="look"))
    strange = [cell for cell in rest if cell not in scene["cells"]]
    if strange:
        return Answer(words.NO_SUCH_CELL.format(cell=strange[0].upper()))
    return Answer("\n".join(told.look(scene, cell) for cell in rest))


def _word(said: Sequence[str], scene: Scene) -> Meaning:
    """A word to the judge, unless it looks like a slip of the fingers."""
    word = _spelled(said, scene)
    near = get_close_matches(said[0], [*_VERBS, *told.QUESTIONS, *_JUDGED, "quit"], n=1, cutoff=0.7)
    if said[0] in _JUDGED or word in _expected(scene) or not near:
        return Do(({"say": word},))
    return Answer(words.PERHAPS.format(word=said[0], near=near[0]))


def _expected(scene: Scene) -> set[str]:
    """Moves and answers that may be said now."""
    return {*(scene["turn"] or {}).get("moves", ()), *told.answers(scene)}


def _spelled(said: Iterable[str], scene: Scene) -> str:
    """The words as the judge knows them: players by their name there, all else in lower case."""
    players = scene["game"]["players"]
    known = {str(player[key]).lower(): str(player["id"]) for key in ("title", "id") for player in players}
    return " ".join(known.get(word.lower(), word.lower()) for word in said)


_JUDGED = ("pass", "undo", "ok", "draw", "resign", "new", "brax", "keep", "nothing", "trust", "distrust")
"""What may be said at any time, in every game."""
_VERBS: Mapping[str, Callable[[Sequence[str], Scene], Meaning]] = {
    "put": _put,
    "turn": _on_each("turn"),
    "lift": _on_each("lift"),
    "take": _on_each("lift"),
    "nudge": _on_each("nudge"),
    "slide": _slide,
    "knock": _knock,
    "say": _say,
    "look": _look,
}
