"""From a work's text to the roster readers see: the analyst's findings, written under ids that stay."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from time import monotonic

from engine.analysis.rules.analyst import analyse
from engine.analysis.rules.checks import GoOn
from engine.domain.book import WorkId
from engine.domain.knowledge import FoundPoint, Roster
from engine.domain.locator import Pos
from engine.domain.wiki import PointId
from engine.store import rosters
from engine.store.blocks import PlacedBlock, blocks_of_work
from engine.store.rosters import AliasRows
from engine.store.store import Store

_MENTIONS_AT_ONCE = 3000
"""Rows of occurrences a transaction writes: 15 ms under the write lock."""
_POINTS_AT_ONCE = 200
_SCENES_AT_ONCE = 200
_PAUSE_S = 0.1

Progress = Callable[[int, int], None]
"""Told (steps done, steps in all); raises to stop between two transactions."""


def write_names(store: Store, work: WorkId, language: str, volumes: str, go_on: Progress) -> tuple[int, Roster]:
    """Analyse a work's text and write its roster, which nobody sees yet.

    Args:
        store: The library.
        work: Whose text.
        language: BCP 47.
        volumes: State of the text, as `rosters.volumes_key` told it before it was read.
        go_on: Asked between transactions, and while the text is analysed.

    Returns:
        The growing roster, and what is in it.
    """
    with store.read() as r:
        placed = list(blocks_of_work(r, work))
    go_on(0, 0)
    found = analyse([each.block for each in placed], language, _paced(go_on))
    return write_roster(store, work, volumes, placed, found, go_on), found


def _paced(go_on: Progress) -> GoOn:
    """Ask no more often than each 100 ms: the answer is in the database."""
    asked = monotonic()

    def ask() -> None:
        nonlocal asked
        if monotonic() - asked >= _PAUSE_S:
            go_on(0, 0)
            asked = monotonic()

    return ask


def write_roster(
    store: Store, work: WorkId, volumes: str, placed: Sequence[PlacedBlock], found: Roster, go_on: Progress
) -> int:
    """Write what the analyst found as a growing roster and return it.

    Args:
        store: The library.
        work: Whose roster.
        volumes: State of the text it was found in.
        placed: The blocks it was found in.
        found: What was found.
        go_on: Asked between transactions.
    """
    with store.read() as r:
        before = rosters.known_forms(r, work)
    total = len(found.points) + len(found.scenes)
    go_on(0, total)
    with store.write(bulk=True) as w:
        roster = rosters.begin_roster(w, work, volumes)
    ids = _write_points(store, work, roster, found, kept_ids(found.points, before))
    aliases = _write_aliases(store, roster, found, ids, placed, lambda done: go_on(done, total))
    _write_scenes(store, roster, found, aliases, placed, lambda done: go_on(len(found.points) + done, total))
    return roster


def kept_ids(found: Sequence[FoundPoint], before: Sequence[tuple[PointId, str, str, int]]) -> dict[int, PointId]:
    """Return the ids that points of an earlier roster hand on, by index of the new point.

    A point is its predecessor where the two share a form and the kind; of several candidates the
    pair with most mentions under shared forms is matched first, and each id is given once.
    """
    by_form: dict[tuple[str, str], list[tuple[PointId, int]]] = defaultdict(list)
    for earlier, kind, form, count in before:
        by_form[kind, form].append((earlier, count))
    shared: Counter[tuple[int, PointId]] = Counter()
    for index, point in enumerate(found):
        for alias in point.aliases:
            bonus = 2 if alias.form == point.name else 1
            for old, count in by_form.get((point.kind, alias.form), ()):
                shared[index, old] += (min(count, alias.count) + 1) * bonus
    kept: dict[int, PointId] = {}
    taken: set[PointId] = set()
    for (index, old), _weight in sorted(shared.items(), key=lambda item: (-item[1], item[0])):
        if index not in kept and old not in taken:
            kept[index] = old
            taken.add(old)
    return kept


def _write_points(store: Store, work: WorkId, roster: int, found: Roster, kept: Mapping[int, PointId]) -> list[PointId]:
    ids: list[PointId] = []
    for first in range(0, len(found.points), _POINTS_AT_ONCE):
        part = found.points[first : first + _POINTS_AT_ONCE]
        with store.write(bulk=True) as w:
            some = [kept.get(first + i) or rosters.new_point(w, work) for i in range(len(part))]
            rosters.add_points(w, roster, zip(some, part, strict=True))
        ids += some
    return ids


def _write_aliases(
    store: Store,
    roster: int,
    found: Roster,
    ids: Sequence[PointId],
    placed: Sequence[PlacedBlock],
    go_on: Callable[[int], None],
) -> dict[tuple[int, int], int]:
    """Write names and occurrences; returns the id of each name by (point index, alias index)."""
    places = [(each.block.pos, each.document, each.start) for each in placed]
    written: dict[tuple[int, int], int] = {}
    waiting: list[tuple[tuple[int, int], AliasRows]] = []
    size = 0
    for index, (point, known) in enumerate(zip(ids, found.points, strict=True)):
        for which, rows in enumerate(rosters.alias_rows(roster, point, known, places)):
            waiting.append(((index, which), rows))
            size += len(rows.mentions) + 1
        if size >= _MENTIONS_AT_ONCE:
            written |= _flush(store, waiting)
            waiting, size = [], 0
            go_on(index + 1)
    return written | _flush(store, waiting)


def _flush(store: Store, waiting: Sequence[tuple[tuple[int, int], AliasRows]]) -> dict[tuple[int, int], int]:
    """Write names, then their occurrences in portions of one short transaction each."""
    with store.write(bulk=True) as w:
        written = {key: rosters.add_alias(w, rows) for key, rows in waiting}
    occurrences = ((written[key], mention) for key, rows in waiting for mention in rows.mentions)
    while some := list(islice(occurrences, _MENTIONS_AT_ONCE)):
        with store.write(bulk=True) as w:
            rosters.add_mentions(w, some)
    return written


def _write_scenes(
    store: Store,
    roster: int,
    found: Roster,
    aliases: Mapping[tuple[int, int], int],
    placed: Sequence[PlacedBlock],
    go_on: Callable[[int], None],
) -> None:
    firsts = _first_in_scenes(found, aliases, placed)
    scenes = iter(enumerate(found.scenes, 1))
    while some := list(islice(scenes, _SCENES_AT_ONCE)):
        with store.write(bulk=True) as w:
            for number, scene in some:
                rosters.add_scene(w, roster, scene.pos, scene.pos_end, firsts[number - 1].items())
        go_on(some[-1][0])


def _first_in_scenes(
    found: Roster, aliases: Mapping[tuple[int, int], int], placed: Sequence[PlacedBlock]
) -> list[dict[int, Pos]]:
    scene_of = {block: i for i, s in enumerate(found.scenes) for block in range(s.first_block, s.last_block + 1)}
    firsts: list[dict[int, Pos]] = [{} for _ in found.scenes]
    for index, point in enumerate(found.points):
        for mention in point.mentions:
            scene = scene_of.get(mention.block)
            if scene is not None:
                pos = placed[mention.block].block.pos + mention.start
                firsts[scene].setdefault(aliases[index, mention.alias], pos)
    return firsts
