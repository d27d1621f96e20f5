"""The stretches in which a model reads a work: along chapters and scenes, each paragraph with a number."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from engine.domain.locator import Pos, volume_ord_of
from engine.store.blocks import PlacedBlock
from engine.text.tokens import estimate_tokens

WINDOW_TOKENS = 14_000
"""Most tokens of text a window holds."""
_LEAST_SHARE = 0.5
"""A window this full ends with its chapter rather than taking the beginning of the next."""
_NUMBER_TOKENS = 4
"""What "[123] " and the end of the line cost."""


@dataclass(frozen=True, slots=True)
class Window:
    """Consecutive paragraphs of one volume."""

    volume: int
    """Ord of the volume."""
    number: str
    """In its volume, from "1"; halves of one that was too long are "3a" and "3b"."""
    paragraphs: tuple[PlacedBlock, ...]
    """Paragraph n of the window is `paragraphs[n - 1]`; blank ones and signs are left out."""
    begins_chapter: bool
    """Its first paragraph is the first of a chapter."""

    @property
    def pos(self) -> Pos:
        """Where it begins."""
        return self.paragraphs[0].block.pos

    @property
    def pos_end(self) -> Pos:
        """Where it ends."""
        return self.paragraphs[-1].block.pos_end

    @property
    def chapters(self) -> tuple[int, ...]:
        """The ords of the chapters it touches, in order."""
        return tuple(dict.fromkeys(each.block.chapter for each in self.paragraphs))

    def paragraph(self, number: int) -> PlacedBlock | None:
        """Return a paragraph by its number, None when the window has none of that number."""
        return self.paragraphs[number - 1] if 1 <= number <= len(self.paragraphs) else None

    def chapter_at(self, pos: Pos) -> int:
        """Return the ord of the chapter a pos of it lies in."""
        at = bisect_right(self.paragraphs, pos, key=lambda each: each.block.pos) - 1
        return self.paragraphs[max(0, at)].block.chapter

    def halves(self) -> tuple[Window, Window] | None:
        """Return it as two, for a model that cannot take it whole; None for a single paragraph."""
        if len(self.paragraphs) < 2:
            return None
        middle = _middle(self.paragraphs)
        first, second = self.paragraphs[:middle], self.paragraphs[middle:]
        is_border = first[-1].block.chapter != second[0].block.chapter
        return (
            replace(self, number=f"{self.number}a", paragraphs=first),
            replace(self, number=f"{self.number}b", paragraphs=second, begins_chapter=is_border),
        )


def cut_windows(placed: Sequence[PlacedBlock], budget_tokens: int = WINDOW_TOKENS) -> list[Window]:
    """Cut a work's text into windows of at most so many tokens, none across two volumes.

    A window ends where a chapter ends if it is at least half full, else between two scenes, and inside a scene only
    when the scene alone is too long.
    """
    windows: list[Window] = []
    for volume, blocks in groupby(placed, key=lambda each: volume_ord_of(each.block.pos)):
        scenes = list(_scenes(list(blocks), budget_tokens))
        packed = list(_packed(scenes, budget_tokens))
        for number, paragraphs in enumerate(packed, 1):
            before = packed[number - 2][-1].block.chapter if number > 1 else None
            windows.append(Window(volume, str(number), paragraphs, paragraphs[0].block.chapter != before))
    return windows


def _scenes(blocks: Sequence[PlacedBlock], budget_tokens: int) -> Iterator[tuple[int, list[PlacedBlock]]]:
    """Yield (tokens, paragraphs) of each scene; one that is too long comes in pieces."""
    scene: list[PlacedBlock] = []
    tokens = 0
    for each in blocks:
        is_break = not any(char.isalnum() for char in each.block.text)
        is_other = bool(scene) and scene[-1].block.chapter != each.block.chapter
        cost = 0 if is_break else paragraph_tokens(each)
        if scene and (is_break or is_other or tokens + cost > budget_tokens):
            yield tokens, scene
            scene, tokens = [], 0
        if not is_break:
            scene.append(each)
            tokens += cost
    if scene:
        yield tokens, scene


def _packed(scenes: Sequence[tuple[int, list[PlacedBlock]]], budget_tokens: int) -> Iterator[tuple[PlacedBlock, ...]]:
    taken: list[PlacedBlock] = []
    tokens = 0
    for cost, scene in scenes:
        is_new_chapter = bool(taken) and taken[-1].block.chapter != scene[0].block.chapter
        is_full_enough = is_new_chapter and tokens >= budget_tokens * _LEAST_SHARE
        whole = cost + _rest_of_chapter(scenes, scene) if is_full_enough else cost
        if taken and tokens + whole > budget_tokens:
            yield tuple(taken)
            taken, tokens = [], 0
        taken += scene
        tokens += cost
    if taken:
        yield tuple(taken)


def _rest_of_chapter(scenes: Sequence[tuple[int, list[PlacedBlock]]], scene: list[PlacedBlock]) -> int:
    chapter = scene[0].block.chapter
    return sum(cost for cost, other in scenes if other is not scene and other[0].block.chapter == chapter)


def _middle(paragraphs: Sequence[PlacedBlock]) -> int:
    """Return the index that parts paragraphs into halves of about the same length."""
    half = sum(len(each.block.text) for each in paragraphs) / 2
    length = 0
    for index, each in enumerate(paragraphs[:-1], 1):
        length += len(each.block.text)
        if length >= half:
            return index
    return len(paragraphs) - 1


def paragraph_tokens(each: PlacedBlock) -> int:
    """Return about what a numbered paragraph costs."""
    return estimate_tokens(each.block.text) + _NUMBER_TOKENS
