"""Puts questions to the library, and keeps those that must wait until the book is in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.domain.chat import TurnId
from engine.domain.conversations import ConversationId, Listener, RecapSpan, Scene, Turn
from engine.domain.locator import Locator
from engine.errors import UnderstoryError
from engine.library import Library
from engine.translate import _
from tui.screens.told_events import Done
from tui.widgets.chat_wishes import Ask

if TYPE_CHECKING:
    from tui.screens.chat_control import ChatControl
    from tui.screens.page_chat import PageChat
    from tui.session import ReadingSession


@dataclass(frozen=True, slots=True)
class HeldQuestion:
    """A question that was asked before the library had the book."""

    wish: Ask
    scene: Scene
    """Its places are those of the file."""


class ChatAsking:
    """What asks for one conversation.

    Attributes:
        held: Questions that wait for the library's copy of the book.
    """

    def __init__(self, control: ChatControl, page: PageChat, library: Library, hear: Listener) -> None:
        """Take the conversation's control, the page, whom questions are put to, and who hears what comes of them."""
        self._control = control
        self._page = page
        self._library = library
        self._hear = hear
        self.held: list[HeldQuestion] = []

    def ask(self, wish: Ask) -> None:
        """Show the question with its first line at once, and have it answered.

        While the book is read from its file there is nothing to look into: the question waits for the library's copy.
        """
        if self._page.session.index.outline.is_preview:
            self._hold(wish)
            return
        if wish.instead_of is not None:
            self._ask_beside(wish, wish.instead_of)
            return
        self._ask(wish, self._scene())

    def _ask(self, wish: Ask, scene: Scene) -> None:
        parent = self._control.state.leaf
        conversation = self._control.state.conversation
        self._control.view.add(self._control.state.begin(wish.turn, wish.question, scene, parent, _("Looking.")))
        self._control.view.show_chips(())

        def start() -> object:
            self._page.session.settle()  # what she may be told is bounded by what she has read, on disk
            self._library.start_turn(
                conversation, wish.question, scene, turn=wish.turn, parent=parent, listener=self._hear
            )
            return self._library.turn(wish.turn)

        self._start(start, wish.turn, wish.question, scene)

    def _start(self, start: Callable[[], object], turn: TurnId, question: str, scene: Scene) -> None:
        def run() -> None:
            try:
                kept = start()
            except UnderstoryError as error:
                words = error.message
                self._page.post_message(Done(lambda: self._give_back(turn, question, scene, words)))
                return
            conversation = getattr(kept, "conversation", None)
            self._page.post_message(Done(lambda: self._started(conversation)))

        self._page.run_worker(run, thread=True, group="chat", exit_on_error=False)

    def _started(self, conversation: ConversationId | None) -> None:
        if conversation is not None:
            self._control.state.conversation = conversation

    def _give_back(self, turn: TurnId, question: str, scene: Scene, words: str) -> None:
        self._control.state.drop(turn)
        self._control.state.attached = list(scene.attachments)
        self._control.view.give_back(turn, question)
        self._control.view.show_chips(self._control.state.chips())
        self._control.view.say(words)

    def _ask_beside(self, wish: Ask, beside: TurnId) -> None:
        old = self._control.state.turn(beside)
        question = "" if old is not None and old.view.question == wish.question else wish.question

        def start() -> object:
            self._page.session.settle()
            return self._library.turn(self._library.ask_again(beside, question, self._hear))

        self._control.do(start, self._put)

    def _put(self, turn: object) -> None:
        if isinstance(turn, Turn):
            self._control.state.put(turn)
            self._control.show()
            self._control.view.read()

    def recap(self, span: RecapSpan | None = None) -> None:
        """Have the story so far told."""
        scene = self._scene()

        def start() -> object:
            self._page.session.settle()
            return self._library.turn(self._library.recap(scene, span, self._hear))

        self._control.do(start, self._put)

    def _scene(self) -> Scene:
        """Return where she is, and what she has put beside the question."""
        here = self._page.here
        place = Locator(here[0], here[1], here[1]) if here is not None else None
        selected = self._control.state.selected
        return Scene(
            self._page.here_in_words()[0],
            place,
            selected.locator if selected is not None else None,
            self._page.entry_in_view(),
            tuple(self._control.state.attached),
        )

    # while the book is imported

    def _hold(self, wish: Ask) -> None:
        state, view, scene = self._control.state, self._control.view, self._scene()
        lead = _("Waiting until the book is in the library.")
        view.add(state.begin(wish.turn, wish.question, scene, None, lead))
        view.show_chips(())
        self.held.append(HeldQuestion(wish, scene))

    def go_on_from(self, held: list[HeldQuestion], old: ReadingSession) -> None:
        """Ask what another session of the same book could not; another book gets the words into its line.

        Args:
            held: Questions, first to last.
            old: In which they were asked.
        """
        if self._page.session.book_sha256 != old.book_sha256:
            self._control.view.line.set("\n".join(each.wish.question for each in held))
            return
        for each in held[:1]:
            self._ask(each.wish, self._carried(each.scene, old))

    def drop_held(self, turn: TurnId) -> bool:
        """Give a question that waits back to the line; False where it does not wait."""
        held = next((each for each in self.held if each.wish.turn == turn), None)
        if held is None:
            return False
        self.held = []
        self._give_back(turn, held.wish.question, held.scene, "")
        return True

    def _carried(self, scene: Scene, old: ReadingSession) -> Scene:
        """Return a scene with its places as this session has them."""
        work, place = self._page.here_in_words()[0], self._place(scene.place, old)
        return replace(scene, work=work, place=place, selection=self._place(scene.selection, old), attachments=())

    def _place(self, at: Locator | None, old: ReadingSession) -> Locator | None:
        if at is None or (found := self._page.session.place_from(old, (at.document, at.start))) is None:
            return None
        return Locator(found[0], found[1], found[1] + at.end - at.start)
