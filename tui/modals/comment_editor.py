"""Ask for a comment: a few lines to write in, or the reader's own editor."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from pathlib import Path
from typing import ClassVar

from rich.segment import Segment
from textual import events, on
from textual.app import ComposeResult, SuspendNotSupported
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import TextArea

from engine.domain.notes import MOST_COMMENT_CHARS
from engine.text.sanitize import sanitize, sanitize_line
from engine.translate import N_, _
from tui.render.cells import cell_width, fit_cells
from tui.widgets.answering import Answering, hand_on

_HINTS = N_("Ctrl+S keep   Ctrl+E your editor   Esc leave")
_ONCE_MORE = N_("Not kept yet. Esc again leaves it, Ctrl+S keeps it.")
_NO_EDITOR = N_("{editor} cannot be started. The variable EDITOR names one.")


class _Line(Widget):
    """A line of the dialog."""

    DEFAULT_CSS = "_Line { height: 1; width: 100%; } _Line.-faint { color: $faint; }"

    def __init__(self, text: str, *, is_faint: bool = False) -> None:
        super().__init__(classes="-faint" if is_faint else "")
        self._text = text

    def say(self, text: str) -> None:
        """Show other words."""
        self._text = text
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw the line."""
        width = self.size.width
        row = fit_cells(f"  {self._text}", width)
        return Strip([Segment(row + " " * max(0, width - cell_width(row)), self.rich_style)], width)


class _Editor(TextArea):
    """Where the comment is written; keys that keep or leave it go to the dialog."""

    DEFAULT_CSS = """
    _Editor { border: none; padding: 0 2; height: 1fr; background: $background; color: $foreground; }
    _Editor:focus { border: none; }
    """

    async def on_event(self, event: events.Event) -> None:
        """Take an event; a key typed behind the one that closed the dialog goes on."""
        if isinstance(event, events.Key) and not self.screen.is_active:
            hand_on(self, event)
        elif isinstance(event, events.Paste):
            await super().on_event(events.Paste(sanitize(event.text)))
        else:
            await super().on_event(event)


class CommentEditor(ModalScreen[str], Answering[str]):
    """Answers with the comment, which may be empty; None when the reader left it as it was."""

    DEFAULT_CSS = """
    CommentEditor { background: transparent; align: center bottom; }
    CommentEditor > Vertical { width: 100%; max-width: 80; height: 50%; min-height: 7; background: $background;
        color: $foreground; border-top: solid $faint; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "keep", N_("keep"), id="comment-keep", priority=True),
        Binding("ctrl+e", "edit_outside", N_("your editor"), id="comment-editor", priority=True),
        Binding("escape", "leave", N_("leave"), id="comment-leave", priority=True),
    ]

    def __init__(self, passage: str, comment: str = "", unkept: str = "", reason: str = "") -> None:
        """Take what is commented on.

        Args:
            passage: Its words; empty for a jotting.
            comment: As it is now.
            unkept: What was written and could not be kept.
            reason: Why not.
        """
        super().__init__()
        self._passage = sanitize_line(passage)
        self._before = comment
        self._has_asked = False
        self._hints = _Line(reason or _(_HINTS), is_faint=True)
        self._editor = _Editor(
            sanitize(unkept or comment),
            soft_wrap=True,
            show_line_numbers=False,
            tab_behavior="focus",
            compact=True,
            theme="css",
        )

    def compose(self) -> ComposeResult:
        """Lay the passage above the lines to write in."""
        with Vertical():
            if self._passage:
                yield _Line(self._passage, is_faint=True)
            yield self._editor
            yield self._hints

    def on_mount(self) -> None:
        """Let the reader type at once, behind what is there."""
        self.set_focus(self._editor)
        self._editor.move_cursor(self._editor.document.end)

    @on(TextArea.Changed)
    def _ask_anew(self) -> None:
        if self._has_asked:
            self._has_asked = False
            self._hints.say(_(_HINTS))

    def action_keep(self) -> None:
        """Answer with what is written."""
        self.dismiss(sanitize(self._editor.text[:MOST_COMMENT_CHARS]))

    def action_leave(self) -> None:
        """Leave everything as it was; what was written is not thrown away by one key."""
        if self._editor.text == self._before or self._has_asked:
            self.dismiss(None)
        else:
            self._has_asked = True
            self._hints.say(_(_ONCE_MORE))

    def action_edit_outside(self) -> None:
        """Hand the words to the reader's editor, and take them from it."""
        editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
        try:
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder) / "comment.md"
                file.write_text(self._editor.text, encoding="utf-8")
                with self.app.suspend():
                    subprocess.run([*shlex.split(editor), str(file)], check=False)
                written = file.read_text(encoding="utf-8", errors="replace")
        except (OSError, ValueError, SuspendNotSupported):
            self._hints.say(_(_NO_EDITOR).format(editor=sanitize_line(editor)))
            return
        self._editor.text = sanitize(written).rstrip("\n")
        self._editor.move_cursor(self._editor.document.end)
