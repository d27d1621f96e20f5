"""The settings as rows: what each is called, what it holds, what the one under the cursor is for."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from engine.config import DEFAULTS, PER_WORK, Settings, Value, allowed_values, choices_of, plain_value, setting_help
from engine.translate import N_, _
from tui.render.cells import cell_width, fill_cells, fit_cells
from tui.render.wrap import wrap

_TITLES = {
    "column_width": N_("Column width"),
    "paragraph_gap": N_("Between paragraphs"),
    "first_line_indent": N_("First-line indent"),
    "line_spacing": N_("Line spacing"),
    "book_style": N_("Book’s own style"),
    "justify": N_("Full rows"),
    "hyphenate": N_("Words divided"),
    "right_to_left": N_("Right to left"),
    "ruby": N_("Readings"),
    "pictures": N_("Pictures"),
    "immersive": N_("Pictures on paper"),
    "names": N_("Names underlined"),
    "theme": N_("Colours"),
    "language": N_("Language"),
    "spoilers": N_("Spoilers"),
    "veil_titles": N_("Titles ahead veiled"),
    "marks_ahead": N_("Marks ahead"),
    "mouse": N_("Mouse"),
    "ambiguous_width": N_("Width of “ ” —"),
    "terminal_scroll": N_("Terminal moves rows"),
    "keys": N_("Keys"),
    "panels": N_("Panels at start"),
}
_WORDS = {True: N_("yes"), False: N_("no"), "": N_("system")}
_AT_NEXT_START = frozenset(("language", "mouse", "ambiguous_width", "terminal_scroll", "panels"))
_LANGUAGES = ("", "en", "zh_CN", "ja")
_STEPS = {"column_width": 2}
"""Of settings with many values, how far one press goes."""
_TITLE_CELLS, _NARROW_TITLE_CELLS = 26, 22
_NARROW = 60


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the reader chose: for everything, and for the work she reads."""

    all: Settings
    own: tuple[tuple[str, Value], ...] = ()
    """(name, value) of what this work has for itself."""

    def value(self, name: str) -> Value:
        """Return what holds for the work."""
        return dict(self.own).get(name, plain_value(getattr(self.all, name)))

    def with_own(self, name: str, value: Value | None) -> Chosen:
        """Return this with a value for the work alone, None for that of all."""
        own = {key: held for key, held in self.own if key != name}
        return Chosen(self.all, tuple(sorted((own if value is None else {**own, name: value}).items())))


def setting_title(name: str) -> str:
    """Return what a setting is called, in the reader's language."""
    return _(_TITLES[name]) if name in _TITLES else name.replace("_", " ").capitalize()


def stepped(name: str, value: Value, step: int, themes: tuple[str, ...]) -> Value:
    """Return the value after (+1) or before (-1) one; at the ends of a range it stays, other choices go round."""
    texts: dict[str, tuple[Value, ...]] = {"theme": themes, "language": _LANGUAGES}
    choices = tuple(plain_value(each) for each in choices_of(name)) or texts.get(name, (value,))
    if value not in choices:
        return choices[0] if choices else value
    at = choices.index(value) + step * _STEPS.get(name, 1)
    if isinstance(value, (bool, str)):
        return choices[at % len(choices)]
    return choices[min(len(choices) - 1, max(0, at))]


def setting_row(name: str, chosen: Chosen, width: int) -> tuple[str, str, str]:
    """Return title, value between its arrows, and a remark, padded so that they fill a row."""
    title_cells = _NARROW_TITLE_CELLS if width < _NARROW else _TITLE_CELLS
    title = fill_cells(f"  {setting_title(name)}", min(title_cells, width))
    value = f"◂ {value_words(chosen.value(name))} ▸"
    room = max(0, width - title_cells)
    value = fit_cells(value, room)
    remark = ""
    if name in dict(chosen.own):
        remark = _("this work")
    elif name in _AT_NEXT_START:
        remark = _("from the next start")
    elif chosen.value(name) != plain_value(getattr(DEFAULTS, name)):
        remark = _("usually {value}").format(value=value_words(plain_value(getattr(DEFAULTS, name))))
    remark = f"  {remark}" if remark else ""
    return title, value, fill_cells(remark, max(0, room - cell_width(value)))


def value_words(value: Value) -> str:
    """Return a value as it is shown."""
    words = _WORDS.get(value) if isinstance(value, (bool, str)) else None
    return _(words) if words else str(value)


def help_rows(name: str, width: int, rows: int) -> list[str]:
    """Return what a setting is for, and what it may hold, in exactly so many rows."""
    words = f"{setting_help(name)} ({allowed_values(name)})"
    if name in PER_WORK:
        words += " " + _("A work may have its own.")
    starts = [*wrap(words, max(1, width - 4)), len(words)]
    lines = [words[a:b].rstrip() for a, b in pairwise(starts)]
    if len(lines) > rows:
        lines = [*lines[: rows - 1], fit_cells(" ".join(lines[rows - 1 :]), max(1, width - 4))]
    return [fill_cells(f"  {line}", width) for line in (*lines, *[""] * (rows - len(lines)))]
