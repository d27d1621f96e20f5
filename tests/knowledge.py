"""Works with known names: hand-made points found in real text, in a real library."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.analysis.adding import write_added
from engine.analysis.evidence import open_desk, prepare_statement
from engine.analysis.naming import write_roster
from engine.analysis.rules.clusters import Findings, Link, NameCluster
from engine.analysis.rules.roster import build_roster
from engine.domain.book import DocumentId, WorkId
from engine.domain.knowledge import AliasKind, PointKind
from engine.domain.locator import Locator
from engine.domain.statements import NewStatement
from engine.domain.wiki import KnownPoint, StatementId
from engine.library import Library
from engine.spoilers.policy import WHOLE, Reach, Upto
from engine.store import corrections, points, rosters, wiki
from engine.store.blocks import blocks_of_work
from tests.shelving import document_of, shelve


def named(
    name: str,
    *others: str,
    kind: PointKind = PointKind.PERSON,
    links: Iterable[Link] = (),
    kinds: dict[str, AliasKind] | None = None,
) -> NameCluster:
    """Make a point under some names; the first is the proper one."""
    forms = dict.fromkeys((name, *others), AliasKind.FULL) | (kinds or {})
    return NameCluster(kind, name, forms, tuple(links))


def shelve_story(library: Library, *chapters: Sequence[str], language: str = "en", sha256: str = "a" * 64) -> WorkId:
    """Shelve a work of one volume whose chapters are lists of paragraphs."""
    documents = [document_of(chapter, spine_index=n) for n, chapter in enumerate(chapters)]
    return shelve(library._store, documents, language=language, sha256=sha256)


def know(library: Library, work: WorkId, *clusters: NameCluster) -> int:
    """Write and publish a roster of hand-made points, as the background process does; returns the roster."""
    store = library._store
    with store.read() as r:
        placed = list(blocks_of_work(r, work))
        volumes = rosters.volumes_key(r, work)
    found = build_roster([each.block for each in placed], Findings(list(clusters)))
    roster = write_roster(store, work, volumes, placed, found, lambda _done, _total: None)
    write_added(store, work, roster)
    with store.write() as w:
        assert rosters.publish_roster(w, work, roster)
        corrections.replay(w, work, roster)
        w.execute("UPDATE job SET state = 'done' WHERE kind = 'rules'")
    return roster


def point_called(library: Library, work: WorkId, name: str, upto: Upto = WHOLE) -> KnownPoint:
    """Return the one point of that name."""
    [point] = [each for each in library.entities(work, upto) if each.name == name]
    return point


def upto_words(library: Library, work: WorkId, words: str, *, is_through: bool = True) -> Upto:
    """Return the bound of a reader who has read up to the end, or to the start, of some words."""
    document, offset = place_of(library, work, words)
    end = offset + (len(words) if is_through else 0)
    return Upto(Reach.PLACE, Locator(document, end, end))


def place_of(library: Library, work: WorkId, words: str) -> tuple[DocumentId, int]:
    """Return (document, offset) of the first place where words stand in the reading order."""
    for volume in library.outline(work).volumes:
        for document in volume.documents:
            at = library.text_of(document.id, 0, document.length).find(words)
            if at >= 0:
                return document.id, at
    raise AssertionError(f"not in the work: {words}")


def write_statement(library: Library, work: WorkId, statement: NewStatement) -> StatementId:
    """Write a statement as the analysis does: its quotations are looked for in the text, and its unlock is computed."""
    store = library._store
    with store.read() as r:
        roster = points.visible_roster(r, work)
        assert roster is not None
        ready = prepare_statement(r, work, statement, open_desk(r, work, roster))
    with store.write() as w:
        return wiki.add_statement(w, work, ready.statement, ready.found, roster=roster, unlock_pos=ready.unlock_pos)
