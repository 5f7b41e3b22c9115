"""Positions, games and irregularities that other programs have computed (data/othello_cases.json)."""

from __future__ import annotations

from typing import Any

import pytest

from boardctl.core.model import Move, Outcome, Player
from boardctl.games.bracket import OTHELLO, BracketGame
from boardctl.games.bracketing import BracketPosition
from tests.games.diagrams import CASES, position, replayed, rows

COLOURS = {"X": "black", "O": "white"}


def cases(kind: str) -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in CASES if case["kind"] == kind]


def game(case: dict[str, Any], **options: object) -> BracketGame:
    return OTHELLO.game({"size": case["size"], **options})


def turned(position: BracketPosition) -> dict[str, list[str]]:
    """What each legal move turns, in reading order of the discs."""
    order = list(position.terms.board.bits)
    moves = [move for move in position.moves() if move.label != "pass"]
    return {move.label: sorted((due.cell for due in move.dues), key=order.index) for move in moves}


def status(position: BracketPosition) -> str:
    if position.outcome:
        return "game_over"
    return "pass" if position.moves() == (Move("pass"),) else "move"


def other(player: Player) -> Player:
    return {"black": "white", "white": "black"}[player]


@pytest.mark.parametrize("case", cases("position"))
def test_every_position_has_just_these_moves_and_they_turn_just_these_discs(case: dict[str, Any]) -> None:
    mover = COLOURS[case["to_move"]]
    here = position(game(case), mover, case["board"])
    assert (turned(here), status(here)) == (case["legal"], case["status"])
    assert list(turned(position(game(case), other(mover), case["board"]))) == case["opponent_legal"]
    assert {here.named(no["square"]) for no in case.get("illegal", [])} <= {None}


@pytest.mark.parametrize("case", [case for case in cases("position") if "result" in case.values[0]])
def test_every_finished_position_is_counted_as_it_lies(case: dict[str, Any]) -> None:
    here = position(game(case), COLOURS[case["to_move"]], case["board"])
    winner, discs = COLOURS.get(case["result"]["winner"]), case["result"]["discs"]
    because = "no-moves" if case["result"]["empties"] else "full"
    assert here.outcome == Outcome(winner, because, {"black": discs["X"], "white": discs["O"]})


@pytest.mark.parametrize("case", cases("game"))
def test_every_game_comes_to_the_same_board_with_the_same_passes(case: dict[str, Any]) -> None:
    start = game(case, first=COLOURS[case["first"]]).starts[0]
    end, passes = replayed(start, case["moves"])
    assert rows(end) == case["final_board"]
    assert passes == [(taken["before_move_number"], COLOURS[taken["player"]]) for taken in case["passes"]]
    assert (end.player, status(end), turned(end)) == (
        COLOURS[case["to_move_after"]],
        case["final_status"],
        case["final_legal"],
    )


@pytest.mark.parametrize("case", [case for case in cases("game") if "result" in case.values[0]])
def test_every_finished_game_gives_its_empty_cells_to_the_winner_if_so_agreed(case: dict[str, Any]) -> None:
    result = case["result"]
    agreed = game(case, first=COLOURS[case["first"]], empties_to_winner=True)
    outcome = replayed(agreed.starts[0], case["moves"])[0].outcome
    # In a draw the file halves the empty cells; here a draw keeps the count.
    counted = result["discs"] if result["winner"] == "draw" else result["score_empties_to_winner"]
    assert outcome is not None
    assert (outcome.winner, outcome.score) == (
        COLOURS.get(result["winner"]),
        {"black": counted["X"], "white": counted["O"]},
    )


def turned_between(case: dict[str, Any]) -> set[str]:
    """Cells whose disc shows another side than before the mover's action."""
    cells = OTHELLO.game({"size": case["size"]}).points
    before, after = "".join(case["board_before"]), "".join(case["board_observed"])
    changed = zip(cells, before, after, strict=True)
    return {cell for cell, old, new in changed if old != new and "." not in (old, new)}


@pytest.mark.parametrize(
    "case", [case for case in cases("irregularity") if "square" in case.values[0]["verdict"]]
)
def test_what_a_disc_should_have_turned_tells_what_was_missed_and_what_was_too_much(
    case: dict[str, Any],
) -> None:
    verdict, here = case["verdict"], position(game(case), COLOURS[case["to_move"]], case["board_before"])
    move = here.named(verdict["square"])
    due = {change.cell for change in move.dues} if move else set()
    touched, mine = turned_between(case), {c for c, piece in here.pieces.items() if piece == here.player}
    found = {
        "legal": move is not None,
        "required_flips": sorted(due),
        "missing_flips": sorted(due - touched),
        "extra_flips": sorted(touched - due - mine),
        "own_discs_turned": sorted(touched & mine),
        "mover_had_a_move": bool(here.open),
    }
    assert found == {key: verdict[key] for key in found}


FAULTS = {
    "irr-illegal-square": "no-bracket",
    "irr-wrong-colour": "wrong-side",
    "irr-opponent-colour-turn": "not-your-piece",
}


@pytest.mark.parametrize("case", [case for case in cases("irregularity") if case.values[0]["id"] in FAULTS])
def test_a_disc_that_is_no_move_is_told_why(case: dict[str, Any]) -> None:
    here = position(game(case), COLOURS[case["to_move"]], case["board_before"])
    verdict = case["verdict"]
    assert here.fault(verdict["square"], COLOURS[verdict["colour_placed"]]) == FAULTS[case["id"]]


def test_who_has_a_move_may_not_pass() -> None:
    case = next(case for case in CASES if case["id"] == "irr-pass-with-move")
    here = position(game(case), COLOURS[case["to_move"]], case["board_before"])
    assert here.named("pass") is None
