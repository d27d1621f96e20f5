"""Volumes find their work by themselves, and stay where the reader has put them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.domain.book import VolumeId, WorkId
from engine.domain.locator import volume_ord_of
from engine.errors import PlaceUnknownError, WorkNotFoundError
from engine.library import Library
from engine.paths import paths_under
from tests.builders import make_epub
from tests.shelving import page_in, place_at

_SERIES = {
    "zh": ("灯塔 第{han}卷", "灯塔"),
    "ja": ("灯台守（{n}）", "灯台守"),
    "en": ("The Keeper, Vol. {n}", "The Keeper"),
}
_HAN = "零一二三四五"


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    library = Library(paths_under(tmp_path / "home"))
    yield library
    library.close()


def _volume(library: Library, folder: Path, n: int, language: str = "en", *, author: str = "Ann Author") -> WorkId:
    title = _SERIES[language][0].format(n=n, han=_HAN[n])
    book = make_epub(
        folder / f"{n}.epub",
        title=title,
        chapters=[("One", f"<p>Volume {n} begins with its own line.</p>")],
        author=author,
        language=language,
    )
    work = library.import_now(book).work
    assert work is not None
    return work


def _texts(library: Library, work: WorkId) -> list[str]:
    outline = library.outline(work)
    return [library.text_of(v.documents[0].id, 0, 8) for v in outline.volumes]


def _ids(library: Library, work: WorkId) -> list[VolumeId]:
    return [volume.id for volume in library.outline(work).volumes]


@pytest.mark.parametrize("language", _SERIES)
def test_volumes_imported_backwards_are_one_work_in_order(library: Library, tmp_path: Path, language: str) -> None:
    works = {_volume(library, tmp_path, n, language) for n in (3, 1, 2)}
    assert len(works) == 1
    (work,) = library.works()
    assert (work.title, work.volumes) == (_SERIES[language][1], 3)
    assert _texts(library, work.id) == ["Volume 1", "Volume 2", "Volume 3"]


def test_the_third_volume_before_the_first_ends_behind_it(library: Library, tmp_path: Path) -> None:
    _volume(library, tmp_path, 3)
    work = _volume(library, tmp_path, 1)
    assert _texts(library, work) == ["Volume 1", "Volume 3"]


def test_a_volume_of_another_author_is_another_work(library: Library, tmp_path: Path) -> None:
    assert _volume(library, tmp_path, 1) != _volume(library, tmp_path, 2, author="Bob Other")


def test_a_place_stays_at_its_words_while_volumes_move_about(library: Library, tmp_path: Path) -> None:
    work = _volume(library, tmp_path, 2)
    document, offset = page_in(library, work, "begins with")
    sha256, spine_index = library.book_of(document)
    library.save_place(place_at(library.reading(work), document, offset, spine_index=spine_index, sha256=sha256))
    library.advance_frontier(work, document, offset)
    before = library.place(work)
    _volume(library, tmp_path, 1)
    after = library.place(work)
    assert before is not None
    assert after is not None
    assert (before.document, before.offset) == (after.document, after.offset) == (document, offset)
    assert (volume_ord_of(before.pos), volume_ord_of(after.pos)) == (0, 1)
    assert library.frontier(work) == after.pos
    library.reorder(work, _ids(library, work)[::-1])
    assert library.place(work) == before
    assert library.frontier(work) == before.pos


def test_a_page_turned_across_volumes_follows_the_new_order(library: Library, tmp_path: Path) -> None:
    _volume(library, tmp_path, 1)
    work = _volume(library, tmp_path, 2)
    library.reorder(work, _ids(library, work)[::-1])
    first = library.slice_at(library.outline(work).volumes[0].documents[0].id, 0)
    assert first.text.startswith("Volume 2")
    assert first.after is not None
    assert library.slice_of(first.after).text.startswith("Volume 1")


def test_title_order_and_grouping_survive_a_further_volume(library: Library, tmp_path: Path) -> None:
    for n in (1, 2, 3):
        work = _volume(library, tmp_path, n)
    one, two, three = _ids(library, work)
    apart = library.regroup([two], None)
    library.reorder(work, [three, one])
    library.rename_work(work, "My Keeper")
    assert _volume(library, tmp_path, 4) == work
    assert {w.title for w in library.works()} == {"My Keeper", "The Keeper, Vol. 2"}
    assert _texts(library, work) == ["Volume 3", "Volume 1", "Volume 4"]
    assert _texts(library, apart) == ["Volume 2"]


def test_a_volume_read_anew_stays_where_the_reader_put_it(library: Library, tmp_path: Path) -> None:
    for n in (1, 2):
        work = _volume(library, tmp_path, n)
    apart = library.regroup(_ids(library, work)[1:], None)
    assert _volume(library, tmp_path, 2) == apart
    assert len(library.works()) == 2


def test_volumes_put_back_together_are_one_work_again(library: Library, tmp_path: Path) -> None:
    for n in (1, 2):
        work = _volume(library, tmp_path, n)
    apart = library.regroup(_ids(library, work)[:1], None)
    assert library.regroup(_ids(library, apart), work) == work
    assert _texts(library, work) == ["Volume 1", "Volume 2"]
    assert [w.id for w in library.works()] == [work]


def test_what_cannot_be_done_changes_nothing(library: Library, tmp_path: Path) -> None:
    for n in (1, 2):
        work = _volume(library, tmp_path, n)
    before = library.outline(work)
    with pytest.raises(PlaceUnknownError):
        library.reorder(work, [*_ids(library, work), VolumeId(99)])
    with pytest.raises(PlaceUnknownError):
        library.regroup([_ids(library, work)[0], VolumeId(99)], None)
    with pytest.raises(WorkNotFoundError):
        library.regroup(_ids(library, work), WorkId(99))
    with pytest.raises(WorkNotFoundError):
        library.remove(WorkId(99))
    assert library.outline(work) == before


def test_removing_one_work_leaves_the_volumes_moved_out_of_it(library: Library, tmp_path: Path) -> None:
    for n in (1, 2):
        work = _volume(library, tmp_path, n)
    apart = library.regroup(_ids(library, work)[1:], None)
    library.remove(work)
    assert [w.id for w in library.works()] == [apart]
    assert _texts(library, apart) == ["Volume 2"]
