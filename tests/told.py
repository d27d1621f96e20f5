"""A work of six chapters in three languages, its names known and half of it read, and keys that wait for its pages."""

from __future__ import annotations

from dataclasses import dataclass

from textual.pilot import Pilot

from engine.analysis.rules.clusters import Link
from engine.domain.book import WorkId
from engine.domain.knowledge import AliasKind, PointKind
from engine.library import Library
from tests.knowledge import know, named, shelve_story
from tests.piloted import library_with, page_of, type_ahead
from tui.app.program import UnderstoryApp


@dataclass(frozen=True)
class Told:
    """A work of six chapters in a language, and its words."""

    language: str
    person: str
    other: str
    friend: str
    place: str
    introduction: str
    filler: str
    secret: str


TOLD = {
    "en": Told(
        "en",
        "Ilse Marrow",
        "Moth",
        "Oren Vale",
        "Corrow",
        "Her name was Ilse Marrow, and Oren Vale had sent for her from Corrow.",
        "Moth counted the lamps again in the long blue dusk, number {n}, and said nothing to anybody there.",
        "Ilse Marrow had hidden the letter in her boot.",
    ),
    "zh": Told(
        "zh",
        "沈砚",
        "阿砚",
        "陆衡",
        "灯城",
        "这姑娘名叫沈砚，是陆衡写信从灯城请来的。",
        "阿砚又把灯数了一遍，这是第{n}遍，她什么话也没有说。",
        "沈砚一直把那封信藏在靴子里面。",
    ),
    "ja": Told(
        "ja",
        "沢綾子",
        "お綾",
        "庄太",
        "灯町",
        "娘の名は沢綾子といい、灯町から呼んだのは庄太であった。",
        "お綾はまた灯を数えた。{n}度目であったが、誰にも何も言わなかった。",
        "沢綾子はその手紙をずっと帯に隠していたのである。",
    ),
}
READ = 3
"""Chapters read."""


def told_chapters(told: Told) -> list[list[str]]:
    """Return the paragraphs of its chapters."""
    chapters = [[told.filler.format(n=f"{c}.{p}") for p in range(12)] for c in range(1, 7)]
    chapters[1].insert(2, told.introduction)
    chapters[4].insert(2, told.secret)
    return chapters


def told_library(told: Told) -> tuple[Library, WorkId]:
    """Shelve the work with its names known, and count three chapters as read."""
    library = library_with()
    work = shelve_story(library, *told_chapters(told), language=told.language)
    know(
        library,
        work,
        named(told.person, told.other, links=[Link(told.person, told.other)], kinds={told.other: AliasKind.NICKNAME}),
        named(told.friend),
        named(told.place, kind=PointKind.PLACE),
    )
    documents = library.outline(work).volumes[0].documents
    library.set_frontier(work, documents[READ].id, 0)
    return library, work


async def type_and_wait(app: UnderstoryApp, pilot: Pilot[None], keys: str) -> None:
    """Send keys as one burst, and wait for every page they ask for."""
    await type_ahead(app, pilot, keys)


def wiki_title(app: UnderstoryApp) -> str:
    """Return the title of the page in the sidebar."""
    page = page_of(app).sidebar.wiki.page
    return "" if page is None else page.title
