"""A configuration is read whole, and every fault in it is told with its key, the value and the remedy."""

from __future__ import annotations

from inspect import signature
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from boardctl import config
from boardctl.cli import play
from boardctl.config import Fault, Settings, WrongConfig
from boardctl.plugins import found


def read(tmp_path: Path, text: str | bytes) -> Settings:
    file = tmp_path / "board.toml"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return config.read(file, found())


def faults(tmp_path: Path, text: str | bytes) -> list[Fault]:
    with pytest.raises(WrongConfig) as wrong:
        read(tmp_path, text)
    return list(wrong.value.faults)


def test_an_empty_file_is_all_defaults(tmp_path: Path) -> None:
    assert read(tmp_path, "") == Settings()


def test_every_key_can_be_set(tmp_path: Path) -> None:
    settings = read(
        tmp_path,
        """
        [game]
        name = "bracket"
        options = { size = 4, practice = 2 }
        [board]
        file = "/etc/boardctl/board.toml"
        sensors = "presses"
        hold = 0
        rest = 1.5
        start = "empty"
        seed = 7
        [judge]
        policy = "club"
        take_back = 3
        [web]
        enabled = false
        host = "::1"
        port = 0
        [state]
        folder = "/var/lib/board"
        """,
    )
    assert settings.model_dump() == {
        "game": {"name": "bracket", "options": {"size": 4, "practice": 2}},
        "board": {
            "file": "/etc/boardctl/board.toml",
            "sensors": "presses",
            "hold": 0.0,
            "rest": 1.5,
            "start": "empty",
            "seed": 7,
        },
        "judge": {"policy": "club", "take_back": 3.0},
        "web": {"enabled": False, "host": "::1", "port": 0},
        "state": {"folder": "/var/lib/board"},
    }


def test_a_state_folder_is_seen_from_the_files_own(tmp_path: Path) -> None:
    assert read(tmp_path, '[state]\nfolder = "games"').state.folder == str(tmp_path / "games")
    assert read(tmp_path, '[state]\nfolder = "~/games"').state.folder == str(Path.home() / "games")


def test_a_board_file_is_a_preset_or_seen_from_the_files_own_folder(tmp_path: Path) -> None:
    assert read(tmp_path, '[board]\nfile = "reed-8x8"').board.file == "reed-8x8"
    assert read(tmp_path, '[board]\nfile = "mine.toml"').board.file == str(tmp_path / "mine.toml")


FAULTY = [
    ("[gmae]\nname = 'othello'", Fault("gmae", "there is no such key", "did you mean game?")),
    ("[board]\nSTART = 'laid'", Fault("board.START", "there is no such key", "did you mean start?")),
    (
        "[judge]\nx = 1",
        Fault("judge.x", "there is no such key", "write one of policy, take_back"),
    ),
    (
        "game = 'othello'",
        Fault("game", "'othello' is not a table", "write [game] and below it name or options, one a line"),
    ),
    ("[game]\nname = 'otello'", Fault("game.name", "there is no game 'otello'", "did you mean othello?")),
    ("[game]\nname = 8", Fault("game.name", "8 cannot be", "write a text in quotes, not an empty one")),
    ("[game]\noptions = 8", Fault("game.options", "8 cannot be", "write a table of names and values")),
    (
        "[game]\noptions = {siez = 8}",
        Fault("game.options.siez", "othello has no such option", "did you mean size?"),
    ),
    ("[game]\noptions = {size = 7}", Fault("game.options.size", "size is 7", "it is one of 4, 6, 8, 10")),
    (
        "[game]\noptions = {size = '8'}",
        Fault("game.options.size", "size is '8'", "it is a number from 4 to 10"),
    ),
    ("[board]\nfile = ''", Fault("board.file", "'' cannot be", "write a text in quotes, not an empty one")),
    (
        "[board]\nsensors = 'tags'",
        Fault("board.sensors", "'tags' cannot be", "write presence, polarity or presses"),
    ),
    ("[board]\nhold = nan", Fault("board.hold", "nan cannot be", "write a number from 0 to 5")),
    ("[board]\nrest = inf", Fault("board.rest", "inf cannot be", "write a number from 0 to 60")),
    ("[board]\nrest = '1'", Fault("board.rest", "'1' cannot be", "write a number from 0 to 60")),
    (
        "[board]\nseed = 1.5",
        Fault("board.seed", "1.5 cannot be", "write a whole number from 0 to 4294967295"),
    ),
    (
        f"[board]\nseed = 0x{'f' * 9999}",
        Fault("board.seed", "so long a number cannot be", "write a whole number from 0 to 4294967295"),
    ),
    (
        f"[game.options]\nsize = 0x{'f' * 9999}",
        Fault("game.options.size", "so long a number cannot be", "boardctl games lists the options"),
    ),
    ("[web]\nenabled = 1", Fault("web.enabled", "1 cannot be", "write true or false")),
    ("[web]\nport = true", Fault("web.port", "true cannot be", "write a whole number from 0 to 65535")),
    ("[web]\nhost = ''", Fault("web.host", "'' cannot be", "write a text in quotes, not an empty one")),
    ("[web.port]\nx = 1", Fault("web.port", "{'x': 1} cannot be", "write a whole number from 0 to 65535")),
    (b"\xff\xfe", Fault("", "this is not text in UTF-8", "save it as UTF-8")),
]


@pytest.mark.parametrize(("text", "fault"), FAULTY, ids=[fault.key for _, fault in FAULTY])
def test_a_fault_is_named_with_its_remedy(tmp_path: Path, text: str | bytes, fault: Fault) -> None:
    assert faults(tmp_path, text) == [fault]


def test_what_is_no_toml_is_named_with_its_place(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, "[game]\nname =\n")
    assert fault == Fault("", "this is not TOML: Invalid value (at line 2, column 7)", "mend it there")
    (fault,) = faults(tmp_path, "x = " + "[" * 5000)
    assert fault.what.startswith("this is not TOML: ")


def test_a_file_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    for path, why in ((tmp_path / "none.toml", "No such file or directory"), (tmp_path, "Is a directory")):
        with pytest.raises(WrongConfig) as wrong:
            config.read(path, found())
        assert wrong.value.faults == (Fault("", why, "name a file that can be read"),)


def test_all_faults_come_together_in_the_order_of_the_parts(tmp_path: Path) -> None:
    text = "[web]\nport = -1\nprot = 1\n[judge]\npolicy = 1\n[game]\noptions = {a = 1, size = 5}\n[extra]\n"
    assert [fault.key for fault in faults(tmp_path, text)] == [
        "extra",
        "game.options.a",
        "game.options.size",
        "judge.policy",
        "web.port",
        "web.prot",
    ]


SAME = {
    "game": "game.name",
    "sensors": "board.sensors",
    "hold": "board.hold",
    "rest": "board.rest",
    "start": "board.start",
    "seed": "board.seed",
    "policy": "judge.policy",
    "take_back": "judge.take_back",
    "web": "web.enabled",
    "host": "web.host",
    "port": "web.port",
}
"""Parameters of `boardctl play` and the keys that are the same."""


def test_play_and_a_configuration_agree_on_every_default_and_range() -> None:
    keys, hints = dict(config.every_key()), get_type_hints(play, include_extras=True)
    for name, parameter in signature(play).parameters.items():
        if name in SAME:
            field = keys[SAME[name]]
            kind, option = get_args(hints[name])
            assert (kind, parameter.default) == (field.annotation, field.default)
            bounds = [
                getattr(bound, end) for bound in field.metadata for end in ("ge", "le") if hasattr(bound, end)
            ]
            assert bounds == [bound for bound in (option.min, option.max) if bound is not None]
