"""The last resort: a tree built tag by tag, of any depth, from anything."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.epub.comments import without_comments
from engine.epub.wordset import word_set

if TYPE_CHECKING:
    from lxml.etree import _Element

# libxml2 drops what stands deeper than 2048 elements; here deeper elements become children of the last level.
_MAX_DEPTH = 1500
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9:_-]*)([^<>]*)>")
_ATTRIBUTE = re.compile(r"""([A-Za-z_][\w:.-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>/]+))""")
_VOID = word_set("area base br col embed hr img input link meta param source track wbr")
_RAW_TEXT = frozenset(("script", "style"))
_REFERENCE = re.compile(r"&(?:(lt|gt|quot|apos|amp)|#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6}));")
_NAMED = {"lt": "<", "gt": ">", "quot": '"', "apos": "'", "amp": "&"}
_NAMESPACED = {
    "epub:type": "{http://www.idpf.org/2007/ops}type",
    "xlink:href": "{http://www.w3.org/1999/xlink}href",
}
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


@dataclass(slots=True)
class _Open:
    """An element whose end was not seen, and its last child."""

    name: str
    element: _Element
    last: _Element | None = None


def tree_from_tags(text: str) -> _Element | None:
    """Build a tree from mended markup without any rule about which element may stand where.

    None when there is neither a tag nor text.
    """
    # lxml takes 30 ms to import, and most commands never open a book.
    from lxml import etree

    text = without_comments(text, "<!--", "-->")
    root = etree.Element("html")
    opened = [_Open("html", root)]
    at, raw_until = 0, ""
    for match in _TAG.finditer(text):
        is_end, name = bool(match[1]), match[2].lower().rpartition(":")[2]
        if raw_until and not (is_end and name == raw_until):
            continue
        raw_until = ""
        _append_text(opened, text[at : match.start()])
        at = match.end()
        if is_end:
            _close(opened, name)
        elif name != "html":
            element = _append_element(opened, name, match[3])
            if name not in _VOID and not match[3].endswith("/"):
                opened.append(_Open(name, element))
                raw_until = name if name in _RAW_TEXT else ""
    _append_text(opened, text[at:])
    return root if opened[0].last is not None or root.text else None


def _parent(opened: list[_Open]) -> _Open:
    return opened[min(len(opened), _MAX_DEPTH) - 1]


def _append_element(opened: list[_Open], name: str, attributes: str) -> _Element:
    from lxml import etree  # Heavy, see above.

    parent = _parent(opened)
    element = etree.SubElement(parent.element, name)
    for found in _ATTRIBUTE.finditer(attributes):
        key = found[1].lower()
        value = _plain(found[2] or found[3] or found[4] or "")
        element.set(_NAMESPACED.get(key, key.rpartition(":")[2]), value)
    parent.last = element
    return element


def _append_text(opened: list[_Open], text: str) -> None:
    if not text:
        return
    parent = _parent(opened)
    if parent.last is None:
        parent.element.text = (parent.element.text or "") + _plain(text)
    else:
        parent.last.tail = (parent.last.tail or "") + _plain(text)


def _close(opened: list[_Open], name: str) -> None:
    """Close the innermost open element of that name and all inside it; an end without a start is ignored."""
    for depth in range(len(opened) - 1, max(0, len(opened) - 64), -1):
        if opened[depth].name == name:
            del opened[depth:]
            return


def _plain(text: str) -> str:
    return _NOT_IN_XML.sub("\ufffd", _REFERENCE.sub(_character_of, text))


def _character_of(match: re.Match[str]) -> str:
    if match[1]:
        return _NAMED[match[1]]
    code = int(match[2]) if match[2] else int(match[3], 16)
    return chr(code) if code <= 0x10_FFFF else "\ufffd"
