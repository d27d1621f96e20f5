"""An answer that comes token by token: how often it is drawn, and that the page is left alone.

What a token costs is measured in `tests/bench/chat_drawn.py`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from typing import Any

import pytest

from engine.domain.book import WorkId
from engine.library import Library
from tests.pace import PATIENCE_S
from tests.piloted import page_of, reading, settle, type_ahead
from tests.streaming import SENTENCES, Telling
from tests.told import TOLD, told_library
from tui.widgets.chat_view import ChatView
from tui.widgets.compositor import WholeCharacterCompositor
from tui.widgets.text_view import TextView


@pytest.fixture
def shelved(home: object) -> Iterator[tuple[Library, WorkId]]:
    library, work = told_library(TOLD["en"])
    yield library, work
    library.close()


@pytest.mark.parametrize("before", [0, 30_000])
@pytest.mark.parametrize("language", sorted(SENTENCES))
async def test_a_token_is_drawn_rarely_and_moves_nothing(
    shelved: tuple[Library, WorkId], monkeypatch: pytest.MonkeyPatch, language: str, before: int
) -> None:
    frame = 0
    drawn: dict[type, set[int]] = {ChatView: set(), TextView: set()}
    put_together = WholeCharacterCompositor._render_chops

    def framed(self: WholeCharacterCompositor, *args: Any) -> object:  # as Textual hands them on
        nonlocal frame
        frame += 1
        return put_together(self, *args)

    def counted(kind: type, name: str) -> None:
        own = getattr(kind, name)

        def render(self: object, *args: object) -> object:
            drawn[kind].add(frame)
            return own(self, *args)

        monkeypatch.setattr(kind, name, render)

    async with reading(shelved[0], size=(120, 36)) as (app, pilot):
        await type_ahead(app, pilot, "a")
        control = page_of(app)._chat
        assert control is not None
        telling = Telling(control, shelved[1], language, before)
        await settle(app, pilot)
        await asyncio.sleep(0.3)
        here = page_of(app).here
        monkeypatch.setattr(WholeCharacterCompositor, "_render_chops", framed)
        counted(ChatView, "render_lines")
        counted(TextView, "render_lines")
        begun = time.monotonic()
        await asyncio.to_thread(telling.tell_tokens)
        while not control.view.transcript.turns[-1].view.text.endswith(telling.told):
            assert time.monotonic() - begun < PATIENCE_S
            await asyncio.sleep(0.05)
        lasted = time.monotonic() - begun
        await settle(app, pilot)
        assert 1 <= len(drawn[ChatView]) <= 10 * lasted + 3
        assert len(drawn[TextView]) <= 2  # names that were found meanwhile are underlined
        assert page_of(app).here == here
