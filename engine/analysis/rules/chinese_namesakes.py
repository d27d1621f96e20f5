"""Names of places that are somebody's name in some chapter: 许昌, a rebel in one, the city in all others."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from engine.analysis.rules.checks import GoOn, checked
from engine.analysis.rules.clusters import ChapterKey, NameCluster
from engine.domain.knowledge import PointKind, TextBlock
from engine.domain.locator import volume_ord_of
from engine.text.hanzi import simplify

_PERSON_BEFORE = frozenset("斩杀诛擒贼将臣")
_PERSON_AFTER = re.compile(
    r"[又乃遂大忙便笑怒叹]{0,2}[曰道]|大[怒喜惊笑叫骂]|造反|作乱|起兵|并其[子弟妻]|自[称号立]|[挺纵拍]"
)
_PLACE_BEFORE = frozenset("在到往至入取守攻回离奔投于过围据袭屯赴归还镇来从自出救克破望近")
_PLACE_AFTER = re.compile(
    r"城|[中内外里]|太守|刺史|之?[东西南北]|[郡县州]|[地境]?界|道上|路|[百数]余?里|空虚|人[，。也]"
)
_FEWEST_SIGNS = 2
_FEWEST_CHAPTERS = 2
"""In so many others the form must surely be the place."""
_AROUND = 4
_BLOCKS_A_CHECK = 2_000


def chapters_of_namesakes(
    clusters: Sequence[NameCluster], blocks: Sequence[TextBlock], go_on: GoOn
) -> dict[str, frozenset[ChapterKey]]:
    """Return for forms of places the chapters in which they name somebody instead.

    That is where several signs say so and none says otherwise, of a form that other chapters show to be a place.

    Args:
        clusters: Of the work.
        blocks: The text, as the forms are written.
        go_on: Asked on the way.
    """
    import ahocorasick_rs  # a native library the reading process never needs

    forms = [form for cluster in clusters if cluster.kind is PointKind.PLACE for form in cluster.forms]
    if not forms:
        return {}
    signs: dict[str, dict[ChapterKey, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    automaton = ahocorasick_rs.AhoCorasick(forms)
    for block in checked(blocks, go_on, _BLOCKS_A_CHECK):
        if block.is_heading:
            continue
        for which, start, end in automaton.find_matches_as_indexes(block.text):
            key = (volume_ord_of(block.pos), block.chapter)
            signs[forms[which]][key][_sign(block.text, start, end)] += 1
    return {form: chapters for form, by_chapter in signs.items() if (chapters := _of_somebody(by_chapter))}


def _sign(text: str, start: int, end: int) -> str:
    """Return "person", "place" or nothing, by what stands beside a form."""
    before, after = simplify(text[max(0, start - 1) : start]), simplify(text[end : end + _AROUND])
    if before in _PLACE_BEFORE or _PLACE_AFTER.match(after):
        return "place"
    return "person" if before in _PERSON_BEFORE or _PERSON_AFTER.match(after) else ""


def _of_somebody(by_chapter: Mapping[ChapterKey, Counter[str]]) -> frozenset[ChapterKey]:
    placed = sum(signs["place"] > 0 for signs in by_chapter.values())
    if placed < _FEWEST_CHAPTERS:
        return frozenset()
    return frozenset(
        key for key, signs in by_chapter.items() if signs["person"] >= _FEWEST_SIGNS and not signs["place"]
    )
