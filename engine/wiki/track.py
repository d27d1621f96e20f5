"""Where a point appears over a work, marked for drawing."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from engine.domain.locator import Pos, pos_of
from engine.domain.statements import ShownStatement
from engine.domain.wiki import NodeKind, Plain, PointId, Track, TrackNode
from engine.retrieval.known import KnownWork
from engine.retrieval.where import Whereabouts


def marked_track(
    known: KnownWork, point: PointId, cited: Collection[Pos] = (), turns: Sequence[ShownStatement] = ()
) -> Track:
    """Return a point's track up to the boundary, with which of its chapters are quoted and where the reader is.

    Args:
        known: The work at the boundary.
        point: Who or what; somebody not met has no node.
        cited: Where the passages stand that the page quotes.
        turns: What the writer of the entry holds for turns in its story, as far as it may be read.
    """
    track = known.track(point)
    quoted = {known.where.index_at(pos) for pos in cited}
    said: dict[int, list[str]] = {}
    for turn in turns:
        if turn.evidence and isinstance(turn.run, Plain):
            said.setdefault(known.where.index_at(turn.evidence[-1].pos), []).append(turn.run.text)
    nodes = tuple(_marked(node, known.where.index_at(node.pos), said, quoted) for node in track.nodes)
    begun = _chapters_begun(track, known.where, known.bound.boundary)
    return replace(track, nodes=nodes, chapters_begun=begun, marks=known.marks(point))


def _marked(node: TrackNode, chapter: int, said: Mapping[int, Sequence[str]], quoted: Collection[int]) -> TrackNode:
    if chapter in said:
        return replace(node, kind=NodeKind.CHOSEN, note=" ".join(said[chapter]))
    return replace(node, kind=NodeKind.CITED) if chapter in quoted else node


def _chapters_begun(track: Track, where: Whereabouts, boundary: Pos) -> int:
    """Return how many chapters of the last volume begun were begun themselves."""
    volumes = where.outline.volumes[: len(track.chapters_by_volume)]
    if not volumes:
        return 0
    first, behind = pos_of(volumes[-1].ord, 0), min(boundary, pos_of(volumes[-1].ord + 1, 0))
    return max(0, bisect_left(where.starts, behind) - bisect_left(where.starts, first))
