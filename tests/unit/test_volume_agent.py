"""How a volume's notes are brought into order: in rounds, or in fast with one call that can look nothing up."""

from __future__ import annotations

from engine.analysis.asking import Answer, Request
from engine.analysis.evidence import Desk
from engine.analysis.ledger import Form, Ledger
from engine.analysis.reading import Titles
from engine.analysis.volume_agent import settle_volume
from engine.analysis.volume_tools import VolumeTools
from engine.domain.analysis import AnalysisMode
from engine.domain.book import DocumentId
from engine.domain.knowledge import PointKind
from engine.domain.models import Json
from engine.domain.statements import Quote
from engine.providers.protocols import ToolCall
from engine.store.blocks import PlacedBlock
from tests.builders import make_text_blocks
from tests.scripted_reader import tool

_PARAGRAPHS = ("Orla Vane lit the lamp.", "Captain Orla Vane put it out again.", "The bell of Corrow rang.")
_DOCUMENT = DocumentId(5)
_SENTENCE: Json = {"text": "Orla Vane lit the lamp.", "notes": [2]}


class _Asked:
    """A caller that gives some replies one after the other, and nothing once they are used up."""

    def __init__(self, *replies: tuple[ToolCall, ...]) -> None:
        self._replies = list(replies)
        self.requests: list[Request] = []

    def ask(self, request: Request) -> Answer:
        self.requests.append(request)
        calls = self._replies.pop(0) if self._replies else ()
        return Answer("", calls, len(self.requests), "m", request.prompt.revision)


def _tools() -> VolumeTools:
    """Return the tools of a second volume: k1 of the first as well, k2 and k3 new."""
    blocks = make_text_blocks(*_PARAGRAPHS)
    desk = Desk([PlacedBlock(block, _DOCUMENT, block.pos) for block in blocks], (), {}, blocks[-1].pos_end)
    ledger = Ledger()
    starts = [sum(len(text) + 1 for text in _PARAGRAPHS[:n]) for n in range(3)]
    found = [desk.find(Quote(_DOCUMENT, start, text)) for start, text in zip(starts, _PARAGRAPHS, strict=True)]
    evidence = [(each,) for each in found if each is not None]
    names = ("Orla Vane", "Captain Orla Vane", "Corrow")
    kinds = (PointKind.PERSON, PointKind.PERSON, PointKind.PLACE)
    for name, kind in zip(names, kinds, strict=True):
        ledger.add_point(kind, name, [Form(name, 0, ())])
    ledger.add_note(ledger.points[1], "Orla Vane was young.", evidence[0], (0, 0), ())
    for number, point in enumerate(ledger.points.values()):
        ledger.add_note(point, _PARAGRAPHS[number], evidence[number], (1, 0), ())
    ledger.chapter(1, 0)
    return VolumeTools(ledger, desk, volume=1, first_new=2, end=blocks[-1].pos_end)


def _settle(asked: _Asked, tools: VolumeTools, mode: AnalysisMode) -> int:
    return settle_volume(asked, tools, Titles({}), "en", mode)  # type: ignore[arg-type]  # all of a caller it needs


def test_fast_asks_once_whatever_comes_back() -> None:
    for replies in ([], [()], [(tool("search_original_text", queries=["lamp"]),)], [(tool("no_such_tool"),)]):
        asked = _Asked(*replies)
        assert _settle(asked, _tools(), AnalysisMode.FAST) == 1
        assert len(asked.requests) == 1


def test_fast_can_look_nothing_up() -> None:
    asked = _Asked()
    _settle(asked, _tools(), AnalysisMode.FAST)
    [request] = asked.requests
    assert [each.name for each in request.tools] == ["submit_volume_summary"]
    assert not any(word in request.prompt.text for word in ("tool", "search", "get_knowledge_points", "round"))


def test_quality_goes_on_until_the_summary_is_there() -> None:
    asked = _Asked(
        (tool("search_original_text", queries=["lamp"]),), (tool("submit_volume_summary", volume=[_SENTENCE]),)
    )
    assert _settle(asked, _tools(), AnalysisMode.QUALITY) == 2
    assert all(len(request.tools) == 7 for request in asked.requests)


def test_one_answer_moves_merges_names_and_sums_up() -> None:
    tools = _tools()
    answer = tool(
        "submit_volume_summary",
        volume=[_SENTENCE],
        chapters=[{"chapter": 1, "sentences": [_SENTENCE]}],
        discard=[4],
        append=[{"key": "k1", "notes": [], "merge": ["k2"]}],
        create=[{"name": "the bell", "kind": "item", "notes": [4]}],
        aliases=[{"key": "k1", "form": "Captain", "note": 3}],
    )
    _settle(_Asked((answer,)), tools, AnalysisMode.FAST)
    ledger = tools.ledger
    assert tools.faults == 0
    assert [line.text for line in ledger.summaries[1]] == ["Orla Vane lit the lamp."]
    assert [line.text for line in ledger.chapter(1, 0).summary] == ["Orla Vane lit the lamp."]
    assert [note.number for note in ledger.notes if note.is_discarded] == [4]
    assert [note.number for note in ledger.notes_of(1)] == [1, 2, 3]
    assert "Captain" in {form.form for form in ledger.points[1].forms}
    assert ledger.points[ledger.notes[3].point].name == "the bell"


def test_what_no_note_was_shown_of_is_not_appended_to() -> None:
    tools = _tools()
    tools.ledger.notes[1].point = 3  # k1 has notes of the first volume only
    answer = tool("submit_volume_summary", volume=[_SENTENCE], append=[{"key": "k1", "notes": [3], "merge": []}])
    _settle(_Asked((answer,)), tools, AnalysisMode.FAST)
    assert [note.number for note in tools.ledger.notes_of(1)] == [1]
