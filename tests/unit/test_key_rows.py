"""The help cuts no key and no word."""

from __future__ import annotations

import pytest

from engine.translate import _
from tui.keys import PRESETS, READING_ACTIONS
from tui.render.cells import cell_width
from tui.render.key_rows import key_rows


@pytest.mark.parametrize("width", [40, 60, 80, 200])
@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_every_key_and_every_word_of_the_help_is_there_at_any_width(width: int, preset: str) -> None:
    keys = {action.id: PRESETS[preset].get(action.id, action.keys) for action in READING_ACTIONS}
    entries = [(_(action.group), keys[action.id], _(action.description)) for action in READING_ACTIONS]
    rows = [row for row, _is_heading in key_rows(entries, width)]
    shown = " ".join(rows).split()
    wanted = [word for _group, typed, words in entries for word in (*" ".join(typed).split(), *words.split())]
    assert max(map(cell_width, rows)) <= width
    assert [word for word in wanted if word not in shown] == []
