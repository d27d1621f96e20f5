"""The companion over works with planted facts: every tool, and all that goes with a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.agent.companion import Companion
from engine.agent.quoting import quote
from engine.config import SpoilerMode
from engine.domain.book import WorkId
from engine.domain.chat import SpoilerAsked, SpoilerChoice, TurnId
from engine.domain.conversations import ConversationId, ConversationKind, Scene
from engine.domain.models import Capabilities, Json
from engine.library import Library
from engine.library.book_view import BookView
from engine.library.scenes import question_of
from engine.library.turn_starting import Request
from engine.providers.protocols import Cancel, ModelCall, ToolCall, ToolMessage, UserMessage
from engine.spoilers.policy import Upto
from engine.store.turns import NOBODY, TurnRow
from tests.fakes import ScriptedModel


def asked_everywhere(library: Library, work: WorkId, names: Sequence[str], upto: Upto, mode: SpoilerMode) -> str:
    """Ask a model that looks everywhere it can and says back whatever it was sent; what it was sent counts, too."""
    looks: Sequence[tuple[str, Mapping[str, Json]]] = [
        ("search_original_text", {"query": "The ink said later", "limit": 8, "scope": "library"}),
        *(("get_wiki_entry", {"name": name}) for name in names),
        ("search_wiki", {"query": "the ink said later", "limit": 12}),
        ("search_knowledge_points", {"limit": 60}),
        *(("get_relations", {"name": name}) for name in names),
        ("get_content_summaries", {"chapters": list(range(1, 21))}),
        ("get_chapter_lists", {}),
        ("search_chapter_titles", {"words": "e"}),
        *(("get_full_chapter", {"chapter": n}) for n in (1, 4, 99)),
    ]
    told: list[str] = []
    calls = [ToolCall(f"call {n}", name, given) for n, (name, given) in enumerate(looks)]

    def answer(call: ModelCall) -> str | list[ToolCall]:
        told.extend(message.text for message in call.messages if isinstance(message, UserMessage))
        returned = [message.text for message in call.messages if isinstance(message, ToolMessage)]
        told.extend(returned)
        return "\n".join(returned) or calls

    book = BookView(library, work, upto, mode)
    row = TurnRow(TurnId("t"), ConversationId(0), work, None, "What did the ink say?", {}, "m", "pending", "", NOBODY)
    asked = Request(Scene(work), ConversationKind.CHAT, upto, {})
    question = question_of(library, row, asked, book)
    model = ScriptedModel(answer, capabilities=Capabilities(context_tokens=1_000_000))
    companion = Companion(model, book, secret=b"of the library", most_calls=len(calls) + 1)
    events = [*companion.ask(question, Cancel())]
    if isinstance(events[-1], SpoilerAsked):
        events += companion.resume(question, companion.held, SpoilerChoice.READ, Cancel())
    events += quote(book, "What did the ink say later?")
    events += quote(book, "What did the ink say later?", SpoilerChoice.READ)
    return repr(events) + "\n".join(told)
