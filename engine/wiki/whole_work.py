"""A work read by models from its first volume to its last: the stages, one after the other, over kept replies.

All of it is a function of the text, the names the rules found, and the replies. So a reading that was killed, paused or
stopped is simply run again: what was answered is taken from the library, and it arrives where it was.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.analysis import relocking
from engine.analysis.asking import Caller, load_prompt
from engine.analysis.drafts import Signed, Teaser, answer_unit, identity_unit, teaser_unit, teasers_of, volume_units
from engine.analysis.evidence import Desk, open_desk
from engine.analysis.judge import CAREFUL_BATCH, LARGE_BATCH, judge_teasers, judge_units
from engine.analysis.ledger import Form, Ledger
from engine.analysis.publishing import Publisher, Unit
from engine.analysis.reading import Reader, Titles
from engine.analysis.style import lint
from engine.analysis.volume_agent import settle_volume
from engine.analysis.volume_tools import VolumeTools
from engine.analysis.windows import WINDOW_TOKENS, Window, cut_windows
from engine.domain.analysis import AnalysisMode, AnalysisRequest, Stage
from engine.domain.book import ChapterKind, WorkId
from engine.domain.knowledge import PointKind
from engine.domain.locator import Pos, pos_of, volume_ord_of
from engine.domain.models import ModelRole
from engine.domain.reading import WorkOutline
from engine.domain.statements import NewStatement, Verdict
from engine.errors import NamesUnknownError
from engine.store import analyses, learned, points, rosters, works
from engine.store.blocks import PlacedBlock, blocks_of_work
from engine.store.orders import orders_of
from engine.store.store import Store
from engine.wiki.architect import plan_wiki
from engine.wiki.belonging import group_unit
from engine.wiki.blueprint import Blueprint, Tier
from engine.wiki.composer import Writing, compose, compose_home
from engine.wiki.dossiers import Dossier, dossiers, topic_dossiers
from engine.wiki.wanted import only_wanted

_NOT_READ = frozenset({ChapterKind.FRONT, ChapterKind.NOTES})
_LEAST_WINDOW = 1_500
_ROOM_FOR_REPLY = 1.8
"""A window's tokens, and its reply's, in those of the window."""
_PROMPT_TOKENS = 4_000

Tell = Callable[[int, int], None]
"""Told (steps done, steps in all)."""


@dataclass(frozen=True, slots=True)
class WorkText:
    """What of a work is read."""

    outline: WorkOutline
    placed: tuple[PlacedBlock, ...]
    """Blocks of the chapters that may be story."""
    titles: Titles
    starts: dict[tuple[int, int], Pos]
    """Where each (volume, chapter) begins."""
    volumes_key: str

    def windows(self, budget_tokens: int) -> list[Window]:
        """Return the windows a model reads it in."""
        return cut_windows(self.placed, budget_tokens)

    def key_upto(self, index: int) -> str:
        """Return what tells the text of the first volumes from another, that of an index included."""
        return "".join(f"{each}," for each in self.volumes_key.split(",")[: index + 1])


def open_text(store: Store, work: WorkId) -> WorkText:
    """Read what of a work a model is shown; seconds for millions of characters."""
    with store.read() as r:
        outline = works.outline(r, work)
        key = rosters.volumes_key(r, work)
        placed = list(blocks_of_work(r, work))
    chapters = {(volume.ord, chapter.ord): chapter for volume in outline.volumes for chapter in volume.chapters}
    left_out = {where for where, chapter in chapters.items() if chapter.kind in _NOT_READ}
    return WorkText(
        outline,
        tuple(each for each in placed if (volume_ord_of(each.block.pos), each.block.chapter) not in left_out),
        Titles({where: chapter.title for where, chapter in chapters.items()}),
        {where: chapter.pos for where, chapter in chapters.items()},
        key,
    )


def window_budget(context_tokens: int) -> int:
    """Return how many tokens of text a model is shown at once."""
    room = int((context_tokens - _PROMPT_TOKENS) / _ROOM_FOR_REPLY)
    return max(_LEAST_WINDOW, min(WINDOW_TOKENS, room))


class WholeWork:
    """One reading of one work."""

    def __init__(
        self,
        store: Store,
        work: WorkId,
        analysis: int,
        request: AnalysisRequest,
        caller: Caller,
        *,
        context_tokens: int = 32_768,
        tell: Tell = lambda _done, _total: None,
    ) -> None:
        """Take what is needed.

        Args:
            store: The library.
            work: What is read.
            analysis: Id of the reading.
            request: How.
            caller: Who asks the models.
            context_tokens: Of the reader's model.
            tell: Told how far it is.
        """
        self._store = store
        self._work = work
        self._analysis = analysis
        self._request = request
        self._caller = caller
        self._budget = window_budget(context_tokens)
        self._is_careful = request.mode is AnalysisMode.QUALITY
        self._batch_size = CAREFUL_BATCH if self._is_careful else LARGE_BATCH
        self._tell = tell
        self._steps = [0, 0]
        self._teasers: list[tuple[int, Signed, list[Teaser]]] = []
        self._judged: dict[int, NewStatement] = {}
        """Notes that were held against the text, by number."""

    def run(self) -> None:
        """Read, plan, write, judge, publish.

        Raises:
            NamesUnknownError: the names of the work as it stands have not been found yet.
            AnalysisStopped: it was given up; run it again to go on.
            SpendingStoppedError, ModelError: it cannot go on; run it again when it can.
            LibraryUnavailableError: the library cannot be written.
        """
        text, publisher = self._open()
        language = self._request.language or text.outline.language or "en"
        ledger = Ledger()
        windows = text.windows(self._budget)
        volumes = [volume.ord for volume in text.outline.volumes]
        self._steps = [0, len(windows) + len(volumes) + 2]
        reader = Reader(self._caller, publisher.desk, ledger, text.titles, language, is_brief=not self._is_careful)
        for index, volume in enumerate(volumes):
            self._seed(ledger, text, index, volume)
            first_new = len(ledger.notes) + 1
            mine = [window for window in windows if window.volume == volume]
            self._read(reader, mine, volume)
            if mine:
                self._settle(ledger, publisher.desk, text, volume, first_new, language)
                self._publish_volume(publisher, ledger, text, volume)
            self._step()
        self._write_wiki(publisher, ledger, len(volumes), language)
        publisher.forget_points()
        # Only now all names are known that a teaser might give away.
        for volume, by, teasers in self._teasers:
            publisher.publish(teaser_unit(teasers, publisher.desk, volume, by))
        publisher.clear_others()
        self._relock(publisher)
        self._step()

    def _open(self) -> tuple[WorkText, Publisher]:
        text = open_text(self._store, self._work)
        with self._store.read() as r:
            roster = points.visible_roster(r, self._work)
            if roster is None or not rosters.is_current(r, self._work):
                raise NamesUnknownError(self._work)
            desk = open_desk(r, self._work, roster)
        return text, Publisher(self._store, self._work, roster, desk)

    # Reading

    def _seed(self, ledger: Ledger, text: WorkText, index: int, volume: int) -> None:
        """Put the names of the rules into the ledger as they were when the volume was first read."""
        key = text.key_upto(index)
        with self._store.read() as r:
            kept = analyses.seed_of(r, self._work, volume, key)
            roster = points.visible_roster(r, self._work)
            ruled = learned.ruled_points(r, roster) if kept is None and roster is not None else []
        if kept is None:
            end = pos_of(volume + 1, 0)
            seeds = [
                [each.kind, each.name, [[form, pos] for form, pos in each.forms if pos <= end]]
                for each in ruled
                if each.forms[0][1] <= end
            ]
            kept = json.dumps(seeds, ensure_ascii=False)
            with self._store.write() as w:
                analyses.set_seed(w, self._work, volume, key, kept)
        for kind, name, forms in json.loads(kept):
            _put_seed(ledger, PointKind(kind), name, [Form(form, pos) for form, pos in forms])

    def _read(self, reader: Reader, windows: Sequence[Window], volume: int) -> None:
        before = Counter(reader.done.counters)
        for number, window in enumerate(windows, 1):
            reader.read(window)
            self._stage(Stage.READ, volume, number, len(windows), reader.done.counters - before)
            self._step()

    def _settle(self, ledger: Ledger, desk: Desk, text: WorkText, volume: int, first_new: int, language: str) -> None:
        tools = VolumeTools(ledger, desk, volume, first_new, pos_of(volume + 1, 0))
        rounds = settle_volume(self._caller, tools, text.titles, language, self._request.mode)
        self._stage(Stage.VOLUME, volume, 1, 1, {"rounds": rounds, "faults": tools.faults})

    def _publish_volume(self, publisher: Publisher, ledger: Ledger, text: WorkText, volume: int) -> None:
        by = Signed(self._caller.model_name(ModelRole.READER), load_prompt("read").revision)
        self._confirm_identities(ledger, publisher.desk, volume, by)
        publisher.publish_points(ledger)
        notes, course = volume_units(ledger, volume, by)
        if self._is_careful:
            self._judge(publisher.desk, [notes, course], volume)
            self._judged |= {draft.statement.ord: draft.statement for draft in notes.drafts}
            ledger.keep_judged(volume, {n: each.text for n, each in self._judged.items()})
        else:
            self._judge(publisher.desk, [course], volume)
        told = teasers_of(ledger, volume, text.starts)
        safe = judge_teasers(self._caller, f"{volume}", [(each.text, each.happens) for each in told])
        self._teasers.append((volume, by, [each for each, is_safe in zip(told, safe, strict=True) if is_safe]))
        answers = answer_unit(ledger, volume, by)
        judge_units(self._caller, publisher.desk, [answers], answers.key, size=self._batch_size)
        for unit in (notes, course, answers):
            publisher.publish(unit)

    def _confirm_identities(self, ledger: Ledger, desk: Desk, volume: int, by: Signed) -> None:
        """Let a judge look at each claim that two are one; what is not borne out joins nobody."""
        unit, claims = identity_unit(ledger, volume, by)
        judge_units(self._caller, desk, [unit], unit.key, mends=False, size=self._batch_size)
        confirmed = {d.statement.ord for d in unit.drafts if d.statement.verdict is Verdict.SUPPORT}
        for number, identity in enumerate(claims):
            identity.stands = number in confirmed

    # Writing

    def _write_wiki(self, publisher: Publisher, ledger: Ledger, volumes: int, language: str) -> None:
        with self._store.read() as r:
            batches = analyses.batches(r, self._work, self._request, volumes)
            asked = orders_of(r, self._work)
        planned = Blueprint()
        first = 0
        for batch, upto in enumerate(batches):
            planned = plan_wiki(self._caller, ledger, upto, planned, language)
            self._stage(Stage.PLAN, -1, batch + 1, len(batches), _size_of(planned))
            is_brief = not self._is_careful
            wanted = dossiers(ledger, planned, first, upto, is_brief=is_brief)
            wanted += topic_dossiers(ledger, planned.topics, first, upto, is_brief=is_brief)
            if not self._is_careful:
                wanted = [each for each in wanted if each.tier is not Tier.LOCAL]
            writing = Writing(ledger, batch, upto, language, self._judged, searches=self._is_careful)
            units = compose(self._caller, writing, wanted)
            if not batch:
                units.append(compose_home(self._caller, ledger, language))
            self._stage(Stage.WRITE, -1, len(units), len(units), _style_of(units, language))
            self._judge(publisher.desk, units, -1)
            for unit in units:
                publisher.publish(unit)
            # By itself, so that what was planned is asked and judged in the same calls as without it.
            more = only_wanted(planned, ledger, asked)
            topics = topic_dossiers(ledger, (*planned.topics, *more.topics), first, upto)
            titles = {topic.title for topic in more.topics}
            asked_for = [*dossiers(ledger, more, first, upto), *(each for each in topics if each.title in titles)]
            self._write_asked(publisher, writing, asked_for)
            first = upto
        self._publish_plan(publisher, ledger, planned, only_wanted(planned, ledger, asked))
        self._step()

    def _write_asked(self, publisher: Publisher, writing: Writing, wanted: Sequence[Dossier]) -> None:
        """Write what a reader has asked for."""
        units = compose(self._caller, writing, wanted)
        if units:
            judge_units(self._caller, publisher.desk, units, "asked", size=self._batch_size)
        for unit in units:
            publisher.publish(unit)

    def _publish_plan(self, publisher: Publisher, ledger: Ledger, planned: Blueprint, asked: Blueprint) -> None:
        by = Signed(self._caller.model_name(ModelRole.WRITER), load_prompt("plan").revision)
        groups = group_unit(ledger, planned.groups, by)
        judge_units(self._caller, publisher.desk, [groups], groups.key, mends=False, size=self._batch_size)
        publisher.publish(groups)
        with self._store.write() as w:
            entries = (*planned.entries, *asked.entries)
            ids = [(point.point, e.tier) for e in entries if (point := ledger.resolve(e.number)) is not None]
            analyses.set_plan(w, self._work, [(id_, tier) for id_, tier in ids if id_ is not None])

    def _judge(self, desk: Desk, units: Sequence[Unit], volume: int) -> None:
        counts = judge_units(self._caller, desk, units, units[0].key if units else "", size=self._batch_size)
        self._stage(Stage.JUDGE, volume, len(units), len(units), counts)

    def _relock(self, publisher: Publisher) -> None:
        """Compute every unlock anew: names that came with a later volume may stand in what was written before."""
        with self._store.read() as r:
            planned, gone = relocking.plan(r, self._work, publisher.desk)
        relocking.delay(self._store, planned, gone)
        relocking.settle(self._store, planned)

    # Progress

    def _stage(self, stage: Stage, volume: int, done: int, total: int, counters: Counter[str] | dict[str, int]) -> None:
        with self._store.write(bulk=True) as w:
            analyses.set_stage(w, self._analysis, stage, volume, done, total, counters)

    def _step(self) -> None:
        self._steps[0] += 1
        self._tell(*self._steps)


def _put_seed(ledger: Ledger, kind: PointKind, name: str, forms: list[Form]) -> None:
    """Add a point of the rules, or its further names to the one that is here already."""
    wanted = {form.form for form in forms}
    same = [p for p in ledger.points.values() if p.ruled_kind is kind and any(form.form in wanted for form in p.forms)]
    # A reader may have given one of its names to another as well: who shares most of them is meant.
    same.sort(key=lambda p: (-len(wanted & {form.form for form in p.forms}), p.name != name, p.number))
    # One that was merged into another comes back as that other.
    known = ledger.resolve(same[0].number) if same else ledger.called(kind, wanted)
    if known is None:
        ledger.add_point(kind, name, forms).ruled_kind = kind
        return
    have = {form.form for form in known.forms}
    known.forms += [form for form in forms if form.form not in have]


def _style_of(units: Sequence[Unit], language: str) -> dict[str, int]:
    """Return how often what was written breaks the style, and of how many sentences."""
    counts: Counter[str] = Counter()
    for unit in units:
        for draft in unit.drafts:
            counts["sentences"] += 1
            counts.update(f"style_{each}" for each in lint(draft.statement.text, language))
    return dict(counts)


def _size_of(planned: Blueprint) -> dict[str, int]:
    return {"entries": len(planned.entries), "groups": len(planned.groups), "topics": len(planned.topics)}
