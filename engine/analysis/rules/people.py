"""Names of people gathered into persons: full names first, then titles, then bare names; never against a veto."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from engine.analysis.rules.clusters import Link, NameCluster, PersonName, Verdict, compare, titles_conflict
from engine.analysis.rules.english_names import NOBLE_TITLES
from engine.analysis.rules.english_people import gender_of_titles
from engine.analysis.rules.english_words import word_set
from engine.domain.knowledge import AliasKind, PointKind

_DOMINANT = 3
"""How many times more often one bearer must be named than all others to be meant by default."""

_LEAST_SHARE = 5
"""How many times rarer than its short form a full name may be."""

_BORNE_WITH_FULL_NAME = word_set("mrs lady sir lord king queen prince princess duke duchess count countess baron")
"""Titles that somebody who bears them has before the full name too, once at least."""

_SAINT = frozenset({"saint"})
_HARDLY_EVER = 10
_RANKS = word_set("lady sir lord dame")

_TITLE, _EDGE = "title:", "edge:"
"""Before keys that are titles, and first or last words of roles."""


@dataclass(slots=True, eq=False)
class _Person:
    """A person in the making."""

    names: list[PersonName]
    given: str = ""
    family: str = ""
    shared: list[PersonName] = field(default_factory=list)
    """Forms that others bear too."""

    @property
    def count(self) -> int:
        return sum(name.count for name in self.names)

    @property
    def first(self) -> int:
        return min(name.first for name in self.names)

    @property
    def gender(self) -> str:
        """Gender: "m" or "f" by a title, else by what most mentions suggest, else empty."""
        hard = Counter(name.gender for name in self.names if name.gender)
        if hard:
            return hard.most_common(1)[0][0]
        soft: Counter[str] = Counter()
        for name in self.names:
            if name.leaning:
                soft[name.leaning] += name.count
        return soft.most_common(1)[0][0] if soft else ""

    @property
    def titles(self) -> frozenset[str]:
        return frozenset[str]().union(*(name.titles for name in self.names))

    @property
    def full_givens(self) -> frozenset[str]:
        parts = [own.full_givens for own in self.names if own.is_full or own.single == (self.given or self.family)]
        return frozenset[str]().union(*parts)

    def admits(self, name: PersonName, separate: Collection[frozenset[str]]) -> bool:
        """Say whether no title, gender or sentence forbids that the name is this person's."""
        if titles_conflict(self.titles, name.titles):
            return False
        gender, other = self.gender, name.gender or name.leaning
        if gender and other and gender != other:
            return False
        return not self.is_told_apart(name, separate)

    def is_told_apart(self, name: PersonName, separate: Collection[frozenset[str]]) -> bool:
        """Say whether the text itself sets the name beside one of this person's: "Kit and Kitty"."""
        return any(frozenset((name.form, own.form)) in separate for own in self.names)


def cluster_people(
    names: Sequence[PersonName],
    *,
    separate: Collection[frozenset[str]] = frozenset(),
    given_titles: Collection[str] = frozenset(),
) -> list[NameCluster]:
    """Gather names into persons.

    A name that fits one person joins it; one that fits several is shared by all of them, the
    likeliest first; one that fits nobody is a person of its own.

    Args:
        names: Distinct forms with their counts.
        separate: Pairs of forms that the text itself tells apart ("Kit and Kitty").
        given_titles: Titles that stand before a given name when one name follows.
    """
    gathering = _Gathering(separate, frozenset(given_titles))
    by_count = sorted(names, key=lambda name: (-name.count, name.form))
    for name in sorted(by_count, key=lambda name: not name.middle):  # Anna Maria Archer before Anna Maria
        if name.is_full:
            gathering.add_full(name)
    givens = {person.given for person in gathering.people}
    for name in sorted(by_count, key=lambda name: name.single not in givens):  # Miss Lucy before Miss Archer
        if not name.is_full and name.titles and not name.is_role:
            gathering.add_titled(name)
    givens = {person.given for person in gathering.people if not _is_always_ranked(person)}
    for name in sorted(by_count, key=lambda name: name.single not in givens):  # Francis before Frank
        if not name.is_full and not name.titles and not name.is_role:
            gathering.add_bare(name)
    for name in sorted(by_count, key=lambda name: -len(name.single)):
        if name.is_role:
            gathering.add_role(name)
    return [_cluster(person) for person in gathering.people]


class _Gathering:
    """The persons so far, and how a further name finds its own."""

    def __init__(self, separate: Collection[frozenset[str]], given_titles: frozenset[str]) -> None:
        self.people: list[_Person] = []
        self._separate = separate
        self._given_titles = given_titles
        self._by_key: dict[str, dict[_Person, None]] = defaultdict(dict)
        """Persons by everything a further name may share with one of theirs."""

    def add_full(self, name: PersonName) -> None:
        """Join the person of the same family whose given name is the same, or may be."""
        kin = [p for p in self._by_key[name.family] if p.family == name.family and p.admits(name, self._separate)]
        verdicts = [(p, [compare(name, own) for own in p.names if own.family == p.family]) for p in kin]
        verdicts = [(p, those) for p, those in verdicts if Verdict.DIFFERENT not in those]
        same = [p for p, those in verdicts if Verdict.SAME in those]
        fitting = same or [p for p, _those in verdicts]
        if not kin and not name.middle:
            fitting = [p for p in self._by_key[name.given] if _is_longer(p, name) and p.admits(name, self._separate)]
        if len(fitting) == 1:
            self._join(fitting[0], name)
        else:
            self._begin(name, name.given, name.family)

    def add_titled(self, name: PersonName) -> None:
        """Place "Mr. Darcy" or "Aunt Polly" among the families and given names known so far."""
        of_family = [p for p in self._by_key[name.single] if p.family == name.single]
        as_given = [p for p in self._alike(name) if p.given and p.family and not _is_other(p, name)]
        as_given = [p for p in as_given if p.full_givens & name.full_givens]
        as_given = [p for p in as_given if p.given == name.single] or as_given  # Aunt Josephine is not Josie
        as_family = [p for p in of_family if p.given and p.admits(name, self._separate) and not _is_other(p, name)]
        alike = [p for p in of_family if not p.given and p.admits(name, self._separate)]
        if name.titles == _SAINT:  # St. James is no James
            as_given = []
        if name.titles & self._given_titles:
            self._place(name, as_given or as_family or alike, is_given=not of_family)
        else:
            self._place(name, _same_title(as_family, name) or alike or ([] if of_family else as_given), is_given=False)

    def add_bare(self, name: PersonName) -> None:
        """Place a given name, a surname or a short form that stands alone."""
        alike = self._alike(name)
        exact = sorted((p for p in alike if p.given == name.single), key=lambda p: -p.count)
        family = sorted((p for p in alike if p.family == name.single), key=_surname_weight, reverse=True)
        short = [p for p in alike if _may_be_shortened(p, name) or _is_diminutive(p, name)]
        if exact and family and _is_rather_a_family(name.single, exact[0], family[0]):
            exact = []
        if short and all(map(_is_always_ranked, exact)):  # Catherine is Kitty where there is a Lady Catherine
            exact, family = [], []
        self._place(name, exact or family or short, is_given=True, is_bare=True)

    def add_role(self, name: PersonName) -> None:
        """Place "the Admiral" with the one who bears the title, "the Rabbit" with the White Rabbit."""
        title, of, land = name.single.partition(" of ")
        if of and title in NOBLE_TITLES:
            gender = gender_of_titles((title,))
            lords = [p for p in self._by_key[land] if p.gender in ("", gender) and not p.given]
            if len(lords) == 1:
                self._join(lords[0], name)
                return
        namesakes = [p for p in self._by_key[title] if title in (p.given, p.family)] if of else []
        namesakes.sort(key=lambda p: -p.count)
        rivals = [name.count, *(p.count for p in namesakes[1:])]
        if namesakes and namesakes[0].count >= _DOMINANT * max(rivals):  # Anne of Green Gables
            self._join(namesakes[0], name)
            return
        longer = list(self._by_key[_EDGE + name.single])
        titled = [p for p in self._by_key[_TITLE + name.single] if p.admits(name, self._separate)]
        self._place(name, longer if len(longer) == 1 else titled, is_given=True)

    def _alike(self, name: PersonName) -> list[_Person]:
        """Return the persons who share a part, or what it may be short for, and whom nothing tells from the name."""
        keys = (name.single, *sorted(name.full_givens), *_stems(name))
        found = {person: None for key in keys for person in self._by_key.get(key, ())}
        return [person for person in found if person.admits(name, self._separate)]

    def _begin(self, name: PersonName, given: str, family: str) -> None:
        person = _Person([], given, family)
        self.people.append(person)
        self._join(person, name)

    def _join(self, person: _Person, name: PersonName) -> None:
        person.names.append(name)
        for key in (name.family, name.given, name.single, *name.full_givens):
            self._by_key[key][person] = None
        for title in name.titles:
            self._by_key[_TITLE + title][person] = None
        if name.is_role and " " in name.single:
            for word in (name.single.partition(" ")[0], name.single.rpartition(" ")[2]):
                self._by_key[_EDGE + word][person] = None

    def _place(self, name: PersonName, fitting: Sequence[_Person], *, is_given: bool, is_bare: bool = False) -> None:
        ranked = list(fitting) if is_bare else sorted(fitting, key=lambda p: (-p.count, p.first))
        if not ranked:
            given, family = (name.single, "") if is_given else ("", name.single)
            self._begin(name, given, family)
            return
        self._join(ranked[0], name)
        if is_bare or ranked[0].count < _DOMINANT * sum(p.count for p in ranked[1:]):
            for person in ranked[1:]:
                person.shared.append(name)


def _is_longer(person: _Person, name: PersonName) -> bool:
    """Say whether a name of two parts begins this person's of three: Rodion Romanovitch Raskolnikov."""
    return any(own.given == name.given and own.middle == name.family for own in person.names)


def _is_other(person: _Person, name: PersonName) -> bool:
    """Say whether "Mrs. X" or "Sir X" cannot be this one as far as the text tells: no full name bears the title."""
    borne = name.titles & _BORNE_WITH_FULL_NAME
    return bool(borne) and (not borne & person.titles or _took_the_name(person, name))


def _same_title(people: Sequence[_Person], name: PersonName) -> Sequence[_Person]:
    """Prefer those whom the text calls by the very title; of sisters the one who is not Miss Lucy or Miss Kate."""
    if "miss" in name.titles:
        apart = [p for p in people if not any("miss" in own.titles and own.single == p.given for own in p.names)]
        people = apart or people
    return [p for p in people if name.titles <= p.titles] or people


def _took_the_name(person: _Person, name: PersonName) -> bool:
    """Tell a Mrs. John Archer who came into the book after many a Mrs. Archer: another one."""
    wives = [own for own in person.names if "mrs" in own.titles and own.is_full]
    return bool(wives) and name.first < min(own.first for own in wives) and name.count > 5 * sum(w.count for w in wives)


def _surname_weight(person: _Person) -> tuple[float, int]:
    """Return how likely a bare surname means this person: whoever goes by it, women of older novels last."""
    called = sum(own.count for own in person.names if own.single == person.family)
    weight = (called + 0.02 * person.count) * (0.1 if person.gender == "f" else 1)
    return weight, -person.first


def _is_always_ranked(person: _Person) -> bool:
    """Say whether a person is called by the given name under a rank as good as always: Lady Catherine."""
    own = [name for name in person.names if person.given and person.given in (name.given, name.single)]
    ranked = sum(name.count for name in own if name.titles & _RANKS)
    return ranked > _HARDLY_EVER * sum(name.count for name in own if not name.titles & _RANKS)


def _is_rather_a_family(word: str, given: _Person, family: _Person) -> bool:
    """Say whether a word is a family name before it is a given one: Fitzwilliam, where Colonel Fitzwilliam is about."""
    as_given = sum(own.count for own in given.names if own.given == word)
    as_family = sum(own.count for own in family.names if word in (own.family, own.single) and own.titles)
    return as_family >= _DOMINANT * as_given


def _may_be_shortened(person: _Person, name: PersonName) -> bool:
    """Say whether a short form may be this person's: she is called without titles, and named often enough."""
    if not person.full_givens & name.full_givens:
        return False
    titled = sum(own.count for own in person.names if own.titles)
    return 2 * titled <= person.count and _LEAST_SHARE * person.count >= name.count


def _is_diminutive(person: _Person, name: PersonName) -> bool:
    """Say whether a bare name is another one of this person's with an ending of endearment: Skaggs, Skaggsy."""
    return any(own.single in _stems(name) for own in person.names)


def _stems(name: PersonName) -> frozenset[str]:
    """Return what a name that is no common one is without an ending of endearment."""
    if name.is_common:
        return frozenset()
    stems = (name.single.removesuffix(end) for end in ("sy", "y", "ie", "ey") if name.single.endswith(end))
    return frozenset(stem for stem in stems if len(stem) > 2)


def _cluster(person: _Person) -> NameCluster:
    names = [*person.names, *person.shared]
    forms = {name.form: _alias_kind(name, person) for name in names}
    proper = max(person.names, key=lambda name: _fitness(name, person))
    yields = frozenset(name.form for name in person.shared)
    return NameCluster(PointKind.PERSON, proper.form, forms, tuple(_links(names)), yields=yields)


def _fitness(name: PersonName, person: _Person) -> tuple[object, ...]:
    """Return how well a name would do as the proper one: full, with the family's name, without a title, used."""
    if name.is_full:
        return True, name.family == person.family, not name.titles, name.count, name.form
    return False, False, not name.is_role, name.count, name.form


def _alias_kind(name: PersonName, person: _Person) -> AliasKind:
    if name.is_role:
        return AliasKind.ROLE
    if name.titles:
        return AliasKind.TITLED
    if name.is_full:
        return AliasKind.FULL
    if person.family and (person.given or name.single == person.family):
        return _part_kind(name, person)
    return AliasKind.FULL


def _part_kind(name: PersonName, person: _Person) -> AliasKind:
    if name.single == person.given:
        return AliasKind.GIVEN
    return AliasKind.FAMILY if name.single == person.family else AliasKind.NICKNAME


def _links(names: Iterable[PersonName]) -> Iterator[Link]:
    """Join the forms that share a part, so that each is known from where the two have occurred."""
    for a, b in combinations(names, 2):
        if _parts(a) & _parts(b):
            yield Link(a.form, b.form)


def _parts(name: PersonName) -> frozenset[str]:
    own = {name.family, name.middle, name.single, *name.full_givens} - {""}
    return frozenset(own | name.titles if name.is_role else own)
