"""Whom a Chinese name under a title means: 林姑娘, 曹丞相, 关公, 魏主."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from engine.analysis.rules.chinese_names import MASTERS, split_title
from engine.analysis.rules.chinese_pairs import compare_names, title_gender
from engine.analysis.rules.chinese_stated import Passage, appositions
from engine.analysis.rules.chinese_words import OFFICE_TITLES
from engine.analysis.rules.clusters import Verdict
from engine.analysis.rules.groups import NameGroups
from engine.domain.knowledge import AliasKind

OFFICES = frozenset(title for title in OFFICE_TITLES if len(title) == 2) | {"司徒", "司空", "太史", "国舅", "太师"}
"""Titles of two characters that stand before a whole name as well."""
_DOMINANT = 3
"""One bearer of a family name named so many times as often as any other is meant by a title after it."""
_MOST_BEARERS = 5
_COMPANY = 0.3
"""Share of the passages with 关公 that name him otherwise as well."""
_MORE_THAN_CHANCE = 2
"""How many times that share must be the one among all passages."""
_LEAST_SHARE = 0.02
_NEAR = 10
"""Passages."""


def join_titled(
    groups: NameGroups, titled: Iterable[str], counts: Mapping[str, int], passages: Sequence[Passage]
) -> None:
    """Join each titled form to the one it can mean, or share it among those it can mean.

    Where the text calls somebody by office and name (都督曹真), the title is theirs; else it is who
    is named by far the most.
    """
    text = "\n".join(passage.text for passage in passages)
    plain = groups.forms()
    called = appositions(text, OFFICES, plain)
    genders: dict[str, str] = {}
    for form in titled:
        parts = split_title(form)
        if parts is None:
            continue
        members = groups.groups()
        bearers = _bearers(form, plain, members)
        gender = title_gender(parts.title)
        bearers = [name for name in bearers if not gender or genders.get(name, gender) == gender]
        if not parts.is_kinship:
            bearers = [name for name in bearers if _goes_by(parts.stem, members[name], counts)]
        bearers = _likeliest(bearers, members, counts, called.get(parts.title, Counter()))
        if parts.title in MASTERS:
            bearers = [name for name in bearers[:1] if len(bearers) == 1 and _is_company(form, members[name], passages)]
        elif not parts.is_kinship and not parts.is_own:
            places = [i for i, passage in enumerate(passages) if form in passage.text]
            bearers = [name for name in bearers if company(places, members[name], passages) >= _COMPANY]
        if len(bearers) > 1:
            groups.share(form, AliasKind.TITLED, bearers[:_MOST_BEARERS])
            continue
        groups.add(form, AliasKind.TITLED if bearers or parts.title not in MASTERS else AliasKind.FULL)
        if bearers:
            genders.setdefault(bearers[0], gender)
            groups.join(form, bearers[0])


def _bearers(form: str, plain: Iterable[str], members: Mapping[str, list[str]]) -> list[str]:
    """Return a form of each point that a titled form may mean."""
    fitting = [name for name in plain if name in members and compare_names(form, name) is not Verdict.DIFFERENT]
    return list({id(members[name]): name for name in reversed(fitting)}.values())


def _goes_by(stem: str, forms: Iterable[str], counts: Mapping[str, int]) -> bool:
    """Say whether a point is ever called by names with what stands before a title: 王熙凤 hardly is by 王."""
    own = {form: counts.get(form, 0) for form in forms}
    return sum(n for form, n in own.items() if stem in form) >= _LEAST_SHARE * sum(own.values())


def _likeliest(
    bearers: list[str], members: Mapping[str, list[str]], counts: Mapping[str, int], called: Mapping[str, int]
) -> list[str]:
    """Return those a titled form means, most named first: whom the text gives the office, or whom it names most."""
    office = {name: sum(called.get(form, 0) for form in members[name]) for name in bearers}
    if any(office.values()):
        return sorted((name for name in bearers if office[name]), key=lambda name: -office[name])
    weight = {name: sum(counts.get(form, 0) for form in members[name]) for name in bearers}
    ranked = sorted(bearers, key=lambda name: -weight[name])
    if len(ranked) > 1 and weight[ranked[0]] >= _DOMINANT * weight[ranked[1]]:
        return ranked[:1]
    return ranked


def company(places: Sequence[int], others: Iterable[str], passages: Sequence[Passage]) -> float:
    """Return in what share of some passages another name of a point stands near.

    Args:
        places: Indices of the passages.
        others: Names of the point.
        passages: The text.
    """
    names = list(others)
    near = sum(
        any(name in other.text for other in passages[max(0, i - _NEAR) : i + _NEAR + 1] for name in names)
        for i in places
    )
    return near / max(1, len(places))


def _is_company(form: str, others: Iterable[str], passages: Sequence[Passage]) -> bool:
    """Say whether a form and the other names of a point stand in the same passages."""
    those = [passage.text for passage in passages if form in passage.text]
    names = list(others)
    together = sum(any(name in text for name in names) for text in those) / max(1, len(those))
    usual = sum(any(name in passage.text for name in names) for passage in passages) / max(1, len(passages))
    return together >= max(_COMPANY, min(0.9, _MORE_THAN_CHANCE * usual))
