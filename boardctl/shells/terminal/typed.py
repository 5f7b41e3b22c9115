"""What a typed line means: deeds of hands, a word to the judge, a question about the board, or the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeAlias

from boardctl.core.model import Cell, Piece
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
    if (answer := _answer([verb, *rest], scene)) is not None:
        return Do(({"say": answer},))
    if all(cell in scene["cells"] for cell in (verb, *rest)):
        return _touch((verb, *rest), scene)
    return _word([verb, *rest], scene)


def _touch(cells: Sequence[Cell], scene: Scene) -> Meaning:
    """Cells alone: what hands would do there; on a real board, the move of that name."""
    hands, (cell, *others) = scene["game"]["hands"], cells
    if not scene["simulated"]:
        return Do(({"say": _naming(cells, scene)},))
    if others:
        return _word(cells, scene) if hands == "put" else _way(cells, scene)
    if cell not in scene["hands"] and (hands == "put" or cell in scene["owed"] or _in_hand(scene)):
        return _put([cell], scene)
    if hands == "put" or (hands == "exchange" and _is_back(scene["hands"].get(cell), scene)):
        return Do(({"hand": "turn", "cell": cell},))
    return Answer(told.look(scene, cell))


def _naming(cells: Sequence[Cell], scene: Scene) -> str:
    """The move that may be made now and names these cells; in any order where two are exchanged."""
    ordered: Callable[[Iterable[Cell]], list[Cell]] = sorted if scene["game"]["hands"] == "exchange" else list
    moves = scene["turn"]["moves"] if scene["turn"] else ()
    fitting = (move for move in moves if ordered(told.cells_of(scene, move)) == ordered(cells))
    return next(fitting, " ".join(cells))


def _is_back(piece: Piece | None, scene: Scene) -> bool:
    """Whether a piece shows no figure where others do: it lies face down."""
    looks = scene["game"]["looks"]
    return piece in looks and not looks[piece]["figure"] and any(look["figure"] for look in looks.values())


# Hands


def _way(cells: Sequence[Cell], scene: Scene) -> Meaning:
    """A piece from the first cell to the last, over those between, taking or exchanging what lies there."""
    hands, kind, held = scene["hands"], scene["game"]["hands"], _in_hand(scene)
    start, end = cells[0], cells[-1]
    if start not in hands and start not in held:
        return Answer(words.NOTHING_ON.format(cell=start.upper()))
    if kind == "exchange" and start != end and (end in hands or end in held):
        return Do(({"hand": "exchange", "one": start, "other": end},))
    if end in hands and start != end:
        return Do(({"hand": "take", "start": start, "end": end},))
    if start not in hands:
        return Do(({"hand": "set", "start": start, "end": end},))
    if kind == "put" or len(cells) > 2:
        return Do(({"hand": "slide", "path": list(cells)},))
    return Do(({"hand": "lift", "cell": start}, {"hand": "set", "start": start, "end": end}))


def _in_hand(scene: Scene) -> Mapping[Cell, str]:
    """The pieces in the hand, by the cell each was lifted from and still belongs on: not those taken."""
    return {
        each["from"]: each["piece"]
        for each in scene["off"]
        if each["from"] and scene["cells"][each["from"]]["should"] == each["piece"]
    }


def _put(rest: Sequence[str], scene: Scene) -> Meaning:
    cell, *said = rest or [""]
    if (refusal := _refused("put", rest[:1], scene)) is not None:
        return refusal
    known = _pieces(scene)
    piece = known.get(" ".join(said)) if said else known.get(_due(cell, scene))
    if said and piece is None:
        named = listed([told.piece(each) for each in scene["game"]["faces"]], "or")
        return Answer(words.NO_SUCH_SIDE.format(side=" ".join(said), sides=named))
    if scene["game"]["hands"] != "put":
        return _brought(cell, piece, bool(said), scene)
    if piece is None:
        return Answer(words.WHICH_SIDE.format(cell=cell, side=next(iter(scene["game"]["faces"]))))
    return Do(({"hand": "put", "cell": cell, "side": scene["game"]["faces"][piece]},))


def _brought(cell: Cell, piece: Piece | None, said: bool, scene: Scene) -> Meaning:
    """A piece from beside the board: of those that show what is wanted the one lifted last, else the last of all."""
    off = scene["off"]
    fitting = [each for each in off if each["piece"] == piece]
    if not fitting and (said or not off):
        none = words.NONE_BESIDE.format(piece=told.piece(piece)) if said else words.NOTHING_BESIDE
        return Answer(none)
    chosen = (fitting or off)[-1]
    from_there = [each for each in off if each["from"] == chosen["from"]]
    if chosen["from"] and from_there[-1] == chosen:
        return Do(({"hand": "set", "start": chosen["from"], "end": cell},))
    return Do(({"hand": "bring", "tag": chosen["tag"], "cell": cell},))


def _pieces(scene: Scene) -> dict[str, Piece]:
    """Every name of a piece, in lower case: its own, its player's, its letter, and the side that is up."""
    game = scene["game"]
    names: dict[str, Piece] = {side: piece for piece, side in reversed(game["faces"].items())}
    names |= {str(game["letters"][piece]).lower(): piece for piece in game["faces"]}
    names |= {str(player["title"]).lower(): player["piece"] for player in game["players"] if player["piece"]}
    names |= {told.piece(piece).lower(): piece for piece in game["faces"]}
    return names | {piece.lower(): piece for piece in game["faces"]}


def _due(cell: Cell, scene: Scene) -> str:
    """The piece a hand would put on a cell if it is not told which: the one owed there, else the mover's."""
    owed = scene["owed"].get(cell, {}).get("to")
    mover = _mover(scene) if scene["game"]["hands"] == "put" else None
    return str(owed or mover or "").lower()


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


def _on_two(
    verb: str, deed: Callable[[Sequence[str], Scene], Meaning]
) -> Callable[[Sequence[str], Scene], Meaning]:
    """A verb that needs at least two cells."""

    def meaning(rest: Sequence[str], scene: Scene) -> Meaning:
        refusal = _refused(verb, rest, scene)
        if refusal is None and len(rest) == 1:
            cells = list(scene["cells"])
            cell = told.example(scene)
            other = cells[(cells.index(cell) + 1) % len(cells)]
            return Answer(words.WHICH_PATH.format(verb=verb, cell=cell, other=other))
        return refusal or deed(rest, scene)

    return meaning


def _slide(rest: Sequence[str], scene: Scene) -> Meaning:  # noqa: ARG001 every verb is called alike
    return Do(({"hand": "slide", "path": list(rest)},))


def _lay(rest: Sequence[str], scene: Scene) -> Meaning:
    """Hands lay out what should lie there; where all does, they had better not touch it."""
    if rest:
        return _word(["lay", *rest], scene)
    if not scene["simulated"]:
        return Answer(words.REAL_BOARD)
    due = {cell: seen["should"] for cell, seen in scene["cells"].items() if seen["should"]}
    return Answer(words.NOTHING_OWED) if due == scene["hands"] else Do(({"hand": "lay"},))


def _knock(rest: Sequence[str], scene: Scene) -> Meaning:
    if rest:
        return _word(["knock", *rest], scene)
    return Do(({"trouble": "knock"},)) if scene["simulated"] else Answer(words.REAL_BOARD)


def _refused(verb: str, cells: Sequence[str], scene: Scene) -> Answer | None:
    """Why hands cannot do this: the board is real, no cell is named, or one that is not there."""
    return _no_cells(verb, cells, scene) if scene["simulated"] else Answer(words.REAL_BOARD)


def _no_cells(verb: str, cells: Sequence[str], scene: Scene) -> Answer | None:
    """Why this is not about cells of the board: none is named, or one that is not there."""
    if not cells:
        return Answer(words.WHICH_CELL.format(verb=verb, cell=told.example(scene)))
    strange = next((cell for cell in cells if cell not in scene["cells"]), None)
    return None if strange is None else Answer(words.NO_SUCH_CELL.format(cell=strange.upper()))


# Words


def _say(rest: Sequence[str], scene: Scene) -> Meaning:
    if not rest:
        return Answer(words.WHICH_CELL.format(verb="say", cell=told.example(scene)))
    return Do(({"say": _spelled(rest, scene)},))


def _look(rest: Sequence[str], scene: Scene) -> Meaning:
    refusal = _no_cells("look", rest, scene)
    return refusal or Answer("\n".join(told.look(scene, cell) for cell in rest))


def _answer(said: Sequence[str], scene: Scene) -> str | None:
    """The answer that is meant to the question that is open: as shown, by a piece's letter, or by how it begins."""
    word, choices = " ".join(said), told.answers(scene)
    letters = {str(letter).lower(): piece for piece, letter in scene["game"]["letters"].items()}
    if word in choices or letters.get(word) in choices:
        return word if word in choices else letters[word]
    begun = [choice for choice in choices if choice.startswith(word)]
    return begun[0] if len(begun) == 1 and word not in scene["cells"] else None


def _word(said: Sequence[str], scene: Scene) -> Meaning:
    """A word to the judge, unless it looks like a slip of the fingers."""
    word = _spelled(said, scene)
    judged = {*words.JUDGED, *told.called(scene)}
    near = get_close_matches(said[0], [*_VERBS, *told.QUESTIONS, *sorted(judged), "quit"], n=1, cutoff=0.7)
    if said[0] in judged or word in _expected(scene) or not near:
        return Do(({"say": word},))
    return Answer(words.PERHAPS.format(word=said[0], near=near[0]))


def _expected(scene: Scene) -> set[str]:
    """Moves and answers that may be said now."""
    return {*(scene["turn"] or {}).get("moves", ()), *told.answers(scene)}


def _spelled(said: Iterable[str], scene: Scene) -> str:
    """The words as the judge knows them: players by their name there, all else in lower case."""
    word = f" {' '.join(said).lower()} "
    players = scene["game"]["players"]
    known = {str(player[key]).lower(): str(player["id"]) for player in players for key in ("title", "id")}
    for name, player in known.items():
        word = word.replace(f" {name} ", f" {player} ")
    return word.strip()


_VERBS: Mapping[str, Callable[[Sequence[str], Scene], Meaning]] = {
    "put": _put,
    "turn": _on_each("turn"),
    "lift": _on_each("lift"),
    "take": _on_each("lift"),
    "nudge": _on_each("nudge"),
    "move": _on_two("move", _way),
    "exchange": _on_two("exchange", _way),
    "slide": _on_two("slide", _slide),
    "lay": _lay,
    "knock": _knock,
    "say": _say,
    "look": _look,
}
