"""How games are found, and what becomes of one that is broken."""

from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from boardctl.games.bracket import OTHELLO
from boardctl.plugins import GROUP, PluginBroken, found, registered


def entry(name: str, value: str) -> EntryPoint:
    return EntryPoint(name, value, GROUP)


GOOD = entry("othello", "boardctl.games.bracket:OTHELLO")


def test_our_own_games_come_through_the_door_that_is_open_to_all() -> None:
    games = found()
    assert list(games) == sorted(games)
    assert {"bracket", "fundex", "othello"} <= set(games)


def test_a_game_found_is_the_game_itself() -> None:
    games = registered([GOOD])
    othello = games["othello"]
    assert (othello.name, othello.title, othello.about) == (OTHELLO.name, OTHELLO.title, OTHELLO.about)
    assert (othello.options, othello.game({"size": 6})) == (OTHELLO.options, OTHELLO.game({"size": 6}))


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        (
            "no_such_module:GHOST",
            "no_such_module:GHOST does not load (ModuleNotFoundError: No module named 'no_such_module'); "
            "mend or uninstall it",
        ),
        (
            "boardctl.plugins:GHOST",
            "boardctl.plugins:GHOST does not load (AttributeError: module 'boardctl.plugins' has no attribute "
            "'GHOST'); mend or uninstall it",
        ),
        (
            "boardctl.plugins:GROUP",
            "boardctl.plugins:GROUP has no name, about, options, game; mend or uninstall it",
        ),
        (
            "boardctl.games.bracket:OTHELLO",
            "boardctl.games.bracket:OTHELLO calls itself othello; register it under that name",
        ),
    ],
)
def test_a_broken_game_says_so_by_name_when_it_is_used_and_the_others_go_on(value: str, fault: str) -> None:
    games = registered([entry("ghost", value), GOOD])
    assert (list(games), games["ghost"].name) == (["ghost", "othello"], "ghost")
    with pytest.raises(PluginBroken) as broken:
        games["ghost"].game({})
    assert str(broken.value) == f"game ghost: {fault}"
    assert games["othello"].game({}) == OTHELLO.game({})


def test_two_plug_ins_of_one_name_are_both_refused_rather_than_one_chosen() -> None:
    games = registered([GOOD, entry("othello", "elsewhere:GAME")])
    with pytest.raises(PluginBroken, match="elsewhere:GAME both claim the name; uninstall one of them"):
        games["othello"].game({})


def test_a_plug_in_installed_twice_is_one() -> None:
    assert registered([GOOD, GOOD])["othello"].title == OTHELLO.title
