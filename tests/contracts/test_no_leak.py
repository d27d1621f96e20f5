"""Veiled text never leaves the engine: planted facts, random boundaries, every view.

A new view of what is known joins in `tests/planted.py`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from statistics import median

import pytest

from engine.library import Library
from engine.paths import paths_under
from engine.spoilers import masks
from engine.spoilers.masks import Showing
from engine.spoilers.policy import END, FRONTIER, Mode
from tests.commands import run_command
from tests.planted import VIEWS, leaks, triples
from tests.planted_commands import leaks_of, run_here, some_command, words_of
from tests.planted_seen import put_frontier
from tests.planting import Planted, plant, sample_ground, tale_ground

_GROUNDS = {"sample series": sample_ground, "tale of 20 chapters": tale_ground}


@pytest.fixture(scope="module")
def planted_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("planted")


@pytest.fixture(scope="module", params=sorted(_GROUNDS))
def planted(planted_folder: Path, request: pytest.FixtureRequest) -> Iterator[Planted]:
    folder = planted_folder / str(request.param)
    library = Library(paths_under(folder / "home"))
    yield plant(library, folder, _GROUNDS[str(request.param)]())
    library.close()


@pytest.mark.parametrize("seed", range(3))
def test_no_view_shows_what_was_not_read(planted: Planted, seed: int) -> None:
    found = [leak for pos, mode, view in triples(planted, 100, seed) for leak in leaks(planted, pos, mode, view)]
    assert found == []


@pytest.mark.gate
@pytest.mark.parametrize("seed", range(10, 20))
def test_no_view_shows_what_was_not_read_at_a_thousand_boundaries(planted: Planted, seed: int) -> None:
    found = [leak for pos, mode, view in triples(planted, 100, seed) for leak in leaks(planted, pos, mode, view)]
    assert found == []


def test_every_fact_is_shown_once_it_was_read(planted: Planted) -> None:
    shown = "".join(view(planted, planted.upto(planted.end), Mode.AUTO).words for view in VIEWS.values())
    assert [fact.marker for fact in planted.facts if fact.marker not in shown] == []


def test_off_shows_everything_from_the_first_page_on(planted: Planted) -> None:
    shown = "".join(view(planted, FRONTIER, Mode.OFF).words for view in VIEWS.values())
    assert [fact.marker for fact in planted.facts if fact.marker not in shown] == []


def test_a_statement_is_shown_exactly_from_its_unlock_on(planted: Planted) -> None:
    late = []
    for marker, unlock_pos, _evidence_end in _written(planted):
        before, after = (
            VIEWS["statements"](planted, planted.upto(pos), Mode.AUTO).words for pos in (unlock_pos - 1, unlock_pos)
        )
        if marker in before or marker not in after:
            late.append(marker)
    assert late == []


def test_the_median_statement_waits_no_longer_than_a_chapter(planted: Planted) -> None:
    chapter = median(c.pos_end - c.pos for c in planted.index.chapters)
    honest = {fact.marker for fact in planted.facts if fact.kind == "statement"}
    delays = [unlock - end for marker, unlock, end in _written(planted, is_verified=True) if marker in honest]
    assert len(delays) >= 8
    assert median(delays) <= chapter


def _written(planted: Planted, *, is_verified: bool = False) -> list[tuple[str, int, int]]:
    """Return (marker, unlock, end of the evidence) of each statement."""
    with planted.library._store.read() as r:
        return [
            (text.partition(":")[0], unlock_pos, end)
            for text, unlock_pos, end in r.execute(
                "SELECT s.text, s.unlock_pos, max(e.pos_end) FROM statement s JOIN evidence e ON e.statement_id = s.id"
                " WHERE s.role <> 'title' AND (? OR s.verdict = 'support') GROUP BY s.id",
                (not is_verified,),
            )
        ]


def test_fifty_facts_were_planted(planted: Planted) -> None:
    kinds = [fact.kind for fact in planted.facts]
    assert {kind: kinds.count(kind) for kind in sorted(set(kinds))} == {
        "alias": 15, "entry": 2, "hostile": 5, "name": 10, "recap": 2, "statement": 16,
    }  # fmt: skip


def _lifted(_bound: object) -> int:
    return END


def _unveiled(_bound: object) -> bool:
    return False


def _shown(_met: int, _title: int, _bound: object) -> Showing:
    return Showing.SHOWN


def _all_marks(marks: Iterable[int], _bound: object) -> Iterable[int]:
    return marks


def _in_glance(*_rest: object) -> bool:
    return True


def _told_title(title: str, *_rest: object) -> str:
    return title


def _talkative(_bound: object, *, has_more: bool) -> bool:
    return has_more


@pytest.mark.parametrize(
    ("mask", "without", "view"),
    [
        ("entry_upto", _lifted, "entities"),
        ("entry_upto", _lifted, "wiki lists"),
        ("title_upto", _lifted, "underlines"),
        ("title_upto", _lifted, "wiki entries"),
        ("hit_upto", _lifted, "resolve"),
        ("hit_upto", _lifted, "search"),
        ("hit_upto", _lifted, "asking"),
        ("hit_upto", _lifted, "neighbours"),
        ("hit_upto", _lifted, "search in notes"),
        ("hit_upto", _lifted, "passages"),
        ("hit_upto", _lifted, "everything"),
        ("track_upto", _lifted, "track"),
        ("track_upto", _lifted, "appearances"),
        ("track_upto", _lifted, "wiki entries"),
        ("statement_upto", _lifted, "statements"),
        ("statement_upto", _lifted, "wiki entries"),
        ("statement_upto", _lifted, "wiki on paper"),
        ("veils_marked", _unveiled, "statements"),
        ("mask_entry", _shown, "entities"),
        ("mask_entry", _shown, "wiki lists"),
        ("mask_marks", _all_marks, "marks"),
        ("is_in_glance", _in_glance, "wiki glances"),
        ("mask_chapter_title", _told_title, "wiki glances"),
        ("tells_of_more", _talkative, "more"),
        ("tells_of_more", _talkative, "names beyond"),
        ("tells_of_more", _talkative, "wiki lists"),
        ("tells_of_more", _talkative, "search"),
        ("tells_of_more", _talkative, "passages"),
    ],
)
def test_without_any_one_mask_the_views_behind_it_leak(
    planted: Planted, monkeypatch: pytest.MonkeyPatch, mask: str, without: Callable[..., object], view: str
) -> None:
    monkeypatch.setattr(masks, mask, without)
    found = (leak for pos, mode, each in triples(planted, 60, 1, [view]) for leak in leaks(planted, pos, mode, each))
    assert next(found, "") != ""


# The commands


@pytest.fixture
def at_home(planted: Planted, monkeypatch: pytest.MonkeyPatch) -> Planted:
    """Let commands find the planted work."""
    monkeypatch.setenv("UNDERSTORY_HOME", str(planted.library.paths.data_dir.parent))
    return planted


def _told_by_commands(planted: Planted, count: int, seed: int, only: str = "") -> Iterator[str]:
    """Yield what random commands give away."""
    rng = random.Random(seed)
    for pos, mode, _view in triples(planted, count, seed):
        command = some_command(planted, rng)
        while only and command[0] != only:
            command = some_command(planted, rng)
        _use_mode(mode)
        yield from leaks_of(planted, pos, mode, command)


def _use_mode(mode: Mode) -> None:
    code, _out, said = run_here("config", "spoilers", str(mode))
    assert code == 0, said


@pytest.mark.parametrize("seed", range(2))
def test_no_command_tells_what_was_not_read(at_home: Planted, seed: int) -> None:
    assert list(_told_by_commands(at_home, 30, seed)) == []


@pytest.mark.gate
@pytest.mark.parametrize("seed", range(10, 15))
def test_no_command_tells_what_was_not_read_at_three_hundred_boundaries(at_home: Planted, seed: int) -> None:
    assert list(_told_by_commands(at_home, 60, seed)) == []


@pytest.mark.parametrize("command", [["entities"], ["points", "--json"], ["wiki"]])
def test_a_process_of_its_own_tells_the_same(at_home: Planted, command: list[str]) -> None:
    words = words_of(at_home, command, at_home.upto(at_home.facts[3].told - 1), Mode.AUTO)
    done = run_command(*words, module="engine")
    assert (done.returncode, done.stdout) == run_here(*words)[:2]


def test_every_fact_is_told_by_a_command_once_it_was_read(at_home: Planted) -> None:
    upto = at_home.upto(at_home.end)
    told = "".join(run_here(*words_of(at_home, command, upto, Mode.AUTO))[1] for command in (["points"], ["wiki"]))
    assert [fact.marker for fact in at_home.facts if fact.marker not in told and fact.kind != "recap"] == []


def test_every_title_is_told_once_its_chapter_was_begun(at_home: Planted) -> None:
    _use_mode(Mode.STRICT)
    put_frontier(at_home, at_home.upto(at_home.end))
    told = run_here(*words_of(at_home, ["toc"], at_home.upto(at_home.end), Mode.STRICT))[1]
    assert [title.marker for title in at_home.titles if title.marker not in told] == []


@pytest.mark.parametrize(
    ("mask", "without", "command"),
    [
        ("entry_upto", _lifted, "entities"),
        ("title_upto", _lifted, "entities"),
        ("hit_upto", _lifted, "resolve"),
        ("hit_upto", _lifted, "search"),
        ("track_upto", _lifted, "track"),
        ("statement_upto", _lifted, "points"),
        ("statement_upto", _lifted, "export"),
        ("veils_marked", _unveiled, "points"),
        ("mask_chapter_title", _told_title, "toc"),
    ],
)
def test_without_any_one_mask_the_commands_leak(
    at_home: Planted, monkeypatch: pytest.MonkeyPatch, mask: str, without: Callable[..., object], command: str
) -> None:
    monkeypatch.setattr(masks, mask, without)
    assert next(_told_by_commands(at_home, 200, 2, command), "") != ""
