"""What reaches the system's journal: sensors by cell and level, faults by level, everything else as it is said."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from boardctl import journald
from boardctl.core.commands import Begun, Command, LinkChanged, SensorDoubted
from boardctl.journald import INFO, NOTICE, WARNING
from tests.cli.command import COMMAND, PATIENCE_S, ROOT

GRADES = [
    (
        SensorDoubted("e8", "stuck"),
        WARNING,
        {"BOARD_EVENT": "sensor", "BOARD_CELL": "e8", "BOARD_STATE": "stuck"},
    ),
    (
        SensorDoubted("a1", "chatter"),
        WARNING,
        {"BOARD_EVENT": "sensor", "BOARD_CELL": "a1", "BOARD_STATE": "chatter"},
    ),
    (
        SensorDoubted("e8", "back"),
        NOTICE,
        {"BOARD_EVENT": "sensor", "BOARD_CELL": "e8", "BOARD_STATE": "back"},
    ),
    (
        LinkChanged("sensors", "lost"),
        WARNING,
        {"BOARD_EVENT": "link", "BOARD_LINK": "sensors", "BOARD_STATE": "lost"},
    ),
    (
        LinkChanged("sensors", "restored"),
        NOTICE,
        {"BOARD_EVENT": "link", "BOARD_LINK": "sensors", "BOARD_STATE": "restored"},
    ),
    (Begun("othello"), INFO, {}),
]


@pytest.mark.parametrize(("command", "level", "fields"), GRADES)
def test_the_level_and_the_fields_of(command: Command, level: int, fields: Mapping[str, str]) -> None:
    assert journald.grade(command) == (level, fields)


def test_an_entry_arrives_field_by_field(tmp_path: Path) -> None:
    address = str(tmp_path / "socket")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as journal:
        journal.bind(address)
        journald.write("The sensor under E8 is stuck.", WARNING, {"BOARD_CELL": "e8"}, address)
        journald.write("Grüße\nzwei", INFO, {}, address)
        assert [journal.recv(4096) for _ in range(2)] == [
            b"MESSAGE=The sensor under E8 is stuck.\nPRIORITY=4\nSYSLOG_IDENTIFIER=boardctl\nBOARD_CELL=e8\n",
            b"MESSAGE\n\x0c\0\0\0\0\0\0\0Gr\xc3\xbc\xc3\x9fe\nzwei\nPRIORITY=6\nSYSLOG_IDENTIFIER=boardctl\n",
        ]


def test_where_no_journal_is_the_writer_hears_of_it(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        journald.write("Nobody.", INFO, {}, str(tmp_path / "none"))


def test_a_stream_goes_to_the_journal_if_the_environment_names_it() -> None:
    near, far = os.pipe()
    with os.fdopen(near, "rb"), os.fdopen(far, "w") as stream:
        file = os.fstat(far)
        assert journald.hears({"JOURNAL_STREAM": f"{file.st_dev}:{file.st_ino}"}, stream)
        assert not journald.hears({"JOURNAL_STREAM": f"{file.st_dev}:{file.st_ino + 1}"}, stream)
        assert not journald.hears({}, stream)


@pytest.mark.parametrize(("listed", "mark"), [(True, "<3>"), (False, "")])
def test_a_fault_has_its_level_in_front_in_the_journal_only(listed: bool, mark: str) -> None:
    near, far = os.pipe()
    file = os.fstat(far)
    stream = f"{file.st_dev}:{file.st_ino if listed else file.st_ino + 1}"
    subprocess.run(
        [*COMMAND, "run", "--config", "/nowhere.toml"],
        stderr=far,
        env=os.environ | {"JOURNAL_STREAM": stream},
        cwd=ROOT,
        timeout=PATIENCE_S,
        check=False,
    )
    os.close(far)
    with os.fdopen(near) as said:
        assert said.read().startswith(f"{mark}boardctl: /nowhere.toml: ")
