"""A track drawn as a row of chapters, and unfolded to a line a chapter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.domain.wiki import NodeKind, Track, TrackNode
from engine.translate import ngettext
from tui.render.cells import cell_width, is_ambiguous_wide
from tui.render.wiki_bits import NO_BREAK, Bit, Ink, Links, ToPassage, WikiRow, fit_bits, one_line, set_rows

_SIGNS: Mapping[NodeKind, str] = {NodeKind.CHOSEN: "◆", NodeKind.CITED: "■", NodeKind.APPEARANCE: "▪"}
_ASCII_SIGNS: Mapping[NodeKind, str] = {NodeKind.CHOSEN: "@", NodeKind.CITED: "#", NodeKind.APPEARANCE: "o"}
_AHEAD, _ASCII_AHEAD = "·", "."
_STRENGTH = (NodeKind.APPEARANCE, NodeKind.CITED, NodeKind.CHOSEN)
_MOST_ROWS = 3
"""A longer work has several chapters in a cell."""
_BAR_CELLS = 12


@dataclass(frozen=True, slots=True)
class TrackSigns:
    """What a track is drawn with."""

    nodes: Mapping[NodeKind, str]
    ahead: str


def track_signs(*, is_ascii: bool) -> TrackSigns:
    """Return the signs for a terminal."""
    is_plain = is_ascii or is_ambiguous_wide()
    return TrackSigns(_ASCII_SIGNS, _ASCII_AHEAD) if is_plain else TrackSigns(_SIGNS, _AHEAD)


def track_rows(track: Track, label: Bit, width: int, signs: TrackSigns) -> list[WikiRow]:
    """Draw a track behind its label: a cell a chapter, volumes by their number.

    Args:
        track: The chapters.
        label: What stands before it; the link that unfolds it.
        width: Cells.
        signs: What it is drawn with.
    """
    indent = cell_width(label.text) + 2
    if indent > width // 2:
        return [WikiRow((label,)), *track_rows(track, Bit(""), width, signs)]
    total = sum(track.chapters_by_volume) + 3 * len(track.chapters_by_volume)
    share = max(1, -(-total // ((width - indent) * _MOST_ROWS)))
    return set_rows(list(_volumes(track, share, signs)), width, indent=indent, first=(label,))


def _volumes(track: Track, share: int, signs: TrackSigns) -> Iterator[Bit]:
    by_volume: dict[int, dict[int, NodeKind]] = {}
    for node in track.nodes:
        cells = by_volume.setdefault(node.volume, {})
        cell = node.chapter // share
        cells[cell] = max(cells.get(cell, node.kind), node.kind, key=_STRENGTH.index)
    last = len(track.chapters_by_volume) - 1
    for volume, chapters in enumerate(track.chapters_by_volume):
        if last > 0:
            yield Bit(f"{volume + 1}{NO_BREAK}", Ink.FAINT)
        begun = track.chapters_begun if volume == last else chapters
        drawn = _cells(by_volume.get(volume, {}), -(-chapters // share), -(-begun // share), signs)
        # A blank would end a row: what is drawn as one must not be one.
        yield Bit(drawn.replace(" ", NO_BREAK), Ink.TEXT)
        yield Bit(" ", Ink.TEXT)


def _cells(nodes: Mapping[int, NodeKind], count: int, begun: int, signs: TrackSigns) -> str:
    drawn = [signs.nodes[nodes[i]] if i in nodes else " " if i < begun else signs.ahead for i in range(count)]
    return "".join(drawn).rstrip(" ")


def node_rows(track: Track, width: int, links: Links, signs: TrackSigns, indent: int = 2) -> list[WikiRow]:
    """Draw a line a chapter: where, how often, and what is said of it."""
    most = max((node.count for node in track.nodes), default=1)
    places = [one_line(node.where) for node in track.nodes]
    column = min(max(map(cell_width, places), default=0), max(6, width // 3))
    rows = []
    for node, place in zip(track.nodes, places, strict=True):
        link = links.add(ToPassage(node.locator, node.pos))
        rows.append(_node_row(node, place, column, width, most, link, signs, indent))
    return rows


def _node_row(
    node: TrackNode, place: str, column: int, width: int, most: int, link: int, signs: TrackSigns, indent: int
) -> WikiRow:
    sign = signs.nodes[node.kind]
    where = fit_bits([Bit(place, Ink.PLACE, link)], column)
    pad = column - sum(cell_width(bit.text) for bit in where)
    room = max(1, min(_BAR_CELLS, width - indent - column - 14))
    bar = signs.nodes[NodeKind.APPEARANCE] * max(1, round(room * node.count / most))
    times = ngettext("{n} time", "{n} times", node.count).format(n=node.count)
    bits = [
        Bit(" " * indent),
        Bit(f"{sign} "),
        *where,
        Bit(" " * (pad + 2)),
        Bit(f"{bar:<{room}}  "),
        Bit(times, Ink.FAINT),
    ]
    if node.note:
        bits.append(Bit(f"  {one_line(node.note)}"))
    return WikiRow(tuple(fit_bits(bits, width)))
