"""From names to a roster: where they stand, since when they are known, who appears with whom."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from engine.analysis.rules.checks import GoOn, carry_on, checked
from engine.analysis.rules.clusters import ChapterKey, Findings, Link, NameCluster, reveal_positions
from engine.analysis.rules.occurrences import Occurrence, find_occurrences
from engine.domain.knowledge import (
    AliasKind,
    ChapterCast,
    Companionship,
    FoundAlias,
    FoundPoint,
    Mention,
    PointKind,
    Roster,
    Scene,
    TextBlock,
)
from engine.domain.locator import Pos, volume_ord_of

_LONGEST_SCENE_BLOCKS = 200
"""A chapter without breaks is cut here, so that "in one scene" keeps its meaning."""
_LONGEST_SCENE_CHARS, _LONGEST_WIDE_SCENE_CHARS = 6000, 2500
"""Likewise; in a script without spaces a character says more. 三国演义 has no break within its chapters."""
_NEAR_BLOCKS = 40
"""How far back a sure mention still tells whom a shared name means."""

_SHORT = 2
"""Characters of a courtesy name without the family's."""
_COMPANY_CHARS = 8_000
"""How near another mention of the bearer stands; a chapter or two."""
_CLUSTERS_A_CHECK = 100
_SCENES_A_CHECK = 20

_RIVAL = 3
"""How many times rarer than the likeliest bearer another one may be to be meant by a shared name."""


def build_roster(blocks: Sequence[TextBlock], findings: Findings, go_on: GoOn = carry_on) -> Roster:
    """Find the forms in the text and draw up the roster; clusters that never occur are left out."""
    clusters = findings.clusters
    bearers = _bearers_by_form(clusters)
    occurrences = _without_namesakes(find_occurrences(blocks, bearers, go_on), blocks, findings)
    go_on()
    owned = _assign(occurrences, bearers, clusters)
    owned = [_without_stray_words(cluster, those, blocks) for cluster, those in zip(clusters, owned, strict=True)]
    first = _first_positions(blocks, occurrences)
    points = [
        point
        for cluster, mentions in checked(zip(clusters, owned, strict=True), go_on, _CLUSTERS_A_CHECK)
        if (point := _point(cluster, mentions, first, bearers, blocks)) is not None
    ]
    points.sort(key=lambda point: (-point.count, point.first_pos, point.name))
    go_on()
    scenes = tuple(_scenes(blocks, points))
    go_on()
    return Roster(
        points=tuple(points),
        scenes=scenes,
        casts=tuple(_casts(blocks, points)),
        companions=_companions(points, scenes, go_on),
        hints=tuple(findings.hints),
    )


def _bearers_by_form(clusters: Sequence[NameCluster]) -> dict[str, list[int]]:
    """Return the clusters of each form to look for, the likeliest first."""
    bearers: dict[str, list[int]] = defaultdict(list)
    for index, cluster in enumerate(clusters):
        for form, kind in cluster.forms.items():
            if kind is not AliasKind.READING:  # kana as they stand in the text mostly belong to other words
                bearers[form].append(index)
    return {form: sorted(those, key=lambda c: form in clusters[c].yields) for form, those in bearers.items()}


def _without_namesakes(
    occurrences: list[Occurrence], blocks: Sequence[TextBlock], findings: Findings
) -> list[Occurrence]:
    """Leave out the places of a form where it names another."""
    if not findings.namesakes:
        return occurrences
    nowhere: frozenset[ChapterKey] = frozenset()
    return [
        each
        for each in occurrences
        if _chapter_of(blocks[each.block]) not in findings.namesakes.get(each.form, nowhere)
    ]


def _chapter_of(block: TextBlock) -> ChapterKey:
    return volume_ord_of(block.pos), block.chapter


def _assign(
    occurrences: Sequence[Occurrence], bearers: Mapping[str, Sequence[int]], clusters: Sequence[NameCluster]
) -> list[list[Occurrence]]:
    """Give each occurrence to one cluster: a shared form to the bearer surely named last, else to the likeliest.

    A bearer named much less often cannot take a form away from the likeliest, and nobody a bare family name.
    """
    owned: list[list[Occurrence]] = [[] for _ in clusters]
    sure = Counter(bearers[o.form][0] for o in occurrences if len(bearers[o.form]) == 1)
    rivals = {form: _rivals(form, those, sure, clusters) for form, those in bearers.items() if len(those) > 1}
    last_sure: dict[int, int] = {}
    for occurrence in occurrences:
        those = rivals.get(occurrence.form)
        if those is None:
            owner = bearers[occurrence.form][0]
            last_sure[owner] = occurrence.block
        else:
            near = [c for c in those if occurrence.block - last_sure.get(c, -_NEAR_BLOCKS - 1) <= _NEAR_BLOCKS]
            owner = max(near, key=lambda c: last_sure[c]) if near else those[0]
        owned[owner].append(occurrence)
    return owned


def _without_stray_words(
    cluster: NameCluster, mentions: list[Occurrence], blocks: Sequence[TextBlock]
) -> list[Occurrence]:
    """Leave out what reads like a courtesy name where its bearer is far: 思远 in 不思远图, 奉先 in 奉先帝.

    Two characters with a meaning each stand side by side by chance as well.
    """
    words = {form for form, kind in cluster.forms.items() if kind is AliasKind.COURTESY and len(form) == _SHORT}
    if not words:
        return mentions
    stated = {(form, link.pos) for link in cluster.links for form in (link.a, link.b)}
    places = [blocks[each.block].pos + each.start for each in mentions]
    near = [
        (each.form, blocks[each.block].pos_end) in stated
        or (i > 0 and places[i] - places[i - 1] <= _COMPANY_CHARS)
        or (i + 1 < len(places) and places[i + 1] - places[i] <= _COMPANY_CHARS)
        for i, each in enumerate(mentions)
    ]
    kept = [each for each, is_near in zip(mentions, near, strict=True) if is_near or each.form not in words]
    return kept or mentions


def _rivals(form: str, those: Sequence[int], sure: Mapping[int, int], clusters: Sequence[NameCluster]) -> Sequence[int]:
    """Return whom a shared form may mean, the likeliest first."""
    likeliest = those[0]
    if clusters[likeliest].forms[form] is AliasKind.FAMILY:
        return [likeliest]
    if clusters[likeliest].forms[form] is AliasKind.ROLE:  # a throne, however briefly somebody sits on it
        return those
    return [c for c in those if _RIVAL * sure.get(c, 0) >= sure.get(likeliest, 0)]


def _first_positions(blocks: Sequence[TextBlock], occurrences: Sequence[Occurrence]) -> dict[str, Pos]:
    first: dict[str, Pos] = {}
    for occurrence in occurrences:
        first.setdefault(occurrence.form, blocks[occurrence.block].pos + occurrence.start)
    return first


def _point(
    cluster: NameCluster,
    mentions: Sequence[Occurrence],
    first: Mapping[str, Pos],
    bearers: Mapping[str, Sequence[int]],
    blocks: Sequence[TextBlock],
) -> FoundPoint | None:
    here = {form: first[form] for form in cluster.forms if form in first}
    if not mentions or not here:
        return None
    name = cluster.name if cluster.name in here else max(here, key=lambda form: (not form.isupper(), len(form), form))
    here.update({link.a: link.pos for link in cluster.links if cluster.forms.get(link.a) is AliasKind.READING})
    # A form others bear too may stand in the text long before this one is met.
    met = blocks[mentions[0].block].pos + mentions[0].start
    shared = {form for form in here if len(bearers.get(form, ())) > 1}
    places = [(mention.form, blocks[mention.block].pos + mention.start) for mention in mentions]
    revealed = _reveal_best(here, cluster, name, shared, places)
    reveal = {form: max(pos, met) for form, pos in revealed.items()}
    counts = Counter(occurrence.form for occurrence in mentions)
    aliases = sorted(
        (
            FoundAlias(
                form, cluster.forms[form], here[form], reveal[form], counts[form], len(bearers.get(form, ())) > 1
            )
            for form in here
        ),
        key=lambda alias: (alias.reveal_pos, alias.first_pos, alias.form),
    )
    index = {alias.form: i for i, alias in enumerate(aliases)}
    return FoundPoint(
        kind=cluster.kind,
        name=name,
        aliases=tuple(aliases),
        mentions=tuple(Mention(o.block, o.start, o.end, index[o.form]) for o in mentions),
        is_listed=cluster.is_listed,
    )


def _reveal_best(
    here: Mapping[str, Pos],
    cluster: NameCluster,
    name: str,
    shared: Collection[str],
    places: Sequence[tuple[str, Pos]],
) -> dict[str, Pos]:
    """Return the reveal of every form, from that root which leaves the fewest mentions unknown where they stand.

    A nickname long before the proper name is the root, a courtesy name that is somebody else's word before is not;
    nor is a throne that others sat on.
    """
    own = [form for form in here if form not in shared] or list(here)
    earliest = min(own, key=lambda form: (here[form], -len(form), form))
    ways = [_reveal_all(here, cluster.links, name, root) for root in dict.fromkeys((name, earliest)) if root in own]
    return min(ways, key=lambda reveal: sum(pos < reveal[form] for form, pos in places))


def _reveal_all(here: Mapping[str, Pos], links: Sequence[Link], name: str, root: str) -> dict[str, Pos]:
    """Return the reveal of every form; one that no link reaches is known where it and the proper name have occurred."""
    reveal = reveal_positions(here, links, root)
    loose = [form for form in here if form not in reveal]
    if not loose:
        return reveal
    return reveal_positions(here, [*links, Link(root, name), *(Link(form, name) for form in loose)], root)


@dataclass(frozen=True, slots=True)
class _Run:
    """Blocks [first, last] of one scene."""

    first: int
    last: int


def _runs(blocks: Sequence[TextBlock]) -> Iterator[_Run]:
    first: int | None = None
    longest = _LONGEST_WIDE_SCENE_CHARS if _is_wide(blocks) else _LONGEST_SCENE_CHARS
    for i, block in enumerate(blocks):
        is_break = not any(char.isalnum() for char in block.text)
        if first is not None and (
            is_break
            or _is_elsewhere(blocks[first], block)
            or i - first >= _LONGEST_SCENE_BLOCKS
            or block.pos_end - blocks[first].pos > longest
        ):
            yield _Run(first, i - 1)
            first = None
        if first is None and not is_break:
            first = i
    if first is not None:
        yield _Run(first, len(blocks) - 1)


def _is_wide(blocks: Sequence[TextBlock]) -> bool:
    """Say whether a text is written without spaces between words, by its first paragraphs."""
    words = "".join(block.text for block in blocks[:_NEAR_BLOCKS])
    return words.count(" ") * 20 < len(words)


def _is_elsewhere(a: TextBlock, b: TextBlock) -> bool:
    return a.chapter != b.chapter or volume_ord_of(a.pos) != volume_ord_of(b.pos)


def _scenes(blocks: Sequence[TextBlock], points: Sequence[FoundPoint]) -> Iterator[Scene]:
    runs = list(_runs(blocks))
    scene_of_block = {block: i for i, run in enumerate(runs) for block in range(run.first, run.last + 1)}
    named: list[Counter[int]] = [Counter() for _ in runs]
    for index, point in enumerate(points):
        for mention in point.mentions:
            named[scene_of_block[mention.block]][index] += 1
    for run, counts in zip(runs, named, strict=True):
        those = tuple(index for index, _count in counts.most_common())
        yield Scene(run.first, run.last, blocks[run.first].pos, blocks[run.last].pos_end, those)


def _casts(blocks: Sequence[TextBlock], points: Sequence[FoundPoint]) -> Iterator[ChapterCast]:
    chapters: dict[tuple[int, int], Counter[int]] = {}
    where = [_chapter_of(block) for block in blocks]
    for key in where:
        chapters.setdefault(key, Counter())
    for index, point in enumerate(points):
        for mention in point.mentions:
            chapters[where[mention.block]][index] += 1
    for (volume, chapter), counts in chapters.items():
        yield ChapterCast(volume, chapter, tuple(counts.most_common()))


def _companions(points: Sequence[FoundPoint], scenes: Sequence[Scene], go_on: GoOn) -> tuple[Companionship, ...]:
    together: Counter[tuple[int, int]] = Counter()
    for scene in checked(scenes, go_on, _SCENES_A_CHECK):
        people = sorted(index for index in scene.points if points[index].kind is PointKind.PERSON)
        together.update(combinations(people, 2))
    return tuple(Companionship(a, b, count) for (a, b), count in together.most_common())
