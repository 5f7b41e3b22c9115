"""Traces: read back as written, and every malformed line refused with its number and a sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardctl.core.events import Doubted, Elapsed, Lost, Pressed, Restored, Said, Sampled, Tagged
from boardctl.trace import Header, MalformedTrace, Trace, header_line, written
from boardctl.trace_lines import GIVEN

CELLS = [f"{column}{row}" for row in range(1, 9) for column in "abcdefgh"]
HEADERS = {sensors: json.dumps({"trace": 1, "game": "othello", "sensors": sensors}) for sensors in GIVEN}


def read(*lines, sensors="polarity"):
    """The events of a trace with these lines after a header; an object stands for its JSON."""
    texts = [line if isinstance(line, str | bytes) else json.dumps(line) for line in lines]
    return list(Trace([HEADERS[sensors], *texts]).events(CELLS))


def fault(*lines, sensors="polarity"):
    """What is said about the last of these lines: everything before it must be right."""
    with pytest.raises(MalformedTrace) as raised:
        read(*lines, sensors=sensors)
    assert raised.value.line == len(lines) + 1
    return raised.value.what


def header_fault(**keys):
    """What is said about a header with these keys."""
    with pytest.raises(MalformedTrace) as raised:
        Trace([json.dumps({"trace": 1, "game": "othello"} | keys)])
    assert raised.value.line == 1
    return raised.value.what


def test_a_header_of_two_keys_has_every_default_of_the_interface():
    assert Trace(['{"trace": 1, "game": "othello"}']).header == Header(
        game="othello",
        options={},
        sensors="polarity",
        hold=0.03,
        rest=0.3,
        start="laid",
        policy="teach",
        take_back=2.0,
        tags={},
    )


def test_a_header_is_read_key_by_key():
    said = {
        "trace": 1,
        "game": "brax",
        "options": {"players": 4},
        "sensors": "tags",
        "hold": 0,
        "rest": 1,
        "start": "empty",
        "policy": "club",
        "take_back": 0.5,
        "tags": {"t07": "blue_1"},
    }
    assert Trace([json.dumps(said)]).header == Header(
        "brax", {"players": 4}, "tags", 0.0, 1.0, "empty", "club", 0.5, {"t07": "blue_1"}
    )


@pytest.mark.parametrize("sensors", GIVEN)
def test_each_kind_of_sensors_gives_its_own_readings(sensors):
    lines = [{"t": 1.2, "cell": "d3", "sees": reading} for reading in GIVEN[sensors]]
    assert read(*lines, sensors=sensors) == [(1.2, Sampled("d3", reading)) for reading in GIVEN[sensors]]


def test_a_tag_comes_with_its_side_and_goes_with_or_without_it():
    assert read(
        {"t": 1, "cell": "d3", "tag": "t07", "side": "heads"},
        {"t": 2, "cell": "d3", "tag": "t07", "side": "tails", "gone": True},
        {"t": 3, "cell": "d3", "tag": "t07", "gone": True},
        {"t": 4, "cell": "d3", "sees": "empty"},
        sensors="tags",
    ) == [
        (1.0, Tagged("d3", "t07", "heads")),
        (2.0, Tagged("d3", "t07", "tails", gone=True)),
        (3.0, Tagged("d3", "t07", "heads", gone=True)),
        (4.0, Sampled("d3", "empty")),
    ]


def test_a_button_under_a_cell_is_pressed():
    assert read({"t": 1.2, "cell": "d3", "press": True}, sensors="presses") == [(1.2, Pressed("d3"))]


@pytest.mark.parametrize("sensors", GIVEN)
def test_words_a_lost_link_a_doubted_sensor_and_the_end_come_from_every_board(sensors):
    assert read(
        {"t": 5.0, "say": "pass"},
        {"t": 9.0, "lost": "sensors"},
        {"t": 9.5, "restored": "sensors"},
        {"t": 9.5, "cell": "e8", "doubt": "stuck"},
        {"t": 60, "end": True},
        sensors=sensors,
    ) == [
        (5.0, Said("pass")),
        (9.0, Lost()),
        (9.5, Restored()),
        (9.5, Doubted("e8", "stuck")),
        (60.0, Elapsed()),
    ]


def test_nothing_after_the_end_is_read():
    assert read({"t": 1, "end": True}, "neither this {") == [(1.0, Elapsed())]


def test_a_trace_without_an_end_stops_after_its_last_event():
    assert read({"t": 1, "say": "ok"}) == [(1.0, Said("ok"))]


def test_blank_lines_say_nothing_but_are_counted():
    trace = Trace([HEADERS["polarity"], "\n", '{"t": 1, "say": "ok"}\n', "  \n", '{"t": 2, "say": 3}\n'])
    events = trace.events(CELLS)
    assert next(events) == (1.0, Said("ok"))
    with pytest.raises(MalformedTrace, match=r"^line 5: "):
        next(events)


def test_a_file_opened_in_binary_mode_is_read_as_utf_8(tmp_path: Path):
    file = tmp_path / "evening.trace.jsonl"
    file.write_bytes(HEADERS["polarity"].encode() + b"\r\n" + '{"t": 1, "say": "schön"}'.encode() + b"\r\n")
    with file.open("rb") as lines:
        assert list(Trace(lines).events(CELLS)) == [(1.0, Said("schön"))]


def test_the_sentence_names_the_line_the_key_the_value_and_what_may_stand_there():
    with pytest.raises(MalformedTrace) as raised:
        read({"t": 1, "say": "ok"}, {"t": 2, "cell": "d3", "sees": "haeds"})
    assert str(raised.value) == (
        'line 3: "sees" is "haeds"; a polarity board can say empty, heads, tails or unknown'
    )


def test_the_events_before_the_malformed_line_are_told_first():
    events = Trace([HEADERS["polarity"], '{"t": 1, "say": "ok"}', "{"]).events(CELLS)
    assert next(events) == (1.0, Said("ok"))
    with pytest.raises(MalformedTrace, match=r"^line 3: this is not JSON: "):
        next(events)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"t": 1.5, "cell": "d4", "sees":', "Expecting value at column 33"),
        ('{"t": 1, "say": "ok"} {"t": 2, "say": "ok"}', "more follows at column 22"),
        ('{"t": NaN, "say": "ok"}', "it knows no number NaN"),
        ('{"t": -Infinity, "say": "ok"}', "it knows no number -Infinity"),
    ],
)
def test_a_line_that_is_not_json_is_refused(line, said):
    assert fault(line) == f"this is not JSON: {said}"


def test_a_line_that_is_not_utf_8_is_refused():
    assert fault(b'{"t": 1, "say": "\xff"}') == "this is not UTF-8: invalid start byte at byte 18"


@pytest.mark.parametrize(
    ("line", "kind"), [("[1]", "a list"), ('"t"', '"t"'), ("7", "7"), ("null", "null"), ("true", "true")]
)
def test_a_line_that_is_no_object_is_refused(line, kind):
    assert fault(line) == f"this is {kind}; a line of a trace is an object in braces"


def test_a_line_nested_without_end_is_refused():
    assert fault("[" * 100_000).startswith("this is not JSON: ")


def test_a_number_of_thousands_of_digits_is_refused():
    assert fault('{"t": 1' + "0" * 5000 + ', "say": "ok"}').startswith("this is not JSON: ")


def test_an_event_without_its_time_is_refused():
    assert fault({"cell": "d3", "sees": "heads"}) == '"t" is missing; every event tells its time'


@pytest.mark.parametrize(
    ("t", "shown"),
    [
        ("-0.5", "-0.5"),
        ("1e999", "Infinity"),
        ("1" + "0" * 400, "1" + "0" * 59 + "..."),
        ('"1"', '"1"'),
        ("true", "true"),
        ("null", "null"),
        ("[1]", "a list"),
        ("{}", "an object"),
    ],
)
def test_a_time_that_is_no_number_of_seconds_is_refused(t, shown):
    line = f'{{"t": {t}, "say": "ok"}}'
    assert fault(line) == f'"t" is {shown}; it is a number of seconds, 0 or more'


def test_time_that_goes_back_is_refused():
    assert fault({"t": 2, "say": "ok"}, {"t": 1.99, "say": "ok"}) == '"t" goes back from 2.0 to 1.99'


def test_two_events_at_one_time_are_in_order():
    assert read({"t": 2, "say": "ok"}, {"t": 2, "say": "undo"}) == [(2.0, Said("ok")), (2.0, Said("undo"))]


@pytest.mark.parametrize("cell", ["i1", "D3", "", 3, None, ["d3"], {"d3": 1}])
@pytest.mark.parametrize(
    ("sensors", "event"),
    [
        ("polarity", {"sees": "heads"}),
        ("tags", {"tag": "t1", "side": "heads"}),
        ("presses", {"press": True}),
        ("presence", {"doubt": "back"}),
    ],
)
def test_a_cell_the_board_lacks_is_refused(sensors, event, cell):
    assert fault({"t": 1, "cell": cell} | event, sensors=sensors).endswith("; the board has no such cell")


@pytest.mark.parametrize(
    ("sensors", "sees", "can"),
    [
        ("presence", "heads", "can say empty, piece or unknown"),
        ("presence", "tails", "can say empty, piece or unknown"),
        ("polarity", "piece", "can say empty, heads, tails or unknown"),
        ("tags", "heads", "can say empty or unknown"),
        ("tags", "piece", "can say empty or unknown"),
        ("presses", "empty", "tells of presses only"),
        ("presses", "unknown", "tells of presses only"),
        ("polarity", "", "can say empty, heads, tails or unknown"),
    ],
)
def test_a_reading_these_sensors_cannot_give_is_refused(sensors, sees, can):
    said = fault({"t": 1, "cell": "d3", "sees": sees}, sensors=sensors)
    assert said == f'"sees" is "{sees}"; a {sensors} board {can}'


@pytest.mark.parametrize("sees", [None, True, 1, ["heads"], {"heads": 1}])
def test_a_reading_that_is_no_word_is_refused(sees):
    assert fault({"t": 1, "cell": "d3", "sees": sees}).endswith("can say empty, heads, tails or unknown")


@pytest.mark.parametrize("sensors", ["presence", "polarity", "presses"])
def test_a_tag_on_a_board_that_sees_none_is_refused(sensors):
    said = fault({"t": 1, "cell": "d3", "tag": "t1", "side": "heads"}, sensors=sensors)
    assert said == f'"tag" comes from tags; the sensors here are {sensors}'


@pytest.mark.parametrize("sensors", ["presence", "polarity", "tags"])
def test_a_press_on_a_board_without_buttons_is_refused(sensors):
    said = fault({"t": 1, "cell": "d3", "press": True}, sensors=sensors)
    assert said == f'"press" comes from presses; the sensors here are {sensors}'


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ({"tag": 7, "side": "heads"}, '"tag" is 7; it is a text'),
        ({"tag": "t1", "side": "up"}, '"side" is "up"; it can be heads or tails'),
        ({"tag": "t1", "side": "heads", "gone": False}, '"gone" is false; it can only be true'),
        ({"doubt": "dead"}, '"doubt" is "dead"; it can be stuck, chatter or back'),
    ],
)
def test_a_wrong_value_of_a_cells_event_is_refused(event, said):
    assert fault({"t": 1, "cell": "d3"} | event, sensors="tags") == said


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ({"say": 7}, '"say" is 7; it is a text'),
        ({"say": None}, '"say" is null; it is a text'),
        ({"lost": "lights"}, '"lost" is "lights"; it can be sensors'),
        ({"restored": True}, '"restored" is true; it can be sensors'),
        ({"end": False}, '"end" is false; it can only be true'),
        ({"end": 1}, '"end" is 1; it can only be true'),
    ],
)
def test_a_wrong_value_of_an_event_without_a_cell_is_refused(event, said):
    assert fault({"t": 1} | event) == said


def test_a_press_that_is_not_true_is_refused():
    said = fault({"t": 1, "cell": "d3", "press": False}, sensors="presses")
    assert said == '"press" is false; it can only be true'


def test_unknown_keys_are_refused_and_the_known_ones_named():
    assert fault({"t": 1, "cell": "d3", "sees": "heads", "by": "Ann", "why": 1}) == (
        'there is no key "by" or "why"; '
        "there is t, cell, side, gone, sees, tag, press, say, doubt, lost, restored or end"
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"sees": "heads"}, '"sees" lacks "cell"'),
        ({"cell": "d3", "tag": "t1"}, '"tag" lacks "side"'),
        ({"cell": "d3", "say": "ok"}, '"say" does not go with "cell"'),
        ({"cell": "d3", "sees": "heads", "side": "heads"}, '"sees" does not go with "side"'),
    ],
)
def test_keys_that_do_not_go_together_are_refused(line, said):
    assert fault({"t": 1} | line) == said


@pytest.mark.parametrize(
    ("line", "told"),
    [({}, "nothing"), ({"cell": "d3"}, "nothing"), ({"say": "ok", "end": True}, "say and end")],
)
def test_a_line_that_does_not_tell_exactly_one_thing_is_refused(line, told):
    assert fault({"t": 1} | line) == (
        f"this tells {told}; an event tells one of sees, tag, press, say, doubt, lost, restored or end"
    )


def test_a_second_header_is_refused():
    assert fault(HEADERS["polarity"]) == "this is a second header; a trace has one, its first line"


@pytest.mark.parametrize("lines", [[], ["\n"], ['{"t": 1, "say": "ok"}'], ['{"trace": 1}'], ["{}"]])
def test_a_trace_that_does_not_open_with_its_header_is_refused(lines):
    with pytest.raises(MalformedTrace) as raised:
        Trace(lines)
    assert str(raised.value) == 'line 1: a trace opens with its header, {"trace": 1, "game": ...}'


def test_a_header_that_is_not_json_is_refused():
    with pytest.raises(MalformedTrace, match=r"^line 1: this is not JSON: "):
        Trace(["{"])


def test_an_unknown_key_of_a_header_is_refused():
    assert header_fault(polic="teach") == (
        'there is no key "polic"; '
        "there is trace, game, options, sensors, hold, rest, start, policy, take_back or tags"
    )


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("trace", 2, "is 2; this program reads version 1"),
        ("trace", True, "is true; this program reads version 1"),
        ("game", 7, "is 7; it is a text"),
        ("options", [], "is a list; it is an object in braces"),
        ("sensors", "hall", 'is "hall"; it can be presence, polarity, presses or tags'),
        ("hold", -1, "is -1; it is a number of seconds, 0 or more"),
        ("rest", "0.3", 'is "0.3"; it is a number of seconds, 0 or more'),
        ("take_back", False, "is false; it is a number of seconds, 0 or more"),
        ("start", "both", 'is "both"; it can be laid or empty'),
        ("policy", None, "is null; it can be teach, club or tournament"),
        ("tags", "t1", 'is "t1"; it is an object in braces'),
    ],
)
def test_a_wrong_value_in_a_header_is_refused(key, value, said):
    assert header_fault(**{key: value}) == f'"{key}" {said}'


def test_a_tag_that_carries_no_text_is_refused():
    assert header_fault(sensors="tags", tags={"t1": 7}) == '"t1" is 7; it is a text'


def test_tags_are_for_boards_that_see_them():
    assert header_fault(tags={"t1": "star"}) == '"tags" are named, but "sensors" is not "tags"'


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (Sampled("d3", "heads"), {"cell": "d3", "sees": "heads"}),
        (Tagged("d3", "t07", "heads"), {"cell": "d3", "tag": "t07", "side": "heads"}),
        (Tagged("d3", "t07", "tails", True), {"cell": "d3", "tag": "t07", "side": "tails", "gone": True}),
        (Pressed("d3"), {"cell": "d3", "press": True}),
        (Said("pass"), {"say": "pass"}),
        (Doubted("e8", "stuck"), {"cell": "e8", "doubt": "stuck"}),
        (Lost(), {"lost": "sensors"}),
        (Restored(), {"restored": "sensors"}),
        (Elapsed(), {"end": True}),
    ],
)
def test_an_event_is_written_as_the_interface_shows_it(event, line):
    assert written(1.2, event) == {"t": 1.2} | line


def test_a_header_is_written_with_every_key():
    assert header_line(Header("othello")) == {
        "trace": 1,
        "game": "othello",
        "options": {},
        "sensors": "polarity",
        "hold": 0.03,
        "rest": 0.3,
        "start": "laid",
        "policy": "teach",
        "take_back": 2.0,
    }


_seconds = st.floats(min_value=0, max_value=1e9)
_cells = st.sampled_from(CELLS)
_sides = st.sampled_from(["heads", "tails"])
_anywhere = (
    st.builds(Said, st.text())
    | st.builds(Doubted, _cells, st.sampled_from(["stuck", "chatter", "back"]))
    | st.just(Lost())
    | st.just(Restored())
)
_own = {
    "presence": st.builds(Sampled, _cells, st.sampled_from(GIVEN["presence"])),
    "polarity": st.builds(Sampled, _cells, st.sampled_from(GIVEN["polarity"])),
    "presses": st.builds(Pressed, _cells),
    "tags": st.builds(Sampled, _cells, st.sampled_from(GIVEN["tags"]))
    | st.builds(Tagged, _cells, st.text(), _sides, st.booleans()),
}
_headers = st.sampled_from(list(GIVEN)).flatmap(
    lambda sensors: st.builds(
        Header,
        game=st.text(),
        options=st.dictionaries(st.text(), st.text() | st.integers(0, 99) | st.booleans()),
        sensors=st.just(sensors),
        hold=_seconds,
        rest=_seconds,
        start=st.sampled_from(["laid", "empty"]),
        policy=st.sampled_from(["teach", "club", "tournament"]),
        take_back=_seconds,
        tags=st.dictionaries(st.text(), st.text()) if sensors == "tags" else st.just({}),
    )
)


@st.composite
def _traces(draw):
    header = draw(_headers)
    times = sorted(draw(st.lists(_seconds, max_size=20)))
    events = [(t, draw(_own[header.sensors] | _anywhere)) for t in times]
    return header, [*events, (times[-1] if times else 0.0, Elapsed())]


@given(_traces())
def test_what_is_written_is_read_back(trace):
    header, events = trace
    read_back = Trace(json.dumps(line) for line in (header_line(header), *(written(*e) for e in events)))
    assert (read_back.header, list(read_back.events(CELLS))) == (header, events)


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | _cells,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=4,
)
_event_keys = ["t", "cell", "side", "gone", "sees", "tag", "press", "say", "doubt", "lost", "restored", "end"]
_header_keys = ["trace", "game", "options", "sensors", "hold", "rest", "start", "policy", "take_back", "tags"]
_objects = st.dictionaries(
    st.sampled_from(_event_keys + _header_keys) | st.text(max_size=3), _json, max_size=6
)


@given(st.binary() | st.text() | _objects.map(json.dumps), st.sampled_from(list(GIVEN)))
def test_any_line_at_all_is_an_event_a_header_or_a_malformed_line(line, sensors):
    for lines in ([line], [HEADERS[sensors], line]):
        try:
            list(Trace(lines).events(CELLS))
        except MalformedTrace as refused:
            assert str(refused) == f"line {len(lines)}: {refused.what}"
