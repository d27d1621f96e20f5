"""A pack from a stranger who lies in every field tells nothing that was not read, believed or not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.domain.statements import Role, Verdict
from engine.domain.wiki import StatementId
from engine.library import Library
from engine.packs.gathering import gather
from engine.packs.records import Pack, PackStatement
from engine.packs.taking_in import take_in
from engine.paths import paths_under
from engine.spoilers.policy import Mode
from engine.store import analyses, wiki
from tests.planted import VIEWS, leaks, triples
from tests.planting import Planted, plant, tale_ground


def _lying(pack: Pack, *, is_trusted: bool) -> Pack:
    """Say of everything that it was checked, that it is harmless, and that it is told on the first page.

    Of a pack that is believed only what gives itself away by its words: no program sees more than that.
    """
    statements = [replace(s, verdict=Verdict.SUPPORT, is_marked=False, not_before=None) for s in pack.statements]
    early = next(s.evidence for s in sorted(statements, key=_first_place) if s.evidence)
    lead_ins = [
        replace(s, role=role, point=0, links=(), unit=f"{role} {n}", section=f"{role} {n}", evidence=early)
        for n, s in enumerate(statements)
        if not is_trusted or "saw later" in s.text
        for role in (Role.TEASER, Role.RECAP, Role.SUMMARY, Role.VOLUME)
    ]
    return replace(pack, statements=(*statements, *lead_ins))


def _first_place(statement: PackStatement) -> tuple[int, int]:
    return min(((each.link.spine_index, each.link.start) for each in statement.evidence), default=(1 << 30, 0))


@pytest.fixture(scope="module", params=[True, False], ids=["believed", "not believed"])
def planted(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Planted]:
    """Return a library that took such a pack in, made of what is planted in a copy of its work."""
    folder = tmp_path_factory.mktemp("hostile-pack")
    is_trusted = bool(request.param)
    pack = _lying(_packed(folder / "theirs"), is_trusted=is_trusted)
    library = Library(paths_under(folder / "mine" / "home"))
    mine = plant(library, folder / "mine", tale_ground())
    with library._store.write() as w:
        rows = w.execute("SELECT id FROM statement WHERE role <> 'title'").fetchall()  # those lock their entries
        wiki.delete_statements(w, [StatementId(int(str(id_))) for (id_,) in rows])
    report = take_in(library._store, pack, is_trusted=is_trusted, replaces=False, key="k")
    assert report.statements >= 15
    # The mark by which strict veils what was read is the writer's own to give, and this one gives none.
    mine.facts = [replace(fact, is_marked=False) for fact in mine.facts]
    yield mine
    library.close()


def _packed(folder: Path) -> Pack:
    folder.mkdir()
    library = Library(paths_under(folder / "home"))
    theirs = plant(library, folder, tale_ground())
    with library._store.write() as w:
        w.execute("UPDATE statement SET unit = 'notes 0'")
        analyses.set_input_hash(w, theirs.work, "notes 0", "h")
    with library._store.read() as r:
        pack = gather(r, theirs.work, "understory")
    library.close()
    return pack


@pytest.mark.parametrize("seed", range(3))
def test_no_view_shows_what_was_not_read(planted: Planted, seed: int) -> None:
    found = [leak for pos, mode, view in triples(planted, 100, seed) for leak in leaks(planted, pos, mode, view)]
    assert found == []


def test_what_it_tells_is_shown_once_it_was_read(planted: Planted) -> None:
    shown = "".join(view(planted, planted.upto(planted.end), Mode.AUTO).words for view in VIEWS.values())
    told = [fact.marker for fact in planted.facts if fact.kind in ("statement", "hostile") and fact.marker in shown]
    assert len(told) >= 15
