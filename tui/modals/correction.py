"""Ask what is to be set right about an entry: a few letters, then a name, a kind, or yes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import ComposeResult
from textual.screen import ModalScreen
from textual.strip import Strip

from engine.domain.knowledge import PointKind
from engine.domain.wiki import Correction, PointId
from engine.translate import N_, _
from tui.keys import key_name
from tui.render.cells import cell_width, fit_cells
from tui.render.line_edit import LineEdit
from tui.widgets.answering import Answering
from tui.widgets.row_widget import RowWidget

_MOST_CHOICES = 6
_UNDO = "u"
_ACTS: Mapping[str, tuple[Correction, str]] = {
    "m": (Correction.MERGE, N_("the same as somebody else, always")),
    "i": (Correction.IDENTITY, N_("the same as somebody else, from this page on")),
    "s": (Correction.SPLIT, N_("one of the names is somebody else’s")),
    "r": (Correction.RENAME, N_("call it otherwise")),
    "a": (Correction.ADD, N_("add a name")),
    "k": (Correction.REKIND, N_("it is of another kind")),
    "h": (Correction.HIDE, N_("hide it: it is nobody and nothing")),
}
_ASKED: Mapping[Correction, str] = {
    Correction.MERGE: N_("The same as: {typed}"),
    Correction.IDENTITY: N_("From this page on the same as: {typed}"),
    Correction.SPLIT: N_("Somebody else’s name: {typed}"),
    Correction.RENAME: N_("Call it: {typed}"),
    Correction.ADD: N_("Add the name: {typed}"),
    Correction.REKIND: N_("It is: {typed}"),
    Correction.HIDE: N_("Hide it?   y yes   Esc no"),
}
_KINDS: Mapping[PointKind, str] = {
    PointKind.PERSON: N_("person"),
    PointKind.PLACE: N_("place"),
    PointKind.ORGANISATION: N_("organisation"),
    PointKind.ITEM: N_("item"),
    PointKind.EVENT: N_("event"),
    PointKind.CONCEPT: N_("concept"),
}


@dataclass(frozen=True, slots=True)
class CorrectionWish:
    """What the reader asks for."""

    correction: Correction | None
    """None to take the last one back."""
    form: str = ""
    kind: PointKind | None = None
    other: PointId | None = None


@dataclass(frozen=True, slots=True)
class Correctable:
    """What may be set right."""

    name: str
    forms: tuple[str, ...]
    """All names of the entry."""
    others: tuple[tuple[str, PointId], ...]
    """Every other entry she knows, by name."""


class _Rows(RowWidget):
    """The rows of the dialog."""

    DEFAULT_CSS = "_Rows { dock: bottom; width: 100%; height: 4; color: $foreground; background: $background; }"

    def __init__(self) -> None:
        super().__init__(id="rows")
        self.rows: Sequence[tuple[str, bool]] = ()
        """Words, and whether they are the ones chosen."""

    def render_line(self, y: int) -> Strip:
        """Draw a row; the first one blank, to set the dialog apart from the text."""
        width = self.size.width
        words, is_chosen = self.rows[y - 1] if 0 < y <= len(self.rows) else ("", False)
        style = self.base + Style(bold=True) if is_chosen else self.base
        row = fit_cells(f"   {words}", max(0, width - 1))
        return Strip([Segment(row + " " * max(0, width - cell_width(row)), style)], width)


class CorrectionDialog(ModalScreen[CorrectionWish | None], Answering[CorrectionWish | None]):
    """Answers with what is to be set right; None when the reader left it."""

    DEFAULT_CSS = "CorrectionDialog { background: transparent; }"

    def __init__(self, about: Correctable) -> None:
        super().__init__()
        self._about = about
        self._act: Correction | None = None
        self._line = LineEdit()
        self._chosen = 0
        self._rows = _Rows()

    def compose(self) -> ComposeResult:
        """Lay the rows over the bottom of the screen."""
        yield self._rows

    def on_mount(self) -> None:
        """Show what can be done."""
        self._show()

    def on_resize(self) -> None:
        """Draw for the new size."""
        self._show()

    # choices

    def _choices(self) -> list[tuple[str, CorrectionWish]]:
        """Return what the letters typed so far leave to choose from."""
        act, typed = self._act, self._line.text.strip()
        if act in (Correction.RENAME, Correction.ADD):
            return [(typed, CorrectionWish(act, typed))] if typed else []
        found: list[tuple[str, CorrectionWish]] = []
        if act in (Correction.MERGE, Correction.IDENTITY):
            found = [(name, CorrectionWish(act, other=point)) for name, point in self._about.others]
        elif act is Correction.SPLIT:
            found = [(form, CorrectionWish(act, form)) for form in self._about.forms]
        elif act is Correction.REKIND:
            found = [(_(words), CorrectionWish(act, kind=kind)) for kind, words in _KINDS.items()]
        return _fitting(found, typed)

    # keys

    def on_key(self, event: events.Key) -> None:
        """Take a key."""
        event.stop()
        event.prevent_default()
        key = key_name(event.key, event.character)
        if self._act is None:
            self._choose_act(key)
        elif key == "escape":
            self._begin(None)
        elif self._act is Correction.HIDE:
            self.dismiss(CorrectionWish(self._act) if key in ("y", "enter") else None)
        else:
            self._type(key, event.character)

    def _choose_act(self, key: str) -> None:
        if key == _UNDO:
            self.dismiss(CorrectionWish(None))
        elif key in _ACTS:
            self._begin(_ACTS[key][0])
        elif key in ("escape", "q"):
            self.dismiss(None)

    def _begin(self, act: Correction | None) -> None:
        self._act, self._chosen = act, 0
        self._line.set("")
        self._show()

    def _type(self, key: str, character: str | None) -> None:
        choices = self._choices()
        if key == "enter":
            if choices:
                self.dismiss(choices[min(self._chosen, len(choices) - 1)][1])
            return
        if key in ("down", "up", "tab"):
            step = -1 if key == "up" else 1
            self._chosen = min(max(0, self._chosen + step), max(0, len(choices) - 1))
        elif self._line.feed(key, character):
            self._chosen = 0
        self._show()

    # rows

    def _show(self) -> None:
        rows = self._menu() if self._act is None else self._step()
        self._rows.rows = rows
        self._rows.styles.height = min(len(rows) + 1, max(2, self.size.height - 1))
        self._rows.refresh()

    def _menu(self) -> list[tuple[str, bool]]:
        rows = [(_("Set right: {name}").format(name=self._about.name), True)]
        rows += [(f"{key}  {_(words)}", False) for key, (_act, words) in _ACTS.items()]
        return [*rows, (f"{_UNDO}  {_('take the last change back')}   Esc {_('close')}", False)]

    def _step(self) -> list[tuple[str, bool]]:
        act = self._act
        if act is None:
            return []
        asked = _(_ASKED[act]).format(typed=f"{self._line.text}_")
        rows = [(f"{self._about.name}  ·  {asked}", False)]
        if act is Correction.HIDE:
            return rows
        if act not in (Correction.RENAME, Correction.ADD):
            first = max(0, self._chosen - _MOST_CHOICES + 1)
            shown = self._choices()[first : first + _MOST_CHOICES]
            rows += [(f"  {words}", first + n == self._chosen) for n, (words, _wish) in enumerate(shown)]
            rows += [] if shown else [("  " + _("nobody of that name is known"), False)]
        return [*rows, (_("Enter do it   Esc back"), False)]


def _fitting(found: Sequence[tuple[str, CorrectionWish]], typed: str) -> list[tuple[str, CorrectionWish]]:
    """Return what holds the letters typed, those that begin with them first."""
    from engine.text.fold import fold_words  # its tables take 2 ms

    wanted = fold_words(typed)
    if not wanted:
        return list(found)
    kept = [(fold_words(words), words, wish) for words, wish in found]
    by_start: Callable[[tuple[str, str, CorrectionWish]], bool] = lambda each: not each[0].startswith(wanted)  # noqa: E731  (a key)
    return [(words, wish) for _key, words, wish in sorted((k for k in kept if wanted in k[0]), key=by_start)]
