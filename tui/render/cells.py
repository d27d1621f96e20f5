"""The one place that knows how many cells the characters of a page take.

Widths are rich's, for they are what Textual draws. Most text is *plain*: only characters of
which each takes one or two cells by itself, whatever stands beside it. For plain text the
width of a character follows from the upper half of its code point, which makes a table of
256 entries enough.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import accumulate

from rich.cells import cell_len, get_character_cell_size

from engine.text.segment import next_grapheme

ELLIPSIS = "…"

_NARROW = (
    " -~\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u2070-\u20cf"
    "\u2100-\u22ff\u2460-\u24ff\u2500-\u25fc\u2605\u2606\u2660-\u266f\u2776-\u2793"
)
WIDE = (
    "\u3000-\u3029\u3030-\u303e\u3041-\u3096\u309b-\u30ff\u3105-\u312f\u3190-\u31e5\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff01-\uff60\uffe0-\uffe6"
)
"""Plain characters of two cells, as ranges for a pattern."""
JOINER = "\u200d"
"""Zero width; joins emoji to one."""
VARIATION_16 = "\ufe0f"
"""Makes the character before it an emoji, which may be wider."""
_CONTROL = "[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]"
_JOINERS = f"[{JOINER}{VARIATION_16}]"
_WIDE_PAGES = frozenset([0x30, 0x31, *range(0x34, 0xA0), *range(0xAC, 0xD8), 0xF9, 0xFA, 0xFF])
_PAGE_WIDTHS = bytes(2 if page in _WIDE_PAGES else 1 for page in range(256))


class _Terminal:
    """What this process's terminal draws: the one thing here that changes, and before anything is laid out."""

    plain = f"[{_NARROW}{WIDE}\n]*"
    not_plain = f"[^{_NARROW}{WIDE}]+"
    is_ambiguous_wide = False


def count_wide(ambiguous: frozenset[str]) -> None:
    """Count these characters as two cells from now on; for `tui.render.ambiguous`, which tells rich as well."""
    narrow = _NARROW
    if ambiguous:
        is_narrow = re.compile(f"[{_NARROW}]").match
        sure = (chr(code) for code in range(0x20, 0x2800) if is_narrow(chr(code)) and chr(code) not in ambiguous)
        narrow = re.escape("".join(sure))
    _Terminal.plain, _Terminal.not_plain = f"[{narrow}{WIDE}\n]*", f"[^{narrow}{WIDE}]+"
    _Terminal.is_ambiguous_wide = bool(ambiguous)
    _gain.cache_clear()


def is_ambiguous_wide() -> bool:
    """Say whether ambiguous characters, “ and — among them, count as two cells."""
    return _Terminal.is_ambiguous_wide


@cache
def _pattern(source: str) -> re.Pattern[str]:
    """Return a compiled pattern; made when first needed, for each takes a millisecond or two."""
    return re.compile(source)


def is_plain(text: str, start: int = 0, end: int | None = None) -> bool:
    """Say whether `cells_of_plain` knows all characters of a part of the text; newlines count as plain."""
    end = len(text) if end is None else end
    match = _pattern(_Terminal.plain).match(text, start, end)
    return match is not None and match.end() == end


def cells_of_plain(text: str) -> bytes:
    """Return the width of each character of a plain text, 1 or 2, as bytes; 1 for a newline."""
    return text.encode("utf-16-le")[1::2].translate(_PAGE_WIDTHS)


def cells_of_any(text: str) -> Sequence[int]:
    """Return what each character adds to the width of a row, by rich's rules.

    A character after a zero-width joiner adds nothing, a variation selector 16 may add one.
    """
    widths = bytearray(text.encode("utf-32-le", "surrogatepass")[1::4].translate(_PAGE_WIDTHS))
    for stretch in _pattern(_Terminal.not_plain).finditer(text):
        start, end = stretch.span()
        widths[start:end] = bytes(map(get_character_cell_size, text[start:end]))
    if _pattern(_JOINERS).search(text):
        _join(text, widths)
    return widths


def _join(text: str, widths: bytearray) -> None:
    """Correct the widths for joiners and variation selectors."""
    skipped = measured = -1
    done = 0
    for match in _pattern(_JOINERS).finditer(text):
        place = match.start()
        widths[place] = 0
        if place == skipped:
            continue
        measured = next((index for index in range(place - 1, done - 1, -1) if widths[index]), measured)
        done = place + 1
        if match[0] == VARIATION_16:
            widths[place] = _gain(text[measured]) if measured >= 0 else 0
            measured = -1
        elif done < len(text):
            skipped = done
            widths[skipped] = 0
            done += 1


@lru_cache(maxsize=1024)
def _gain(char: str) -> int:
    """Return the cells a character gains as an emoji."""
    return cell_len(char + VARIATION_16) - get_character_cell_size(char)


def cell_width(text: str) -> int:
    """Return the cells a row of this text takes."""
    if text.isascii() and text.isprintable():
        return len(text)
    if is_plain(text) and "\n" not in text:
        return len(text) + cells_of_plain(text).count(2)
    return cell_len(text)


def fit_cells(text: str, cells: int) -> str:
    """Cut a text to `cells`, between characters as seen, with an ellipsis where something was cut."""
    if cell_width(text) <= cells:
        return text
    room = cells - cell_width(ELLIPSIS)
    return cut_cells(text, room).rstrip() + ELLIPSIS if room >= 0 else cut_cells(text, cells)


def fill_cells(text: str, cells: int) -> str:
    """Make a row of text exactly `cells` wide: cut as by `fit_cells`, filled with blanks."""
    fitted = fit_cells(text, cells)
    return fitted + " " * (cells - cell_width(fitted))


def cut_cells(text: str, cells: int) -> str:
    """Return the longest beginning of a text, whole characters as seen, that fits in `cells`."""
    totals = [0, *accumulate(cells_of_any(text))]
    end = 0
    while end < len(text):
        following = next_grapheme(text, end)
        if totals[following] > cells:
            break
        end = following
    return text[:end]


def clean(text: str) -> str:
    """Return the text with each control, line separator and lone surrogate made a space; newlines stay.

    Nothing shorter or longer: offsets hold.
    """
    return _pattern(_CONTROL).sub(_blank, text)


def _blank(match: re.Match[str]) -> str:
    return "\n" if match[0] in "\x0b\x0c\x85\u2028\u2029" else " "
