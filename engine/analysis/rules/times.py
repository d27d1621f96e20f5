"""Times, which stand where names of places do and are none: 江户时代, 建安, 文久二年, Fridays, the Middle Ages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from engine.analysis.rules.clusters import Findings, NameCluster
from engine.domain.knowledge import PointKind, TextBlock

_NUMERALS = "元〇零一二三四五六七八九十百0-9０-９"
_WIDE = re.compile(
    rf".*(?:[时時]代|年[间間]|世[纪紀]|年代|[时時]期|中[叶葉]|[初末]年)"
    rf"|.{{0,3}}[{_NUMERALS}]+(?:年|月|日|年[{_NUMERALS}]+月)[头頭初末底中]?"
    r"|(?:星期|[礼禮]拜|周|週)[一二三四五六日天]|[月火水木金土日]曜日?"
)
_LATIN = re.compile(
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"|january|february|march|april|june|july|august|september|october|november|december"
    r"|(?:[\w-]+ )*(?:century|centuries|ages?|era|epoch|period|dynasty|decade))",
    re.I,
)
_REIGN = re.compile(rf"(?=([\u3400-\u9fff]{{2}})(?:[{_NUMERALS}]{{1,3}}年|年[间間号號]|[时時]代|[初末]年))")
_MOSTLY = 0.5
"""Share of a word's places before a year that makes it the name of a reign."""


def without_times(findings: Findings, blocks: Sequence[TextBlock]) -> Findings:
    """Leave out what names a time; a person who bears other names, or is named otherwise too, stays."""
    reigns = _reigns(findings.clusters, blocks)
    kept = [cluster for cluster in findings.clusters if not _is_time(cluster, reigns)]
    return findings if len(kept) == len(findings.clusters) else replace(findings, clusters=kept)


def _is_time(cluster: NameCluster, reigns: frozenset[str]) -> bool:
    if cluster.is_listed or (cluster.kind is PointKind.PERSON and len(cluster.forms) > 1):
        return False
    if cluster.kind is not PointKind.PERSON and any(map(is_time, cluster.forms)):
        return True
    return not reigns.isdisjoint(cluster.forms)


def is_time(form: str) -> bool:
    """Say whether a form names a time by how it is built."""
    return (_WIDE if form[:1] >= "\u2e80" else _LATIN).fullmatch(form) is not None


def _reigns(clusters: Sequence[NameCluster], blocks: Sequence[TextBlock]) -> frozenset[str]:
    """Return the forms that mostly stand before a year: 建安五年, 文久年間."""
    short = {form for cluster in clusters if len(cluster.forms) == 1 for form in cluster.forms if len(form) == 2}
    dated: Counter[str] = Counter()
    for block in blocks:
        if "年" in block.text or "代" in block.text:
            dated.update(match[1] for match in _REIGN.finditer(block.text) if match[1] in short)
    if not dated:
        return frozenset()
    total: Counter[str] = Counter()
    for block in blocks:
        for form in dated:
            total[form] += block.text.count(form)
    return frozenset(form for form, n in dated.items() if n >= _MOSTLY * total[form])
