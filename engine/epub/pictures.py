"""Pictures in a document, in whatever element they hide."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.epub.markup import attribute, local_name
from engine.epub.words import plain_text

if TYPE_CHECKING:
    from lxml.etree import _Element

_PIXELS = re.compile(r"\s*(\d{1,5})(?:\.\d*)?\s*(?:px)?\s*")
_MAX_ALT = 500


@dataclass(frozen=True, slots=True)
class Found:
    """A picture as its element describes it, or the text of a drawing."""

    reference: str = ""
    """As written; "" when the drawing is part of the document."""
    alt: str = ""
    width: int = 0
    height: int = 0
    text: str = ""
    """Text drawn as text; then there is no picture."""
    is_character: bool = False
    """A picture of one character that no font of its time had."""


def find_pictures(element: _Element) -> Iterator[Found]:
    """Yield what an img, image, svg or object element shows."""
    name = local_name(element)
    if name == "svg":
        yield from _in_drawing(element)
        return
    alt = (element.get("alt") or element.get("title") or "").strip()
    if name == "object":
        alt = alt or plain_text(element)
    reference = element.get("src") or attribute(element, "href") or element.get("data") or element.get("data-src") or ""
    yield Found(
        reference=reference,
        alt=alt[:_MAX_ALT],
        width=_pixels(element.get("width")),
        height=_pixels(element.get("height")),
        is_character="gaiji" in (element.get("class") or ""),
    )


def _in_drawing(drawing: _Element) -> Iterator[Found]:
    label = (drawing.get("aria-label") or "").strip()
    images: list[_Element] = []
    texts: list[str] = []
    for element in drawing.iter():
        name = local_name(element)
        if name == "image":
            images.append(element)
        elif name in ("title", "desc") and not label:
            label = plain_text(element)
        elif name == "text":
            texts.append(plain_text(element))
    for image in images:
        yield Found(
            reference=attribute(image, "href") or image.get("src") or "",
            alt=(image.get("alt") or attribute(image, "title") or label)[:_MAX_ALT],
            width=_pixels(image.get("width")),
            height=_pixels(image.get("height")),
        )
    if not images and not any(texts):
        yield Found(alt=label[:_MAX_ALT], width=_pixels(drawing.get("width")), height=_pixels(drawing.get("height")))
    for text in texts:
        if text:
            yield Found(text=text)


def _pixels(value: str | None) -> int:
    match = _PIXELS.fullmatch(value or "")
    return int(match[1]) if match else 0
