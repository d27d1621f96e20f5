"""Ask for books to import: one line of paths, completed by Tab."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Input, Label

from engine.text.sanitize import sanitize_line
from engine.translate import N_, _
from tui.render.paths import books_named, complete
from tui.widgets.answering import Answering
from tui.widgets.prompt_line import PromptLine

_SHOWN_NAMES = 12


class PathPrompt(ModalScreen[tuple[Path, ...]], Answering[tuple[Path, ...]]):
    """Answers with the files to import, none when the reader left it."""

    DEFAULT_CSS = """
    PathPrompt { background: transparent; align: left bottom; }
    PathPrompt > Vertical { height: auto; background: $background; }
    PathPrompt Horizontal { height: 1; }
    PathPrompt Label { width: auto; padding-left: 2; color: $accent; }
    PathPrompt #hint { width: 100%; color: $faint; height: auto; max-height: 6; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", N_("leave"), id="path-leave"),
        Binding("tab", "complete", N_("complete the path"), id="path-complete", priority=True),
    ]

    class Completed(Message):
        """The last word was completed as far as it is certain."""

        def __init__(self, typed: str, line: str, names: tuple[str, ...]) -> None:
            super().__init__()
            self.typed = typed
            """What it was made from; dropped when more was typed meanwhile."""
            self.line = line
            self.names = names

    class Found(Message):
        """The files a line names were looked up."""

        def __init__(self, books: tuple[Path, ...], unknown: tuple[str, ...]) -> None:
            super().__init__()
            self.books = books
            self.unknown = unknown

    def __init__(self) -> None:
        super().__init__()
        self._line = PromptLine()

    def compose(self) -> ComposeResult:
        """Lay the line below its hint."""
        with Vertical():
            yield Label(_("Files or folders; Tab completes, several are set apart by blanks."), id="hint", markup=False)
            with Horizontal():
                yield Label(_("import: "), markup=False)
                yield self._line

    def action_complete(self) -> None:
        """Complete the last path."""
        self._complete(self._line.value)

    @work(thread=True, exclusive=True, group="paths", exit_on_error=False)
    def _complete(self, typed: str) -> None:
        self.post_message(self.Completed(typed, *complete(typed)))

    @on(Completed)
    def _take_completed(self, event: Completed) -> None:
        line = self._line
        if line.value == event.typed:
            line.value = event.line
            line.cursor_position = len(event.line)
        self._hint(_some(event.names))

    def _hint(self, words: str) -> None:
        self.query_one("#hint", Label).update(sanitize_line(words))

    @on(Input.Submitted)
    def _submit(self, event: Input.Submitted) -> None:
        event.stop()
        if event.value.strip():
            self._find(event.value)
        else:
            self.dismiss(())

    @work(thread=True, exclusive=True, group="paths", exit_on_error=False)
    def _find(self, line: str) -> None:
        self.post_message(self.Found(*books_named(line)))

    @on(Found)
    def _answer(self, event: Found) -> None:
        if event.unknown:
            self._hint(_("No such file: {names}").format(names=_some(event.unknown)))
        elif not event.books:
            self._hint(_("No EPUB there."))
        else:
            self.dismiss(event.books)

    def on_key(self, event: events.Key) -> None:
        """Leave when backspace is pressed on an empty line."""
        if event.key == "backspace" and not self._line.value:
            event.stop()
            self.dismiss(())

    def action_leave(self) -> None:
        """Answer with nothing."""
        self.dismiss(())


def _some(names: Sequence[str]) -> str:
    return "  ".join(names[:_SHOWN_NAMES]) + ("  …" if len(names) > _SHOWN_NAMES else "")
