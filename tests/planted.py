"""Every view of the library over works with planted facts.

A marker that is seen before the place where its fact stands is a leak. What is planted stands in `tests/planting.py`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence

from engine.domain.knowledge import PointKind
from engine.domain.locator import Locator, Pos
from engine.domain.wiki import (
    Cite,
    Facts,
    Listing,
    Page,
    PageKey,
    PageKind,
    Paragraph,
    Plain,
    PointId,
    Quotation,
    Revealed,
    Sources,
    Track,
)
from engine.errors import EntryUnknownError
from engine.spoilers.policy import Mode, Upto, Wishes
from engine.wiki.markdown import MarkdownWriter, plain_lines
from tests.planted_asking import asked_everywhere
from tests.planted_finding import everything, neighbours, passages, search, search_notes
from tests.planted_seen import Seen
from tests.planting import Planted
from tui.render.wiki_rows import lay_out
from tui.render.wiki_setting import WikiOptions

# Views

View = Callable[[Planted, Upto, Mode], Seen]


def _entities(planted: Planted, upto: Upto, mode: Mode) -> Seen:
    found = planted.library.entities(planted.work, upto, mode)
    return Seen(
        repr(found),
        [place for point in found for place in (point.first_pos, *(alias.reveal_pos for alias in point.aliases))],
        [frozenset(alias.form for alias in point.aliases) for point in found],
        listed=frozenset(point.name for point in found),
    )


def _point(planted: Planted, upto: Upto, mode: Mode) -> Seen:
    found = [planted.library.point(planted.work, point, upto, mode) for point in planted.points.values()]
    return Seen(repr(found), joined=[frozenset(alias.form for alias in p.aliases) for p in found if p])


def _more(planted: Planted, upto: Upto, mode: Mode) -> Seen:
    return Seen(tells_of_more=planted.library.has_more(planted.work, upto, mode))


def _resolve(planted: Planted, upto: Upto, mode: Mode) -> Seen:
    texts = [fact.marker for fact in planted.facts] + [f"{fact.marker}x" for fact in planted.facts] + ["Ilse", "Orla"]
    found = [planted.library.resolve(planted.work, text, None, upto, mode) for text in texts]
    return Seen(repr(found))


def _beyond(planted: Planted, upto: Upto, mode: Mode) -> Seen:
    library, work = planted.library, planted.work
    texts = [fact.marker for fact in planted.facts]
    return Seen(tells_of_more=any(library.is_named_beyond(work, text, upto, mode) for text in texts))


def _marks(planted: Planted, upto: Upto, mode: Mode) -> Seen:
    """What the bar marks for a reader who wishes for marks ahead: in auto she gets them, bare."""
    planted.library.wishes = Wishes(marks_ahead=True)
    pages = [_page(planted, PageKey(PageKind.ENTRY, point=p), upto, mode) for p in _some_points(planted)]
    planted.library.wishes = Wishes()
    seen = _paged([page for page in pages if page is not None], planted)
    marks = _marked([page for page in pages if page is not None])
    seen.places = [place for place in seen.places if mode is Mode.STRICT or place not in marks]
    return seen


def _marked(pages: Sequence[Page]) -> list[Pos]:
    return [pos for page in pages for part in page.parts if isinstance(part, Track) for pos in part.marks]


def _tracks(planted: Planted, upto: Upto, mode: Mode) -> Seen:
    tracks = [planted.library.track(planted.work, point, upto, mode) for point in planted.points.values()]
    return _led([node.locator for track in tracks for node in track.nodes], planted)


def _appearances(planted: Planted, upto: Upto, mode: Mode) -> Seen:
    library = planted.library
    return _led(
        [at for p in planted.points.values() for at in library.appearances(planted.work, p, -1, upto, mode)], planted
    )


def _led(locators: Sequence[Locator], planted: Planted) -> Seen:
    words = [planted.library.text_of(at.document, at.start, at.end) for at in locators]
    return Seen("\n".join(words), [planted.pos(at) for at in locators])


def _counts(planted: Planted, upto: Upto, mode: Mode) -> Seen:
    """A count above what has been read counts as a place beyond the boundary."""
    hero = planted.library.point(planted.work, planted.hero, upto, mode)
    read = planted.library.appearances(planted.work, planted.hero, -1, upto, mode)
    return Seen(places=[planted.end] if hero is not None and hero.count > len(read) else [])


def _underlines(planted: Planted, upto: Upto, mode: Mode) -> Seen:
    texts: list[str] = []
    for volume in planted.index.outline.volumes:
        for document in volume.documents:
            for name in planted.library.names_in(document.id, 0, document.length, upto, mode):
                texts.append(planted.library.text_of(document.id, name.start, name.end))
    return Seen("\n".join(texts))


def _statements(planted: Planted, upto: Upto, mode: Mode) -> Seen:
    library, hero = planted.library, planted.hero
    found = [*library.statements(planted.work, hero, upto=upto, spoilers=mode)]
    found += library.statements(planted.work, upto=upto, spoilers=mode)
    shown = [each for each in found if isinstance(each.run, Plain | Revealed)]
    return Seen(repr(found), [evidence.pos for each in shown for evidence in each.evidence])


def _wiki_entries(planted: Planted, upto: Upto, mode: Mode) -> Seen:
    keys = [PageKey(kind, point=p) for kind in (PageKind.ENTRY, PageKind.INSPECTOR) for p in _some_points(planted)]
    pages = [_page(planted, key, upto, mode) for key in (*keys, PageKey(PageKind.INSPECTOR))]
    return _paged([page for page in pages if page is not None], planted)


def _some_points(planted: Planted) -> list[PointId]:
    other = next(point for point in planted.points.values() if point != planted.hero)
    return [planted.hero, *(planted.points[name] for name in planted.pair), other]


def _wiki_lists(planted: Planted, upto: Upto, mode: Mode) -> Seen:
    keys = [PageKey(PageKind.HOME), PageKey(PageKind.INDEX)]
    keys += [PageKey(PageKind.CATEGORY, category=kind) for kind in PointKind]
    keys += [PageKey(PageKind.VOLUME, volume_ord=volume.ord) for volume in planted.index.outline.volumes]
    pages = [_page(planted, key, upto, mode) for key in keys]
    return _paged([page for page in pages if page is not None], planted)


def _wiki_glances(planted: Planted, upto: Upto, mode: Mode) -> Seen:
    """Glances of every third chapter; the first sentence of the next one is meant to be seen before it is read."""
    keys = [PageKey(PageKind.GLANCE, pos=chapter.pos) for chapter in planted.index.chapters[::3]]
    return _paged([page for key in keys if (page := _page(planted, key, upto, mode)) is not None], planted)


def _wiki_on_paper(planted: Planted, upto: Upto, mode: Mode) -> Seen:
    """Pages as the commands print them and as a screen draws them."""
    writer = MarkdownWriter(str, lambda _key: "")
    keys = [PageKey(PageKind.HOME), *(PageKey(PageKind.ENTRY, point=p) for p in _some_points(planted))]
    pages = [page for key in keys if (page := _page(planted, key, upto, mode)) is not None]
    lines = [line for page in pages for line in (*writer.page(page), *plain_lines(page))]
    rows = [row.text for page in pages for row in lay_out(page, WikiOptions(60, is_unfolded=True)).rows]
    # A row may end anywhere; a marker is found across the ends.
    return Seen("\n".join(lines) + "".join(row.strip() for row in rows))


def _page(planted: Planted, key: PageKey, upto: Upto, mode: Mode) -> Page | None:
    try:
        return planted.library.page(planted.work, key, upto=upto, spoilers=mode)
    except EntryUnknownError:
        return None


def _paged(pages: Sequence[Page], planted: Planted) -> Seen:
    parts = [part for page in pages for part in page.parts]
    runs = [run for part in parts if isinstance(part, Paragraph) for run in part.runs]
    runs += [run for part in parts if isinstance(part, Facts) for _label, cell in part.rows for run in cell]
    places = [run.locator for run in runs if isinstance(run, Cite)]
    places += [part.locator for part in parts if isinstance(part, Quotation)]
    places += [node.locator for part in parts if isinstance(part, Track) for node in part.nodes]
    places += [source.locator for part in parts if isinstance(part, Sources) for source in part.rows]
    return Seen(
        repr(pages),
        [*map(planted.pos, places), *_marked(pages)],
        [frozenset((page.title, *page.also)) for page in pages],
        any(part.has_more_to_come for part in parts if isinstance(part, Listing)),
        frozenset(row.link.text for part in parts if isinstance(part, Listing) for row in part.rows),
    )


def _audit(planted: Planted, upto: Upto, mode: Mode) -> Seen:
    """Sentences drawn for a person to judge, and those that did not stand."""
    library = planted.library
    samples = [library.audit_samples(planted.work, seed, upto, mode) for seed in range(3)]
    return Seen(repr((samples, library.dropped(planted.work, upto, mode))))


def _asking(planted: Planted, upto: Upto, mode: Mode) -> Seen:
    return Seen(asked_everywhere(planted.library, planted.work, list(planted.points)[:4], upto, mode))


def _segments(planted: Planted, upto: Upto, mode: Mode) -> Seen:
    found = planted.library.segments(planted.work, upto, mode)
    led = _led([at for each in found for at in each.locators], planted)
    return Seen(f"{found!r}{led.words}", led.places)


VIEWS: dict[str, View] = {
    "everything": everything,
    "asking": _asking,
    "audit": _audit,
    "entities": _entities,
    "point": _point,
    "more": _more,
    "resolve": _resolve,
    "names beyond": _beyond,
    "marks": _marks,
    "track": _tracks,
    "appearances": _appearances,
    "counts": _counts,
    "underlines": _underlines,
    "statements": _statements,
    "wiki entries": _wiki_entries,
    "wiki lists": _wiki_lists,
    "wiki glances": _wiki_glances,
    "wiki on paper": _wiki_on_paper,
    "search": search,
    "neighbours": neighbours,
    "search in notes": search_notes,
    "passages": passages,
    "segments": _segments,
}
"""Every method of the library that shows what is known; a new one joins here."""


def leaks(planted: Planted, pos: Pos, mode: Mode, view: str) -> Iterator[str]:
    """Yield what a view of the library shows to a reader at a pos that she may not see."""
    yield from leaks_in(planted, pos, mode, view, VIEWS[view](planted, planted.upto(pos), mode))


def leaks_in(planted: Planted, pos: Pos, mode: Mode, view: str, seen: Seen) -> Iterator[str]:
    """Yield what a reader at a pos has seen that she may not see."""
    for fact in planted.facts:
        if fact.marker in seen.words and (fact.told > pos or (fact.is_marked and mode is Mode.STRICT)):
            yield f"{view} at {pos} in {mode}: {fact.marker} of {fact.told}"
    for title in planted.titles:
        if mode is Mode.STRICT and title.told > pos and title.marker in seen.words:
            yield f"{view} at {pos} in {mode}: the title {title.marker} of {title.told}"
    for name, told in planted.locked.items():
        if told > pos and name in seen.listed:
            yield f"{view} at {pos} in {mode}: lists {name}, whose title is told at {told}"
    for place in seen.places:
        if place > pos:
            yield f"{view} at {pos} in {mode}: leads to {place}"
    if pos < planted.revealed and any(set(planted.pair) <= names for names in seen.joined):
        yield f"{view} at {pos} in {mode}: {planted.pair} are one"
    if seen.tells_of_more and mode is not Mode.AUTO:
        yield f"{view} at {pos} in {mode}: tells of more"


def triples(
    planted: Planted, count: int, seed: int, views: Sequence[str] | Mapping[str, object] = VIEWS
) -> Iterator[tuple[Pos, Mode, str]]:
    """Yield random boundaries, half of them close to where a fact is told, with a mode and a view."""
    rng, names = random.Random(seed), list(views)
    for number in range(count):
        pos = planted.index.pos_at_work_share(rng.random())
        if number % 2:
            pos = max(0, rng.choice(planted.facts).told - rng.choice([1, 1, 2, 30, 300]))
        yield pos, rng.choice([Mode.AUTO, Mode.STRICT]), rng.choice(names)
