"""One walk over the elements of a document, without recursion, telling the flow what is met."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from engine.domain.book import BlockKind, SpanKind
from engine.epub.elements import (
    BLOCKS,
    CANCELLED_BY_LOOK,
    SKIPPED,
    SPANS_OF_LOOK,
    STYLED,
    is_dotted,
    is_page_break,
    is_stanza,
    is_verse,
    page_label,
)
from engine.epub.flow import Flow, Setting
from engine.epub.handlers import HANDLERS
from engine.epub.lists import ListState, number_from
from engine.epub.markup import attributes_of, local_name
from engine.epub.notes import NoteLinks, Notes, is_way_back, note_in_attributes
from engine.epub.ruby import RubyGroup
from engine.epub.shapes import NO_SHAPE, Shape, styled
from engine.epub.styles import Cascade, Look
from engine.epub.verse import is_set_by_lines
from engine.epub.words import (
    EPUB_TYPE,
    is_marker,
    label_from_marker,
    plain_text,
    raw_text,
    short_text,
    visible_count,
)
from engine.text.sanitize import sanitize_line

if TYPE_CHECKING:
    from lxml.etree import _Element

_NO_ATTRIBUTES: dict[str, str] = {}
_NO_LOOK = Look.NONE
_MAX_LABEL = 12
_LONGEST_PAGE = 24
_UNLABELLED = "*"
_WHOLE = frozenset(("html", "body"))
"""What is said of these holds for all, and the page has its own."""
_BRACKETS = {"[": "]", "［": "］", "(": ")", "（": "）", "〔": "〕", "【": "】"}


class WalkLinks(NoteLinks, Protocol):
    """What a walk asks of the book."""

    def picture_size(self, name: str) -> tuple[int, int]:
        """Return width and height in pixels of a picture by its name; (0, 0) when unknown."""
        ...

    def picture(self, document: str, reference: str) -> str:
        """Return the resource a picture's reference means; "" when it is missing or remote."""
        ...


@dataclass(frozen=True, slots=True)
class Met:
    """An element as the walk meets it."""

    element: _Element
    name: str
    """Local name in lower case."""
    attributes: dict[str, str]
    look: Look

    @property
    def words(self) -> str:
        """Its classes and types, to look for words in."""
        types = self.attributes.get(EPUB_TYPE) or self.attributes.get("epub:type") or ""
        return f"{self.attributes.get('class', '')} {types}"


@dataclass(slots=True)
class _Frame:
    """An element whose children are being read, and what to do at its end."""

    element: _Element
    children: Iterator[_Element]
    setting: Setting | None = None
    """To go back to."""
    is_block: bool = False
    start: int = 0
    kinds: tuple[SpanKind, ...] = ()
    target: str = ""
    at_end: Callable[[], None] | None = None
    colour: str | None = None
    """To go back to; None when it has no colour of its own."""


@dataclass(slots=True)
class Walk:
    """A walk over one document or one note.

    What each element means stands in `handlers`; they use the methods below.
    """

    document: str
    spine_index: int
    links: WalkLinks
    cascade: Cascade
    notes: Notes
    flow: Flow = field(default_factory=Flow)
    back_links: Notes | None = None
    """Set while a note is read: links that lead back are left out."""
    skipped: int = 0
    """Visible characters left out on purpose."""
    labels: dict[str, str] = field(default_factory=dict)
    """Key of a note to its printed label."""
    inline_notes: list[tuple[str, str]] = field(default_factory=list)
    """(key, text) of notes whose whole text stood in an attribute."""
    is_complete: bool = True
    lists: list[ListState] = field(default_factory=list)
    """Lists that are open, outermost first."""
    ruby: RubyGroup | None = None
    """The ruby element that is open."""
    tables: int = 0
    """Data tables so far."""
    columns: int = 0
    """Columns to the next cell of the open row."""
    quotations: int = 0
    """Quotations that are open."""
    navs: int = 0
    """Navigation elements that are open."""

    _root: _Element | None = None
    """What was asked for, and so is read even if it is hidden, as notes often are."""
    _stack: list[_Frame] = field(default_factory=list)
    _active: set[SpanKind] = field(default_factory=set)
    _strip_bracket: str = ""
    _shape: Shape = NO_SHAPE
    """Of the element that is being met."""
    _colour: str = ""
    _coloured_from: int = 0
    _names: dict[object, str] = field(default_factory=dict)
    """Element names met, to local names."""

    def read(self, root: _Element, upto: int | None = None) -> None:
        """Read an element and all inside it; stop at the first block that ends at or beyond `upto`."""
        self._root = root
        flow, stack = self.flow, self._stack
        if not self._enter(root):
            return
        while stack:
            child = next(stack[-1].children, None)
            if child is None:
                frame = stack.pop()
                self._leave(frame)
                if stack and frame.element.tail:
                    self.text(frame.element.tail)
            elif not self._enter(child) and child.tail:
                self.text(child.tail)
            if upto is not None and flow.length >= upto and not flow.is_open and stack:
                self.is_complete = False
                while stack:
                    self._close_spans(stack.pop())
                return

    # What handlers use.

    def text(self, text: str) -> None:
        """Add characters of the source."""
        if self._strip_bracket:
            text = text.removeprefix(self._strip_bracket)
            self._strip_bracket = ""
        if self.ruby is not None and not text.strip():
            return
        self.flow.text(text)

    def _space(self) -> None:
        self.text(" ")

    def skip(self, element: _Element) -> bool:
        """Leave an element out on purpose."""
        self.skipped += visible_count(raw_text(element))
        return False

    def enter_inline(
        self,
        element: _Element,
        kinds: tuple[SpanKind, ...] = (),
        target: str = "",
        at_end: Callable[[], None] | None = None,
    ) -> bool:
        """Read an element as part of the running text, marked with `kinds`; a mark within itself is not repeated."""
        if self._shape.is_small:
            kinds = (*kinds, SpanKind.SMALL)
        kinds = tuple(kind for kind in kinds if kind not in self._active)
        self._active.update(kinds)
        colour = self._take_colour()
        self._push(_Frame(element, iter(element), None, False, self.flow.length, kinds, target, at_end, colour))
        return True

    def enter_block(
        self, element: _Element, setting: Setting, look: Look = Look.NONE, at_end: Callable[[], None] | None = None
    ) -> bool:
        """Read an element as blocks of their own."""
        flow = self.flow
        flow.end_block()
        kinds: tuple[SpanKind, ...] = ()
        if look is not _NO_LOOK:
            kinds = tuple(kind for wanted, kind in SPANS_OF_LOOK if look & wanted and kind not in self._active)
        shape = self._shape
        if shape is not NO_SHAPE and element.getparent() is not None:
            setting = replace(setting, style=styled(setting.style, shape))
            flow.starts_page = flow.starts_page or bool(shape.is_page_start)
            if shape.is_small and SpanKind.SMALL not in self._active:
                kinds = (*kinds, SpanKind.SMALL)
        self._active.update(kinds)
        colour = self._take_colour()
        before, flow.setting = flow.setting, setting
        self._push(_Frame(element, iter(element), before, True, flow.length, kinds, "", at_end, colour))
        return True

    def enter_row(self, element: _Element, setting: Setting) -> bool:
        """Read an element as a table row."""
        flow = self.flow
        flow.end_block()
        before = flow.setting
        flow.begin_row(setting)
        self.columns = 0
        self._stack.append(_Frame(element, iter(element), before, False, flow.length, at_end=flow.end_row))
        return True

    def setting_of(self, met: Met) -> Setting:
        """Return how an element's blocks are set by its class, type, role and style."""
        setting = self.flow.setting
        if met.attributes:
            words = met.words
            if is_stanza(words) and not setting.is_merged:
                return replace(setting, kind=BlockKind.VERSE, is_verse=True, is_merged=True)
            if is_verse(words) and not setting.is_verse:
                is_merged = setting.is_merged or is_set_by_lines(met.element)
                setting = replace(setting, kind=BlockKind.VERSE, is_verse=True, is_merged=is_merged)
            if met.attributes.get("role") == "heading":
                level = number_from(met.attributes.get("aria-level", ""), 2)
                return replace(setting, kind=BlockKind.HEADING, level=max(1, min(6, level)))
        if met.look is not _NO_LOOK and met.look & Look.PRE:
            setting = replace(setting, is_pre=True)
        if met.name in ("figcaption", "caption"):
            return replace(setting, kind=BlockKind.CAPTION, level=0)
        return setting

    def kinds_of(self, met: Met) -> tuple[SpanKind, ...]:
        """Return how an element sets its text apart, by its name, class and style."""
        own = STYLED.get(met.name)
        dotted = bool(met.attributes) and is_dotted(met.attributes.get("class", ""))
        if met.look is _NO_LOOK and not dotted:
            return (own,) if own else ()
        kinds = {kind for wanted, kind in SPANS_OF_LOOK if met.look & wanted}
        if dotted:
            kinds.add(SpanKind.EMPHASIS_DOTS)
        if own and not met.look & CANCELLED_BY_LOOK.get(own, Look.NONE) and not (dotted and own is SpanKind.ITALIC):
            kinds.add(own)
        return tuple(kinds)

    # The walk itself.

    def _enter(self, element: _Element) -> bool:
        """Begin an element; True when its children are to be read."""
        name = self._names.get(element.tag)
        if name is None:
            name = local_name(element)
            if not name:
                return False
            self._names[element.tag] = name
        if name in SKIPPED or element in self.notes.bodies:
            return self.skip(element)
        attributes = attributes_of(element) if element.keys() else _NO_ATTRIBUTES
        look, self._shape = _NO_LOOK, NO_SHAPE
        if attributes or self.cascade.sheets:
            get = attributes.get
            style = self.cascade.style(name, get("class", ""), get("id", ""), get("style", ""), element)
            look, self._shape = style.look, style.shape if name not in _WHOLE else NO_SHAPE
        met = Met(element, name, attributes, look)
        answer = self._answer(met) if attributes else None
        if answer is not None:
            return answer
        handler = HANDLERS.get(name, Walk._enter_own_block if name in BLOCKS else None)
        if handler is not None:
            return handler(self, met)
        # Identity first: operations on flags take microseconds, and most elements have no look of their own.
        if look is not _NO_LOOK and look & Look.BLOCK:
            enter = self._enter_line if self._is_in_paragraph() else self._enter_own_block
            return enter(met)
        is_apart = look is not _NO_LOOK and look & Look.APART
        if is_apart:
            self._space()
        return self.enter_inline(element, self.kinds_of(met), at_end=self._space if is_apart else None)

    def _is_in_paragraph(self) -> bool:
        """Say whether what comes stands in a p, in which there is no paragraph."""
        return bool(self._stack) and self._names.get(self._stack[-1].element.tag) == "p"

    def _enter_own_block(self, met: Met) -> bool:
        return self.enter_block(met.element, self.setting_of(met), met.look)

    def _enter_line(self, met: Met) -> bool:
        """Read an element of running text that is set as lines of its own."""
        self.flow.end_line()
        return self.enter_inline(met.element, self.kinds_of(met), at_end=self.flow.end_line)

    def _push(self, frame: _Frame) -> None:
        self._stack.append(frame)
        if frame.element.text:
            self.text(frame.element.text)

    def _leave(self, frame: _Frame) -> None:
        if frame.at_end is not None:
            frame.at_end()
        self._close_spans(frame)
        if frame.setting is not None:
            self.flow.setting = frame.setting
        if frame.is_block:
            self.flow.end_block()

    def _close_spans(self, frame: _Frame) -> None:
        for kind in frame.kinds:
            self.flow.add_span(frame.start, kind, frame.target if kind is SpanKind.LINK else "")
            self._active.discard(kind)
        if frame.colour is not None:
            self._use_colour(frame.colour)

    def _take_colour(self) -> str | None:
        """Begin the colour of the element met; return the one to go back to, None when it has none."""
        colour, before = self._shape.colour, self._colour
        if colour is None or colour == before:
            return None
        self._use_colour(colour)
        return before

    def _use_colour(self, colour: str) -> None:
        if self._colour:
            self.flow.add_span(self._coloured_from, SpanKind.COLOUR, self._colour)
        self._colour, self._coloured_from = colour, self.flow.length

    def _answer(self, met: Met) -> bool | None:
        """Keep an element's name as an anchor; return an answer when it is hidden, a page number or a note."""
        attributes, element = met.attributes, met.element
        anchor = attributes.get("id") or (attributes.get("name") if met.name == "a" else None)
        if anchor:
            self.flow.anchor(anchor)
        if is_page_break(met.words, attributes.get("role", "")) and self._page_break(met):
            return False
        is_hidden = ("hidden" in attributes and met.name != "body") or bool(met.look & Look.HIDDEN)
        if is_hidden and element is not self._root:
            return self.skip(element)
        if element in self.notes.refs:
            return self._note_ref(element, self.notes.refs[element])
        inline_note = note_in_attributes(met.name, attributes)
        if inline_note:
            key = f"{self.spine_index}#@{len(self.inline_notes) + 1}"
            self.inline_notes.append((key, inline_note))
            self.flow.add_note_ref(_UNLABELLED, key)
            return self.skip(element)
        if self.back_links is not None and met.name == "a" and is_way_back(element, self.back_links):
            return self.skip(element)
        return None

    def _page_break(self, met: Met) -> bool:
        """Keep a printed page number; False when there is too much text for that."""
        written = plain_text(met.element)
        if len(written) > _LONGEST_PAGE:
            return False
        label = met.attributes.get("title") or met.attributes.get("aria-label") or written
        label = page_label(sanitize_line(label))
        if label:
            self.flow.page_break(label)
        self.skip(met.element)
        return True

    def _note_ref(self, element: _Element, key: str) -> bool:
        """Hang a note where its number stands; where the link is a word of the text, the word stays."""
        written = plain_text(element)
        if written and not is_marker(written) and short_text(element, 1).strip():
            self.labels.setdefault(key, _UNLABELLED)
            self.enter_inline(element, at_end=lambda: self.flow.add_note_ref(_UNLABELLED, key))
            return True
        label = label_from_marker(written)[:_MAX_LABEL] or _UNLABELLED
        before = self.flow.take_back(tuple(_BRACKETS))
        tail = (element.tail or "").lstrip()
        if before and not tail.startswith(_BRACKETS[before]):
            self.flow.text(before)
        elif before:
            self._strip_bracket = _BRACKETS[before]
        self.labels.setdefault(key, label)
        self.flow.add_note_ref(label, key)
        return self.skip(element)
