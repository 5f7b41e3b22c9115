"""Games in which pieces move, exchange or hide what they carry: whatever hands do, what was played is recorded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from boardctl.core.events import Doubted, Elapsed, Event, Lost, Pressed, Restored, Said, Sampled, Tagged
from boardctl.core.model import Game, Rules
from boardctl.core.session import Session, Setup
from boardctl.plugins import found
from boardctl.replay import setup_of
from boardctl.trace import Header
from boardctl.trace_lines import GIVEN
from tests.core.auditor import Auditor
from tests.core.movers import HABITS, Movers
from tests.core.test_properties import Timed, as_trace, come_to_rest, listen, patience

RULES: Mapping[str, Rules] = found()
VARIANTS = [
    ("flip-switch", {}),
    ("flip-switch", {"lines": "all", "rounds": 1}),
    ("flip-switch", {"quiet_limit": 6, "rounds": 3}),
    ("brax", {}),
    *[("brax", {"board": board}) for board in ("triangle", "diamond", "hexagon", "octagon")],
    *[("brax", {"players": players}) for players in (1, 3, 4)],
]
KINDS = ("presence", "polarity", "presses", "tags")
SOME = settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow])
variants = pytest.mark.parametrize(
    ("name", "options"), VARIANTS, ids=[f"{n}-{'-'.join(map(str, o.values()))}" for n, o in VARIANTS]
)
kinds = pytest.mark.parametrize("kind", KINDS)


def movers(name: str, options: dict, kind: str, seed: int, habits: set[str] = frozenset()) -> Movers:
    return Movers(RULES[name].game(options), Setup(sensors=kind), Random(seed), habits)


@variants
@kinds
def test_a_game_by_careful_hands_is_recorded_move_by_move(name: str, options: dict, kind: str) -> None:
    for seed in range(2):
        table = movers(name, options, kind, seed)
        for _ in range(60):
            if not table.turn():
                break


@given(
    st.sampled_from(VARIANTS),
    st.sampled_from(KINDS),
    st.integers(0, 2**32),
    st.sets(st.sampled_from(sorted(HABITS)), min_size=1),
)
@SOME
def test_clumsy_hands_that_move_pieces_are_understood(variant, kind, seed, habits) -> None:
    name, options = variant
    table = movers(name, options, kind, seed, habits)
    for _ in range(25):
        if not table.turn():
            break


@pytest.mark.slow
def test_in_three_hundred_games_of_clumsy_hands_no_move_is_recorded_that_was_not_made() -> None:
    for seed in range(300):
        name, options = VARIANTS[seed % len(VARIANTS)]
        table = movers(name, options, KINDS[seed // len(VARIANTS) % 4], seed, set(HABITS))
        for _ in range(60):
            if not table.turn():
                break


# Any events whatever


@st.composite
def happenings(draw: st.DrawFn, header: Header, game: Game) -> list[Timed]:
    """Any events that such a board can give, in order of time."""
    cells = draw(st.lists(st.sampled_from(sorted(game.points)), min_size=1, max_size=9, unique=True))
    cell = st.sampled_from(cells) if draw(st.booleans()) else st.sampled_from(sorted(game.points))
    labels = [move.known_as for move in game.starts[0].moves()]
    words = [
        *labels,
        *game.faces,
        *game.players,
        *game.calls,
        "brax red",
        "pass",
        "ok",
        "undo",
        "new",
        "draw",
    ]
    words += ["nothing", "keep", "resign", "switch a1 b1", "flip a1", "flip b2 star", "xyzzy", "distrust a1"]
    said = st.sampled_from(words).map(Said)
    doubted = st.builds(Doubted, cell, st.sampled_from(("stuck", "chatter", "back")))
    kinds: list[st.SearchStrategy[Event]] = [said, said, doubted, st.just(Lost()), st.just(Restored())]
    if header.sensors == "presses":
        kinds += [st.builds(Pressed, cell)] * 12
    elif header.sensors == "tags":
        tag = st.sampled_from([*header.tags, "stranger"])
        kinds += [st.builds(Tagged, cell, tag, st.sampled_from(("heads", "tails")))] * 8
        kinds += [st.builds(Sampled, cell, st.sampled_from(GIVEN["tags"]))] * 8
    else:
        kinds += [st.builds(Sampled, cell, st.sampled_from(GIVEN[header.sensors]))] * 12
    gap = st.sampled_from((0.0, 0.01, 0.04, 0.1, 0.35, 0.6, 2.1, 3.1, 6.0, 12.0))
    events, now = [], 0.0
    for wait, event in draw(st.lists(st.tuples(gap, st.one_of(kinds)), max_size=60)):
        now += wait
        events.append((now, event))
    return events


@given(
    st.data(),
    st.sampled_from(VARIANTS),
    st.sampled_from(KINDS),
    st.sampled_from(("teach", "club", "tournament")),
)
@settings(SOME, max_examples=300)
def test_no_events_whatever_make_a_moving_game_fail_or_record_what_the_rules_forbid(
    data, variant, kind, policy
) -> None:
    name, options = variant
    game = RULES[name].game(options)
    header = Header(name, options=options, sensors=kind, policy=policy)
    if kind == "tags":
        tags = {f"t{n:02d}": what for n, what in enumerate(game.carriers.values(), 1)}
        header = replace(header, tags=tags)
    events = data.draw(happenings(header, game))
    session, auditor = Session(game, setup_of(header)), Auditor(game)
    note("\n".join(as_trace(header, events)))
    with patience(20):
        listen(session, events, auditor)
        come_to_rest(session, events[-1][0] if events else 0.0, auditor)
    assert auditor.labels == [ply.move.label for ply in session.table.record.plies]
    assert isinstance(Elapsed(), Elapsed)
