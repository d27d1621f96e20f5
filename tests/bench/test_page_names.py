"""What the names of a page cost while it is drawn: finding them, and the rows they are in."""

from __future__ import annotations

import time
from collections.abc import Callable

from rich.style import Style

from engine.domain.book import DocumentId
from engine.domain.wiki import NameInText, PointId
from tests.pace import allowance
from tests.pages import make_slice
from tui.render.known_names import KnownNames
from tui.render.prose import PageStyle, row_strip
from tui.render.rows import TypeOptions
from tui.render.typeset import typeset

_ONE = DocumentId(1)
_ROWS, _WIDTH = 50, 68
_MOST_FOUND_S = 0.2e-3
"""Of the budgets: marks on a page."""
_PARAGRAPH = "却说刘备字玄德，与关羽字云长、张飞字翼德三人，在桃园中焚香再拜。刘备之兄，关羽次之，张飞为弟。"
_NAMES = ("刘备", "玄德", "关羽", "云长", "张飞", "翼德")
_INK = Style(color="#202020", bgcolor="#f0f0e0")
_STYLE = PageStyle(*(_INK,) * 5, name=_INK + Style(underline=True), mark=_INK, found=_INK, focus=_INK, selection=_INK)


def _least_s(work: Callable[[], object]) -> float:
    """Return the least CPU seconds some work takes."""
    times = []
    for _each in range(50):
        start = time.thread_time()
        work()
        times.append(time.thread_time() - start)
    return min(times)


def test_the_marks_of_a_page_take_a_fifth_of_a_millisecond() -> None:
    piece = make_slice(*[_PARAGRAPH] * 60)
    places = ((at, at + 2) for at in range(piece.end) if piece.text.startswith(_NAMES, at))
    names = [NameInText(start, end, PointId(1)) for start, end in places]
    known = KnownNames()
    known.take((_ONE, 0, piece.end), names, 0)
    rows = typeset(piece, TypeOptions(_WIDTH, paragraph_gap=0))[:_ROWS]
    overlays = [known.overlays(_ONE, row.start, row.end) for row in rows]
    found = _least_s(lambda: [known.overlays(_ONE, row.start, row.end) for row in rows])
    bare = _least_s(lambda: [row_strip(row, 72, 2, _STYLE) for row in rows])
    drawn = _least_s(lambda: [row_strip(row, 72, 2, _STYLE, overlays=o) for row, o in zip(rows, overlays, strict=True)])
    print(
        f"\n{sum(map(len, overlays))} names in {_ROWS} rows: found in {found * 1e3:.2f} ms, "
        f"rows drawn in {drawn * 1e3:.2f} ms, {bare * 1e3:.2f} ms without"
    )
    assert found <= _MOST_FOUND_S * allowance()
