"""The analyst's front door: blocks of a work in, its roster out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from engine.analysis.rules import chinese, english, japanese
from engine.analysis.rules.checks import GoOn, carry_on
from engine.analysis.rules.clusters import Findings
from engine.analysis.rules.colophons import without_colophons
from engine.analysis.rules.listed import listed_names, with_listed
from engine.analysis.rules.roster import build_roster
from engine.analysis.rules.times import without_times
from engine.domain.knowledge import Roster, TextBlock

_RULES: Mapping[str, Callable[[Sequence[TextBlock], GoOn], Findings]] = {
    "en": english.find_clusters,
    "zh": chinese.find_clusters,
    "ja": japanese.find_clusters,
}
_KANA = re.compile(r"[\u3041-\u30ff]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[A-Za-z]{2}")
_SAMPLE_CHARS = 50_000


def analyse(blocks: Iterable[TextBlock], language: str, go_on: GoOn = carry_on) -> Roster:
    """Find who and what a work is about, under which names, and where.

    Pure: nothing is read or written but what is handed in. Never raises for a text, however odd. Chapters that
    are no story, licences and notes on the edition give no names and no mentions.

    Args:
        blocks: All blocks of the work in reading order, pos ascending.
        language: BCP 47; the script of the text decides when there are no rules for it, or when it is plainly wrong.
        go_on: Asked at least every 200 ms of work; what it raises is let through.
    """
    listed = without_colophons(list(blocks), go_on)
    go_on()
    findings = _RULES[choose_rules(listed, language)](listed, go_on)
    go_on()
    findings = without_times(findings, listed)
    go_on()
    return build_roster(listed, with_listed(findings, listed_names(listed)), go_on)


def choose_rules(blocks: Sequence[TextBlock], language: str) -> str:
    """Return whose rules a text is read with: "en" (any Latin script), "zh" or "ja"."""
    sample = _sample(blocks)
    kana, han, latin = (len(pattern.findall(sample)) for pattern in (_KANA, _HAN, _LATIN))
    primary = language.partition("-")[0].casefold()
    if primary in _RULES and (latin if primary == "en" else kana + han) * 4 >= kana + han + latin:
        return primary
    if latin >= kana + han:
        return "en"
    return "ja" if kana * 4 >= han else "zh"


def _sample(blocks: Sequence[TextBlock]) -> str:
    """Return text from the whole length of a work."""
    step = max(1, sum(len(block.text) for block in blocks) // _SAMPLE_CHARS)
    return "".join(block.text for block in blocks[::step])
