"""What people who knew only the README stumbled over, each once more by the messages of the page."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from boardctl.app import opened
from boardctl.core.commands import Wrong
from boardctl.desk import PlayDesk
from boardctl.plugins import found
from boardctl.shells.journal import Journal
from boardctl.trace import Header


class Table:
    """One person at the page of a simulated board, in virtual time."""

    def __init__(
        self,
        game: str = "othello",
        options: Mapping[str, Any] | None = None,
        sensors: str = "presence",
        journal: Journal | None = None,
    ) -> None:
        self.time = 0.0
        self.journal = journal or Journal.in_memory()
        header = Header(game, options=dict(options or {}), sensors=sensors)
        self.play = opened(header, found(), self.journal, clock=lambda: self.time, wall=lambda: "noon")
        self.desk = PlayDesk(self.play)
        self.wrongs: list[str] = []
        self.play.listeners.append(
            lambda told: self.wrongs.extend(each.say for each in told.commands if isinstance(each, Wrong))
        )
        self.wait(0.6)

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds * 100)):
            self.time += 0.01
            self.play.poll()

    def send(self, wait: float = 1.2, **message: object) -> None:
        assert self.desk.do(message) is None, message
        self.wait(wait)

    def put(self, cell: str, side: str = "heads", wait: float = 1.2) -> None:
        self.send(wait, hand="put", cell=cell, side=side)

    def lift(self, cell: str, wait: float = 1.2) -> None:
        self.send(wait, hand="lift", cell=cell)

    def turn(self, *cells: str, wait: float = 1.2) -> None:
        for cell in cells:
            self.send(wait, hand="turn", cell=cell)

    def ply(self, luck: Random) -> None:
        """Any move, its turns done."""
        position = self.play.session.table.record.position
        move = luck.choice(position.moves())
        for cell, before, after in move.changes:
            if before is None:
                self.put(cell, self.play.game.faces[after or ""], wait=0.6)
            else:
                self.turn(cell, wait=0.6)

    def scene(self, key: str) -> Any:
        return self.desk.scene()[key]

    @property
    def record(self) -> list[str]:
        return [entry["label"] for entry in self.scene("record") if not entry["undone"]]


def knocked() -> Table:
    at, luck = Table(), Random(3)
    for _ in range(6):
        at.ply(luck)
    at.wrongs.clear()
    at.send(3.0, hand="knock")
    return at


def test_after_a_knock_the_board_is_spoken_of_as_a_whole() -> None:
    at = knocked()
    assert at.scene("say") == "5 discs lie where none should. Take those away that flash."
    assert at.play.session.referee.telling.sentences.owed(at.play.session.table.told_owed) == (
        "Take 5 discs away and put 4 black and 6 white discs where the lights show."
    )


def test_lights_go_on_showing_which_disc_is_missing_where() -> None:
    at = knocked()
    at.wait(5)
    owed = {cell: debt["to"] for cell, debt in at.scene("owed").items() if debt["do"] == "put"}
    shown = {
        cell: shows["light"]["to"]
        for cell, shows in at.scene("cells").items()
        if shows["light"] and shows["light"]["do"] == "put"
    }
    assert shown == owed
    assert len(owed) == 10


def test_discs_that_flew_together_are_missed_together() -> None:
    at = knocked()
    at.wait(5)
    assert len(at.wrongs) == 2


def test_a_knocked_board_can_be_laid_out_at_one_word() -> None:
    at = knocked()
    at.send(6.0, hand="lay")
    assert (at.scene("owed"), at.scene("kind")) == ({}, "turn")


def test_a_move_taken_back_by_word_can_be_made_again_once_another_was_recorded() -> None:
    at = Table()
    at.put("d3")
    at.turn("d4")
    at.put("c3", "tails")
    at.put("e3")
    at.send(say="undo")
    at.lift("c3", wait=3.0)
    at.lift("e3", wait=0.7)
    at.put("c3", "tails", wait=0.7)
    at.turn("d4", wait=3.0)
    assert at.record == ["d3", "c3"]
    assert at.scene("say") == "Black to move."


def test_a_game_is_not_over_while_its_last_disc_is_in_a_hand() -> None:
    at, ends = last_disc_to_come()
    put, *turned = ends.changes
    at.put(put.cell, at.play.game.faces[put.after])
    at.lift(put.cell, wait=0.4)
    at.turn(*(change.cell for change in turned), wait=0.4)
    assert at.scene("over") is None
    at.put(put.cell, at.play.game.faces[put.after], wait=3.0)
    at.turn(*(cell for cell, debt in at.scene("owed").items() if debt["do"] == "turn"))
    assert at.scene("over") is not None


def last_disc_to_come() -> tuple[Table, Any]:
    """A board of four by four, and a move that ends the game there."""
    for seed in range(200):
        at, luck = Table(options={"size": 4, "pass": "automatic"}, sensors="polarity"), Random(seed)
        while at.play.session.table.ended is None:
            position = at.play.session.table.record.position
            for move in position.moves():
                if position.play(move).outcome is not None and len(move.changes) == 3:
                    return at, move
            at.ply(luck)
    raise AssertionError("no such game")


def test_what_waits_for_a_debt_is_told_of_what_glows() -> None:
    at = Table()
    at.put("d3")
    at.turn("d4")
    at.put("c3", "tails")
    at.put("e3")
    at.send(say="undo")
    assert at.scene("say") == "E3 lies there early. First finish what glows."


def test_a_disc_that_was_away_when_the_program_ended_is_put_and_not_turned() -> None:
    at = Table("bracket", {"size": 4})
    at.put("a2")
    at.turn("b2")
    at.lift("b2", wait=5.0)
    assert at.scene("say") == "Put X on B2."
    again = Table("bracket", {"size": 4}, journal=at.journal)
    assert again.scene("say") == "As it was: put X on B2."
    again.put("b2")
    assert again.scene("say") == "O to move."


def test_a_wrong_answer_is_taken_back_while_the_next_question_stands() -> None:
    at = Table("flip-switch")
    at.send(hand="nudge", cell="a1")
    at.turn("c2")
    at.send(say="flip a1")
    assert at.scene("ask") == {"choices": ["heart", "square", "star"], "back": True}
    at.send(say="undo")
    assert at.scene("ask") == {"choices": ["flip a1", "flip c2", "nothing"], "back": False}
    at.send(say="flip c2")
    at.send(say="heart")
    assert at.record == ["flip c2 heart"]


def test_a_notice_is_given_once_and_what_stands_goes_on_standing() -> None:
    at = Table()
    at.send(say="pass")
    assert at.scene("say") == "Black to move."
    assert at.scene("notice")["kind"] == "refused"
    at.put("d3")
    assert at.scene("notice") is None
    at.send(say="distrust a1")
    assert at.scene("notice")["kind"] == "sensor"


def test_whoever_plays_on_is_not_asked_any_more_whether_the_game_goes_on() -> None:
    at = Table()
    at.put("d3")
    at.turn("d4")
    again = Table(journal=at.journal)
    assert again.scene("resumed")
    again.put("c3", "tails")
    assert not again.scene("resumed")


def test_a_game_left_unfinished_for_another_is_named() -> None:
    at = Table()
    at.put("d3")
    other = Table(sensors="polarity", journal=at.journal)
    assert (other.play.resumed, other.play.left) == (False, 1)
    assert Table("bracket").play.left is None


def test_at_a_forced_pass_the_hints_say_whose_disc_they_mean() -> None:
    for seed in range(100):
        at, luck = Table(options={"size": 4}, sensors="polarity"), Random(seed)
        while at.play.session.table.ended is None and not at.play.session.table.record.must_pass:
            at.ply(luck)
        if at.play.session.table.ended is None:
            break
    mover = at.scene("mover")
    hints = {
        shows["light"]["to"]
        for shows in at.scene("cells").values()
        if shows["light"] and shows["light"]["meaning"] == "hint"
    }
    assert hints == {"black", "white"} - {mover}


def test_who_may_call_is_told_where_the_judge_teaches() -> None:
    at = Table("brax", sensors="polarity")
    for start, end in (("g1", "g3"), ("f9", "f8"), ("g3", "g4"), ("f8", "e7"), ("g4", "f5"), ("e7", "e6")):
        at.lift(start, wait=0.3)
        at.send(hand="set", start=start, end=end)
    assert at.scene("say") == "Blue to move. Red may call brax."


def test_a_tile_is_called_a_tile() -> None:
    at = Table("flip-switch", sensors="polarity")
    at.lift("b2", wait=4.0)
    assert at.scene("say") == "B2 is empty. Put the face down tile back."
