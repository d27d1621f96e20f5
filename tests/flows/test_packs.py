"""A knowledge pack from one library to another: the same rows, nothing of the text, nothing before its time."""

from __future__ import annotations

import gzip
import json
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.domain.analysis import AnalysisRequest
from engine.domain.book import WorkId
from engine.domain.corrections import Act
from engine.domain.knowledge import PointKind
from engine.domain.packs import PackReport
from engine.domain.reading import JobState
from engine.domain.statements import Role
from engine.domain.wiki import Correction
from engine.errors.packs import PackEmptyError, PackInTheWayError, PackMismatchError, PackUnreadableError
from engine.library import Library
from engine.packs.files import packed, read_lines
from engine.packs.gathering import gather
from engine.packs.reading import pack_from_lines
from engine.packs.records import QUOTE_CHARS, Pack
from engine.packs.taking_in import take_in
from engine.packs.writing import lines_of
from engine.spoilers.policy import WHOLE
from engine.store import analyses, learned
from tests.knowledge import point_called
from tests.pace import PATIENCE_S
from tests.reading_works import read_work, shelve_two_volumes, shelve_volume, written
from tests.scripted_reader import ScriptedReader
from tests.shelving import paths_in, wait_for_names

Record = dict[str, Any]


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    library = Library(paths_in(tmp_path / "one"))
    yield library
    library.close()


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Library]:
    library = Library(paths_in(tmp_path / "two"))
    yield library
    library.close()


@pytest.fixture
def pack(library: Library) -> Pack:
    """What a scripted model has learned of two volumes."""
    work = shelve_two_volumes(library)
    read_work(library, work, ScriptedReader())
    return _gathered(library, work)


def _gathered(library: Library, work: WorkId) -> Pack:
    with library._store.read() as r:
        return gather(r, work, "understory")


def _take(library: Library, pack: Pack, *, is_trusted: bool = True, replaces: bool = False) -> PackReport:
    return take_in(library._store, pack, is_trusted=is_trusted, replaces=replaces, key="k")


def _names(library: Library, work: WorkId) -> list[tuple[object, ...]]:
    with library._store.read() as r:
        return r.execute(
            "SELECT p.kind, p.name, p.met_as, p.known_pos, a.form, a.reveal_pos, a.known_pos, a.is_shared,"
            " (SELECT count(*) FROM mention m WHERE m.alias_id = a.id) FROM roster_point p JOIN alias a"
            " ON a.roster_id = p.roster_id AND a.point_id = p.point_id WHERE p.roster_id ="
            " (SELECT max(id) FROM roster WHERE work_id = ? AND state = 'ready') ORDER BY 1, 2, 5",
            (work,),
        ).fetchall()


def _plan(library: Library, work: WorkId) -> list[tuple[str, str]]:
    names = {point.id: point.name for point in library.entities(work, WHOLE)}
    with library._store.read() as r:
        return [(names[point], tier) for point, tier in analyses.plan_of(r, work)]


# there and back


def test_a_pack_brings_the_same_rows_to_another_library(library: Library, other: Library, pack: Pack) -> None:
    first, second = library.works()[0].id, shelve_two_volumes(other)
    report = _take(other, pack)
    assert report.left_out == 0
    assert written(other, second) == written(library, first)
    assert _names(other, second) == _names(library, first)
    assert _plan(other, second) == _plan(library, first)
    assert packed(lines_of(_gathered(other, second))) == packed(lines_of(pack))


def test_a_pack_is_the_same_after_it_was_a_file(pack: Pack, tmp_path: Path) -> None:
    path = tmp_path / "quay.pack"
    path.write_bytes(packed(lines_of(pack)))
    assert pack_from_lines(read_lines(path)) == pack


def test_taken_in_twice_it_is_the_same(other: Library, pack: Pack) -> None:
    work = shelve_two_volumes(other)
    _take(other, pack)
    before = written(other, work), _names(other, work)
    _take(other, pack, replaces=True)
    assert (written(other, work), _names(other, work)) == before


def test_through_the_library_and_its_background_process(
    library: Library, other: Library, pack: Pack, tmp_path: Path
) -> None:
    path = tmp_path / "quay.pack"
    info = library.export_pack(library.works()[0].id, path)
    assert info == library.pack_info(path)
    assert (info.statements, info.models) == (len(pack.statements), ("scripted",))
    work = shelve_two_volumes(other)
    wait_for_names(other)
    job = other.start_pack(path, is_trusted=True)
    while (state := other.jobs([job])[0]).state in (JobState.TODO, JobState.LEASED):
        pass
    report = other.pack_report(state)
    assert report is not None
    assert (report.work, report.statements) == (work, len(pack.statements))
    until_gone = time.monotonic() + PATIENCE_S
    while list((other.paths.data_dir / "packs").iterdir()):
        assert time.monotonic() < until_gone


def test_a_reader_with_the_first_volume_gets_what_stands_in_it(library: Library, other: Library, pack: Pack) -> None:
    work = shelve_volume(other, 1)
    report = _take(other, pack)
    assert report.left_out > 0
    assert {row[0] for row in written(other, work)} & {"notes 0", "notes 1"} == {"notes 0"}


def test_what_she_set_right_holds_for_a_pack_too(library: Library, other: Library, pack: Pack) -> None:
    work = shelve_two_volumes(other)
    orla = point_called(other, work, "Orla Vane")
    other.correct(work, Act(Correction.RENAME, (orla.id,), "The Keeper"), WHOLE)
    _take(other, pack)
    assert "The Keeper" in {point.name for point in other.entities(work, WHOLE)}


def test_a_model_may_read_on_after_a_pack(other: Library, pack: Pack) -> None:
    work = shelve_two_volumes(other)
    _take(other, pack)
    read_work(other, work, ScriptedReader(name="another"), AnalysisRequest())
    with other._store.read() as r:
        origins = {
            origin for (origin,) in r.execute("SELECT DISTINCT origin FROM statement WHERE work_id = ?", (work,))
        }
    assert origins == {"model"}


# what is in it


def test_there_is_nothing_of_the_text_in_it_but_short_quotes(library: Library, pack: Pack) -> None:
    lines = [json.loads(line) for line in lines_of(pack)]
    assert {line["is"] for line in lines} >= {"pack", "book", "writer", "point", "statement", "entry", "end"}
    for each in pack.statements:
        assert all(0 < len(found.link.exact) <= QUOTE_CHARS for found in each.evidence)
    for line in lines:
        line.pop("text", None)  # what the model wrote
    told = json.dumps(lines, ensure_ascii=False)
    paragraphs = [b.text for b in _blocks(library)]
    assert [p for p in paragraphs if len(p) > QUOTE_CHARS * 2 and p[: QUOTE_CHARS * 2] in told] == []


def _blocks(library: Library) -> list[Any]:
    from engine.store.blocks import blocks_of_work

    with library._store.read() as r:
        return [each.block for each in blocks_of_work(r, library.works()[0].id)]


def test_nothing_learned_is_said(library: Library) -> None:
    work = shelve_two_volumes(library)
    with pytest.raises(PackEmptyError, match="analyze"):
        _gathered(library, work)


# whose books


def test_other_books_are_refused(other: Library, pack: Pack) -> None:
    with pytest.raises(PackMismatchError, match="The Quay 1"):
        _take(other, pack)


def test_another_epub_of_the_same_text_will_do(other: Library, pack: Pack) -> None:
    work = shelve_two_volumes(other)
    with other._store.write() as w:
        w.execute("UPDATE book SET sha256 = 'f' || substr(sha256, 2)")
    assert _take(other, pack).left_out == 0
    assert written(other, work)


def test_what_was_read_is_not_replaced_unasked(library: Library, pack: Pack) -> None:
    with pytest.raises(PackInTheWayError, match="--replace"):
        _take(library, pack)


# strangers


def test_a_strangers_word_for_what_was_checked_is_not_taken(other: Library, pack: Pack) -> None:
    work = shelve_two_volumes(other)
    report = _take(other, pack, is_trusted=False)
    rows = written(other, work)
    verdicts = [row[6] for row in rows if len(row) > 6]
    assert {*verdicts} == {"unchecked", "near-copy"}
    assert report.waiting >= verdicts.count("unchecked")


def test_where_a_strangers_names_are_known_is_not_told_by_the_pack(other: Library, pack: Pack) -> None:
    work = shelve_two_volumes(other)
    records = _records(pack)
    for each in records:
        if each["is"] == "point" and each["name"] == "Mirel Dunn":
            each["forms"].append(["the harbour bell of Corrow2", each_link(pack, 0)])
    _take(other, _pack(records), is_trusted=False)
    known = {row[4]: row[5] for row in _names(other, work)}
    assert known["the harbour bell of Corrow2"] == _blocks(other)[-1].pos_end


def test_a_trusted_pack_cannot_hasten_a_name_either(library: Library, other: Library, pack: Pack) -> None:
    work = shelve_two_volumes(other)
    records = _records(pack)
    for each in records:
        if each["is"] == "point" and each["name"] == "Mirel Dunn":
            each["forms"].append(["Corrow2", each_link(pack, 0)])
    _take(other, _pack(records))
    reveal = {row[4]: row[5] for row in _names(other, work)}["Corrow2"]
    block = next(b for b in _blocks(library) if "Corrow2" in b.text)
    assert isinstance(reveal, int)
    assert reveal >= block.pos_end


def each_link(pack: Pack, number: int) -> str:
    return str(next(s for s in pack.statements if s.evidence and s.unit == "notes 0").evidence[number].link)


def test_invented_quotes_are_not_kept(other: Library, pack: Pack) -> None:
    shelve_two_volumes(other)
    records = _records(pack)
    for each in records:
        each["evidence"] = [_forged(link) for link in each["evidence"]] if "evidence" in each else None
        if each["evidence"] is None:
            del each["evidence"]
    report = _take(other, _pack(records))
    assert report.statements == sum("evidence" not in each for each in records if each["is"] == "statement")


def _forged(link: Any) -> str:
    told = link if isinstance(link, str) else link[0]
    return str(told).partition("?q=")[0] + "?q=Nobody%20ever%20said%20this%20at%20all"


def test_a_title_of_a_stranger_locks_no_entry(other: Library, pack: Pack) -> None:
    work = shelve_two_volumes(other)
    records = _records(pack)
    title = next(dict(each) for each in records if each["is"] == "statement" and each.get("point"))
    title |= {"role": "title", "unit": "entry 1 9", "text": "Locked"}
    records.insert(-1, title)
    records[-1]["lines"] += 1
    _take(other, _pack(records), is_trusted=False)
    assert Role.TITLE not in {row[1] for row in written(other, work)}


def _records(pack: Pack) -> list[Record]:
    return [json.loads(line) for line in lines_of(pack)]


def _pack(records: list[Record]) -> Pack:
    return pack_from_lines(json.dumps(each).encode() for each in records)


def _spoil(change: Callable[[list[Record]], object]) -> Callable[[list[Record]], bytes]:
    def spoiled(records: list[Record]) -> bytes:
        change(records)
        return b"".join(json.dumps(each).encode() + b"\n" for each in records)

    return spoiled


def _of(kind: str, **fields: object) -> Callable[[list[Record]], bytes]:
    return _spoil(lambda records: next(each for each in records if each["is"] == kind).update(fields))


_HOSTILE: dict[str, Callable[[list[Record]], bytes]] = {
    "a later version": _of("pack", version=2),
    "another format": _of("pack", format="zip"),
    "no head": _spoil(lambda records: records.pop(0)),
    "no books": _spoil(lambda records: records.__delitem__(slice(1, 3))),
    "no end": _spoil(lambda records: records.pop()),
    "two ends": _spoil(lambda records: records.append(records[-1])),
    "a wrong count": _of("end", lines=3),
    "a line too few": _spoil(lambda records: records.pop(-2)),
    "an unknown field": _of("statement", path="/etc/passwd"),
    "an unknown kind": _of("writer", **{"is": "shell"}),
    "a path for a hash": _of("book", sha256="../../library.db"),
    "a hash in capitals": _of("book", sha256="A" * 64),
    "a point it has not": _of("statement", point=9_999),
    "a huge number": _of("statement", ord=10**30),
    "a negative number": _of("statement", ord=-1),
    "a yes for a number": _of("statement", ord=True),
    "a number for a text": _of("statement", text=7),
    "no text": _of("statement", text=" \t "),
    "a text too long": _of("statement", text="lamp " * 5_000),
    "a role there is not": _of("statement", role="order"),
    "a unit without a name": _of("statement", unit=""),
    "evidence that is no place": _of("statement", evidence=["file:///etc/passwd"]),
    "evidence of another book": _of("statement", evidence=["understory://ffffffffffffffff/0/0-5?q=abc"]),
    "evidence without words": _of("statement", evidence=["understory://1111111111111111/0/0-5"]),
    "a whole chapter as evidence": _of("statement", evidence=["understory://1111111111111111/0/0-999999?q=a"]),
    "words too long": _of("statement", evidence=["understory://1111111111111111/0/0-99?q=" + "a" * 200]),
    "a thousand pieces of evidence": _of("statement", evidence=["understory://1111111111111111/0/0-5?q=abc"] * 1_000),
    "one joined with itself": _spoil(
        lambda records: records.insert(
            -1, {"is": "identity", "a": 1, "b": 1, "basis": "x", "evidence": "u", "known": "u"}
        )
    ),
    "the same field twice": lambda _records: b'{"is":"pack","is":"pack"}\n',
    "a fraction": lambda _records: b'{"is":"pack","version":1.0}\n',
    "a number that is none": lambda _records: b'{"is":"pack","version":NaN}\n',
    "a number of 5 000 digits": lambda _records: b'{"is":"pack","version":' + b"9" * 5_000 + b"}\n",
    "20 000 lists in each other": lambda _records: b'{"is":' + b"[" * 20_000 + b"]" * 20_000 + b"}\n",
    "a list": lambda _records: b"[]\n",
    "no UTF-8": lambda _records: b'{"is":"\xff"}\n',
    "a line without end": lambda _records: b'{"is":"' + b"a" * 1_000_000,
    "nothing": lambda _records: b"",
    "too many lines": lambda _records: b"{}\n" * 300_000,
}


@pytest.mark.parametrize("name", sorted(_HOSTILE))
def test_what_is_no_pack_is_refused_in_a_sentence(pack: Pack, tmp_path: Path, name: str) -> None:
    path = tmp_path / "x.pack"
    path.write_bytes(gzip.compress(_HOSTILE[name](_records(pack))))
    with pytest.raises(PackUnreadableError, match=r"Nothing was changed: .+\."):
        pack_from_lines(read_lines(path))


@pytest.mark.parametrize(
    "held",
    [b"", b"PK\x03\x04", gzip.compress(b"{}\n", mtime=0)[:-9], gzip.compress(b"{}\n", mtime=0) + b"more"],
    ids=["nothing", "a zip", "cut off", "something behind"],
)
def test_what_is_not_even_compressed_is_refused(tmp_path: Path, held: bytes) -> None:
    path = tmp_path / "x.pack"
    path.write_bytes(held)
    with pytest.raises(PackUnreadableError):
        list(read_lines(path))


def test_a_bomb_is_left_before_it_fills_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "bomb.pack"
    with gzip.open(path, "wb", compresslevel=1) as file:
        for _each in range(300):
            file.write(b"\n" * (1 << 20))
    tracemalloc.start()
    with pytest.raises(PackUnreadableError, match="too many lines"):
        list(read_lines(path))
    with pytest.raises(PackUnreadableError, match="no record"):
        pack_from_lines(read_lines(path))
    assert tracemalloc.get_traced_memory()[1] < 20 << 20
    tracemalloc.stop()


def test_what_drives_a_terminal_is_taken_out(pack: Pack) -> None:
    records = _records(pack)
    next(each for each in records if each["is"] == "statement")["text"] = "A \x1b]52;c;ZXZpbA==\x07lamp\u202e."
    read = _pack(records)
    text = next(s.text for s in read.statements)
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "lamp" in text


def test_kinds_a_model_set_right_go_along_if_it_is_trusted(library: Library, other: Library, pack: Pack) -> None:
    first, second = library.works()[0].id, shelve_two_volumes(other)
    mirel = point_called(library, first, "Mirel Dunn").id
    with library._store.write() as w:
        learned.set_kinds(w, first, [(mirel, PointKind.ITEM)])
    told = _gathered(library, first)
    _take(other, told)
    assert point_called(other, second, "Mirel Dunn").kind is PointKind.ITEM
    _take(other, told, is_trusted=False, replaces=True)
    assert point_called(other, second, "Mirel Dunn").kind is PointKind.PERSON
