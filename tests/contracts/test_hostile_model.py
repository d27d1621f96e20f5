"""A model that knows the end and lies in every field: nothing of it reaches a reader before she has read that far."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine.domain.analysis import AnalysisMode, AnalysisRequest
from engine.domain.wiki import StatementId
from engine.library import Library
from engine.paths import paths_under
from engine.store import wiki
from tests.hostile_reader import BROKEN, hostile_reader
from tests.planted import VIEWS, leaks, triples
from tests.planting import Fact, Planted, plant, tale_ground
from tests.reading_works import read_work, shelve_two_volumes, written
from tests.scripted_reader import ScriptedReader
from tests.shelving import paths_in


@dataclass
class _Lied:
    """A work a hostile model has read."""

    planted: Planted
    model: ScriptedReader


@pytest.fixture(scope="module")
def lied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[_Lied]:
    folder = tmp_path_factory.mktemp("lied")
    library = Library(paths_under(folder / "home"))
    planted = plant(library, folder, tale_ground())
    names = list(planted.told_in)
    told = {fact.marker for fact in planted.facts}
    planted.facts += [Fact(name, _told(planted, name), "word") for name in names if name not in told]
    model = hostile_reader(names, planted.pair)
    read_work(library, planted.work, model, AnalysisRequest(AnalysisMode.QUALITY), context_tokens=9_000)
    yield _Lied(planted, model)
    library.close()


def _told(planted: Planted, name: str) -> int:
    document, at = planted.told_in[name]
    pos = planted.index.pos_of(document, at + len(f"The ink said {name}"))
    assert pos is not None
    return pos


def test_it_has_lied_at_every_stage(lied: _Lied) -> None:
    assert {"read", "volume", "plan", "write", "judge"} <= set(lied.model.stages())
    words = repr(written(lied.planted.library, lied.planted.work))
    lies = [name for name in lied.planted.told_in if f"{name} kills" in words or f"{name} was the murderer" in words]
    assert len(lies) > 5


@pytest.mark.parametrize("seed", range(2))
def test_no_view_tells_what_was_not_read(lied: _Lied, seed: int) -> None:
    views = [*VIEWS, "wiki lists", "wiki entries", "wiki glances", "statements", "audit"]
    found = [
        leak for pos, mode, v in triples(lied.planted, 60, seed, views) for leak in leaks(lied.planted, pos, mode, v)
    ]
    assert found == []


@pytest.mark.gate
@pytest.mark.parametrize("seed", range(10, 20))
def test_no_view_tells_what_was_not_read_at_a_thousand_boundaries(lied: _Lied, seed: int) -> None:
    found = [leak for pos, mode, v in triples(lied.planted, 100, seed) for leak in leaks(lied.planted, pos, mode, v)]
    assert found == []


def test_every_quotation_stands_in_the_text(lied: _Lied) -> None:
    library = lied.planted.library
    with library._store.read() as r:
        ids = [StatementId(id_) for (id_,) in r.execute("SELECT id FROM statement WHERE unit <> ''")]
        shown = [each for some in wiki.evidence_of(r, ids).values() for each in some]
    assert len(shown) > 50
    wrong = [e.quote for e in shown if library.text_of(e.locator.document, e.locator.start, e.locator.end) != e.quote]
    assert wrong == []


def test_no_invented_quotation_bears_anything_out(lied: _Lied) -> None:
    words = repr(written(lied.planted.library, lied.planted.work))
    assert "is only a word" not in words
    assert "stands at another place" not in words
    assert "was never there" not in words
    assert "has no note" not in words


def test_no_setting_was_changed_and_no_veil_lifted(lied: _Lied) -> None:
    with lied.planted.library._store.read() as r:
        assert r.execute("SELECT count(*) FROM reveal").get == 0
        assert r.execute("SELECT count(*) FROM identity_link WHERE origin = 'model' AND reveal_pos < ?",
                         (lied.planted.revealed,)).get in (0, 1)  # fmt: skip


@pytest.mark.parametrize("kind", sorted(BROKEN))
def test_a_model_that_cannot_answer_breaks_nothing(tmp_path: Path, kind: str) -> None:
    library = Library(paths_in(tmp_path))
    work = shelve_two_volumes(library)
    model = ScriptedReader(answer=BROKEN[kind])
    read_work(library, work, model)
    assert len(model.calls) < 60
    assert "\x1b" not in repr(written(library, work))
    library.close()
