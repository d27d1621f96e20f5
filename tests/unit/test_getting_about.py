"""What the page draws of searches, questions, panels and typed lines, without a screen."""

from __future__ import annotations

import pytest
from rich.style import Style

from engine.domain.book import BlockKind, BookId, ChapterId, DocumentId, VolumeId, WorkId
from engine.domain.locator import pos_of
from engine.domain.outline import OutlineIndex
from engine.domain.reading import Chapter, DocumentOutline, VolumeOutline, WorkOutline
from engine.domain.search import HitRun
from tests.outlines import BODY, FRONT, index_of
from tui.render.far_jump import place_words, question_words, read_words
from tui.render.found import Found
from tui.render.layers import Layer, Layers, landing
from tui.render.line_edit import LineEdit
from tui.render.prose import Look, Overlay
from tui.render.rows import Row, RowKind
from tui.render.tabs import Panels, Tab, panels_from_text, text_from_panels
from tui.render.typed import typed_segments

_ONE = index_of((FRONT, BODY, BODY, BODY, BODY))
_TWO = index_of((BODY, BODY), (FRONT, BODY, BODY))


# hits


def _found() -> Found:
    return Found([HitRun(DocumentId(12), 200, (5, 50), (9, 54), 100), HitRun(DocumentId(11), 100, (90,), (99,), 100)])


def test_hits_are_numbered_in_story_order_whatever_order_they_came_in() -> None:
    found = _found()
    assert [(found.hit(n).document, found.hit(n).start) for n in range(len(found))] == [(11, 90), (12, 5), (12, 50)]


@pytest.mark.parametrize(("pos", "number"), [(0, 0), (190, 0), (191, 1), (205, 1), (206, 2), (250, 2), (251, 3)])
def test_the_first_hit_from_a_place_is_found(pos: int, number: int) -> None:
    assert _found().first_from(pos) == number


def test_a_number_that_is_no_hit_is_refused() -> None:
    with pytest.raises(IndexError):
        _found().hit(3)


def test_hits_of_a_stretch_are_counted_and_those_that_reach_into_a_row_lie_over_it() -> None:
    assert _found().count_in(191, 250) == 1
    assert _found().overlays(DocumentId(12), 8, 51) == [Overlay(5, 9, Look.FOUND), Overlay(50, 54, Look.FOUND)]
    assert _found().overlays(DocumentId(12), 9, 50) == []
    assert _found().overlays(DocumentId(13), 0, 99) == []


def test_nothing_found_has_no_first_hit() -> None:
    assert (len(Found()), Found().first_from(5)) == (0, 0)


# questions and places


@pytest.mark.parametrize(
    ("index", "frontier", "pos", "question"),
    [
        (_ONE, 150, 350, "You have read to chapter 1. Count chapters 2-3 as read?"),
        (_ONE, 150, 250, "You have read to chapter 1. Count chapter 2 as read?"),
        (_ONE, 200, 450, "You have read to chapter 1. Count chapters 2-4 as read?"),
        (_ONE, 50, 250, "Count everything up to chapter 2 as read?"),
        (_ONE, 0, 50, "Count everything before this page as read?"),
        (
            _TWO,
            50,
            pos_of(1, 150),
            "You have read to volume 1, chapter 1. Count everything up to volume 2, chapter 1 as read?",
        ),
    ],
)
def test_a_far_jump_is_told_in_numbers_of_story_chapters(
    index: OutlineIndex, frontier: int, pos: int, question: str
) -> None:
    assert question_words(index, frontier, pos)[0] == question


def _nested(part_chars: int, *levels: int) -> OutlineIndex:
    """Return a work of one volume whose entries, of these levels, follow each other at even distances."""
    document = DocumentOutline(DocumentId(1), BookId(1), 0, 0, part_chars * len(levels), is_linear=True)
    chapters = tuple(
        Chapter(
            ChapterId(n), n, f"entry {n}", level, BODY, document.id, part_chars * n,
            part_chars * n, part_chars * (n + 1),
        )
        for n, level in enumerate(levels)
    )  # fmt: skip
    volume = VolumeOutline(VolumeId(0), 0, "volume", document.length, (document,), chapters)
    return OutlineIndex(WorkOutline(WorkId(1), "work", (), "en", (volume,)))


@pytest.mark.parametrize(
    ("chars", "levels", "expected"),
    [
        (20_000, (0, 1, 1, 0, 1, 1), "chapter 4"),  # parts of chapters
        (900, (0, 1, 1, 0, 1, 1), "chapter 2"),  # chapters of sections
        (20_000, (0, 0, 1, 1, 0), "chapter 4"),  # a prologue, a part of two chapters, an epilogue
        (20_000, (0, 1, 2, 2, 1, 2, 2), "chapter 4"),
    ],
)
def test_chapters_are_counted_and_not_entries(chars: int, levels: tuple[int, ...], expected: str) -> None:
    index = _nested(chars, *levels)
    assert place_words(index, chars * len(levels) - 1) == expected


def test_what_was_read_is_told_by_its_last_character() -> None:
    assert (place_words(_ONE, 200), read_words(_ONE, 200)) == ("chapter 2", "chapter 1")
    assert read_words(_TWO, pos_of(1, 0)) == "volume 1, chapter 2"


@pytest.mark.parametrize(
    ("start", "end", "has_story"),
    [(0, 100, False), (0, 105, False), (0, 150, True), (120, 180, True), (95, 100, False)],
)
def test_title_pages_are_no_story(start: int, end: int, has_story: bool) -> None:
    assert _ONE.has_story(start, end) is has_story


# layers


def _row(start: int, end: int) -> Row:
    return Row(RowKind.TEXT, BlockKind.PARAGRAPH, 0, start, end, text="x" * (end - start))


def test_the_upper_layer_comes_last_and_a_cleared_one_is_gone() -> None:
    layers = Layers()
    layers.put(Layer.LANDING, landing(DocumentId(1), 5, 9))
    layers.put(Layer.FOUND, lambda _document, _start, _end: [Overlay(5, 9, Look.FOUND)])
    assert [overlay.look for overlay in layers.of_row(DocumentId(1), _row(0, 20))] == [Look.FOUND, Look.FOCUS]
    layers.put(Layer.FOUND, None)
    assert [overlay.look for overlay in layers.of_row(DocumentId(1), _row(0, 20))] == [Look.FOCUS]


@pytest.mark.parametrize(
    ("document", "start", "end", "overlays"),
    [
        (1, 0, 20, [Overlay(0, 20, Look.FOUND)]),
        (1, 20, 40, []),
        (2, 0, 20, []),
    ],
)
def test_a_place_jumped_to_marks_the_row_it_is_in(document: int, start: int, end: int, overlays: list[Overlay]) -> None:
    assert list(landing(DocumentId(1), 5, 0)(DocumentId(document), start, end)) == overlays


# panels


@pytest.mark.parametrize(
    "panels", [Panels(), Panels("contents"), Panels("marks", True, Tab.SEARCH), Panels("", True, Tab.CHAT)]
)
def test_panels_are_read_back_as_they_were_kept(panels: Panels) -> None:
    assert panels_from_text(text_from_panels(panels)) == panels


def test_panels_of_another_release_are_left_out() -> None:
    assert panels_from_text("orbit sidebar 7 wiki") == Panels("", True, Tab.WIKI)


# lines being typed


@pytest.mark.parametrize(
    ("keys", "text", "cursor"),
    [
        ("left left backspace", "灯x油", 1),
        ("ctrl+a delete", "塔x油", 0),
        ("left ctrl+k", "灯塔x", 3),
        ("left ctrl+u", "油", 0),
        ("ctrl+w", "", 0),
        ("home right right ctrl+e", "灯塔x油", 4),
    ],
)
def test_a_line_is_edited_by_characters(keys: str, text: str, cursor: int) -> None:
    line = LineEdit("灯塔x油")
    assert [line.feed(key, None) for key in keys.split()] == [True] * len(keys.split())
    assert (line.text, line.cursor) == (text, cursor)


def test_a_family_of_emoji_is_one_character() -> None:
    line = LineEdit("a👨‍👩‍👧")
    line.feed("backspace", None)
    assert line.text == "a"


def test_a_paste_of_several_lines_with_hostile_characters_becomes_one_clean_line() -> None:
    line = LineEdit()
    line.insert("lamp\n\x1b[31moil\u202e")
    assert line.text == "lamp \ufffd[31moil"


@pytest.mark.parametrize("cells", [1, 2, 3, 5, 40])
def test_the_cursor_of_a_line_is_always_seen(cells: int) -> None:
    line = LineEdit("灯塔里的火 and the oil")
    shown, cursor = line.window(cells)
    assert cursor < max(2, cells)
    assert "灯塔里的火 and the oil".endswith(shown)


def test_the_cursor_stands_on_a_character_or_behind_the_text() -> None:
    ink, on = Style(), Style(reverse=True)
    under = [[s.text for s in typed_segments("灯x", at, ink, on) if s.style == on] for at in (0, 2, 3)]
    assert under == [["灯"], ["x"], [" "]]
