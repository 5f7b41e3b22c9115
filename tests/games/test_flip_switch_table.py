"""Flip Switch as a table knows it: the board, the tiles and their tags, and what hands may have done amiss."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pytest

from boardctl.core.model import Look
from boardctl.games.flip_switch import FLIP_SWITCH
from boardctl.games.flipping import TilePosition
from tests.games.test_flip_switch_matches import laid

GAME = FLIP_SWITCH.game({})
NONE: frozenset[str] = frozenset()
HEADS = frozenset({"heart", "square", "star"})
"""What a sensor for polarity knows of a tile that is face up."""
TAILS = frozenset({"face-down"})


def test_the_board_is_three_by_three_read_like_a_page() -> None:
    assert list(GAME.points) == ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"]
    assert (GAME.points["a1"], GAME.points["c1"], GAME.points["b3"]) == ((0, 0), (2, 0), (1, 2))


def test_it_names_itself_its_players_and_what_they_do() -> None:
    assert (GAME.name, GAME.title, GAME.noun, GAME.hands) == (
        "flip-switch", "Flip Switch", "tile", "exchange",
    )  # fmt: skip
    assert dict(GAME.players) == {"1": "Player 1", "2": "Player 2"}
    assert (FLIP_SWITCH.name, FLIP_SWITCH.title) == (GAME.name, GAME.title)


def test_a_tile_shows_its_shape_heads_up_and_no_two_pieces_share_a_letter() -> None:
    assert GAME.faces == {"heart": "heads", "square": "heads", "star": "heads", "face-down": "tails"}
    assert GAME.letters == {"heart": "H", "square": "Q", "star": "S", "face-down": "?"}
    assert GAME.looks == {
        "heart": Look("tile", "wood", "heart"),
        "square": Look("tile", "wood", "square"),
        "star": Look("tile", "wood", "star"),
        "face-down": Look("tile", "wood"),
    }


def test_a_shape_turns_to_its_back_and_nobody_knows_what_a_back_turns_to() -> None:
    assert {piece: GAME.turned(piece) for piece in GAME.faces} == {
        "heart": "face-down", "square": "face-down", "star": "face-down", "face-down": None,
    }  # fmt: skip


def test_a_tag_stands_for_its_shape_or_for_a_back_and_a_strangers_tag_for_nothing() -> None:
    assert (GAME.carried("star", "heads"), GAME.carried("star", "tails")) == ("star", "face-down")
    assert [GAME.carried(what, side) for what in ("moon", "face-down") for side in ("heads", "tails")] == [
        None
    ] * 4  # type: ignore[arg-type]


def test_three_tiles_of_each_shape_start_somewhere_and_nobody_knows_where() -> None:
    assert list(GAME.carriers.items()) == [
        *((cell, "heart") for cell in ("a1", "b1", "c1")),
        *((cell, "square") for cell in ("a2", "b2", "c2")),
        *((cell, "star") for cell in ("a3", "b3", "c3")),
    ]
    assert GAME.shuffled


def test_it_starts_face_down_with_player_1_and_no_news() -> None:
    (start,) = GAME.starts
    assert (start.player, start.pieces) == ("1", dict.fromkeys(GAME.points, "face-down"))
    assert (start.score, start.news, start.relaid, start.marks) == ({"1": 0, "2": 0}, (), False, frozenset())
    assert len(start.moves()) == len({move.label for move in start.moves()}) == 27


def test_unless_chosen_otherwise_sides_score_two_rounds_win_and_no_round_is_void() -> None:
    assert GAME.options == {"lines": "sides", "rounds": 2, "quiet_limit": 0}
    widest = {"lines": "all", "rounds": 9, "quiet_limit": 200}
    assert FLIP_SWITCH.game(widest).options == widest


# What hands did

MIDGAME = ["HQS", "HQ?", "S??"]

ATTEMPTS: list[tuple[str, Mapping[str, Collection[str]], Mapping[str, str]]] = [
    ("a legal switch", {"a1": {"square"}, "b1": {"heart"}}, {}),
    ("apart", {"a1": {"star"}, "c1": {"heart"}}, dict.fromkeys(("a1", "c1"), "not-adjacent")),
    ("corner to corner, alike", {"a2": {"square"}, "b1": {"heart"}}, dict.fromkeys(("a2", "b1"), "not-adjacent")),
    ("one face down", {"c1": TAILS, "c2": {"star"}}, dict.fromkeys(("c1", "c2"), "face-down")),
    ("one face down, by polarity", {"c1": TAILS, "c2": HEADS}, dict.fromkeys(("c1", "c2"), "face-down")),
    ("both face down, by tags", {"b3": TAILS, "c3": TAILS}, dict.fromkeys(("b3", "c3"), "face-down")),
    ("of one shape, by tags", {"a1": {"heart"}, "a2": {"heart"}}, dict.fromkeys(("a1", "a2"), "same-shape")),
    ("one landed, one in the air", {"c1": NONE, "b2": {"star"}}, dict.fromkeys(("b2", "c1"), "not-adjacent")),
    ("the other in the air", {"c1": {"square"}, "b2": NONE}, dict.fromkeys(("b2", "c1"), "not-adjacent")),
    ("a legal one in the air", {"b1": NONE, "c1": {"square"}}, {}),
    ("both in the air", {"a1": NONE, "c1": NONE}, {}),
    ("one in the air", {"a1": NONE}, {}),
    ("one the other way up", {"a1": TAILS}, {}),
    ("two the other way up", {"a1": TAILS, "c1": TAILS}, {}),
    ("three in a circle", {"a1": {"square"}, "b1": {"star"}, "c1": {"heart"}}, {}),
]  # fmt: skip


@pytest.mark.parametrize(("lying", "reasons"), [pytest.param(*each[1:], id=each[0]) for each in ATTEMPTS])
def test_of_two_tiles_that_changed_places_both_say_why_they_may_not_and_others_say_nothing(
    lying: Mapping[str, Collection[str]], reasons: Mapping[str, str]
) -> None:
    assert laid(MIDGAME).faults(lying) == reasons


def test_several_exchanges_are_told_apart_and_what_does_not_pair_is_left_out() -> None:
    lying = {"a1": {"star"}, "c1": {"heart"}, "b1": TAILS, "a3": {"square"}, "b2": {"star"}}
    assert laid(MIDGAME).faults(lying) == dict.fromkeys(("a1", "c1", "a3", "b2"), "not-adjacent")


def test_tiles_that_have_both_landed_belong_together_before_one_that_is_in_the_air() -> None:
    lying = {"a1": NONE, "a2": {"square"}, "b2": {"heart"}}
    assert laid(MIDGAME).faults(lying) == {}
    assert laid(MIDGAME, switched=("a2", "b2")).faults(lying) == dict.fromkeys(("a2", "b2"), "repeats-last")


def test_neighbours_belong_together_before_others() -> None:
    lying = {"a1": TAILS, "c1": TAILS, "c2": HEADS}
    assert laid(MIDGAME).faults(lying) == dict.fromkeys(("c1", "c2"), "face-down")


@pytest.mark.parametrize(
    ("here", "reason"),
    [
        (laid(MIDGAME, switched=("a2", "b2")), "repeats-last"),
        (laid(MIDGAME, nullified={"heart": "1", "square": "2"}), "both-nullified"),
        (laid(MIDGAME, nullified={"heart": "1", "star": "2"}), None),
    ],
)
def test_what_happened_before_is_a_reason_too(here: TilePosition, reason: str | None) -> None:
    expected = dict.fromkeys(("a2", "b2"), reason) if reason else {}
    assert here.faults({"a2": {"square"}, "b2": {"heart"}}) == expected
    assert here.refusal("b2", "a2") == reason
