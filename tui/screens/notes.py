"""All that the reader keeps, over the whole screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from textual import on, work
from textual.app import ComposeResult
from textual.message import Message

from engine.domain.book import WorkId
from engine.domain.notes import Note, NoteId, ShownNote, Tone
from engine.errors import UnderstoryError, shown_path
from engine.library import Library
from engine.translate import N_, _
from tui.messages import NoteAttached, WorkFailed
from tui.screens.note_control import with_comment
from tui.screens.noticing import Noticing
from tui.widgets.note_list import NoteList
from tui.widgets.notice_line import NoticeLine

NOTES_KEYS: tuple[tuple[str, str], ...] = (
    ("j k", N_("up and down")),
    ("enter", N_("go to the passage")),
    ("c", N_("change the comment")),
    ("h", N_("another colour")),
    ("a", N_("ask about it: the note goes beside the next question")),
    ("d", N_("delete; u brings it back")),
    ("n", N_("jot something down")),
    ("f", N_("one kind after another")),
    ("/", N_("filter by words")),
    ("w", N_("this work, or all")),
    ("E", N_("export what is listed, as Markdown")),
    ("escape", N_("to the text")),
)
"""Keys of the list with what they do, for the help."""


@dataclass
class ListSettled(Message):
    """A change of the list was made, or could not be."""


@dataclass
class NotesRead(Message):
    """The notes were read."""

    notes: tuple[ShownNote, ...]
    said: str = ""


class NotesScreen(Noticing[ShownNote]):
    """Answers with the note to go to; None when the reader goes back to where she was."""

    DEFAULT_CSS = """
    NotesScreen { background: $background; color: $foreground; layers: base notice; }
    NotesScreen NoticeLine { margin-bottom: 0; }
    """
    BLANK = True

    def __init__(
        self, library: Library, work: WorkId | None, title: str, dropped: list[Note], *, is_ascii: bool = False
    ) -> None:
        """Take the library.

        Args:
            library: Whose notes.
            work: The work being read; its notes are shown first. None, or one of a preview, for all.
            title: Of that work.
            dropped: What was taken away before, to be brought back; what is taken away here joins it.
            is_ascii: Draw with ASCII signs.
        """
        super().__init__()
        self._library = library
        self._work = work if work is not None and work > 0 else None
        self._title = title
        self._is_all = self._work is None
        self._list = NoteList(is_ascii=is_ascii, id="notes")
        self._dropped = dropped

    def compose(self) -> ComposeResult:
        """Lay the line for notices over the last row."""
        yield self._list
        yield NoticeLine()

    def on_mount(self) -> None:
        """Read the list."""
        self.set_focus(self._list)
        self._read()

    def _read(self) -> None:
        self._change(lambda: None)

    @work(thread=True, group="notes", exit_on_error=False)
    def _change(
        self, write: Callable[[], object], said: str = "", again: Callable[[str], object] | None = None
    ) -> None:
        """Make a change, then read the list anew; where it cannot be made, `again` is told why."""
        try:
            write()
            self.post_message(NotesRead(self._library.listed_notes(None if self._is_all else self._work), said))
        except UnderstoryError as error:
            self.post_message(WorkFailed(error))
            if again is not None:
                self.call_later(again, error.message)
        finally:  # whatever happened, what is typed meanwhile must go on
            self.post_message(ListSettled())

    @on(ListSettled)
    def _go_on(self) -> None:
        self._list.go_on()

    @on(NotesRead)
    def _show(self, event: NotesRead) -> None:
        self._list.title = _("Notes") if self._is_all else _("Notes · {title}").format(title=self._title)
        self._list.list_notes(event.notes)
        if event.said:
            self.say(event.said)

    @on(NoteList.Pressed)
    def _act(self, event: NoteList.Pressed) -> None:
        self.say("")
        general: dict[str, Callable[[], object]] = {
            "escape": lambda: self.dismiss(None),
            "q": lambda: self.dismiss(None),
            "u": self._bring_back,
            "n": self._jot,
            "w": self._widen,
            "E": self._export,
            "?": self._show_keys,
        }
        acts: dict[str, Callable[[ShownNote], object]] = {
            "enter": self._go,
            "c": self._edit,
            "h": self._retone,
            "a": self._ask_about,
            "d": self._drop,
            "delete": self._drop,
        }
        if event.key in general:
            general[event.key]()
        elif event.key in acts and event.shown is not None:
            if event.shown.is_ahead and event.key != "enter":
                self.say(_("It lies ahead. Enter goes there."))
                self._list.go_on()
            else:
                acts[event.key](event.shown)
        else:
            self._list.go_on()

    # acts

    def _go(self, shown: ShownNote) -> None:
        if shown.locator is not None:
            self.dismiss(shown)
        elif shown.note.anchor is None:
            self._edit(shown)
        elif shown.note.is_lost:
            self.say(_("Its words are not in the text that is here now."))
        else:
            self.say(_("Its book is not in the library now."))

    def _ask_about(self, shown: ShownNote) -> None:
        self.dismiss(None)
        self.app.post_message(NoteAttached(shown))

    def _edit(self, shown: ShownNote, unkept: str = "", reason: str = "") -> None:
        note = shown.note

        def answered(comment: str | None) -> None:
            if comment is not None and comment != note.comment:
                changed = with_comment(note, comment)
                again = partial(self._edit, shown, comment)
                self._change(lambda: self._library.change_note(changed), _("Kept."), again)

        passage = note.anchor.quote.exact if note.anchor is not None else ""
        self._ask(passage, answered, note.comment, unkept, reason)

    def _jot(self, unkept: str = "", reason: str = "") -> None:
        work = None if self._is_all else self._work

        def answered(comment: str | None) -> None:
            if comment is not None and comment.strip():
                jot = partial(self._library.add_jotting, work, comment)
                self._change(jot, _("Kept."), partial(self._jot, comment))

        self._ask("", answered, "", unkept, reason)

    def _ask(self, passage: str, answered: Callable[[str | None], None], *words: str) -> None:
        from tui.modals.comment_editor import CommentEditor  # Textual's editor takes 60 ms to import

        self.app.push_screen(CommentEditor(passage, *words), answered)

    def _retone(self, shown: ShownNote) -> None:
        tones = list(Tone)
        tone = tones[(tones.index(shown.note.tone) + 1) % len(tones)]
        self._change(lambda: self._library.change_note(replace(shown.note, tone=tone)))

    def _drop(self, shown: ShownNote) -> None:
        self._dropped.append(shown.note)
        self._change(lambda: self._library.drop_note(shown.note.id), _("Deleted. u brings it back."))

    def _bring_back(self) -> None:
        if not self._dropped:
            self.say(_("Nothing to bring back."))
            self._list.go_on()
            return
        dropped = self._dropped.pop()
        note = replace(dropped, id=NoteId(0))
        keep = partial(self._library.keep_note, note)
        self._change(keep, _("Brought back."), lambda _reason: self._dropped.append(dropped))

    def _widen(self) -> None:
        if self._work is None:
            self._list.go_on()
        else:
            self._is_all = not self._is_all
            self._read()

    def _export(self) -> None:
        listed = [shown for shown in self._list.listed if not shown.is_ahead]
        if not listed:
            self.say(_("Nothing is listed."))
        else:
            self._write_file(listed)

    @work(thread=True, exclusive=True, group="export", exit_on_error=False)
    def _write_file(self, listed: Sequence[ShownNote]) -> None:
        try:
            file = self._library.write_notes(listed, _export_folder())
            said = _("Exported to {file}").format(file=shown_path(file))
        except UnderstoryError as error:
            self.post_message(WorkFailed(error))
            return
        self.app.call_from_thread(self.say, said)

    def _show_keys(self) -> None:
        from tui.modals.note_card import NoteCard  # not before it is asked for

        self.app.push_screen(NoteCard("\n".join(f"{keys:12}{_(words)}" for keys, words in NOTES_KEYS)))


def _export_folder() -> Path:
    """Return where exports go: the folder the program was started in."""
    return Path.cwd()
