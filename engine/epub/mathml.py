"""Formulas as one readable line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.epub.markup import local_name
from engine.epub.words import plain_text

if TYPE_CHECKING:
    from lxml.etree import _Element

_JOINED = {"msup": "^", "mfrac": "/", "msub": "_", "mover": "^", "munder": "_"}
_DOUBLE = {"msubsup": ("_", "^"), "munderover": ("_", "^")}
_MAX_ELEMENTS = 2_000


def text_of_formula(element: _Element) -> str:
    """Return a formula's alternative text, else its symbols, with ^, _ and / for raised, lowered and divided."""
    given = (element.get("alttext") or element.get("alt") or "").strip()
    if given:
        return given
    written: dict[_Element, str] = {}
    nodes = [node for node in element.iter() if local_name(node)]
    if len(nodes) > _MAX_ELEMENTS:
        return plain_text(element)
    for node in reversed(nodes):
        name = local_name(node)
        if name in ("annotation", "annotation-xml"):
            written[node] = ""
            continue
        parts = [written.get(child, "") for child in node if local_name(child)]
        own = (node.text or "").strip()
        written[node] = own + _joined(name, parts)
    return " ".join(written[element].split())


def _joined(name: str, parts: list[str]) -> str:
    if name in _JOINED and len(parts) == 2:
        return f"{_grouped(parts[0])}{_JOINED[name]}{_grouped(parts[1])}"
    if name in _DOUBLE and len(parts) == 3:
        low, high = _DOUBLE[name]
        return f"{parts[0]}{low}{_grouped(parts[1])}{high}{_grouped(parts[2])}"
    inner = "".join(parts)
    if name == "msqrt":
        return f"√{_grouped(inner)}"
    if name in ("mtr", "mlabeledtr"):
        return f"{inner}; "
    return f"{inner} " if name == "mtd" else inner


def _grouped(text: str) -> str:
    return text if len(text) <= 1 or text.isalnum() else f"({text})"
