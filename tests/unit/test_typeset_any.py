"""What holds of every layout, whatever the slice and the options."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from engine.config import PictureStyle, RubyStyle
from engine.domain.book import BlockKind, SpanKind
from engine.domain.reading import Slice
from engine.text.segment import grapheme_bounds
from tests.pages import B, make_slice
from tui.render.layout import Layout
from tui.render.rows import Row, RowKind, TypeOptions
from tui.render.typeset import typeset

LETTERS = "字かーっ。「」“”—… ab-.1é\u3000\u00a0★👍"
MARKS = "e\u0301か\u3099👨‍👩‍👧❤️🇯🇵ﾊﾞก็क्ष\u200b"
texts = st.text(st.sampled_from(LETTERS), min_size=1, max_size=50) | st.text(
    st.sampled_from(LETTERS + MARKS), min_size=1, max_size=50
)
running = st.sampled_from(
    [
        BlockKind.PARAGRAPH,
        BlockKind.HEADING,
        BlockKind.QUOTE,
        BlockKind.VERSE,
        BlockKind.CAPTION,
        BlockKind.PREFORMATTED,
    ]
)
blocks = st.one_of(
    st.builds(B, running, texts, level=st.integers(0, 5)),
    st.builds(B, st.just(BlockKind.PARAGRAPH), texts, is_continued=st.just(True)),
    st.builds(B, st.just(BlockKind.VERSE), st.lists(texts, min_size=1, max_size=4).map("\n".join)),
    st.builds(B, st.just(BlockKind.ITEM), texts, level=st.integers(1, 3), marker=st.sampled_from(["", "•", "12."])),
    st.builds(
        B,
        st.just(BlockKind.ROW),
        st.lists(texts, min_size=1, max_size=3).map("\t".join),
        table=st.integers(1, 2),
        is_header=st.booleans(),
    ),
    st.builds(B, st.just(BlockKind.RULE), st.sampled_from(["", "* * *"])),
    st.builds(B, st.just(BlockKind.PICTURE), st.just("\ufffc")),
)


@st.composite
def slices(draw: st.DrawFn) -> Slice:
    given_blocks = draw(st.lists(blocks, min_size=1, max_size=6))
    text = given_blocks[0].text
    bounds = grapheme_bounds(text)
    middle = text[: bounds[len(bounds) // 2]]
    return make_slice(
        *given_blocks,
        start=draw(st.integers(0, 2)) * 1000,
        rubies={middle: "よみ"} if middle.strip() and given_blocks[0].kind is not BlockKind.ROW else None,
        notes={middle: "1"} if middle else None,
        spans=[(middle, kind, "1#x") for kind in (SpanKind.BOLD, SpanKind.LINK) if middle],
        pictures=["a lamp"] * 3,
    )


options = st.builds(
    TypeOptions,
    st.integers(8, 90),
    paragraph_gap=st.integers(0, 2),
    first_line_indent=st.integers(0, 6),
    line_spacing=st.integers(1, 2),
    ruby=st.sampled_from(RubyStyle),
    pictures=st.just(PictureStyle.LINE),
)


def with_text(layout: Layout) -> list[tuple[int, Row]]:
    return [(number, row) for number, row in enumerate(layout) if row.kind not in (RowKind.BLANK, RowKind.RUBY)]


@given(slices(), options)
def test_no_row_is_wider_than_the_column(piece: Slice, how: TypeOptions) -> None:
    assert max(row.indent + cell_len(row.text) for row in typeset(piece, how)) <= how.width_cells


@given(slices(), options)
def test_the_start_of_each_row_leads_back_to_it(piece: Slice, how: TypeOptions) -> None:
    layout = typeset(piece, how)
    rows = with_text(layout)
    lost = [row for number, row in rows if row.end > row.start and layout.row_of(row.start) != number]
    assert lost == []


@given(slices(), options)
def test_rows_come_in_the_order_of_the_text_and_leave_nothing_out(piece: Slice, how: TypeOptions) -> None:
    layout = typeset(piece, how)
    assert [row.start for row in layout] == sorted(row.start for row in layout)
    covered = {offset for row in layout for offset in range(row.start, row.end)}
    assert covered == {offset for block in piece.blocks for offset in range(block.start, block.end)}


@given(slices(), options)
def test_every_character_is_drawn_in_exactly_one_row(piece: Slice, how: TypeOptions) -> None:
    drawn = [
        offset
        for _number, row in with_text(typeset(piece, how))
        for offset in {row.offset_of(index) for index in range(len(row.text))}
        if piece.text[offset - piece.start : offset - piece.start + 1].strip("\u200b \t\n")
    ]
    blank = {block.start for block in piece.blocks if block.kind is BlockKind.RULE}
    expected = [piece.start + at for at, char in enumerate(piece.text) if char.strip("\u200b \t\n")]
    assert set(expected) - set(drawn) <= {
        offset for block in piece.blocks if block.kind is BlockKind.RULE for offset in range(block.start, block.end)
    }
    repeated = {offset for offset in drawn if drawn.count(offset) > 1}
    assert repeated - blank <= ends_of_marks(piece)


def ends_of_marks(piece: Slice) -> set[int]:
    """Return the characters that several rows may stand for: of readings, notes, pictures and blanks of a table."""
    ends = {ruby.end - 1 for ruby in piece.rubies} | {max(0, note.offset - 1) for note in piece.note_refs}
    starts = {block.start for block in piece.blocks if block.marker or block.kind is BlockKind.ROW}
    cells = {piece.start + at - 1 for at, char in enumerate(piece.text) if char == "\t"}
    cell_starts = {piece.start + at + 1 for at, char in enumerate(piece.text) if char == "\t"}
    pictures = {piece.start + at for at, char in enumerate(piece.text) if char == "\ufffc"}
    return ends | starts | cells | cell_starts | pictures | {note.offset for note in piece.note_refs}


@given(slices(), options)
def test_no_row_splits_a_character_as_seen(piece: Slice, how: TypeOptions) -> None:
    split = [
        row
        for _number, row in with_text(typeset(piece, how))
        if row.start not in {block.start for block in piece.blocks}
        and row.start - piece.start not in grapheme_bounds(piece.text)
    ]
    assert split == []


@given(slices(), options)
def test_runs_and_links_lie_within_their_rows(piece: Slice, how: TypeOptions) -> None:
    layout = typeset(piece, how)
    places = [(row, run.start, run.end) for row in layout for run in row.runs]
    places += [(row, link.start, link.end) for row in layout for link in row.links]
    assert [place for place in places if not 0 <= place[1] < place[2] <= len(place[0].text)] == []
    assert [row for row in layout if list(row.runs) != sorted(row.runs, key=lambda run: run.start)] == []
