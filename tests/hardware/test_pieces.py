"""The pieces of a simulated game: shuffled where nobody is to know, and seen as a person at the board sees them."""

from __future__ import annotations

from collections import Counter
from random import Random

from boardctl.games.flip_switch import FLIP_SWITCH
from boardctl.plugins import found
from hardware.pieces import Pieces
from hardware.sights import Disc

TILES = FLIP_SWITCH.game({})
DOWN = TILES.starts[0].pieces
MEN = found()["brax"].game({"players": 4})
DISCS = found()["othello"].game({})


def test_tiles_lie_face_down_and_each_deal_is_another() -> None:
    deals = set()
    for seed in range(20):
        pieces = Pieces(TILES, Random(seed))
        laid = pieces.laid(DOWN)
        assert {disc.side for disc in laid.values()} == {"tails"}
        assert {pieces.seen(disc) for disc in laid.values()} == {"face-down"}
        under = {cell: pieces.seen(disc.turned()) for cell, disc in laid.items()}
        assert Counter(under.values()) == {"heart": 3, "square": 3, "star": 3}
        deals.add(tuple(under.values()))
    assert len(deals) > 15


def test_a_tag_alone_tells_nothing_of_what_it_carries() -> None:
    first = {Pieces(TILES, Random(seed)).carried["t01"] for seed in range(20)}
    assert first == {"heart", "square", "star"}


def test_what_is_known_is_laid_as_known_and_the_rest_is_what_is_left() -> None:
    known = {**DOWN, "a1": "star", "b1": "star", "c1": "star"}
    for seed in range(10):
        pieces = Pieces(TILES, Random(seed))
        laid = pieces.laid(known)
        assert {cell: pieces.seen(disc) for cell, disc in laid.items()} == known
        under = Counter(pieces.seen(laid[cell].turned()) for cell in DOWN if known[cell] == "face-down")
        assert under == {"heart": 3, "square": 3}


def test_tags_that_are_named_already_carry_what_was_named() -> None:
    carried = Pieces(TILES, Random(1)).carried
    assert Pieces(TILES, Random(2), carried).carried == carried


def test_a_man_is_seen_by_its_owner_whichever_side_is_up() -> None:
    pieces = Pieces(MEN, Random(0))
    laid = pieces.laid(MEN.starts[0].pieces)
    assert {cell: pieces.seen(disc) for cell, disc in laid.items()} == MEN.starts[0].pieces
    assert pieces.seen(laid["c1"].turned()) == "blue_1"


def test_pieces_that_are_not_laid_are_beside_the_board_with_the_side_they_begin_with() -> None:
    pieces = Pieces(MEN, Random(0))
    left = pieces.beside(pieces.laid({"e5": "blue_1", "e6": "red_2"}))
    assert Counter((pieces.seen(disc), disc.side) for disc in left) == {
        ("blue_1", "heads"): 2,
        ("blue_2", "heads"): 3,
        ("red_1", "tails"): 3,
        ("red_2", "tails"): 2,
    }


def test_what_stands_right_already_stays_when_men_are_laid_out_again() -> None:
    pieces = Pieces(MEN, Random(0))
    start = MEN.starts[0].pieces
    laid = pieces.laid(start)
    crossed = {**laid, "c1": laid["e1"], "e1": laid["c1"]}
    assert pieces.laid(start, crossed) == crossed


def test_tiles_are_shuffled_again_unless_they_may_stay() -> None:
    pieces = Pieces(TILES, Random(0))
    laid = pieces.laid(DOWN)
    assert any(pieces.laid(DOWN) != laid for _ in range(5))
    assert pieces.laid(DOWN, laid) == laid


def test_what_is_to_show_outranks_what_may_stay_hidden() -> None:
    stars = {**DOWN, "a1": "star", "b1": "star", "c1": "star"}
    for seed in range(20):
        pieces = Pieces(TILES, Random(seed))
        laid = pieces.laid(stars, pieces.laid(DOWN))
        assert {cell: pieces.seen(disc) for cell, disc in laid.items()} == stars


def test_discs_are_alike_and_never_run_out() -> None:
    pieces = Pieces(DISCS, Random(0))
    laid = pieces.laid({"d4": "white", "e4": "black", "a1": None, "b1": "?"})
    assert laid == {"d4": Disc("tails"), "e4": Disc("heads")}
    assert (pieces.carried, pieces.beside(laid)) == ({}, [])
