"""The inspector: what is kept of a point, name by name and note by note, with the passages it rests on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby

from engine.domain.knowledge import AliasKind
from engine.domain.locator import Locator, volume_ord_of
from engine.domain.statements import Role, ShownStatement, Verdict
from engine.domain.wiki import (
    Cite,
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
    PointId,
    Run,
    Veil,
)
from engine.retrieval.known import KnownWork
from engine.store.points import MentionRow
from engine.translate import N_, _
from engine.wiki.passages import Passages
from engine.wiki.sources import Numbering
from engine.wiki.words import kind_word, so_far
from engine.wiki.written import runs_of

_BETWEEN = " · "
_ALIAS_WORDS: Mapping[AliasKind, str] = {
    AliasKind.FULL: N_("name"),
    AliasKind.TITLED: N_("with a title"),
    AliasKind.GIVEN: N_("given name"),
    AliasKind.FAMILY: N_("family name"),
    AliasKind.NICKNAME: N_("nickname"),
    AliasKind.COURTESY: N_("courtesy name"),
    AliasKind.SPELLING: N_("spelling"),
    AliasKind.READING: N_("reading"),
    AliasKind.ROLE: N_("role"),
}
_ROLE_WORDS: Mapping[Role, str] = {
    Role.NOTE: N_("note"),
    Role.SENTENCE: N_("sentence"),
    Role.CELL: N_("table"),
    Role.HEADING: N_("heading"),
    Role.SUMMARY: N_("summary"),
    Role.RELATION: N_("relation"),
    Role.RECAP: N_("recap"),
    Role.TEASER: N_("teaser"),
    Role.TITLE: N_("title"),
    Role.EVENT: N_("event"),
    Role.FACT: N_("fact"),
    Role.KNOWLEDGE: N_("knowledge"),
    Role.VOLUME: N_("volume"),
    Role.QUESTION: N_("question"),
    Role.ANSWER: N_("answer"),
    Role.NODE: N_("turn"),
    Role.GROUP: N_("group"),
}
_VERDICT_WORDS: Mapping[Verdict, str] = {
    Verdict.UNCHECKED: N_("not checked"),
    Verdict.SUPPORT: N_("confirmed"),
    Verdict.CONFLICT: N_("contradicted"),
    Verdict.UNKNOWN: N_("undecided"),
    Verdict.NEAR_COPY: N_("in the text's own words"),
}


def make_inspector(known: KnownWork, passages: Passages, point: KnownPoint) -> Page:
    """Return all that is kept of a point, as far as it may be known."""
    numbering = Numbering(known.where)
    parts: list[Part] = [
        Heading(Plain(_("Names")), 1),
        Facts(tuple(_alias_rows(known, passages, point, numbering))),
        *_notes(known, known.statements(point.id), numbering),
    ]
    about = _BETWEEN.join((f"{point.id}", kind_word(point.kind), so_far(point.count)))
    return Page(PageKey(PageKind.INSPECTOR, point=point.id), point.name, about, (), (*parts, numbering.sources()))


def _alias_rows(
    known: KnownWork, passages: Passages, point: KnownPoint, numbering: Numbering
) -> list[tuple[str, tuple[Run, ...]]]:
    first: dict[str, MentionRow] = {}
    for mention in known.first_of_each_name(point.id, 1):
        first.setdefault(known.text_of(mention.document, mention.start, mention.end), mention)
    rows: list[tuple[str, tuple[Run, ...]]] = []
    for alias in point.aliases:
        words = [_(_ALIAS_WORDS[alias.kind]), so_far(alias.count)]
        if alias.reveal_pos > alias.first_pos:
            words.append(_("known from {where}").format(where=known.where.short(alias.reveal_pos)))
        runs: list[Run] = [Plain(_BETWEEN.join(words))]
        if alias.form in first:
            runs.append(_first_place(first[alias.form], alias.form, passages, numbering))
        rows.append((alias.form, tuple(runs)))
    return rows


def _first_place(mention: MentionRow, form: str, passages: Passages, numbering: Numbering) -> Cite:
    passage = passages.around(mention)
    place = Locator(mention.document, mention.start, mention.end)
    return numbering.cite(place, mention.pos, form if passage is None else passage.words)


def _notes(known: KnownWork, statements: Sequence[ShownStatement], numbering: Numbering) -> list[Part]:
    """Return what is written, volume by volume in the order of its evidence; what is veiled comes last."""
    if not statements:
        return [Heading(Plain(_("Notes")), 1), Paragraph((Plain(_("Nothing has been written yet.")),))]
    by_volume: Callable[[ShownStatement], int] = lambda each: (  # noqa: E731  (a key)
        volume_ord_of(each.evidence[0].pos) if each.evidence else 1 << 20
    )
    parts: list[Part] = []
    for volume, group in groupby(sorted(statements, key=by_volume), key=by_volume):
        parts.append(Heading(Plain(_notes_title(known, volume)), 1))
        parts += [_note(each, numbering) for each in group]
    return parts


def _notes_title(known: KnownWork, volume: int) -> str:
    volumes = known.where.outline.volumes
    title = next((each.title for each in volumes if each.ord == volume), "")
    if not title:
        return _("Without a passage")
    return title if len(volumes) > 1 else _("Notes")


def _note(statement: ShownStatement, numbering: Numbering) -> Paragraph:
    words = [_(_ROLE_WORDS[statement.role])]
    if not isinstance(statement.run, Veil):
        words.append(_(_VERDICT_WORDS[statement.verdict]))
    return Paragraph((*runs_of(statement, numbering), Plain(f"  ({_BETWEEN.join(words)})")))


def make_inspected(known: KnownWork) -> Page:
    """Return every point known, each with its number; its line leads to what is kept of it."""
    rows = tuple(
        LinkRow(
            PageLink(point.name, _key(point.id)),
            _BETWEEN.join((f"{point.id}", kind_word(point.kind), *(alias.form for alias in point.aliases[:4]))),
            point.count,
        )
        for point in known.points()
    )
    listing = Listing(rows, known.has_more())
    return Page(PageKey(PageKind.INSPECTOR), _("All that is kept"), _("inspector"), (), (listing,))


def _key(point: PointId) -> PageKey:
    return PageKey(PageKind.INSPECTOR, point=point)
