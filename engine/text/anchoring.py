"""Find a quoted place again in a text that may have changed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.domain.locator import QuoteSelector

_LETTER = re.compile(r"[^\W_]")
NO_LETTERS = re.compile(r"[\W_]+")
_TELLING_CHARS = 12
"""Letters of the quotation and its surroundings that must agree, unless it has fewer."""
_REACH = 200_000
"""Characters on both sides of the old offset searched before the whole text is."""
_FUZZY_REACH = 20_000
"""Characters on both sides searched by likeness, which takes about a microsecond each."""
_FUZZY_RATIO = 75.0
"""Least likeness of the quotation with its surroundings to what stands at the place found, 0-100."""


def stands_at(text: str, quote: QuoteSelector, offset: int) -> bool:
    """Say whether the quotation stands exactly there, with what went before it."""
    return (
        bool(quote.exact)
        and text.startswith(quote.exact, offset)
        and text[max(0, offset - len(quote.prefix)) : offset].endswith(quote.prefix)
    )


def find_quote(text: str, quote: QuoteSelector, offset: int) -> int | None:
    """Return where a quotation taken at `offset` of an older text stands in `text`, None if nowhere.

    First the very place, then the quotation with all its surroundings. Then the same letters,
    whatever became of spaces and punctuation between them: of several such places the one
    with most of the old surroundings, then the nearest. Last what is most alike around the
    old place.
    """
    offset = min(max(0, offset), len(text))
    if stands_at(text, quote, offset):
        return offset
    found = _with_surroundings(text, quote, offset)
    if found is not None:
        return found
    first = max(0, offset - _REACH)
    found = _same_letters(text[first : offset + _REACH], quote, offset - first)
    if found is not None:
        return first + found
    if first > 0 or offset + _REACH < len(text):
        found = _same_letters(text, quote, offset)
        if found is not None:
            return found
    return _most_alike(text, quote, offset)


def _with_surroundings(text: str, quote: QuoteSelector, offset: int) -> int | None:
    wanted = quote.prefix + quote.exact + quote.suffix
    if len(wanted) < _TELLING_CHARS:
        return None
    places = (at + len(quote.prefix) for at in occurrences(text, wanted))
    return min(places, key=lambda at: abs(at - offset), default=None)


def _same_letters(text: str, quote: QuoteSelector, offset: int) -> int | None:
    prefix, exact, suffix = (NO_LETTERS.sub("", part) for part in (quote.prefix, quote.exact, quote.suffix))
    wanted = prefix + exact + suffix
    if not wanted:
        return None
    letters = NO_LETTERS.sub("", text)
    if exact:
        places = ((at, _agreeing(letters, at, prefix, exact, suffix)) for at in occurrences(letters, exact))
    else:
        places = ((at + len(prefix), len(wanted)) for at in occurrences(letters, wanted))
    here = len(NO_LETTERS.sub("", text[:offset]))
    best = max(places, key=lambda place: (place[1], -abs(place[0] - here)), default=None)
    if best is None or len(wanted) < 2 or best[1] < min(_TELLING_CHARS, len(wanted)):
        return None
    found = _offset_of_letter(text, best[0])
    lead = quote.exact[: len(quote.exact) - len(quote.exact.lstrip(signs_of(quote.exact)))]
    return found - len(lead) if lead and text[:found].endswith(lead) else found


def signs_of(text: str) -> str:
    """Return the characters of a text that are no letters."""
    return "".join(NO_LETTERS.findall(text))


def occurrences(text: str, wanted: str) -> Iterator[int]:
    """Yield where `wanted` begins in a text, also where two overlap; nowhere when it is empty."""
    at = text.find(wanted) if wanted else -1
    while at >= 0:
        yield at
        at = text.find(wanted, at + 1)


def _agreeing(letters: str, at: int, prefix: str, exact: str, suffix: str) -> int:
    """Return how many letters of the quotation and of its surroundings agree at an occurrence."""
    before = letters[max(0, at - len(prefix)) : at]
    after = letters[at + len(exact) : at + len(exact) + len(suffix)]
    return common_start(before[::-1], prefix[::-1]) + len(exact) + common_start(after, suffix)


def common_start(a: str, b: str) -> int:
    """Return how many characters two texts have in common at their start."""
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _offset_of_letter(text: str, number: int) -> int:
    """Return the offset of the letter with that number, counted from 0; the text's end when there are no more."""
    for count, match in enumerate(_LETTER.finditer(text)):
        if count == number:
            return match.start()
    return len(text)


def _most_alike(text: str, quote: QuoteSelector, offset: int) -> int | None:
    # Only here, since a start that finds its place at once must not pay for it.
    from rapidfuzz import fuzz

    wanted = quote.prefix + quote.exact + quote.suffix
    first = max(0, offset - _FUZZY_REACH)
    window = text[first : offset + _FUZZY_REACH]
    if len(NO_LETTERS.sub("", wanted)) < _TELLING_CHARS or not window:
        return None
    found = fuzz.partial_ratio_alignment(wanted, window, score_cutoff=_FUZZY_RATIO)
    if found is None or found.dest_end <= found.dest_start:
        return None
    return min(first + found.dest_start + max(0, len(quote.prefix) - found.src_start), len(text))
