"""What a search lists: groups, volumes, chapters, and the words of each hit."""

from __future__ import annotations

import pytest

from engine.domain.book import ChapterKind, DocumentId, WorkId
from engine.domain.finds import ChapterFind, Finds
from engine.domain.hits import Findings, SearchHit, SearchMode
from engine.domain.locator import Locator, pos_of
from engine.domain.search import HitRun, PassageId
from tests.outlines import BODY, index_of
from tui.render.cells import cell_width
from tui.render.found import Found
from tui.render.search_list import Group, Listed, ListRow, RowKind, SearchList
from tui.render.snippets import fit_snippet

_WORK = WorkId(1)


def _hit(rank: int, pos: int, chapter: str, *, work: int = 1, holds_words: bool = True) -> SearchHit:
    at = Locator(DocumentId(10), pos % 1000, pos % 1000 + 40)
    return SearchHit(
        rank, 1.0, PassageId(pos), WorkId(work), f"work {work}", at, pos, "ch 1", chapter, ChapterKind.BODY, "words",
        holds_words=holds_words,
    )  # fmt: skip


def _listed(*hits: SearchHit, count: int | None = None, is_exact: bool = True) -> Listed:
    text = Findings(hits, len(hits) if count is None else count, SearchMode.LEXICAL, is_exact=is_exact)
    chapter = ChapterFind(_WORK, "work 1", "The Lamp", ((4, 8),), Locator(DocumentId(10), 0, 0), 0)
    return Listed("lamp", Finds(text, chapters=(chapter,)))


def _kinds(rows: SearchList) -> list[tuple[RowKind, str]]:
    return [(row.kind, row.words or str(row.number)) for row in map(rows.row, range(len(rows)))]


_TWO = index_of((BODY, BODY), (BODY, BODY))


def test_hits_stand_under_volume_and_chapter_in_the_order_of_the_story() -> None:
    rows = SearchList(_listed(_hit(2, 1, "a"), _hit(1, 2, "a"), _hit(3, pos_of(1, 5), "b")), _TWO, _WORK)
    assert _kinds(rows) == [
        (RowKind.GROUP, "-1"), (RowKind.VOLUME, "volume 0"), (RowKind.CHAPTER, "a"), (RowKind.ITEM, "0"),
        (RowKind.ITEM, "1"), (RowKind.VOLUME, "volume 1"), (RowKind.CHAPTER, "b"), (RowKind.ITEM, "2"),
        (RowKind.GROUP, "-1"), (RowKind.ITEM, "0"),
    ]  # fmt: skip


def test_where_there_is_room_the_chapter_stands_beside_its_first_hit() -> None:
    rows = SearchList(_listed(_hit(2, 1, "a"), _hit(1, 2, "a"), _hit(3, 3, "b")), _TWO, _WORK, is_wide=True)
    items = [n for n in range(len(rows)) if rows.row(n).kind is RowKind.ITEM and rows.row(n).group is Group.TEXT]
    assert [rows.chapter_of(n) for n in items] == ["a", "", "b"]


def test_a_folded_group_keeps_its_heading_and_count() -> None:
    rows = SearchList(_listed(_hit(1, 1, "a"), count=7), _TWO, _WORK, folded=frozenset({Group.TEXT}))
    assert rows.row(0) == ListRow(RowKind.GROUP, Group.TEXT, count=7)
    assert rows.row_of(Group.TEXT, 0) is None
    assert rows.row_of(Group.CHAPTERS, 0) == 2


def test_what_is_left_out_can_be_asked_for() -> None:
    rows = SearchList(_listed(_hit(1, 1, "a"), count=300), _TWO, _WORK)
    assert rows.row(4) == ListRow(RowKind.ALL, Group.TEXT, count=300)


def test_hits_of_other_works_stand_under_their_titles() -> None:
    rows = SearchList(_listed(_hit(1, 1, "a"), _hit(2, 1, "a", work=2)), _TWO, _WORK)
    headings = [row.words for row in map(rows.row, range(len(rows))) if row.kind is RowKind.VOLUME]
    assert headings == ["work 1", "work 2"]


def test_the_cursor_begins_at_the_first_hit_of_a_name_and_at_the_best_of_a_sentence() -> None:
    hits = _hit(2, 1, "a"), _hit(1, 2, "a")
    assert (_listed(*hits).best(), _listed(*hits, is_exact=False).best()) == (0, 1)


def test_places_of_a_text_that_was_looked_through_are_listed_alike() -> None:
    runs = [HitRun(DocumentId(10), 0, (1,), (2,), 9), HitRun(DocumentId(21), pos_of(1, 100), (1,), (2,), 9)]
    rows = SearchList(Listed("x", Finds(None), Found(runs)), _TWO, _WORK)
    assert [row.words for row in map(rows.row, range(len(rows)))] == [
        "", "volume 0", "title 0.0", "", "volume 1", "title 1.1", "",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The lamp\nburned low all through that night.", "lamp"),
        ("灯塔里的火从来没有熄过。谁也说不清。", "火"),
        ("雨の駅で待つ人がいた", "駅"),
    ],
)
@pytest.mark.parametrize("cells", [6, 9, 12, 80])
def test_a_snippet_fits_its_row_and_holds_what_was_found(text: str, words: str, cells: int) -> None:
    at = text.index(words)
    parts = fit_snippet(text, [(at, at + len(words))], cells)
    assert sum(cell_width(part) for part, _is_marked in parts) <= cells
    assert [part for part, is_marked in parts if is_marked] == [words]


def test_a_snippet_is_cut_where_most_is_marked_and_says_so() -> None:
    text = "oil " + "far away from all that " * 6 + "the lamp oil was low " + "and so on " * 20
    marks = [(0, 3), *((text.index(word), text.index(word) + len(word)) for word in ("lamp", "oil was"))]
    parts = fit_snippet(text, marks, 40)
    assert [part for part, is_marked in parts if is_marked] == ["lamp", "oil was"]
    assert "".join(part for part, _is_marked in parts)[::39][:1] == "…"
