"""Which series a book belongs to, and which parts of an omnibus are volumes, by their titles."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from engine.domain.book import ChapterKind, ParsedChapter, VolumePart

_DIGITS = {char: value for value, char in enumerate("〇一二三四五六七八九")}
_DIGITS |= dict(zip("零两兩壱弐参", (0, 2, 2, 1, 2, 3), strict=True))
_UNITS = {"十": 10, "百": 100, "千": 1000}
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_ENGLISH = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty"
)
_WORDS = {word: number for number, word in enumerate(_ENGLISH.split(" "))}
_HALVES = {"上": 1.0, "中": 2.0, "下": 3.0, "前": 1.0, "后": 2.0, "後": 2.0}

_HAN_NUMBER = "[0-9０-９〇零一二三四五六七八九十百千两兩壱弐参]{1,7}"
_NUMBER = rf"(?:{_HAN_NUMBER}(?:[.．]\d)?|[ivxlcIVXLC]{{1,7}}\b|[Ⅰ-Ⅻⅰ-ⅻ])"
_EAST = "卷|巻|冊|册|集|部|篇|輯|辑|券"
_EAST_SURE = "卷|巻|冊|册|集|輯|辑|券"
_OPEN, _CLOSE = r"[(（\[［【〔<＜〈《]", r"[)）\]］】〕>＞〉》]"

_SURE = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"第\s*(?P<n>{_NUMBER})\s*(?:{_EAST})",
        rf"(?<![一-鿿])(?:{_EAST_SURE})(?P<n>{_NUMBER})(?![一-鿿])",
        rf"\b(?:vol(?:ume)?s?\.?|v\.)\s*#?(?P<n>\d{{1,4}}(?:\.\d)?|{_NUMBER}|{'|'.join(_WORDS)})(?!\w)",
        r"\b(?:light novel|novel)\s+(?P<n>\d{1,3})(?!\w)",
        r"\bv(?P<n>\d{2,3})(?!\w)",
        r"#\s*(?P<n>\d{1,3}(?:\.\d)?)(?!\w)",
        r"\bbook\s+(?P<n>\d{1,3}|" + "|".join(_WORDS) + r")(?!\w)",
        rf"{_OPEN}\s*(?P<n>\d{{1,3}}(?:\.\d)?|[0-9０-９]{{1,3}}|[一二三四五六七八九十]{{1,3}})\s*{_CLOSE}",
        r"(?P<n>[①-⑳㉑-㉟㊱-㊿⑴-⒇❶-❿])",
        rf"{_OPEN}\s*(?P<h>[上中下前后後])\s*(?:{_EAST}|編|篇|编)?\s*{_CLOSE}",
        r"(?<=[\s　])(?P<h>[上中下])(?:卷|巻|冊|册|集|部|編|篇|编)?$",
        r"(?P<h>[上中下])(?:卷|巻|冊|册)$",
    )
)
_WEAK = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?<=[^\W\d])\s*(?P<n>[0-9０-９]{1,3}(?:[.．]\d)?)\s*$",
        r"[\s　](?P<n>[ⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩⅪⅫ]|[IVX]{1,6})\s*$",
        r"(?<=[一-鿿ァ-ヶー])(?P<n>[ⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩⅪⅫ]|[IVX]{1,6})\s*$",
    )
)
_YEARLIKE = range(1000, 2200)
_TRIM = " \t\u3000:：,，、·・_|.#"
_DASHES = "-–—―~～"
_VOLUME_TITLE = re.compile(
    rf"第\s*{_NUMBER}\s*(?:{_EAST_SURE})|^(?:{_EAST_SURE})\s*{_NUMBER}"
    rf"|\b(?:vol(?:ume)?\.?|tome|band)\s*#?(?:\d{{1,4}}|{_NUMBER}|{'|'.join(_WORDS)})(?!\w)"
    rf"|{_OPEN}?[上中下](?:{_EAST_SURE}){_CLOSE}?",
    re.I,
)
_NO_VOLUME = re.compile(
    r"^(?:chapter|part|section|book|act|scene|canto|章|第.{1,6}[章节節回话話幕]|序|プロローグ)", re.I
)
_NUMBERED = re.compile(
    r"^(?P<stem>.{2,80}?)[\s:：\-–—·・_.]*(?P<n>[0-9０-９]{1,3}|[ⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩⅪⅫ]|[IVX]{1,5}|[①-⑳])\s*$"
)


@dataclass(frozen=True, slots=True)
class SeriesGuess:
    """A series and a place in it, read from a title."""

    series: str
    index: float
    is_sure: bool = True
    """False for a bare number at the end, which may be part of the name."""


def guess_series(title: str) -> SeriesGuess | None:
    """Read series and volume number from a title such as 刀剑神域 第三卷, Saga, Vol. 3 or 薬屋のひとりごと(3).

    None when the title names no volume, or nothing but a volume.
    """
    for patterns, is_sure in ((_SURE, True), (_WEAK, False)):
        for pattern in patterns:
            for match in reversed(list(pattern.finditer(title))):
                index = _index_of(match)
                series = _series_of(title, match)
                if index is not None and series and not (not is_sure and index in _YEARLIKE):
                    return SeriesGuess(series, index, is_sure)
    return None


def number_of(text: str) -> float | None:
    """Read a whole or decimal number written in digits, Han, Roman, circled or English; None when it is none."""
    text = unicodedata.normalize("NFKC", text).strip().lower().strip("()")
    if re.fullmatch(r"\d{1,4}(?:\.\d)?", text):
        return float(text)
    if text in _WORDS:
        return float(_WORDS[text])
    if text and all(char in _ROMAN for char in text):
        return float(_roman(text))
    if text and all(char in _DIGITS or char in _UNITS for char in text):
        return float(_han(text))
    return None


def omnibus_parts(chapters: Sequence[ParsedChapter], documents: int, title: str) -> tuple[VolumePart, ...]:
    """Divide a book into volumes when its contents say it is several.

    Its top entries must look like volumes, have entries below them and begin at the start of a
    document each, and there must be at least two. Documents between two volumes belong to the
    earlier one, those before the first to the first.

    Args:
        chapters: Its contents, in the order of the text.
        documents: How many documents the spine has.
        title: The book's own title, that of its single part otherwise.
    """
    whole = (VolumePart(title, 0, max(0, documents - 1)),)
    tops = [
        (chapter, position + 1 < len(chapters) and chapters[position + 1].level > 0)
        for position, chapter in enumerate(chapters)
        if chapter.level == 0
    ]
    volumes = [chapter for chapter, has_children in tops if has_children and chapter.offset == 0]
    volumes = _volumes_among(volumes)
    with_children = [c for c, has_children in tops if has_children and c.kind is ChapterKind.BODY]
    starts = [chapter.spine_index for chapter in volumes]
    if len(volumes) < 2 or len(with_children) > len(volumes) * 2 or len(set(starts)) != len(starts):
        return whole
    ends = [start - 1 for start in starts[1:]] + [documents - 1]
    firsts = [0, *starts[1:]]
    return tuple(
        VolumePart(chapter.title, first, last) for chapter, first, last in zip(volumes, firsts, ends, strict=True)
    )


def _volumes_among(tops: Sequence[ParsedChapter]) -> list[ParsedChapter]:
    named = [chapter for chapter in tops if _VOLUME_TITLE.search(chapter.title)]
    if len(named) >= 2:
        return named
    stems: dict[str, list[ParsedChapter]] = {}
    for chapter in tops:
        match = _NUMBERED.match(chapter.title)
        if match and not _NO_VOLUME.match(chapter.title):
            stems.setdefault(match["stem"].casefold().strip(), []).append(chapter)
    return max(stems.values(), key=len, default=[])


def _index_of(match: re.Match[str]) -> float | None:
    groups = match.groupdict()
    half = groups.get("h")
    return _HALVES.get(half) if half else number_of(groups.get("n") or "")


def _series_of(title: str, match: re.Match[str]) -> str:
    """Return what is left of a title: what stands before the volume, else what stands after it."""
    before, after = _bare(title[: match.start()]), _bare(title[match.end() :])
    return before if any(char.isalpha() for char in before) else after if _is_name(after) else ""


def _bare(text: str) -> str:
    """Strip what joins a series to its volume; a dash that has its fellow inside, as in ～…～, is part of the name."""
    text = re.sub(rf"{_OPEN}\s*$", "", text.strip(_TRIM)).strip(_TRIM)
    if text[-1:] in tuple(_DASHES) and text[-1] not in text[:-1]:
        text = text[:-1].strip(_TRIM)
    if text[:1] in tuple(_DASHES) and text[0] not in text[1:]:
        text = text[1:].strip(_TRIM)
    return text


def _is_name(text: str) -> bool:
    return sum(char.isalpha() for char in text) >= 2


def _roman(text: str) -> int:
    values = [_ROMAN[char] for char in text]
    return sum(
        -value if value < following else value for value, following in zip(values, [*values[1:], 0], strict=True)
    )


def _han(text: str) -> int:
    if not any(char in _UNITS for char in text):
        return int("".join(str(_DIGITS[char]) for char in text))
    total = digit = 0
    for char in text:
        if char in _UNITS:
            total += (digit or 1) * _UNITS[char]
            digit = 0
        else:
            digit = _DIGITS[char]
    return total + digit
