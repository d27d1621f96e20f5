"""A model without anybody who searches by meaning chooses stretches by their summaries, and gets the text itself."""

from __future__ import annotations

from pathlib import Path

from engine.agent.companion import Companion, Question
from engine.config import SpoilerMode
from engine.domain.chat import AnswerReady
from engine.domain.models import Capabilities
from engine.library import Library
from engine.library.book_view import BookView
from engine.paths import paths_under
from engine.providers.protocols import Cancel, ModelCall, ToolCall, ToolMessage
from tests.conversing import index_all
from tests.fakes import ScriptedModel
from tests.knowledge import know, named, place_of, shelve_story, upto_words

_FILL = [
    f"On day {n} the tide came up the stair and went down it, and Hask wrote the height on the wall."
    for n in range(180)
]
_KEPT = "The letter lay under the third stone of the well all that time."
_AHEAD = "The letter was read aloud at the wedding."


def test_stretches_are_chosen_by_their_summaries_and_only_of_what_was_read(tmp_path: Path) -> None:
    library = Library(paths_under(tmp_path / "home"))
    work = shelve_story(library, _FILL, [*_FILL[:90], _KEPT, *_FILL[90:]], _FILL, [*_FILL[:90], _AHEAD, *_FILL[90:]])
    know(library, work, named("Hask"))
    index_all(library, work)
    document, start = place_of(library, work, _KEPT)
    cite = f"[f{document}-{start}-{start + len(_KEPT)}]"
    asked: list[str] = []

    def answer(call: ModelCall) -> str | list[ToolCall]:
        if call.system.startswith("Choose by number"):
            asked.append(call.messages[0].text)
            return "1, 2, 99"
        if any(isinstance(message, ToolMessage) for message in call.messages):
            return f"It lay in the well {cite}."
        return [ToolCall("1", "choose_segments", {"query": "where was the letter, under which stone of the well"})]

    upto = upto_words(library, work, _KEPT)
    book = BookView(library, work, upto, SpoilerMode.AUTO)
    assert book.has_segments is False, "so far it is short enough to be found by its words"
    library.set_frontier(work, place_of(library, work, _AHEAD)[0], 0)
    book = BookView(library, work, upto_words(library, work, _AHEAD, is_through=False), SpoilerMode.AUTO)
    model = ScriptedModel(answer, capabilities=Capabilities(context_tokens=128_000))
    events = list(Companion(model, book, secret=b"s").ask(Question("Where was the letter?"), Cancel()))
    assert [event.text for event in events if isinstance(event, AnswerReady)] == ["It lay in the well [1]."]
    assert asked
    told = repr(model.calls)
    assert _KEPT in told
    assert _AHEAD not in told
    library.close()
