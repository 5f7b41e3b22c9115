"""What holds in every position of the bracket family, tried on positions that chance finds."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from boardctl.core.model import Move
from boardctl.games.bracket import BRACKET, FUNDEX, OTHELLO
from boardctl.games.bracketing import BracketPosition
from tests.games import plain
from tests.games.diagrams import position, rows

SIZES = st.sampled_from([4, 6, 8, 10])


@st.composite
def scattered(draw: Any) -> BracketPosition:
    """Discs thrown on a board of any size, most of it covered, either side to move."""
    size = draw(SIZES)
    marks = draw(st.text(alphabet="XXXOOO..", min_size=size * size, max_size=size * size))
    game = OTHELLO.game({"size": size})
    player = draw(st.sampled_from(["black", "white"]))
    return position(game, player, [marks[start : start + size] for start in range(0, size * size, size)])


@st.composite
def played(draw: Any) -> list[tuple[BracketPosition, Move]]:
    """A game, or the beginning of one, by moves that chance chooses: each position and the move made in it."""
    rules, size = draw(st.sampled_from([BRACKET, FUNDEX, OTHELLO])), draw(SIZES)
    here = rules.game({"size": size}).starts[0]
    choices = draw(st.lists(st.integers(0, 99), max_size=size * size))
    game = []
    for choice in choices:
        if not (moves := here.moves()):
            break
        game.append((here, moves[choice % len(moves)]))
        here = here.play(game[-1][1])
    return game


def lines_of(move: Move, here: BracketPosition) -> list[list[str]]:
    """The dues of a move cut into lines: a new line begins beside the disc that was put down."""
    size, lines = here.terms.board.size, []
    beside = {next(plain.ray(move.label, *step, size), "") for step in plain.STEPS}
    for due in move.dues:
        if due.cell in beside:
            lines.append([due.cell])
        else:
            lines[-1].append(due.cell)
    return lines


@given(scattered())
def test_the_moves_and_what_they_turn_are_those_of_a_plain_walk_along_every_ray(
    here: BracketPosition,
) -> None:
    found = {move.label: sorted(lines_of(move, here)) for move in here.moves() if move.label != "pass"}
    plainly = plain.moves(here.pieces, here.player, here.terms.board.size)
    assert found == {cell: sorted(lines) for cell, lines in plainly.items()}


@given(scattered())
def test_a_move_found_by_its_label_is_the_one_among_all_moves(here: BracketPosition) -> None:
    labels = ["pass", "z9", *here.terms.board.bits]
    offered = {move.label: move for move in here.moves()}
    assert {label: here.named(label) for label in labels} == {label: offered.get(label) for label in labels}


@given(played())
def test_a_move_does_to_the_board_what_its_changes_say_and_reversing_them_undoes_it(
    game: list[tuple[BracketPosition, Move]],
) -> None:
    for here, move in game:
        after = here.play(move).pieces
        assert {change.cell: here.pieces.get(change.cell) for change in move.changes} == {
            change.cell: change.before for change in move.changes
        }
        assert after == {**here.pieces, **{change.cell: change.after for change in move.changes}}
        undone = {**after, **{change.cell: change.before for change in move.changes}}
        assert {cell: piece for cell, piece in undone.items() if piece} == here.pieces


@given(played())
def test_no_disc_is_lost_and_no_supply_falls_below_nothing(game: list[tuple[BracketPosition, Move]]) -> None:
    for here, move in game:
        after = here.play(move)
        every = after.terms.board.size**2
        assert sum(after.supply.values()) == every - len(after.pieces) == every - sum(after.score.values())
        assert min(after.supply.values()) >= 0


@given(scattered())
def test_a_board_in_a_mirror_has_the_moves_in_the_mirror(here: BracketPosition) -> None:
    size, game = here.terms.board.size, OTHELLO.game({"size": here.terms.board.size})
    mirrored = position(game, here.player, [row[::-1] for row in rows(here)])
    image = {
        cell: "abcdefghij"[size - 1 - "abcdefghij".index(cell[0])] + cell[1:] for cell in plain.cells(size)
    }
    image["pass"] = "pass"
    assert {image[move.label]: {image[due.cell] for due in move.dues} for move in here.moves()} == {
        move.label: {due.cell for due in move.dues} for move in mirrored.moves()
    }


@given(scattered())
def test_a_disc_on_an_empty_cell_is_either_a_move_or_has_the_first_fault_that_holds(
    here: BracketPosition,
) -> None:
    size, rival = here.terms.board.size, here.terms.rival[here.player]
    mine, theirs = (plain.moves(here.pieces, player, size) for player in (here.player, rival))
    for cell in set(plain.cells(size)) - set(here.pieces):
        for piece in ("black", "white", None):
            if not mine and not theirs:
                expected = "extra-piece"
            elif cell in mine:
                expected = "wrong-side" if piece == rival else "extra-piece"
            else:
                expected = "not-your-piece" if cell in theirs and piece != here.player else "no-bracket"
            assert here.fault(cell, piece) == expected
