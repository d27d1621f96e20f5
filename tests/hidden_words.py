"""A work to get about in: eight chapters with words planted in them, in three languages."""

from __future__ import annotations

from dataclasses import dataclass

from tests.piloted import PARAGRAPHS


@dataclass(frozen=True, slots=True)
class Planted:
    """Words that stand in known places of a work."""

    language: str
    word: str
    """At the end of paragraph 20 of chapters 1, 2, 4 and 7, twice there in chapter 2."""
    typed: str
    """The same word as another keyboard types it."""
    secret: str
    """The next word in chapter 7."""


PLANTED = {
    "en": Planted("en", "Lamplighter", "lamplighter", "murderer"),
    "zh": Planted("zh", "燈塔守", "灯塔守", "真凶"),
    "ja": Planted("ja", "ﾗﾝﾌﾟ番", "らんぷ番", "犯人"),
}
_CHAPTERS = (1, 2, 4, 7)


def planted_chapters(planted: Planted) -> list[tuple[str, str]]:
    """Return (title, XHTML) of eight chapters of forty paragraphs."""
    return [(f"{planted.language} {n}", _chapter(planted, n)) for n in range(1, 9)]


def _chapter(planted: Planted, number: int) -> str:
    plain = PARAGRAPHS[planted.language]
    paragraphs = [plain.format(n=f"{number}.{p}") * 3 for p in range(40)]
    if number in _CHAPTERS:
        paragraphs[20] += f" {planted.word}"
    if number == 2:
        paragraphs[21] += f" {planted.word}"
    if number == 7:
        paragraphs[20] += f" {planted.secret}"
    return f"<h1>{planted.language} {number}</h1>" + "".join(f"<p>{each}</p>" for each in paragraphs)
