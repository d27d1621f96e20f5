"""The gate for what is written: quotations found by the program, unlocks computed from the words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.analysis.evidence import Desk, KnownName
from engine.domain.book import DocumentId, WorkId
from engine.domain.locator import Locator
from engine.domain.statements import NewStatement, Quote, QuoteHow, Role, ShownStatement, Verdict
from engine.domain.wiki import Plain, PointId, Revealed, StatementId, Veil
from engine.errors import PlaceUnknownError
from engine.library import Library
from engine.paths import paths_under
from engine.spoilers import masks
from engine.spoilers.policy import END, FRONTIER, WHOLE, Mode, Upto
from engine.store.blocks import PlacedBlock
from tests.builders import make_text_blocks
from tests.knowledge import know, named, place_of, point_called, shelve_story, upto_words, write_statement

_DOCUMENT = DocumentId(5)
_PARAGRAPHS = (
    "“You kept the lamp burning,” said the Stationmaster.",
    "Outside, the 6.40 for Corrow stood with its doors open.",
    "Nobody was boarding.",
    "她把那盏灯点亮了，又轻轻吹灭。",
    "千景は﻿ﾗﾝﾌﾟを消した。",
    "The lamp went out at midnight, and nobody lit it again.",
    "Dawn.",
    "Sixth\tHomeward\tVane\tsilent",
    "潮来我知，\n 潮去我归。",
)


def _desk(*paragraphs: str, names: tuple[KnownName, ...] = (), met: dict[PointId, int] | None = None) -> Desk:
    blocks = make_text_blocks(*(paragraphs or _PARAGRAPHS))
    placed = [PlacedBlock(block, _DOCUMENT, block.pos) for block in blocks]
    return Desk(placed, names, met or {}, blocks[-1].pos_end)


def _start(paragraph: int) -> int:
    return sum(len(text) + 1 for text in _PARAGRAPHS[:paragraph])


@pytest.mark.parametrize(
    ("paragraph", "quote", "how"),
    [
        (0, "kept the lamp burning", QuoteHow.EXACT),
        (0, "Kept the lamp burning", QuoteHow.FOLDED),
        (0, '"You kept the lamp', QuoteHow.FOLDED),
        (3, "那盞燈點亮了", QuoteHow.FOLDED),
        (4, "ランプを消した", QuoteHow.FOLDED),
        (0, "You kept the lamb burning", QuoteHow.FUZZY),
        (1, "stood with its door open", QuoteHow.FUZZY),
        (7, "Homeward Vane silent", QuoteHow.FOLDED),
        (8, "知， 潮去我归", QuoteHow.FOLDED),
    ],
)
def test_a_quotation_is_found_in_its_paragraph(paragraph: int, quote: str, how: QuoteHow) -> None:
    found = _desk().find(Quote(_DOCUMENT, _start(paragraph) + 3, quote))
    assert found is not None
    assert found.how is how
    assert _start(paragraph) <= found.start < found.end <= found.pos_end == _start(paragraph + 1) - 1
    assert found.quote in _PARAGRAPHS[paragraph]


@pytest.mark.parametrize(("near", "is_found"), [(0, True), (1, True), (4, True), (5, False), (6, False)])
def test_a_quotation_may_stand_two_paragraphs_off_and_no_further(near: int, is_found: bool) -> None:
    found = _desk().find(Quote(_DOCUMENT, _start(near), "Nobody was boarding"))
    assert (found is not None) is is_found


def test_the_nearest_of_two_places_is_taken() -> None:
    found = _desk("the lamp", "x", "the lamp").find(Quote(_DOCUMENT, 11, "the lamp"))
    assert found is not None
    assert found.start == 11


@pytest.mark.parametrize("quote", ["", "  ", "。", "?!", "x", "the dragon of the north", "灯油"])
def test_what_is_not_in_the_text_is_no_evidence(quote: str) -> None:
    assert _desk().find(Quote(_DOCUMENT, 0, quote)) is None


def test_a_quotation_of_a_document_elsewhere_is_none() -> None:
    assert _desk().find(Quote(DocumentId(99), 0, "Nobody was boarding")) is None


_A, _B = PointId(1), PointId(2)
_FILLER = [f"Day {n} was like the others at the signal house." for n in range(150)]
_LATE = 20_000
_NAMES = (
    KnownName("Ilse", _A, 40),
    KnownName("Keeper", _A, 9000),
    KnownName("Vale", _A, 300),
    KnownName("Vale", _B, 700),
)


def _unlock(statement: NewStatement, desk: Desk | None = None, *, own_pos: int = 0) -> int:
    desk = desk or _desk("Ilse kept the lamp at the signal house.", *_FILLER, "A ledger was hidden.", names=_NAMES,
                         met={_A: 40, _B: 700})  # fmt: skip
    found = [each for quote in statement.quotes if (each := desk.find(quote)) is not None]
    return desk.unlock(statement, found, own_pos=own_pos)


_QUOTE = (Quote(_DOCUMENT, 0, "kept the lamp"),)
_BLOCK_END = len("Ilse kept the lamp at the signal house.")


def _verified(text: str, **more: object) -> NewStatement:
    return NewStatement(text, quotes=_QUOTE, verdict=Verdict.SUPPORT, **more)  # type: ignore[arg-type]  # fields of it


def test_a_statement_unlocks_at_the_end_of_its_evidences_block() -> None:
    assert _unlock(_verified("It was kept.")) == _BLOCK_END


def test_a_name_shown_delays_to_where_it_is_known() -> None:
    assert _unlock(_verified("The Keeper kept it.")) == 9000


def test_a_name_inside_a_word_is_not_shown() -> None:
    assert _unlock(_verified("Keepers kept it.")) == _BLOCK_END


def test_the_point_it_is_about_must_be_met() -> None:
    assert _unlock(_verified("It was kept.", point=_B)) == 700


def test_a_point_it_links_must_be_met() -> None:
    assert _unlock(_verified("It was kept.", links=(_B,))) == 700


def test_a_point_nobody_knows_keeps_it_for_ever() -> None:
    assert _unlock(_verified("It was kept.", point=PointId(99))) == END


@pytest.mark.parametrize(("links", "unlock"), [((), 700), ((_A,), 300), ((_B,), 700), ((_A, _B), 700)])
def test_whom_a_shared_name_means_follows_from_its_links(links: tuple[PointId, ...], unlock: int) -> None:
    assert _unlock(_verified("Vale kept it.", links=links)) == unlock


def test_a_rare_word_delays_to_where_it_first_stands() -> None:
    assert _unlock(_verified("They hid ledgers.")) == _LEDGER_END


_LEDGER_END = _BLOCK_END + 1 + sum(len(text) + 1 for text in _FILLER) + len("A ledger")


def test_the_writers_own_mark_delays() -> None:
    assert _unlock(_verified("It was kept."), own_pos=500) == 500
    assert _unlock(_verified("It was kept."), own_pos=5) == _BLOCK_END


_END = _LEDGER_END + len(" was hidden.")


@pytest.mark.parametrize("verdict", [Verdict.UNCHECKED, Verdict.UNKNOWN, Verdict.CONFLICT])
def test_what_nobody_has_verified_waits_for_the_end_of_the_text(verdict: Verdict) -> None:
    assert _unlock(NewStatement("It was kept.", quotes=_QUOTE, verdict=verdict)) == _END


def test_what_has_no_evidence_waits_for_the_end() -> None:
    assert _unlock(NewStatement("It was kept.", verdict=Verdict.SUPPORT)) == _END


@pytest.mark.parametrize(
    "text",
    ["He never came.", "No one came.", "他再也没有回来。", "她從未說過。", "誰も来なかった。", "二度と会わない。"],
)
def test_what_speaks_of_absence_waits_for_the_end(text: str) -> None:
    assert _unlock(_verified(text)) == _END


@pytest.mark.parametrize(
    ("text", "given", "verdict"),
    [
        ("Ilse kept the lamp at the signal house.", Verdict.UNCHECKED, Verdict.NEAR_COPY),
        ("kept the lamp at the signal house", Verdict.UNCHECKED, Verdict.NEAR_COPY),
        ("She was its keeper for years.", Verdict.UNCHECKED, Verdict.UNCHECKED),
        ("She was its keeper for years.", Verdict.NEAR_COPY, Verdict.UNCHECKED),  # the writer's word is not enough
        ("She was its keeper for years.", Verdict.SUPPORT, Verdict.SUPPORT),
        ("Ilse kept the lamp at the signal house.", Verdict.CONFLICT, Verdict.CONFLICT),
        ("Ilse", Verdict.UNCHECKED, Verdict.UNCHECKED),  # too short to be told from chance
    ],
)
def test_what_copies_its_evidence_needs_no_judge(text: str, given: Verdict, verdict: Verdict) -> None:
    desk = _desk("Ilse kept the lamp at the signal house.")
    found = desk.find(_QUOTE[0])
    assert found is not None
    assert desk.judge(NewStatement(text, verdict=given), [found]).verdict is verdict


# In the library


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    library = Library(paths_under(tmp_path / "home"))
    yield library
    library.close()


@pytest.fixture
def work(library: Library) -> WorkId:
    work = shelve_story(library, ["Ilse kept the lamp.", "The lamp burned all night."], ["Oren stole a ledger."])
    know(library, work, named("Ilse"), named("Oren"))
    return work


def _write(library: Library, work: WorkId, text: str, quoted: str, **more: object) -> StatementId:
    document, at = place_of(library, work, quoted)
    ilse = point_called(library, work, "Ilse").id
    fields = {"point": ilse, "verdict": Verdict.SUPPORT, **more}
    return write_statement(library, work, NewStatement(text, quotes=(Quote(document, at, quoted),), **fields))  # type: ignore[arg-type]  # fields of it


def _read(library: Library, work: WorkId, upto: Upto, mode: Mode | None = None, **more: object) -> list[ShownStatement]:
    ilse = point_called(library, work, "Ilse").id
    revealed = more.get("revealed", frozenset())
    assert isinstance(revealed, frozenset)
    return list(library.statements(work, ilse, revealed, upto, mode))


def test_a_statement_is_veiled_until_its_unlock(library: Library, work: WorkId) -> None:
    _write(library, work, "It burned.", "burned all night")
    [before] = _read(library, work, upto_words(library, work, "The lamp burned all"))
    [after] = _read(library, work, upto_words(library, work, "The lamp burned all night."))
    assert before.run == Veil(before.id, len("It burned."), "chapter 1")
    assert before.evidence == ()
    assert after.run == Plain("It burned.")
    assert [each.quote for each in after.evidence] == ["burned all night"]


def test_strict_veils_at_one_length_and_says_no_chapter(library: Library, work: WorkId) -> None:
    _write(library, work, "It burned.", "burned all night")
    [veiled] = _read(library, work, upto_words(library, work, "Ilse kept"), Mode.STRICT)
    assert veiled.run == Veil(veiled.id, masks.STRICT_VEIL_CHARS)


@pytest.mark.parametrize(("mode", "is_veiled"), [(Mode.OFF, False), (Mode.AUTO, False), (Mode.STRICT, True)])
def test_a_marked_run_stays_veiled_in_strict(library: Library, work: WorkId, mode: Mode, is_veiled: bool) -> None:
    _write(library, work, "It burned.", "burned all night", is_marked=True)
    [shown] = _read(library, work, WHOLE, mode)
    assert isinstance(shown.run, Veil) is is_veiled


def test_off_shows_what_is_not_read(library: Library, work: WorkId) -> None:
    _write(library, work, "Oren stole it.", "Oren stole a ledger")
    [shown] = _read(library, work, FRONTIER, Mode.OFF)
    assert shown.run == Plain("Oren stole it.")


def test_a_reveal_is_a_call_that_is_written_down(library: Library, work: WorkId) -> None:
    id_ = _write(library, work, "Oren stole it.", "Oren stole a ledger")
    upto = upto_words(library, work, "Ilse kept")
    [without_call] = _read(library, work, upto, revealed=frozenset({id_}))
    assert isinstance(without_call.run, Veil)
    assert library.reveal(work, id_, upto) == Revealed(id_, "Oren stole it.")
    [asked] = _read(library, work, upto, revealed=frozenset({id_}))
    [not_asked] = _read(library, work, upto)
    assert asked.run == Revealed(id_, "Oren stole it.")
    assert isinstance(not_asked.run, Veil)
    with library._store.read() as r:
        assert r.execute("SELECT statement_id FROM reveal").get == id_


def test_a_statement_of_another_work_cannot_be_revealed(library: Library, work: WorkId) -> None:
    id_ = _write(library, work, "Oren stole it.", "Oren stole a ledger")
    other = shelve_story(library, ["Else."], sha256="b" * 64)
    with pytest.raises(PlaceUnknownError):
        library.reveal(other, id_, WHOLE)


def test_a_statement_about_somebody_not_met_cannot_be_revealed(library: Library, work: WorkId) -> None:
    oren = point_called(library, work, "Oren").id
    id_ = _write(library, work, "He stole it.", "Oren stole a ledger", point=oren)
    with pytest.raises(PlaceUnknownError):
        library.reveal(work, id_, upto_words(library, work, "Ilse kept"))
    assert library.reveal(work, id_, WHOLE).text == "He stole it."


def test_nothing_is_read_about_somebody_not_met(library: Library, work: WorkId) -> None:
    oren = point_called(library, work, "Oren").id
    _write(library, work, "He stole it.", "Oren stole a ledger", point=oren)
    assert library.statements(work, oren, upto=upto_words(library, work, "Ilse kept")) == ()


def test_statements_about_the_work_stand_alone(library: Library, work: WorkId) -> None:
    _write(library, work, "It burned.", "burned all night", point=None, role=Role.SUMMARY)
    [summary] = library.statements(work, upto=WHOLE)
    assert (summary.point, summary.role, summary.run) == (None, Role.SUMMARY, Plain("It burned."))


def test_a_section_is_told_by_number_alone(library: Library, work: WorkId) -> None:
    for section in ("The Theft", "The Theft", "The Night"):
        _write(library, work, "It burned.", "burned all night", section=section)
    assert [shown.section for shown in _read(library, work, FRONTIER, Mode.OFF)] == [0, 0, 1]


def test_the_writers_own_place_counts(library: Library, work: WorkId) -> None:
    document, at = place_of(library, work, "stole")
    _write(library, work, "It burned.", "burned all night", not_before=Locator(document, at, at + 5))
    assert isinstance(_read(library, work, upto_words(library, work, "Oren st"))[0].run, Veil)
    assert _read(library, work, upto_words(library, work, "Oren stole"))[0].run == Plain("It burned.")


def test_an_own_place_outside_the_work_is_refused(library: Library, work: WorkId) -> None:
    with pytest.raises(PlaceUnknownError):
        _write(library, work, "It.", "burned", not_before=Locator(DocumentId(99), 0, 1))
