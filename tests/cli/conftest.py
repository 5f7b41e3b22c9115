from __future__ import annotations

from collections.abc import Callable

import pytest

from boardctl.cli import main
from tests.cli.command import Ran


@pytest.fixture
def call(capfd: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Calls the command in this process, which is quicker, and answers how it ended."""

    def called(*words: object) -> Ran:
        with pytest.raises(SystemExit) as ended:
            main([str(word) for word in words])
        out, err = capfd.readouterr()
        assert isinstance(ended.value.code, int)
        return Ran(ended.value.code, out, err)

    return called
