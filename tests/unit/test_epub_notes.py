from __future__ import annotations

from pathlib import Path

import pytest

from engine.domain.book import Footnote, NoteRef
from tests.epubs import read_body, read_epub, texts, write_epub

_BODY = "<p>Claim{ref} stands.</p><p>More of the text.</p>{note}"


@pytest.mark.parametrize(
    ("ref", "note"),
    [
        pytest.param(
            "<a epub:type='noteref' href='#n1'>1</a>",
            "<aside epub:type='footnote' id='n1'><p>Near note.</p></aside>",
            id="epub-type",
        ),
        pytest.param(
            "<a role='doc-noteref' href='#n1'>[1]</a>",
            "<section role='doc-endnotes'><ol><li id='n1' role='doc-endnote'>"
            "<p>Near note. <a role='doc-backlink' href='#r'>↩</a></p></li></ol></section>",
            id="role",
        ),
        pytest.param(
            "<sup><a class='duokan-footnote' href='#n1'><img alt='1' src='note.png'/></a></sup>",
            "<ol class='duokan-footnote-content'><li class='duokan-footnote-item' id='n1'><p>Near note.</p></li></ol>",
            id="duokan",
        ),
        pytest.param(
            "<a href='#n1' class='footnote-ref' id='r1'><sup>1</sup></a>",
            "<div class='footnotes'><hr/><ol><li id='n1'>"
            "<p>Near note.<a href='#r1' class='footnote-back'>↩︎</a></p></li></ol></div>",
            id="pandoc",
        ),
        pytest.param(
            "<a id='_ftnref1' href='#n1'>[1]</a>",
            "<p class='calibre3'><a id='n1' href='#_ftnref1'>[1]</a> Near note.</p>",
            id="word-by-calibre",
        ),
        pytest.param(
            "<sup id='r1'>[<a href='#n1'>1</a>]</sup>",
            "<p id='n1'><a href='#r1'>1</a>. Near note.</p>",
            id="brackets-outside-the-link",
        ),
        pytest.param(
            "<a epub:type='noteref' href='#n1'>1</a>",
            "<aside hidden='hidden' epub:type='footnote' id='n1'><p>Near note.</p></aside>",
            id="hidden-body",
        ),
        pytest.param(
            "<a epub:type='noteref' href='#n1'>1</a>",
            "<div epub:type='footnotes'><p id='n1'>Near note.</p></div>",
            id="group-of-notes",
        ),
    ],
)
def test_notes_are_taken_out_of_the_flow_and_kept(ref: str, note: str) -> None:
    document = read_body(_BODY.format(ref=ref, note=note))

    assert texts(document)[:2] == ["Claim stands.", "More of the text."]
    assert "Near note" not in document.text
    assert document.note_refs == (NoteRef(5, "1", "0#n1"),)
    assert document.notes == (Footnote("0#n1", "Near note."),)


def test_a_note_of_several_paragraphs_keeps_them() -> None:
    note = "<aside epub:type='footnote' id='n1'><p>1. First.</p><p>Second <i>part</i>.</p></aside>"
    document = read_body(_BODY.format(ref="<a epub:type='noteref' href='#n1'>1</a>", note=note))

    assert document.notes == (Footnote("0#n1", "First.\nSecond part."),)


def test_a_number_that_begins_a_note_for_itself_stays() -> None:
    note = "<aside epub:type='footnote' id='n1'><p>1984 was a year.</p></aside>"
    document = read_body(_BODY.format(ref="<a epub:type='noteref' href='#n1'>1</a>", note=note))

    assert document.notes[0].text == "1984 was a year."


def test_a_word_of_the_story_that_carries_a_note_stays_in_it() -> None:
    note = "<aside epub:type='footnote' id='n1'><p>A lamp.</p></aside>"
    document = read_body(_BODY.format(ref=" of the <a epub:type='noteref' href='#n1'>Lamplighter</a>", note=note))

    assert texts(document)[0] == "Claim of the Lamplighter stands."
    assert document.note_refs == (NoteRef(24, "*", "0#n1"),)


@pytest.mark.parametrize(
    ("body", "note"),
    [
        ("<p>甲<img class='qqreader-footnote' alt='一种古代的灯。' src='n.png'/>乙</p>", "一种古代的灯。"),
        ("<p>甲<img zy-footnote='一种古代的灯。' src='n.png'/>乙</p>", "一种古代的灯。"),
        ("<p>甲<span data-wr-footernote='一种古代的灯。'></span>乙</p>", "一种古代的灯。"),
    ],
)
def test_notes_kept_in_attributes_are_found(body: str, note: str) -> None:
    document = read_body(body)

    assert document.text == "甲乙"
    assert document.note_refs == (NoteRef(1, "*", "0#@1"),)
    assert document.notes == (Footnote("0#@1", note),)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            "<p><a href='#c1' id='t1'>1</a></p><h2 id='c1'><a href='#t1'>I</a></h2><p>Text.</p>", id="list-of-chapters"
        ),
        pytest.param(
            "<p>Chapters <a href='#c1' id='t1'>1</a> and more</p>"
            "<section id='c1'><h2>I</h2><p>Text. <a href='#t1'>1</a></p></section>",
            id="section-with-a-heading",
        ),
        pytest.param("<p>See <a href='#x'>2</a> below, it says.</p><p id='x'>The second.</p>", id="no-way-back"),
        pytest.param(
            "<nav epub:type='page-list'><ol><li><a id='pt1' href='#p1'>1</a></li></ol></nav><p id='p1'>Text.</p>",
            id="page-list",
        ),
    ],
)
def test_links_that_only_look_like_notes_take_nothing_out(body: str) -> None:
    document = read_body(body)

    assert document.notes == ()
    assert document.note_refs == ()
    assert "Text." in document.text or "The second." in document.text


def test_notes_in_another_document_are_found_from_both_sides(tmp_path: Path) -> None:
    path = write_epub(
        tmp_path / "notes.epub",
        {
            "c0.xhtml": "<p>A claim far away<a epub:type='noteref' href='notes.xhtml#n1'>1</a> and near.</p>",
            "c1.xhtml": "<p>Another plain claim<a href='notes.xhtml#n2' id='r2'><sup>2</sup></a> here.</p>",
            "notes.xhtml": "<section epub:type='endnotes'><h1>Notes</h1><ol>"
            "<li id='n1' epub:type='endnote'><p>One. <a href='c0.xhtml#r1' epub:type='backlink'>↩</a></p></li>"
            "<li id='n2' epub:type='endnote'><p>Two. <a href='c1.xhtml#r2' epub:type='backlink'>↩</a></p></li>"
            "</ol></section>",
        },
    )

    first, second, notes = read_epub(path).documents

    assert first.note_refs == (NoteRef(16, "1", "2#n1"),)
    assert second.note_refs == (NoteRef(19, "2", "2#n2"),)
    assert notes.text == "Notes"
    assert notes.notes == (Footnote("2#n1", "One."), Footnote("2#n2", "Two."))


def test_a_document_of_numbered_notes_without_types_is_recognised(tmp_path: Path) -> None:
    path = write_epub(
        tmp_path / "plain.epub",
        {
            "c0.xhtml": "<p>第一个说法<a id='r1' href='n.xhtml#n1'><sup>[1]</sup></a>。</p>"
            "<p>第二个说法<a id='r2' href='n.xhtml#n2'><sup>[2]</sup></a>。</p>",
            "n.xhtml": "<h2>注释</h2><p id='n1'><a href='c0.xhtml#r1'>[1]</a>甲的注释文字。</p>"
            "<p id='n2'><a href='c0.xhtml#r2'>[2]</a>乙的注释文字。</p>",
        },
    )

    text, notes = read_epub(path).documents

    assert text.text == "第一个说法。\n第二个说法。"
    assert [ref.note for ref in text.note_refs] == ["1#n1", "1#n2"]
    assert [note.text for note in notes.notes] == ["甲的注释文字。", "乙的注释文字。"]


def test_a_typed_note_nobody_points_to_stays_in_the_text() -> None:
    body = (
        "<p>Text<a epub:type='noteref' href='#n1'>1</a>.</p><aside epub:type='footnote' id='n1'><p>One.</p></aside>"
        "<aside epub:type='footnote' id='n9'><p>Stray words.</p></aside>"
    )
    document = read_body(body)

    assert texts(document) == ["Text.", "Stray words."]


def test_thousands_of_notes_in_one_paragraph_take_no_minutes() -> None:
    refs = "".join(f"word<a id='r{n}' href='#n{n}'><sup>{n}</sup></a> " for n in range(3000))
    notes = "".join(f"<p id='n{n}'><a href='#r{n}'>{n}</a> Note number {n}.</p>" for n in range(3000))

    document = read_body(f"<p>{refs}</p>{notes}")

    assert len(document.notes) == 3000
    assert len(document.note_refs) == 3000
