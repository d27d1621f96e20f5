"""Whom a ruler's title means that the text never explains: 先主 for 刘备, 吴侯 for 孙权, 何后 for 何太后.

Only where one person alone can be meant: the narrator goes over from the name to the title, or
says both at once of somebody nobody else can be. Anything less leaves the title an entry of its own.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence

from engine.analysis.rules.checks import GoOn, carry_on, checked
from engine.analysis.rules.chinese_names import family_name
from engine.analysis.rules.chinese_narration import Narration, Told
from engine.analysis.rules.chinese_stated import Passage, appositions
from engine.analysis.rules.chinese_titled import company
from engine.analysis.rules.groups import NameGroups
from engine.domain.knowledge import AliasKind
from engine.domain.locator import Pos

_THRONES = "主王侯帝"
_QUEENS = ("皇后", "太后")
_FEWEST_TOLD = 30
"""How often the narrator must use a title in one stretch to have taken it up for good."""
_STRETCH_CHARS = 12_000
"""A longer silence ends such a stretch."""
_BEFORE_CHARS = 8_000
_FEWEST_BEFORE = 12
"""How often the narrator names somebody just before who is called by the title from then on."""
_HANDED_OVER_CHARS = 600
"""How near the last name and the first title stand."""
_MOST_OF = 0.67
"""Share of a stretch of titles in which the name is not used once."""
_INSEPARABLE, _NOT_APART = 0.8, 0.25
"""Shares of the passages with a name near which the title stands, and the other way round."""
_TOGETHER = 0.5
_FEWEST_PASSAGES = 4
_HARDLY_EVER = 0.02
"""Share of somebody's places in the narration that may follow when she is gone."""
_BESIDE = 3
"""Passages with a title and a name that show whose it has become."""
_TITLES_A_CHECK = 1
_REVEALED_AT = 5
"""How often a title has been read by then, without the name, that a reader sees who is meant."""


def join_thrones(
    groups: NameGroups, titles: Collection[str], passages: Sequence[Passage], go_on: GoOn = carry_on
) -> None:
    """Join titles of rulers that still stand alone to the one they can only mean.

    Args:
        groups: Names of persons, the stated ones joined already.
        titles: Of rulers.
        passages: The text.
        go_on: Asked on the way.
    """
    text = "\n".join(passage.text for passage in passages)
    members = groups.groups()
    alone = [t for t in dict.fromkeys(titles) if t[-1] in _THRONES and len(members.get(t, [t])) == 1]
    alone = [t for t in alone if not groups.is_shared(t)]
    called = appositions(text, alone, [form for form in groups.forms() if form not in alone])
    narration: Narration | None = None
    for title in checked(alone, go_on, _TITLES_A_CHECK):
        names = list(called[title])
        bearer, pos = "", 0
        if len({id(members[name]) for name in names}) == 1:
            bearer = names[0] if _is_sure(title, members[names[0]], passages) else ""
            pos = next(p.pos_end for p in passages if title + names[0] in p.text) if bearer else 0
        elif not names and text.count(title) >= _FEWEST_TOLD:
            narration = narration or Narration(passages)
            bearer, pos = _handed_over(title, members, narration)
        if bearer:
            groups.add(title, AliasKind.ROLE)
            groups.set_kind(title, AliasKind.ROLE)
            groups.join(title, bearer, pos)
    _join_queens(groups, passages)


def _is_sure(title: str, forms: Iterable[str], passages: Sequence[Passage]) -> bool:
    """Say whether one place that sets a title before a name tells enough.

    It does for somebody who bears another title of the same realm, or who is hardly named without this one.
    """
    own = list(forms)
    if any(form[:-1] == title[:-1] and form[-1] in _THRONES for form in own):
        return True
    named = [i for i, passage in enumerate(passages) if any(form in passage.text for form in own)]
    titled = [i for i, passage in enumerate(passages) if title in passage.text]
    return (
        min(len(named), len(titled)) >= _FEWEST_PASSAGES
        and company(named, [title], passages) >= _INSEPARABLE
        and company(titled, own, passages) >= _NOT_APART
    )


def _handed_over(title: str, members: Mapping[str, list[str]], narration: Narration) -> tuple[str, Pos]:
    """Return whom the narrator calls by a title from some place on and by no name any more, and since when.

    Empty when that is nobody, or might be one of several.
    """
    stretch = _longest_stretch(narration.told([title]).places)
    if len(stretch) < _FEWEST_TOLD:
        return "", 0
    found: list[tuple[str, int]] = []
    for forms in {id(forms): forms for forms in members.values() if title not in forms}.values():
        if narration.times(forms, stretch[0] - _BEFORE_CHARS, stretch[-1]) < _FEWEST_BEFORE:
            continue
        since = _taken_over(narration.told(forms), stretch)
        if since is not None:
            found.append((forms[0], since))
    if len(found) != 1:
        return "", 0
    [(bearer, since)] = found
    return bearer, narration.passage_at(stretch[since + _REVEALED_AT]).pos_end


def shown_by_use(title: str, forms: Collection[str], others: Iterable[str], narration: Narration) -> Pos | None:
    """Return where a title that has passed on has come to mean its last bearer, None where that is not clear.

    It is once those who bore it before are gone for good, and it has stood beside names of this one several times.

    Args:
        title: Borne by several.
        forms: Names of the one.
        others: Names of those who bore it before.
        narration: The text.
    """
    gone = narration.told(others).places
    rest = int(len(gone) * _HARDLY_EVER)
    last = gone[-1 - rest] if gone else 0
    beside = 0
    for start, passage in zip(narration.starts, narration.passages, strict=True):
        if start > last and title in passage.text and any(form in passage.text for form in forms):
            beside += 1
            if beside == _BESIDE:
                return passage.pos_end
    return None


def _taken_over(own: Told, stretch: Sequence[int]) -> int | None:
    """Return from which place of a title on somebody often named before is named no more; None if it is not so.

    Args:
        own: Where the narrator names somebody.
        stretch: Where the narrator uses the title.
    """
    if own.within(stretch[0] - _BEFORE_CHARS, stretch[-1]) < _FEWEST_BEFORE:
        return None
    named = [at for at in own.places if at < stretch[-1]]
    silences = [
        (bisect_left(stretch, nxt) - bisect_left(stretch, at), at)
        for at, nxt in zip(named, [*named[1:], stretch[-1] + 1], strict=True)
    ]
    times, last = max(silences)
    first = bisect_left(stretch, last)
    is_sudden = stretch[first] - last <= _HANDED_OVER_CHARS and own.within(last - _BEFORE_CHARS, last) >= _FEWEST_BEFORE
    return first if is_sudden and times >= max(_FEWEST_TOLD, _MOST_OF * len(stretch)) else None


def _longest_stretch(places: Sequence[int]) -> Sequence[int]:
    """Return the longest run of places without a long silence between two."""
    best: Sequence[int] = ()
    first = 0
    for i in range(1, len(places) + 1):
        if i == len(places) or places[i] - places[i - 1] > _STRETCH_CHARS:
            best = max(best, places[first:i], key=len)
            first = i
    return best


def _join_queens(groups: NameGroups, passages: Sequence[Passage]) -> None:
    """Join 何后 to 何太后, where they stand together and the house has one of them."""
    forms = set(groups.forms())
    for form in sorted(forms):
        if len(form) != len("何后") or form[-1] != "后" or not family_name(form):
            continue
        longer = [form[0] + title for title in _QUEENS if form[0] + title in forms]
        if len(longer) != 1 or groups.are_one(form, longer[0]):
            continue
        there = [i for i, passage in enumerate(passages) if form in passage.text]
        if company(there, longer, passages) >= _TOGETHER:
            groups.set_kind(form, AliasKind.TITLED)
            groups.join(form, longer[0])
