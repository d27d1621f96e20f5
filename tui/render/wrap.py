"""Find where the rows of a paragraph begin.

A row may end where UAX #14 allows it and no rule of `breaks.is_torn` forbids it: no closing mark,
small kana or ellipsis begins a row, no opening mark ends one, …… and —— stay whole. Where a
stretch longer than the row offers no such place, it is cut between characters as seen; that
cut, too, keeps the rules unless every cut in the row would break one. From four cells on
there is room for a character and its closing mark.

Plain text (see `cells`) takes a fast path: the row's end is found by counting wide characters
in slices, and the machinery of UAX #14 is asked only when the characters there are not two
that may always be parted. Everything else is measured and cut character by character. Both
give the same rows.

Source: UAX #14 revision 55, and JIS X 4051 for characters that may not begin a row.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate

from engine.text.segment import next_grapheme, next_line_break
from tui.render.breaks import (
    FIRST_WIDE,
    NOT_AFTER_BREAK,
    NOT_BEFORE_BREAK,
    begins_row,
    bounds_to_cut,
    is_sure,
    is_torn,
    last_sure,
)
from tui.render.cells import cells_of_any, cells_of_plain, is_plain

Stretch = tuple[int, int]
"""(start, end) of what stays in one row where it can, such as characters with their reading."""
_Known = tuple[int, int] | None
"""A place where a line may end, and the next one by UAX #14; None when the row begins with such a place."""


def wrap(text: str, width: int, first_indent: int = 0, held: Sequence[Stretch] = ()) -> list[int]:
    r"""Return the offsets in `text` at which rows begin, the first always 0.

    Ordinary spaces at the end of a row belong to it and are not to be drawn, nor is a newline:
    `text[start:end].rstrip(" \n")` is at most `width` cells wide, unless it is one character
    as seen that is wider than that. A newline ends a row.

    Args:
        text: Without tabs and other controls (`cells.clean`).
        width: Cells of a row, at least 1; less counts as 1.
        first_indent: Cells the first row is shorter by; negative when it is longer.
        held: What stays in one row, in order; one that is longer than a row is wrapped as any text.
    """
    rows: list[int] = []
    start = 0
    while True:
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        rows += wrap_line(text, start, end, width, first_indent if start == 0 else 0, held)
        if end == len(text):
            return rows
        start = end + 1


def wrap_line(
    text: str, start: int, end: int, width: int, first_indent: int = 0, held: Sequence[Stretch] = ()
) -> list[int]:
    """Return where the rows of `text[start:end]`, a stretch without newlines, begin; as `wrap`."""
    width = max(1, width)
    room = max(1, min(2, width), width - first_indent)
    if start == end:
        return [start]
    line = text[start:end]
    if is_plain(line):
        rows = wrap_plain(line, cells_of_plain(line), 0, len(line), width, room)
    else:
        rows = wrap_measured(line, width, room)
    if held and any(_held_from(held, start + row) != start + row for row in rows):
        rows = wrap_measured(line, width, room, [(first - start, last - start) for first, last in held])
    return [start + row for row in rows] if start else rows


def _held_from(held: Sequence[Stretch], place: int) -> int:
    """Return where the stretch begins that would be parted at a place; the place itself where none would."""
    number = bisect_left(held, (place,)) - 1
    return held[number][0] if number >= 0 and place < held[number][1] else place


def wrap_plain(text: str, cells: bytes, start: int, end: int, width: int, room: int) -> list[int]:
    """Return where the rows of a part of a plain text begin.

    Args:
        text: Plain from `start` to `end`, without newlines there; `end` is the end of the text or a newline.
        cells: Width of each character of `text`.
        start: First character.
        end: Exclusive.
        width: Cells of a row, at least 1.
        room: Cells of the first row, at least 1.
    """
    rows = [start]
    known: _Known = None
    wide = cells.count
    is_narrow = not wide(2, start, end)
    while True:
        fit = start + room
        if is_narrow:
            if fit >= end:
                return rows
        else:
            fit = start
            while room > 1:
                ahead = fit + (room >> 1)
                if ahead >= end:
                    return rows
                room -= ahead - fit + wide(2, fit, ahead)
                fit = ahead
            if room and cells[fit] == 1:
                fit += 1
            if fit == start:  # one wide character, and room for half of it
                fit += 1
            if fit >= end:
                return rows
        room = width
        before, after = text[fit - 1], text[fit]
        # Two wide characters that may always be parted: the usual case in Han, kana and Hangul.
        if before >= FIRST_WIDE <= after and before not in NOT_BEFORE_BREAK and after not in NOT_AFTER_BREAK:
            start, known = fit, None
        else:
            start, known = _next_row(text, start, fit, end, known)
            if start >= end:
                return rows
        rows.append(start)


def wrap_hard(text: str, width: int) -> list[int]:
    """Return where rows begin when each is filled to `width` and only a newline ends one early; spaces stay."""
    rows: list[int] = []
    width = max(1, width)
    start = 0
    while True:
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        line = text[start:end]
        widths = cells_of_any(line)
        totals = [0, *accumulate(widths)]
        row = 0
        while True:
            rows.append(start + row)
            fit = bisect_right(totals, totals[row] + width) - 1
            if fit >= len(line):
                break
            row = bounds_to_cut(line, widths, row, fit)[-1]
            if row >= len(line):
                break
        if end == len(text):
            return rows
        start = end + 1


def next_row(text: str, start: int, fit: int, end: int) -> int:
    """Return where the row after `start` begins, `fit` being the first character of a plain text that has no room."""
    return _next_row(text, start, fit, end, None)[0]


def _next_row(text: str, start: int, fit: int, end: int, known: _Known) -> tuple[int, _Known]:
    """Choose where the row after `start` begins, `fit` being the first character that has no room.

    Costs no more than the row is long. Returns `end` when only spaces are left.
    """
    limit = _skip_spaces(text, fit, end)
    if limit == end:
        return end, known
    upto = limit
    for upto in range(limit, start, -1):
        if is_sure(text, upto):
            return upto, None
        if not is_torn(text[upto - 1], text[upto]):
            break
    sure = _last_sure(text, start, upto)
    if sure > start and (word := text[sure : upto + 1]).isascii() and word.isalnum():
        return sure, None
    best = 0
    if sure > start:
        best, known = sure, None
    place, following = known or (sure, next_line_break(text, sure))
    while following <= upto:
        if following > start and not is_torn(text[following - 1], text[following]):
            best = following
        place, following = following, next_line_break(text, following)
    return best or _cut(text, range(limit, start, -1), limit), (place, following)


def _skip_spaces(text: str, start: int, end: int) -> int:
    while start < end and text[start] == " ":
        start += 1
    return start


def _last_sure(text: str, start: int, upto: int) -> int:
    """Return the last sure place in (start, upto], or `start`."""
    word = text.rfind(" ", start, upto) + 1
    if word > start and is_sure(text, word) and text[word : upto + 1].isascii():
        return word
    return next((place for place in range(upto, start, -1) if is_sure(text, place)), start)


def _cut(text: str, places: Iterable[int], otherwise: int) -> int:
    """Return the first of the places that tears nothing; `otherwise` when each does."""
    return next((place for place in places if not is_torn(text[place - 1], text[place])), otherwise)


def wrap_measured(text: str, width: int, room: int, held: Sequence[Stretch] = ()) -> list[int]:
    """As `wrap`, for one line of any text, and with the room of the first row."""
    widths = cells_of_any(text)
    totals = [0, *accumulate(widths)]
    known: _Known = None
    rows = [0]
    start = 0
    while True:
        fit = bisect_right(totals, totals[start] + room, start) - 1
        row = _next_row_measured(text, widths, start, fit, known)
        start, known = _whole_row(text, widths, start, row, known, held) if held else row
        if start == len(text):
            return rows
        rows.append(start)
        room = width


def _next_row_measured(text: str, widths: Sequence[int], start: int, fit: int, known: _Known) -> tuple[int, _Known]:
    """As `_next_row`, for text in which characters may join or take no cell."""
    limit = _skip_spaces(text, fit, len(text))
    if limit == len(text):
        return limit, known
    sure = last_sure(text, start, limit)
    if sure == limit > start:
        return limit, None
    best = 0
    if sure > start:
        best, known = sure, None
    place, following = known or (sure, next_line_break(text, sure))
    bound = place
    while following <= limit:
        # UAX #14 does not ask whether a character as seen ends there: a vowel sign may follow a space.
        while bound < following:
            bound = next_grapheme(text, bound)
        is_whole = bound == following and begins_row(text, widths, following)
        if is_whole and following > start and not is_torn(text[following - 1], text[following]):
            best = following
        place, following = following, next_line_break(text, following)
    return best or _cut_measured(text, widths, start, fit), (place, following)


def _whole_row(
    text: str, widths: Sequence[int], start: int, row: tuple[int, _Known], known: _Known, held: Sequence[Stretch]
) -> tuple[int, _Known]:
    """Choose an earlier end for a row that would part what stays together; the same one where there is none."""
    chosen = row
    while (begin := _held_from(held, chosen[0])) != chosen[0]:
        shorter = _next_row_measured(text, widths, start, begin, known) if begin > start else chosen
        if shorter[0] >= chosen[0]:
            return row
        chosen = shorter
    place = chosen[0]
    return row if chosen is not row and is_torn(text[place - 1], text[place]) else chosen


def _cut_measured(text: str, widths: Sequence[int], start: int, fit: int) -> int:
    bounds = bounds_to_cut(text, widths, start, fit)
    after = _skip_spaces(text, bounds[-1], len(text))
    if after == len(text):
        return after
    bound = bounds[-1]
    while bound < after:
        bound = next_grapheme(text, bound)
    if bound == after > bounds[-1] and begins_row(text, widths, after):
        bounds.append(after)
    return _cut(text, reversed(bounds), bounds[-1])
