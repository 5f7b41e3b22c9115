"""Every game by the messages of the page, on every kind of sensors: what hands were told to do is what is recorded."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from boardctl.app import opened
from boardctl.core.commands import Refused
from boardctl.desk import PlayDesk
from boardctl.plugins import found
from boardctl.shells.journal import Journal
from boardctl.trace import Header

TABLES = [
    ("othello", {"size": 6}),
    ("bracket", {}),
    ("fundex", {"size": 6}),
    ("flip-switch", {"rounds": 2}),
    ("flip-switch", {"quiet_limit": 5, "lines": "all"}),
    ("brax", {}),
    ("brax", {"board": "triangle"}),
    ("brax", {"players": 1}),
    ("brax", {"players": 3}),
    ("brax", {"players": 4}),
]
KINDS = ("presence", "polarity", "presses", "tags")


class Player:
    """Somebody at the page: reads the scene, sends messages, and waits until the judge has answered."""

    def __init__(
        self, game: str, options: dict, sensors: str, seed: int, journal: Journal | None = None
    ) -> None:
        self.time = [0.0]
        header = Header(game, options=options, sensors=sensors)
        kept = journal or Journal.in_memory()
        self.play = opened(header, found(), kept, clock=lambda: self.time[0], wall=lambda: "noon")
        self.desk = PlayDesk(self.play)
        self.luck = Random(seed)
        self.refused: list[str] = []
        self.play.listeners.append(
            lambda told: self.refused.extend(each.say for each in told.commands if isinstance(each, Refused))
        )
        self.wait(0.6)

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds * 100)):
            self.time[0] += 0.01
            self.play.poll()

    def send(self, wait: float = 1.2, **message: object) -> None:
        assert self.desk.do(message) is None, message
        self.wait(wait)

    @property
    def record(self) -> list[str]:
        return [str(entry["label"]) for entry in self.desk.scene()["record"] if not entry["undone"]]  # type: ignore[index, union-attr, attr-defined]

    def one_ply(self) -> bool:
        """One move, chosen by chance among those the scene offers. Answers whether the game goes on."""
        scene = self.desk.scene()
        if scene["over"]:
            return False
        before = len(self.record)
        if scene["turn"] is None:
            self.dictated(scene)
        else:
            label = self.luck.choice(scene["turn"]["moves"])  # type: ignore[index]
            self.act(scene, label)
            self.answer(label)
        self.settle()
        assert len(self.record) == before + 1, (scene["turn"], self.desk.scene()["say"], self.record[-3:])
        return True

    def dictated(self, scene: dict) -> None:
        (start,) = [
            cell for cell, debt in scene["owed"].items() if debt["do"] == "take" and cell in scene["hands"]
        ][:1]
        end = next(cell for cell in scene["owed"] if cell != start)
        self.goes(scene, start, end)

    def act(self, scene: dict, label: str) -> None:
        words = label.split()
        if label == "pass":
            self.send(say="pass")
        elif scene["game"]["hands"] == "put":
            self.send(hand="put", cell=label, side=scene["game"]["faces"][scene["turn"]["player"]])
        elif words[0] == "flip":
            self.send(hand="turn", cell=words[1])
        elif words[0] == "switch":
            self.send(hand="lift", cell=words[1], wait=0.3)
            self.send(hand="exchange", one=words[1], other=words[2])
        else:
            start, end = label.replace("x", "-").split("-")
            self.goes(scene, start, end)

    def goes(self, scene: dict, start: str, end: str) -> None:
        self.send(hand="lift", cell=start, wait=0.5)
        self.send(hand="take" if end in scene["hands"] else "set", start=start, end=end)

    def answer(self, label: str) -> None:
        for _ in range(3):
            scene = self.desk.scene()
            if not scene["ask"]:
                return
            choices = scene["ask"]["choices"]
            shapes = set(choices) <= set(scene["game"]["faces"])
            self.send(say=scene["hands"][label.split()[1]] if shapes else label)

    def settle(self) -> None:
        """Turn what is owed, and lay out what a new round needs."""
        for _ in range(30):
            scene = self.desk.scene()
            if scene["why"] == "set-up":
                self.send(hand="lay", wait=3.0)
                continue
            owed = [cell for cell, debt in scene["owed"].items() if debt["do"] == "turn"]
            if not owed:
                return
            self.send(hand="turn", cell=owed[0], wait=0.6)


@pytest.mark.parametrize("sensors", KINDS)
@pytest.mark.parametrize(
    ("game", "options"), TABLES, ids=[f"{g}-{'-'.join(map(str, o.values()))}" for g, o in TABLES]
)
def test_a_game_is_played_by_the_messages_of_a_page(game: str, options: dict, sensors: str) -> None:
    if sensors == "tags" and not found()[game].game(options).carriers:
        return
    player = Player(game, options, sensors, seed=7)
    for _ in range(40):
        if not player.one_ply():
            break
    assert player.refused == []
    said = player.desk.scene()
    assert said["kind"] in ("turn", "over", "owed"), said["say"]


@pytest.mark.parametrize("sensors", KINDS)
@pytest.mark.parametrize("plies", [1, 5, 12])
@pytest.mark.parametrize(
    ("game", "options"), TABLES, ids=[f"{g}-{'-'.join(map(str, o.values()))}" for g, o in TABLES]
)
def test_a_game_goes_on_after_its_end_was_pulled(
    game: str, options: dict, sensors: str, plies: int, tmp_path: Path
) -> None:
    if sensors == "tags" and not found()[game].game(options).carriers:
        return
    with Journal.open(tmp_path / "journal.sqlite") as journal:
        first = Player(game, options, sensors, 3, journal)
        for _ in range(plies):
            first.one_ply()
        left = first.desk.scene()
    with Journal.open(tmp_path / "journal.sqlite") as journal:
        second = Player(game, options, sensors, 4, journal)
        again = second.desk.scene()
        alike = ("record", "turn", "owed", "score", "ask", "over", "why")
        assert {key: again[key] for key in alike} == {key: left[key] for key in alike}
        assert {cell: each["should"] for cell, each in again["cells"].items()} == {
            cell: each["should"] for cell, each in left["cells"].items()
        }
        for _ in range(6):
            if not second.one_ply():
                break
        assert second.refused == []
