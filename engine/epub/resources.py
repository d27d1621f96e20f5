"""Pictures and other resources of a book."""

from __future__ import annotations

import re

from engine.domain.book import ImportWarning, WarningKind
from engine.epub.container import Container, EntryError
from engine.epub.encoding import decode_start
from engine.epub.names import is_foreign, resolve
from engine.errors import PlaceUnknownError
from engine.text.sanitize import sanitize_line
from engine.translate import _

_LONGEST_COVER_PAGE = 8_192
_MOST_WORDS_OF_A_COVER = 20
_PICTURE = re.compile(r"""<(?:\w+:)?(?:img|image)\b[^>]{0,500}?\b(?:src|href)\s*=\s*["']([^"']{1,500})["']""", re.I)
_TAG = re.compile(r"<[^<>]*>")
_DRAWN = re.compile(r"<(?:\w+:)?(?:path|rect|circle|ellipse|line|polyline|polygon|text|use)\b")
_DRAWING = ".svg"


def find_resource(container: Container, document: str, reference: str) -> tuple[str, ImportWarning | None]:
    """Return (the entry a reference means, what is wrong with it); "" when it is remote, outside or missing."""
    shown = sanitize_line(reference)[:200]
    if is_foreign(reference):
        if reference.strip().lower().startswith("data:"):
            return "", None
        message = _("{name} is not in the book; it was not fetched").format(name=shown)
        return "", ImportWarning(WarningKind.REMOTE_SKIPPED, message)
    path, _fragment, is_outside = resolve(document, reference)
    found = container.find(path)
    if found is not None:
        return found, None
    if is_outside:
        message = _("{name} points outside the book and was left out").format(name=shown)
        return "", ImportWarning(WarningKind.OUTSIDE_REFUSED, message)
    return "", ImportWarning(WarningKind.PICTURE_MISSING, _("{name} is missing").format(name=shown))


def _wrapped(container: Container, name: str) -> str:
    """Return the only picture in a drawing that draws nothing else; "" for any other resource."""
    if not name.lower().endswith(_DRAWING) or container.size_of(name) > _LONGEST_COVER_PAGE:
        return ""
    source = decode_start(container.read_start(name, _LONGEST_COVER_PAGE))
    shown = _PICTURE.findall(source)
    if len(shown) != 1 or is_foreign(shown[0]) or _DRAWN.search(source):
        return ""
    found = container.find(resolve(name, shown[0])[0])
    return found if found is not None and not found.lower().endswith(_DRAWING) else ""


def cover_page_picture(container: Container, document: str) -> str:
    """Return the picture of a document that is little more than one; "" when it has text of its own or no picture."""
    if container.size_of(document) > _LONGEST_COVER_PAGE:
        return ""
    source = decode_start(container.read_start(document, _LONGEST_COVER_PAGE))
    match = _PICTURE.search(source)
    if match is None or len(_TAG.sub("", source[source.find("<body") :]).split()) > _MOST_WORDS_OF_A_COVER:
        return ""
    return find_resource(container, document, match[1])[0]


def read_resource(container: Container, href: str) -> bytes:
    """Return the bytes of a resource by its name in the book, at most 64 MB.

    A drawing that does nothing but show a picture of the book is that picture.

    Raises:
        PlaceUnknownError: there is no such resource, or it cannot be read.
    """
    found = container.find(href) if href else None
    try:
        if found is not None:
            return container.read(_wrapped(container, found) or found)
    except EntryError as error:
        raise PlaceUnknownError(sanitize_line(href)) from error
    raise PlaceUnknownError(sanitize_line(href))
