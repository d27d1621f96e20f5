"""Chinese names that are one: given and full names, stated courtesy names, titles, names with a dot."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from engine.analysis.rules.checks import GoOn, carry_on, checked
from engine.analysis.rules.chinese_names import MASTERS, family_name, split_title
from engine.analysis.rules.chinese_stated import Passage, Stated, stated_names
from engine.analysis.rules.chinese_titled import OFFICES, join_titled
from engine.analysis.rules.clusters import Link
from engine.analysis.rules.groups import NameGroups
from engine.domain.knowledge import AliasKind

_CLEARLY = 3
"""Among several of one given name the bare given name is whose full name is so many times as frequent."""
_PASSAGES_A_CHECK = 1000
_TITLED_A_CHECK = 1
_PASSAGES_A_CHECK = 300
_TITLED_A_CHECK = 10
_FEWEST = 2
_SHORT = 2
_OF_A_GREATER_HOUSE = 10
"""How many times more often than the other families of a given name one must be named."""


def group_people(
    people: Mapping[str, int], passages: Sequence[Passage], counts: Counter[str], go_on: GoOn = carry_on
) -> NameGroups:
    """Join the names of persons that are one, and share the titled ones that several bear.

    Args:
        people: Names and how often they occur, simplified.
        passages: The text.
        counts: Of `people`; forms the rules add are counted into it.
        go_on: Asked on the way.
    """
    groups = NameGroups()
    titled = [form for form in people if _is_adjunct(form, people)]
    for form in people:
        if form not in titled:
            groups.add(form, AliasKind.FULL)
    _join_offices(groups, people)
    _join_given_names(groups, people)
    _join_diminutives(groups, people)
    _join_endearments(groups, people)
    stated = list(stated_names(checked(passages, go_on, _PASSAGES_A_CHECK), people))
    _join_stated(groups, stated, "\n".join(passage.text for passage in passages), counts)
    join_titled(groups, checked(titled, go_on, _TITLED_A_CHECK), counts, passages)
    return groups


def _is_adjunct(form: str, people: Mapping[str, int]) -> bool:
    """Say whether a name is another's under a title; two characters (凤姐) are a name of their own."""
    parts = split_title(form)
    return (
        parts is not None
        and not parts.is_own
        and (len(form) > 2 or parts.title in MASTERS)
        and not (form.endswith("儿") and form[:-1] in people)
        and not (parts.order and len(parts.title) == 1 and parts.stem == family_name(form))
    )


def _join_endearments(groups: NameGroups, people: Mapping[str, int]) -> None:
    """Join 凤姐 to 王熙凤 where nobody's family name is 凤 and nobody else's given name ends so."""
    families = Counter(family_name(form) for form in people if split_title(form) is None)
    for form in people:
        parts = split_title(form)
        if parts is None or not parts.is_kinship or len(form) != _SHORT or form not in groups:
            continue
        fulls = [
            name
            for name in people
            if len(name) > _SHORT and family_name(name) and name[-1] == parts.stem and split_title(name) is None
        ]
        if len(fulls) == 1 and fulls[0] in groups and not families[parts.stem]:
            groups.set_kind(form, AliasKind.NICKNAME)
            groups.join(form, fulls[0])


def _join_offices(groups: NameGroups, people: Mapping[str, int]) -> None:
    """Join 司徒王允 to 王允."""
    for form in people:
        if form in groups and form[2:] in groups and form[:2] in OFFICES:
            groups.set_kind(form, AliasKind.TITLED)
            groups.join(form, form[2:])


def _join_given_names(groups: NameGroups, people: Mapping[str, int]) -> None:
    """Join 宝玉 to 贾宝玉, if one of that given name is clearly the one meant."""
    bearers: dict[str, list[str]] = defaultdict(list)
    houses: Counter[str] = Counter()
    for form, n in people.items():
        houses[family_name(form)] += n
    for full in people:
        given = full[len(family_name(full)) :]
        if family_name(full) and len(given) == 2 and given in groups and full in groups:
            bearers[given].append(full)
    for given, fulls in bearers.items():
        first, *others = sorted(fulls, key=lambda full: (-houses[family_name(full)], full))
        if others and houses[family_name(first)] < _OF_A_GREATER_HOUSE * houses[family_name(others[0])]:
            first, *others = sorted(fulls, key=lambda full: -people[full])
        else:  # 宝玉 among the many of the house of 贾 is theirs
            others = []
        if not others or people[first] >= _CLEARLY * people[others[0]]:
            groups.set_kind(given, AliasKind.GIVEN)
            groups.join(given, first)


def _join_diminutives(groups: NameGroups, people: Mapping[str, int]) -> None:
    """Join 凤姐儿 to 凤姐."""
    for form in people:
        if form.endswith("儿") and len(form) > 2 and form in groups and form[:-1] in groups:
            groups.set_kind(form, AliasKind.SPELLING)
            groups.join(form, form[:-1])


def _join_stated(groups: NameGroups, stated: Iterable[Stated], text: str, counts: Counter[str]) -> None:
    """Join stated names to their bearers, and the family name with them: 玄德, 刘玄德; what two bear is shared."""
    bearers: dict[str, dict[str, Stated]] = defaultdict(dict)
    for each in stated:
        family = family_name(each.name)
        titled = split_title(each.other)
        stem = titled.stem if titled and not titled.is_own and len(titled.stem) > 1 else ""
        for form in (each.other, stem, family + each.other if family else ""):
            if form and each.name in groups:
                bearers[form].setdefault(each.name, each)
    for form, those in bearers.items():
        if form not in groups:
            counts[form] = text.count(form)
            if counts[form] < _FEWEST:
                continue
        first, *others = those.values()
        if all(groups.are_one(first.name, other.name) for other in others):
            groups.add(form, first.kind)
            groups.set_kind(form, first.kind)
            if not groups.are_one(form, first.name):
                groups.join(form, first.name, first.pos)
        else:
            ranked = sorted(those.values(), key=lambda each: -counts[each.name])
            links = [Link(form, each.name, each.pos) for each in ranked]
            groups.share(form, first.kind, [each.name for each in ranked], links)
