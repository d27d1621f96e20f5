"""The few style rules that change what a text says: hidden, bold, italic, set line by line.

Selectors may be an element, classes, an id, and the like of what stands around it: `.poem p > span`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Flag, auto
from functools import lru_cache
from typing import TYPE_CHECKING

from engine.epub.comments import without_comments
from engine.epub.selectors import Compound, Selector, parse_selector
from engine.epub.shapes import NO_SHAPE, Shape, shape_of

if TYPE_CHECKING:
    from lxml.etree import _Element

MAX_STYLESHEET_CHARS = 512 * 1024

_HEAVY = re.compile(r"\b(?:bold|bolder|[6-9]00)\b")
_NO_MARK = re.compile(r"none|normal")


class Look(Flag):
    """What a rule does to a run of text."""

    NONE = 0
    HIDDEN = auto()
    SHOWN = auto()
    BOLD = auto()
    NOT_BOLD = auto()
    ITALIC = auto()
    NOT_ITALIC = auto()
    UNDERLINE = auto()
    STRIKE = auto()
    NO_LINE = auto()
    DOTS = auto()
    SUPER = auto()
    SUB = auto()
    PRE = auto()
    BLOCK = auto()
    NO_MARKER = auto()
    APART = auto()
    """Set at the other edge of the line, such as the number of a verse."""


_UNDONE = (
    (Look.HIDDEN, Look.SHOWN),
    (Look.BOLD, Look.NOT_BOLD),
    (Look.ITALIC, Look.NOT_ITALIC),
    (Look.UNDERLINE | Look.STRIKE, Look.NO_LINE),
)


@dataclass(frozen=True, slots=True)
class Style:
    """What rules say of an element."""

    look: Look = Look.NONE
    shape: Shape = NO_SHAPE

    def under(self, later: Style) -> Style:
        """Return this with a later rule laid over it."""
        if later is NO_STYLE:
            return self
        return later if self is NO_STYLE else Style(_over(self.look, later.look), self.shape.under(later.shape))


NO_STYLE = Style()


@dataclass(frozen=True, slots=True)
class Stylesheet:
    """Rules in the order of the sheet."""

    rules: tuple[tuple[Selector, Style], ...] = ()


@dataclass(slots=True)
class Cascade:
    """The stylesheets of one document, asked element by element."""

    sheets: tuple[Stylesheet, ...] = ()
    _by_element: dict[str, list[tuple[Selector, Style]]] = field(default_factory=dict)
    _by_class: dict[str, list[tuple[Selector, Style]]] = field(default_factory=dict)
    _by_id: dict[str, list[tuple[Selector, Style]]] = field(default_factory=dict)
    _known: dict[tuple[str, str], tuple[Style, bool]] = field(default_factory=dict)
    """(style, whether it depends on what stands around) by element and classes."""

    def __post_init__(self) -> None:
        for sheet in self.sheets:
            for selector, style in sheet.rules:
                subject = selector.subject
                if subject.id:
                    self._by_id.setdefault(subject.id, []).append((selector, style))
                elif subject.classes:
                    self._by_class.setdefault(min(subject.classes), []).append((selector, style))
                else:
                    self._by_element.setdefault(subject.element, []).append((selector, style))

    def style(
        self, element: str, classes: str, name: str = "", inline: str = "", node: _Element | None = None
    ) -> Style:
        """Return what the sheets and the inline style do to an element itself.

        Args:
            element: Local name in lower case.
            classes: The class attribute.
            name: The id attribute.
            inline: The style attribute.
            node: The element, for rules that ask what stands around it.
        """
        key = (element, classes)
        known = self._known.get(key)
        if known is None:
            rules = self._rules_of(element, classes)
            known = self._known[key] = (_composed(rules, None), any(selector.around for selector, _style in rules))
        style, depends = known
        if depends and node is not None:
            style = _composed(self._rules_of(element, classes), node)
        if name and self._by_id:
            own = frozenset(classes.split())
            named = [rule for rule in self._by_id.get(name, ()) if _fits(rule[0].subject, element, own)]
            style = style.under(_composed(named, node))
        if inline:
            style = style.under(style_of_declarations(inline))
        return style

    def look(self, element: str, classes: str, name: str = "", inline: str = "") -> Look:
        """Return what an element looks like wherever it stands; arguments as of `style`."""
        return self.style(element, classes, name, inline).look

    def _rules_of(self, element: str, classes: str) -> list[tuple[Selector, Style]]:
        """Return the rules that fit an element without an id, lightest first."""
        rules = [*self._by_element.get("", ()), *self._by_element.get(element, ())]
        if self._by_class and classes:
            own = frozenset(classes.split())
            rules += [
                rule for name in own for rule in self._by_class.get(name, ()) if _fits(rule[0].subject, element, own)
            ]
        return sorted(rules, key=lambda rule: rule[0].weight)


def _fits(subject: Compound, element: str, classes: frozenset[str]) -> bool:
    return subject.element in ("", element) and subject.classes <= classes


def _composed(rules: Sequence[tuple[Selector, Style]], node: _Element | None) -> Style:
    """Lay rules over each other, without a node only those that ask for nothing around."""
    style = NO_STYLE
    for selector, rule in rules:
        if not selector.around or (node is not None and selector.is_around(node)):
            style = style.under(rule)
    return style


@lru_cache(maxsize=512)
def style_of_declarations(text: str) -> Style:
    """Return the style of the declarations between braces or in a style attribute."""
    look, shape = Look.NONE, NO_SHAPE
    for declaration in text[:2000].lower().split(";"):
        name, _colon, value = declaration.partition(":")
        if value:
            name = name.strip().removeprefix("-epub-").removeprefix("-webkit-")
            value = value.replace("!important", "").strip()
            look = _over(look, _look_of(name, value))
            shape = shape.under(shape_of(name, value))
    return Style(look, shape) if look or shape != NO_SHAPE else NO_STYLE


def parse_stylesheet(text: str) -> Stylesheet:
    """Read the simple rules of a stylesheet; all others, and all at-rules, are passed over."""
    rules: list[tuple[Selector, Style]] = []
    text = _without_at_rules(without_comments(text[:MAX_STYLESHEET_CHARS], "/*", "*/"))
    for rule in text.split("}"):
        selectors, brace, declarations = rule.rpartition("{")
        style = style_of_declarations(declarations.strip()) if brace else NO_STYLE
        if style is NO_STYLE:
            continue
        for written in selectors.split(","):
            selector = parse_selector(written)
            if selector is not None:
                rules.append((selector, style))
    return Stylesheet(tuple(rules))


def _look_of(name: str, value: str) -> Look:  # noqa: PLR0911  (one line a property reads best)
    match name:
        case "display":
            if value == "none":
                return Look.HIDDEN
            return Look.SHOWN | (Look.BLOCK if value in ("block", "list-item") else Look.NONE)
        case "visibility":
            return Look.HIDDEN if value in ("hidden", "collapse") else Look.SHOWN
        case "font-weight":
            return Look.BOLD if _HEAVY.search(value) else Look.NOT_BOLD
        case "font-style":
            return Look.ITALIC if value.startswith(("italic", "oblique")) else Look.NOT_ITALIC
        case "text-decoration" | "text-decoration-line":
            look = Look.UNDERLINE if "underline" in value else Look.NONE
            look |= Look.STRIKE if "line-through" in value else Look.NONE
            return look or Look.NO_LINE
        case "text-emphasis" | "text-emphasis-style":
            return Look.NONE if _NO_MARK.match(value) else Look.DOTS
        case "vertical-align":
            return {"super": Look.SUPER, "sub": Look.SUB}.get(value, Look.NONE)
        case "white-space":
            return Look.PRE if value in ("pre", "pre-wrap", "pre-line", "break-spaces") else Look.NONE
        case "list-style" | "list-style-type":
            return Look.NO_MARKER if value.startswith("none") else Look.NONE
        case "float":
            return Look.APART if value == "right" else Look.NONE
        case _:
            return Look.NONE


def _over(look: Look, later: Look) -> Look:
    """Lay a later rule over an earlier one."""
    for on, off in _UNDONE:
        if later & (on | off):
            look &= ~(on | off)
    return look | later


def _without_at_rules(text: str) -> str:
    """Drop @media and other blocks with everything in them, and @import lines."""
    pieces: list[str] = []
    at = 0
    while (start := text.find("@", at)) >= 0:
        pieces.append(text[at:start])
        brace, semicolon = text.find("{", start), text.find(";", start)
        if brace < 0 or 0 <= semicolon < brace:
            at = semicolon + 1 if semicolon >= 0 else len(text)
            continue
        depth, at = 1, brace + 1
        while depth and at < len(text):
            opening, closing = text.find("{", at), text.find("}", at)
            if closing < 0:
                at = len(text)
            elif 0 <= opening < closing:
                depth, at = depth + 1, opening + 1
            else:
                depth, at = depth - 1, closing + 1
    pieces.append(text[at:])
    return "".join(pieces)
