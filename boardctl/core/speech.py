"""What is said at a table, and what comes of it: pass, undo, ok, resign, draw, new, a move's label, an answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from boardctl.core.commands import Ended, Offered, Refused, SensorDoubted
from boardctl.core.model import Outcome, Player
from boardctl.core.referee import Referee

Answer = str | None
"""Why a word is refused (a reason of `refused`), or None where it was taken."""


def say(referee: Referee, word: str, now: float) -> None:
    """Take a word somebody said. What cannot be is refused with its reason."""
    table = referee.table
    if word != "ok":
        table.offer = None
    because = _taken(referee, word, now)
    if because is not None:
        table.out.append(Refused(word, because))


def _taken(referee: Referee, word: str, now: float) -> Answer:
    if referee.question and word in referee.question:
        referee.answer(word, now)
        return None
    verb, _, rest = word.partition(" ")
    if verb in referee.table.game.calls:
        return _call(referee, word, now)
    if verb in _ABOUT and rest:
        return _ABOUT[verb](referee, rest, now)
    if word in _WORDS:
        return _WORDS[word](referee, now)
    if word in ("keep", "nothing"):
        return "not-open"
    return _label(referee, word, now)


def _label(referee: Referee, label: str, now: float) -> Answer:
    table = referee.table
    if referee.correct(label, now):
        return None
    if table.ended is not None or table.setting_up:
        return "not-legal"
    if referee.question:
        known = any(label in (line.move.label, line.move.group) for line in table.record.lines)
        return "not-offered" if known else "not-legal"
    return None if referee.name(label, now) else "not-legal"


def _pass(referee: Referee, now: float) -> Answer:
    if referee.table.ended is not None or not referee.table.record.must_pass:
        return "cannot-pass"
    referee.table.make_pass(bound=False)
    referee.judge(now)
    return None


def _undo(referee: Referee, now: float) -> Answer:
    if referee.reconsider(now):
        return None
    if referee.manner.policy == "tournament":
        return "not-allowed"
    if not referee.table.record.plies or referee.table.practice:
        return "not-open"
    if referee.manner.policy == "club":
        referee.table.offer = Offered("undo", referee.table.record.plies[-1].player)
        referee.table.out.append(referee.table.offer)
        return None
    referee.table.take_back_by_word()
    referee.judge(now)
    return None


def _ok(referee: Referee, now: float) -> Answer:
    if {"keep", "undo"} <= referee.question.keys():
        referee.answer("undo", now)
        return None
    if referee.table.offer is not None:
        offered, referee.table.offer = referee.table.offer, None
        _agreed(referee, offered)
    elif referee.table.hidden_dues:
        referee.table.confirm_laid()
    elif referee.table.unsure:
        referee.table.confirm()
    elif referee.table.ended is None and referee.table.record.must_pass:
        referee.table.make_pass(bound=False)
    else:
        return "not-open"
    referee.judge(now)
    return None


def _agreed(referee: Referee, offered: Offered) -> None:
    if offered.what == "draw":
        referee.table.end(Ended(None, "agreed", referee.table.record.position.score))
    else:
        referee.table.take_back_by_word()


def _draw(referee: Referee, now: float) -> Answer:  # noqa: ARG001 a draw is only offered, nothing is judged
    if referee.table.ended is not None:
        return "not-open"
    referee.table.offer = Offered("draw", referee.table.record.position.player)
    referee.table.out.append(referee.table.offer)
    return None


def _resign(referee: Referee, now: float) -> Answer:
    return _resigns(referee, referee.table.record.position.player, now)


def _resigns(referee: Referee, player: Player, now: float) -> Answer:
    if referee.table.ended is not None:
        return "not-open"
    if player not in referee.table.game.players:
        return "not-legal"
    others = referee.table.game.rivals(player)
    winner = others[0] if len(others) == 1 else others
    score = referee.table.record.position.score
    _end(referee, Outcome(winner, "resigned", score), now)
    return None


def _end(referee: Referee, outcome: Outcome, now: float) -> None:
    referee.table.end(Ended(outcome.winner, outcome.because, outcome.score))
    referee.judge(now)


def _new(referee: Referee, now: float) -> Answer:
    if referee.table.ended is None:
        referee.table.end(Ended(None, "abandoned", referee.table.record.position.score))
    referee.table.new_game()
    referee.judge(now)
    return None


def _call(referee: Referee, word: str, now: float) -> Answer:
    table = referee.table
    if table.ended is not None or table.setting_up:
        return "not-open"
    call = table.record.position.calls.get(word)
    if call is None:
        return table.record.position.no_call(word)
    table.call(call)
    referee.judge(now)
    return None


def _distrust(referee: Referee, cell: str, now: float) -> Answer:
    if cell not in referee.table.game.points:
        return "not-legal"
    if cell not in referee.table.sight.aside:
        referee.table.sight.set_aside(cell, "set-aside")
        referee.table.out.append(SensorDoubted(cell, "set-aside"))
        referee.judge(now)
    return None


def _trust(referee: Referee, cell: str, now: float) -> Answer:
    if cell not in referee.table.game.points:
        return "not-legal"
    if cell not in referee.table.sight.aside:
        return "not-open"
    referee.table.sight.take_back(cell)
    referee.table.out.append(SensorDoubted(cell, "back"))
    referee.judge(now)
    return None


_WORDS: Mapping[str, Callable[[Referee, float], Answer]] = {
    "pass": _pass,
    "undo": _undo,
    "ok": _ok,
    "draw": _draw,
    "resign": _resign,
    "new": _new,
}
_ABOUT: Mapping[str, Callable[[Referee, str, float], Answer]] = {
    "resign": _resigns,
    "trust": _trust,
    "distrust": _distrust,
}
