"""All there is to show of a game, as one JSON object: the page and the terminal draw nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from boardctl.core.commands import Ended, LinkChanged, told_debt
from boardctl.core.model import Cell, Game, Rules
from boardctl.core.session import Session
from boardctl.core.sight import ANY

Json = dict[str, object]


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
        "options": dict(game.options),
    }


def _player(game: Game, player: str, title: str) -> Json:
    piece = player if player in game.faces else None
    return {"id": player, "title": title, "letter": game.letters.get(player, title[:1]), "piece": piece}


def session_scene(session: Session) -> Json:
    """What changes with every move: cells, turn, score, record, question."""
    table, position = session.table, session.table.record.position
    turn, ended = table.told_turn, table.ended
    return {
        "cells": {cell: cell_scene(session, cell) for cell in session.game.points},
        "say": sentence(session),
        "kind": kind(session),
        "owed": {cell: told_debt(debt) for cell, debt in table.told_owed.cells.items()},
        "turn": None if turn is None else {"ply": turn.ply, "player": turn.player, "moves": list(turn.moves)},
        "score": dict(position.score),
        "supply": dict(position.supply),
        "practice": table.practice,
        "ask": {"choices": list(table.asked)} if session.referee.question else None,
        "offer": None if table.offer is None else {"what": table.offer.what, "player": table.offer.player},
        "over": None
        if ended is None
        else {"winner": ended.winner, "because": ended.because, "score": dict(ended.score)},
        "can": can(session),
        "link": "ok" if session.connected else "lost",
    }


def cell_scene(session: Session, cell: Cell) -> Json:
    """One cell: what should lie there, what does, what its sensor sees, its light."""
    lies = session.sight.lies[cell]
    light = session.referee.telling.told_lights.cells.get(cell)
    shown: Json | None = None
    if light is not None:
        shown = {"meaning": light.meaning, "step": light.step, "do": None, "to": None}
        shown |= told_debt(light.debt) if light.debt is not None else {}
    return {
        "should": session.table.record.pieces.get(cell),
        "lies": "unknown" if cell in session.sight.wild else ("some" if lies == ANY else lies),
        "sees": session.seen(cell),
        "light": shown,
        "aside": cell in session.sight.aside,
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
            return words.turn(table.told_turn) if table.told_turn is not None else ""


def can(session: Session) -> list[str]:
    """The words worth offering now."""
    table = session.table
    playing = table.ended is None
    worth = {
        "pass": playing and table.record.must_pass,
        "undo": session.setup.policy != "tournament" and bool(table.record.plies) and not table.practice,
        "ok": table.offer is not None or bool(table.unsure) or (playing and table.record.must_pass),
        "draw": playing and table.offer is None,
        "resign": playing,
        "new": True,
    }
    return [word for word, holds in worth.items() if holds]


def rules_scene(rules: Mapping[str, Rules]) -> list[Json]:
    """Every game that can be chosen, with its options."""
    return [
        {
            "name": each.name,
            "title": each.title,
            "about": each.about,
            "options": [option._asdict() for option in each.options],
        }
        for each in rules.values()
    ]
