"""The chat beside the text in the program under test: asked, answered, and what stands in it."""

from __future__ import annotations

from textual.pilot import Pilot

from tests.piloted import page_of, settle, type_ahead
from tui.app.program import UnderstoryApp
from tui.widgets.chat_view import ChatView


def chat_of(app: UnderstoryApp) -> ChatView:
    return page_of(app).sidebar.chat


def beside(app: UnderstoryApp) -> str:
    """Return what stands in the chat, its rows joined."""
    region = chat_of(app).region
    rows = app.screen._compositor.render_strips()[region.y : region.bottom]
    return "\n".join(row.crop(region.x + 1, region.right).text.rstrip() for row in rows)


async def answered(app: UnderstoryApp, pilot: Pilot[None]) -> None:
    """Wait until the last question has its answer."""
    for _time in range(200):
        await settle(app, pilot)
        if chat_of(app).running is None:
            break
        await pilot.pause(0.02)
    await settle(app, pilot)


async def asked(app: UnderstoryApp, pilot: Pilot[None], question: str) -> None:
    """Ask a question beside the text, and wait for its answer."""
    await type_ahead(app, pilot, "a")
    await type_ahead(app, pilot, f"{question}\r")
    await answered(app, pilot)


async def recapped(app: UnderstoryApp, pilot: Pilot[None]) -> None:
    """Have the story so far told: an answer with many passages."""
    await type_ahead(app, pilot, "gR")
    await settle(app, pilot)
    await answered(app, pilot)
