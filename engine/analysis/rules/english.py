"""English and other languages in Latin letters: who and what a text is about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from engine.analysis.rules.checks import GoOn, carry_on
from engine.analysis.rules.clusters import Findings, Link, NameCluster, PersonName
from engine.analysis.rules.english_kinds import Named, choose_kinds
from engine.analysis.rules.english_names import GIVEN_NAME_TITLES
from engine.analysis.rules.english_people import is_given_name, person_name, split_titles
from engine.analysis.rules.english_runs import Evidence, Scan, scan
from engine.analysis.rules.listed import listed_names
from engine.analysis.rules.people import cluster_people
from engine.domain.knowledge import AliasKind, PointKind, TextBlock

_LEAST_PRONOUNS = 4
_SAINT = frozenset({"saint"})
_OF_A_HOUSE = frozenset({"mr", "mrs", "miss"})
"""Before the name of a family."""


def find_clusters(blocks: Sequence[TextBlock], go_on: GoOn = carry_on) -> Findings:
    """Find the names of a work and which of them are one."""
    found = scan(blocks, go_on)
    go_on()
    named = [name for name in choose_kinds(found) if name.evidence.count > 1 or _is_sure(name)]
    people = [_person_name(name) for name in named if name.kind is PointKind.PERSON]
    people.extend(_listed_people(blocks, found, people))
    people.extend(_more_forms(found, named, people))
    go_on()
    separate = {frozenset(pair) for pair in found.pairs}
    clusters = cluster_people(people, separate=separate, given_titles=GIVEN_NAME_TITLES)
    taken = {name.form for name in people}
    others = [name for name in named if name.kind is not PointKind.PERSON and name.form not in taken]
    return Findings([*clusters, *_things(others)])


def _things(named: Iterable[Named]) -> Iterator[NameCluster]:
    """Yield places, organisations and terms; forms that differ in hyphens, capitals or apostrophes are one."""
    spelt: dict[tuple[PointKind, str], list[Named]] = defaultdict(list)
    for name in named:
        plain = name.form.replace("-", " ").replace("'", "").replace("’", "").casefold()
        spelt[name.kind, plain].append(name)
    for (kind, _plain), names in spelt.items():
        first, *others = sorted(names, key=lambda name: (-name.evidence.count, name.form))
        forms = {first.form: AliasKind.FULL, **dict.fromkeys((name.form for name in others), AliasKind.SPELLING)}
        yield NameCluster(kind, first.form, forms, tuple(Link(other.form, first.form) for other in others))


def _is_sure(name: Named) -> bool:
    """Say whether one occurrence is enough: a place by its surroundings, a person by title or given name."""
    titles, words = split_titles(name.form)
    if name.kind is not PointKind.PERSON or titles:
        return True
    return len(words) > 1 and is_given_name(words[0]) and "of" not in words


def _person_name(name: Named) -> PersonName:
    return _taken_apart(name.form, name.evidence, is_role=name.is_role)


def _taken_apart(form: str, evidence: Evidence, *, is_role: bool = False) -> PersonName:
    return person_name(form, count=evidence.count, first=evidence.first, leaning=_leaning(evidence), is_role=is_role)


def _listed_people(blocks: Sequence[TextBlock], found: Scan, people: Iterable[PersonName]) -> Iterator[PersonName]:
    """Yield the people of the book's own list whom the text alone did not show."""
    known = {name.form for name in people}
    for listed in listed_names(blocks):
        if listed.kind is PointKind.PERSON and listed.form not in known:
            yield _taken_apart(listed.form, found.evidence.get(listed.form, Evidence()))


def _more_forms(found: Scan, named: Iterable[Named], people: Sequence[PersonName]) -> Iterator[PersonName]:
    """Yield rare forms that are people's because their parts are: a full name that stands once, a bare surname."""
    taken = {name.form for name in named if name.kind not in {PointKind.CONCEPT, PointKind.EVENT}}
    families = {name.family for name in people} - {""}
    houses = {name.single for name in people if name.titles & _OF_A_HOUSE and not name.is_role} & families
    singles = {name.single for name in people if not name.is_role} - {""}
    givens = {name.given for name in people} - {""} | singles
    roles = {name.single for name in people if name.is_role}
    for form, evidence in found.evidence.items():
        if form in taken or " of " in form or _follows_another(form, taken):
            continue
        if 2 * evidence.after_the > evidence.count and form.rpartition(" ")[2].lower() in roles:
            yield _taken_apart(form, evidence, is_role=True)
            continue
        name = _taken_apart(form, evidence)
        if name.is_full:
            is_known = name.family in families | singles and (name.given in givens or is_given_name(name.given))
        elif name.titles:
            is_known = name.single in (families if name.titles == _SAINT else families | givens)
        else:
            is_rare_word = found.lower_words.get(form.lower(), 0) <= 2 * evidence.inside
            is_of_house = name.single in houses or (
                name.single in families | givens and 2 * evidence.after_the <= evidence.count
            )  # the Welland drawing-room is the Wellands'
            is_known = is_rare_word and is_of_house
        if is_known:
            yield name


def _follows_another(form: str, taken: Collection[str]) -> bool:
    """Say whether a rare form is two names that happen to stand side by side: "Show Kate John Archer's letter"."""
    first, _blank, rest = form.partition(" ")
    return " " in rest and first in taken and rest in taken


def _leaning(evidence: Evidence) -> str:
    """Return the gender that the pronouns after a name suggest; empty when they are few or mixed."""
    total = evidence.male + evidence.female
    if total < _LEAST_PRONOUNS or max(evidence.male, evidence.female) < 0.7 * total:
        return ""
    return "m" if evidence.male > evidence.female else "f"
