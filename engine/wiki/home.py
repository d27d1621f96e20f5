"""A work's wiki as it is entered: a few entries to begin with, its categories, its volumes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.domain.book import ChapterKind
from engine.domain.knowledge import PointKind
from engine.domain.locator import pos_of
from engine.domain.reading import VolumeOutline
from engine.domain.statements import Role
from engine.domain.wiki import (
    Facts,
    Heading,
    KnownPoint,
    LinkRow,
    Listing,
    Page,
    PageKey,
    PageKind,
    PageLink,
    Paragraph,
    Part,
    Plain,
    StatementId,
)
from engine.retrieval.known import KnownWork
from engine.spoilers import masks
from engine.translate import _
from engine.wiki import told
from engine.wiki.choice import introduction
from engine.wiki.entry import quoted_paragraph
from engine.wiki.passages import BlockText, Passage, Passages, in_quotation_marks, quoted, sentences_of
from engine.wiki.sources import Numbering
from engine.wiki.words import category_title
from engine.wiki.written import cell_rows, of_role, paragraph, sections

_MOST_PEOPLE, _MOST_OTHERS = 4, 2


def make_home(known: KnownWork, passages: Passages, revealed: frozenset[StatementId] = frozenset()) -> Page:
    """Return the first page of a work's wiki.

    Args:
        known: The work at a boundary.
        passages: Its text up to the same boundary.
        revealed: Statements the reader has asked to see.
    """
    numbering = Numbering(known.where)
    points = known.points()
    statements = known.statements(None, revealed)
    summary = paragraph(of_role(statements, Role.SUMMARY), numbering) or _opening(known, passages, numbering)
    cells = cell_rows(statements, numbering)
    parts: list[Part] = [summary] if summary is not None else []
    parts += [Facts(tuple(cells))] if cells else []
    parts += _suggested(known, passages, points)
    parts += sections(statements, numbering)
    parts += told.of_work(statements, numbering)
    parts += [_categories(known, points), *_volumes(known), numbering.sources()]
    return Page(PageKey(PageKind.HOME), known.where.outline.title, _("wiki"), (), tuple(parts))


def _opening(known: KnownWork, passages: Passages, numbering: Numbering) -> Paragraph | None:
    """Return the first sentence of the story, once its paragraph has been read."""
    for chapter in known.where.chapters:
        if chapter.kind is ChapterKind.BODY:
            block = passages.first_paragraph(chapter.document, chapter.offset)
            return None if block is None else quoted_paragraph(_first_sentence(block), numbering)
    return None


def _first_sentence(block: BlockText) -> Passage:
    start, end = (sentences_of(block.text) or [(0, len(block.text))])[0]
    return Passage(block, start, end, start, start)


def _suggested(known: KnownWork, passages: Passages, points: Sequence[KnownPoint]) -> list[Part]:
    """Return the entries planned first, else those named most, people before the rest, each with a line."""
    people = [point for point in points if point.kind is PointKind.PERSON][:_MOST_PEOPLE]
    others = [point for point in points if point.kind is not PointKind.PERSON][:_MOST_OTHERS]
    met = {point.id: point for point in points}
    planned = [met[point] for point in known.planned() if point in met][: _MOST_PEOPLE + _MOST_OTHERS]
    rows = tuple(
        LinkRow(PageLink(point.name, PageKey(PageKind.ENTRY, point=point.id)), _line(known, passages, point))
        for point in planned or (*people, *others)
    )
    if not rows:
        return [Paragraph((Plain(_("Nobody has been met yet. These pages fill as you read.")),))]
    return [Heading(Plain(_("To begin with")), 1), Listing(rows)]


def _line(known: KnownWork, passages: Passages, point: KnownPoint) -> str:
    """Return the first sentence written of a point, as far as it may be read, else one of the text."""
    summary = next(iter(of_role(known.statements(point.id), Role.SUMMARY)), None)
    if summary is not None and isinstance(summary.run, Plain):
        return summary.run.text
    found = introduction(known, passages, point.id)
    return "" if found is None else in_quotation_marks(quoted(found).replace("\n", " "))


def _categories(known: KnownWork, points: Sequence[KnownPoint]) -> Listing:
    """Return the kinds with how many entries of each may be shown, and the index of all."""
    counts = Counter(point.kind for point in points)
    rows = [
        LinkRow(PageLink(category_title(kind), PageKey(PageKind.CATEGORY, category=kind)), count=counts[kind])
        for kind in PointKind
        if counts[kind]
    ]
    if points:
        rows.append(LinkRow(PageLink(_("All names"), PageKey(PageKind.INDEX)), count=len(points)))
    return Listing(tuple(rows), known.has_more(), _("Categories"), is_aside=True)


def _volumes(known: KnownWork) -> list[Part]:
    """Return the volumes begun, for a work of several."""
    volumes = known.where.outline.volumes
    if len(volumes) < 2:
        return []
    begun = [volume for volume in volumes if is_begun(volume, known)]
    rows = tuple(LinkRow(PageLink(volume.title, PageKey(PageKind.VOLUME, volume_ord=volume.ord))) for volume in begun)
    more = masks.tells_of_more(known.bound, has_more=len(begun) < len(volumes))
    return [Listing(rows, more, _("Volumes"), is_aside=True)]


def is_begun(volume: VolumeOutline, known: KnownWork) -> bool:
    """Say whether a volume has been begun, or is the first."""
    return volume is known.where.outline.volumes[0] or pos_of(volume.ord, 0) < masks.entry_upto(known.bound)
