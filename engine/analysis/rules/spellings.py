"""From folded forms back to what the text writes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from engine.analysis.rules.clusters import Link, NameCluster
from engine.domain.knowledge import AliasKind

_RARE_SHARE = 0.02
"""A spelling rarer than this beside another is a slip of the edition."""


def write_as_in_text(clusters: Sequence[NameCluster], text: str, folded: str) -> list[NameCluster]:
    """Return the clusters with their forms as `text` writes them, other spellings beside the main one.

    Args:
        clusters: With forms found in `folded`.
        text: As written.
        folded: The same text, character for character, folded.
    """
    written = _spellings({form for cluster in clusters for form in cluster.forms}, text, folded)
    return [_written(cluster, written) for cluster in clusters]


def _spellings(forms: set[str], text: str, folded: str) -> Mapping[str, Sequence[str]]:
    """Return the spellings of each form, the most frequent first."""
    import ahocorasick_rs  # a native library the reading process never needs

    ordered = sorted(forms)
    if not ordered:
        return {}
    automaton = ahocorasick_rs.AhoCorasick(ordered)
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    for which, start, end in automaton.find_matches_as_indexes(folded, overlapping=True):
        seen[ordered[which]][text[start:end]] += 1
    return {
        form: [spelling for spelling, n in counts.most_common() if n >= _RARE_SHARE * counts.total()]
        for form, counts in seen.items()
    }


def _written(cluster: NameCluster, written: Mapping[str, Sequence[str]]) -> NameCluster:
    forms: dict[str, AliasKind] = {}
    links = [Link(_main(link.a, written), _main(link.b, written), link.pos) for link in cluster.links]
    for form, kind in cluster.forms.items():
        main, *others = written.get(form, (form,))
        forms[main] = kind
        for other in others:
            forms.setdefault(other, AliasKind.SPELLING)
            links.append(Link(other, main))
    return NameCluster(cluster.kind, _main(cluster.name, written), forms, tuple(links), cluster.is_listed)


def _main(form: str, written: Mapping[str, Sequence[str]]) -> str:
    return written[form][0] if form in written else form
