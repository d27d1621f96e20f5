"""Has a selection explained and shows what comes. Imported when something is first to be explained."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.domain.chat import Numbered, TurnId, TurnView, after
from engine.domain.conversations import USUAL_FACETS, ConversationId, Facet, Scene, new_turn_id
from engine.domain.locator import Locator
from engine.errors import UnderstoryError
from engine.library import Library
from engine.translate import _
from tui.keys import EXPLAINED
from tui.render.chat_bits import ShownTurn, ToCitation, ToLocator, ToPlace
from tui.render.panel_plan import GUTTER_CELLS
from tui.render.selection import Reach
from tui.screens.chat_reading import passage_text
from tui.screens.told_events import Done, TurnInbox
from tui.widgets.explain_card import FACETS, ExplainCard

if TYPE_CHECKING:
    from tui.screens.page_chat import PageChat

_MOST_ANGLE_CHARS = 400
_FACET_OF = {f"explain-{facet.value}": facet for facet, _words in FACETS}


class ExplainControl:
    """What is explained on one reading screen."""

    def __init__(self, page: PageChat, library: Library) -> None:
        """Take the page and the library."""
        self._page = page
        self._library = library
        self._keys = page.page_keys.within(EXPLAINED)
        self._card = ExplainCard(is_ascii=page.is_ascii, id="explain")
        self._inbox = TurnInbox(page, self._take)
        self._request = 0
        self._view = TurnView(TurnId(""))
        self._reach: Reach | None = None
        self._words = ""
        """What is selected."""
        self._angle = ""
        """What else was asked of it."""
        self._conversation: ConversationId | None = None
        self._facets = USUAL_FACETS
        host = page.query_one("#page")
        host.styles.layers = "base card"
        host.mount(self._card)

    @property
    def is_open(self) -> bool:
        """Whether something is explained."""
        return self._card.is_open

    @property
    def card(self) -> ExplainCard:
        """What shows it."""
        return self._card

    # explaining

    def explain(self, reach: Reach) -> None:
        """Explain a selection; one that was being explained is given up."""
        self._reach, self._conversation = reach, None
        self._words = self._page.selected_words()
        self._ask("")

    def _ask(self, angle: str) -> None:
        reach = self._reach
        if reach is None:
            return
        self._request += 1
        request = self._request
        self._angle = angle
        self._view = TurnView(new_turn_id(), question=f"“{self._words}”", lead=_("Looking at it."))
        self._show()
        scene, facets, conversation = self._scene(reach.locator), self._facets, self._conversation

        def start() -> TurnId:
            self._page.session.settle()
            return self._library.explain(
                reach.locator, scene, angle=angle, facets=facets, conversation=conversation,
                listener=lambda event: self._hear(request, event),
            )  # fmt: skip

        self._run(request, start)

    def _run(self, request: int, start: Callable[[], TurnId]) -> None:
        def run() -> None:
            try:
                turn = start()
                conversation = self._library.turn(turn).conversation
            except UnderstoryError as error:
                words = error.message
                self._page.post_message(Done(lambda: self._fail(request, words)))
                return
            self._page.post_message(Done(lambda: self._started(request, conversation)))

        self._page.run_worker(run, thread=True, group="explain", exit_on_error=False)

    def _hear(self, request: int, event: Numbered) -> None:
        if request == self._request:
            self._inbox.hear(event)

    def _started(self, request: int, conversation: ConversationId) -> None:
        if request == self._request:
            self._conversation = conversation

    def _fail(self, request: int, words: str) -> None:
        if request == self._request:
            self.close()
            self._page.notice(words)

    def _scene(self, locator: Locator) -> Scene:
        here = self._page.here
        place = Locator(here[0], here[1], here[1]) if here is not None else None
        return Scene(self._page.here_in_words()[0], place, locator)

    def _take(self, events: list[Numbered]) -> None:
        if not self._card.is_open:
            return
        for event in events:
            if self._view.number == 0 and event.number == 1:
                # The engine's name of the turn; the heading stays what was selected, on one line.
                self._view = TurnView(event.turn, question=self._view.question, lead=self._view.lead)
                self._show(is_new=False)
            question = self._view.question
            view = after(self._view, event)
            self._view = view if view.question == question else replace(view, question=question)
        self._card.take(self._view)

    def _show(self, *, is_new: bool = True) -> None:
        self._card.show(ShownTurn(self._view, (self._angle,) if self._angle else ()), self._facets)
        if is_new:
            self.place()

    # where it lies

    def place(self) -> None:
        """Lie beside what is selected, as the page is now."""
        if self._card.is_open:
            page, host = self._page.page, self._page.query_one("#page")
            column = page.region.x - host.content_region.x + GUTTER_CELLS, page.size.width - 2 * GUTTER_CELLS
            self._card.place((host.size.width, page.page_rows), column, page.selecting.selected_rows())

    def close(self) -> bool:
        """Go away; say whether anything was there."""
        was_open = self._card.is_open
        if was_open:
            self._stop()
            self._request += 1
            self._card.close()
        return was_open

    def _stop(self) -> bool:
        """Give up what is being explained; say whether anything was."""
        view = self._view
        if view.has_ended or view.number == 0:
            return False
        turn = view.turn
        self._page.run_worker(
            lambda: self._library.cancel_turn(turn), thread=True, group="explain", exit_on_error=False
        )
        return True

    # keys

    def take_key(self, key: str) -> bool:
        """Take a key; say whether it meant something here. Another one closes the card and acts on the selection."""
        card = self._card
        if not card.is_open:
            return False
        if card.is_writing:
            self._written(key)
            return True
        action = self._keys.feed(key).action
        if action in _FACET_OF:
            self._toggle(_FACET_OF[action])
        elif action == "explain-angle":
            if key == "enter" and card.transcript.focus is not None:
                self._preview()
            else:
                card.is_writing = True
        elif action in ("explain-down", "explain-up"):
            card.transcript.scroll_by((1 if action == "explain-down" else -1) * _rows(key, card.page_rows))
        elif action == "explain-link":
            card.transcript.move_focus(1)
        elif action == "explain-jump":
            self._jump()
        elif action == "explain-close":
            if not self._stop():
                self.close()
        else:
            self.close()
            return False
        card.draw()
        return True

    def _written(self, key: str) -> None:
        card = self._card
        if key == "escape":
            card.is_writing = False
        elif key == "enter":
            angle = card.line.text.strip()[:_MOST_ANGLE_CHARS]
            card.is_writing = False
            if angle:
                self._ask(angle)
        else:
            card.line.feed(key, " " if key == "space" else key if len(key) == 1 else None)
        card.draw()

    def paste(self, text: str) -> bool:
        """Put in what was pasted; say whether a line is being written."""
        if not (self._card.is_open and self._card.is_writing):
            return False
        self._card.line.insert(" ".join(text.split()))
        self._card.draw()
        return True

    def _toggle(self, facet: Facet) -> None:
        self._facets ^= {facet}
        self._conversation = None
        self._ask("")

    def _preview(self) -> None:
        focus = self._card.transcript.focus
        rows = self._card.transcript.rows_of(self._view.turn)
        if focus is None or rows is None or not isinstance(focus[1].target, ToCitation | ToPlace):
            return
        number = focus[1].target.number
        citation = rows.citation(number)
        if not rows.toggle_preview(number) or citation is None:
            return
        source = self._page.session.source

        def read() -> None:
            try:
                text = passage_text(source, citation.locator)
            except UnderstoryError:
                return
            self._page.post_message(Done(lambda: self._fill(number, text)))

        self._page.run_worker(read, thread=True, group="explain", exit_on_error=False)

    def _fill(self, number: int, text: str) -> None:
        rows = self._card.transcript.rows_of(self._view.turn)
        if rows is not None:
            rows.fill_preview(number, text)
            self._card.draw()

    def _jump(self) -> None:
        """Go to the passage in focus, else to the first one there is."""
        focus = self._card.transcript.focus
        target = focus[1].target if focus is not None else None
        if isinstance(target, ToLocator):
            self._leave_for(target.locator)
            return
        numbers = [target.number] if isinstance(target, ToCitation | ToPlace) else []
        numbers += sorted(each.number for each in self._view.citations)
        citation = next((each for each in self._view.citations if each.number in numbers[:1]), None)
        if citation is not None:
            self._leave_for(citation.locator)

    def _leave_for(self, locator: Locator) -> None:
        self.close()
        self._page.select_nothing()
        self._page.go_to_passage(locator)


def _rows(key: str, page: int) -> int:
    return 1 if key in ("j", "k", "up", "down") else max(1, page - 1)
