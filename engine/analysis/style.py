"""How plainly something is written: what a style sheet for each language would mark."""

from __future__ import annotations

import re
from collections.abc import Mapping

_LONGEST = {"en": 260, "zh": 90, "ja": 110}
"""Characters of a sentence."""
_EVALUATES: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(
        r"\b(?:beautiful(?:ly)?|compelling|poignant|masterful|iconic|fascinating|remarkabl[ey]|unforgettable|truly|deeply"
        r"|profound(?:ly)?|stunning|tapestry|testament|pivotal|crucial(?:ly)?|intriguing)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile("令人(?:感动|难忘|震撼|惊叹)|深刻地?|淋漓尽致|耐人寻味|精彩|引人入胜|意味深长|至关重要"),
    "ja": re.compile("感動的|見事な|印象的|魅力的|非常に重要|心を打つ|奥深い"),
}
_PADS: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(
        r"\b(?:it is worth (?:noting|mentioning)|it should be noted|as mentioned|in conclusion|overall|needless to say"
        r"|of course|in essence|serves as)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile("值得(?:一提|注意)|众所周知|总而言之|综上所述|不言而喻|可以说"),
    "ja": re.compile("言うまでもなく|特筆すべき|なお、|要するに|と言えるだろう|と言っても過言ではない"),
}
_SPEAKS_OF_BOOK: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(
        r"\b(?:the (?:reader|author|narrator|novel|book|story|chapter|text|passage|scene))\b", re.IGNORECASE
    ),
    "zh": re.compile("读者|讀者|作者|本书|本書|小说|小說|本章|文中|书中|書中"),
    "ja": re.compile("読者|作者|本書|作品|本章|作中|小説"),
}
_BEGINS_WITH_PRONOUN: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(r"^(?:they|this|that|these|those|it)\b", re.IGNORECASE),
    "zh": re.compile("^(?:他们|她们|它们|这|那|其)"),
    "ja": re.compile("^(?:彼ら|これ|それ|あれ|その|この)"),
}


def lint(text: str, language: str) -> list[str]:
    """Return what in a sentence breaks the style of its language: "long", "evaluates", "pads", "book", "pronoun"."""
    key = language[:2].lower()
    words = text.rpartition("\t")[2].strip()
    if key not in _LONGEST:
        return []
    found = ["long"] if len(words) > _LONGEST[key] else []
    rules = {"evaluates": _EVALUATES, "pads": _PADS, "book": _SPEAKS_OF_BOOK, "pronoun": _BEGINS_WITH_PRONOUN}
    return [*found, *(name for name, patterns in rules.items() if patterns[key].search(words))]
