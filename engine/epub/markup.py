"""From bytes to an element tree, safely: no network, no external entities, nothing lost in silence."""

from __future__ import annotations

import html.entities
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.epub.encoding import declared_encoding, decode, is_utf8
from engine.epub.wordset import word_set

if TYPE_CHECKING:
    from lxml.etree import XMLParser, _Element

XHTML = "{http://www.w3.org/1999/xhtml}"

_STANDARD = word_set("amp lt gt quot apos")
# Two patterns, each with a literal start to jump to: together they would take 70 ms for ten megabytes.
_ODD_REFERENCE = re.compile(
    rb"&(?!(?:amp|lt|gt|quot|apos|#(?!0*1[2-5][0-9];)[0-9]{2,7}|#x(?!0*[89][0-9a-fA-F];)[0-9a-fA-F]{2,6});)"
)
_ODD_DOCTYPE = re.compile(rb"<!DOCTYPE[^>]*\[", re.I)
_REFERENCE = re.compile(r"&(?:([A-Za-z][A-Za-z0-9]*);|(#[0-9]+|#[xX][0-9a-fA-F]+);|)")
_DOCTYPE = re.compile(r"<!DOCTYPE", re.I)
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_RAW_TEXT_CLOSED = re.compile(r"<(title|script|style|textarea|iframe|noscript)\b([^<>]*?)/>", re.I)
_DOCTYPE_WITHIN = 4_096
# Only literal text: an entity made of others, or of another file, is what bombs and leaks are made of.
_DECLARED = re.compile(r"""<!ENTITY\s+([A-Za-z][\w.-]*)\s+(?:"([^"&%<]{0,200})"|'([^'&%<]{0,200})')\s*>""")
_MOST_DECLARED = 1_000
_MOST_EXPANSION = 1 << 20
_BEYOND = 0x11_0000
_XML_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>", re.I)


@dataclass(frozen=True, slots=True)
class Markup:
    """A parsed document."""

    root: _Element | None
    """None when there is no element in it at all."""
    source: str
    """The characters it was parsed from when it was no sound XML; empty for sound XML, which loses nothing."""
    encoding: str = ""
    """Set when it had to be guessed."""
    is_mended: bool = False
    """It names characters that do not exist, or is no sound XML."""


def parse_document(data: bytes) -> Markup:
    """Parse a content document: as XML when it is, else as HTML, else tag by tag."""
    # lxml takes 30 ms to import, and most commands never open a book.
    from lxml import etree

    if is_utf8(data) and not _needs_mending(data):
        label = declared_encoding(data)
        guessed = "" if label in ("", "utf-8", "utf8") or data.isascii() else "utf-8"
        try:
            return Markup(etree.fromstring(data, _xml_parser()), "", guessed)
        except etree.XMLSyntaxError:
            pass
    decoded = decode(data)
    guessed = decoded.encoding if decoded.is_guessed else ""
    text, is_mended = mend(decoded.text)
    root = _strict_root(text)
    if root is not None:
        return Markup(root, "", guessed, is_mended)
    return Markup(_html_root(text), text, guessed, is_mended=True)


def _needs_mending(data: bytes) -> bool:
    return _ODD_REFERENCE.search(data) is not None or _ODD_DOCTYPE.search(data, 0, _DOCTYPE_WITHIN) is not None


def parse_xml(data: bytes) -> Markup:
    """Parse a package, contents or container document, mending what can be mended."""
    from lxml import etree  # Heavy, see above.

    text, is_mended = mend(decode(data).text)
    text = text.lstrip()
    root = _strict_root(text)
    if root is not None:
        return Markup(root, "", "", is_mended)
    try:
        root = etree.fromstring(text.encode("utf-8", "replace"), _xml_parser(recover=True))
    except etree.XMLSyntaxError:
        root = None
    return Markup(root, text, "", is_mended=True)


def mend(text: str) -> tuple[str, bool]:
    """Return (XML text without entities but the standard ones, whether it names characters nobody knows).

    Named characters of HTML, and entities the document declares as plain text, are replaced; a lone
    ampersand and any other entity are kept as they are written; characters XML does not allow become U+FFFD.
    """
    text, declared = _without_doctype(_XML_DECLARATION.sub("", text, count=1))
    text = _NOT_IN_XML.sub("\ufffd", text)
    entities = _Entities(declared)
    return _REFERENCE.sub(entities.character_of, text), entities.has_unknown


class _Entities:
    """What references to characters stand for in one document."""

    def __init__(self, declared: dict[str, str]) -> None:
        self.has_unknown = False
        self._declared = declared
        self._room = _MOST_EXPANSION

    def character_of(self, match: re.Match[str]) -> str:
        """Return what takes the place of a reference."""
        name, number = match[1], match[2]
        if number:
            return _numbered(match[0], number)
        if not name:
            return "&amp;"
        if name in _STANDARD:
            return match[0]
        text = html.entities.html5.get(f"{name};")
        if text is None and self._room > 0:
            text = self._declared.get(name)
            self._room -= len(text or "")
        if text is None:
            self.has_unknown = True
            return f"&amp;{name};"
        return text.replace("&", "&amp;").replace("<", "&lt;")


def local_name(element: _Element) -> str:
    """Return an element's name in lower case without its namespace or prefix; "" for a comment."""
    # A comment's tag is a function, whatever the stubs say.
    tag: object = element.tag
    return tag.rpartition("}")[2].rpartition(":")[2].lower() if isinstance(tag, str) else ""


def attribute(element: _Element, name: str) -> str:
    """Return the first attribute with this local name, whatever its namespace; "" for none."""
    value = element.get(name)
    if value is not None:
        return value
    for key, found in element.items():
        if str(key).rpartition("}")[2].rpartition(":")[2] == name:
            return str(found)
    return ""


def attributes_of(element: _Element) -> dict[str, str]:
    """Return an element's attributes by their full names."""
    # The stubs allow bytes; lxml never gives them for parsed documents.
    return dict(element.items())  # type: ignore[arg-type]


def _xml_parser(*, recover: bool = False) -> XMLParser:
    from lxml import etree  # Heavy, see above.

    # huge_tree lifts the depth limit from 256 to 2048; entities are gone before the parser sees them.
    return etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=True,
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
        recover=recover,
    )


def _strict_root(text: str) -> _Element | None:
    from lxml import etree  # Heavy, see above.

    try:
        return etree.fromstring(text.encode("utf-8", "replace"), _xml_parser())
    except etree.XMLSyntaxError:
        return None


def _html_root(text: str) -> _Element | None:
    from lxml import etree  # Heavy, see above.

    from engine.epub.tagsoup import tree_from_tags

    text = _RAW_TEXT_CLOSED.sub(r"<\1\2></\1>", text)
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError:
        root = None
    if root is None or any("depth" in entry.message for entry in parser.error_log):
        return tree_from_tags(text)
    return root


def _numbered(written: str, number: str) -> str:
    digits = number[1:]
    code = int(digits[1:], 16) if digits[0] in "xX" else int(digits) if len(digits) < 9 else _BEYOND
    if code >= _BEYOND or (code < 0x20 and code not in (9, 10, 13)) or 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    if 0x80 <= code <= 0x9F:
        # As browsers read them: whoever writes &#151; means the dash of Windows.
        return bytes((code,)).decode("cp1252", "replace")
    return "\ufffd" if code in (0xFFFE, 0xFFFF) else written


def _without_doctype(text: str) -> tuple[str, dict[str, str]]:
    """Return (text without its document type, the plain texts that one declares)."""
    match = _DOCTYPE.search(text, 0, _DOCTYPE_WITHIN)
    if match is None:
        return text, {}
    close, subset = text.find(">", match.end()), text.find("[", match.end())
    declared: dict[str, str] = {}
    if 0 <= subset < close:
        end = text.find("]", subset)
        close = text.find(">", max(subset, end))
        found = _DECLARED.findall(text, subset, end) if end >= 0 else []
        declared = {name: first or second for name, first, second in found[:_MOST_DECLARED]}
    return (text, {}) if close < 0 else (text[: match.start()] + text[close + 1 :], declared)
