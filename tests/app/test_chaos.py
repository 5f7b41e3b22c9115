"""Whatever hands did, whoever then follows the lights and nothing else ends with a board in order."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from boardctl.app import opened
from boardctl.core.events import Sensors
from boardctl.core.referee import Policy
from boardctl.desk import PlayDesk
from boardctl.plugins import found
from boardctl.shells.journal import Journal
from boardctl.trace import Header
from tests.app.evening import Evening

SENSORS: tuple[Sensors, ...] = ("presence", "polarity", "presses")
ROUNDS = 8
"""Evenings at each table."""
POLICIES: tuple[Policy, ...] = ("teach", "club", "tournament")


def table(game: str, sensors: Sensors, policy: Policy) -> tuple[Evening, PlayDesk]:
    time = [0.0]
    header = Header(game, sensors=sensors, policy=policy)
    play = opened(header, found(), Journal.in_memory(), clock=lambda: time[0], wall=lambda: "")
    return Evening(play, time), PlayDesk(play)


def do_anything(night: Evening, desk: PlayDesk, luck: Random) -> None:
    """Thirty things that hands and voices do without thinking."""
    cells = list(night.play.game.points)
    for _ in range(30):
        cell, other = luck.choice(cells), luck.choice(cells)
        side = luck.choice(["heads", "tails"])
        desk.do(
            luck.choice(
                [
                    {"hand": "put", "cell": cell, "side": side},
                    {"hand": "put", "cell": _hinted(night, luck) or cell, "side": side},
                    {"hand": "lift", "cell": cell},
                    {"hand": "turn", "cell": cell},
                    {"hand": "nudge", "cell": cell},
                    {"hand": "slide", "path": [cell, other]},
                    {"trouble": "knock"} if luck.random() < 0.1 else {"hand": "turn", "cell": other},
                    {"say": luck.choice(["undo", "ok", "pass", "draw", "keep", "nothing", cell])},
                ]
            )
        )
        night.wait(luck.choice([0.05, 0.2, 0.5, 1.0]))
    night.wait(6)


def _hinted(night: Evening, luck: Random) -> str | None:
    lines = night.play.session.table.record.lines
    return luck.choice([line.move.label for line in lines]) if lines else None


def follow_the_lights(night: Evening, desk: PlayDesk, luck: Random) -> bool:
    """Do what is owed, answer what is asked, until a move is awaited or the game is over. Whether that comes."""
    for _ in range(120):
        scene = desk.scene()
        if scene["ask"]:
            night.play.say(luck.choice(scene["ask"]["choices"]))  # type: ignore[index,call-overload]
        elif not night.owed() and (scene["turn"] or scene["over"]):
            return True
        _put_right(night)
        night.wait(1.0)
    return False


def _put_right(night: Evening) -> None:
    hands = night.play.board.hands
    assert hands is not None
    for cell, (do, to) in list(night.owed().items())[:6]:
        lies = cell in hands.truth()
        if night.play.header.sensors == "presses":
            hands.press(cell, night.time[0])  # the board is told by the button, whatever lies there
        elif do != "take" and to is not None and not lies:
            hands.put(cell, night.play.game.faces[to], night.time[0])
        elif do == "take" and lies:
            hands.lift(cell, night.time[0])
        elif do == "turn" and lies:
            hands.turn(cell, night.time[0])
        night.wait(0.6)


@pytest.mark.parametrize(
    ("game", "sensors", "policy"), list(product(("bracket", "othello"), SENSORS, POLICIES))
)
def test_whoever_follows_the_lights_ends_with_a_board_in_order(
    game: str, sensors: Sensors, policy: Policy
) -> None:
    for seed in range(ROUNDS):
        luck = Random(f"{game} {sensors} {policy} {seed}")
        night, desk = table(game, sensors, policy)
        do_anything(night, desk, luck)
        assert follow_the_lights(night, desk, luck), (seed, night.owed(), desk.scene()["say"])
        assert night.play.session.table.told_wrong.cells == {}
