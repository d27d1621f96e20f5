"""Which links are notes and which elements are their bodies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Protocol

from engine.epub.markup import local_name
from engine.epub.words import is_back_sign, is_marker, short_text, type_words
from engine.epub.wordset import word_set

if TYPE_CHECKING:
    from lxml.etree import _Element

_REF_TYPES = frozenset(("noteref", "annoref"))
_BODY_TYPES = word_set("footnote endnote rearnote note annotation")
_GROUP_TYPES = frozenset(("footnotes", "endnotes", "rearnotes"))
_BACK_TYPES = frozenset(("backlink", "referrer"))
_REF_CLASSES = word_set(
    "duokan-footnote noteref footnote-ref footnoteref footnote-reference msofootnotereference "
    "footnote-link endnote-ref note-ref"
)
_BODY_CLASSES = frozenset(["duokan-footnote-item", "footnote-body", "footnote-item", "endnote-item"])
_GROUP_CLASSES = frozenset(["footnotes", "endnotes", "duokan-footnote-content", "footnote-list"])
_BACK_CLASSES = word_set("footnote-back footnote-backref footnoteback fn-backref backlink duokan-footnote-back")
_TEXT_ATTRIBUTES = ("zy-footnote", "data-wr-footernote")
_PICTURE_CLASSES = word_set("qqreader-footnote epub-footnote zhangyue-footnote")
_SHORTEST_IN_ALT = 4
_BODY_ELEMENTS = word_set("p li div aside dd td section blockquote")
_GROUP_ITEMS = word_set("li p div aside dd")
_HEADINGS = word_set("h1 h2 h3 h4 h5 h6")
_LONGEST_GUESSED = 4_000
_LONGEST_TYPED = 40_000
_MAX_CLIMB = 12
_MAX_DEPTH = 64
_MAX_ELEMENTS = 2_000
_LABEL = 24


class NoteLinks(Protocol):
    """What the search for notes asks of the book."""

    def link_target(self, document: str, reference: str) -> str:
        """Return "<spine index>#<fragment>" for a reference inside the book, "" for any other."""
        ...

    def note_key(self, target: str) -> str:
        """Return the key of the note another document has at a target; "" when there is none."""
        ...


@dataclass(slots=True)
class Notes:
    """The notes of one document."""

    refs: dict[_Element, str] = field(default_factory=dict)
    """Link to the key of its note."""
    bodies: dict[_Element, str] = field(default_factory=dict)
    """Element out of the flow to its key."""
    keys: dict[str, str] = field(default_factory=dict)
    """Every id inside a body to the body's key."""
    ref_ids: set[str] = field(default_factory=set)
    """Ids at links to notes, which ways back name."""


@dataclass(slots=True)
class _Search:
    root: _Element
    spine_index: int
    document: str
    links: NoteLinks
    notes: Notes = field(default_factory=Notes)
    by_id: dict[str, _Element] = field(default_factory=dict)
    pointed_to: set[str] = field(default_factory=set)
    """Ids of this document that its own links name."""


def find_notes(root: _Element, *, spine_index: int, document: str, links: NoteLinks, is_linear: bool = True) -> Notes:
    """Find the notes of a document: by type, by class, and by a number that leads there and back.

    Args:
        root: The document's tree.
        spine_index: Its place in the spine; own notes get keys "<spine index>#<id>".
        document: Its name in the container.
        links: Resolves references, and knows the notes of other documents.
        is_linear: Whether it is part of the reading order.
    """
    search = _Search(root, spine_index, document, links)
    for element in root.iter():
        name = element.get("id")
        if name:
            search.by_id.setdefault(name, element)
    anchors = [element for element in _outside_navs(root) if local_name(element) == "a" and element.get("href")]
    search.pointed_to = {href[1:] for href in (anchor.get("href", "") for anchor in anchors) if href.startswith("#")}
    typed, guessed = _candidates(anchors)
    _take_typed_bodies(search, has_refs=bool(typed or guessed), is_linear=is_linear)
    _take_returning_bodies(search, anchors)
    for anchor in typed:
        _take_ref(search, anchor, is_typed=True)
    for anchor in guessed:
        _take_ref(search, anchor, is_typed=False)
    return search.notes


def note_in_attributes(name: str, attributes: dict[str, str]) -> str:
    """Return the text of a note that some shops keep in an attribute of its sign; "" when there is none."""
    for key in _TEXT_ATTRIBUTES:
        if attributes.get(key, "").strip():
            return attributes[key]
    if name == "img" and set(attributes.get("class", "").split()) & _PICTURE_CLASSES:
        alt = attributes.get("alt", "").strip()
        return alt if len(alt) >= _SHORTEST_IN_ALT else ""
    return ""


def is_way_back(anchor: _Element, notes: Notes) -> bool:
    """Say whether a link inside a note leads back to where the note hangs."""
    if type_words(anchor) & _BACK_TYPES or set((anchor.get("class") or "").lower().split()) & _BACK_CLASSES:
        return True
    fragment = (anchor.get("href") or "").rpartition("#")[2]
    text = short_text(anchor, _LABEL).strip()
    return fragment in notes.ref_ids or is_back_sign(text) or is_marker(text)


def _outside_navs(root: _Element) -> Iterator[_Element]:
    """Walk the elements of the body that stand in no list of contents or pages."""
    body = next((element for element in root if local_name(element) == "body"), root)
    stack = [body]
    while stack:
        element = stack.pop()
        yield element
        stack.extend(child for child in reversed(element) if local_name(child) not in ("nav", ""))


def _candidates(anchors: list[_Element]) -> tuple[list[_Element], list[_Element]]:
    """Return (links that say they are notes, links that look like it)."""
    typed: list[_Element] = []
    guessed: list[_Element] = []
    for anchor in anchors:
        words = type_words(anchor)
        if words & _BACK_TYPES:
            continue
        classes = set((anchor.get("class") or "").lower().split())
        if words & _REF_TYPES or classes & _REF_CLASSES:
            typed.append(anchor)
        elif "#" in anchor.get("href", "") and not classes & _BACK_CLASSES and is_marker(short_text(anchor, _LABEL)):
            guessed.append(anchor)
    return typed, guessed


def _take_typed_bodies(search: _Search, *, has_refs: bool, is_linear: bool) -> None:
    for element in _outside_navs(search.root):
        if not element.keys():
            continue
        words = type_words(element)
        classes = set((element.get("class") or "").lower().split())
        name = local_name(element)
        if name == "a":
            continue
        is_body = bool(words & _BODY_TYPES or classes & _BODY_CLASSES)
        if is_body and name not in ("section", "ol", "ul", "body", "dl"):
            # A note nobody in this document points to stays in the text, unless the document is for notes.
            is_apart = (
                not has_refs
                or not is_linear
                or not search.pointed_to.isdisjoint(_ids_in(element))
                or _in_group(element)
            )
            if is_apart or _way_back_in(element) is not None:
                _add_body(search, element)
        elif words & _GROUP_TYPES or classes & _GROUP_CLASSES:
            for item in element.iter():
                if local_name(item) in _GROUP_ITEMS and item.get("id") and item is not element:
                    _add_body(search, item)


def _in_group(element: _Element) -> bool:
    for parent in islice(element.iterancestors(), _MAX_DEPTH):
        if type_words(parent) & _GROUP_TYPES or set((parent.get("class") or "").lower().split()) & _GROUP_CLASSES:
            return True
    return False


def _take_returning_bodies(search: _Search, anchors: list[_Element]) -> None:
    """Take blocks that end in a way back, and blocks that begin with one where most blocks do."""
    beginning: list[_Element] = []
    for anchor in anchors:
        words = type_words(anchor)
        classes = set((anchor.get("class") or "").lower().split())
        block = _block_of(anchor)
        if block is None:
            continue
        if words & _BACK_TYPES or classes & _BACK_CLASSES:
            around = islice(block.iterancestors(), _MAX_CLIMB)
            item = next((e for e in around if local_name(e) in ("li", "aside")), block)
            _add_body(search, item)
        elif _begins_with_marker(block, anchor) and _has_id(block):
            beginning.append(block)
    blocks = sum(1 for e in search.root.iter() if local_name(e) in ("p", "li", "dd") and short_text(e, 40).strip())
    if len(beginning) >= 2 and len(beginning) * 2 >= blocks:
        for block in beginning:
            _add_body(search, block)


def _take_ref(search: _Search, anchor: _Element, *, is_typed: bool) -> None:
    target = search.links.link_target(search.document, anchor.get("href", ""))
    index, _hash, fragment = target.partition("#")
    if not target or not fragment or _inside_body(search, anchor):
        return
    if index != str(search.spine_index):
        if is_typed or (_is_set_apart(anchor) and _has_text_beside(anchor)):
            key = search.links.note_key(target)
            if key:
                _add_ref(search, anchor, key)
        return
    key = search.notes.keys.get(fragment, "")
    if not key:
        body = _body_at(search, fragment, anchor, is_typed=is_typed)
        if body is None:
            return
        key = _add_body(search, body)
    elif not is_typed and not _has_text_beside(anchor):
        return
    _add_ref(search, anchor, key)


def _body_at(search: _Search, fragment: str, anchor: _Element, *, is_typed: bool) -> _Element | None:
    """Return the block an untyped target stands for, if it reads like a note."""
    target = search.by_id.get(fragment)
    body = _block_of(target) if target is not None else None
    if body is None or not (is_typed or _has_text_beside(anchor)):
        return None
    if len(short_text(body, _LONGEST_TYPED + 1)) > (_LONGEST_TYPED if is_typed else _LONGEST_GUESSED):
        return None
    inside = list(islice(body.iter(), _MAX_ELEMENTS))
    around = list(islice(body.iterancestors(), _MAX_DEPTH))
    is_around_anchor = any(parent is body for parent in islice(anchor.iterancestors(), _MAX_DEPTH))
    if is_around_anchor or any(local_name(element) in _HEADINGS for element in (*inside, *around)):
        return None
    return body if is_typed or _leads_back(inside, anchor) else None


def _leads_back(inside: list[_Element], anchor: _Element) -> bool:
    """Say whether one of the elements is a link back to the anchor or to what stands closely around it."""
    names = {anchor.get("id"), anchor.get("name")}
    names.update(child.get("id") for child in islice(anchor.iter(), _MAX_DEPTH))
    for parent in islice(anchor.iterancestors(), _MAX_CLIMB):
        names.add(parent.get("id"))
        if local_name(parent) in _BODY_ELEMENTS:
            break
    return any(
        local_name(link) == "a" and fragment in names
        for link in inside
        if (fragment := (link.get("href") or "").rpartition("#")[2])
    )


def _add_body(search: _Search, element: _Element) -> str:
    if element in search.notes.bodies:
        return search.notes.bodies[element]
    if _inside_body(search, element):
        return ""
    ids = _ids_in(element)
    if not ids:
        return ""
    key = f"{search.spine_index}#{ids[0]}"
    for inner in element.iter():
        search.notes.bodies.pop(inner, None)
    search.notes.bodies[element] = key
    for name in ids:
        search.notes.keys[name] = key
    return key


def _add_ref(search: _Search, anchor: _Element, key: str) -> None:
    search.notes.refs[anchor] = key
    names = {anchor.get("id") or "", anchor.get("name") or ""}
    parent = anchor.getparent()
    if parent is not None and local_name(parent) in ("sup", "span"):
        names.add(parent.get("id") or "")
    search.notes.ref_ids |= names - {""}


def _inside_body(search: _Search, element: _Element) -> bool:
    return any(parent in search.notes.bodies for parent in islice(element.iterancestors(), _MAX_DEPTH))


def _block_of(element: _Element) -> _Element | None:
    """Return the element itself or the nearest one around it that a note's body can be."""
    node: _Element | None = element
    for _step in range(_MAX_CLIMB):
        if node is None:
            return None
        if local_name(node) in _BODY_ELEMENTS:
            return node
        node = node.getparent()
    return None


def _ids_in(element: _Element) -> list[str]:
    return [
        str(value)
        for e in element.iter()
        for value in [e.get("id") or (local_name(e) == "a" and e.get("name"))]
        if value
    ]


def _has_id(element: _Element) -> bool:
    return any(inner.get("id") or inner.get("name") for inner in islice(element.iter(), _MAX_DEPTH))


def _way_back_in(element: _Element) -> _Element | None:
    for link in element.iter():
        if local_name(link) == "a" and type_words(link) & _BACK_TYPES:
            return link
    return None


def _begins_with_marker(block: _Element, anchor: _Element) -> bool:
    """Say whether a block begins with this link, the link is a number or sign, and more text follows."""
    label = short_text(anchor, _LABEL).strip()
    begins = is_marker(label) and short_text(block, _LABEL * 2).strip().startswith(label)
    return begins and _has_text_beside(anchor)


def _is_set_apart(anchor: _Element) -> bool:
    """Say whether a link is raised or bracketed."""
    if short_text(anchor, _LABEL).strip()[:1] in tuple("[(（【〔［*＊※†①"):
        return True
    nodes = [*islice(anchor.iterancestors(), 3), *islice(anchor.iter(), _MAX_DEPTH)]
    return any(local_name(node) == "sup" for node in nodes)


def _has_text_beside(anchor: _Element) -> bool:
    """Say whether the paragraph has more to say than this link."""
    block = _block_of(anchor)
    if block is None:
        return False
    own = len(short_text(anchor, _LABEL).strip())
    return len("".join(short_text(block, own + 60).split())) >= own + 6
