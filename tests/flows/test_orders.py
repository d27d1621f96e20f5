"""An entry written anew, an entry and a topic asked for: what it costs first, then nothing else is paid again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.config import SpoilerMode
from engine.domain.book import WorkId
from engine.domain.chat import TurnId
from engine.domain.models import ModelAddress, ModelRole, Price
from engine.domain.orders import Order, OrderKind
from engine.domain.wiki import PointId
from engine.errors.orders import OrderRefusedError
from engine.library import Library, acting
from engine.library.book_view import BookView
from engine.providers.protocols import ModelCall
from engine.spoilers.policy import WHOLE
from engine.store import analyses, orders, turns
from tests.knowledge import point_called
from tests.reading_works import read_work, shelve_two_volumes, written
from tests.scripted_reader import Reply, ScriptedReader, scripted_reply, shown
from tests.shelving import paths_in


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    library = Library(paths_in(tmp_path))
    library.add_model(ModelAddress("scripted", "http://127.0.0.1:1/v1"))
    library.use_model(ModelRole.READER, "scripted")
    yield library
    library.close()


@pytest.fixture
def work(library: Library, monkeypatch: pytest.MonkeyPatch) -> WorkId:
    """A work that was read to its end; the background process is played by `read_work`."""
    monkeypatch.setattr(library, "_wake_helper", lambda: None)
    work = shelve_two_volumes(library)
    analysis = read_work(library, work, ScriptedReader(answer=_without_mirel))
    _end(library, analysis)
    return work


def _without_mirel(call: ModelCall) -> Reply | None:
    """Have so little to say of one of the crew that no entry is planned."""
    if call.stage not in ("read", "plan"):
        return None
    text, tools = scripted_reply(call)
    lines: list[str] = []
    mirel = re.search(r"^(k\d+) .*Mirel", shown(call), re.MULTILINE)
    key, notes, is_hers = mirel[1] if mirel else "-", 0, False
    for line in text.splitlines():
        is_hers = line.startswith(f"#{key} ") if line[:1] == "#" else is_hers
        notes += is_hers and line[:1] == "-"
        if line[:1] == "#" and is_hers:
            lines.append(f"#{key} 1")
        elif not (is_hers and line[:1] == "-" and notes > 2) and not line.startswith(f"{key} "):
            lines.append(line)
    return "\n".join(lines), tools


def _end(library: Library, analysis: int) -> None:
    from engine.domain.analysis import AnalysisState

    with library._store.write() as w:
        analyses.set_state(w, analysis, AnalysisState.DONE)
        w.execute("UPDATE job SET state = 'done'")


def _entries(library: Library, work: WorkId) -> dict[PointId, list[str]]:
    with library._store.read() as r:
        found: dict[PointId, list[str]] = {}
        for point, text in r.execute(
            "SELECT point_id, text FROM statement WHERE work_id = ? AND unit LIKE 'entry %' ORDER BY unit, ord", (work,)
        ):
            found.setdefault(PointId(point), []).append(text)
    return found


def _point(library: Library, work: WorkId, *, is_written: bool) -> PointId:
    crew = [point_called(library, work, name).id for name in ("Orla Vane", "Tobin Hask", "Mirel Dunn")]
    have = _entries(library, work)
    return next(point for point in crew if (point in have) is is_written)


def test_it_says_first_what_it_costs_and_pays_nothing(library: Library, work: WorkId) -> None:
    library.set_price("scripted", Price(1.0, None, 2.0))
    cost = library.order_cost(work, Order(OrderKind.AGAIN, _point(library, work, is_written=True)))
    assert 0 < cost.tokens_low < cost.tokens_high
    assert cost.money_low is not None
    assert library.jobs() == ()


def test_an_entry_is_written_anew_and_hardly_anything_else(library: Library, work: WorkId) -> None:
    point = _point(library, work, is_written=True)
    before = _entries(library, work)
    library.place_order(work, Order(OrderKind.AGAIN, point))
    assert _entries(library, work) == before
    again = ScriptedReader(answer=_other_words)
    _end(library, read_work(library, work, again))
    assert again.stages()["write"] == len([call for call in again.calls if call.stage == "write"])
    assert set(again.stages()) <= {"write", "judge", "repair"}
    after = _entries(library, work)
    assert after[point] != before[point]
    assert {p: words for p, words in after.items() if p != point} == {p: w for p, w in before.items() if p != point}


def _other_words(call: ModelCall) -> Reply | None:
    if call.stage != "write":
        return None
    words, tools = scripted_reply(call)
    return "\n".join(line for line in words.splitlines() if not line.startswith("|")), tools


def test_an_entry_that_was_not_planned_can_be_asked_for(library: Library, work: WorkId) -> None:
    point = _point(library, work, is_written=False)
    before = _entries(library, work)
    library.place_order(work, Order(OrderKind.ENTRY, point))
    again = ScriptedReader()
    _end(library, read_work(library, work, again))
    assert set(again.stages()) <= {"write", "judge", "repair"}
    after = _entries(library, work)
    assert after.pop(point)
    assert after == before
    with library._store.read() as r:
        assert point in {id_ for id_, _tier in analyses.plan_of(r, work)}
    third = ScriptedReader()
    _end(library, read_work(library, work, third))
    assert not third.calls


def test_a_companion_offers_an_entry_and_not_the_whole_reading(
    library: Library, work: WorkId, monkeypatch: pytest.MonkeyPatch
) -> None:
    point = _point(library, work, is_written=False)
    monkeypatch.setattr(acting, "_work_of", lambda _connection, _turn: work)
    monkeypatch.setattr(turns, "act_of", lambda _connection, _turn, _call: ("page", {"point": point}, "offered"))
    assert acting.agree(library, TurnId("1"), "c1")
    assert library.orders(work) == (Order(OrderKind.ENTRY, point),)
    progress = library.analysis(work)
    assert progress is not None
    assert 0 < progress.cap_tokens < 100_000


def test_the_view_tells_what_an_entry_costs_where_there_is_none(library: Library, work: WorkId) -> None:
    book = BookView(library, work, WHOLE, SpoilerMode.AUTO)
    assert book.may_be_read_by_model
    assert "tokens" in book.entry_cost(_point(library, work, is_written=False))
    assert book.entry_cost(_point(library, work, is_written=True)) == ""


def test_a_topic_can_be_asked_for(library: Library, work: WorkId) -> None:
    library.place_order(work, Order(OrderKind.TOPIC, title="Asking about the tide"))
    _end(library, read_work(library, work, ScriptedReader(answer=_topic)))
    assert any("Asking about the tide" in str(row[0]) for row in written(library, work))
    assert library.orders(work) == (Order(OrderKind.TOPIC, title="Asking about the tide"),)


def _topic(call: ModelCall) -> Reply | None:
    found = re.search(r"(t\d+)\b", shown(call)) if call.stage == "write" and "Asking about" in shown(call) else None
    if found is None:
        return None
    [first, *_rest] = re.findall(r"^n(\d+) \(\S+\) (.+)$", shown(call), re.MULTILINE)
    return f"= {found[1]}\n. {first[1]} [n{first[0]}]", ()


@pytest.mark.parametrize(
    ("order", "is_written", "says"),
    [
        (OrderKind.AGAIN, False, "can be asked for"),
        (OrderKind.ENTRY, True, "written anew"),
    ],
)
def test_what_cannot_be_written_is_refused(
    library: Library, work: WorkId, order: OrderKind, is_written: bool, says: str
) -> None:
    with pytest.raises(OrderRefusedError, match=says):
        library.order_cost(work, Order(order, _point(library, work, is_written=is_written)))


def test_a_topic_without_a_title_is_refused(library: Library, work: WorkId) -> None:
    with pytest.raises(OrderRefusedError, match="title"):
        library.order_cost(work, Order(OrderKind.TOPIC, title="  "))


def test_a_work_nobody_read_is_refused(library: Library) -> None:
    work = shelve_two_volumes(library)
    with pytest.raises(OrderRefusedError, match="No model has read"):
        library.order_cost(work, Order(OrderKind.TOPIC, title="Tides"))


def test_the_last_reading_tells_how_it_is_written(library: Library, work: WorkId) -> None:
    library.place_order(work, Order(OrderKind.TOPIC, title="Tides"))
    progress = library.analysis(work)
    assert progress is not None
    cost = library.order_cost
    assert progress.cap_tokens > 0
    assert cost is not None
    with library._store.read() as r:
        assert orders.orders_of(r, work)
