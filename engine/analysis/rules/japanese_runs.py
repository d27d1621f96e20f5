"""Japanese strings that may be names: runs of one script, cut at titles, and what stands around them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.analysis.rules.checks import GoOn, carry_on, checked
from engine.analysis.rules.grams import EDGE, Gram, make_gram
from engine.analysis.rules.japanese_tagger import Tags, hiragana_names
from engine.analysis.rules.japanese_words import HONORIFICS, ROLES

KANJI = "\u3400-\u9fff々〆ヶヵ〇"
_KATAKANA = "ァ-ヺー"
_RUN = re.compile(
    rf"[{KANJI}]{{2,4}}(?:ステーション|ホテル|タワー|シティ|タウン|ランド|パーク|ホール|ギルド)"
    rf"|お[{KANJI}]{{1,2}}(?![{KANJI}])"
    rf"|[ぁ-ん]{{2,3}}子(?![{KANJI}])"
    rf"|[{_KATAKANA}]{{2,}}(?:[・＝=][{_KATAKANA}]+)*[{KANJI}]{{0,4}}"
    rf"|[{KANJI}]{{1,9}}"
)
_FOREIGN = re.compile(f"[{_KATAKANA}]{{3,}}")
_SPOKEN = tuple(title for title in HONORIFICS if "ぁ" <= title[0] <= "ん")
_WRITTEN = frozenset(title for title in HONORIFICS if not "ぁ" <= title[0] <= "ん")
_RUNS_A_CHECK = 10_000
_FORMS_A_CHECK = 500
_LONGEST_TITLE = max(map(len, _WRITTEN))
_LETTER = re.compile(rf"[{KANJI}ぁ-んァ-ヺー]")


_NAMING = re.compile("(?:と(?:いう|云う|言う|呼ばれ|呼ぶ|申す|申しま|名乗|名づけ)|って(?:いう|言う))")
_LOCATING = re.compile(
    "の(?:野原|高原|平原|草原|砂漠|海|浜|岸|国|町|街|村|里|都|城|森|林|山|谷|川|島|港|駅|停車場|観測所|戦い|住人|民)"
)
_AFTER_DONO = frozenset("はがもをにへと、。")
"""Else どの is "which"."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A string that may be a name, over the whole text."""

    gram: Gram
    """Neighbours are those of the string with its title; kana count as they stand."""
    titles: Mapping[str, int]
    """Titles that follow it, with their counts."""
    person: float
    """Share of occurrences a tagger takes for a name of a person, in [0, 1]; 0 without one."""
    place: float
    """Likewise of a place."""
    ordinary: float
    """Likewise for one ordinary word."""
    unknown: float
    """Likewise for a word its dictionary does not have, or cut into single characters that are no numbers."""

    naming: int
    """How often the text goes on "という": called so."""
    locating: int
    """How often it goes on with の and a word for a place."""

    @property
    def titled(self) -> float:
        """Share of occurrences under a title, in [0, 1]."""
        return sum(self.titles.values()) / self.gram.count


def find_candidates(text: str, tags: Tags | None, min_count: int, go_on: GoOn = carry_on) -> dict[str, Candidate]:
    """Find the strings that may be names: those of `min_count` occurrences, and rarer ones a tagger takes for names.

    Args:
        text: The whole text.
        tags: What a tagger says of its characters, None without one.
        min_count: At least 1.
        go_on: Asked on the way.
    """
    places: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
    for start, end, title in checked(_places(text), go_on, _RUNS_A_CHECK):
        places[text[start:end]].append((start, end, title))
    if tags is not None:
        for start, end in hiragana_names(text, tags):
            title = next((title for title in _SPOKEN if text.startswith(title, end)), "")
            if title and text[start:end] + title not in ROLES:
                places[text[start:end]].append((start, end, title))
    return {
        form: _candidate(form, text, those, tags)
        for form, those in checked(places.items(), go_on, _FORMS_A_CHECK)
        if (len(those) >= min_count and not _is_mostly_a_word(form, len(those), text))
        or (tags is not None and _may_be_rare_name(text, tags, *those[0]))
    }


def _is_mostly_a_word(form: str, times: int, text: str) -> bool:
    """Say whether a string in hiragana is more often something else than a name under a title."""
    return all("ぁ" <= char <= "ん" for char in form) and times < 0.6 * text.count(form)


def _may_be_rare_name(text: str, tags: Tags, start: int, end: int, title: str) -> bool:
    """Say whether a string of few occurrences is worth a look: tagged as a name, called so, or under a title."""
    if "ぁ" <= text[start] <= "ん" and text[start] != "お":
        return False
    if set(tags.kinds(start, end)) & set("pluxn") and title in {"さん", "ちゃん", "くん"}:
        return True
    if _NAMING.match(text, end) or _LOCATING.match(text, end):
        return _FOREIGN.fullmatch(text, start, end) is not None
    return bool(set(tags.kinds(start, end)) & set("plux"))


def _places(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, title) of each run without its title, empty when there is none."""
    for match in _RUN.finditer(text):
        start, end = match.span()
        run = match[0]
        spoken = next((title for title in _SPOKEN if text.startswith(title, end)), "")
        if spoken == "どの" and text[end + 2 : end + 3] not in _AFTER_DONO:
            spoken = ""
        if spoken:
            if len(run) > 1 or spoken in {"さん", "ちゃん", "くん"}:
                yield start, end, spoken
            continue
        written = _title_of(run)
        if written and run not in ROLES:
            if end - start - len(written) > 1:
                yield start, end - len(written), written
        elif len(run) > 1:
            yield start, end, ""


def _title_of(run: str) -> str:
    """Return the longest title a run ends in, empty when there is none or nothing before it."""
    sizes = range(min(_LONGEST_TITLE, len(run) - 1), 0, -1)
    return next((run[-size:] for size in sizes if run[-size:] in _WRITTEN), "")


def _candidate(form: str, text: str, places: list[tuple[int, int, str]], tags: Tags | None) -> Candidate:
    before: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    titles: Counter[str] = Counter()
    person = place = ordinary = unknown = naming = locating = 0
    for start, end, title in places:
        before[text[max(0, start - 1) : start]] += 1
        pairs[text[end + len(title) : end + len(title) + 2]] += 1
        naming += _NAMING.match(text, end + len(title)) is not None
        locating += _LOCATING.match(text, end) is not None
        if title:
            titles[title] += 1
        if tags is not None:
            kinds = tags.kinds(start, end)
            person += "p" in kinds and "n" not in kinds
            place += "l" in kinds and "p" not in kinds and "n" not in kinds and kinds[0] != "v" and kinds[-1] != "d"
            ordinary += kinds == "n"
            unknown += bool(set(kinds) & set("ux")) or (len(kinds) == end - start and not set(kinds) & set("dpl"))
    n = len(places)
    after: Counter[str] = Counter()
    for pair, times in pairs.items():
        after[pair[:1] if _LETTER.match(pair) else EDGE] += times
    left: Counter[str] = Counter()
    for char, times in before.items():
        left[char if _LETTER.match(char) or char in "」』" else EDGE] += times
    return Candidate(
        make_gram(form, left, after, pairs), titles, person / n, place / n, ordinary / n, unknown / n, naming, locating
    )
