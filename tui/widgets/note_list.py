"""The list of what the reader keeps: a passage a row, her comment below it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.message import Message
from textual.strip import Strip

from engine.domain.notes import NoteKind, ShownNote, Tone
from engine.translate import _
from tui.keys import key_name
from tui.render.cells import cell_width, fit_cells
from tui.render.highlights import tone_sign
from tui.render.line_edit import LineEdit
from tui.render.lines import wrapped_lines
from tui.render.note_rows import KIND_WORDS, NoteRow, NoteRowKind, fitting, note_rows
from tui.widgets.keys_ahead import KeysAhead
from tui.widgets.row_list import RowList

_CHANGING = frozenset({"h", "d", "delete", "u", "w"})
"""Keys that change the list; those typed behind them are meant for what it becomes."""
_INDENTS = {NoteRowKind.WORK: 0, NoteRowKind.CHAPTER: 1, NoteRowKind.NOTE: 3, NoteRowKind.COMMENT: 5}


class NoteList(RowList):
    """Notes by work and chapter. `Pressed` tells keys the screen acts on, with the note under the cursor."""

    DEFAULT_CSS = "NoteList { color: $foreground; background: $background; height: 1fr; }"
    COMPONENT_CLASSES: ClassVar[set[str]] = {"list--faint", "list--accent", "list--cursor", "list--here"}

    @dataclass
    class Pressed(Message):
        """A key means something for the note under the cursor, or for the list."""

        key: str
        shown: ShownNote | None

    def __init__(self, *, is_ascii: bool = False, id: str | None = None) -> None:
        super().__init__(id=id)
        self._is_ascii = is_ascii
        self._notes: Sequence[ShownNote] = ()
        self._rows: list[NoteRow] = []
        self._filter = LineEdit()
        self._is_filtering = False
        self._kind: NoteKind | None = None
        self._ahead = KeysAhead()
        """Typed before the list has come, or has become what a key made of it."""
        self._ahead.wait()
        self.title = ""
        """Whose notes these are."""

    # what is listed

    def list_notes(self, notes: Sequence[ShownNote]) -> None:
        """List these notes; the cursor stays on the note it was on, or near it."""
        self._notes = notes
        self._list_anew()

    def go_on(self) -> None:
        """Take the keys that waited, now that the list is what it is to be."""
        held = self._ahead.end()
        for key in held:
            self.take_key(*key)  # one that changes the list again holds those behind it

    @property
    def listed(self) -> list[ShownNote]:
        """The notes that are listed: those the filter and the kind leave."""
        return fitting(self._notes, self._filter.text, self._kind)

    @property
    def here(self) -> ShownNote | None:
        """The note under the cursor."""
        return self._rows[self.cursor].shown if self.cursor < len(self._rows) else None

    def _list_anew(self) -> None:
        before = self.here
        self._rows = note_rows(self.listed)
        same = (
            number
            for number, row in enumerate(self._rows)
            if before is not None
            and row.kind is NoteRowKind.NOTE
            and row.shown is not None
            and row.shown.note.uid == before.note.uid
        )
        self.move_to(next(same, min(self.cursor, max(0, len(self._rows) - 1))))
        self.refresh()

    @property
    def row_count(self) -> int:
        """How many rows there are."""
        return len(self._rows)

    def can_rest_on(self, row: int) -> bool:
        """Say whether a row begins a note."""
        return self._rows[row].kind is NoteRowKind.NOTE

    def choose(self) -> None:
        """Go to the note under the cursor."""
        self.post_message(self.Pressed("enter", self.here))

    # keys

    def take_key(self, textual_key: str, character: str | None) -> bool:
        """Type into the filter, move, or tell."""
        if self._ahead.keep(textual_key, character):
            return True
        key = key_name(textual_key, character)
        if self._is_filtering and self._typed(key, character):
            return True
        if key == "/":
            self._is_filtering = True
        elif key == "escape" and (self._filter.text or self._kind is not None):
            self._filter.set("")
            self._kind = None
            self._list_anew()
        elif key == "f":
            kinds = [None, *NoteKind]
            self._kind = kinds[(kinds.index(self._kind) + 1) % len(kinds)]
            self._list_anew()
        elif not self.moved_by(key):
            if key in _CHANGING:
                self._ahead.wait()
            self.post_message(self.Pressed(key, self.here))
        self.refresh()
        return True

    def _typed(self, key: str, character: str | None) -> bool:
        """Take a key into the filter; say whether it went there."""
        if key in ("enter", "escape"):
            self._is_filtering = False
            if key == "escape":
                self._filter.set("")
        elif not self._filter.feed(key, character):
            return False
        self._list_anew()
        return True

    # drawing

    def draw_head(self, y: int, width: int) -> Strip:
        """Draw the heading: whose notes, how many, what filters them."""
        faint = self.get_component_rich_style("list--faint")
        if y:
            return self.two_sided("", "", width)
        said = [] if self._kind is None else [_(KIND_WORDS[self._kind])]
        if self._is_filtering or self._filter.text:
            said.append(_("filter: {words}").format(words=self._filter.text + ("_" if self._is_filtering else "")))
        said.append(str(len(self.listed)))
        return self.two_sided(self.title, "  ".join(said), width, self.base + Style(bold=True), faint)

    def draw_row(self, row: int, width: int, ink: Style, faint: Style) -> Strip:
        """Draw a work, a chapter, a passage or a comment."""
        here = self._rows[row]
        indent = " " * _INDENTS[here.kind]
        if here.kind is NoteRowKind.NOTE and here.shown is not None:
            note = here.shown.note
            right = _(note.tone) if note.tone is not Tone.MARK else ""
            sign = {NoteKind.EXCERPT: ">", NoteKind.JOTTING: "-"}.get(note.kind) or tone_sign(
                note.tone, is_ascii=self._is_ascii
            )
            room = max(0, width - len(indent) - cell_width(sign) - cell_width(right) - 7)
            return self.two_sided(f"{indent}{sign} {fit_cells(here.words, room)}", right, width, ink, faint)
        if here.kind is NoteRowKind.WORK:
            return self.two_sided(here.words, "", width, ink + Style(bold=True))
        return self.two_sided(indent + here.words, "", width, ink if here.kind is NoteRowKind.COMMENT else faint)

    def render_line(self, y: int) -> Strip:
        """Draw a row, or what this place is for."""
        if not self._rows and y >= self.head_rows:
            words = (
                _("Nothing of that kind is kept. Esc shows all.")
                if self._notes
                else _(
                    "Nothing kept yet. In a selection h highlights, c comments, x keeps an excerpt; n here jots down."
                )
            )
            rows = wrapped_lines(words, self.size.width - 4)
            row = rows[y - self.head_rows] if y - self.head_rows < len(rows) else ""
            return self.two_sided(row, "", self.size.width, self.get_component_rich_style("list--faint"))
        return super().render_line(y)

    def bar(self, ink: Style) -> Segment:
        """Draw no bar: the list is the whole screen."""
        return Segment(" ", ink)
