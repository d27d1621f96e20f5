"""A place in words: the two ends of the top line."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from engine.domain.locator import Pos, pos_of
from engine.domain.outline import EVERYWHERE, OutlineIndex, shown_title
from engine.domain.reading import Chapter, VolumeOutline
from engine.text.measure import reading_seconds
from engine.translate import _
from tui.render.cells import cell_width, fit_cells

_GAP = 2
"""Blank cells between the two ends of the line, at least."""
_BETWEEN = "   "


def where_words(index: OutlineIndex, pos: Pos, titles_upto: Pos = EVERYWHERE) -> tuple[str, ...]:
    """Return work, volume, part and chapter of a pos, the widest first, a name that comes again told once.

    Args:
        index: Of the work.
        pos: Where.
        titles_upto: Titles of what begins behind it are veiled.
    """
    volume = index.volume_at(pos)
    names = [index.outline.title]
    if volume is not None:
        names += [_volume_title(volume, titles_upto), *_chapter_names(volume, pos, titles_upto)]
    return tuple(dict.fromkeys(name for name in names if name))


def _volume_title(volume: VolumeOutline, titles_upto: Pos) -> str:
    # The first volume is known from the shelf; another is a title ahead until it is begun.
    return shown_title(volume.title, pos_of(volume.ord, 0) if volume.ord else 0, titles_upto)


def _chapter_names(volume: VolumeOutline, pos: Pos, titles_upto: Pos) -> list[str]:
    """Return the innermost chapter of a pos, and before it what it is a part of: a chapter may be called "I"."""
    names: list[str] = []
    level = -1
    for number in range(bisect_right(volume.chapters, pos, key=_pos_of) - 1, -1, -1):
        chapter = volume.chapters[number]
        if not names or chapter.level < level:
            names.append(shown_title(chapter.title, chapter.pos, titles_upto))
            level = chapter.level
        if level <= 0:
            break
    return names[::-1]


def _pos_of(chapter: Chapter) -> Pos:
    return chapter.pos


def how_far_words(index: OutlineIndex, pos: Pos, end: Pos) -> tuple[str, str, str]:
    """Return printed page, percentage and time left in the chapter, each empty where there is none.

    Args:
        index: Of the work.
        pos: First character shown.
        end: Where the percentage is taken: `pos`, or the last character at the end of the work.
    """
    page = index.page_at(pos)
    return (
        _("page {label}").format(label=page.label) if page is not None else "",
        _("{share} %").format(share=f"{index.work_share(end) * 100:.0f}"),
        _time_left(index, end),
    )


def top_line_words(names: Sequence[str], how_far: Sequence[str], cells: int) -> tuple[str, str]:
    """Return the two ends of the top line, which together leave a gap in `cells`.

    At the right first the page and then the time give way to the last name, which gets half the
    line if it needs it; at the left the first names are left out, and the last one is cut in need.

    Args:
        names: As `where_words` returns them.
        how_far: As `how_far_words` returns them, or nothing.
        cells: Room of the line.
    """
    needed = min(cell_width(names[-1]), cells // 2) + _GAP if names else 0
    right = ""
    for kept in (how_far, how_far[1:], how_far[1:2]):
        right = _BETWEEN.join(part for part in kept if part)
        if cell_width(right) + needed <= cells:
            break
    right = fit_cells(right, max(0, cells))
    free = max(0, cells - cell_width(right) - (_GAP if right else 0))
    return _joined(names, free), right


def _joined(names: Sequence[str], cells: int) -> str:
    """Join names by a dot, without the first ones where there is no room for all."""
    for first in range(len(names)):
        words = " · ".join(names[first:])
        if cell_width(words) <= cells:
            return words
    return fit_cells(names[-1], cells) if names else ""


def _time_left(index: OutlineIndex, pos: Pos) -> str:
    chapter = index.chapter_at(pos)
    if chapter is None or chapter.pos_end <= pos:
        return ""
    minutes = reading_seconds(chapter.pos_end - pos, index.outline.language, pace=index.pace) / 60
    return _("{minutes} min left in chapter").format(minutes=max(1, round(minutes)))


def volume_words(index: OutlineIndex, pos: Pos, titles_upto: Pos = EVERYWHERE) -> str:
    """Return the volume's title, veiled behind `titles_upto`, and its number among the volumes."""
    volume = index.volume_at(pos)
    volumes = index.outline.volumes
    if volume is None:
        return ""
    title = _volume_title(volume, titles_upto)
    return f"{title}  {volumes.index(volume) + 1} / {len(volumes)}" if len(volumes) > 1 else title
