"""Make the text of a block as it is drawn, where that is not the text of the document.

Readings, note markers, descriptions of pictures and widened tabs come in; each character
drawn keeps the document offset it stands for.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.config import PictureStyle, RubyStyle
from engine.domain.book import PICTURE_CHAR, NoteRef, Picture, Ruby
from engine.text.described import described
from engine.translate import _
from tui.render.cells import cell_width, clean
from tui.render.rows import TypeOptions

INVISIBLE = re.compile("[\u00ad\u2060\ufeff]")
"""Soft hyphen, word joiner, byte order mark: hints to a typesetter; terminals disagree on their width."""
_VISIBLE = re.compile("[^\u00ad\u2060\ufeff]+")

_SUPERSCRIPTS = str.maketrans("0123456789+-=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ")
_SUBSCRIPTS = str.maketrans("0123456789+-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎")
_SIGNS = frozenset("*＊†‡※")
_LONGEST_WORD = 4
"""Characters read one by one that still make a word; more of them are a text with a reading for each."""
HYPHEN = "-"
"""Drawn where a word is divided."""
_TAB_CELLS = 4
_TAB_OR_NOT = re.compile(r"\t|[^\t]+")


@dataclass(frozen=True, slots=True)
class Dressed:
    """A block's text as drawn."""

    text: str
    offsets: list[int]
    """For each character drawn, the document offset it stands for."""
    bounds: list[int]
    """For each character drawn, the document offset a row that begins with it begins at; and the end's, last."""
    notes: list[tuple[int, int, NoteRef]]
    """(start, end) drawn."""
    held: list[tuple[int, int]]
    """(start, end) drawn of characters with their reading, which stay in one row."""


class Dressing:
    """Collects what is drawn, from left to right."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._offsets: list[int] = []
        self._bounds: list[int] = []
        self._notes: list[tuple[int, int, NoteRef]] = []
        self._held: list[tuple[int, int]] = []

    def add(self, text: str, offset: int) -> None:
        """Add text of the document that begins at an offset."""
        if INVISIBLE.search(text):
            for shown in _VISIBLE.finditer(text):
                self._add_shown(shown[0], offset + shown.start())
        else:
            self._add_shown(text, offset)

    def _add_shown(self, text: str, offset: int) -> None:
        span = range(offset, offset + len(text))
        self._parts.append(text)
        self._offsets += span
        self._bounds += span

    def add_drawn(self, text: str, offset: int, bound: int) -> None:
        """Add text that only stands beside the document's: for a character, and before the next one."""
        self._parts.append(text)
        self._offsets += [offset] * len(text)
        self._bounds += [bound] * len(text)

    def add_note(self, note: NoteRef, offset: int) -> None:
        """Add a note's marker, which stands for the character before it."""
        start = len(self._offsets)
        self.add_drawn(note_marker(note.label), offset, note.offset)
        self._notes.append((start, len(self._offsets), note))

    def add_reading(self, ruby: Ruby, offset: int) -> None:
        """Add a reading, which stands for the character before it."""
        self.add_drawn(f"({ruby.reading})", offset, ruby.end)
        self._held.append((bisect_left(self._offsets, ruby.start), len(self._offsets)))

    def finish(self, end: int) -> Dressed:
        """Return what was drawn; `end` is the document offset of its end."""
        return Dressed(clean("".join(self._parts)), self._offsets, [*self._bounds, end], self._notes, self._held)


Mark = Ruby | NoteRef | Picture


def mark_offset(mark: Mark) -> int:
    """Return the document offset at which a mark is drawn."""
    return mark.end if isinstance(mark, Ruby) else mark.offset


def joined_readings(rubies: Sequence[Ruby]) -> list[Ruby]:
    """Return the readings of a slice, those of the single characters of a word made one: 潮見坂(しおみざか)."""
    joined: list[Ruby] = []
    for word in _words_read_singly(rubies):
        if 1 < len(word) <= _LONGEST_WORD:
            joined.append(Ruby(word[0].start, word[-1].end, "".join(ruby.reading for ruby in word)))
        else:
            joined += word
    return joined


def _words_read_singly(rubies: Sequence[Ruby]) -> Iterator[list[Ruby]]:
    """Yield readings in order, together those of single characters that follow each other."""
    word: list[Ruby] = []
    for ruby in rubies:
        if word and not (ruby.end - ruby.start == 1 == word[-1].end - word[-1].start and word[-1].end == ruby.start):
            yield word
            word = []
        word.append(ruby)
    if word:
        yield word


def dress(text: str, start: int, marks: Sequence[Mark], options: TypeOptions, lead: str = "") -> Dressed:
    """Draw a block's text.

    Args:
        text: The block's text.
        start: Its document offset.
        marks: What is drawn in it, in the order of `mark_offset`, each within the block.
        options: Which marks are drawn.
        lead: Drawn before it, such as a list marker.
    """
    dressing = Dressing()
    dressing.add_drawn(lead, start, start)
    at = start
    for mark in marks:
        offset = mark_offset(mark)
        dressing.add(text[at - start : offset - start], at)
        at = max(at, offset)
        if isinstance(mark, Picture):
            if text.startswith(PICTURE_CHAR, offset - start):
                _draw_picture(dressing, mark, options)
                at += 1
        elif isinstance(mark, NoteRef):
            dressing.add_note(mark, max(start, offset - 1))
        elif options.ruby is RubyStyle.INLINE:
            dressing.add_reading(mark, max(start, offset - 1))
    dressing.add(text[at - start :], at)
    return dressing.finish(start + len(text))


def dress_preformatted(text: str, start: int) -> Dressed:
    """Draw a block whose spaces matter: each tab reaches to the next fourth cell."""
    dressing = Dressing()
    column = 0
    for stretch in _TAB_OR_NOT.finditer(text):
        at = start + stretch.start()
        if stretch[0] == "\t":
            blank = _TAB_CELLS - column % _TAB_CELLS
            dressing.add(" ", at)
            dressing.add_drawn(" " * (blank - 1), at, at + 1)
            column += blank
        else:
            dressing.add(stretch[0], at)
            line = stretch[0].rpartition("\n")
            column = cell_width(line[2]) + (0 if line[1] else column)
    return dressing.finish(start + len(text))


def note_marker(label: str) -> str:
    """Return a note's marker as drawn: small raised digits, a sign such as †, else the label in brackets."""
    label = clean(label).replace("\n", " ").strip().strip("[]()（）〔〕［］")
    if label.isascii() and label.isdigit():
        return label.translate(_SUPERSCRIPTS)
    if label and _SIGNS.issuperset(label):
        return label
    return f"[{label or '*'}]"


def raised(text: str) -> str:
    """Return a text with digits and signs raised where Unicode has them; as many characters."""
    return text.translate(_SUPERSCRIPTS)


def lowered(text: str) -> str:
    """Return a text with digits and signs lowered where Unicode has them; as many characters."""
    return text.translate(_SUBSCRIPTS)


def picture_line(picture: Picture | None, caption: str = "") -> str:
    """Return what stands for a picture in a line."""
    alt = picture_words(picture, caption)
    return _("[illustration: {alt}]").format(alt=alt) if alt else _("[illustration]")


def picture_words(picture: Picture | None, caption: str = "") -> str:
    """Return the description of a picture; the name of a file, or what the caption says, is none."""
    alt = described(clean(picture.alt).replace("\n", " ")) if picture else ""
    return "" if _letters(alt) == _letters(caption) else alt


def _letters(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


def _draw_picture(dressing: Dressing, picture: Picture, options: TypeOptions) -> None:
    if options.pictures is PictureStyle.OFF:
        return
    drawn = picture_line(picture)
    dressing.add(drawn[:1], picture.offset)
    dressing.add_drawn(drawn[1:], picture.offset, picture.offset + 1)
