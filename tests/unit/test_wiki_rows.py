"""A page of the wiki set in rows: at any width, of exact cells, with its links, veils and numbers."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style

from engine.domain.book import DocumentId
from engine.domain.knowledge import PointKind
from engine.domain.locator import Locator
from engine.domain.wiki import (
    Cite,
    Facts,
    Heading,
    LinkRow,
    Listing,
    NodeKind,
    Page,
    PageKey,
    PageKind,
    PageLink,
    Paragraph,
    Part,
    Plain,
    PointId,
    Quotation,
    Revealed,
    Source,
    Sources,
    StatementId,
    Track,
    TrackNode,
    Veil,
)
from tui.render.wiki_bits import Ink, ToFold, ToPassage, ToReveal, ToSection
from tui.render.wiki_rows import WikiLayout, lay_out
from tui.render.wiki_setting import WikiOptions
from tui.render.wiki_strip import WikiStyle, link_at, row_segments
from tui.widgets.wiki_place import WikiPlace

_KEY = PageKey(PageKind.ENTRY, point=PointId(1))
_STYLE = WikiStyle(dict.fromkeys(Ink, Style()), Style(reverse=True))


def _entry_key(point: int) -> PageKey:
    return PageKey(PageKind.ENTRY, point=PointId(point))


def _spaced(text: str) -> str:
    return text.replace("\u00a0", " ").replace("\u2060", "")


def _at(start: int) -> Locator:
    return Locator(DocumentId(1), start, start + 5)


def _page(*parts: Part, title: str = "Ilse Marrow", also: tuple[str, ...] = (), key: PageKey = _KEY) -> Page:
    return Page(key, title, "person", also, parts)


def _rows(page: Page, width: int, **options: bool | str) -> list[str]:
    return [row.text.rstrip() for row in lay_out(page, WikiOptions(width, **options)).rows]  # type: ignore[arg-type]


def _drawn(layout: WikiLayout, row: int) -> str:
    return "".join(segment.text for segment in row_segments(layout, row, row, _STYLE, numbers={}))


# the head and running text


def test_title_and_kind_stand_at_both_ends() -> None:
    assert _rows(_page(), 30) == ["Ilse Marrow" + " " * 13 + "person"]


def test_a_long_title_leaves_the_kind_to_the_next_row() -> None:
    assert _rows(_page(title="The Stationmaster of High Sill"), 24) == ["The Stationmaster of", "High Sill", "person"]


def test_other_names_take_two_rows_at_most() -> None:
    rows = _rows(_page(also=tuple(f"Miss Marrow the {n}th" for n in range(9))), 40)
    assert len(rows) == 3
    assert rows[1].startswith("also Miss Marrow the 0th")
    assert rows[2].endswith("…")


def test_a_reference_stays_with_its_word() -> None:
    runs = (Plain("She came with the last train of the thaw."), Cite(1, _at(0), 0))
    rows = _rows(_page(Paragraph(runs)), 41)
    assert rows[2:] == ["She came with the last train of the", "thaw.¹"]


@pytest.mark.parametrize("name", ["Oren Vale", "沈砚"])
def test_a_short_name_is_not_torn(name: str) -> None:
    runs = (Plain("x" * 17 + " "), PageLink(name, _entry_key(2)))
    assert _rows(_page(Paragraph(runs)), 22)[-1].strip("\u00a0") == name.replace(" ", "\u00a0")


def test_facts_line_up_behind_their_labels() -> None:
    facts = Facts((("Kind", (Plain("person"),)), ("First seen", (Plain("ch 1"), Cite(1, _at(0), 0)))))
    assert _rows(_page(facts), 40)[2:4] == ["Kind        person", "First seen  ch 1¹"]


def test_a_quotation_is_indented_and_names_its_place() -> None:
    quotation = Quotation("Ilse did not look up.", _at(3), 3, "vol 2 ch 1", ((0, 4),))
    layout = lay_out(_page(quotation), WikiOptions(50))
    assert layout.rows[2].text == "  Ilse did not look up.  vol\u00a02\u00a0ch\u00a01"
    assert [bit.text for bit in layout.rows[2].bits if bit.ink is Ink.NAME] == ["Ilse"]
    assert [link.target for link in layout.links] == [ToPassage(_at(3), 3)]


# veils


def test_a_veil_says_where_it_opens_and_holds_no_words() -> None:
    runs = (Veil(StatementId(7), 16, "chapter 11"),)
    layout = lay_out(_page(Paragraph(runs)), WikiOptions(46))
    assert _spaced(layout.rows[2].text) == "░" * 16 + " (unlocks in chapter 11)"
    assert layout.links[0].target == ToReveal(StatementId(7))


def test_where_veils_in_a_row_open_is_told_once() -> None:
    runs = (
        *(Veil(StatementId(7), 4, "chapter 11"), Plain(" "), Veil(StatementId(8), 6, "chapter 11"), Plain(" ")),
        *(Veil(StatementId(9), 5, "chapter 12"), Plain(" And then it rained.")),
    )
    rows = lay_out(_page(Paragraph(runs)), WikiOptions(76)).rows
    told = _spaced(" ".join(row.text for row in rows[2:]))
    assert told == "░░░░ ░░░░░░ (unlocks in chapter 11) ░░░░░ (unlocks in chapter 12) And then it rained."


def test_two_references_are_not_read_as_one() -> None:
    runs = (Plain("She came."), Cite(1, _at(0), 0), Cite(12, _at(9), 9))
    layout = lay_out(_page(Paragraph(runs)), WikiOptions(46))
    assert layout.rows[2].text == "She came.¹ʼ¹²"
    assert [bit.link for bit in layout.rows[2].bits if bit.ink is Ink.CITE] == [0, -1, 1]


def test_a_table_stands_right_below_its_heading() -> None:
    facts = Facts((("at noon", (Plain("The lamp goes out."),)),))
    assert _rows(_page(Heading(Plain("What happens"), 1), facts), 40)[2:4] == [
        "What happens",
        "at noon  The lamp goes out.",
    ]


def test_a_veiled_section_is_only_a_veil_in_the_outline() -> None:
    page = _page(Heading(Veil(StatementId(7), 8, "chapter 11"), 1), Paragraph((Plain("Rain."),)))
    assert [section.title for section in lay_out(page, WikiOptions(60)).sections] == ["░" * 8]


def test_a_veil_without_a_place_is_only_a_veil() -> None:
    assert _rows(_page(Paragraph((Veil(StatementId(7), 24),))), 46)[2:3] == ["░" * 24]


def test_what_was_asked_for_is_marked_in_words() -> None:
    rows = _rows(_page(Paragraph((Revealed(StatementId(7), "She hid it."),))), 46)
    assert rows[2] == "She hid it.\u00a0(ahead\u00a0of\u00a0you)"


def test_a_veiled_heading_is_a_veil() -> None:
    rows = _rows(_page(Heading(Veil(StatementId(7), 8), 1)), 46)
    assert rows[2] == "░" * 8


# lists


def test_a_list_sets_names_notes_and_counts_in_columns() -> None:
    listing = Listing(
        (
            LinkRow(PageLink("Ilse Marrow", _entry_key(1)), "Moth", 166),
            LinkRow(PageLink("Oren", _entry_key(2)), "Captain Vale", 1234),
        ),
        has_more_to_come=True,
    )
    assert _rows(_page(listing), 60)[2:] == [
        "  Ilse Marrow  Moth" + " " * 38 + "166",
        "  Oren         Captain Vale" + " " * 28 + "1\u202f234",
        "  more to come",
    ]


def test_a_narrow_list_puts_a_long_note_below() -> None:
    listing = Listing((LinkRow(PageLink("Ilse Marrow", _entry_key(1)), "Keeper of the signal lamp at Ashfall"),))
    assert _rows(_page(listing), 30)[2:] == ["  Ilse Marrow", "    Keeper of the signal lamp…"]


@pytest.mark.parametrize(
    ("wanted", "kept"),
    [("mar", ["Ilse Marrow", "Tobias Marrow"]), ("ＩＬＳＥ", ["Ilse Marrow"]), ("moth", ["Ilse Marrow"]), ("zz", [])],
)
def test_a_filter_keeps_what_holds_its_words_however_written(wanted: str, kept: list[str]) -> None:
    rows = (
        LinkRow(PageLink("Ilse Marrow", _entry_key(1)), "Moth"),
        LinkRow(PageLink("Oren Vale", _entry_key(2))),
        LinkRow(PageLink("Tobias Marrow", _entry_key(3))),
    )
    page = _page(Heading(Plain("M"), 1), Listing(rows), key=PageKey(PageKind.INDEX))
    layout = lay_out(page, WikiOptions(60, filter=wanted))
    assert [bit.text for row in layout.rows for bit in row.bits if bit.ink is Ink.ENTRY] == kept
    assert any(bit.ink is Ink.HEADING for row in layout.rows for bit in row.bits) is bool(kept)


# the track


def _track(*nodes: tuple[int, int, NodeKind], chapters: tuple[int, ...], begun: int) -> Track:
    made = (TrackNode(f"ch {c + 1}", 3, _at(c), c, volume=v, chapter=c, kind=kind) for v, c, kind in nodes)
    return Track(tuple(made), chapters, is_open_ended=True, chapters_begun=begun)


def test_a_track_draws_chapters_read_and_ahead_by_volume() -> None:
    seen, cited = NodeKind.APPEARANCE, NodeKind.CITED
    track = _track((0, 0, seen), (0, 2, cited), (1, 0, seen), chapters=(4, 5), begun=2)
    row = _rows(_page(track), 60)[2].replace("\u00a0", " ")
    assert row == "Track ▸  1 ▪ ■ 2 ▪ ···"


def test_an_unfolded_track_has_a_line_a_chapter() -> None:
    track = _track((0, 0, NodeKind.APPEARANCE), chapters=(4,), begun=4)
    layout = lay_out(_page(track), WikiOptions(60, is_unfolded=True))
    assert layout.rows[3].text.split() == ["▪", "ch", "1", "▪" * 12, "3", "times"]
    assert [type(link.target) for link in layout.links] == [ToFold, ToPassage]


def test_a_track_of_many_chapters_takes_three_rows_at_most() -> None:
    nodes = tuple((0, c, NodeKind.APPEARANCE) for c in range(0, 2_000, 7))
    rows = _rows(_page(_track(*nodes, chapters=(2_000,), begun=2_000)), 50)
    assert 1 <= len(rows) - 2 <= 4


def test_a_plain_terminal_gets_plain_signs() -> None:
    track = _track((0, 0, NodeKind.APPEARANCE), chapters=(3,), begun=1)
    assert _rows(_page(track), 60, is_ascii=True)[2].endswith("o..")


# beside the text


def _long_page() -> Page:
    sections = [Part for n in range(8) for Part in (Heading(Plain(f"Part {n}"), 1), Paragraph((Plain("word " * 60),)))]
    return _page(Facts((("Kind", (Plain("person"),)),), is_infobox=True), *sections)


def test_the_infobox_goes_beside_the_text_from_110_columns_on() -> None:
    narrow, wide = lay_out(_long_page(), WikiOptions(103)), lay_out(_long_page(), WikiOptions(107))
    assert (narrow.side, narrow.side_cells) == ((), 0)
    assert wide.side[0].text == "Kind  person"
    assert not any("Kind" in row.text for row in wide.rows)


def test_a_long_entry_has_an_outline_beside_it() -> None:
    layout = lay_out(_long_page(), WikiOptions(112))
    assert [row.text.strip() for row in layout.side][2:5] == ["On this page", "Part 0", "Part 1"]
    targets = [link.target for link in layout.links if link.is_aside]
    assert targets == [ToSection(n) for n in range(8)]
    assert layout.rows[layout.sections[3].row].text == "Part 3"


def test_the_first_page_has_its_categories_at_the_left() -> None:
    people = LinkRow(PageLink("People", PageKey(PageKind.CATEGORY, category=PointKind.PERSON)), count=3)
    page = _page(
        Paragraph((Plain("Rain."),)), Listing((people,), title="Categories", is_aside=True), key=PageKey(PageKind.HOME)
    )
    layout = lay_out(page, WikiOptions(112))
    assert layout.is_side_first
    assert _drawn(layout, 0).startswith("Categories")
    assert "Ilse Marrow" in _drawn(layout, 0)


# links by number, by Tab, by mouse


def _list_of(count: int) -> Page:
    rows = tuple(LinkRow(PageLink(f"name {n}", _entry_key(n))) for n in range(count))
    return _page(Listing(rows), key=PageKey(PageKind.INDEX))


def _place_on(page: Page, width: int = 60, height: int = 10) -> WikiPlace:
    place = WikiPlace()
    place.resize(width, height)
    place.take(page)
    return place


def test_the_first_nine_links_seen_have_numbers_wherever_the_page_stands() -> None:
    place = _place_on(_list_of(40), height=12)
    assert place.links[place.link_numbered(1)].target == _entry_key(0)
    place.scroll_to(20)
    assert place.links[place.link_numbered(1)].target == _entry_key(18)
    assert place.link_numbered(9) - place.link_numbered(1) == 8


def test_in_a_list_the_focus_moves_from_entry_to_entry_and_is_seen() -> None:
    place = _place_on(_list_of(40))
    assert place.focus == 0
    for _each in range(25):
        place.line(1)
    assert place.links[place.focus].target == _entry_key(25)
    assert place.is_seen(place.focus)


def test_in_an_entry_lines_scroll_and_tab_goes_through_what_is_seen() -> None:
    quotes = [Quotation(f"Quotation number {n}.", _at(n), n, f"ch {n}") for n in range(20)]
    place = _place_on(_page(*quotes))
    place.line(1)
    assert (place.top, place.focus) == (1, -1)
    assert place.move_focus(1)
    assert place.links[place.focus].row >= place.top
    place.scroll_to(30)
    place.move_focus(1)
    assert place.is_seen(place.focus)


def test_behind_the_last_link_tab_leads_out() -> None:
    place = _place_on(_page(Quotation("Words.", _at(1), 1, "ch 1")))
    assert [place.move_focus(1), place.move_focus(1)] == [True, False]


def test_a_click_finds_the_link_under_it() -> None:
    layout = lay_out(_list_of(3), WikiOptions(60))
    assert [link_at(layout, 2, 2, cell) for cell in (0, 2, 7, 8, 30)] == [0, 0, 0, -1, -1]


# any page at any width

_TEXT = st.text(st.sampled_from("ab 漢字かなé\u0301👩\u200d👧\x1b\x9b[31m\u202e\t\n'“”．、。-"), max_size=60)
_RUNS = st.lists(
    st.one_of(
        _TEXT.map(Plain),
        _TEXT.map(lambda text: PageLink(text, _entry_key(1))),
        st.just(Cite(12, _at(0), 0)),
        st.integers(1, 80).map(lambda n: Veil(StatementId(1), n, "chapter 3")),
        _TEXT.map(lambda text: Revealed(StatementId(2), text)),
    ),
    max_size=6,
).map(tuple)
_ROW = st.builds(
    LinkRow, _TEXT.map(lambda text: PageLink(text, _entry_key(1))), _TEXT, st.none() | st.integers(0, 9999)
)
_PART = st.one_of(
    st.builds(Heading, _TEXT.map(Plain), st.sampled_from([1, 2])),
    st.builds(Paragraph, _RUNS),
    st.builds(Facts, st.lists(st.tuples(_TEXT, _RUNS), max_size=3).map(tuple), st.booleans()),
    st.builds(Quotation, _TEXT, st.just(_at(0)), st.just(0), _TEXT),
    st.builds(Listing, st.lists(_ROW, max_size=4).map(tuple), st.booleans(), _TEXT, st.booleans()),
    st.just(_track((0, 3, NodeKind.CITED), chapters=(90, 4), begun=3)),
    st.builds(lambda text: Sources((Source(1, _at(0), 0, "ch 1", text),)), _TEXT),
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(_PART, max_size=5), _TEXT, st.lists(_TEXT, max_size=3), st.integers(8, 130), st.booleans(), st.booleans()
)
def test_every_row_has_exactly_its_cells_and_nothing_drives_the_terminal(
    parts: list[Part], title: str, also: list[str], width: int, is_home: bool, is_unfolded: bool
) -> None:
    key = PageKey(PageKind.HOME) if is_home else _KEY
    layout = lay_out(Page(key, title, "person", tuple(also), tuple(parts)), WikiOptions(width, is_unfolded))
    cells = layout.text_cells + layout.gap_cells + layout.side_cells
    count = max(len(layout.rows), len(layout.side))
    drawn = [row_segments(layout, number, number, _STYLE, numbers={}) for number in range(count)]
    assert {sum(cell_len(segment.text) for segment in row) for row in drawn} <= {cells}
    assert cells <= max(8, width)
    assert not any(char in segment.text for row in drawn for segment in row for char in "\x1b\x9b\n\t")


@pytest.mark.parametrize("width", range(22, 40))
def test_a_name_of_a_table_is_never_cut_in_two(width: int) -> None:
    names = ("千景殿", "あいざわ", "相沢千景様", "相沢さん")
    runs = tuple(run for name in names for run in (Plain(name), Plain(" · ")))
    rows = [row.text for row in lay_out(_page(Facts((("名前", runs),))), WikiOptions(width)).rows]
    assert [name for name in names if not any(name in row for row in rows)] == []
