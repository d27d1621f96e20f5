"""Stage 4: entries written from the notes about a point; every sentence rests on notes, or is not taken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.analysis.asking import Answer, Caller, Request, fenced, load_prompt, said, tool_result, user
from engine.analysis.content import content_words
from engine.analysis.ledger import Found, Ledger
from engine.analysis.publishing import Draft, Dropped, Unit, ids_of, quotes_of
from engine.domain.models import ModelRole
from engine.domain.statements import NewStatement, Role, Verdict
from engine.domain.wiki import PointId
from engine.providers.protocols import Message
from engine.text.names import name_spans
from engine.text.sanitize import sanitize
from engine.wiki.blueprint import Tier
from engine.wiki.dossiers import Dossier, note_row
from engine.wiki.entry_lines import Composed, cited_notes, parse_entries
from engine.wiki.note_search import SEARCH, search_notes

_LOCALS_AT_ONCE = 5
_OUTPUT_TOKENS = {Tier.CORE: 1_500, Tier.SUPPORTING: 500, Tier.LOCAL: 120, Tier.TOPIC: 350}
_SEARCHES: Mapping[Tier, int] = {Tier.CORE: 5, Tier.SUPPORTING: 2}
"""Rounds before the one in which an entry has to be written."""

Judged = Mapping[int, NewStatement]
"""Notes as they stand once they were held against the text, by number."""


@dataclass(frozen=True, slots=True)
class Writing:
    """What a reading writes with."""

    ledger: Ledger
    batch: int
    """0 for the first reading of a work, 1 for what the next adds ..."""
    upto_volume: int
    language: str
    judged: Judged
    searches: bool
    """Writers may search."""


@dataclass(slots=True)
class _Talk:
    """One call, or several rounds with what was searched for."""

    wanted: list[Dossier]
    messages: list[Message]
    searches_left: int
    answer: Answer | None = None

    def request(self, batch: int) -> Request:
        """Return its next question."""
        output = sum(_OUTPUT_TOKENS[dossier.tier] for dossier in self.wanted)
        rounds = len(self.messages) // 2
        unit = f"{batch} {' '.join(d.key for d in self.wanted)}{f' round {rounds + 1}' if rounds else ''}"
        tools = (SEARCH,) if self.searches_left else ()
        return Request(
            "write", unit, ModelRole.WRITER, load_prompt("write"), tuple(self.messages), tools, output_tokens=output
        )


def compose(caller: Caller, writing: Writing, wanted: Sequence[Dossier]) -> list[Unit]:
    """Have entries and topics written, several at a time; one that cannot be written is left out.

    Raises:
        AnalysisStopped, SpendingStoppedError: as `Caller.ask`.
    """
    talks = [_talk(writing, some) for some in _calls(wanted)]
    waiting = talks
    while waiting:
        answers = caller.ask_all([talk.request(writing.batch) for talk in waiting])
        going_on = []
        for talk, answer in zip(waiting, answers, strict=True):
            if isinstance(answer, Answer):
                talk.answer = answer
                if answer.tool_calls and talk.searches_left:
                    _search(writing, talk, answer)
                    going_on.append(talk)
            elif answer.is_temporary:
                raise answer
        waiting = going_on
    return [unit for talk in talks if talk.answer is not None for unit in _units(writing, talk.wanted, talk.answer)]


def _calls(wanted: Sequence[Dossier]) -> Iterator[list[Dossier]]:
    locals_ = [dossier for dossier in wanted if dossier.tier is Tier.LOCAL]
    for dossier in wanted:
        if dossier.tier is not Tier.LOCAL:
            yield [dossier]
    for first in range(0, len(locals_), _LOCALS_AT_ONCE):
        yield locals_[first : first + _LOCALS_AT_ONCE]


def _talk(writing: Writing, some: list[Dossier]) -> _Talk:
    words = [f"Write in: {writing.language}."]
    for dossier in some:
        rows = [dossier.title, *(note_row(writing.ledger, note) for note in dossier.notes.values())]
        more = " It is written already: write only what these new notes add, in new sections." if writing.batch else ""
        box = f" Fact box: {', '.join(dossier.labels)}." if dossier.labels and dossier.tier is not Tier.LOCAL else ""
        words += [f"Entry {dossier.key}, {dossier.tier}.{box}{more}", fenced("\n".join(rows))]
    searches = _SEARCHES.get(some[0].tier, 0) if writing.searches else 0
    return _Talk(some, [user("\n".join(words))], searches)


def _search(writing: Writing, talk: _Talk, answer: Answer) -> None:
    """Carry the searches of a reply out; what they find may be cited from now on."""
    talk.searches_left -= 1
    talk.messages.append(said(answer))
    for call in answer.tool_calls:
        found = search_notes(writing.ledger, call, writing.upto_volume)
        for dossier in talk.wanted:
            dossier.notes |= {note.number: note for note in found}
        rows = "\n".join(note_row(writing.ledger, note) for note in found)
        talk.messages.append(tool_result(call, fenced(rows or "nothing found")))


def _units(writing: Writing, some: Sequence[Dossier], answer: Answer) -> Iterator[Unit]:
    written = parse_entries(answer.text, some)
    for dossier in some:
        composed = written.get(dossier.key)
        if composed is not None and dossier.point is None:
            yield _topic_unit(writing, dossier, composed, answer)
        elif composed is not None:
            yield _unit(writing, dossier, composed, answer)


def _unit(writing: Writing, dossier: Dossier, composed: Composed, answer: Answer) -> Unit:
    point = None if dossier.point is None else dossier.point.point
    name = "" if dossier.point is None else dossier.point.name
    batch = writing.batch
    unit = Unit(f"entry {dossier.key[1:]} {batch}")
    base = batch * 10_000

    def add(text: str, role: Role, section: str, found: Found, verdict: Verdict = Verdict.UNCHECKED) -> None:
        links = ids_of(writing.ledger, named_in(writing.ledger, text, dossier))
        statement = NewStatement(
            text, role, point, f"{batch} {section}", base + len(unit.drafts), quotes_of(found), links, verdict=verdict
        )
        subject = name if role is Role.CELL or not _is_named(dossier, text) else ""
        unit.drafts.append(Draft(statement, answer.model, answer.prompt_rev, subject))

    for text, found in composed.summary:
        add(text, Role.SUMMARY if not batch else Role.SENTENCE, "summary", found)
    for label, value, found in composed.cells:
        add(f"{label}\t{value}", Role.CELL, "cells", found)
    for number, (heading, sentences) in enumerate(composed.sections):
        if not sentences:
            continue
        if heading:
            add(heading, Role.HEADING, str(number), ground_of_heading(heading, sentences), Verdict.SUPPORT)
        for text, found in sentences:
            add(text, Role.SENTENCE, str(number), found)
    unit.drafts += _nodes(writing, composed, point, answer, base + len(unit.drafts))
    unit.dropped += [Dropped(point, text, "no note bears it out") for text in composed.groundless]
    return unit


def _is_named(dossier: Dossier, text: str) -> bool:
    """Say whether a sentence names whom its page is about: a judge would not know who "she" is."""
    forms = () if dossier.point is None else dossier.point.forms
    return any(next(name_spans(text, form.form), None) for form in forms)


def _nodes(
    writing: Writing, composed: Composed, point: PointId | None, answer: Answer, first_ord: int
) -> Iterator[Draft]:
    """Yield the turns of somebody's story, in the words of the notes that mark them."""
    for ord_, number in enumerate(dict.fromkeys(composed.nodes), first_ord):
        note = writing.judged.get(number)
        if note is not None and note.verdict is not Verdict.UNKNOWN:
            about = (*note.links, note.point) if note.point is not None else note.links
            links = tuple(dict.fromkeys(each for each in about if each != point))
            node = replace(note, role=Role.NODE, point=point, section="nodes", ord=ord_, links=links)
            yield Draft(node, answer.model, answer.prompt_rev)


def _topic_unit(writing: Writing, dossier: Dossier, composed: Composed, answer: Answer) -> Unit:
    """Return a topic as a section of the first page."""
    unit = Unit(f"topic {dossier.title} {writing.batch}")
    sentences = [*composed.summary, *(each for _heading, some in composed.sections for each in some)]
    section = f"topic {dossier.key} {writing.batch}"
    base = writing.batch * 10_000 + int(dossier.key[1:]) * 100
    heading = NewStatement(
        dossier.title, Role.HEADING, None, section, base, quotes_of(ground_of_heading(dossier.title, sentences)),
        verdict=Verdict.SUPPORT,
    )  # fmt: skip
    unit.drafts.append(Draft(heading, answer.model, answer.prompt_rev))
    for ord_, (text, found) in enumerate(sentences, base + 1):
        links = ids_of(writing.ledger, named_in(writing.ledger, text, dossier))
        statement = NewStatement(text, Role.SENTENCE, None, section, ord_, quotes_of(found), links)
        unit.drafts.append(Draft(statement, answer.model, answer.prompt_rev))
    unit.dropped += [Dropped(None, text, "no note bears it out") for text in composed.groundless]
    return unit


def named_in(ledger: Ledger, text: str, dossier: Dossier) -> Iterator[int]:
    """Yield the other points of a dossier that a sentence names."""
    about = dict.fromkeys(n for note in dossier.notes.values() for n in (note.point, *note.others))
    for number in about:
        point = ledger.resolve(number)
        if point is None or point is dossier.point:
            continue
        if any(next(name_spans(text, form.form), None) for form in point.forms):
            yield point.number


def ground_of_heading(heading: str, sentences: Sequence[tuple[str, Found]]) -> Found:
    """Return what a heading rests on: the first sentences of its section, as many as say all its words, else all."""
    words = content_words(heading)
    told: list[str] = []
    found: Found = ()
    for text, evidence in sentences:
        told += [text, *(each.quote for each in evidence)]
        found = tuple(dict.fromkeys((*found, *evidence)))
        if words <= content_words(" ".join(told)):
            break
    return found


def compose_home(caller: Caller, ledger: Ledger, language: str) -> Unit:
    """Have the introduction of the wiki written, from the summary of the first volume."""
    unit = Unit("home")
    lines = ledger.summaries.get(min(ledger.summaries, default=0), [])
    if not lines:
        return unit
    rows = "\n".join(f"n{number} {line.text}" for number, line in enumerate(lines, 1))
    words = f"Write in: {language}.\n{fenced(rows)}"
    request = Request("write", "home", ModelRole.WRITER, load_prompt("home"), (user(words),), output_tokens=300)
    [answer] = caller.ask_all([request])
    if not isinstance(answer, Answer):
        return unit
    for raw in sanitize(answer.text).split("\n"):
        line = raw.strip()
        text, numbers = cited_notes(line[1:].strip())
        if line.startswith(".") and text and numbers and all(1 <= n <= len(lines) for n in numbers):
            quotes = quotes_of(*(lines[n - 1].found for n in numbers))
            statement = NewStatement(text, Role.SUMMARY, None, "home", len(unit.drafts), quotes)
            unit.drafts.append(Draft(statement, answer.model, answer.prompt_rev))
    return unit
