"""Pages of the wiki made from names and text alone, in three languages, each up to where the reader has read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine.analysis.rules.clusters import Link
from engine.domain.book import WorkId
from engine.domain.knowledge import AliasKind, PointKind
from engine.domain.locator import Locator
from engine.domain.statements import NewStatement, Quote, Role, Verdict
from engine.domain.wiki import (
    Facts,
    Heading,
    Listing,
    NodeKind,
    Page,
    PageKey,
    PageKind,
    PageLink,
    Paragraph,
    Part,
    Plain,
    Quotation,
    Sources,
    Track,
    Veil,
)
from engine.errors import EntryUnknownError
from engine.library import Library
from engine.paths import paths_under
from engine.spoilers.policy import WHOLE, Mode, Reach, Upto
from engine.wiki.markdown import plain_runs
from tests.knowledge import know, named, place_of, point_called, shelve_story, upto_words, write_statement


@dataclass(frozen=True)
class Story:
    """A short work and what its wiki should say."""

    language: str
    chapters: tuple[tuple[str, ...], ...]
    person: str
    other_names: tuple[str, ...]
    friend: str
    place: str
    introduction: str
    """The sentence that introduces the person, in the second chapter."""
    late: str
    """Words of the last chapter."""


_STORIES = {
    "en": Story(
        "en",
        (
            ("Rain fell on Corrow. Moth came over the bridge with a lamp and did not look up at anybody.",),
            ("Nobody spoke to Moth that day.", "Her name was Ilse Marrow, and Oren Vale had sent for her himself."),
            ("Oren Vale waited at Corrow with Ilse Marrow.", "Ilse Marrow had the letter in her boot all that time."),
        ),
        "Ilse Marrow",
        ("Moth",),
        "Oren Vale",
        "Corrow",
        "Her name was Ilse Marrow, and Oren Vale had sent for her himself.",
        "the letter in her boot",
    ),
    "zh": Story(
        "zh",
        (
            ("灯城下着雨。阿砚提着灯从桥上走过来，谁也不看一眼。",),
            ("那一天没有人同阿砚说话。", "这姑娘名叫沈砚，是陆衡写信把她请来的。"),
            ("陆衡在灯城等着沈砚。", "沈砚一直把那封信藏在靴子里面。"),
        ),
        "沈砚",
        ("阿砚",),
        "陆衡",
        "灯城",
        "这姑娘名叫沈砚，是陆衡写信把她请来的。",
        "藏在靴子里面",
    ),
    "ja": Story(
        "ja",
        (
            ("灯町に雨が降っていた。お綾は提灯を下げて橋を渡り、誰の顔も見なかった。",),
            ("その日は誰もお綾に話しかけなかった。", "娘の名は沢綾子といい、呼んだのは庄太であった。"),
            ("庄太は灯町で沢綾子を待っていた。", "沢綾子はその手紙をずっと帯に隠していたのである。"),
        ),
        "沢綾子",
        ("お綾",),
        "庄太",
        "灯町",
        "娘の名は沢綾子といい、呼んだのは庄太であった。",
        "帯に隠していた",
    ),
}


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    library = Library(paths_under(tmp_path / "home"))
    yield library
    library.close()


@pytest.fixture(params=sorted(_STORIES))
def story(request: pytest.FixtureRequest) -> Story:
    return _STORIES[request.param]


@pytest.fixture
def work(library: Library, story: Story) -> WorkId:
    return _told(library, story)


def _told(library: Library, story: Story) -> WorkId:
    work = shelve_story(library, *story.chapters, language=story.language)
    [other] = story.other_names
    know(
        library,
        work,
        named(story.person, other, links=[Link(story.person, other)], kinds={other: AliasKind.NICKNAME}),
        named(story.friend),
        named(story.place, kind=PointKind.PLACE),
    )
    return work


def _entry(library: Library, work: WorkId, name: str, upto: Upto = WHOLE, mode: Mode | None = None) -> Page:
    return library.page(
        work, PageKey(PageKind.ENTRY, point=point_called(library, work, name).id), upto=upto, spoilers=mode
    )


def _of(page: Page, kind: type[Part]) -> list[Part]:
    return [part for part in page.parts if isinstance(part, kind)]


def _summary(page: Page) -> str:
    return plain_runs(next(part for part in page.parts if isinstance(part, Paragraph)).runs)


def _facts(page: Page) -> dict[str, str]:
    return {label: plain_runs(runs) for part in page.parts if isinstance(part, Facts) for label, runs in part.rows}


def _said(page: Page) -> str:
    """Everything a page says, as its reader finds it."""
    return repr(page)


# entries


def test_an_entry_begins_with_the_sentence_that_introduces(library: Library, work: WorkId, story: Story) -> None:
    page = _entry(library, work, story.person)
    assert (page.title, page.kind_words, page.also) == (story.person, "person", story.other_names)
    assert story.introduction in _summary(page)


def test_before_that_it_begins_with_the_first_mention(library: Library, work: WorkId, story: Story) -> None:
    upto = upto_words(library, work, story.chapters[0][0])
    page = _entry(library, work, story.person, upto)
    assert page.title == story.other_names[0]
    assert page.also == ()
    assert story.other_names[0] in _summary(page)
    assert story.person not in _said(page)


def test_a_quotation_waits_for_the_end_of_its_paragraph(library: Library, work: WorkId, story: Story) -> None:
    half = upto_words(library, work, story.late, is_through=False)
    assert story.late not in _said(_entry(library, work, story.person, half))
    whole = upto_words(library, work, story.chapters[2][1])
    assert story.late in _said(_entry(library, work, story.person, whole))


def test_counts_and_places_end_at_the_boundary(library: Library, work: WorkId, story: Story) -> None:
    near = _facts(_entry(library, work, story.person, upto_words(library, work, story.introduction)))
    far = _facts(_entry(library, work, story.person))
    assert (near["Mentions"], far["Mentions"]) == ("3 so far", "5 so far")
    assert (near["First seen"], near["Last seen"]) == ("ch 1[2]", "ch 2[1]")
    assert far["Last seen"].startswith("ch 3")


def test_who_appears_in_the_same_scenes_is_counted(library: Library, work: WorkId, story: Story) -> None:
    near = _facts(_entry(library, work, story.person, upto_words(library, work, story.chapters[0][0])))
    far = _facts(_entry(library, work, story.person))
    assert "Appears with" not in near
    assert far["Appears with"] == f"{story.friend}\u00a02"
    assert far["Also there"] == f"{story.place}\u00a02"


def test_a_link_leads_to_the_entry_it_names(library: Library, work: WorkId, story: Story) -> None:
    page = _entry(library, work, story.person)
    links = [run for run in _runs(page) if isinstance(run, PageLink)]
    titles = [library.page(work, link.target, upto=WHOLE).title for link in links]
    assert titles == [link.text for link in links]
    assert titles[:2] == [story.friend, story.place]


def test_the_track_marks_the_chapters_and_which_are_quoted(library: Library, work: WorkId, story: Story) -> None:
    [track] = _of(_entry(library, work, story.person, upto_words(library, work, story.introduction)), Track)
    assert isinstance(track, Track)
    assert [(node.volume, node.chapter, node.count) for node in track.nodes] == [(0, 0, 1), (0, 1, 2)]
    assert [node.kind for node in track.nodes] == [NodeKind.CITED, NodeKind.CITED]
    assert (track.chapters_by_volume, track.chapters_begun, track.is_open_ended) == ((3,), 2, True)


def test_quotations_stand_in_story_order_with_their_place(library: Library, work: WorkId, story: Story) -> None:
    page = _entry(library, work, story.person)
    quotes = [part for part in page.parts if isinstance(part, Quotation)]
    assert [quote.pos for quote in quotes] == sorted(quote.pos for quote in quotes)
    for quote in quotes:
        text = library.text_of(quote.locator.document, quote.locator.start, quote.locator.end)
        assert text in quote.text
        assert {quote.text[a:b] for a, b in quote.names} <= {story.person, *story.other_names}


def test_one_place_has_one_number(library: Library, work: WorkId, story: Story) -> None:
    page = _entry(library, work, story.person)
    [sources] = _of(page, Sources)
    assert isinstance(sources, Sources)
    numbers = [source.number for source in sources.rows]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len({source.locator for source in sources.rows}) == len(numbers)


def test_somebody_not_met_has_no_entry(library: Library, work: WorkId, story: Story) -> None:
    key = PageKey(PageKind.ENTRY, point=point_called(library, work, story.friend).id)
    with pytest.raises(EntryUnknownError):
        library.page(work, key, upto=upto_words(library, work, story.chapters[0][0]))


# lists


def test_the_first_page_counts_what_may_be_shown(library: Library, work: WorkId, story: Story) -> None:
    near = library.page(work, PageKey(PageKind.HOME), upto=upto_words(library, work, story.chapters[0][0]))
    far = library.page(work, PageKey(PageKind.HOME), upto=WHOLE)
    assert _counts(near) == {"People": 1, "Places": 1, "All names": 2}
    assert _counts(far) == {"People": 2, "Places": 1, "All names": 3}
    assert [_more(near), _more(far)] == [True, False]
    assert story.friend not in _said(near)


def _counts(page: Page) -> dict[str, int | None]:
    aside = next(part for part in page.parts if isinstance(part, Listing) and part.is_aside)
    return {row.link.text: row.count for row in aside.rows}


def _more(page: Page) -> bool:
    return any(part.has_more_to_come for part in page.parts if isinstance(part, Listing))


def test_strict_does_not_say_that_more_comes(library: Library, work: WorkId, story: Story) -> None:
    upto = upto_words(library, work, story.chapters[0][0])
    assert not _more(library.page(work, PageKey(PageKind.HOME), upto=upto, spoilers=Mode.STRICT))


def test_the_first_page_suggests_entries_with_a_line_of_the_text(library: Library, work: WorkId, story: Story) -> None:
    page = library.page(work, PageKey(PageKind.HOME), upto=WHOLE)
    suggested = next(part for part in page.parts if isinstance(part, Listing) and not part.is_aside)
    assert [row.link.text for row in suggested.rows] == [story.person, story.friend, story.place]
    assert story.introduction in suggested.rows[0].note


def test_the_first_page_opens_with_the_first_sentence_of_the_story(
    library: Library, work: WorkId, story: Story
) -> None:
    before = library.page(work, PageKey(PageKind.HOME))
    assert "Nobody has been met yet" in _summary(before)
    after = library.page(work, PageKey(PageKind.HOME), upto=upto_words(library, work, story.chapters[0][0]))
    assert story.chapters[0][0][:4] in _summary(after)


def test_a_category_lists_its_kind_with_other_names(library: Library, work: WorkId, story: Story) -> None:
    page = library.page(work, PageKey(PageKind.CATEGORY, category=PointKind.PERSON), upto=WHOLE)
    [listing] = _of(page, Listing)
    assert isinstance(listing, Listing)
    rows = [(row.link.text, row.note, row.count) for row in listing.rows]
    assert rows == [(story.person, story.other_names[0], 5), (story.friend, "", 2)]


def test_the_index_leads_from_every_name(library: Library, work: WorkId, story: Story) -> None:
    page = library.page(work, PageKey(PageKind.INDEX), upto=WHOLE)
    names = [row.link.text for part in page.parts if isinstance(part, Listing) for row in part.rows]
    assert sorted(names) == sorted([story.person, *story.other_names, story.friend, story.place])
    headings = [part.run.text for part in page.parts if isinstance(part, Heading) and isinstance(part.run, Plain)]
    assert len(headings) == len(set(headings))


def test_a_volume_tells_who_is_met_in_it(library: Library, work: WorkId, story: Story) -> None:
    page = library.page(
        work, PageKey(PageKind.VOLUME, volume_ord=0), upto=upto_words(library, work, story.introduction)
    )
    [listing] = _of(page, Listing)
    assert isinstance(listing, Listing)
    assert {row.link.text: row.count for row in listing.rows} == {story.person: 3, story.friend: 1, story.place: 1}
    with pytest.raises(EntryUnknownError):
        library.page(work, PageKey(PageKind.VOLUME, volume_ord=1), upto=WHOLE)


def test_a_work_without_names_asks_for_patience(library: Library, story: Story) -> None:
    work = shelve_story(library, *story.chapters, language=story.language)
    page = library.page(work, PageKey(PageKind.HOME), upto=WHOLE)
    assert page.is_waiting
    assert "being gathered" in _summary(page)


# what is written


@pytest.fixture
def english(library: Library) -> WorkId:
    return _told(library, _STORIES["en"])


def _write(library: Library, work: WorkId, text: str, role: Role, quote: str, section: str = "") -> None:
    document, at = place_of(library, work, quote)
    write_statement(
        library,
        work,
        NewStatement(
            text,
            role,
            point_called(library, work, "Ilse Marrow").id,
            section=section,
            quotes=(Quote(document, at, quote),),
            verdict=Verdict.SUPPORT,
        ),
    )


def test_a_written_summary_stands_in_place_of_the_quotation(library: Library, english: WorkId) -> None:
    _write(library, english, "Ilse Marrow came over the bridge.", Role.SUMMARY, "Her name was Ilse Marrow")
    page = _entry(library, english, "Ilse Marrow")
    assert _summary(page).startswith("Ilse Marrow came over the bridge.[1]")
    [sources] = _of(page, Sources)
    assert isinstance(sources, Sources)
    assert sources.rows[0].quote == "“Her name was Ilse Marrow”"


def test_what_has_not_been_read_is_veiled_until_it_is(library: Library, english: WorkId) -> None:
    _write(library, english, "Ilse hid the letter.", Role.SENTENCE, "had the letter in her boot", "letter")
    _write(library, english, "The letter", Role.HEADING, "had the letter in her boot", "letter")
    _write(library, english, "hiding place\ther boot", Role.CELL, "had the letter in her boot")
    before = _entry(library, english, "Ilse Marrow", upto_words(library, english, "had sent for her himself."))
    assert "letter" not in _said(before)
    veils = [run for run in _runs(before) if isinstance(run, Veil)]
    assert [veil.unlocks_chapter for veil in veils] == ["chapter 3"] * 3
    after = _entry(library, english, "Ilse Marrow")
    assert "Ilse hid the letter." in _said(after)
    assert _facts(after)["hiding place"].startswith("her boot")
    assert any(isinstance(part, Heading) and part.run == Plain("The letter") for part in after.parts)


def _runs(page: Page) -> list[object]:
    headings = [part.run for part in page.parts if isinstance(part, Heading)]
    told = [run for part in page.parts if isinstance(part, Paragraph) for run in part.runs]
    cells = [run for part in page.parts if isinstance(part, Facts) for _label, runs in part.rows for run in runs]
    return [*headings, *told, *cells]


def test_what_the_reader_asks_for_is_shown_before_its_time(library: Library, english: WorkId) -> None:
    _write(library, english, "Ilse hid the letter.", Role.NOTE, "had the letter in her boot")
    upto = upto_words(library, english, "had sent for her himself.")
    key = PageKey(PageKind.ENTRY, point=point_called(library, english, "Ilse Marrow").id)
    [veil] = [run for run in _runs(library.page(english, key, upto=upto)) if isinstance(run, Veil)]
    library.reveal(english, veil.statement, upto)
    assert "hid the letter" in _said(library.page(english, key, frozenset({veil.statement}), upto))
    assert "hid the letter" not in _said(library.page(english, key, upto=upto))


def test_who_is_named_last_where_the_reader_is_reading_is_quoted_from_before(
    library: Library, work: WorkId, story: Story
) -> None:
    document, offset = place_of(library, work, story.late)
    inside = Upto(Reach.PLACE, Locator(document, offset, offset))
    assert _facts(_entry(library, work, story.person, inside))["Last seen"].startswith("ch ")
