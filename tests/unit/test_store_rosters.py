"""How a roster is written, seen, followed by the next, and taken away."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.analysis.naming import write_roster
from engine.analysis.rules.clusters import Findings
from engine.analysis.rules.roster import build_roster
from engine.domain.book import Block, BlockKind, Ruby, WorkId
from engine.domain.knowledge import PointKind
from engine.library import Library
from engine.paths import paths_under
from engine.spoilers.policy import WHOLE
from engine.store import points, rosters
from engine.store.blocks import blocks_of_work, blocks_with
from engine.store.leaving import delete_rosters
from tests.knowledge import know, named, point_called, shelve_story
from tests.shelving import document_of, shelve

_TEXT = ("Ilse kept the lamp.", "* * *", "Oren came. Ilse slept.")


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    library = Library(paths_under(tmp_path / "home"))
    yield library
    library.close()


def _rows(library: Library, table: str) -> int:
    with library._store.read() as r:
        return int(r.execute(f"SELECT count(*) FROM {table}").get)


def _grow(library: Library, work: WorkId) -> int:
    """Write a roster without publishing it."""
    with library._store.read() as r:
        placed = list(blocks_of_work(r, work))
        volumes = rosters.volumes_key(r, work)
    found = build_roster([each.block for each in placed], Findings([named("Ilse"), named("Oren")]))
    return write_roster(library._store, work, volumes, placed, found, lambda _done, _total: None)


def test_the_text_comes_in_blocks_with_chapter_and_readings(library: Library) -> None:
    text = "第一章\n沈听墨来了。"
    blocks = (Block(BlockKind.HEADING, 0, 3), Block(BlockKind.PARAGRAPH, 4, 10))
    document = document_of([])
    made = type(document)(0, "c0.xhtml", text, blocks, rubies=(Ruby(4, 7, "しん"),))
    work = shelve(library._store, [made, document_of(["第二"], spine_index=1)])
    with library._store.read() as r:
        first, second, third = blocks_of_work(r, work)
        [only] = blocks_with(r, work, "第二")
    assert (first.block.text, first.block.is_heading, first.block.chapter) == ("第一章", True, 0)
    assert (second.block.pos, second.start, second.block.readings) == (4, 4, (Ruby(0, 3, "しん"),))
    assert (third.block.chapter, third.block.pos) == (1, len(text))
    assert only == third


def test_a_growing_roster_is_seen_by_nobody(library: Library) -> None:
    work = shelve_story(library, _TEXT)
    _grow(library, work)
    assert library.entities(work, WHOLE) == ()
    assert _rows(library, "mention") == 3


def test_an_older_roster_is_read_until_the_new_one_is_whole(library: Library) -> None:
    work = shelve_story(library, _TEXT)
    know(library, work, named("Ilse"))
    _grow(library, work)
    assert [point.name for point in library.entities(work, WHOLE)] == ["Ilse"]


def test_points_keep_their_ids_by_the_names_they_share(library: Library) -> None:
    work = shelve_story(library, _TEXT)
    know(library, work, named("Ilse"), named("Oren"))
    before = {point.name: point.id for point in library.entities(work, WHOLE)}
    know(library, work, named("Oren", "lamp"), named("Ilse"), named("kept"))
    after = {point.name: point.id for point in library.entities(work, WHOLE)}
    assert {name: after[name] for name in before} == before
    assert after["kept"] not in before.values()


def test_an_id_is_never_given_to_another_kind(library: Library) -> None:
    work = shelve_story(library, _TEXT)
    know(library, work, named("Ilse"))
    before = point_called(library, work, "Ilse").id
    know(library, work, named("Ilse", kind=PointKind.PLACE))
    assert point_called(library, work, "Ilse").id != before


def test_a_roster_of_a_text_that_changed_meanwhile_is_not_published(library: Library) -> None:
    work = shelve_story(library, _TEXT)
    roster = _grow(library, work)
    with library._store.write() as w:
        w.execute("UPDATE roster SET volumes = '0:0,' WHERE id = ?", (roster,))
        assert not rosters.publish_roster(w, work, roster)
    assert library.entities(work, WHOLE) == ()


def test_a_roster_is_not_read_once_the_text_before_it_changed(library: Library) -> None:
    work = shelve_story(library, _TEXT)
    know(library, work, named("Ilse"))
    with library._store.write() as w:
        w.execute("UPDATE roster SET volumes = '99:1,' || volumes")
    assert library.entities(work, WHOLE) == ()


def test_what_is_left_of_older_rosters_goes_piece_by_piece(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rosters, "_DELETED_AT_ONCE", 2)
    work = shelve_story(library, ["Ilse " * 30, "Oren " * 20])
    for _time in range(3):
        know(library, work, named("Ilse"), named("Oren"))
    _grow(library, work)
    delete_rosters(library._store)
    assert (_rows(library, "mention"), _rows(library, "alias"), _rows(library, "roster_point")) == (50, 2, 2)
    assert _rows(library, "appearance") == 2
    assert [point.count for point in library.entities(work, WHOLE)] == [30, 20]


def test_no_transaction_of_a_large_roster_holds_the_lock_for_long(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = shelve_story(library, *[["Ilse and Oren met Ilse. " * 40] * 40] * 8)
    store, held = library._store, []
    write = store.write

    class _Timed:
        def __init__(self, *, bulk: bool = False) -> None:
            self._inner = write(bulk=bulk)

        def __enter__(self) -> object:
            self._connection = self._inner.__enter__()
            self._began = time.thread_time()
            return self._connection

        def __exit__(self, *error: object) -> object:
            ended = self._inner.__exit__(*error)  # type: ignore[arg-type]  # as the with statement hands them on
            held.append(time.thread_time() - self._began)
            return ended

    monkeypatch.setattr(store, "write", _Timed)
    roster = _grow(library, work)
    with library._store.read() as r:
        assert len(points.mention_positions(r, [1, 2], 1 << 60)) == 38_400
    assert roster
    assert max(held) < 0.05
