"""EbookLib's reading of a package, asked where ours found nothing.

EbookLib reads every item at once and gives up at the first that is missing, so it is given only
the few entries it needs, through our container, and whatever it raises means that it has no opinion.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import dataclass

from engine.epub.container import Container, EntryError
from engine.epub.nav import NavEntry

_MAX_BYTES = 32 << 20
_MAX_ENTRIES = 50_000


@dataclass(frozen=True, slots=True)
class Opinion:
    """What EbookLib makes of a package."""

    title: str = ""
    authors: tuple[str, ...] = ()
    language: str = ""
    identifier: str = ""
    entries: tuple[NavEntry, ...] = ()
    """Contents; hrefs are relative to the package document."""


def ask_ebooklib(container: Container, package_name: str) -> Opinion:
    """Return EbookLib's reading of a package; an empty one when it cannot read it."""
    # Heavy: 25 ms on top of lxml, and most books never need a second opinion.
    from ebooklib import epub

    class Reader(epub.EpubReader):  # type: ignore[misc]  # EbookLib ships no types
        def read_file(self, name: str) -> bytes:
            found = container.find(name)
            if found is None or not found.lower().endswith((".opf", ".ncx", "nav.xhtml", "container.xml", "toc.xhtml")):
                return b""
            try:
                return container.read(found, _MAX_BYTES)
            except EntryError:
                return b""

    reader = Reader(str(container.path), {"ignore_ncx": False})
    reader.opf_file = package_name
    reader.opf_dir = package_name.rpartition("/")[0]
    # By turns it raises KeyError, IndexError, TypeError, AttributeError and its own, each for some readable book.
    with contextlib.suppress(Exception):
        reader._load_opf_file()
    return _opinion_from(reader.book)


def _opinion_from(book: object) -> Opinion:
    def values(name: str) -> list[str]:
        try:
            found = book.get_metadata("DC", name)  # type: ignore[attr-defined]  # EbookLib ships no types
        except KeyError:
            return []
        return [str(value).strip() for value, _attributes in found if value and str(value).strip()]

    return Opinion(
        title=next(iter(values("title")), ""),
        authors=tuple(values("creator")),
        language=next(iter(values("language")), ""),
        identifier=next(iter(values("identifier")), ""),
        entries=tuple(_entries_of(getattr(book, "toc", ()))),
    )


def _entries_of(toc: object) -> Iterable[NavEntry]:
    stack: list[tuple[object, int]] = [(toc, 0)]
    count = 0
    while stack and count < _MAX_ENTRIES:
        node, level = stack.pop()
        if isinstance(node, list):
            stack.extend((child, level) for child in reversed(node))
            continue
        section, children = node if isinstance(node, tuple) and len(node) == 2 else (node, [])
        title, href = getattr(section, "title", ""), getattr(section, "href", "")
        if title or href:
            count += 1
            yield NavEntry(str(title or ""), level, str(href or ""))
        stack.append((children, level + 1))
