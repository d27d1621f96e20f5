"""Keys that are typed before what they are meant for is there."""

from __future__ import annotations

Typed = tuple[str, str | None]
"""Textual's name of a key, and its character."""


class KeysAhead:
    """Keeps them until it has come."""

    def __init__(self) -> None:
        self._typed: list[Typed] | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether what comes now is kept."""
        return self._typed is not None

    def wait(self) -> None:
        """Keep the keys that come from now on."""
        if self._typed is None:
            self._typed = []

    def keep(self, textual_key: str, character: str | None) -> bool:
        """Keep a key while waiting; say whether it was kept."""
        if self._typed is not None:
            self._typed.append((textual_key, character))
        return self._typed is not None

    def end(self) -> list[Typed]:
        """Wait no more; return what was typed meanwhile."""
        typed, self._typed = self._typed or [], None
        return typed
