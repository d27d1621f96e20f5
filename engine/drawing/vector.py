"""Drawings (SVG) made into pixels.

What a drawing refers to outside itself is taken out before resvg sees it: it would open any file it is told to.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element

_ROOT_WITHIN = 16_384
_ROOT = re.compile(rb"<(?:\w{1,20}:)?svg\b")
_LEFT_OUT = ("{*}script", "{*}foreignObject")
_FETCHING = ("{*}image", "{*}feImage")
_OWN_PICTURE = re.compile(r"\s*data:image/(?:png|jpe?g|gif|webp)[;,]", re.I)
"""A picture inside the drawing; a drawing in a drawing might refer to files again."""
_MOST_SIDE = 2_400
"""Pixels: 23 MB."""


def is_drawing(data: bytes) -> bool:
    """Say whether bytes look like a drawing."""
    return data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"<" and _ROOT.search(data, 0, _ROOT_WITHIN) is not None


def drawn_png(data: bytes, width: int, height: int) -> bytes:
    """Return a drawing as a PNG that fits in a field of so many pixels, transparent where nothing is drawn.

    Raises:
        ImportError: resvg-py, an extra, is missing.
        ValueError: it cannot be drawn. lxml raises more for what is no XML.
    """
    import resvg_py  # an extra, and only here
    from lxml import etree  # 20 ms, for drawings alone

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, recover=True, remove_pis=True)
    root = etree.fromstring(data, parser)
    etree.strip_elements(root, etree.Entity, *_LEFT_OUT, with_tail=False)
    for element in list(root.iter(*_FETCHING)):
        parent = element.getparent()
        if parent is not None and not _is_own(element):
            parent.remove(element)
    has_words = next(root.iter("{*}text"), None) is not None
    return resvg_py.svg_to_bytes(
        svg_string=etree.tostring(root, encoding="unicode"),
        width=max(1, min(width, _MOST_SIDE)),
        height=max(1, min(height, _MOST_SIDE)),
        skip_system_fonts=not has_words,  # looking through the fonts of a desktop takes a second
    )


def _is_own(element: _Element) -> bool:
    """Say whether the picture an element shows is part of the drawing."""
    return all(
        _OWN_PICTURE.match(str(value))
        for name, value in element.attrib.items()
        if str(name).rpartition("}")[2] == "href"
    )
