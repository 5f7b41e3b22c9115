"""What a terminal shows and serves: the application, seen from here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeAlias

Scene: TypeAlias = Mapping[str, Any]
"""All there is to show, as JSON; `revision` (int) differs whenever anything else in it does."""


class Desk(Protocol):
    """One board with a game on it."""

    def scene(self) -> Scene:
        """All there is to show now."""
        ...

    async def changed(self, since: int) -> int:
        """Waits until the revision is another than `since` and answers it. May be cancelled at any time."""
        ...

    def do(self, message: Mapping[str, object]) -> str | None:
        """Carries out a word (`say`) or a deed of simulated hands; answers a sentence when that cannot be."""
        ...

    async def settled(self) -> None:
        """Waits until the hands have done all they were told and the board has been judged."""
        ...
