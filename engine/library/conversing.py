"""The half of the library that keeps conversations with the companion, and has questions answered.

A question is on disk before anybody is asked; everything that happens to it follows as numbered
events, each on disk before it is told. Whoever shows a turn takes the events it has missed and
then those that come (`follow_turn`); what it shows is made of them by `engine.domain.chat.after`.

With a model the turn is answered by the models' own process, over a pipe; without one by a thread
that quotes. Either may be killed at any point: the question stays, and can be asked again.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from engine.domain.book import WorkId
from engine.domain.models import ModelRole
from engine.errors import HelperUnavailableError
from engine.library.asking import Asking
from engine.spoilers.policy import FRONTIER, Upto
from engine.translate import _

# Imported where they are used: most sessions ask nothing.

if TYPE_CHECKING:
    from engine.domain.chat import SpoilerChoice, TurnId
    from engine.domain.conversations import (
        Conversation,
        ConversationId,
        ConversationKind,
        Facet,
        Layer,
        Listener,
        RecapSpan,
        Scene,
        Turn,
    )
    from engine.domain.locator import Locator
    from engine.library.turn_desk import TurnDesk


class Conversing(Asking):
    """Conversations of a library. Every call is short; answers come as events."""

    _turn_desk_made: TurnDesk | None = None
    _turn_desk_lock = threading.Lock()

    @property
    def _turn_desk(self) -> TurnDesk:
        from engine.library.turn_desk import TurnDesk

        with self._turn_desk_lock:
            if self._turn_desk_made is None:
                self._turn_desk_made = TurnDesk(self)
            return self._turn_desk_made

    def _stop_turns(self) -> None:
        if self._turn_desk_made is not None:
            self._turn_desk_made.stop()

    # Looking at them

    def conversations(
        self, work: WorkId | None = None, words: str = "", kinds: Sequence[ConversationKind] = ()
    ) -> tuple[Conversation, ...]:
        """Return conversations, the one changed last first.

        Args:
            work: Whose; None for those of all works, also of works that are gone.
            words: What the title, a question or an answer holds; empty for all.
            kinds: What they were begun for; none for chats alone.
        """
        from engine.domain.conversations import ConversationKind
        from engine.store import conversations

        self._settle_turns()
        with self._store.read() as r:
            return conversations.shown(r, work, words.strip(), kinds or (ConversationKind.CHAT,))

    def conversation(self, conversation: ConversationId) -> Conversation:
        """Return a conversation.

        Raises:
            ConversationGoneError: it was deleted.
        """
        from engine.errors.chat import ConversationGoneError
        from engine.store import conversations

        with self._store.read() as r:
            found = conversations.by_id(r, conversation)
        if found is None:
            raise ConversationGoneError
        return found

    def conversation_turns(self, conversation: ConversationId) -> tuple[Turn, ...]:
        """Return every turn of a conversation, all branches, in the order they were asked; none when it is gone.

        `engine.domain.conversations.path_to` picks the branch to show. A turn whose process died is
        failed by now; one that waits for the reader's word still waits, for `answer_spoiler`.
        """
        from engine.library.turn_veil import seen_turns
        from engine.store import conversations

        self._settle_turns()
        with self._store.read() as r:
            found = conversations.turns_of(r, conversation)
        return seen_turns(self, found)

    def turn(self, turn: TurnId) -> Turn:
        """Return one turn.

        Raises:
            ConversationGoneError: it was deleted.
        """
        from engine.errors.chat import ConversationGoneError
        from engine.store import conversations

        with self._store.read() as r:
            found = conversations.turn_by_id(r, turn)
        if found is None:
            raise ConversationGoneError
        return found

    def turn_sent(self, turn: TurnId) -> tuple[Layer, ...]:
        """Return what was sent to the model in a turn, layer by layer, with what was cut; nothing when it quoted."""
        import json

        from engine.domain.conversation_records import layers_from
        from engine.store import conversations

        with self._store.read() as r:
            written = conversations.sent_of(r, turn)
        return layers_from(json.loads(written)) if written else ()

    # Asking

    def start_turn(
        self,
        conversation: ConversationId | None,
        question: str,
        scene: Scene,
        *,
        turn: TurnId | None = None,
        parent: TurnId | None = None,
        upto: Upto = FRONTIER,
        listener: Listener | None = None,
    ) -> TurnId:
        """Keep a question and have it answered; it is on disk when this returns, with its first line.

        Args:
            conversation: In which; None begins a new one.
            question: As the reader put it.
            scene: Where she is, what she selected and put beside it, in which mode.
            turn: Its name, made by `new_turn_id` when the input line was begun: the same one again is the
                same question and is not sent again. Without one, the words that are being answered already are.
            parent: The turn it follows; None for the one asked last. The parent of another turn, to
                ask that one again or otherwise, makes a branch beside it (`ask_again`).
            upto: How far the companion may look.
            listener: Follows the turn from its first event.

        Raises:
            QuestionRefusedError: there are no words, or too many.
            TurnBusyError: another question of this conversation is being answered.
            ConversationGoneError: it was deleted.
            WorkNotFoundError: there is no such work.
        """
        from engine.library.turn_starting import Start, chat_start

        return self._start(Start(conversation, scene, turn, parent, upto, **chat_start(question)), listener)

    def ask_again(self, turn: TurnId, question: str = "", listener: Listener | None = None) -> TurnId:
        """Ask a question again, or with other words, beside the first: both answers stay.

        Args:
            turn: Which.
            question: What to ask instead; empty for the same.
            listener: Follows the new turn.

        Raises:
            As `start_turn`.
        """
        from engine.library.turn_starting import again

        return self._start(again(self, turn, question), listener)

    def explain(
        self,
        selection: Locator,
        scene: Scene,
        *,
        angle: str = "",
        facets: frozenset[Facet] | None = None,
        conversation: ConversationId | None = None,
        listener: Listener | None = None,
    ) -> TurnId:
        """Have a selection explained: one plain line, then what stands behind it. The same events as of a question.

        The same selection with the same angle within a minute is not asked again: its turn is returned
        and can be followed from its first event. Another selection stops the explanation under way.

        Args:
            selection: At most 1 000 characters.
            scene: Where she is.
            angle: What else she wants to know of it; empty at first.
            facets: From which sides; None for the usual ones, which take nothing from outside the book.
            conversation: The one of the first explanation, for another angle.
            listener: Follows the turn.

        Raises:
            QuestionRefusedError: there are no words in it, or too many.
            PlaceUnknownError: there is no such passage.
        """
        from engine.library.turn_starting import explain_start, replayed

        start = explain_start(self, conversation, selection, scene, angle, facets)
        kept = replayed(self, start)
        if kept is not None:
            if listener is not None:
                self.follow_turn(kept, listener)
            return kept
        self._turn_desk.cancel_explaining()
        return self._start(start, listener)

    def recap(self, scene: Scene, span: RecapSpan | None = None, listener: Listener | None = None) -> TurnId:
        """Have the story so far told, with citations, never further than she has read.

        Args:
            scene: Where she is.
            span: Of what; None for the volume she is in.
            listener: Follows the turn.

        Raises:
            QuestionRefusedError: nothing of it was read yet.
            WorkNotFoundError: there is no such work.
        """
        from engine.library.turn_starting import recap_start

        return self._start(recap_start(self, scene, span), listener)

    def is_recap_due(self, work: WorkId) -> bool:
        """Say whether a recap is worth offering: she has read in the work, and not for 28 hours. Ask before saving."""
        from engine.library.recapping import is_due

        return is_due(self, work)

    def _start(self, start: Any, listener: Listener | None) -> TurnId:  # Any: a Start, imported only when one is made
        from engine.library.turn_starting import keep_start

        self._settle_turns()
        turn, is_new = keep_start(self, start)
        if listener is not None:
            self.follow_turn(turn, listener)
        if is_new:
            self._turn_desk.begin(turn)
        return turn

    def follow_turn(self, turn: TurnId, listener: Listener, after: int = 0) -> Callable[[], None]:
        """Have a function called with each event of a turn: those that are there at once, then those that come.

        A turn answered for another window is looked at twice a second.

        Args:
            turn: Which.
            listener: Called in order, without gaps; from this thread for what is there, from another for what comes.
            after: The number of the last event that is known already.

        Returns:
            A function that ends it.
        """
        return self._turn_desk.follow(turn, listener, after)

    def answer_spoiler(self, turn: TurnId, choice: SpoilerChoice) -> bool:
        """Say whether the reader wants to be told, and go on with the turn.

        It may have been asked in an earlier session: what was looked up then is not looked up again.

        Returns:
            False when the turn does not wait, such as when another window has answered.
        """
        return self._turn_desk.answer_spoiler(turn, choice)

    def cancel_turn(self, turn: TurnId) -> None:
        """Stop a turn; what came of it is kept. It has ended when this returns."""
        self._turn_desk.cancel(turn)

    # What the companion offers to do

    def agree(self, turn: TurnId, call: str) -> bool:
        """Do what a card offers: set the setting, or start the job. Once only, however often it is agreed to.

        Args:
            turn: Whose card.
            call: The card's `target`.

        Returns:
            Whether it was done now; False when it was done before or there is no such offer.

        Raises:
            SettingRefusedError: the setting cannot be changed.
            ModelMissingError, HelperUnavailableError: the job cannot be started.
        """
        from engine.library.acting import agree

        return agree(self, turn, call)

    def undo(self, turn: TurnId, call: str) -> bool:
        """Set a setting back to what it was before `agree`; False when it was not, or was set otherwise meanwhile."""
        from engine.library.acting import undo

        return undo(self, turn, call)

    def act_state(self, turn: TurnId, call: str) -> str:
        """Return what has become of a card's offer: "offered", "done" or "undone"; empty when there is none."""
        from engine.store import turns

        with self._store.read() as r:
            found = turns.act_of(r, turn, call)
        return found[2] if found is not None else ""

    # Keeping them

    def rename_conversation(self, conversation: ConversationId, title: str, version: int) -> None:
        """Give a conversation a name; an empty one goes back to the beginning of its first question.

        Args:
            conversation: Which.
            title: One line.
            version: Of the conversation as the reader saw it.

        Raises:
            ConversationChangedError: another window has changed it meanwhile.
        """
        from engine.errors.chat import ConversationChangedError
        from engine.store import conversations
        from engine.text.sanitize import sanitize_line

        with self._store.write() as w:
            if not conversations.rename(w, conversation, sanitize_line(title).strip(), version):
                raise ConversationChangedError

    def delete_conversation(self, conversation: ConversationId) -> None:
        """Take a conversation away for good; what is being answered in it is stopped."""
        from engine.store import conversations

        for turn in self.conversation_turns(conversation):
            if not turn.view.has_ended:
                self.cancel_turn(turn.id)
        with self._store.write() as w:
            conversations.delete(w, conversation)

    def export_conversation(self, conversation: ConversationId, leaf: TurnId | None = None) -> str:
        """Return a conversation as Markdown, its citations as links that outlive this library.

        Args:
            conversation: Which.
            leaf: The last turn of the branch; None for the one asked last.

        Raises:
            ConversationGoneError: it was deleted.
        """
        from engine.library.conversation_files import markdown_of

        return markdown_of(self, self.conversation(conversation), self.conversation_turns(conversation), leaf)

    def _settle_turns(self) -> None:
        """Fail the turns whose process has died; those that wait for the reader's word go on waiting."""
        from engine.domain.chat import TurnFailed
        from engine.helper import is_alive
        from engine.store import turns

        with self._store.read() as r:
            dead = [turn for turn, owner in turns.open_turns(r) if not is_alive(owner)]
        if dead and not self._store.is_read_only:
            failed = TurnFailed(_("Not answered"), _("The program ended before the answer was there. Ask again."))
            with self._store.write() as w:
                for turn, owner in turns.open_turns(w):
                    if turn in dead and not is_alive(owner) and not turns.wait_again(w, turn):
                        turns.add_event(w, turn, failed, None)

    def warm_companion(self) -> None:
        """Start the process that answers, so that the first question need not wait for it; call it when the chat opens.

        Without a model, and where the process cannot be started, nothing happens.
        """
        if self.companion_name():
            with contextlib.suppress(HelperUnavailableError):  # the question itself will tell
                self.talk_to_models("warm")

    def companion_name(self) -> str:
        """Return the model that would answer now; empty when the book is quoted."""
        return self.model_settings().roles.get(ModelRole.COMPANION, "")
