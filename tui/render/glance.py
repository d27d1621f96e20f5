"""What the glance of a chapter shows at once: its title, where it stands, how long it takes."""

from __future__ import annotations

from engine.domain.locator import Pos, pos_of, volume_ord_of
from engine.domain.outline import EVERYWHERE, OutlineIndex, shown_title
from engine.domain.wiki import Page, PageKey, PageKind
from engine.text.measure import reading_seconds
from engine.translate import _
from tui.render.far_jump import place_words


def first_glance(index: OutlineIndex, pos: Pos, titles_upto: Pos = EVERYWHERE) -> Page:
    """Return the glance of the chapter at a pos as far as the outline tells it, until the rest comes."""
    volume, chapter = index.volume_at(pos), index.chapter_at(pos)
    title = shown_title(chapter.title, chapter.pos, titles_upto) if chapter is not None else ""
    title = title or (volume.title if volume is not None else "")
    facts = [place_words(index, pos)]
    if chapter is not None and chapter.pos_end > chapter.pos:
        minutes = reading_seconds(chapter.pos_end - chapter.pos, index.outline.language, pace=index.pace) / 60
        facts.append(_("{n} min").format(n=max(1, round(minutes))))
    start = chapter.pos if chapter is not None else pos_of(volume_ord_of(pos), 0)
    return Page(PageKey(PageKind.GLANCE, pos=start), title, " · ".join(filter(None, facts)), (), ())
