"""The games there are: entry points of the group `boardctl.games`, our own through the same door as a stranger's.

A game is loaded when it is first asked about something. One that cannot be loaded says so by name then, and the
others go on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from boardctl.core.model import Game, Option, Rules

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "boardctl.games"
"""The group of entry points that are games; the name of an entry point is the name of its game."""


class PluginBroken(ImportError):
    """A game is registered but cannot be loaded."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """A registered game: `Rules` that are loaded when anything but the name is asked. Then raises `PluginBroken`."""

    name: str
    entries: tuple[EntryPoint, ...]
    """Where it is found; one place, if all is well."""

    @property
    def title(self) -> str:
        """The name for people."""
        return _loaded(self.entries).title

    @property
    def about(self) -> str:
        """One sentence that tells a newcomer what the game is."""
        return _loaded(self.entries).about

    @property
    def options(self) -> Sequence[Option]:
        """Every option of the game."""
        return _loaded(self.entries).options

    def game(self, options: Mapping[str, object]) -> Game:
        """The game with these options. Raises `WrongOption` naming the fault."""
        return _loaded(self.entries).game(options)


def found() -> dict[str, Rules]:
    """The games installed here, by name and in its order. Loads none of them."""
    # Imported late: it takes as long as all of the above, and most imports of this module never ask.
    from importlib.metadata import entry_points

    return registered(entry_points(group=GROUP))


def registered(entries: Iterable[EntryPoint]) -> dict[str, Rules]:
    """The games behind these entry points, by name and in its order. Loads none of them."""
    by_name: dict[str, dict[str, EntryPoint]] = {}
    for entry in sorted(entries, key=lambda entry: entry.name):
        by_name.setdefault(entry.name, {})[entry.value] = entry
    return {name: Plugin(name, tuple(places.values())) for name, places in by_name.items()}


@cache
def _loaded(entries: tuple[EntryPoint, ...]) -> Rules:
    name, places = entries[0].name, " and ".join(entry.value for entry in entries)
    if len(entries) > 1:
        raise PluginBroken(f"game {name}: {places} both claim the name; uninstall one of them")
    try:
        rules: Rules = entries[0].load()
    except Exception as fault:  # a stranger's module may fail in any way
        why = f"{type(fault).__name__}: {fault}"
        raise PluginBroken(f"game {name}: {places} does not load ({why}); mend or uninstall it") from fault
    missing = [part for part in ("name", "title", "about", "options", "game") if not hasattr(rules, part)]
    if missing:
        raise PluginBroken(f"game {name}: {places} has no {', '.join(missing)}; mend or uninstall it")
    if rules.name != name:
        raise PluginBroken(f"game {name}: {places} calls itself {rules.name}; register it under that name")
    return rules
