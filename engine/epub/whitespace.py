"""White space of the source: what of it is text."""

from __future__ import annotations

import re

WHITE = " \t\n\r\f"
"""What markup may be laid out with."""
PADDING = " \u00a0\u3000\u2002\u2003\u2009\u200b"
"""What some books indent or pad a paragraph with; the page does that itself."""

_FOLDABLE = re.compile(r"[\t\n\r\f]|  ")
_RUN = re.compile(r"[ \t\n\r\f]+")
# Han, kana, bopomofo, their punctuation and full-width forms: a line break between two of them is no blank.
_WIDE = (
    "\u2e80-\u312f\u31a0-\u4dbf\u4e00-\ua4cf\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff60\uffe0-\uffe6\U00020000-\U0003fffd"
)
# Quotation marks, dashes and dots that both East Asian and other texts use.
_EITHER = "\u2014\u2018\u2019\u201c\u201d\u2026\u00b7"
_LINE_END = r"[ \t\f]*[\n\r][ \t\n\r\f]*"
_WIDE_LINE_END = re.compile(
    f"(?<=[{_WIDE}]){_LINE_END}(?=[{_WIDE}{_EITHER}])|(?<=[{_WIDE}{_EITHER}]){_LINE_END}(?=[{_WIDE}])"
)
_IS_WIDE = re.compile(f"[{_WIDE}]")
_IS_WIDE_OR_EITHER = re.compile(f"[{_WIDE}{_EITHER}]")
_BREAK_SIGNS = re.compile(
    r"[*＊✱⁂※◇◆□■○●◎☆★#＃❦❧✦✧❖~～〜•·・†‡+＋◈◊⋆]{1,24}|[-–—―─━_=]{3,}|[*＊·•・.。…—–-](?:\s+[*＊·•・.。…—–-]){2,}"
)
_LONGEST_BREAK = 40


def fold(text: str) -> str:
    """Fold runs of white space into one blank, or none where a line ends between two East Asian characters.

    Args:
        text: Without white space at its ends.
    """
    if _FOLDABLE.search(text) is None:
        return text
    return _RUN.sub(" ", _WIDE_LINE_END.sub("", text))


def needs_blank(before: str, white: str, after: str) -> bool:
    """Say whether white space between two pieces of text makes a blank.

    Args:
        before: The last character so far, "" at the start of a block.
        white: The white space.
        after: The first character that follows.
    """
    if before in ("", " ", "\t", "\n"):
        return False
    if "\n" not in white and "\r" not in white:
        return True
    if _IS_WIDE.match(before):
        return _IS_WIDE_OR_EITHER.match(after) is None
    return not (_IS_WIDE.match(after) and _IS_WIDE_OR_EITHER.match(before))


def is_scene_break(text: str) -> bool:
    """Say whether a paragraph is nothing but signs such as "* * *" or ◇."""
    return len(text) <= _LONGEST_BREAK and _BREAK_SIGNS.fullmatch(text) is not None
