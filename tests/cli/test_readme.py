"""README.md tells of every command, option and key, as they are."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from boardctl import config
from boardctl.plugins import found
from tests.cli import readme
from tests.cli.command import Ran

TEXT = readme.README.read_text(encoding="utf-8")
PART = TEXT.partition(readme.BEGIN)[2].partition(readme.END)[0]


def test_the_list_of_commands_is_current() -> None:
    assert readme.current(TEXT) == TEXT, "README.md is out of date: python -m tests.cli.readme writes it"


@pytest.mark.parametrize("command", readme.commands())
def test_every_option_that_help_names_is_in_the_readme(call: Callable[..., Ran], command: str) -> None:
    options = set(re.findall(r"(?<![\w-])--[a-z-]+", call(command, "--help").out)) - {"--help"}
    chapter = PART.partition(f"### boardctl {command}")[2].partition("\n### ")[0]
    assert {option for option in options if f"`{option}`" not in chapter} == set()


def test_every_command_that_help_names_is_in_the_readme(call: Callable[..., Ran]) -> None:
    listed = call("--help").out.partition("Commands:\n")[2]
    named = re.findall(r"^  ([a-z-]+) ", listed, re.MULTILINE)
    assert named == [match.split()[0] for match in re.findall(r"^### boardctl (.+)$", PART, re.MULTILINE)]


def test_every_key_of_a_configuration_is_in_the_readme() -> None:
    assert [key for key, _ in config.every_key() if f"| `{key}` |" not in PART] == []


def test_the_configuration_in_the_readme_is_what_runs_without_one(tmp_path: Path) -> None:
    shown = re.findall(r"```toml\n(\[game\].*?)```", PART, re.DOTALL)
    file = tmp_path / "board.toml"
    file.write_text(shown[0])
    assert config.read(file, found()) == config.Settings()
    assert {f"{part}.{key}" for part, keys in tomllib.loads(shown[0]).items() for key in keys} == {
        key for key, _ in config.every_key()
    } - {"board.file", "state.folder"}


def test_a_readme_without_the_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="needs the marks"):
        readme.current("# boardctl")
