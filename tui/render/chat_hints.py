"""What the foot of the chat says: the chips beside the question, and the keys that are of use now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.translate import N_, _
from tui.render.cells import cell_width, fit_cells
from tui.render.lines import wrapped_lines
from tui.render.wiki_bits import one_line

_GAP = "  "
_MOST_CHIP_CELLS = 32
_MOST_SAID_ROWS = 4
_READING_HINTS: tuple[tuple[str, str], ...] = (
    ("chat-write", N_("ask")),
    ("chat-open", N_("open")),
    ("chat-next-link", N_("next")),
    ("chat-again", N_("again")),
    ("chat-context", N_("context")),
    ("chat-list", N_("all")),
)
_EMPTY = N_("Ask about what you are reading. An answer shows the passages it rests on, and ends where you are.")
_QUOTES = N_("No model is named, so the book itself is quoted. Esc, then {key}, names one.")


def empty_rows(width: int, *, has_model: bool, models_key: str) -> list[str]:
    """Return what a conversation without a question says."""
    words = [_(_EMPTY)]
    if not has_model:
        words.append(_(_QUOTES).format(key=models_key))
    return [row for paragraph in words for row in (*wrapped_lines(paragraph, width), "")]


def chip_rows(labels: Sequence[str], width: int, *, most: int) -> list[str]:
    """Return the chips beside the question, as many in a row as fit; what does not fit in `most` rows is counted."""
    rows: list[str] = []
    for number, label in enumerate(labels):
        chip = f"[{fit_cells(one_line(label), min(_MOST_CHIP_CELLS, max(4, width - 4)))} ×]"
        if rows and cell_width(rows[-1]) + 1 + cell_width(chip) <= width:
            rows[-1] += f" {chip}"
        elif len(rows) == most:
            rows[-1] = fit_cells(f"{rows[-1]} +{len(labels) - number}", width)
            break
        else:
            rows.append(fit_cells(chip, width))
    return rows


def hint_row(keys: Mapping[str, str], width: int, first: str = "") -> str:
    """Return the keys that are of use while a conversation is read, as many as fit.

    Args:
        keys: Of each action, as they are shown.
        width: Cells.
        first: What is of most use now, such as how to stop an answer.
    """
    row = first
    for action, words in _READING_HINTS:
        hint = f"{keys.get(action, '')} {_(words)}".strip()
        following = f"{row}{_GAP}{hint}" if row else hint
        if cell_width(following) > width:
            break
        row = following
    return row


def said_rows(words: str, width: int) -> list[str]:
    """Set what is said in rows of at most `width` cells, four at most."""
    rows = wrapped_lines(words, width)
    last = _MOST_SAID_ROWS - 1
    return rows if len(rows) <= _MOST_SAID_ROWS else [*rows[:last], fit_cells(" ".join(rows[last:]), width)]
