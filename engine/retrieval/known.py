"""What one reader may know of a work: points, tracks, casts and statements, already masked.

Everything that shows knowledge reads it here. Identities are followed as far as they are
revealed: before that the two stand apart under all their names, after it they are one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

from engine.domain.book import DocumentId, WorkId
from engine.domain.knowledge import PointKind
from engine.domain.locator import Locator, Pos, volume_ord_of
from engine.domain.statements import Role, ShownStatement, Verdict, WrittenBy
from engine.domain.wiki import KnownPoint, LockedEntry, NameInText, Plain, PointId, StatementId, Track, TrackNode
from engine.retrieval.called import best_name, shown_aliases
from engine.retrieval.where import Whereabouts
from engine.spoilers import masks
from engine.spoilers.masks import Showing
from engine.spoilers.policy import END, Bound
from engine.store import analyses, corrections, points, reading, told, wiki
from engine.store.connection import Connection
from engine.store.points import AliasRow, MentionRow, PointRow
from engine.store.wiki import TitleRow
from engine.text.fold import fold_words

_FIRST_PAGE_CHARS = 1200
"""What a chapter's glance may take its cast from before the chapter is read."""


class KnownWork:
    """A work's knowledge inside one snapshot of the library, at one bound.

    Attributes:
        bound: How far the request sees.
    """

    def __init__(
        self, r: Connection, work: WorkId, roster: int, bound: Bound, whereabouts: Callable[[], Whereabouts]
    ) -> None:
        self._r = r
        self._work = work
        self._roster = roster
        self.bound = bound
        self._whereabouts = whereabouts
        # An entry asks for the same several times; it is one request, and one snapshot.
        self._positions: dict[PointId, list[Pos]] = {}
        self._alias_rows: dict[PointId, list[AliasRow]] = {}
        self._met_rows: dict[PointId, PointRow | None] = {}
        self._track_rows: dict[PointId, Track] = {}

    @cached_property
    def where(self) -> Whereabouts:
        """The work's chapters."""
        return self._whereabouts()

    @property
    def key(self) -> str:
        """What tells one state of the work's names from another."""
        return f"{self._roster} {corrections.revision(self._r, self._work)}"

    @property
    def names_upto(self) -> Pos:
        """Up to where a look-up may find names."""
        return masks.hit_upto(self.bound)

    # Identities

    @cached_property
    def _met(self) -> dict[PointId, PointRow]:
        met = points.met_points(self._r, self._roster, masks.entry_upto(self.bound))
        return {row.id: row for row in met if self._showing(row) is Showing.SHOWN}

    @cached_property
    def _titles(self) -> dict[PointId, TitleRow]:
        return wiki.titles(self._r, self._work, masks.statement_upto(self.bound))

    def _showing(self, row: PointRow) -> Showing:
        title = self._titles.get(row.id) if self._titles else None
        return masks.mask_entry(row.known_pos, row.known_pos if title is None else title.unlock_pos, self.bound)

    @cached_property
    def _links(self) -> list[tuple[PointId, PointId]]:
        return points.links_known(self._r, self._work, masks.title_upto(self.bound))

    @cached_property
    def _groups(self) -> dict[PointId, tuple[PointId, ...]]:
        """Every point that is one with others, with all of them; the one named most comes first."""
        members: dict[PointId, set[PointId]] = {}
        for a, b in self._links:
            if self._row(a) is None or self._row(b) is None:
                continue
            both = members.get(a, {a}) | members.get(b, {b})
            members.update(dict.fromkeys(both, both))
        return {point: self._in_order(group) for point, group in members.items()}

    def _in_order(self, group: Iterable[PointId]) -> tuple[PointId, ...]:
        rows = [row for point in group if (row := self._row(point)) is not None]
        return tuple(row.id for row in sorted(rows, key=lambda row: (-row.weight, row.id)))

    def _row(self, point: PointId) -> PointRow | None:
        if "_met" in self.__dict__:
            return self._met.get(point)
        row = self._met_row(point)
        return row if row is not None and self._showing(row) is Showing.SHOWN else None

    def _met_row(self, point: PointId) -> PointRow | None:
        if point not in self._met_rows:
            upto = masks.entry_upto(self.bound)
            self._met_rows[point] = points.met_point(self._r, self._roster, point, upto)
        return self._met_rows[point]

    def members(self, point: PointId) -> tuple[PointId, ...]:
        """Return all points known to be one with a point, itself included; the first stands for all."""
        return self._groups.get(point, (point,))

    # Points

    def points(self) -> tuple[KnownPoint, ...]:
        """Return everybody and everything met, most mentions first."""
        aliases: dict[PointId, list[AliasRow]] = defaultdict(list)
        for alias in points.known_aliases(self._r, self._roster, masks.title_upto(self.bound)):
            aliases[self.members(alias.point)[0]].append(alias)
        counts = points.counts_by_alias(
            self._r, self._roster, masks.title_upto(self.bound), masks.track_upto(self.bound)
        )
        found = [
            self._known([self._met[member] for member in self.members(point)], aliases[point], counts)
            for point in self._met
            if self.members(point)[0] == point
        ]
        return tuple(sorted(found, key=lambda each: (-each.count, each.first_pos, each.id)))

    def point(self, point: PointId) -> KnownPoint | None:
        """Return a point as far as it is known, None when it has not been met."""
        rows = [row for member in self.members(point) if (row := self._row(member)) is not None]
        if not rows:
            return None
        aliases = self.aliases(point)
        counts = points.counts_of(self._r, [alias.id for alias in aliases], masks.track_upto(self.bound))
        return self._known(rows, aliases, counts)

    def locked(self) -> tuple[LockedEntry, ...]:
        """Return the entries whose title would tell too much, in the order they open; none in strict mode."""
        rows = [row for point in self._titles if (row := self._met_row(point)) is not None]
        locked = sorted(
            (self._titles[row.id].unlock_pos, row.id, row.kind) for row in rows if self._showing(row) is Showing.LOCKED
        )
        return tuple(LockedEntry(point, kind, self._unlocks(unlock_pos)) for unlock_pos, point, kind in locked)

    def aliases(self, point: PointId) -> list[AliasRow]:
        """Return the names known of a point, in the order they became known."""
        if point not in self._alias_rows:
            upto = masks.title_upto(self.bound)
            self._alias_rows[point] = points.aliases_of(self._r, self._roster, self.members(point), upto)
        return self._alias_rows[point]

    def name(self, point: PointId) -> str:
        """Return what a point is called; empty when it has not been met."""
        head = self.head(point)
        return "" if head is None else head[1]

    def head(self, point: PointId) -> tuple[PointKind, str] | None:
        """Return (kind, name) of a point, None when it has not been met; quicker than all of it."""
        rows = [row for member in self.members(point) if (row := self._row(member)) is not None]
        if not rows:
            return None
        aliases = self.aliases(point)
        forms = {alias.form for alias in aliases}
        if any(row.label or row.name in forms for row in rows):
            return rows[0].kind, self._called(rows, aliases, {})
        counts = points.counts_of(self._r, [alias.id for alias in aliases], masks.track_upto(self.bound))
        return rows[0].kind, self._called(rows, aliases, counts)

    def _called(self, rows: Sequence[PointRow], aliases: Sequence[AliasRow], counts: dict[int, int]) -> str:
        """Return the reader's own name, else the title written for the entry, else the best of the names."""
        titles = (self._titles.get(row.id) for row in rows if not row.label) if self._titles else ()
        written = next((title.words for title in titles if title is not None and title.words), "")
        return written or best_name(rows, aliases, counts)

    def text_of(self, document: DocumentId, start: int, end: int) -> str:
        """Return canonical text of a document."""
        return reading.text_of(self._r, document, start, end)

    def points_named(self, norms: Iterable[str]) -> dict[str, list[PointId]]:
        """Return by folded name the points met that are known under it."""
        found = points.points_named(self._r, self._roster, norms, self.names_upto).items()
        return {norm: met for norm, all_ in found if (met := [p for p in all_ if self._row(p) is not None])}

    def name_rows(self, after: Pos) -> Iterator[AliasRow]:
        """Yield the names known that were not yet at `after`, for a `NameIndex`."""
        return points.known_aliases(self._r, self._roster, self.names_upto, after=after)

    def has_more(self) -> bool:
        """Say whether the reader may be told that somebody comes whom she has not met."""
        has_more = points.is_more_beyond(self._r, self._roster, masks.entry_upto(self.bound))
        return masks.tells_of_more(self.bound, has_more=has_more)

    def has_more_of(self, text: str) -> bool:
        """Say whether the reader may be told that more comes under a name than she knows of."""
        beyond = points.is_name_beyond(self._r, self._roster, fold_words(text), self.names_upto)
        return masks.tells_of_more(self.bound, has_more=beyond)

    def _known(self, rows: Sequence[PointRow], aliases: Sequence[AliasRow], counts: dict[int, int]) -> KnownPoint:
        return KnownPoint(
            rows[0].id,
            rows[0].kind,
            self._called(rows, aliases, counts),
            shown_aliases(aliases, counts),
            sum(counts.get(alias.id, 0) for alias in aliases),
            min((alias.reveal_pos for alias in aliases), default=rows[0].known_pos),
        )

    # Where

    def track(self, point: PointId) -> Track:
        """Return the chapters in which a point appears; no node for somebody not met."""
        if point not in self._track_rows:
            self._track_rows[point] = self._track(point)
        return self._track_rows[point]

    def _track(self, point: PointId) -> Track:
        aliases = [alias.id for alias in self.aliases(point)] if self._row(point) is not None else []
        upto = masks.track_upto(self.bound)
        positions = self.positions(point)
        nodes: list[tuple[Pos, int]] = []
        at = 0
        while at < len(positions):
            border = self.where.next_border(positions[at])
            end = len(positions) if border is None else bisect_left(positions, border, at + 1)
            nodes.append((positions[at], end - at))
            at = end
        first = {row.pos: row for row in points.mentions_at(self._r, aliases, [pos for pos, _n in nodes])}
        return Track(
            tuple(self._node(first[pos], count) for pos, count in nodes),
            self.where.chapters_by_volume(upto),
            self.where.end > upto,
        )

    def _node(self, first: MentionRow, count: int) -> TrackNode:
        where = self.where
        volume, chapter = where.numbers_at(first.pos)
        locator = Locator(first.document, first.start, first.end)
        return TrackNode(where.short(first.pos), count, locator, first.pos, volume=volume, chapter=chapter)

    def positions(self, point: PointId) -> list[Pos]:
        """Return where a point is named, in story order; read once, for somebody may be named 15 000 times."""
        found = self._positions.get(point)
        if found is None:
            aliases = [alias.id for alias in self.aliases(point)] if self._row(point) is not None else []
            found = points.mention_positions(self._r, aliases, masks.track_upto(self.bound))
            self._positions[point] = found
        return found

    def marks(self, point: PointId) -> tuple[Pos, ...]:
        """Return where each chapter names a point first, as far as that may be marked; ahead only by a wish."""
        if not self.bound.wishes.marks_ahead:
            return tuple(masks.mask_marks((node.pos for node in self.track(point).nodes), self.bound))
        aliases = [alias.id for alias in self.aliases(point)] if self._row(point) is not None else []
        firsts: dict[Pos | None, Pos] = {}
        for pos in points.mention_positions(self._r, aliases, END):
            firsts.setdefault(self.where.next_border(pos), pos)
        return tuple(masks.mask_marks(firsts.values(), self.bound))

    def first_of_each_name(self, point: PointId, limit: int) -> list[MentionRow]:
        """Return the first mentions under each of a point's names, `limit` of each at most, in story order."""
        aliases = [alias.id for alias in self.aliases(point)] if self._row(point) is not None else []
        upto = masks.track_upto(self.bound)
        found = [row for alias in aliases for row in points.mentions_of(self._r, [alias], 0, upto, limit)]
        return sorted(found, key=lambda row: row.pos)

    def mentions(self, point: PointId, start: Pos = 0, limit: int = -1) -> list[MentionRow]:
        """Return where a point is named, in story order."""
        aliases = [alias.id for alias in self.aliases(point)] if self._row(point) is not None else []
        return points.mentions_of(self._r, aliases, start, masks.track_upto(self.bound), limit)

    def companions(self, point: PointId) -> list[tuple[PointId, int]]:
        """Return who appears in the same scenes and in how many, most first."""
        aliases = [alias.id for alias in self.aliases(point)] if self._row(point) is not None else []
        own = set(self.members(point))
        bound = (self._r, self._roster, aliases, masks.title_upto(self.bound), masks.track_upto(self.bound))
        if self._groups:
            scenes_with: dict[PointId, set[int]] = defaultdict(set)
            for other, scene in points.companions_of(*bound):
                scenes_with[self.members(other)[0]].add(scene)
            found = [(other, len(scenes)) for other, scenes in scenes_with.items()]
        else:
            found = points.companion_counts(*bound)
        return sorted((each for each in found if each[0] not in own), key=lambda each: (-each[1], each[0]))

    def counts_between(self, start: Pos, end: Pos) -> dict[PointId, int]:
        """Return how often each point met is named in a stretch, as far as it has been read."""
        read = min(end, masks.track_upto(self.bound))
        counts: Counter[PointId] = Counter()
        named = points.points_between(self._r, self._roster, start, read, masks.title_upto(self.bound))
        for point, count in named.items():
            if self._row(point) is not None:
                counts[self.members(point)[0]] += count
        return dict(counts)

    def cast(self, chapter_start: Pos, chapter_end: Pos) -> tuple[KnownPoint, ...]:
        """Return the people of a chapter whom the reader knows: those of its first page, and as far as she has read."""
        read = min(chapter_end, max(chapter_start + _FIRST_PAGE_CHARS, masks.track_upto(self.bound)))
        counts: Counter[PointId] = Counter()
        named = points.points_between(self._r, self._roster, chapter_start, read, masks.title_upto(self.bound))
        for point, count in named.items():
            counts[self.members(point)[0]] += count
        known = (self.point(point) for point, _count in counts.most_common())
        return tuple(each for each in known if each is not None and each.kind is PointKind.PERSON)

    def names_in(self, document: DocumentId, start: int, end: int) -> tuple[NameInText, ...]:
        """Return the known names in a range of a document, the longest where two overlap."""
        found: list[NameInText] = []
        done = -1
        for first, last, point in points.names_between(
            self._r, self._roster, document, start, end, masks.title_upto(self.bound)
        ):
            if first >= done and not (self._titles and self._row(point) is None):
                found.append(NameInText(first, last, self.members(point)[0]))
                done = last
        return tuple(found)

    # What is written

    def statements(
        self, point: PointId | None = None, revealed: frozenset[StatementId] = frozenset()
    ) -> tuple[ShownStatement, ...]:
        """Return what is written about a point, or with None about the work, in its order.

        Args:
            point: Who or what; nothing is returned for somebody not met.
            revealed: What the reader has asked to see before its time.
        """
        if point is not None and self._row(point) is None:
            return ()
        rows = wiki.statements(
            self._r,
            self._work,
            None if point is None else self.members(point),
            masks.statement_upto(self.bound),
            veils_marked=masks.veils_marked(self.bound),
            revealed=revealed,
        )
        evidence = wiki.evidence_of(self._r, [row.id for row in rows if row.words is not None])
        return tuple(
            ShownStatement(
                row.id,
                None if point is None else self.members(point)[0],
                row.role,
                row.section,
                row.ord,
                masks.mask_statement(
                    row.id, row.words, row.length, self._unlocks(row.unlock_pos), self.bound, is_asked=row.is_asked
                ),
                row.verdict,
                tuple(evidence.get(row.id, ())),
            )
            for row in rows
        )

    def told(self, role: Role) -> list[ShownStatement]:
        """Return what is written of a role over the whole work and may be read, in its order."""
        return told.told(self._r, self._work, role, masks.statement_upto(self.bound), masks.veils_marked(self.bound))

    def planned(self) -> list[PointId]:
        """Return who and what a model has planned entries of, the most important first, met or not."""
        return [point for point, _tier in analyses.plan_of(self._r, self._work)]

    def writers(self, statements: Sequence[ShownStatement]) -> list[WrittenBy]:
        """Return which models wrote statements, those left out that are veiled."""
        return wiki.writers_of(self._r, [each.id for each in statements if isinstance(each.run, Plain)])

    def glance_statements(self, start: Pos, end: Pos) -> tuple[ShownStatement, ...]:
        """Return what may be told of a chapter before it is read: recaps of what came before, and its own teaser."""
        veils_marked = masks.veils_marked(self.bound)
        found = wiki.glance_candidates(self._r, self._work, start, end, veils_marked=veils_marked)
        told = [id_ for id_, role, unlock in found if masks.is_in_glance(role, unlock, start, self.bound)]
        evidence = wiki.evidence_of(self._r, told)
        return tuple(
            ShownStatement(id_, None, role, 0, 0, Plain(words), Verdict.SUPPORT, tuple(evidence.get(id_, ())))
            for id_, role, words in wiki.words_of(self._r, told)
        )

    def has_statement(self, statement: StatementId) -> bool:
        """Say whether a statement stands, veiled or not, where the reader can see it."""
        about = wiki.point_of(self._r, self._work, statement)
        return about is not None and (about == 0 or self._row(about) is not None)

    def _unlocks(self, pos: Pos) -> str:
        """Return the chapter in which a statement that unlocks at the end of a block can be read."""
        return self.where.long(max(0, pos - 1)) if volume_ord_of(pos) < len(self.where.outline.volumes) else ""
