"""What a work has for itself of the settings, kept under the hash of its first book."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress

from engine.choices import SpoilerMode
from engine.config import PER_WORK, Settings, Value, settings_as_mapping, with_values
from engine.domain.book import WorkId
from engine.store import remembered
from engine.store.connection import Connection

_KEY = "settings"
_BOOKS = "books"
"""Of the work when it was kept."""
_MODE = "spoilers"


def own_settings(r: Connection, books: Sequence[str]) -> dict[str, Value]:
    """Return what a work has for itself; nothing where it has nothing, or nothing that can be read.

    That it shows everything holds for the books that were there when the reader said so: with a new volume it ends.

    Args:
        r: Where to look.
        books: Content hashes of the work's books, in their order.
    """
    text = remembered.remembered(r, f"{_KEY}/{books[0]}") if books else None
    if text is None:
        return {}
    held: dict[str, object] = {}
    with suppress(ValueError, TypeError):
        held = dict(json.loads(text))
    known = held.get(_BOOKS)
    own = {name: held[name] for name in PER_WORK if name in held}
    if own.get(_MODE) == SpoilerMode.OFF and not (isinstance(known, list) and set(books) <= set(map(str, known))):
        del own[_MODE]
    values = settings_as_mapping(with_values(Settings(), own))
    return {name: values[name] for name in own}


def keep_own_settings(w: Connection, books: Sequence[str], values: Mapping[str, Value]) -> None:
    """Keep what a work has for itself, in place of what it had.

    Args:
        w: Where to write.
        books: Content hashes of the work's books, in their order; at least one.
        values: By the names of settings.
    """
    remembered.remember(w, f"{_KEY}/{books[0]}", json.dumps({**values, _BOOKS: [*books]}))


def own_mode(r: Connection, work: WorkId) -> SpoilerMode | None:
    """Return the mode a work has for itself; None where that of all works holds."""
    rows = r.execute(
        "SELECT b.sha256 FROM volume v JOIN book b ON b.id = v.book_id AND b.state = 'ready'"
        " WHERE v.work_id = ? ORDER BY v.ord",
        (work,),
    )
    mode = own_settings(r, [str(sha256) for (sha256,) in rows]).get(_MODE)
    return None if mode is None else SpoilerMode(str(mode))
