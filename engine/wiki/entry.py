"""An entry: who or what a point is as far as it is known, in the text's own words and those written about it."""

from __future__ import annotations

from collections.abc import Sequence

from engine.domain.knowledge import AliasKind, PointKind
from engine.domain.statements import Role, ShownStatement
from engine.domain.wiki import (
    Facts,
    Heading,
    KnownPoint,
    Page,
    PageKey,
    PageKind,
    PageLink,
    Paragraph,
    Part,
    Plain,
    PointId,
    Quotation,
    Run,
    StatementId,
    Veil,
)
from engine.retrieval.known import KnownWork
from engine.translate import _
from engine.wiki import told
from engine.wiki.choice import Choice, choose
from engine.wiki.kin import closest_kin
from engine.wiki.navbox import navbox
from engine.wiki.passages import Passage, Passages, in_quotation_marks, quoted
from engine.wiki.sources import Numbering
from engine.wiki.track import marked_track
from engine.wiki.words import kind_word, so_far
from engine.wiki.written import cell_rows, few_veils, of_role, paragraph, sections

_MOST_COMPANIONS = 8
_MOST_OTHERS = 4
_BETWEEN = " · "
_NOT_SHOWN = frozenset({AliasKind.SPELLING, AliasKind.FAMILY})


def make_entry(
    known: KnownWork, passages: Passages, point: KnownPoint, revealed: frozenset[StatementId] = frozenset()
) -> Page:
    """Return the page of a point.

    Args:
        known: The work at a boundary.
        passages: Its text up to the same boundary.
        point: Who or what, as far as it is known there.
        revealed: Statements the reader has asked to see.
    """
    numbering = Numbering(known.where)
    statements = known.statements(point.id, revealed)
    chosen = choose(known, passages, point.id)
    forms = [alias.form for alias in point.aliases]
    companions = known.companions(point.id)
    parts: list[Part] = [
        *_summary(statements, chosen, numbering),
        _infobox(known, point, chosen, statements, numbering),
        *sections(statements, numbering),
        *told.of_point(statements, numbering),
        *_key_passages(known, chosen, forms),
        *_appears_with(known, companions),
    ]
    quotes = [part.pos for part in parts if isinstance(part, Quotation)]
    turns = [each for each in of_role(statements, Role.NODE) if isinstance(each.run, Plain)]
    parts.append(marked_track(known, point.id, (*quotes, *numbering.positions), turns))
    parts += [*told.signature(known.writers(statements)), numbering.sources()]
    parts += navbox(known, point) or closest_kin(known, point, companions)
    return Page(
        PageKey(PageKind.ENTRY, point=point.id),
        point.name,
        kind_word(point.kind),
        tuple(form for form in shown_names(point) if form != point.name),
        tuple(parts),
    )


def shown_names(point: KnownPoint) -> tuple[str, ...]:
    """Return a point's names in order of appearance.

    Other spellings are left out, and a bare family name, which others bear too, unless it is the only one.
    """
    return tuple(alias.form for alias in point.aliases if alias.form == point.name or alias.kind not in _NOT_SHOWN)


def _summary(statements: Sequence[ShownStatement], chosen: Choice | None, numbering: Numbering) -> list[Paragraph]:
    """Return what was written as a summary, behind the best sentence of the text where none of it may be read yet."""
    summary = of_role(statements, Role.SUMMARY)
    written = paragraph(few_veils(summary), numbering)
    told = [] if written is None else [written]
    if chosen is None or any(not isinstance(each.run, Veil) for each in summary):
        return told
    return [quoted_paragraph(chosen.defining, numbering), *told]


def quoted_paragraph(passage: Passage, numbering: Numbering) -> Paragraph:
    """Return a passage of the text as a paragraph, in quotation marks and with its number."""
    return Paragraph((Plain(in_quotation_marks(quoted(passage))), numbering.cite_passage(passage)))


def _infobox(
    known: KnownWork,
    point: KnownPoint,
    chosen: Choice | None,
    statements: Sequence[ShownStatement],
    numbering: Numbering,
) -> Facts:
    rows: list[tuple[str, tuple[Run, ...]]] = []
    names = shown_names(point)
    if len(names) > 1:
        rows.append((_("Names"), _apart(names)))
    if chosen is not None:
        rows.append((_("First seen"), _place(known, chosen.first, numbering)))
        if chosen.last.pos > chosen.first.pos:
            rows.append((_("Last seen"), _place(known, chosen.last, numbering)))
    if point.count:
        rows.append((_("Mentions"), (Plain(so_far(point.count)),)))
    return Facts((*rows, *cell_rows(statements, numbering)), is_infobox=True)


def _apart(names: Sequence[str]) -> tuple[Run, ...]:
    """Return names as runs of their own, so that a row ends between two of them."""
    runs: list[Run] = []
    for name in names:
        runs += [Plain(_BETWEEN)] if runs else []
        runs.append(Plain(name))
    return tuple(runs)


def _place(known: KnownWork, passage: Passage, numbering: Numbering) -> tuple[Run, ...]:
    return Plain(known.where.short(passage.pos)), numbering.cite_passage(passage)


def _key_passages(known: KnownWork, chosen: Choice | None, forms: Sequence[str]) -> list[Part]:
    if chosen is None or not chosen.key:
        return []
    quotations = (quotation(known, passage, forms) for passage in chosen.key)
    return [Heading(Plain(_("In the text")), 1), *quotations]


def quotation(known: KnownWork, passage: Passage, forms: Sequence[str]) -> Quotation:
    """Return a passage as it stands on a page, the names in it marked.

    Args:
        known: The work.
        passage: A passage read to the end of its paragraph.
        forms: Names to mark.
    """
    words = quoted(passage)
    return Quotation(words, passage.locator, passage.pos, known.where.short(passage.pos), tuple(_spans(words, forms)))


def _spans(words: str, forms: Sequence[str]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for form in sorted(forms, key=len, reverse=True):
        at = words.find(form)
        while at >= 0:
            span = (at, at + len(form))
            is_free = all(span[1] <= other[0] or other[1] <= span[0] for other in spans)
            if is_free and not _is_inside_word(words, *span):
                spans.append(span)
            at = words.find(form, span[1])
    return sorted(spans)


def _is_inside_word(words: str, start: int, end: int) -> bool:
    def joins(a: str, b: str) -> bool:
        return a.isascii() and b.isascii() and a.isalnum() and b.isalnum()

    return joins(words[start - 1 : start], words[start]) or joins(words[end - 1], words[end : end + 1])


def _appears_with(known: KnownWork, companions: Sequence[tuple[PointId, int]]) -> list[Part]:
    """Return who is named in the same scenes, with the number of scenes up to the boundary."""
    people: list[tuple[PageLink, int]] = []
    others: list[tuple[PageLink, int]] = []
    for other, scenes in companions:
        if len(people) == _MOST_COMPANIONS and len(others) == _MOST_OTHERS:
            break
        head = known.head(other)
        if head is None:
            continue
        kind, name = head
        kin, most = (people, _MOST_COMPANIONS) if kind is PointKind.PERSON else (others, _MOST_OTHERS)
        if len(kin) < most:
            kin.append((PageLink(name, PageKey(PageKind.ENTRY, point=other)), scenes))
    rows = [(_("Appears with"), _links(people)), (_("Also there"), _links(others))]
    kept = tuple(row for row in rows if row[1])
    return [Facts(kept)] if kept else []


def _links(linked: Sequence[tuple[PageLink, int]]) -> tuple[Run, ...]:
    runs: list[Run] = []
    for link, scenes in linked:
        if runs:
            runs.append(Plain(_BETWEEN))
        runs += [link, Plain(f"\u00a0{scenes}")]
    return tuple(runs)
