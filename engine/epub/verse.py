"""Poems set as a paragraph a line: together they are a stanza."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from engine.epub.gaps import is_gap
from engine.epub.markup import local_name
from engine.epub.words import short_text

if TYPE_CHECKING:
    from lxml.etree import _Element

_MOST_LINES = 400
_LONGEST_LINE = 120
"""Characters; what is longer is prose, or a stanza written on end."""
_BROKEN_BY = frozenset(("br", "span", "div", "p"))


def is_set_by_lines(element: _Element) -> bool:
    """Say whether an element that holds a poem has one paragraph for each line and nothing else."""
    children = list(islice(element.iterchildren("*"), _MOST_LINES + 1))
    return 1 < len(children) <= _MOST_LINES and all(_is_line(child) for child in children)


def _is_line(element: _Element) -> bool:
    if local_name(element) != "p" or is_gap(element):
        return False
    if any(local_name(inner) in _BROKEN_BY for inner in islice(element.iterdescendants(), _LONGEST_LINE)):
        return False
    return len(short_text(element, _LONGEST_LINE + 1).strip()) <= _LONGEST_LINE
