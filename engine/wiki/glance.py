"""The glance of a chapter: the one page meant to be read before its chapter."""

from __future__ import annotations

from collections.abc import Sequence

from engine.domain.locator import Pos, volume_ord_of
from engine.domain.statements import Role, ShownStatement
from engine.domain.wiki import Facts, Page, PageKey, PageKind, PageLink, Part, Plain, Run
from engine.retrieval.known import KnownWork
from engine.spoilers import masks
from engine.text.measure import reading_seconds
from engine.translate import _
from engine.wiki.passages import Passages, in_quotation_marks, sentences_of, shown_words
from engine.wiki.sources import Numbering
from engine.wiki.written import of_role, runs_of

_MOST_RECAPS = 3
_MOST_CAST = 12
_BETWEEN = " · "


def make_glance(known: KnownWork, text: Passages, pos: Pos, pace: float = 1.0) -> Page:
    """Return what may be known of the chapter at a pos before it is read.

    What happened so far is what had unlocked when the chapter begins; the chapter's own first
    sentence leads into it once the reader stands at its door; its cast is of people she knows.

    Args:
        known: The work at a boundary.
        text: Its whole text: the first sentence lies ahead.
        pos: Anywhere in the chapter.
        pace: How many times faster than the average she reads.
    """
    start, end = known.where.chapter_range(pos)
    numbering = Numbering(known.where)
    is_begun = start <= known.bound.boundary
    rows: list[tuple[str, tuple[Run, ...]]] = []
    told = known.glance_statements(start, end)
    if so_far := _joined(of_role(told, Role.RECAP)[-_MOST_RECAPS:], numbering):
        rows.append((_("So far"), so_far))
    if is_begun and known.bound.frontier < end:
        teaser = of_role(told, Role.TEASER)[:1]
        if teaser:
            rows.append((_("Ahead"), (teaser[0].run,)))  # its evidence lies ahead and is not to be jumped to
        elif words := _first_sentence(known, text, start):
            rows.append((_("Ahead"), (Plain(words),)))
    if cast := _cast(known, start, end):
        rows.append((_("Known here"), cast))
    facts = (known.where.long(start), _minutes(known, start, end, pace))
    parts: list[Part] = [Facts(tuple(rows))] if rows else []
    sources = numbering.sources()
    parts += [sources] if sources.rows else []
    return Page(
        PageKey(PageKind.GLANCE, pos=start), _title(known, start), _BETWEEN.join(filter(None, facts)), (), tuple(parts)
    )


def _title(known: KnownWork, start: Pos) -> str:
    index = known.where.index_at(start)
    if index >= 0 and known.where.chapters[index].title:
        return masks.mask_chapter_title(known.where.chapters[index].title, start, known.bound)
    return next((v.title for v in known.where.outline.volumes if v.ord == volume_ord_of(start)), "")


def _minutes(known: KnownWork, start: Pos, end: Pos, pace: float) -> str:
    length = max((v.length for v in known.where.outline.volumes if v.ord == volume_ord_of(start)), default=0)
    behind = min(end, (volume_ord_of(start) << 40) + length)
    minutes = reading_seconds(behind - start, known.where.outline.language, pace=pace) / 60
    return _("{n} min").format(n=max(1, round(minutes)))


def _joined(statements: Sequence[ShownStatement], numbering: Numbering) -> tuple[Run, ...]:
    runs: list[Run] = []
    for statement in statements:
        runs += [Plain(" ")] if runs else []
        runs += runs_of(statement, numbering)
    return tuple(runs)


def _first_sentence(known: KnownWork, text: Passages, start: Pos) -> str:
    index = known.where.index_at(start)
    if index < 0:
        return ""
    chapter = known.where.chapters[index]
    block = text.first_paragraph(chapter.document, chapter.offset)
    if block is None:
        return ""
    first, behind = (sentences_of(block.text) or [(0, len(block.text))])[0]
    return in_quotation_marks(shown_words(block.text[first:behind]).replace("\n", " "))


def _cast(known: KnownWork, start: Pos, end: Pos) -> tuple[Run, ...]:
    runs: list[Run] = []
    for person in known.cast(start, end)[:_MOST_CAST]:
        runs += [Plain(_BETWEEN)] if runs else []
        runs.append(PageLink(person.name, PageKey(PageKind.ENTRY, point=person.id)))
    return tuple(runs)
