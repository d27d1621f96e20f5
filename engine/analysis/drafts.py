"""What was gathered of a volume, as statements on their way into the library."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.analysis.evidence import Desk
from engine.analysis.ledger import Event, Found, Identity, Ledger, Note, Point, Question, end_of
from engine.analysis.publishing import Draft, Dropped, Unit, form_known_at, ids_of, quotes_of
from engine.domain.locator import Pos, volume_ord_of
from engine.domain.statements import VOLUME_ORDS, NewStatement, Role, Verdict
from engine.text.names import name_spans

_MOST_TEASER_CHARS = 240
_FIRST_PAGE_CHARS = 1_200


@dataclass(frozen=True, slots=True)
class Signed:
    """Who read a volume."""

    model: str
    prompt_rev: str


def volume_units(ledger: Ledger, volume: int, by: Signed) -> list[Unit]:
    """Return the notes of a volume and what is told of its course, each a unit."""
    notes, course = Unit(f"notes {volume}"), Unit(f"course {volume}")
    for note in ledger.notes:
        point = ledger.resolve(note.point)
        if note.volume == volume and not note.is_discarded and point is not None:
            notes.drafts.append(_draft(_note(ledger, note, point), by))
    names = {point.point: form_known_at(point, point.first_pos) for point in ledger.standing()}
    for each in _course(ledger, volume):
        subject = names.get(each.point, "") if each.role in (Role.RELATION, Role.KNOWLEDGE) else ""
        course.drafts.append(Draft(each, by.model, by.prompt_rev, subject))
    return [notes, course]


def answer_unit(ledger: Ledger, volume: int, by: Signed) -> Unit:
    """Return the answers a volume gives to questions of earlier ones."""
    unit = Unit(f"answers {volume}")
    for question in ledger.questions:
        if question.volume < volume and question.answered and _volume_of(question.answered) == volume:
            unit.drafts.append(_draft(_answer(question), by))
    return unit


def identity_unit(ledger: Ledger, volume: int, by: Signed) -> tuple[Unit, list[Identity]]:
    """Return the claim that two points are one as a sentence for the judge, for each of a volume; never published."""
    unit = Unit(f"identities {volume}")
    claims: list[Identity] = []
    for identity in ledger.identities:
        a, b = ledger.resolve(identity.a), ledger.resolve(identity.b)
        if identity.volume == volume and a is not None and b is not None and a.number != b.number:
            text = f"{a.name} = {b.name}: the same {a.kind}."
            unit.drafts.append(_draft(NewStatement(text, ord=len(claims), quotes=quotes_of(identity.found)), by))
            claims.append(identity)
    return unit, claims


def _draft(statement: NewStatement, by: Signed) -> Draft:
    return Draft(statement, by.model, by.prompt_rev)


def _note(ledger: Ledger, note: Note, point: Point) -> NewStatement:
    return NewStatement(
        known_words(ledger, note.text, note.pos_end, (point.number, *note.others)),
        Role.NOTE,
        point.point,
        section=f"v{note.volume}",
        ord=note.number,
        quotes=quotes_of(note.found),
        links=ids_of(ledger, note.others),
    )


def known_words(ledger: Ledger, text: str, pos: Pos, numbers: tuple[int, ...]) -> str:
    """Return a sentence in which each name the reader does not have yet is replaced by one she has, if there is one.

    A name that several bear stays: whom it means is not known here, and the unlock sees to the rest.
    """
    for number in numbers:
        point = ledger.resolve(number)
        if point is None:
            continue
        usable = form_known_at(point, pos)
        if any(f.form == usable and f.known_pos > pos for f in point.forms):
            continue
        late = {
            f.form for f in point.forms if f.known_pos > pos and f.form not in usable and not ledger.is_shared(f.form)
        }
        text = _replaced(text, [f.form for f in point.forms], late, usable)
    return text


def _replaced(text: str, forms: list[str], late: set[str], usable: str) -> str:
    """Return a text with some of a point's forms replaced, none that stands inside a longer one of them."""
    taken: list[tuple[int, int, bool]] = []
    for form in sorted(forms, key=len, reverse=True):
        spans = (span for span in name_spans(text, form) if not any(a < span[1] and span[0] < b for a, b, _l in taken))
        taken += [(*span, form in late) for span in list(spans)]
    for start, end, is_late in sorted(taken, reverse=True):
        text = text[:start] + usable + text[end:] if is_late else text
    return text


def _course(ledger: Ledger, volume: int) -> Iterator[NewStatement]:
    yield from _relations(ledger, volume)
    for ord_, event in enumerate(ledger.events):
        if event.volume == volume:
            yield _event(ledger, event, ord_)
    yield from _questions(ledger, volume)
    yield from _facts(ledger, volume)
    for ord_, line in enumerate(ledger.summaries.get(volume, ())):
        number = volume * VOLUME_ORDS + ord_
        yield NewStatement(line.text, Role.VOLUME, section=f"volume {volume}", ord=number, quotes=quotes_of(line.found))
    for (of, chapter), notes in sorted(ledger.chapters.items()):
        if of == volume and notes.is_story:
            for ord_, line in enumerate(notes.summary or notes.recap):
                key = f"recap {volume} {chapter}"
                yield NewStatement(
                    line.text, Role.RECAP, section=key, ord=chapter * 100 + ord_, quotes=quotes_of(line.found)
                )


def _relations(ledger: Ledger, volume: int) -> Iterator[NewStatement]:
    """Yield what points are to each other, each once: a later window often says again what an earlier one has."""
    told: set[tuple[int, int, str]] = set()
    for ord_, relation in enumerate(ledger.relations):
        a, b = ledger.resolve(relation.a), ledger.resolve(relation.b)
        if a is None or b is None or a.number == b.number:
            continue
        said = (a.number, b.number, relation.label.casefold())
        if said in told or relation.volume != volume:
            told.add(said)
            continue
        told.add(said)
        is_named = any(next(name_spans(relation.label, form.form), None) for form in b.forms)
        known = form_known_at(b, end_of(relation.found))
        text = relation.label if is_named else f"{relation.label} {known}"
        yield NewStatement(
            text,
            Role.RELATION,
            a.point,
            section="relations",
            ord=ord_,
            quotes=quotes_of(relation.found),
            links=ids_of(ledger, (b.number,)),
        )


def _event(ledger: Ledger, event: Event, ord_: int) -> NewStatement:
    ids = ids_of(ledger, event.who)
    text = known_words(ledger, event.text, end_of(event.found), event.who)
    return NewStatement(
        "\t".join((event.when, event.where, text)),
        Role.EVENT,
        ids[0] if ids else None,
        section="events",
        ord=ord_,
        quotes=quotes_of(event.found),
        links=ids[1:],
    )


def _questions(ledger: Ledger, volume: int) -> Iterator[NewStatement]:
    for question in ledger.questions:
        key = f"question {question.number}"
        if question.volume == volume:
            yield NewStatement(
                question.text, Role.QUESTION, section=key, ord=question.number * 2, quotes=quotes_of(question.found)
            )
            if question.answered and _volume_of(question.answered) == volume:
                yield _answer(question)


def _answer(question: Question) -> NewStatement:
    return NewStatement(
        question.answer,
        Role.ANSWER,
        section=f"question {question.number}",
        ord=question.number * 2 + 1,
        quotes=quotes_of(question.found, question.answered),
    )


def _facts(ledger: Ledger, volume: int) -> Iterator[NewStatement]:
    """Yield each fact, and who comes to know it: about the one who knows."""
    for fact in ledger.facts:
        if fact.volume == volume:
            yield NewStatement(
                f"{fact.status}\t{fact.text}",
                Role.FACT,
                section=f"fact {fact.number}",
                ord=fact.number,
                quotes=quotes_of(fact.found),
                links=ids_of(ledger, fact.hidden_from),
            )
    for ord_, learning in enumerate(ledger.learnings):
        if learning.volume != volume:
            continue
        fact = ledger.facts[learning.fact - 1]
        for point in ids_of(ledger, learning.who):
            yield NewStatement(
                f"{learning.how}\t{learning.sure}\t{fact.text}",
                Role.KNOWLEDGE,
                point,
                section=f"fact {fact.number}",
                ord=ord_,
                quotes=quotes_of(fact.found, learning.found),
            )


def _volume_of(found: Found) -> int:
    return volume_ord_of(end_of(found))


@dataclass(frozen=True, slots=True)
class Teaser:
    """What may be said before a chapter begins, not judged yet."""

    volume: int
    chapter: int
    text: str
    start: Pos
    happens: tuple[str, ...]


def teasers_of(ledger: Ledger, volume: int, starts: dict[tuple[int, int], Pos]) -> list[Teaser]:
    """Return the teasers of a volume, of chapters that are story.

    Args:
        ledger: What was gathered.
        volume: Its ord.
        starts: Where each (volume, chapter) begins.
    """
    found = []
    for (of, chapter), notes in sorted(ledger.chapters.items()):
        start = starts.get((of, chapter))
        if of == volume and notes.is_story and notes.teaser and start is not None:
            happens = tuple(line.text for line in notes.recap)
            if len(notes.teaser) <= _MOST_TEASER_CHARS and happens:
                found.append(Teaser(of, chapter, notes.teaser, start, happens))
    return found


def teaser_unit(teasers: list[Teaser], desk: Desk, volume: int, by: Signed) -> Unit:
    """Return judged teasers as a unit, each resting on the first words of its chapter.

    It is the one thing meant to be read before its chapter. So whatever the judge says, it may hold no name and no rare
    word that the reader could not know from before, or from the chapter's first page.
    """
    unit = Unit(f"teasers {volume}")
    for teaser in teasers:
        quote = desk.first_words(teaser.start)
        if quote is None or desk.words_known_from(teaser.text) > teaser.start + _FIRST_PAGE_CHARS:
            unit.dropped.append(Dropped(None, teaser.text, "it tells more than the chapter's first page"))
            continue
        statement = NewStatement(
            teaser.text,
            Role.TEASER,
            section=f"teaser {teaser.volume} {teaser.chapter}",
            ord=teaser.chapter,
            quotes=(quote,),
            verdict=Verdict.SUPPORT,
        )
        unit.drafts.append(_draft(statement, by))
    return unit
