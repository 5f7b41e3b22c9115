"""All there is to show of a game, as one JSON object: the page and the terminal draw nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from boardctl.core.commands import Ended, LinkChanged, told_debt
from boardctl.core.model import Cell, Game, Look, Piece, Rules
from boardctl.core.session import Session

Json = dict[str, object]
SENSORS = ("presence", "polarity", "presses")
"""What the sensors of a simulated board can be; and tags, where pieces carry something."""


def game_scene(game: Game) -> Json:
    """What never changes during a game: the board, the players, the pieces."""
    return {
        "name": game.name,
        "title": game.title,
        "noun": game.noun,
        "players": [_player(game, player, title) for player, title in game.players.items()],
        "cells": [
            {"cell": cell, "name": cell.upper(), "x": x, "y": y} for cell, (x, y) in game.points.items()
        ],
        "faces": dict(game.faces),
        "letters": dict(game.letters),
        "looks": {piece: look(game, piece)._asdict() for piece in game.faces},
        "hands": game.hands,
        "edges": [{"a": a, "b": b, "of": owner} for a, b, owner in game.edges],
        "options": dict(game.options),
    }


def look(game: Game, piece: Piece) -> Look:
    """How a piece looks: as the game says, else as one side of a disc."""
    plain = Look("disc", "black" if game.faces[piece] == "heads" else "white")
    return game.looks.get(piece, plain)


def sensors_of(game: Game) -> list[str]:
    """What the sensors of a simulated board for a game can be."""
    return [*SENSORS, *(["tags"] if game.carriers else [])]


def _player(game: Game, player: str, title: str) -> Json:
    piece = player if player in game.faces else None
    short = player if len(player) == 1 else title[:1]
    return {"id": player, "title": title, "letter": game.letters.get(player, short), "piece": piece}


def session_scene(session: Session) -> Json:
    """What changes with every move: cells, turn, score, record, question."""
    table, position = session.table, session.table.record.position
    turn, ended = table.told_turn, table.ended
    return {
        "cells": {cell: cell_scene(session, cell) for cell in session.game.points},
        "say": sentence(session),
        "kind": kind(session),
        "owed": {cell: told_debt(debt) for cell, debt in table.told_owed.cells.items()},
        "why": table.told_owed.why if table.told_owed.cells else None,
        "turn": None
        if turn is None
        else {
            "ply": turn.ply,
            "player": turn.player,
            "moves": list(turn.moves),
            "must": list(turn.must or ()),
        },
        "mover": None if ended is not None else position.player,
        "score": dict(position.score),
        "supply": dict(position.supply),
        "practice": table.practice,
        "ask": _asked(session) if session.referee.question else None,
        "offer": None if table.offer is None else {"what": table.offer.what, "player": table.offer.player},
        "over": None
        if ended is None
        else {"winner": ended.winner, "because": ended.because, "score": dict(ended.score)},
        "can": can(session),
        "link": "ok" if session.connected else "lost",
    }


def _asked(session: Session) -> Json:
    """The open question, and whether `undo` goes back to the one before it."""
    return {"choices": list(session.table.asked), "back": session.referee.led}


def cell_scene(session: Session, cell: Cell) -> Json:
    """One cell: what should lie there, what does, what its sensor sees, its light, whether its piece is marked.

    What lies there is `unknown` where no sensor is believed, `some` where it does not tell which piece.
    """
    lies = session.sight.lies[cell]
    known = lies is None or lies in session.game.faces
    light = session.referee.telling.told_lights.cells.get(cell)
    shown: Json | None = None
    if light is not None:
        shown = {"meaning": light.meaning, "step": light.step, "do": None, "to": None}
        shown |= told_debt(light.debt) if light.debt is not None else {}
    return {
        "should": session.table.record.pieces.get(cell),
        "lies": "unknown" if cell in session.sight.wild else (lies if known else "some"),
        "sees": session.seen(cell),
        "light": shown,
        "aside": cell in session.sight.aside,
        "marked": cell in session.table.record.position.marks,
    }


def kind(session: Session) -> str:
    """What the sentence is about: lost, over, offer, ask, wrong, owed or turn."""
    table = session.table
    standing = {
        "lost": not session.connected,
        "over": table.ended is not None,
        "offer": table.offer is not None,
        "ask": bool(session.referee.question),
        "wrong": bool(table.told_wrong.cells),
        "owed": bool(table.told_owed.cells),
    }
    return next((name for name, holds in standing.items() if holds), "turn")


def sentence(session: Session) -> str:
    """The one sentence that matters now."""
    table, words = session.table, session.referee.telling.sentences
    match kind(session):
        case "lost":
            return words.link(LinkChanged("sensors", "lost"))
        case "over" if isinstance(table.ended, Ended):
            return words.over(table.ended)
        case "offer" if table.offer is not None:
            return words.offer(table.offer)
        case "ask":
            return words.ask(table.asked)
        case "wrong":
            return table.told_wrong.say
        case "owed":
            return words.owed(table.told_owed)
        case _:
            return " ".join(filter(None, [_turn(session), _callers(session)]))


def _turn(session: Session) -> str:
    turn = session.table.told_turn
    return session.referee.telling.sentences.turn(turn) if turn is not None else ""


def _callers(session: Session) -> str:
    """Who may call what just now, where the judge is there to teach."""
    if session.setup.policy != "teach":
        return ""
    words = session.referee.telling.sentences
    may = {(call.player, call.call) for call in session.table.record.position.calls.values()}
    return " ".join(f"{words.player(player)} may call {call}." for player, call in sorted(may))


def can(session: Session) -> list[str]:
    """The words worth offering now."""
    table = session.table
    playing = table.ended is None
    worth = {
        "pass": playing and table.record.must_pass,
        "undo": session.setup.policy != "tournament" and bool(table.record.plies) and not table.practice,
        "ok": table.offer is not None
        or bool(table.unsure or table.hidden_dues)
        or (playing and table.record.must_pass),
        "draw": playing and table.offer is None,
        "resign": playing,
        "new": True,
    }
    calls = table.record.position.calls if playing and not table.setting_up else {}
    return [*(word for word, holds in worth.items() if holds), *calls]


def rules_scene(rules: Mapping[str, Rules]) -> list[Json]:
    """Every game that can be chosen, with its options."""
    return [
        {
            "name": each.name,
            "title": each.title,
            "about": each.about,
            "options": [option._asdict() | {"allowed": option.allowed} for option in each.options],
            "sensors": sensors_of(each.game({})),
        }
        for each in rules.values()
    ]
