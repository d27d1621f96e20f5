"""Finding what a reference means: names inside the book, however they were written."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Iterable
from urllib.parse import unquote

from engine.epub.directory import Entry

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_LEGACY_ENCODINGS = ("utf-8", "gb18030", "cp932", "cp437")


class NameIndex:
    """The entries of a container under every name they may be asked for."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        # Of two entries with one name the later counts, as in other readers.
        self._exact = {entry.name: entry for entry in entries if not entry.raw_name.endswith(b"/")}
        self._folded: dict[str, str | None] | None = None

    def all_names(self) -> list[str]:
        """Return each entry's name once, in the order of the directory."""
        return list(self._exact)

    def entry(self, name: str) -> Entry | None:
        """Return the entry with exactly this name."""
        return self._exact.get(name)

    def find(self, name: str) -> tuple[str | None, bool]:
        """Return (the entry's name, whether the book wrote it wrongly); (None, False) when nothing fits.

        A name that fits two entries after folding fits none.
        """
        decoded = unquote(name)
        for candidate in (name, decoded):
            entry = self._exact.get(candidate)
            if entry is not None:
                return candidate, not (entry.is_utf8 or entry.raw_name.isascii())
        if self._folded is None:
            self._folded = self._fold_all()
        found = self._folded.get(_folded(decoded)) or self._folded.get(_folded(name))
        return found, found is not None

    def _fold_all(self) -> dict[str, str | None]:
        folded: dict[str, str | None] = {}
        for name, entry in self._exact.items():
            for key in {_folded(candidate) for candidate in _readings(name, entry)}:
                if key:
                    folded[key] = name if folded.get(key, name) == name else None
        return folded


def resolve(document: str, reference: str) -> tuple[str, str, bool]:
    """Resolve a reference found in a document of the book.

    Args:
        document: Name of the document inside the zip, "" for the root.
        reference: As written: relative or absolute, with or without a fragment, percent-encoded or not.

    Returns:
        (name inside the zip, still percent-encoded; fragment, decoded; whether the reference tried to leave
        the book). The name is that of `document` for a bare fragment. Steps above the root stop at the root.
    """
    path, _hash, fragment = reference.strip().partition("#")
    path = path.partition("?")[0]
    if not path:
        return document, unquote(fragment), False
    path = path.replace("\\", "/") if "\\" in path else path
    is_outside = path.startswith("//") or _DRIVE.match(reference) is not None
    if path.startswith("/"):
        joined = path.lstrip("/")
    else:
        folder = posixpath.dirname(document)
        joined = f"{folder}/{path}" if folder else path
    parts: list[str] = []
    for part in joined.split("/"):
        if unquote(part) == "..":
            is_outside = is_outside or not parts
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts), unquote(fragment), is_outside


def is_foreign(reference: str) -> bool:
    """Say whether a reference has a scheme of its own, such as http: or javascript:, or names another host."""
    text = reference.strip()
    return text.startswith("//") or (_SCHEME.match(text) is not None and _DRIVE.match(text) is None)


def is_web(reference: str) -> bool:
    """Say whether a reference is an http or https address."""
    return reference.strip().lower().startswith(("http://", "https://", "//"))


def _folded(name: str) -> str:
    parts = name.replace("\\", "/").split("/")
    if ".." in parts or name.startswith("/") or _DRIVE.match(name):
        return ""
    return unicodedata.normalize("NFC", "/".join(p for p in parts if p not in ("", "."))).casefold()


def _readings(name: str, entry: Entry) -> Iterable[str]:
    yield name
    yield unquote(name)
    if entry.is_utf8 or entry.raw_name.isascii():
        return
    for encoding in _LEGACY_ENCODINGS:
        try:
            yield entry.raw_name.decode(encoding)
        except UnicodeDecodeError:
            continue
