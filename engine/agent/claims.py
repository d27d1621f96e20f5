"""Tell whether a sentence claims something of the book, so that it needs a passage to rest on.

A name or a quotation says so at once. A sentence without either does too when it speaks of
somebody ("they are in the same class") or is made of the words of what was looked up.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from engine.text.fold import fold_words
from engine.text.grams import grams_of, is_stop_word, spans

_QUOTED = re.compile(r"[“「『«]([^“”「」『』«»]{6,})[”」』»]")
_SOMEBODY = re.compile(
    r"\b(?:he|she|they|him|her|them|his|hers|their|theirs|himself|herself|themselves)\b"
    r"|(?<![其吉])[他她](?!日|处|年|乡)|[两二三][个個]?人|彼(?!此|岸)",
    re.IGNORECASE,
)
"""Stands for somebody who was named before, or in the question."""
_NOT_FOUND = re.compile(
    r"\bI (?:did not|didn.t|could not|couldn.t|do not|don.t|cannot|can.t) (?:find|see|tell|know)\b"
    r"|\bI found (?:no|nothing)\b"
    r"|\b(?:book|text|novel|story|have read)(?: itself| so far)? (?:does not|doesn.t|do not|did not|never) "
    r"(?:yet )?(?:say|tell|mention|name|give|show|reveal)"
    r"|\b(?:nothing|no one|nobody|not|never|no)\b[^.;:]*\bas far as you have read\b"
    r"|\bas far as you have read\b[^.;:]*\b(?:nothing|no one|nobody|not|never|no)\b"
    r"|没有?(?:找到|查到|发现|提到)|找不到|查不到|尚未(?:提到|写)"
    r"|(?:[书書文][里中裡上]|[读讀]到[这這][里裡]|[小原][说說文]|[这這]一?章)[^。；]{0,6}(?:没有?|還没有?|沒有?|未)(?:写|寫|说|說|讲|講|提|交代|透露)"
    r"|見つか(?:りません|らな)|見当たりません|わかりません"
    r"|(?:書かれて|語られて|述べられて|触れられて|明かされて|出てきて)い(?:ません|ない)",
    re.IGNORECASE,
)
"""Says that something was not found, which needs no passage to rest on."""
_NOT_YET = re.compile(
    r"""
      \b(?:as|so)[ ]far[ ]as[ ](?:you[ ](?:have[ ])?|you've[ ]|it[ ]was[ ])read\b
    | \b(?:in[ ])?what[ ]you[ ]have[ ]read\b
    | \b(?:is[ ]|are[ ]|was[ ])?not[ ](?:yet[ ]|been[ ])?(?:told|said|revealed|known)(?:[ ]yet)?\b
    | \b(?:does|do|did)[ ]not[ ](?:yet[ ])?(?:say|tell)(?:[ ]yet)?\b
    | \blies[ ](?:ahead|beyond)(?:[ ](?:of[ ])?(?:where|what)[ ]you[ ]have[ ]read)?\b
    | [读讀]到[这這][里裡] | (?:[书書文][里中裡])?[还還]不(?:知道|清楚)
    | (?:[书書文][里中裡])?[还還][没沒]有?
      (?:说|說|写|寫|讲|講|提|交代|揭晓)(?:出|到|过|明)?
    | (?:読んだところまで|ここまで|お読みになったところ)(?:に|で)?は?、?
    | まだ(?:お読みになって|読んで|書かれて|語られて|明かされて)い(?:ません|ない)(?:(?:ところ|先)に(?:あります|ある))?
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Says of something that it lies ahead."""
_NEUTRAL = frozenset({"answer", "book", "chapter", "find", "know", "novel", "read", "sai", "stori", "tell", "text"})
_CONTENT = re.compile(r"[\u3400-\u9fff\u30a1-\u30fa]")
"""A Han or katakana character: what a Chinese or Japanese sentence is about; the rest bends it."""
_LEAST_BENT = 0.5
"""Of the pairs of characters of a sentence that bends the words of the question: どうなりますか, どうなるかは."""
_LEAST_WORDS, _LEAST_SHARE = 3, 0.6
"""So many telling words, and so much of them out of what was looked up, are no chance: a lead such as "There are
two reasons:" has fewer."""
_PASSAGE = re.compile(r"\[f\d")


class Claims:
    """Knows the names of the work, and what was looked up in a turn."""

    def __init__(self, is_named: Callable[[str], bool], given: str = "", asked: str = "") -> None:
        """Take what is known from the start.

        Args:
            is_named: Says whether words hold a name, place or term of the work.
            given: Words the reader has before her eyes: to quote them, as they stand or bent, claims nothing.
            asked: Her question: to say in its own words that the answer lies ahead claims nothing.
        """
        self._is_named = is_named
        self._given = telling_grams(given)
        self._asked = telling_grams(asked) | _NEUTRAL
        self._asked_chars = set(_CONTENT.findall(fold_words(asked)))
        self._heard: set[str] = set()

    def hear(self, material: str) -> None:
        """Take what was looked up; what holds no passage, such as the settings, is none of the book."""
        if _PASSAGE.search(material):
            self._heard |= telling_grams(material)

    def names_the_book(self, sentence: str) -> bool:
        """Say whether a sentence holds a name of the work or quotes it."""
        return any(map(self._is_quotation, _QUOTED.findall(sentence))) or self._is_named(sentence)

    def speaks_of_it(self, sentence: str) -> bool:
        """Say whether a sentence without a name speaks of somebody, or in the words of what was looked up."""
        own = _QUOTED.sub(" ", sentence)
        if _SOMEBODY.search(own):
            return True
        words = telling_grams(own)
        return len(words) >= _LEAST_WORDS and len(words & self._heard) >= _LEAST_SHARE * len(words)

    def tells_no_more_than_asked(self, sentence: str) -> bool:
        """Say whether a sentence says that something is not told yet, in the words of the question alone."""
        rest, count = _NOT_YET.subn(" ", _NOT_FOUND.sub(" ", sentence))
        if not count and not _NOT_FOUND.search(sentence):
            return False
        if set(_CONTENT.findall(fold_words(rest))) - self._asked_chars:
            return False
        words = telling_grams(rest)
        pairs = {word for word in words if not word.isascii()}
        is_in_her_words = len(pairs & self._asked) >= _LEAST_BENT * len(pairs)
        return is_in_her_words and words - pairs <= self._asked

    def _is_quotation(self, quoted: str) -> bool:
        parts = list(spans(fold_words(quoted)))
        if len(parts) == 1 and not parts[0].is_dense:
            return False  # a word that is spoken of
        words = telling_grams(quoted)
        return not words or len(words & self._given) < len(words) / 2


def says_nothing_was_found(sentence: str) -> bool:
    """Say whether a sentence says no more than that the book does not have something."""
    return bool(_NOT_FOUND.search(sentence))


def telling_grams(text: str) -> frozenset[str]:
    """Return the grams of a text, without the words any text has."""
    folded = fold_words(text)
    return frozenset(
        gram
        for span in spans(folded)
        if span.is_dense or not is_stop_word(span.text)
        for gram in grams_of(span.text)
        if len(gram) > 1
    )
