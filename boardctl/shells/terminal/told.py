"""What a person may ask about a scene, answered in lines of plain text: complete without seeing the board."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from boardctl.core.model import Cell, Piece
from boardctl.core.sentences import listed
from boardctl.shells.terminal import drawn, lines, words
from boardctl.shells.terminal.desk import Scene


def board(scene: Scene) -> str:
    """The board in letters, and what the signs and lines on it say."""
    drawing = [drawn.text(line) for line in drawn.drawing(scene)]
    return "\n".join([*drawing, *filter(None, (owners(scene), key(scene)))])


def owners(scene: Scene) -> str:
    """Whose lines are drawn how; nothing where there are none."""
    told, ways = [], lines.ways(scene)
    for owner, style in lines.styles(scene).items():
        strokes = " ".join(getattr(style, way) for way in ways)
        told.append(words.LINE.format(strokes=strokes, owner=_owner(scene, owner)))
    return "   ".join(told)


def key(scene: Scene) -> str:
    """The signs that are on the board now, each with what it says: `(.) may be played`."""
    shown: dict[tuple[int, str], str] = {}
    order = list(words.SIGNS)
    for cell in scene["cells"]:
        mark = drawn.mark(scene, cell)
        if mark.sign:
            says = _says(scene, cell)
            shown.setdefault((order.index(mark.sign), says), f"{mark.text} {says}")
    return "   ".join(shown[said] for said in sorted(shown))


def _says(scene: Scene, cell: Cell) -> str:
    """What the light of a cell says, in words; nothing where it is dark."""
    said = drawn.sign(scene, cell)
    hands = scene["game"]["hands"]
    if said != "hint" or drawn.lying(scene, cell) is None:
        return words.SIGNS.get(said, "")
    if hands == "move" and scene["turn"] and drawn.lying(scene, cell) != scene["turn"]["player"]:
        return words.MAY_TAKE
    return words.MAY_LIFT.get(hands, words.SIGNS[said])


def owed(scene: Scene) -> str:
    """All that hands still have to do, cell by cell."""
    lines = [
        words.OWED[debt["do"]].format(cell=name(scene, cell), piece=piece(debt.get("to")))
        for cell, debt in scene["owed"].items()
    ]
    lines += [
        words.LIT_WRONG.format(cell=name(scene, cell))
        for cell in scene["cells"]
        if drawn.sign(scene, cell) == "wrong" and cell not in scene["owed"]
    ]
    return "\n".join(lines) or words.NOTHING_OWED


def moves(scene: Scene) -> str:
    """Which pieces one has to move; else where one may play, as far as the lights show it."""
    if scene["turn"] and scene["turn"]["must"]:
        return words.MUST.format(cells=listed([name(scene, cell) for cell in scene["turn"]["must"]], "or"))
    may: dict[str, list[str]] = {}
    for cell in scene["cells"]:
        if drawn.sign(scene, cell) in ("hint", "hint-turn"):
            may.setdefault(_says(scene, cell), []).append(name(scene, cell))
    told = [words.MAY.format(may=f"{said[0].upper()}{said[1:]}", cells=", ".join(may[said])) for said in may]
    return "\n".join(told) or words.NO_HINTS


def record(scene: Scene) -> str:
    """The moves that stand, with passes and what came of them: `1 Black D3, 2 White pass`."""
    titles = _titles(scene)
    plies = [
        f"{ply['ply']} {titles[ply['player']]} {label(scene, ply['label'])}{_then(scene, ply, words.THEN, ' and ')}"
        for ply in standing(scene)
    ]
    return ", ".join(plies) + "." if plies else words.NO_MOVES


def short(scene: Scene, ply: Mapping[str, Any]) -> str:
    """A ply in few letters: `1 X D3`."""
    letters = {
        player["id"]: drawn.letter(scene, player["piece"] or player["id"])
        for player in scene["game"]["players"]
    }
    then = _then(scene, ply, words.THEN_SHORT, " ")
    return f"{ply['ply']} {letters[ply['player']]} {label(scene, ply['label'])}{then}"


def _then(scene: Scene, ply: Mapping[str, Any], said: Mapping[str, str], joint: str) -> str:
    """What came with a ply or was called after it."""
    titles = _titles(scene)
    return "".join(
        joint + said[each["event"]].format(player=titles.get(each["player"], ""), what=each["what"])
        for each in ply.get("then", ())
    )


def standing(scene: Scene) -> Sequence[Mapping[str, Any]]:
    """The plies that were not taken back."""
    return [ply for ply in scene["record"] if not ply["undone"]]


def score(scene: Scene) -> str:
    """The score, and what is left to be placed."""
    titles = _titles(scene)
    parts = [points(scene, player) for player in scene["score"]]
    left = [f"{titles.get(whose, '')} {count} left".strip() for whose, count in scene["supply"].items()]
    return ", ".join(parts + left) + "."


def points(scene: Scene, player: str) -> str:
    """The score of one player, or the name alone where there is none."""
    title = _titles(scene)[player]
    if player not in scene["score"]:
        return title
    said = words.POINTS_NUMBERED if title[-1].isdigit() else words.POINTS
    return said.format(title=title, points=scene["score"][player])


def look(scene: Scene, cell: Cell) -> str:
    """One cell: what lies there, what its light says, the lines from it, and where its piece may go."""
    lies, light = piece(drawn.lying(scene, cell)), _says(scene, cell)
    said = words.ON_CELL.format(
        cell=name(scene, cell),
        lies=lies,
        light=f", {light}" if light else "",
        stop="" if light.endswith("?") else ".",
    )
    return said + _lines_from(scene, cell) + _reach(scene, cell)


def _lines_from(scene: Scene, cell: Cell) -> str:
    ends: dict[str, list[str]] = {}
    for edge in scene["game"]["edges"]:
        if cell in (edge["a"], edge["b"]):
            other = edge["b"] if edge["a"] == cell else edge["a"]
            ends.setdefault(edge["of"], []).append(name(scene, other))
    told = [
        words.LINES_OF.format(owner=_owner(scene, owner), cells=", ".join(sorted(ends[owner])))
        for owner in lines.styles(scene)
        if owner in ends
    ]
    return words.LINES_FROM.format(lines="; ".join(told)) if told else ""


def _owner(scene: Scene, owner: str) -> str:
    """The owner of lines by name: a player, or the side of several."""
    return _titles(scene).get(owner, owner.replace("_", " ").capitalize())


def _reach(scene: Scene, cell: Cell) -> str:
    """Where the piece of a cell may go, or what may come there; only where the judge gives hints."""
    hands = scene["game"]["hands"]
    if scene["turn"] is None or hands == "put" or scene["game"]["policy"] != "teach":
        return ""
    ways = [way for move in scene["turn"]["moves"] if cell in (way := cells_of(scene, move)) and len(way) > 1]
    others = [name(scene, other) for way in ways for other in way if other != cell]
    if not others:
        return ""
    if hands == "exchange":
        return words.MAY_EXCHANGE.format(cells=", ".join(others))
    return (words.MAY_GO if ways[0][0] == cell else words.MAY_COME).format(cells=", ".join(others))


def answers(scene: Scene) -> Sequence[str]:
    """What may be said to the question that is open; nothing where none is."""
    choices: Sequence[str] = scene["ask"]["choices"] if scene["ask"] else []
    return choices


def helped(scene: Scene) -> str:
    """All words there are."""
    game, cell = scene["game"], example(scene)
    hands = [words.HELP_REAL]
    if scene["simulated"]:
        pieces = list(game["faces"])
        hands = [words.HELP_HANDS[game["hands"]].format(noun=game["noun"], piece=piece(pieces[-1]))]
        hands.append(words.HELP_BOARD)
    move = next(iter(scene["turn"]["moves"] if scene["turn"] else ()), cell)
    calls = "".join(f"  {word}" for word in called(scene))
    return "\n".join(
        [*hands, words.HELP_SAY.format(move=move), words.HELP_WORDS.format(cell=cell, calls=calls)]
    )


def example(scene: Scene) -> Cell:
    """A cell to show how words are used: where one may play, if there is such."""
    hinted = (cell for cell in scene["cells"] if drawn.sign(scene, cell).startswith("hint"))
    return str(next(hinted, next(iter(scene["cells"]))))


def offered(scene: Scene) -> Sequence[str]:
    """The words worth offering now: a call with a name only where the word alone does not do."""
    can: Sequence[str] = scene["can"]
    return [word for word in can if word.partition(" ")[0] not in can or " " not in word]


def called(scene: Scene) -> Sequence[str]:
    """What may be called now, without whom it is said to: besides what may be said in every game."""
    firsts = dict.fromkeys(word.partition(" ")[0] for word in scene["can"])
    return [word for word in firsts if word not in words.JUDGED]


def now(scene: Scene) -> str:
    """The sentence that matters now, and the answers it waits for."""
    choices = answers(scene)
    return str(scene["say"]) + (f" ({', '.join(choices)})" if choices else "")


QUESTIONS: Mapping[str, Callable[[Scene], str]] = {
    "board": board,
    "owed": owed,
    "moves": moves,
    "record": record,
    "score": score,
    "now": now,
    "help": helped,
}
"""What may be asked by one word."""


def name(scene: Scene, cell: Cell) -> str:
    """The cell as printed on the board."""
    return next((str(each["name"]) for each in scene["game"]["cells"] if each["cell"] == cell), cell)


def label(scene: Scene, move: str) -> str:
    """A move as printed: `D3`, `E6xF5`, `pass`."""
    return _cells(scene).sub(lambda found: name(scene, found[0]), move)


def cells_of(scene: Scene, move: str) -> tuple[Cell, ...]:
    """The cells a move names, in order."""
    return tuple(_cells(scene).findall(move))


def _cells(scene: Scene) -> re.Pattern[str]:
    """Any cell, where its name ends: `g1` is not in `g13`."""
    return re.compile(rf"(?:{'|'.join(map(re.escape, scene['cells']))})(?![0-9])")


def piece(lies: Piece | None) -> str:
    """A piece, or none, in the middle of a sentence."""
    if lies is None:
        return words.EMPTY
    return words.UNKNOWN if lies == drawn.UNKNOWN else lies.replace("_", " ")


def _titles(scene: Scene) -> dict[str, str]:
    return {player["id"]: player["title"] for player in scene["game"]["players"]}
