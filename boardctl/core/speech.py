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
    if referee.offer is not None and word != "ok":
        referee.offer = None
    because = _taken(referee, word, now)
    if because is not None:
        referee.out.append(Refused(word, because))


def _taken(referee: Referee, word: str, now: float) -> Answer:
    if referee.question and word in referee.question:
        referee.answer(word, now)
        return None
    verb, _, rest = word.partition(" ")
    if verb in _ABOUT and rest:
        return _ABOUT[verb](referee, rest, now)
    if word in _WORDS:
        return _WORDS[word](referee, now)
    if word in ("keep", "nothing"):
        return "not-open"
    return _label(referee, word, now)


def _label(referee: Referee, label: str, now: float) -> Answer:
    line = next((line for line in referee.record.lines if line.move.label == label), None)
    if line is None or referee.ended is not None or referee.setting_up:
        return "not-legal"
    if referee.question:
        return "not-offered"
    referee.name(line)
    referee.judge(now)
    return None


def _pass(referee: Referee, now: float) -> Answer:
    if referee.ended is not None or not referee.record.must_pass:
        return "cannot-pass"
    referee.make_pass(bound=False)
    referee.judge(now)
    return None


def _undo(referee: Referee, now: float) -> Answer:
    if referee.manner.policy == "tournament":
        return "not-allowed"
    if not referee.record.plies or referee.practice:
        return "not-open"
    if referee.manner.policy == "club":
        referee.offer = Offered("undo", referee.record.plies[-1].player)
        referee.out.append(referee.offer)
        return None
    referee.take_back_by_word()
    referee.judge(now)
    return None


def _ok(referee: Referee, now: float) -> Answer:
    if referee.offer is not None:
        offered, referee.offer = referee.offer, None
        _agreed(referee, offered)
    elif referee.unsure:
        referee.confirm()
    elif referee.ended is None and referee.record.must_pass:
        referee.make_pass(bound=False)
    else:
        return "not-open"
    referee.judge(now)
    return None


def _agreed(referee: Referee, offered: Offered) -> None:
    if offered.what == "draw":
        referee.end(Ended(None, "agreed", referee.record.position.score))
    else:
        referee.take_back_by_word()


def _draw(referee: Referee, now: float) -> Answer:  # noqa: ARG001 a draw is only offered, nothing is judged
    if referee.ended is not None:
        return "not-open"
    referee.offer = Offered("draw", referee.record.position.player)
    referee.out.append(referee.offer)
    return None


def _resign(referee: Referee, now: float) -> Answer:
    return _resigns(referee, referee.record.position.player, now)


def _resigns(referee: Referee, player: Player, now: float) -> Answer:
    if referee.ended is not None:
        return "not-open"
    if player not in referee.game.players:
        return "not-legal"
    others = [other for other in referee.game.players if other != player]
    winner = others[0] if len(others) == 1 else tuple(others)
    score = referee.record.position.score
    _end(referee, Outcome(winner, "resigned", score), now)
    return None


def _end(referee: Referee, outcome: Outcome, now: float) -> None:
    referee.end(Ended(outcome.winner, outcome.because, outcome.score))
    referee.judge(now)


def _new(referee: Referee, now: float) -> Answer:
    if referee.ended is None:
        referee.end(Ended(None, "abandoned", referee.record.position.score))
    referee.new_game()
    referee.judge(now)
    return None


def _brax(referee: Referee, now: float) -> Answer:  # noqa: ARG001 nothing on the board changes by a call
    return "no-threat" if referee.ended is None else "not-open"


def _distrust(referee: Referee, cell: str, now: float) -> Answer:
    if cell not in referee.game.points:
        return "not-legal"
    if cell not in referee.sight.aside:
        referee.sight.set_aside(cell, "set-aside")
        referee.out.append(SensorDoubted(cell, "set-aside"))
        referee.judge(now)
    return None


def _trust(referee: Referee, cell: str, now: float) -> Answer:
    if cell not in referee.game.points:
        return "not-legal"
    if cell not in referee.sight.aside:
        return "not-open"
    referee.sight.take_back(cell)
    referee.out.append(SensorDoubted(cell, "back"))
    referee.judge(now)
    return None


_WORDS: Mapping[str, Callable[[Referee, float], Answer]] = {
    "pass": _pass,
    "undo": _undo,
    "ok": _ok,
    "draw": _draw,
    "resign": _resign,
    "new": _new,
    "brax": _brax,
}
_ABOUT: Mapping[str, Callable[[Referee, str, float], Answer]] = {
    "resign": _resigns,
    "trust": _trust,
    "distrust": _distrust,
}
