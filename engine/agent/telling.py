"""Explain a selection, and tell the story so far: what there is is gathered first, then one voice speaks."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import TypeAlias

from engine.agent.access import BookAccess, FoundPassage, bearing_of
from engine.agent.citations import Judge
from engine.agent.context import Budgets, Fence, LayerName, Piece, Record, compose
from engine.agent.speech import Speech
from engine.agent.told import Explained, Retold, prompt_named
from engine.agent.toolkit import MOST_RESULT_CHARS, Offer
from engine.agent.tools_contents import summary_text
from engine.agent.tools_text import passage_text
from engine.agent.tools_wiki import entry_card, entry_text
from engine.domain.chat import (
    AnswerReady,
    Card,
    CardKind,
    ChatEvent,
    Lead,
    TextAdded,
    ToolBegun,
    ToolEnded,
    TurnFailed,
    TurnStopped,
    TurnUsage,
)
from engine.domain.conversations import Facet, Layer
from engine.domain.models import ModelRole, Usage
from engine.errors.models import ModelCancelledError, ModelError
from engine.providers.protocols import Cancel, Finished, Model, ModelCall, ModelReply, TextDelta, UserMessage, Waiting
from engine.text.fold import fold_words
from engine.text.tokens import estimate_tokens
from engine.translate import _, ngettext

_MOST_ENTRIES, _MOST_ELSEWHERE, _MOST_LIKE, _MOST_SAME_CHARS = 3, 5, 3, 120
_NOTHING = ("", "-", "–", "—", "－")
_BACKGROUND = (
    "What stands outside the book, such as its time or what it alludes to, may be told too, in sentences of their own "
    'that begin with "{label}". An old book is to be understood from its own time.'
)
_NO_BACKGROUND = "Nothing from outside the book."
_LENGTHS = (
    (3, "Four to six sentences."),
    (12, "Eight to twelve sentences."),
    (1_000_000, "Twelve to twenty sentences."),
)
_Events: TypeAlias = Generator[ChatEvent, None, None]


class Teller:
    """Explains and tells again, with one model over one book.

    Attributes:
        held: Always empty: nothing here asks the reader.
        offers: Always empty.
    """

    def __init__(
        self, model: Model, book: BookAccess, *, secret: bytes, work: int | None = None, language: str = ""
    ) -> None:
        """Take what is needed.

        Args:
            model: Who speaks.
            book: The work, up to the boundary.
            secret: Of the library; the marks around what is not ours are made of it.
            work: Id for the usage page.
            language: In which it is told; empty for the work's.
        """
        self._model = model
        self._book = book
        self._work = work
        self._language = language or book.language
        self._fence = Fence(secret, book.title)
        self._budgets = Budgets.of(model.capabilities.context_tokens, book.language, MOST_RESULT_CHARS)
        self._record = Record(self._budgets)
        self._usage = Usage()
        self._speech = self._speech_about()
        self.held = ""
        self.offers: dict[str, Offer] = {}

    @property
    def layers(self) -> tuple[Layer, ...]:
        """What was sent last, layer by layer."""
        return self._record.layers()

    # explaining

    def explain(self, what: Explained, cancel: Cancel) -> Iterator[ChatEvent]:
        """Explain a selection: one plain line, which stays whatever follows, then what there is behind it."""
        yield from self._guarded(self._explain(what, cancel))

    def _speech_about(self, given: str = "", *, is_all: bool = False) -> Speech:
        """Return what holds an answer; words that are given may be quoted freely, unless all it says is of the book."""
        book = self._book
        is_about = (lambda _words: True) if is_all else book.is_about_book
        bearing = bearing_of(book, is_checked=False)
        return Speech(Judge(book.mode, book.boundary, is_about, book.is_hidden, given, bearing=bearing))

    def _explain(self, what: Explained, cancel: Cancel) -> _Events:
        self._speech = self._speech_about(what.words)
        self._speech.judge.allow(what.place)
        selected = Piece(
            LayerName.MUST, "selection", f"{what.place.locator}\n{what.words}", "Selected:", is_material=True
        )
        around = self._around(what)
        first = ""
        if not what.angle:
            yield from self._say("explain_line", [selected, *around], cancel, is_given=True)
            first = "".join(self._speech.said).strip()
            self._speech.said = [f"{first}\n\n"]
            self._speech.judge.begin_paragraph()
            yield TextAdded("\n\n")
        gathered, events = self._gathered(what)
        yield from events
        if first:
            gathered.append(Piece(LayerName.MUST, "the plain sentence", f"She was told: {first}"))
        if what.angle:
            told = f"She was told before:\n{what.said}" if what.said else ""
            gathered.append(Piece(LayerName.IMPORTANT, "said before", told))
            gathered.append(Piece(LayerName.MUST, "angle", f"She asks of it: {what.angle}"))
        pieces = [selected, *around, *gathered]
        label = _("Outside the book:")
        background = _BACKGROUND.format(label=label) if Facet.BACKGROUND in what.facets else _NO_BACKGROUND
        reply = yield from self._say("explain", pieces, cancel, background=background)
        yield from self._end(reply, may_be_nothing=bool(first))

    def _around(self, what: Explained) -> list[Piece]:
        if what.around is None or not what.facets & {Facet.SUBTEXT, Facet.TERM}:
            return []
        self._speech.judge.allow(what.around.place)
        return [
            Piece(LayerName.IMPORTANT, "scene", passage_text(what.around), "The scene around it:", is_material=True)
        ]

    def _gathered(self, what: Explained) -> tuple[list[Piece], list[ChatEvent]]:
        pieces: list[Piece] = []
        events: list[ChatEvent] = []
        if Facet.TERM in what.facets and (entries := self._book.entries(what.words, _MOST_ENTRIES)):
            for place in (place for entry in entries for place in entry.places):
                self._speech.judge.allow(place)
            told = "\n\n".join(map(entry_text, entries))
            pieces.append(Piece(LayerName.IMPORTANT, "wiki", told, "What the wiki has:", is_material=True))
            events += map(entry_card, entries)
        if Facet.ELSEWHERE in what.facets:
            same, like = self._elsewhere(what)
            for passage in (*same, *like):
                self._speech.judge.allow(passage.place)
            lines = "\n\n".join([*map(passage_text, same), *(f"{where}: {line}" for where, line in what.elsewhere)])
            head = "The same words elsewhere, in this book, in others, and in her notes:"
            pieces += [Piece(LayerName.IMPORTANT, "elsewhere", lines, head, is_material=True)] if lines else []
            head = "Other places with some of these words, which may have nothing to do with them:"
            told = "\n\n".join(map(passage_text, like))
            pieces += [Piece(LayerName.NICE, "like it", told, head, is_material=True)] if told else []
            rows = (*((each.place.where, str(each.place.locator)) for each in same), *what.elsewhere)
            events += [Card(CardKind.TABLE, _("elsewhere"), "", tuple(rows))] if rows else []
        if Facet.BACKGROUND in what.facets:
            pieces.append(Piece(LayerName.MUST, "which book", what.book, "The book:", is_material=True))
        return pieces, events

    def _elsewhere(self, what: Explained) -> tuple[list[FoundPassage], list[FoundPassage]]:
        """Return the other passages that hold the very words, and those that hold some of them."""
        wanted = fold_words(what.words)
        at = what.place.locator
        found = [
            each
            for each in self._book.search(what.words, 4 * _MOST_ELSEWHERE).passages
            if not (each.place.locator.document == at.document and each.place.locator.start <= at.start
                    < each.place.locator.end)
        ]  # fmt: skip
        same = [each for each in found if len(wanted) <= _MOST_SAME_CHARS and wanted in fold_words(each.text)]
        return same[:_MOST_ELSEWHERE], [each for each in found if each not in same][:_MOST_LIKE]

    # telling again

    def recap(self, what: Retold, cancel: Cancel) -> Iterator[ChatEvent]:
        """Tell what happened in a stretch that was read."""
        yield from self._guarded(self._recap(what, cancel))

    def _recap(self, what: Retold, cancel: Cancel) -> _Events:
        count = max(1, len(what.chapters))
        self._speech = self._speech_about(is_all=True)
        yield ToolBegun("c1", "get_content_summaries", what.words)
        for place in (
            *(p.place for p in what.passages),
            *(place for each in what.chapters for line in each.lines for place in line.places),
        ):
            self._speech.judge.allow(place)
        words = ngettext("{count} chapter", "{count} chapters", count).format(count=count)
        yield ToolEnded("c1", "get_content_summaries", 0.0, words)
        told = "\n\n".join(self._last([*map(summary_text, what.chapters), *map(passage_text, what.passages)]))
        length = next(words for most, words in _LENGTHS if count <= most)
        pieces = [
            Piece(LayerName.MUST, "what was read", told, "What she has read, in order:", is_material=True),
            Piece(LayerName.MUST, "question", f"She asks: {what.words}."),
        ]
        reply = yield from self._say("recap", pieces, cancel, length=length)
        yield from self._end(reply)

    def _last(self, parts: Sequence[str]) -> list[str]:
        """Return the parts there is room for; the first are left out, for what came last is what she goes on from."""
        kept: list[str] = []
        left = self._budgets.must
        for part in reversed(parts):
            left -= estimate_tokens(part)
            if left < 0 and kept:
                break
            kept.insert(0, part)
        return kept

    # saying

    def _say(
        self, prompt: str, pieces: Sequence[Piece], cancel: Cancel, *, is_given: bool = False, **words: str
    ) -> Generator[ChatEvent, None, ModelReply]:
        """Have the model speak once; return its reply."""
        rules = prompt_named(prompt)[1]
        for name, word in {"language": self._language, "marker": self._fence.marker, **words}.items():
            rules = rules.replace(f"{{{name}}}", word)
        messages, self._record = compose(
            rules, [piece for piece in pieces if piece.text], (), (), self._budgets, self._fence
        )
        said = messages[-1]
        assert isinstance(said, UserMessage)
        call = ModelCall(ModelRole.COMPANION, rules, (said,), stage="chat", work=self._work)
        reply = None
        begins = ""
        for event in self._model.stream(call, cancel):
            if isinstance(event, TextDelta):
                begins += event.text
                if begins.strip() not in _NOTHING:  # a hyphen alone says that nothing is to be added
                    yield from self._speech.feed(begins, is_given=is_given)
                    begins = ""
            elif isinstance(event, Waiting):
                yield Lead(event.reason)
            elif isinstance(event, Finished):
                reply = event.reply
        yield from self._speech.rest(is_given=is_given)
        assert reply is not None, "a stream ends with Finished or raises"
        self._usage += reply.usage
        return reply

    def _end(self, reply: ModelReply, *, may_be_nothing: bool = False) -> _Events:
        yield from self._used()
        ready = self._speech.ready()
        is_empty = reply.text.strip() in _NOTHING
        if not reply.is_whole or ready is None or (is_empty and not may_be_nothing):
            yield TurnFailed(_("The answer was cut off"), _("The model stopped before its end. Ask again."))
        else:
            yield AnswerReady(ready.text, ready.citations)

    def _guarded(self, events: Iterator[ChatEvent]) -> _Events:
        try:
            yield from events
        except ModelCancelledError:
            yield TurnStopped(_("stopped"))
        except ModelError as error:
            yield from self._used()
            yield TurnFailed(error.title, error.message)

    def _used(self) -> _Events:
        if self._usage != Usage():
            yield TurnUsage(self._usage, self._model.name)
