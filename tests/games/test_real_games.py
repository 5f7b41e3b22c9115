"""Games that people played, and random ones on six by six, replayed to their recorded ends."""

from __future__ import annotations

import pytest

from boardctl.core.model import PASS, Move, Outcome
from boardctl.games.bracket import BRACKET, OTHELLO
from tests.games.diagrams import replayed, table

SIDES = {"X": "black", "O": "white"}


def passes(text: str) -> list[tuple[int, str]]:
    pairs = [entry.split(":") for entry in text.split(",")] if text != "-" else []
    return [(int(number), side) for number, side in pairs]


@pytest.mark.parametrize("name", ["games_wthor_1977_2025.tsv", "games_wthor_selected.tsv"])
def test_every_game_of_the_federation_ends_as_it_was_recorded(name: str) -> None:
    start = OTHELLO.game({"empties_to_winner": True}).starts[0]
    differing = []
    for number, row in enumerate(table(name)):
        end, missed = replayed(start, row["moves"])
        ends = (end.score, missed, end.outcome and end.outcome.score)
        discs = {"black": int(row["discs_x"]), "white": int(row["discs_o"])}
        drawn = discs["black"] == discs["white"]  # the record halves the empty cells, we leave them
        score = discs if drawn else {"black": int(row["score_x"]), "white": int(row["score_o"])}
        recorded = [(before, SIDES[side]) for before, side in passes(row["passes"])]
        if ends != (discs, recorded, score if row["finished"] == "yes" else None):
            differing.append((number, ends))
    assert differing == []


def test_every_game_on_six_by_six_ends_full_or_with_two_passes() -> None:
    start = BRACKET.game({}).starts[0]
    differing = []
    for number, row in enumerate(table("games_6x6_synthetic.tsv")):
        end, missed = replayed(start, row["moves"])
        because = "full" if row["empties"] == "0" else "two-passes"
        if because == "two-passes":
            assert end.outcome is None
            end = end.play(Move(PASS)).play(Move(PASS))
        score = {"X": int(row["discs_x"]), "O": int(row["discs_o"])}
        winner = None if row["winner"] == "draw" else row["winner"]
        if (missed, end.outcome) != (passes(row["passes"]), Outcome(winner, because, score)):
            differing.append((number, missed, end.outcome))
    assert differing == []
