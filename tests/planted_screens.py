"""What the real program draws over works with planted facts: panels, card, contents, underlines."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from textual.pilot import Pilot
from textual.widget import Widget

from engine.config import Settings
from engine.domain.book import DocumentId
from engine.domain.finds import SearchReach
from engine.domain.knowledge import PointKind
from engine.domain.locator import Pos
from engine.domain.wiki import PageKey, PageKind
from engine.spoilers.policy import Mode
from tests.piloted import page_of, reading, settle
from tests.planted import leaks_in
from tests.planted_seen import Seen
from tests.planting import Planted
from tui.app import UnderstoryApp
from tui.render.search_list import Listed
from tui.render.tabs import Tab
from tui.screens.chat import ChatScreen
from tui.screens.reading import ReadingScreen
from tui.screens.search_full import SearchScreen
from tui.screens.wiki import WikiScreen
from tui.widgets.chat_wishes import BeginAnew
from tui.widgets.lookup_card import LookupCard
from tui.widgets.progress_bar import ProgressBar
from tui.widgets.search_panel import SearchPanel
from tui.widgets.toc import Toc
from tui.widgets.top_line import TopLine

_SIZE = (150, 70)
_PATIENCE = 2000


@dataclass(slots=True)
class Shown:
    """The program in a test, open at a work."""

    planted: Planted
    app: UnderstoryApp
    pilot: Pilot[None]
    mode: Mode

    @property
    def screen(self) -> ReadingScreen:
        """The reading screen."""
        return page_of(self.app)

    async def settled(self) -> None:
        """Wait until what was asked for is drawn."""
        await settle(self.app, self.pilot)
        await settle(self.app, self.pilot)

    async def read_to(self, pos: Pos) -> None:
        """Go to the first page, and let the frontier stand exactly here."""
        place = self.planted.index.place_of(pos)
        assert place is not None
        first = self.planted.index.outline.volumes[0].documents[0].id
        self.screen.text.go_to(first, 0)
        await self.pilot.pause()
        self.screen.session.set_frontier(pos, place)
        self.screen.frontier_moved()
        for _time in range(_PATIENCE):
            if self.planted.library.frontier(self.planted.work) == pos:
                break
            await self.pilot.pause(0.01)
        await self.settled()

    def frontier(self) -> Pos:
        """Return how far the program holds that she has read: pages drawn since count."""
        return max(self.screen.session.frontier, self.planted.library.frontier(self.planted.work))

    def drawn(self, widget: Widget) -> str:
        """Return what stands in a widget, row under row and once more without the ends of rows: names are wrapped."""
        region = widget.region
        strips = self.app.screen._compositor.render_strips()[region.y : region.bottom]
        rows = [strip.crop(region.x, region.right).text.strip() for strip in strips]
        return "\n".join(rows) + "\n" + "".join(rows)


@asynccontextmanager
async def shown(planted: Planted, mode: Mode) -> AsyncIterator[Shown]:
    """Open the work in a mode."""
    planted.library.spoilers = mode
    settings = Settings(spoilers=mode)
    async with reading(planted.library, "1", size=_SIZE, settings=settings) as (app, pilot):
        yield Shown(planted, app, pilot, mode)


Draw = Callable[[Shown, random.Random], Awaitable[Seen]]


def _told_in(planted: Planted, rng: random.Random) -> tuple[str, DocumentId, int]:
    name = rng.choice(sorted(planted.told_in))
    return (name, *planted.told_in[name])


async def _wiki(at: Shown, rng: random.Random) -> Seen:
    planted = at.planted
    volume = rng.choice(planted.index.outline.volumes)
    key = rng.choice(
        [
            PageKey(PageKind.HOME),
            PageKey(PageKind.INDEX),
            PageKey(PageKind.CATEGORY, category=rng.choice(list(PointKind))),
            PageKey(PageKind.VOLUME, volume_ord=volume.ord),
            PageKey(PageKind.ENTRY, point=rng.choice([planted.hero, *planted.points.values()])),
            PageKey(PageKind.ENTRY, point=planted.hero),
        ]
    )
    at.screen.show_entry(key)
    await at.settled()
    view = at.screen.sidebar.wiki
    found = Seen(at.drawn(view), list(at.screen.appearances))
    for key_pressed in "tG":
        await at.pilot.press(key_pressed)
        await at.pilot.pause()
        found.words += at.drawn(view)
    if view.page is not None:
        found.joined = [frozenset((view.page.title, *view.page.also))]
    return found


async def _whole_wiki(at: Shown, rng: random.Random) -> Seen:
    at.screen.open_wiki()
    await at.settled()
    screen = at.app.screen
    assert isinstance(screen, WikiScreen)
    found = Seen(at.drawn(screen.view))
    await at.pilot.press("1")
    await at.settled()
    found.words += at.drawn(screen.view)
    await at.pilot.press("escape")
    await at.settled()
    return found


async def _contents(at: Shown, rng: random.Random) -> Seen:
    at.screen.toggle_left("contents")
    await at.settled()
    found = Seen(at.drawn(at.screen.query_one(Toc)))
    at.screen.close_panel()
    await at.settled()
    return found


async def _search(at: Shown, rng: random.Random) -> Seen:
    at.screen.search_work(rng.choice(["The ink said", "/[Ll]ater\\w/", _told_in(at.planted, rng)[0][:2]]))
    await at.settled()
    panel = at.screen.sidebar.search
    # The line typed into holds what was typed; whole names are never typed.
    return Seen(at.drawn(panel), _places(at.planted, panel.listed))


async def _typing(at: Shown, rng: random.Random) -> Seen:
    """Type a name letter by letter, all of the library included; what is drawn after each letter counts."""
    at.screen.open_tab(Tab.SEARCH)
    await at.settled()
    return await _typed(at, at.screen.sidebar.search, rng)


async def _whole_search(at: Shown, rng: random.Random) -> Seen:
    at.screen.open_search()
    await at.settled()
    screen = at.app.screen
    assert isinstance(screen, SearchScreen)
    found = await _typed(at, screen.panel, rng)
    await at.pilot.press("escape")
    await at.settled()
    return found


async def _typed(at: Shown, panel: SearchPanel, rng: random.Random) -> Seen:
    found = Seen()
    panel.typing.reach = rng.choice(list(SearchReach))
    for letter in _told_in(at.planted, rng)[0][:3]:
        await at.pilot.press(letter)
        await at.pilot.pause(0.2)
        await at.settled()
        found.words += at.drawn(panel)
        found.places += _places(at.planted, panel.listed)
    await at.pilot.press("enter", "G")
    await at.settled()
    found.words += at.drawn(panel)
    return found


def _places(planted: Planted, listed: Listed | None) -> list[Pos]:
    """Return where everything leads that is listed."""
    if listed is None:
        return []
    finds = listed.finds
    places = [hit.pos + len(hit.text) for hit in listed.hits]
    places += [listed.found.hit(n).pos for n in range(len(listed.found))]
    places += [planted.pos(entry.first) for entry in finds.entries if entry.first is not None]
    return [*places, *(chapter.pos for chapter in finds.chapters), *(note.pos for note in finds.notes)]


async def _card(at: Shown, rng: random.Random) -> Seen:
    """Look up a planted name where it stands; that nobody of that name is known repeats the name."""
    name, document, start = _told_in(at.planted, rng)
    page = at.screen.page
    page.go_to(document, start)
    await at.settled()
    begins = start + len("The ink said ")
    reach = page.selecting.reach_of(document, begins, begins + len(name))
    assert reach is not None
    assert page.selecting.select(reach)
    at.screen._selection_control.look_up()
    await at.settled()
    card = at.screen.query_one(LookupCard)
    words = at.drawn(card) if card.is_open and card.match is not None else ""
    await at.pilot.press("escape")
    at.screen.page.clear_selection()
    await at.settled()
    return Seen(words)


async def _underlines(at: Shown, rng: random.Random) -> Seen:
    """Return what is drawn as a known name."""
    _name, document, start = _told_in(at.planted, rng)
    page = at.screen.page
    page.go_to(document, start)
    await at.settled()
    known: list[bool] = []
    at.screen.with_names(lambda: known.append(True))
    for _time in range(_PATIENCE):
        if known:
            break
        await at.pilot.pause(0.01)
    await at.settled()
    words = [
        segment.text
        for y in range(page.size.height)
        for segment in page.render_line(y)
        if segment.style is not None and segment.style.underline
    ]
    return Seen("\n".join(words))


async def _glance(at: Shown, rng: random.Random) -> Seen:
    at.screen.open_tab(Tab.GLANCE)
    words = await _whole_glance(at)
    at.screen.text.go_to(*_some_chapter(at, rng))
    return Seen(words + await _whole_glance(at))


async def _whole_glance(at: Shown) -> str:
    """Return the glance as the outline tells it and as the work does, which is asked for a moment later."""
    await at.settled()
    first = at.drawn(at.screen.sidebar.glance)
    at.screen._ask_for_glance()
    await at.settled()
    return first + at.drawn(at.screen.sidebar.glance)


def _some_chapter(at: Shown, rng: random.Random) -> tuple[DocumentId, int]:
    chapter = rng.choice(at.planted.index.chapters)
    return chapter.document, chapter.offset


async def _edges(at: Shown, rng: random.Random) -> Seen:
    """Return the line above a page that lies anywhere, and the bar below it."""
    at.screen.text.go_to(*_some_chapter(at, rng))
    await at.settled()
    return Seen(at.drawn(at.screen.query_one(TopLine)) + at.drawn(at.screen.query_one(ProgressBar)))


_QUESTIONS = ("The ink said", "Who said what?", "later")


async def _chat(at: Shown, rng: random.Random) -> Seen:
    """Ask in the chat beside the text; whole names are never asked for."""
    at.screen.open_chat()
    await at.settled()
    chat = at.screen._chat
    assert chat is not None
    chat.see_to(BeginAnew())
    view = at.screen.sidebar.chat
    view.write(rng.choice([*_QUESTIONS, _told_in(at.planted, rng)[0][:2]]))
    await at.pilot.press("enter")
    await _told(at, lambda: view.running is None or view.waiting is not None)
    words = at.drawn(view)
    for key in ("1", "G", "C"):
        await at.pilot.press(key)
        await at.settled()
        words += at.drawn(view if isinstance(at.app.screen, ReadingScreen) else at.app.screen)
    await at.pilot.press("escape")
    await at.settled()
    if view.waiting is not None:
        await at.pilot.press("3")
        await _told(at, lambda: view.running is None)
    return Seen(words)


async def _whole_chat(at: Shown, rng: random.Random) -> Seen:
    at.screen.open_whole_chat()
    await at.settled()
    screen = at.app.screen
    assert isinstance(screen, ChatScreen)
    words = at.drawn(screen.view)
    await at.pilot.press("escape")
    await at.settled()
    return Seen(words)


async def _explain(at: Shown, rng: random.Random) -> Seen:
    """Have a planted name explained where it stands; the first row repeats what is selected."""
    name, document, start = _told_in(at.planted, rng)
    page = at.screen.page
    page.go_to(document, start)
    await at.settled()
    begins = start + len("The ink said ")
    reach = page.selecting.reach_of(document, begins, begins + len(name))
    assert reach is not None
    assert page.selecting.select(reach)
    selection = page.selection
    assert selection is not None
    at.screen.act_on_selection("select-explain", selection)
    control = at.screen._made_explain
    assert control is not None
    await _told(at, lambda: control.card.view is not None and control.card.view.has_ended)
    rows = control.card.transcript.seen(200)[1:]
    control.close()
    at.screen.page.clear_selection()
    await at.settled()
    return Seen("\n".join(row.text for row, _indent, _focus in rows))


async def _told(at: Shown, is_there: Callable[[], bool]) -> None:
    for _time in range(_PATIENCE):
        await at.settled()
        if is_there():
            break
        await at.pilot.pause(0.02)
    await at.settled()


DRAWN: dict[str, Draw] = {
    "wiki": _wiki,
    "wiki over the screen": _whole_wiki,
    "contents": _contents,
    "search": _search,
    "search while typing": _typing,
    "search over the screen": _whole_search,
    "card": _card,
    "underlines": _underlines,
    "glance": _glance,
    "top line and bar": _edges,
    "chat": _chat,
    "chat over the screen": _whole_chat,
    "explain": _explain,
}
"""Every part of the screen that shows what is known; a new one joins here."""


async def leaks_on(at: Shown, pos: Pos, what: str, rng: random.Random) -> list[str]:
    """Return what a part of the screen shows to a reader at a pos that she may not see."""
    await at.read_to(pos)
    seen = await DRAWN[what](at, rng)
    return list(_leaks(at, what, seen))


def _leaks(at: Shown, what: str, seen: Seen) -> Iterator[str]:
    # What was drawn of the text meanwhile has been read.
    yield from leaks_in(at.planted, at.frontier(), at.mode, f"screen: {what}", seen)
