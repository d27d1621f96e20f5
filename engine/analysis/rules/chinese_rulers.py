"""Whom the titles of rulers mean in Chinese: 魏主, 后主, 汉中王."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from engine.analysis.rules.checks import GoOn, carry_on, checked
from engine.analysis.rules.chinese_names import family_name
from engine.analysis.rules.chinese_narration import Narration
from engine.analysis.rules.chinese_stated import Passage, appositions
from engine.analysis.rules.chinese_thrones import shown_by_use
from engine.analysis.rules.clusters import Link
from engine.analysis.rules.groups import NameGroups
from engine.domain.knowledge import AliasKind
from engine.domain.locator import Pos

_FEWEST_STATED = 2
"""How often the text must say whose a title is."""
_HAN = r"[\u3400-\u9fff]"
_BECAME = rf"(?:(?:封|立|拜|尊)({_HAN}{{2,4}})为|(?:自立|自称|自号|既|进位|受封|进爵)为?)"
_GRANTED = "(?:赐爵|进爵|加爵|袭爵|封爵)为?"
"""表奏孙策有功，封为讨逆将军，赐爵吴侯."""
_SENTENCE_CHARS = 40
_PASSAGES_A_CHECK = 500


def join_rulers(
    groups: NameGroups, titles: Collection[str], passages: Sequence[Passage], go_on: GoOn = carry_on
) -> None:
    """Add titles of rulers: the name of those whom the text calls so (魏主曹睿) or makes so (立曹操为魏王).

    They pass from bearer to bearer, so each has it from where the text first says so. A king of whom
    the text does not say that he became one is left alone: others may have been before him.
    """
    text = "\n".join(passage.text for passage in passages)
    called = appositions(text, titles, groups.forms())
    texts = (passage.text for passage in checked(passages, go_on, _PASSAGES_A_CHECK))
    people = set(groups.forms())
    raised = _enthroned(texts, titles, people)
    narration: Narration | None = None
    for title in dict.fromkeys(titles):
        go_on()
        members = groups.groups()
        names = _of_one_house(called[title]) + raised[title]
        if not names or names.total() < _FEWEST_STATED or not (title.endswith("主") or raised[title]):
            continue
        weight: Counter[int] = Counter()
        for name, n in names.items():
            weight[id(members[name])] += n
        bearers = list({id(members[name]): name for name in sorted(names, key=lambda name: names[name])}.values())
        bearers.sort(key=lambda name: -weight[id(members[name])])
        links = [Link(title, name, _first_stated(title, members[name], people, passages)) for name in bearers]
        if len(bearers) > 1:
            narration = narration or Narration(passages)
            links = [_earliest(link, links, members, narration) for link in links]
        if len(bearers) == 1:
            groups.add(title, AliasKind.ROLE)
            groups.set_kind(title, AliasKind.ROLE)
            groups.join(title, bearers[0], links[0].pos)
        else:
            groups.share(title, AliasKind.ROLE, bearers, links)


def _earliest(link: Link, links: Sequence[Link], members: Mapping[str, Sequence[str]], narration: Narration) -> Link:
    """Return since when a title is known to be somebody's who is the last to bear it: as stated, or shown by use."""
    if link.pos < max(other.pos for other in links):
        return link
    others = [form for other in links if other is not link for form in members[other.b]]
    shown = shown_by_use(link.a, members[link.b], others, narration)
    return link if shown is None else Link(link.a, link.b, min(link.pos, shown))


def _of_one_house(called: Mapping[str, int]) -> Counter[str]:
    """Leave out who stands behind a title once only and is of another family: 告后主黄皓之事."""
    if not called:
        return Counter()
    house = family_name(max(called, key=lambda name: (called[name], name)))
    return Counter({name: n for name, n in called.items() if n >= _FEWEST_STATED or family_name(name) == house})


def _enthroned(texts: Iterable[str], titles: Collection[str], people: Collection[str]) -> dict[str, Counter[str]]:
    """Count whom some texts raise to each title: 立曹操为魏王, 曹操自立为魏王."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    if not titles:
        return found
    either = "|".join(map(re.escape, titles))
    became, granted = re.compile(f"{_BECAME}({either})"), re.compile(f"{_GRANTED}({either})")
    for text in texts:
        for match in granted.finditer(text):
            name = _last_named(text[max(0, match.start() - _SENTENCE_CHARS) : match.start()], people)
            found[match[1]].update([name] if name else [])
        for match in became.finditer(text):
            before = text[max(0, match.start() - 4) : match.start()]
            name = match[1] or next((before[-size:] for size in (4, 3, 2) if before[-size:] in people), "")
            found[match[2]].update([name] if name in people else [])
    return found


def _last_named(before: str, people: Collection[str]) -> str:
    """Return the full name that a sentence has last before its end; empty for none."""
    sentence = before.rpartition("。")[2]
    for end in range(len(sentence), 1, -1):
        for size in (4, 3, 2):
            if end >= size and sentence[end - size : end] in people:
                return sentence[end - size : end]
    return ""


def _first_stated(title: str, names: Collection[str], people: Collection[str], passages: Sequence[Passage]) -> Pos:
    """Return the end of the first passage that gives a title to somebody of these names, one of the people."""
    for passage in passages:
        if title in passage.text:
            raised = _enthroned([passage.text], [title], people)
            if not raised[title].keys().isdisjoint(names) or any(title + name in passage.text for name in names):
                return passage.pos_end
    return 0
