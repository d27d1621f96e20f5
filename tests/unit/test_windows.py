"""How a work is cut for a model to read, and what that is reckoned to cost."""

from __future__ import annotations

import pytest

from engine.analysis.windows import Window, cut_windows, paragraph_tokens
from engine.domain.book import DocumentId
from engine.domain.locator import pos_of
from engine.store.blocks import PlacedBlock
from engine.text.tokens import estimate_tokens
from tests.builders import make_text_blocks

_LINE = "The lamp was lit and the train came in on time that evening. "


def _placed(*chapters: list[str], volume: int = 0) -> list[PlacedBlock]:
    found: list[PlacedBlock] = []
    pos = pos_of(volume, 0)
    for number, paragraphs in enumerate(chapters):
        blocks = make_text_blocks(*paragraphs, chapter=number, pos=pos)
        found += [PlacedBlock(block, DocumentId(1), block.pos) for block in blocks]
        pos = blocks[-1].pos_end + 1
    return found


def _chapters(window: Window) -> tuple[int, ...]:
    return window.chapters


def test_every_paragraph_is_in_exactly_one_window() -> None:
    placed = _placed(*([_LINE * 3] * 20 for _chapter in range(5)))
    windows = cut_windows(placed, 600)
    assert [each for window in windows for each in window.paragraphs] == placed


def test_no_window_is_longer_than_its_budget() -> None:
    windows = cut_windows(_placed(*([_LINE * 3] * 20 for _chapter in range(5))), 600)
    assert max(sum(map(paragraph_tokens, window.paragraphs)) for window in windows) <= 600


def test_a_window_that_is_half_full_ends_with_its_chapter() -> None:
    first, second = cut_windows(_placed([_LINE] * 30, [_LINE] * 30), 700)
    assert (_chapters(first), _chapters(second)) == ((0,), (1,))
    assert first.begins_chapter
    assert second.begins_chapter


def test_short_chapters_share_a_window() -> None:
    [window] = cut_windows(_placed([_LINE], [_LINE], [_LINE]), 700)
    assert _chapters(window) == (0, 1, 2)


def test_a_long_chapter_is_parted_between_scenes() -> None:
    scene = [_LINE] * 20
    windows = cut_windows(_placed([*scene, "* * *", *scene, "* * *", *scene]), 400)
    assert [len(window.paragraphs) for window in windows] == [20, 20, 20]
    assert [window.begins_chapter for window in windows] == [True, False, False]


def test_no_window_crosses_a_volume() -> None:
    windows = cut_windows([*_placed([_LINE]), *_placed([_LINE], volume=1)], 700)
    assert [(window.volume, window.number) for window in windows] == [(0, "1"), (1, "1")]


def test_a_window_too_long_for_the_model_comes_in_halves() -> None:
    [window] = cut_windows(_placed([_LINE] * 9), 700)
    halves = window.halves()
    assert halves is not None
    assert [half.number for half in halves] == ["1a", "1b"]
    assert halves[0].paragraphs + halves[1].paragraphs == window.paragraphs


def test_a_single_paragraph_is_not_halved() -> None:
    [window] = cut_windows(_placed([_LINE * 200]), 700)
    assert window.halves() is None


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("The last train of the thaw came into Ashfall eleven minutes late.", 14),
        ("玄德大喜，遂与二人同饮。", 12),
        ("吾輩は猫である。名前はまだ無い。", 14),
    ],
)
def test_tokens_are_reckoned_as_a_tokenizer_counts_them(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == pytest.approx(tokens, rel=0.2)
