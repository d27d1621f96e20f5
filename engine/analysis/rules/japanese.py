"""Japanese: who and what a text is about, under which names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from engine.analysis.rules.checks import GoOn, carry_on
from engine.analysis.rules.clusters import Findings, Link, NameCluster
from engine.analysis.rules.japanese_aliases import find_readings, group_people
from engine.analysis.rules.japanese_people import find_names, learn_person_usage
from engine.analysis.rules.japanese_runs import find_candidates
from engine.analysis.rules.japanese_tagger import tag
from engine.domain.knowledge import AliasKind, PointKind, TextBlock

NO_TAGGER = "no-tagger"
"""Hint: without the extra `[ja]` names that stand under no title are often missed."""

_FEWEST = 3
_FEWEST_IN_LONG = 5
_FEWEST_OF_A_WORD = 3
"""A reading that stands so often in kana is a word of the text."""
_LONG_CHARS = 1_000_000
_TERM = re.compile(r"『([^『』\n]{2,20})』|【([^【】\n]{2,14})】|〈([^〈〉\n]{2,14})〉")


def find_clusters(blocks: Sequence[TextBlock], go_on: GoOn = carry_on) -> Findings:
    """Find the names of a work and which of them are one."""
    text = "\n".join(block.text for block in blocks if not block.is_heading)
    if not text.strip():
        return Findings()
    tags = tag(text, go_on)
    candidates = find_candidates(text, tags, 2, go_on)
    fewest = _FEWEST if len(text) < _LONG_CHARS else _FEWEST_IN_LONG
    usage = learn_person_usage({form: c for form, c in candidates.items() if c.gram.count >= fewest})
    names = find_names(candidates, usage, fewest=fewest, is_tagged=tags is not None)
    people = {form: candidates[form].gram.count for form, kind in names.items() if kind is PointKind.PERSON}
    go_on()
    clusters = group_people(people, candidates, text).clusters(people)
    clusters = _with_readings(clusters, blocks, text)
    taken = {form for cluster in clusters for form in cluster.forms}
    things = {form: kind for form, kind in names.items() if form not in taken}
    for form in _find_terms(text):
        if form not in taken:
            things.setdefault(form, PointKind.CONCEPT)
    others = [NameCluster(kind, form, {form: AliasKind.FULL}) for form, kind in things.items()]
    return Findings([*clusters, *others], () if tags is not None else (NO_TAGGER,))


def _with_readings(clusters: Sequence[NameCluster], blocks: Sequence[TextBlock], text: str) -> list[NameCluster]:
    """Add the readings of the ruby; one that several names share, or that is a word of the text, is left out."""
    readings = find_readings(blocks, [form for cluster in clusters for form in cluster.forms])
    common = Counter(reading for reading, _pos in readings.values())
    taken = {form for cluster in clusters for form in cluster.forms}
    result = []
    for cluster in clusters:
        forms, links = dict(cluster.forms), list(cluster.links)
        for form in cluster.forms:
            reading, pos = readings.get(form, ("", 0))
            is_own = len(reading) > 1 and common[reading] == 1 and reading not in taken
            if is_own and text.count(reading) < _FEWEST_OF_A_WORD:
                forms[reading] = AliasKind.READING
                links.extend(Link(reading, other, pos) for other in cluster.forms if form in other)
        result.append(NameCluster(cluster.kind, cluster.name, forms, tuple(links), cluster.is_listed))
    return result


def _find_terms(text: str) -> list[str]:
    counts = Counter(next(group for group in match.groups() if group) for match in _TERM.finditer(text))
    return [form for form, n in counts.items() if n > 1]
