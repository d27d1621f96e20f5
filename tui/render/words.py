"""Cut a paragraph into the words a caret steps over: names first, then what Unicode calls words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from engine.text.script import HAN, Script, dominant_script
from engine.text.segment import sentence_spans, word_spans

Span = tuple[int, int]
"""(start, end) in a text."""


@cache
def _runs() -> re.Pattern[str]:
    """Return what belongs together in Japanese: Han characters, or hiragana."""
    return re.compile(f"[{HAN}〆ヶ]+|[ぁ-ゖゝゞ][ぁ-ゖゝゞー]*")


def words_of(text: str, names: Sequence[Span] = ()) -> list[Span]:
    """Return the words of a paragraph in order, without spaces and punctuation.

    Args:
        text: The paragraph.
        names: Names known in it, in order and without overlap; each is one word.
    """
    is_japanese = dominant_script(text) is Script.KANA
    found: list[Span] = []
    at = 0
    for start, end in (*names, (len(text), len(text))):
        found += [(at + a, at + b) for a, b in _segments(text[at:start], is_japanese=is_japanese)]
        found += [(start, end)] if start < end else []
        at = end
    return found


def _segments(text: str, *, is_japanese: bool) -> Iterator[Span]:
    """Yield words by UAX #29; where kana part the words, the characters between them are joined to one."""
    if not is_japanese:
        yield from word_spans(text)
        return
    at = 0
    for run in _runs().finditer(text):
        yield from ((at + a, at + b) for a, b in word_spans(text[at : run.start()]))
        yield run.span()
        at = run.end()
    yield from ((at + a, at + b) for a, b in word_spans(text[at:]))


def sentences_of(text: str) -> list[Span]:
    """Return the sentences of a paragraph in order, without the blanks around them."""
    trimmed = ((start, end, text[start:end]) for start, end in sentence_spans(text))
    return [
        (start + len(words) - len(words.lstrip()), start + len(words.rstrip()))
        for start, _end, words in trimmed
        if words.strip()
    ]
