"""Cut text where Unicode says: characters as seen, words, sentences, places to break a line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from apsw import unicode as _unicode

_BEFORE_A_NAME = re.compile(
    r"(?<!\w)(?:Mr|Mrs|Ms|Mme|Mlle|Dr|St|Rev|Hon|Prof|Capt|Col|Gen|Lieut|Lt|Maj|Sgt|Sr|Jr|Esq|Messrs|[A-HJ-Z])\.\s*\Z"
)
"""Not the "I." of "It was I."."""
_BEFORE_A_NUMBER = re.compile(r"(?<!\w)(?:Nos?|Vols?|Chap|Ch|pp?)\.\s*\Z", re.IGNORECASE)
_LONGEST = 12
"""Characters of the longest of these with a blank or two."""


def next_line_break(text: str, offset: int) -> int:
    """Return the next place after `offset` where UAX #14 lets a line end, at most `len(text)`.

    `offset` must itself be such a place, or a start of the text. Spaces stand before the break.
    """
    return _unicode.line_break_next_break(text, offset)


def next_grapheme(text: str, offset: int) -> int:
    """Return the end of the character as seen (UAX #29) that begins at `offset`."""
    return _unicode.grapheme_next_break(text, offset)


def grapheme_bounds(text: str) -> list[int]:
    """Return where characters as seen begin, and the end of the text last; [0] for an empty text.

    As seen: a letter with its accents, a flag, a family of emoji.
    """
    bounds = [0]
    while bounds[-1] < len(text):
        bounds.append(_unicode.grapheme_next_break(text, bounds[-1]))
    return bounds


def word_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of each word by UAX #29, without spaces and punctuation.

    Han, kana and other unspaced text comes in pieces that are no words of a dictionary: single
    Han and hiragana characters, runs of katakana.
    """
    start = 0
    while start < len(text):
        start, end = _unicode.word_next(text, start)
        if start < end:
            yield start, end
        start = end


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of each sentence by UAX #29; together they are the whole text.

    Behind "Mr.", "J." or the "No." of "No. 5", where UAX #29 ends one if a capital or a digit follows, it goes on.
    """
    begun = 0
    for start, end in parts_of_sentences(text):
        if end == len(text) or not is_abbreviated(text, start, end):
            yield begun, end
            begun = end


def parts_of_sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of each sentence by UAX #29, in two parts where an abbreviation looks like its end."""
    start = 0
    while start < len(text):
        end = _unicode.sentence_next_break(text, start)
        yield start, end
        start = end


def ends_abbreviated(text: str) -> bool:
    """Say whether a text ends in an abbreviation behind which a name or an initial is to come."""
    return _BEFORE_A_NAME.search(text, max(0, len(text) - _LONGEST)) is not None


def is_abbreviated(text: str, start: int, end: int) -> bool:
    """Say whether a part of a sentence that ends before more text ends in an abbreviation and not with it."""
    tail = text[max(start, end - _LONGEST) : end]
    return ends_abbreviated(tail) or (text[end].isdigit() and _BEFORE_A_NUMBER.search(tail) is not None)
