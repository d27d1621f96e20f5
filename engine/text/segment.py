"""Cut text where Unicode says: characters as seen, words, sentences, places to break a line."""

from __future__ import annotations

from collections.abc import Iterator

from apsw import unicode as _unicode


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
    """Yield (start, end) of each sentence by UAX #29; together they are the whole text."""
    start = 0
    while start < len(text):
        end = _unicode.sentence_next_break(text, start)
        yield start, end
        start = end
