"""The table of contents, the page list and the landmarks, as the book gives them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.domain.book import ContentsSource
from engine.epub.markup import attribute, local_name
from engine.epub.words import plain_text, type_words

if TYPE_CHECKING:
    from lxml.etree import _Element

MAX_ENTRIES = 50_000
_MAX_LABEL = 500


@dataclass(frozen=True, slots=True)
class NavEntry:
    """One line of a list of places."""

    title: str
    level: int
    """0 for the top."""
    href: str
    """As written; "" for a heading that leads nowhere itself."""


@dataclass(slots=True)
class Navigation:
    """What a navigation document or NCX holds."""

    source: ContentsSource
    document: str
    """Its name in the container, which references start from."""
    entries: list[NavEntry] = field(default_factory=list)
    pages: list[tuple[str, str]] = field(default_factory=list)
    """(printed page number, href)."""
    landmarks: list[tuple[str, str]] = field(default_factory=list)
    """(type, href)."""


def read_nav(root: _Element, document: str) -> Navigation:
    """Read an EPUB 3 navigation document."""
    navigation = Navigation(ContentsSource.NAV, document)
    lists: list[tuple[frozenset[str], _Element]] = [
        (type_words(element), element) for element in root.iter() if local_name(element) == "nav"
    ]
    for words, element in lists:
        if words & {"page-list", "pagelist"}:
            navigation.pages = [(entry.title, entry.href) for entry in _entries_of_lists(element) if entry.href]
        elif "landmarks" in words:
            navigation.landmarks = [
                (word, link.get("href") or "")
                for link in element.iter()
                if local_name(link) == "a"
                for word in type_words(link)
            ]
    contents = [element for words, element in lists if "toc" in words]
    others = [element for words, element in lists if not words]
    for element in [*contents, *others, *([] if lists else [root])]:
        navigation.entries = list(_entries_of_lists(element))
        if navigation.entries:
            break
    return navigation


def read_ncx(root: _Element, document: str) -> Navigation:
    """Read an NCX."""
    navigation = Navigation(ContentsSource.NCX, document)
    for element in root.iter():
        name = local_name(element)
        if name == "navmap":
            navigation.entries = list(_entries_of_points(element))
        elif name == "pagetarget":
            label = next((plain_text(e) for e in element if local_name(e) == "navlabel"), "")
            navigation.pages.append((label or attribute(element, "value"), _source_of(element)))
    return navigation


def _entries_of_lists(nav: _Element) -> Iterator[NavEntry]:
    """Walk the nested lists of a nav element, without recursion."""
    stack: list[tuple[_Element, int]] = [(child, 0) for child in reversed(nav)]
    count = 0
    while stack and count < MAX_ENTRIES:
        element, level = stack.pop()
        name = local_name(element)
        if name == "li":
            entry = _entry_of_item(element, level)
            if entry is not None:
                count += 1
                yield entry
            nested = [child for child in element if local_name(child) in ("ol", "ul")]
            stack.extend((child, level + (entry is not None)) for child in reversed(nested))
        else:
            stack.extend((child, level) for child in reversed(element))


def _entry_of_item(item: _Element, level: int) -> NavEntry | None:
    """Read the label of a list item; None when it has neither label nor link."""
    for child in _outside_lists(item):
        if local_name(child) == "a":
            return NavEntry(_label(plain_text(child) or child.get("title") or ""), level, child.get("href") or "")
    for child in item:
        if local_name(child) not in ("ol", "ul", ""):
            title = _label(plain_text(child))
            return NavEntry(title, level, "") if title else None
    title = _label(" ".join((item.text or "").split()))
    return NavEntry(title, level, "") if title else None


def _outside_lists(item: _Element) -> Iterator[_Element]:
    stack = list(reversed(item))
    while stack:
        element = stack.pop()
        if local_name(element) in ("ol", "ul"):
            continue
        yield element
        stack.extend(reversed(element))


def _entries_of_points(nav_map: _Element) -> Iterator[NavEntry]:
    stack: list[tuple[_Element, int]] = [(child, 0) for child in reversed(nav_map)]
    count = 0
    while stack and count < MAX_ENTRIES:
        element, level = stack.pop()
        if local_name(element) != "navpoint":
            continue
        count += 1
        label = next((plain_text(e) for e in element if local_name(e) == "navlabel"), "")
        yield NavEntry(_label(label), level, _source_of(element))
        stack.extend((child, level + 1) for child in reversed(element))


def _source_of(element: _Element) -> str:
    return next((attribute(child, "src") for child in element if local_name(child) == "content"), "")


def _label(text: str) -> str:
    return text[:_MAX_LABEL].strip()


def with_inherited_targets(entries: Iterable[NavEntry]) -> list[NavEntry]:
    """Give each heading that leads nowhere the place of the first entry below it; drop those without any."""
    result: list[NavEntry] = []
    for entry in reversed(list(entries)):
        if entry.href:
            result.append(entry)
        elif result and result[-1].level > entry.level:
            result.append(NavEntry(entry.title, entry.level, result[-1].href))
    return result[::-1]
