"""Small things kept from one session to the next, such as which panels stand open."""

from __future__ import annotations

from engine.store.connection import Connection


def remembered(r: Connection, key: str) -> str | None:
    """Return what was kept under a key."""
    found = r.execute("SELECT value FROM remembered WHERE key = ?", (key,)).get
    return None if found is None else str(found)


def remember(w: Connection, key: str, value: str) -> None:
    """Keep a value under a key."""
    w.execute("INSERT OR REPLACE INTO remembered (key, value) VALUES (?, ?)", (key, value))


def forget(w: Connection, key: str) -> None:
    """Drop what was kept under a key."""
    w.execute("DELETE FROM remembered WHERE key = ?", (key,))
