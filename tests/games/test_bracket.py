"""The three games of the bracket family at a table: options, starts, supplies, ends."""

from __future__ import annotations

from typing import Any

import pytest

from boardctl.core.model import Change, Move, Outcome, WrongOption
from boardctl.games.bracket import BRACKET, FUNDEX, OTHELLO
from boardctl.games.bracketing import BracketPosition, NotLegal
from tests.games.diagrams import CASES, position, replayed, rows

FAMILY = [BRACKET, FUNDEX, OTHELLO]


def case(name: str) -> dict[str, Any]:
    return next(case for case in CASES if case["id"] == name)


def labels(position: BracketPosition) -> list[str]:
    return [move.label for move in position.moves()]


def test_the_worked_opening_of_bracket_turns_c3_alone() -> None:
    start = BRACKET.game({}).starts[0]
    move = Move("b3", (Change("b3", None, "X"),), (Change("c3", "O", "X"),))
    assert start.named("b3") == move
    after = start.play(move)
    assert (after.player, after.pieces) == ("O", {"b3": "X", "c3": "X", "d3": "X", "c4": "X", "d4": "O"})


def test_dues_run_outward_line_by_line_from_the_disc() -> None:
    board = ["........", "........", "........", "....OOX.", "...O....", "...O....", "...X....", "........"]
    move = position(OTHELLO.game({}), "black", board).named("d4")
    assert move is not None
    assert [due.cell for due in move.dues] == ["e4", "f4", "d5", "d6"]


@pytest.mark.parametrize(
    ("rules", "players", "pieces"),
    [
        (BRACKET, {"X": "X", "O": "O"}, {"d3": "X", "c4": "X", "c3": "O", "d4": "O"}),
        (
            FUNDEX,
            {"white": "White", "black": "Black"},
            {"e4": "black", "d5": "black", "d4": "white", "e5": "white"},
        ),
        (
            OTHELLO,
            {"black": "Black", "white": "White"},
            {"e4": "black", "d5": "black", "d4": "white", "e5": "white"},
        ),
    ],
)
def test_each_game_begins_as_its_text_says(rules: Any, players: Any, pieces: Any) -> None:
    game = rules.game({})
    assert list(game.players.items()) == list(players.items())
    assert [(start.player, start.pieces) for start in game.starts] == [(next(iter(players)), pieces)]


@pytest.mark.parametrize("rules", FAMILY)
def test_whoever_is_chosen_to_begin_begins_and_is_named_first(rules: Any) -> None:
    for first in rules.sides:
        game = rules.game({"first": first})
        assert (game.starts[0].player, next(iter(game.players)), next(iter(game.starts[0].score))) == (
            first,
        ) * 3


def test_the_mirrored_diagonal_exchanges_the_sides_in_the_middle() -> None:
    assert rows(BRACKET.game({"diagonal": "mirrored"}).starts[0])[2:4] == ["..XO..", "..OX.."]


def test_as_laid_offers_both_diagonals_the_standard_one_first() -> None:
    standard, mirrored = (OTHELLO.game({"diagonal": way}).starts[0] for way in ("standard", "mirrored"))
    both = OTHELLO.game({"diagonal": "as-laid"}).starts
    assert [start.pieces for start in both] == [standard.pieces, mirrored.pieces]
    assert [labels(start) for start in both] == [["d3", "c4", "f5", "e6"], ["e3", "f4", "c5", "d6"]]


@pytest.mark.parametrize("size", [4, 6, 8, 10])
def test_every_even_size_has_its_four_discs_in_the_middle(size: int) -> None:
    start = OTHELLO.game({"size": size}).starts[0]
    middle = "abcdefghij"[size // 2 - 1 : size // 2 + 1]
    assert set(start.pieces) == {f"{column}{row}" for column in middle for row in (size // 2, size // 2 + 1)}
    assert len(start.moves()) == 4


def test_a_game_tells_the_table_what_it_needs() -> None:
    game = OTHELLO.game({"practice": 3, "pass": "automatic"})
    assert (game.name, game.noun, game.practice, game.pass_automatic) == ("othello", "disc", 3, True)
    assert (game.faces, game.letters) == (
        {"black": "heads", "white": "tails"},
        {"black": "X", "white": "O"},
    )
    assert (game.turned("black"), game.turned("white"), game.turned("star")) == ("white", "black", None)
    assert (game.carried("anything", "heads"), game.carried("black", "tails")) == ("black", "white")
    assert list(game.points.items())[:9:8] == [("a1", (0.0, 0.0)), ("a2", (0.0, 1.0))]
    assert game.points["h8"] == (7.0, 7.0)


@pytest.mark.parametrize("rules", FAMILY)
def test_the_options_of_a_game_are_all_there_with_their_defaults(rules: Any) -> None:
    assert rules.game({}).options == {
        "first": {"bracket": "X", "fundex": "white", "othello": "black"}[rules.name],
        "diagonal": "standard",
        "pass": "announce",
        "empties_to_winner": False,
        "practice": 0,
        "size": 6 if rules.name == "bracket" else 8,
    }


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"first": "red"}, "first is 'red'; it is one of black, white"),
        ({"diagonal": "up"}, "diagonal is 'up'; it is one of standard, mirrored, as-laid"),
        ({"pass": True}, "pass is True; it is one of announce, automatic"),
        ({"empties_to_winner": 1}, "empties_to_winner is 1; it is true or false"),
        ({"practice": 21}, "practice is 21; it is a number from 0 to 20"),
        ({"size": 12}, "size is 12; it is a number from 4 to 10"),
        ({"size": 7}, "size is 7; it is one of 4, 6, 8, 10"),
        (
            {"komi": 3},
            "there is no option 'komi'; there is first, diagonal, pass, empties_to_winner, practice, size",
        ),
    ],
)
def test_a_wrong_option_is_refused_by_name_with_what_is_allowed(options: Any, fault: str) -> None:
    with pytest.raises(WrongOption) as refused:
        OTHELLO.game(options)
    assert str(refused.value) == fault


def test_shared_discs_are_counted_as_one_heap() -> None:
    starts = [rules.game({}).starts[0] for rules in (BRACKET, FUNDEX)]
    assert [(start.supply, start.play(start.moves()[0]).supply) for start in starts] == [
        ({"shared": 32}, {"shared": 31}),
        ({"shared": 60}, {"shared": 59}),
    ]


def test_in_othello_each_player_draws_on_thirty_discs_of_their_own() -> None:
    start = OTHELLO.game({}).starts[0]
    one = start.play(start.moves()[0])
    two = one.play(one.moves()[0])
    assert [start.supply, one.supply, two.supply] == [
        {"black": 30, "white": 30},
        {"black": 29, "white": 30},
        {"black": 29, "white": 29},
    ]


def test_who_has_run_out_of_discs_is_handed_one_as_often_as_needed() -> None:
    start = OTHELLO.game({}).starts[0]
    moves = case("real-64-0-full")["moves"]  # Black places 37 of the 60 discs
    ends = [replayed(start, moves[: 2 * count])[0] for count in (50, 53, 54, 55, 60)]
    assert [end.supply for end in ends] == [
        {"black": 2, "white": 8},
        {"black": 0, "white": 7},
        {"black": 0, "white": 6},
        {"black": 0, "white": 5},
        {"black": 0, "white": 0},
    ]


def test_white_too_is_handed_discs_when_white_has_run_out() -> None:
    start = OTHELLO.game({}).starts[0]
    moves = case("smith-23-passes")["moves"]  # White places the last discs one after another
    ends = [replayed(start, moves[: 2 * count])[0] for count in (45, 46, 47, 55)]
    assert [end.supply for end in ends] == [
        {"black": 14, "white": 1},
        {"black": 14, "white": 0},
        {"black": 13, "white": 0},
        {"black": 5, "white": 0},
    ]


def test_no_one_may_pass_who_can_move_nor_play_where_nothing_is_bracketed() -> None:
    start = OTHELLO.game({}).starts[0]
    for label in ("pass", "a1", "d4", "z9"):
        with pytest.raises(NotLegal) as refused:
            start.play(Move(label))
        assert str(refused.value) == f"{label} is no move that black has; it is one of d3, c4, f5, e6"


def test_a_forced_pass_is_the_one_move_and_leaves_the_board_as_it_is() -> None:
    here = position(OTHELLO.game({"size": 4}), "white", ["XO..", "....", "....", "...."])
    after = here.play(Move("pass"))
    assert (here.moves(), here.outcome) == ((Move("pass"),), None)
    assert (after.player, after.pieces, labels(after)) == ("black", here.pieces, ["c1"])


def test_bracket_ends_with_two_passes_both_of_them_played() -> None:
    here = position(BRACKET.game({}), "X", ["XX....", *["......"] * 4, ".....O"])
    one = here.play(Move("pass"))
    two = one.play(Move("pass"))
    assert [(p.player, labels(p), p.outcome) for p in (here, one, two)] == [
        ("X", ["pass"], None),
        ("O", ["pass"], None),
        ("X", [], Outcome("X", "two-passes", {"X": 2, "O": 1})),
    ]
    with pytest.raises(NotLegal, match="it is one of none"):
        two.play(Move("pass"))


def test_passes_that_are_not_in_a_row_do_not_end_bracket() -> None:
    here = position(BRACKET.game({}), "O", ["XO....", *["......"] * 5])
    after = here.play(Move("pass")).play(Move("c1"))
    assert (after.passes, after.outcome, labels(after)) == (0, None, ["pass"])


def test_a_wipe_out_ends_bracket_with_two_passes_and_the_others_at_once() -> None:
    bracket = position(BRACKET.game({}), "O", ["XXX...", *["......"] * 5])
    fundex = position(FUNDEX.game({}), "white", ["XXX.....", *["........"] * 7])
    assert (bracket.outcome, labels(bracket)) == (None, ["pass"])
    assert (fundex.outcome, labels(fundex)) == (Outcome("black", "no-moves", {"white": 0, "black": 3}), [])


@pytest.mark.parametrize("rules", FAMILY)
def test_a_full_board_ends_every_game_at_once(rules: Any) -> None:
    heads, tails = rules.sides
    here = position(rules.game({"size": 4}), heads, ["XXXX", "XXXX", "OOOO", "OOOX"])
    assert (here.outcome, here.moves()) == (Outcome(heads, "full", {heads: 9, tails: 7}), ())


def test_equal_counts_are_a_draw_that_keeps_its_count_even_where_empty_cells_go_to_the_winner() -> None:
    board = ["XX..", "....", "....", "..OO"]
    ends = [
        position(OTHELLO.game({"size": 4, "empties_to_winner": e}), "black", board) for e in (False, True)
    ]
    assert [end.outcome for end in ends] == [Outcome(None, "no-moves", {"black": 2, "white": 2})] * 2


def test_empty_cells_go_to_the_winner_only_where_that_is_agreed_and_only_in_the_outcome() -> None:
    board = ["XX..", "....", "....", "...O"]
    plain, agreed = (
        position(OTHELLO.game({"size": 4, "empties_to_winner": to}), "black", board) for to in (False, True)
    )
    assert plain.outcome == Outcome("black", "no-moves", {"black": 2, "white": 1})
    assert agreed.outcome == Outcome("black", "no-moves", {"black": 15, "white": 1})
    assert agreed.score == {"black": 2, "white": 1}


def test_a_board_that_stands_as_it_lies_keeps_its_mover_and_its_supply_and_has_other_moves() -> None:
    start = OTHELLO.game({}).starts[0]
    here = start.play(Move("f5"))
    stands = here.standing({"e5": "white", "d4": "black"})
    assert rows(stands)[3:5] == ["...XX...", "...XOX.."]
    assert (stands.player, stands.supply, here.pieces["e5"]) == ("white", here.supply, "black")
    assert labels(here) == ["f4", "d6", "f6"]
    assert labels(stands) == ["c3", "e3", "c5", "g5"]


def test_where_the_mover_has_to_pass_a_disc_is_judged_as_the_movers() -> None:
    here = position(OTHELLO.game({"size": 4}), "white", ["XO..", "....", "....", "...."])
    assert [here.fault("c1", piece) for piece in ("black", "white")] == ["not-your-piece", "no-bracket"]
    assert [here.fault("d4", piece) for piece in ("black", "white", None)] == ["no-bracket"] * 3


def test_before_the_second_pass_a_disc_brackets_nothing_and_after_it_is_extra() -> None:
    here = position(BRACKET.game({}), "X", ["XX....", *["......"] * 4, ".....O"])
    one = here.play(Move("pass"))
    two = one.play(Move("pass"))
    assert [p.fault("c1", "X") for p in (here, one, two)] == ["no-bracket", "no-bracket", "extra-piece"]


def test_positions_of_games_with_the_same_options_are_equal_values() -> None:
    one, other = (OTHELLO.game({"size": 8}).starts[0] for _ in range(2))
    assert (one, hash(one)) == (other, hash(other))
    assert one != OTHELLO.game({"first": "white"}).starts[0]
    assert one.play(Move("d3")).marks == frozenset()
