"""Has questions answered and shows what comes of them. Imported when the chat is first opened.

One control serves a page: the view beside the text, and the one over the whole screen while that
lies over the page.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from engine.domain.chat import Card, CardKind, Numbered, SpoilerChoice, TurnId
from engine.domain.conversations import Attachment, ConversationId, RecapSpan
from engine.domain.locator import Locator, locator_from_text
from engine.domain.wiki import PageKey, PageKind, PointId
from engine.errors import UnderstoryError
from engine.library import Library
from engine.translate import _
from tui.messages import ModelsWanted
from tui.screens.chat_asking import ChatAsking, HeldQuestion
from tui.screens.chat_reading import Reopened, passage_text, read_conversation, read_last, selection_label
from tui.screens.chat_state import ChatState, Selected
from tui.screens.told_events import Done, TurnInbox
from tui.widgets.chat_view import ChatView
from tui.widgets.chat_wishes import (
    Act,
    Ask,
    BeginAnew,
    Branch,
    Choose,
    Copy,
    Drop,
    Export,
    GoTo,
    ListThem,
    NameModels,
    OpenCard,
    Preview,
    ShowContext,
    Stop,
    Wish,
)

if TYPE_CHECKING:
    from textual.screen import Screen

    from tui.screens.conversations_desk import ConversationsDesk
    from tui.screens.page_chat import PageChat
    from tui.session import ReadingSession
    from tui.widgets.conversation_list import ConversationList


class ChatControl:
    """The conversation of one reading screen."""

    def __init__(self, page: PageChat, library: Library, view: ChatView) -> None:
        """Take the page, the library, and what shows the conversation."""
        self._page = page
        self._library = library
        self._own_view = self.view = view
        self.state = ChatState()
        self._inbox = TurnInbox(page, self._take)
        self._asking = ChatAsking(self, page, library, self._inbox.hear)
        self._followed: dict[TurnId, Callable[[], None]] = {}
        self._work = page.here_in_words()[0]
        self._is_read = False
        self._model = ""
        self._dress(view)

    @property
    def work_title(self) -> str:
        """The title of the work that is talked about."""
        return self._page.here_in_words()[1]

    @property
    def sequences(self) -> dict[tuple[str, ...], str]:
        """The keys as the reader has them."""
        return dict(self._page.page_keys.sequences)

    def close(self) -> list[HeldQuestion]:
        """Hear no more, as when another work is read; its view shows nothing. Returns what could not be asked yet."""
        self._unfollow()
        self.state.forget()
        self.show()
        return self._asking.held

    @property
    def holds_questions(self) -> bool:
        """Whether something waits until the book is in the library."""
        return bool(self._asking.held)

    def go_on_from(self, held: list[HeldQuestion], old: ReadingSession) -> None:
        """Ask what was held while the book was read from its file; give it back to the line if it is another book."""
        self._asking.go_on_from(held, old)

    # the view

    def _dress(self, view: ChatView) -> None:
        view.use_keys(self._page.page_keys)

    def use_view(self, view: ChatView | None) -> None:
        """Show the conversation in another view; None for the one beside the text."""
        old, self.view = self.view, view or self._own_view
        if view is not None:
            self._dress(view)
        self.view.line.set(old.line.text)
        self.view.is_writing = old.is_writing
        self.show()

    def show(self) -> None:
        """Show the branch, and what stands beside the next question."""
        self.view.chips = self.state.chips()
        self.view.show(self.state.shown(), title=self.state.name, model=self._model)

    def open(self) -> None:
        """Bring the last conversation of the work if it is of today or waits for her; else begin anew."""
        self.do(self._library.companion_name, self._name_model)
        if not self._is_read:
            self._is_read = True
            self.do(self._library.warm_companion)
            self.do(lambda: read_last(self._library, self._page.session.source, self._work), self._reopen)

    def _name_model(self, name: str) -> None:
        self._model = name
        if self.view.model != name:
            self.view.model = name
            self.view.draw()

    def _reopen(self, found: Reopened | None) -> None:
        if found is not None and not self.state.turns:
            self._hold(found)

    def _hold(self, found: Reopened) -> None:
        self._unfollow()
        self.state.read(found.conversation, found.turns)
        self.state.abouts, self.state.acts = dict(found.abouts), {turn: dict(acts) for turn, acts in found.acts.items()}
        self.show()
        for turn in found.turns:
            if not turn.view.has_ended:
                self.do(partial(self._follow_from, turn.id, turn.view.number), self._followed_now(turn.id))

    # what is done

    def do(self, call: Callable[[], object], then: Callable[..., None] | None = None) -> None:
        """Call the library behind the page; what it cannot do is said in the foot."""

        def run() -> None:
            try:
                result = call()
            except UnderstoryError as error:
                words = error.message
                self._page.post_message(Done(lambda: self.view.say(words)))
                return
            if then is not None:
                self._page.post_message(Done(lambda: then(result)))

        self._page.run_worker(run, thread=True, group="chat", exit_on_error=False)

    def see_to(self, wish: Wish) -> None:
        """Do what the reader wants."""
        match wish:
            case Ask():
                self._asking.ask(wish)
            case Choose():
                self._choose(wish)
            case Stop() if not self._asking.drop_held(wish.turn):
                self.do(lambda: self._library.cancel_turn(wish.turn))
            case Act():
                self._act(wish)
            case Drop():
                self.state.drop_last()
                self.view.show_chips(self.state.chips())
            case BeginAnew():
                self._begin_anew()
            case _:
                self._show_what(wish)

    def _show_what(self, wish: Wish) -> None:
        """Do what changes nothing."""
        match wish:
            case Preview():
                self._preview(wish)
            case GoTo():
                self._go_to(wish.locator)
            case OpenCard():
                self._open_card(wish.card)
            case Branch():
                self._branch(wish)
            case Export():
                self._export()
            case ShowContext():
                self._show_context(wish.turn)
            case ListThem():
                self._page.list_conversations()
            case Copy():
                self._page.copy_words(wish.text)
            case NameModels():
                self._page.post_message(ModelsWanted())

    def recap(self, span: RecapSpan | None = None) -> None:
        """Have the story so far told, in a conversation of its own."""
        self._unfollow()
        self.state.forget()
        self.show()
        self._asking.recap(span)

    # what comes

    def _take(self, events: list[Numbered]) -> None:
        for view in self.state.take(events):
            self.view.take(view)
            if view.has_ended:
                self._followed.pop(view.turn, lambda: None)()

    def _follow_from(self, turn: TurnId, number: int) -> Callable[[], None]:
        return self._library.follow_turn(turn, self._inbox.hear, number)

    def _followed_now(self, turn: TurnId) -> Callable[[object], None]:
        def keep(leave: object) -> None:
            if callable(leave):
                self._followed[turn] = leave

        return keep

    def _unfollow(self) -> None:
        for leave in self._followed.values():
            leave()
        self._followed = {}

    # what stands beside the question

    def attach(self, attachment: Attachment) -> None:
        """Put something beside the next question."""
        self.state.attach(attachment)
        self.view.show_chips(self.state.chips())

    def attach_selection(self, locator: Locator) -> None:
        """Put what is selected beside the next question; its words follow."""
        self.state.selected = Selected(locator, _("what is selected"))
        self.view.show_chips(self.state.chips())
        session, settings = self._page.session, self._page.settings
        self.do(
            lambda: selection_label(session.source, session.index, locator, session.titles_upto(settings)),
            lambda label: self._name_selection(locator, label),
        )

    def _name_selection(self, locator: Locator, label: str) -> None:
        if self.state.selected is not None and self.state.selected.locator == locator:
            self.state.selected = Selected(locator, label)
            self.view.show_chips(self.state.chips())

    # what is looked at

    def _choose(self, wish: Choose) -> None:
        self.do(lambda: self._library.answer_spoiler(wish.turn, wish.choice))
        if wish.choice is not SpoilerChoice.STOP and wish.turn not in self._followed:
            turn = self.state.turn(wish.turn)
            number = turn.view.number if turn is not None else 0
            self.do(partial(self._follow_from, wish.turn, number), self._followed_now(wish.turn))

    def _preview(self, wish: Preview) -> None:
        source, citation = self._page.session.source, wish.citation
        self.do(
            lambda: passage_text(source, citation.locator),
            lambda text: self.view.fill_preview(wish.turn, citation.number, text),
        )

    def _go_to(self, locator: Locator) -> None:
        """Show a passage on the page, marked; the way back leads here."""
        self._page.leave_chat()
        self._page.panel_done()
        self._page.go_to_passage(locator)

    def _open_card(self, card: Card) -> None:
        locator = locator_from_text(card.target)
        if card.kind is CardKind.ENTRY and card.target.isdecimal():
            self._page.leave_chat()
            self._page.show_entry(PageKey(PageKind.ENTRY, point=PointId(int(card.target))))
        elif locator is not None:
            self._go_to(locator)

    def _act(self, wish: Act) -> None:
        turn, call = wish.turn, wish.card.target

        def act() -> str:
            (self._library.undo if wish.is_undo else self._library.agree)(turn, call)
            return self._library.act_state(turn, call)

        self.do(act, lambda state: self._show_act(turn, wish.number, state))

    def _show_act(self, turn: TurnId, number: int, state: str) -> None:
        self.state.acts.setdefault(turn, {})[number] = state
        self.view.show_act(turn, number, state)

    def _branch(self, wish: Branch) -> None:
        if self.state.step_branch(wish.turn, wish.step):
            self.show()
        else:
            self.view.say(_("No other answer to this question."))

    # conversations

    def desk_of(self, screen: Screen[None], shown: ConversationList) -> ConversationsDesk:
        """Return what keeps a list of the conversations about this work."""
        from tui.screens.conversations_desk import ConversationsDesk

        return ConversationsDesk(screen, self._library, self._work, shown, self._say)

    def _say(self, words: str) -> None:
        self.view.say(words)

    def _begin_anew(self) -> None:
        self._unfollow()
        self.state.forget()
        self.show()
        self.view.write()

    def open_conversation(self, conversation: ConversationId) -> None:
        """Show a conversation, and the page as it was asked from."""
        session = self._page.session
        self.do(lambda: read_conversation(self._library, session, conversation), self._open_found)

    def read_anew(self) -> None:
        """Read the conversation again, as it may be shown now."""
        if (of := self.state.conversation) is not None:
            self.do(lambda: read_conversation(self._library, self._page.session, of), self._hold)

    def _open_found(self, found: Reopened) -> None:
        self._hold(found)
        self.view.read()
        place = found.turns[-1].scene.selection or found.turns[-1].scene.place if found.turns else None
        if place is not None and found.conversation.work == self._work:
            self._page.go_to_passage(place)

    def _show_context(self, of: TurnId) -> None:
        turn = self.state.turn(of)
        model = turn.view.model if turn is not None else ""
        self.do(lambda: self._library.turn_sent(of), lambda layers: self._page.show_context(layers, model))

    def _export(self) -> None:
        conversation = self.state.conversation
        if conversation is None:
            self.view.say(_("There is nothing to export yet."))
        else:
            self._page.export_conversation(conversation, self.state.leaf)
