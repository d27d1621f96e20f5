"""Answer a question about a book: look, ask before anything is spoiled, say only what can be shown."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from engine.agent.access import BookAccess, bearing_of
from engine.agent.citations import Judge, Place
from engine.agent.context import Budgets, Exchange, Fence, LayerName, Piece, Record, compose
from engine.agent.held import HeldTurn, held_from, text_of_held, tools_of_held
from engine.agent.running import Runner, SubmittedError, Turn
from engine.agent.speech import Speech
from engine.agent.told import prompt_named
from engine.agent.toolkit import MOST_RESULT_CHARS, Offer, Registry
from engine.agent.tools import GATE_SPEC, SUBMIT_SPEC, registry
from engine.agent.tools_text import passage_text
from engine.agent.tools_wiki import entry_text
from engine.domain.chat import (
    ChatEvent,
    Lead,
    SpoilerAnswered,
    SpoilerAsked,
    SpoilerChoice,
    TurnFailed,
    TurnStopped,
    TurnUsage,
)
from engine.domain.conversations import Layer
from engine.domain.models import ModelRole, Usage
from engine.errors.models import ModelCancelledError, ModelError
from engine.providers.fenced import takes_tools_itself
from engine.providers.protocols import (
    Cancel,
    Finished,
    Model,
    ModelCall,
    ModelReply,
    TextDelta,
    ToolSpec,
    UserMessage,
    Waiting,
)
from engine.providers.rounds import Held, RoundOver, ToolDue, ToolRan, ask_with_tools
from engine.spoilers.policy import LookAhead, look_ahead
from engine.translate import _

MOST_CALLS = 12
"""Tool calls a question may make, where the settings name no other number."""
_FIRST_PASSAGES, _RETRIEVED, _MOST_ENTRIES, _MOST_CARDS = 6, 8, 3, 3
_AGREED = "She agreed. Tools now see the whole work; search again."
_REFUSED = "She does not want to be told. Answer as far as she has read."
_Events: TypeAlias = Generator[ChatEvent, None, None]


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and from where."""

    text: str
    pieces: tuple[Piece, ...] = ()
    """What goes with it: selection, place, contents, entry in view, what she attached, the text around."""
    places: tuple[Place, ...] = ()
    """Of those pieces, that may be cited."""
    history: tuple[Exchange, ...] = ()
    """Earlier questions and answers of this conversation, oldest first."""


class Companion:
    """Answers one question about one book with one model.

    Attributes:
        held: What a turn that asked the reader has to be resumed with; empty otherwise.
        offers: What the cards told so far offer, by the id of their call.
    """

    def __init__(
        self,
        model: Model,
        book: BookAccess,
        *,
        secret: bytes,
        work: int | None = None,
        most_calls: int = MOST_CALLS,
        tools: Registry | None = None,
    ) -> None:
        """Take what is needed.

        Args:
            model: Who answers.
            book: The work, up to the boundary.
            secret: Of the library; the marks around what is not ours are made of it.
            work: Id for the usage page.
            most_calls: Tool calls at most.
            tools: Which may be called; None for all of ours.
        """
        self._model = model
        self._book = book
        self._work = work
        self._most_calls = most_calls
        self._tools = tools or registry()
        self._fence = Fence(secret, book.title)
        self._budgets = Budgets.of(model.capabilities.context_tokens, book.language, MOST_RESULT_CHARS)
        self._record = Record(self._budgets)
        self.held = ""
        self.offers: dict[str, Offer] = {}

    @property
    def layers(self) -> tuple[Layer, ...]:
        """What was sent so far, layer by layer."""
        return self._record.layers()

    def ask(self, question: Question, cancel: Cancel) -> Iterator[ChatEvent]:
        """Answer a question, event by event; the last one says how it ended, or asks the reader (`SpoilerAsked`).

        Args:
            question: What is asked.
            cancel: Gives the turn up.
        """
        turn = self._turn(question, cancel, may_ask=look_ahead(self._book.mode) is LookAhead.ASKS)
        yield from self._guarded(turn, self._begin(question, turn, is_first=True))

    def resume(self, question: Question, held: str, choice: SpoilerChoice, cancel: Cancel) -> Iterator[ChatEvent]:
        """Go on with a turn that asked the reader; what was looked up then is not looked up again.

        Args:
            question: What was asked.
            held: What `held` was when the turn began to wait.
            choice: What the reader says; strict never looks ahead, whatever she says.
            cancel: Gives the turn up.
        """
        kept = held_from(held)
        if choice is SpoilerChoice.FULL and look_ahead(self._book.mode) is LookAhead.NEVER:
            choice = SpoilerChoice.READ
        yield SpoilerAnswered(choice)
        if choice is SpoilerChoice.STOP:
            yield TurnStopped(_("left for later"))
            return
        if choice is SpoilerChoice.FULL:
            self._book = self._book.lifted()
        turn = self._turn(question, cancel, may_ask=False)
        if kept is None or kept.rounds is None:
            yield from self._guarded(turn, self._begin(question, turn, is_first=False))
            return
        turn.usage, turn.calls = kept.usage, kept.calls
        for place in kept.places:
            turn.allow(place)
        turn.speech.judge.know(kept.citations)
        for message in kept.rounds.call.messages:
            turn.speech.judge.hear(message.text)
        for name, tokens, cut in kept.looked_up:
            turn.record.add(LayerName.LOOKED_UP, name, tokens, cut)
        specs = {each.name: each for each in self._specs(turn)}
        tools = tuple(specs[name] for name in tools_of_held(held) if name in specs)
        call = kept.rounds.resumed(_AGREED if choice is SpoilerChoice.FULL else _REFUSED)
        call = replace(call, tools=tools, work=self._work)
        yield from self._guarded(turn, self._rounds(turn, call, kept.rounds.left))

    def _turn(self, question: Question, cancel: Cancel, *, may_ask: bool) -> Turn:
        book = self._book
        judge = Judge(
            book.mode, book.boundary, book.is_about_book, book.is_hidden, asked=question.text,
            bearing=bearing_of(book), has_more=book.has_more,
        )  # fmt: skip
        return Turn(Speech(judge), self._record, cancel, question.text, may_ask)

    def _guarded(self, turn: Turn, events: Iterator[ChatEvent]) -> _Events:
        """Pass events on; whatever a model does wrong ends the turn in words."""
        try:
            yield from events
        except ModelCancelledError:
            yield TurnStopped(_("stopped"))
        except ModelError as error:
            yield from self._used(turn)
            yield TurnFailed(error.title, error.message)

    def _begin(self, question: Question, turn: Turn, *, is_first: bool) -> _Events:
        found = self._book.search(question.text, _FIRST_PASSAGES)
        if is_first and not found.passages and found.is_more_beyond and turn.may_ask:
            self.held = text_of_held(HeldTurn(revision(), self._model.name, self._book.boundary, None))
            yield SpoilerAsked(_("What you ask about has not come up as far as you have read."))
            return
        for place in question.places:
            turn.allow(place)
        has_tools = takes_tools_itself(self._model)
        pieces = (*question.pieces, *(() if has_tools else self._retrieved(question, turn)))
        tools = self._specs(turn) if has_tools else ()
        for piece in pieces:
            turn.speech.judge.hear(piece.text)
        pieces = (*pieces, Piece(LayerName.MUST, "question", f"Question: {question.text}"))
        rules_ = rules().replace("{marker}", self._fence.marker)
        messages, record = compose(rules_, pieces, question.history, tools, self._budgets, self._fence)
        turn.record = self._record = record
        call = ModelCall(ModelRole.COMPANION, rules_, messages, tools, stage="chat", work=self._work)
        yield from self._rounds(turn, call, self._most_calls)

    def _retrieved(self, question: Question, turn: Turn) -> tuple[Piece, ...]:
        """Return what a model that takes no tools is given instead: entries named in the question, and passages."""
        entries = self._book.entries(question.text, _MOST_ENTRIES)
        found = self._book.search(question.text, _RETRIEVED)
        for place in (*(p.place for p in found.passages), *(p for entry in entries for p in entry.places)):
            turn.allow(place)
        passages = "\n\n".join(map(passage_text, found.passages))
        told = "\n\n".join(map(entry_text, entries))
        head = "What the wiki has, each sentence before the place to cite:"
        pieces = [Piece(LayerName.IMPORTANT, "entries", told, head, is_material=True)] if told else []
        if passages:
            head = "Passages that may help, each under the place to cite:"
            pieces.append(Piece(LayerName.MUST, "passages", passages, head, is_material=True))
        return tuple(pieces)

    def _specs(self, turn: Turn) -> tuple[ToolSpec, ...]:
        """Return the tools that are of use for this work and model."""
        specs = self._tools.specs(self._book, is_small=self._budgets.is_small)
        gate = (GATE_SPEC,) if turn.may_ask and self._book.has_more else ()
        submit = () if self._budgets.is_small else (SUBMIT_SPEC,)
        return (*specs, *gate, *submit)

    # the rounds

    def _rounds(self, turn: Turn, call: ModelCall, left: int) -> _Events:
        if left <= 0:
            call = replace(call, messages=(*call.messages, UserMessage("Answer now with what you have.")))
        runner = Runner(turn, self._model, self._book, self._tools, self._fence, self._work, self.offers)
        try:
            for event in ask_with_tools(self._model, call, runner.run, turn.cancel, most_calls=left):
                if isinstance(event, TextDelta):
                    yield from turn.speech.feed(event.text)
                elif isinstance(event, Waiting):
                    yield Lead(event.reason)
                elif isinstance(event, RoundOver):
                    yield from turn.speech.rest()
                    turn.usage += event.reply.usage
                    turn.speech.start_over()
                elif isinstance(event, ToolDue):
                    yield from runner.due(event.call)
                elif isinstance(event, ToolRan):
                    yield from runner.told(event)
                elif isinstance(event, Held):
                    yield from self._gate(turn, event)
                elif isinstance(event, Finished):
                    yield from turn.speech.rest()
                    turn.usage += event.reply.usage
                    yield from self._end(turn, event.reply)
        except SubmittedError:
            yield from runner.submitted()
            yield from self._end(turn, None)

    def _gate(self, turn: Turn, rounds: Held) -> _Events:
        looked_up = tuple((p.name, p.tokens, p.cut_tokens) for p in turn.record.parts.get(LayerName.LOOKED_UP, ()))
        self.held = text_of_held(
            HeldTurn(
                revision(), self._model.name, self._book.boundary, rounds, tuple(turn.places),
                tuple(turn.speech.judge.citations), turn.usage, turn.calls, looked_up,
            )
        )  # fmt: skip
        yield from self._used(turn)
        # Never in the model's words: a reason given from memory may be the answer itself.
        yield SpoilerAsked(_("The full answer lies beyond what you have read."))

    def _end(self, turn: Turn, reply: ModelReply | None) -> _Events:
        yield from self._used(turn)
        if reply is not None and not reply.is_whole:
            message = _("The model stopped before its end. Ask again, or ask for less.")
            yield TurnFailed(_("The answer was cut off"), message)
            return
        ready = turn.speech.ready()
        if ready is None:
            yield TurnFailed(_("No answer"), _("The model said nothing. Ask again, or choose another model."))
            return
        named = [card for name, card in turn.entries.items() if name in ready.text]
        yield from named[:_MOST_CARDS]
        yield ready

    def _used(self, turn: Turn) -> _Events:
        if turn.usage != Usage():
            yield TurnUsage(turn.usage, self._model.name)


def rules() -> str:
    """Return the companion's prompt, without its revision."""
    return prompt_named("companion")[1]


def revision() -> str:
    """Return the revision of the companion's prompt."""
    return prompt_named("companion")[0]
