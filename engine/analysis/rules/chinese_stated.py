"""What a Chinese text itself says about names: 姓关名羽字云长, 懿字仲达, 乳名阿斗, 魏主曹睿."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from engine.analysis.rules.chinese_names import family_name, given_name
from engine.domain.knowledge import AliasKind
from engine.domain.locator import Pos

_HAN = r"[\u3400-\u9fff]"
_INTRODUCED = re.compile(
    rf"姓({_HAN}{{1,2}}?)[，、]?名(?:唤|叫|作)?({_HAN}{{1,2}}?)(?=[，。；：、！？”’」』）]|表?字|者)"
)
_EPITHET = re.compile(
    rf"[，、；：。]?(?:又|一|表|自|故|人)?(后改字|后改|绰号|外号|诨号|道号|法号|别号|号|乳名|小名|小字|字|称)"
    rf"(?:曰|为|作|叫作|叫做|唤作|唤做|叫|唤)?[“‘「『]?({_HAN}{{2,4}}?)[”’」』]?(?=[，。；：、！？”’」』）者也的]|$)"
)
_FROM = r"(?:[，、](?:[^，。；：！？“”]{2,8}人[也氏]?))?[，、]?$"
_PARTS = re.compile(rf"(?:姓({_HAN}{{1,2}}?)[，、]?)?名(?:唤|叫|作)?({_HAN}{{1,2}})" + _FROM)
_NAME = re.compile(rf"({_HAN}{{1,6}})" + _FROM)
_BORN = re.compile(rf"生(?:下|了|得)?({_HAN}{{2,4}})")
_COURTESY = frozenset({"字", "后改", "后改字"})
_BIRTH_NAMES = frozenset({"乳名", "小名"})
_ART_NAMES = frozenset({"号", "道号", "法号", "别号"})
_BACK_CHARS = 200
"""How far back the one who is spoken of is named."""
_SUBJECT_CHARS = 28


@dataclass(frozen=True, slots=True)
class Passage:
    """A block as the alias rules read it."""

    text: str
    """Simplified."""
    pos_end: Pos


@dataclass(frozen=True, slots=True)
class Stated:
    """The text says: this one is also called that."""

    name: str
    """A known person."""
    other: str
    kind: AliasKind
    pos: Pos
    """End of the block that says so."""


def introduced_names(text: str) -> dict[str, int]:
    """Return the names a text introduces part by part (姓吕名布), with how often each stands in it."""
    found = {match[1] + match[2] for match in _INTRODUCED.finditer(text)}
    return {form: text.count(form) for form in found if family_name(form) and 2 <= len(form) <= 4}


def stated_names(passages: Iterable[Passage], people: Mapping[str, int]) -> Iterator[Stated]:
    """Yield what the text says of other names of known people."""
    known = _Known(people)
    for passage in passages:
        if any(sign in passage.text for sign in "字号名称"):
            yield from _stated_in(passage, known)


class _Known:
    """Known people by the parts of their names."""

    def __init__(self, people: Mapping[str, int]) -> None:
        self.people = people
        self._by_given: dict[str, list[str]] = defaultdict(list)
        self._by_family: dict[str, list[str]] = defaultdict(list)
        for form in people:
            family = family_name(form)
            if family and len(form) - len(family) in (1, 2):
                self._by_given[given_name(form)].append(form)
                self._by_family[family].append(form)

    def by_given(self, given: str, before: str) -> str:
        """Return whom a given name means after a text: the one named last, else whose family is.

        Empty when that tells nothing.
        """
        bearers = self._by_given.get(given, [])
        named = [form for form in bearers if form in before]
        if named:
            return max(named, key=before.rfind)
        if not bearers:
            return ""
        last = {form: max(map(before.rfind, self._by_family[family_name(form)])) for form in bearers}
        nearest = max(bearers, key=last.__getitem__)
        return nearest if last[nearest] >= 0 else ""

    def at_end(self, text: str) -> str:
        """Return the longest known full name that a text ends with; empty for none."""
        return next((text[-size:] for size in (4, 3, 2) if text[-size:] in self.people), "")


def _stated_in(passage: Passage, known: _Known) -> Iterator[Stated]:
    text = passage.text
    subject, done = "", -1
    for match in _EPITHET.finditer(text):
        if match.start() != done:
            subject = _subject_before(text, match, known)
        done = match.end()
        sort, other = match[1], match[2]
        if sort == "号" and match[0][0] not in "，、；：":  # 号令, 号哭
            continue
        if not subject or other == subject or (sort in _COURTESY and len(other) != 2):
            continue
        kind = AliasKind.COURTESY if sort in _COURTESY | _ART_NAMES else AliasKind.NICKNAME
        yield Stated(subject, other, kind, passage.pos_end)


def _subject_before(text: str, epithet: re.Match[str], known: _Known) -> str:
    """Return the known person whom the words before an epithet name; empty when they name nobody."""
    start = epithet.start()
    before = text[max(0, start - _BACK_CHARS) : start]
    if epithet[1] in _BIRTH_NAMES:
        born = [known_form(match[1], known.people) for match in _BORN.finditer(before)]
        if born and born[-1]:
            return born[-1]
    near = text[max(0, start - _SUBJECT_CHARS) : start]
    parts = _PARTS.search(near)
    if parts is not None:
        full = (parts[1] or "") + parts[2]
        return full if full in known.people else "" if parts[1] else known.by_given(parts[2], before)
    name = _NAME.search(near)
    if name is None:
        return ""
    if epithet[1] == "称":  # one is called many things by somebody
        return known.at_end(name[1]) if "人称" in epithet[0] else ""
    return known.at_end(name[1]) or _by_given_at_end(name[1], before, known)


def _by_given_at_end(words: str, before: str, known: _Known) -> str:
    return known.by_given(words[-2:], before) or known.by_given(words[-1:], before)


def known_form(words: str, people: Collection[str]) -> str:
    """Return the longest known name that words begin with; empty for none."""
    return next((words[:size] for size in range(min(4, len(words)), 1, -1) if words[:size] in people), "")


def appositions(text: str, titles: Collection[str], people: Collection[str]) -> dict[str, Counter[str]]:
    """Count the known names that stand right after each of some titles: 魏主曹睿, 都督周瑜."""
    import ahocorasick_rs  # a native library the reading process never needs

    ordered = sorted(titles)
    found: dict[str, Counter[str]] = defaultdict(Counter)
    if not ordered:
        return found
    for which, _start, end in ahocorasick_rs.AhoCorasick(ordered).find_matches_as_indexes(text, overlapping=True):
        name = known_form(text[end : end + 4], people)
        if name:
            found[ordered[which]][name] += 1
    return found
