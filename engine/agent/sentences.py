"""Whole sentences out of a stream of text, each with the citations that stand behind it."""

from __future__ import annotations

import re

_CITATION = r"(?: \[ [^\[\]\n]{1,80} \] | [【［(（] \s* \[? f\d [^\]】］)）\n]{3,80} \]? \s* [】］)）] )"
"""In brackets as it should be, or in those some models write instead."""
_END = re.compile(
    rf"""
    (?: (?P<stop> [.!?]+ ["'”’)]* (?=[\s\[]|$)     # a Latin end stands before a space: not in "the 6.40"
                | [。！？]+ [」』”’）]* )
      | \n+ )
    (?P<cited> (?: [ \t]* {_CITATION} [.。]? )* )    # what it rests on
    [ \t]*
    """,
    re.VERBOSE,
)
_SHORTENED = re.compile(
    r"(?<!\w)(?:Messrs|Mrs?|Ms|Mme|Mlle|Drs?|St|Rev|Hon|Prof|Capt|Col|Gen|Lieut|Lt|Maj|Sgt|No|Vol|vol|ch|[A-HJ-Z])\.$"
)
"""Alone before a name or number; "I." is an end."""
_OPEN_AND_CLOSE = {"“": "”", "「": "」", "『": "』"}
_TYPED = '"'
_CLOSE_SPEECH = ("”", "」", "』", "’", "）", ")", _TYPED)
_LONGEST_QUOTED = 300
"""A quotation longer than this is one that is never closed."""
_MAY_GO_ON = re.compile(
    rf"""
    [.!?。！？]["'”’」』)）]* (?: \s* {_CITATION} )* \s*
    (?: \[ [^\[\]\n]{{0,80}} | [【［(（] \s* (?: \[? f [\d\s;,f-]{{0,80}} )? )? $
    """,
    re.VERBOSE,
)


class SentenceHolder:
    """Holds text back until a sentence and the citations behind it are complete."""

    def __init__(self) -> None:
        self._held = ""
        self._looked = 0
        """No sentence ends before this index; a text without ends is looked through once, not once a piece."""

    def feed(self, piece: str) -> list[str]:
        """Take the next piece; return the sentences it completes, with the space behind them."""
        self._held += piece
        found = []
        while (end := self._whole()) is not None:
            found.append(self._held[:end])
            self._held = self._held[end:]
            self._looked = 0
        return found

    def rest(self) -> list[str]:
        """Return what is left when nothing more comes, cut into sentences."""
        held, self._held, self._looked = self._held, "", 0
        return cut_sentences(held)

    def _whole(self) -> int | None:
        while (match := _END.search(self._held, self._looked)) is not None:
            self._looked = match.start()
            # A citation, or a closing mark, may still follow the end seen so far.
            if match.end() == len(self._held) or _MAY_GO_ON.fullmatch(self._held[match.start() :]):
                return None
            behind = self._held[match.end() :]
            if behind.startswith("[") and "]" not in behind:
                return None
            if not _goes_on(self._held, 0, match):
                return match.end()
            self._looked = match.end()
        self._looked = len(self._held)
        return None


def cut_sentences(text: str) -> list[str]:
    """Cut a text into sentences; joined again they are the text."""
    cut, at = [], 0
    for match in _END.finditer(text):
        if not _goes_on(text, at, match):
            cut.append(text[at : match.end()])
            at = match.end()
    if at < len(text):
        cut.append(text[at:])
    return [sentence for sentence in cut if sentence]


def _goes_on(text: str, start: int, match: re.Match[str]) -> bool:
    """Say whether a sentence that begins at an index is not over at what looks like its end."""
    stop = match["stop"]
    if stop is None or match.end() == len(text):
        return False
    at, end = match.span("stop")
    if stop == "." and _SHORTENED.search(text, max(start, end - 10), end):
        return True
    is_omission = stop == "..." and text[at - 1 : at].isspace()
    if is_omission or _is_in_quotation(text, start, end):
        return True
    if match["cited"] or not stop.endswith(_CLOSE_SPEECH):
        return False
    behind = text[match.end()]
    # 「…。」と言った and “…?” she asked: the sentence is not over with the speech in it.
    return behind.islower() or (stop[0] in "。！？" and match.end() == end and behind.isalpha())


def _is_in_quotation(text: str, start: int, end: int) -> bool:
    """Say whether a quotation opened in text[start:end] is still open, and not for too long to be one."""
    opened: list[tuple[str, int]] = []
    for index in range(start, end):
        char = text[index]
        if opened and char == opened[-1][0]:
            opened.pop()
        elif char == _TYPED:
            opened.append((_TYPED, index))
        elif char in _OPEN_AND_CLOSE:
            opened.append((_OPEN_AND_CLOSE[char], index))
    return bool(opened) and end - opened[0][1] <= _LONGEST_QUOTED
