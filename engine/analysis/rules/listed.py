"""The book's own list of its characters, or glossary: names it vouches for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from engine.analysis.rules.clusters import Findings, Link, NameCluster
from engine.domain.knowledge import AliasKind, PointKind, TextBlock

_PEOPLE = re.compile(
    r"(?:the |list of |main |principal |other )*(?:dramatis person(?:ae|æ)|cast(?: of characters)?|characters|"
    r"persons? (?:of|in) the (?:play|story|drama|novel|book)|who'?s who)(?: in (?:this|the) (?:book|story|novel))?[.:]?"
    r"|(?:主要|主な|本书|本書)?(?:登场|登場|出场|出場)?(?:人物|角色|キャラクター)(?:表|一览|一覧|介绍|介紹|紹介|简介|簡介)?"
    r"|キャスト",
    re.I,
)
_TERMS = re.compile(
    r"(?:the |a )?glossary(?: of (?:names|terms))?[.:]?"
    r"|(?:术语|術語|名词|名詞|用語|用语)(?:表|集|解释|解釋|解説|解说|辞典|一覧|一览)",
    re.I,
)
_ENTRY = re.compile(
    r"(?P<name>[^\s—–:：,，;；.…(（\[［-][^—–:：,，;；…(（\[［\t\n。！？!?“”「」『』\"]{0,39}?)\s*"
    r"(?:[(（\[［][^)）\]］]{0,40}[)）\]］]\s*)?(?:[—–:：,，;；]|\.{2,}|…+|\s-\s|\u3000|\t|\n|$)"
)
_CHAPTER = re.compile(
    r"(?:chapter|part|book|volume|prologue|epilogue|preface|[ivxlc]+\.?|\d+\.?)(?:\W|$)|第.+[章回話话卷巻]|[序終终][章幕]",
    re.I,
)
_NOT_LISTED = frozenset({"a", "an", "the", "some", "several", "other", "two", "three", "various", "and", "with"})
_LEAST_ENTRIES = 3
_MOST_BLOCKS = 400
_MOST_STRAY_BLOCKS = 4
"""Blocks without an entry that end a list: descriptions take one or two."""
_LONGEST_LATIN_WORDS = 5
_LONGEST_CJK = 14


@dataclass(frozen=True, slots=True)
class ListedName:
    """A name from a list of the book."""

    form: str
    """In the case of a name."""
    printed: str
    """As the list prints it, perhaps in capitals."""
    kind: PointKind


def is_title_of_list(text: str) -> bool:
    """Say whether a line is the title of a list of characters or a glossary."""
    return _kind_of_list(text) is not None


def listed_names(blocks: Sequence[TextBlock]) -> list[ListedName]:
    """Read the names of every list of characters and glossary, each once, in order."""
    found: dict[str, ListedName] = {}
    for i, block in enumerate(blocks):
        kind = _kind_of_list(block.text)
        if kind is not None:
            entries = list(_entries(blocks, i, kind))
            if len(entries) >= _LEAST_ENTRIES:
                found.update((entry.form, found.get(entry.form, entry)) for entry in entries)
    return list(found.values())


def with_listed(findings: Findings, names: Sequence[ListedName]) -> Findings:
    """Mark the clusters the book itself lists, and add the names that are in none."""
    by_form = {name.form: name for name in names}
    known = {form for cluster in findings.clusters for form in cluster.forms}
    new = [NameCluster(name.kind, name.form, {name.form: AliasKind.FULL}) for name in names if name.form not in known]
    return replace(findings, clusters=[_vouched(cluster, by_form) for cluster in (*findings.clusters, *new)])


def _vouched(cluster: NameCluster, by_form: dict[str, ListedName]) -> NameCluster:
    those = [by_form[form] for form in cluster.forms if form in by_form]
    if not those:
        return cluster
    otherwise = {name.form: name.printed for name in those if name.printed != name.form}
    links = [
        Link(printed, link.b if link.a == form else link.a, link.pos)
        for form, printed in otherwise.items()
        for link in cluster.links
        if form in {link.a, link.b}
    ]
    spelt = dict.fromkeys(otherwise.values(), AliasKind.SPELLING)
    return replace(cluster, forms={**spelt, **cluster.forms}, links=(*cluster.links, *links), is_listed=True)


def _kind_of_list(text: str) -> PointKind | None:
    if not text or len(text) > 60:
        return None
    title = " ".join(text.replace("’", "'").split())
    if _PEOPLE.fullmatch(title):
        return PointKind.PERSON
    return PointKind.CONCEPT if _TERMS.fullmatch(title) else None


def _entries(blocks: Sequence[TextBlock], title: int, kind: PointKind) -> Iterator[ListedName]:
    stray = 0
    for block in blocks[title + 1 : title + 1 + _MOST_BLOCKS]:
        text = block.text.strip()
        if _kind_of_list(text) or (block.is_heading and _ends_list(block, blocks[title])):
            return
        entry = _ENTRY.match(text)
        printed = " ".join(entry["name"].split()).strip("•*·-– ") if entry else ""
        name = _name_of(printed)
        if name:
            stray = 0
            yield ListedName(name, printed, kind)
        elif text:
            stray += 1
            if stray > _MOST_STRAY_BLOCKS:
                return


def _ends_list(heading: TextBlock, title: TextBlock) -> bool:
    return heading.chapter != title.chapter or _CHAPTER.match(heading.text.strip()) is not None


def _name_of(printed: str) -> str:
    """Return an entry's first words as a name; empty when they are none."""
    if not any(char.isalpha() for char in printed) or _CHAPTER.match(printed):
        return ""
    if printed[0] >= "\u2e80":
        return printed if len(printed) <= _LONGEST_CJK and " " not in printed else ""
    name = printed.title().replace("'S", "'s") if printed.isupper() else printed
    words = name.split()
    is_name = all(word[0].isupper() or len(word) < 4 for word in words) and len(words) <= _LONGEST_LATIN_WORDS
    return name if name[0].isupper() and is_name and words[0].lower() not in _NOT_LISTED else ""
