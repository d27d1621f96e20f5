"""Stage 1: a model reads a window, and what it says is held against the text before anybody believes it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from engine.analysis import ledger as books
from engine.analysis.asking import Caller, ReplyTooLongError, Request, fenced, load_prompt, said, user
from engine.analysis.evidence import Desk
from engine.analysis.ledger import Form, Found, Ledger, Point
from engine.analysis.lines import parse_reading
from engine.analysis.proposals import Cited, Proposals, SaidPoint
from engine.analysis.windows import Window
from engine.domain.knowledge import PointKind
from engine.domain.models import ModelRole
from engine.domain.statements import Quote
from engine.errors.models import ContextOverflowError
from engine.text.names import name_spans
from engine.text.tokens import estimate_tokens

_ROSTER_TOKENS = 1_500
_GIST_TOKENS = 1_200
_MOST_QUESTIONS = 12
_MOST_FACTS = 16
_LONGEST_QUOTE = 200
_OUTPUT_SHARE = 0.75
"""Tokens of a reply for one of its window; by hand, half of .73 (en) and of 1.35 (zh), which was JSON."""
_BRIEF_SHARE = 0.4
"""The same where little is asked for."""
_BRIEF = (
    "Be brief: at most 4 notes on a point of importance 5, 2 on one of 4, 1 on one of 3, none on others; at most 8"
    " events in the window and 3 recap lines a chapter; no facts and nobody who learns them ($ %)."
)
_REPAIR = (
    "Your answer held no line in the format asked for. Answer again with lines only, beginning with"
    " # = - > * & ? ! $ % @ ~ ^ as described, each with its evidence [paragraph|words]."
)


@dataclass(slots=True)
class Reading:
    """What reading some windows has come to."""

    counters: Counter[str] = field(default_factory=Counter)
    unread: list[str] = field(default_factory=list)
    """Windows no usable answer was got for."""


@dataclass(frozen=True, slots=True)
class Titles:
    """The chapters' titles, for the model to see where it is."""

    by_chapter: dict[tuple[int, int], str]
    """By (volume, chapter)."""

    def of(self, volume: int, chapter: int) -> str:
        """Return a title, empty for none."""
        return self.by_chapter.get((volume, chapter), "")


class Reader:
    """Reads the windows of a work one after the other into a ledger."""

    def __init__(
        self, caller: Caller, desk: Desk, ledger: Ledger, titles: Titles, language: str, *, is_brief: bool = False
    ) -> None:
        """Take what is needed.

        Args:
            caller: Who asks the model.
            desk: The text.
            ledger: Where what is read goes; the roster of the rules is in it.
            titles: Of the chapters.
            language: In which notes are written.
            is_brief: Ask for the most important only.
        """
        self._is_brief = is_brief
        self._caller = caller
        self._desk = desk
        self._ledger = ledger
        self._titles = titles
        self._language = language
        self.done = Reading()

    def read(self, window: Window) -> None:
        """Read a window; one that is too long for the model is read in halves.

        Raises:
            AnalysisStopped: the reading is to be given up.
            ModelError: the model cannot be asked.
        """
        try:
            found = self._asked(window)
        except (ContextOverflowError, ReplyTooLongError):
            halves = window.halves()
            if halves is None:
                self.done.unread.append(f"{window.volume + 1}.{window.number}")
                return
            for half in halves:
                self.read(half)
            return
        self.done.counters["lines"] += found.lines
        self.done.counters["strays"] += found.strays
        if not found.lines:
            self.done.unread.append(f"{window.volume + 1}.{window.number}")
        _Taker(self._desk, self._ledger, window, self.done.counters).take(found)

    def _asked(self, window: Window) -> Proposals:
        request = window_request(window, self._ledger, self._titles, self._language, is_brief=self._is_brief)
        answer = self._caller.ask(request)
        found = parse_reading(answer.text)
        if found.lines:
            return found
        again = Request(
            request.stage,
            f"{request.unit} again",
            request.role,
            request.prompt,
            (*request.messages, said(answer), user(_REPAIR)),
            output_tokens=request.output_tokens,
        )
        return parse_reading(self._caller.ask(again).text)


def window_request(window: Window, ledger: Ledger, titles: Titles, language: str, *, is_brief: bool = False) -> Request:
    """Return the question for a window: what is known so far, then the numbered paragraphs between markers."""
    text = "\n".join(_numbered(window, titles))
    roster = "\n".join(_roster_lines(window, ledger)) or "none"
    questions = "\n".join(f"q{q.number} {q.text}" for q in ledger.questions if not q.answer) if ledger.questions else ""
    facts = "\n".join(f"f{fact.number} {fact.text}" for fact in ledger.facts[-_MOST_FACTS:])
    head = [
        f"Write in: {language}. Volume {window.volume + 1}, window {window.number}.",
        *([_BRIEF] if is_brief else []),
        "Known points in this window (key, kind, names):",
        fenced(roster),
        "The story so far:",
        fenced(_cut(ledger.gist, _GIST_TOKENS) or "(the work begins here)"),
    ]
    head += ["Open questions:", fenced(_last_lines(questions, _MOST_QUESTIONS))] if questions else []
    head += ["Facts not everybody knows:", fenced(facts)] if facts else []
    words = "\n".join([*head, "The window:", fenced(text)])
    output = round(estimate_tokens(text) * (_BRIEF_SHARE if is_brief else _OUTPUT_SHARE))
    unit = f"{window.volume + 1}.{window.number}"
    return Request("read", unit, ModelRole.READER, load_prompt("read"), (user(words),), output_tokens=output)


def _numbered(window: Window, titles: Titles) -> Iterable[str]:
    chapter: int | None = None
    for number, each in enumerate(window.paragraphs, 1):
        if each.block.chapter != chapter:
            chapter = each.block.chapter
            begins = number > 1 or window.begins_chapter
            title = titles.of(window.volume, chapter)
            yield f"== chapter {chapter + 1}{'' if begins else ' (goes on)'}{': ' + title if title else ''} =="
        yield f"[{number}] {' '.join(each.block.text.split())}"


def _roster_lines(window: Window, ledger: Ledger) -> list[str]:
    """Return the points that are named in a window, with the names known by its end, most important first."""
    text = "\n".join(each.block.text for each in window.paragraphs)
    rows: list[tuple[int, Point, str]] = []
    for point in ledger.standing():
        known = [form.form for form in point.forms if form.known_pos <= window.pos_end]
        count = sum(text.count(form) for form in known)
        if count:
            rows.append((count, point, f"{point.key} {point.kind} {' / '.join(known)}"))
    lines: list[str] = []
    spent = 0
    for _count, _point, line in sorted(rows, key=lambda row: (-row[0], row[1].number)):
        spent += estimate_tokens(line)
        if spent > _ROSTER_TOKENS:
            break
        lines.append(line)
    return lines


def _cut(text: str, most_tokens: int) -> str:
    words = text
    while words and estimate_tokens(words) > most_tokens:
        words = words[: int(len(words) * 0.9)]
    return words


def _last_lines(text: str, most: int) -> str:
    return "\n".join(text.split("\n")[-most:])


class _Taker:
    """Takes the proposals of one window into the ledger, what was found in the text and nothing else."""

    def __init__(self, desk: Desk, ledger: Ledger, window: Window, counters: Counter[str]) -> None:
        self._desk = desk
        self._ledger = ledger
        self._window = window
        self._counters = counters
        self._points: dict[str, Point] = {}
        self._questions: dict[str, int] = {}
        self._facts: dict[str, int] = {}

    def take(self, said: Proposals) -> None:
        volume = self._window.volume
        taken = [(point, each) for each in said.points if (point := self._point(each)) is not None]
        for point, each in taken:
            self._take_forms(point, each)
        for point, each in taken:
            self._take_notes(point, each)
        for event in said.events:
            if (found := self._find(event.said.cited)) and event.said.text:
                who = self._numbers(event.who)
                self._ledger.events.append(books.Event(who, event.when, event.where, event.said.text, found, volume))
        for same in said.identities:
            a, b = self._resolve(same.a), self._resolve(same.b)
            if (found := self._find(same.cited)) and a is not None and b is not None and a.number != b.number:
                self._ledger.identities.append(books.Identity(a.number, b.number, same.basis, found, volume))
        self._take_questions(said)
        self._take_facts(said)
        self._take_chapters(said)
        self._ledger.gist = said.gist or self._ledger.gist

    # Evidence

    def _find(self, cited: Sequence[Cited]) -> Found:
        """Return what was found of some evidence: all of it, or nothing, for two pieces mean that both are needed."""
        found = []
        for each in cited:
            here = self._window.paragraph(each.paragraph)
            evidence = None
            if here is not None and each.quote and len(each.quote) <= _LONGEST_QUOTE:
                evidence = self._desk.find(Quote(here.document, here.start, each.quote))
            # Only what the reader of this window was shown can bear out what it says.
            if evidence is None or not self._window.pos <= evidence.pos < self._window.pos_end:
                self._counters["evidence_missed"] += 1
                return ()
            self._counters["evidence_found"] += 1
            found.append(evidence)
        if not cited:
            self._counters["evidence_none"] += 1
        return tuple(found)

    # Points

    def _resolve(self, key: str) -> Point | None:
        return self._points.get(key) or self._ledger.by_key(key)

    def _numbers(self, keys: Iterable[str]) -> tuple[int, ...]:
        found = [point.number for key in keys if (point := self._resolve(key)) is not None]
        return tuple(dict.fromkeys(found))

    def _point(self, said: SaidPoint) -> Point | None:
        """Return the point that is meant: of the roster by its key, by a name, or a new one."""
        if said.key.startswith("k"):
            point = self._ledger.by_key(said.key)
            if point is None:
                self._counters["unknown_keys"] += 1
                return None
            if said.is_nothing:
                point.is_nothing = point.ruled_kind is not None and not self._ledger.notes_of(point.number)
                return None
            point.kind = said.kind or point.kind
        else:
            found = self._find(said.cited)
            if not said.name or not found:
                return None
            kind = said.kind or PointKind.CONCEPT
            point = self._ledger.called(kind, [said.name])
            if point is None:
                known = max(each.pos_end for each in found)
                point = self._ledger.add_point(kind, said.name, [Form(said.name, known, found)])
        point.importance = max(point.importance, said.importance)
        self._points[said.key] = point
        return point

    def _take_forms(self, point: Point, said: SaidPoint) -> None:
        for form in said.forms:
            found = self._find(form.cited)
            # A name must stand in the text it is said to be learned from.
            if not any(form.text in self._desk.block_text(each) for each in found):
                continue
            learned = max(each.pos_end for each in found)
            have = next((each for each in point.forms if each.form == form.text), None)
            if have is None:
                point.forms.append(Form(form.text, learned, found))
            else:
                # The rules are careful about where it is known; here the text says so.
                have.known_pos = min(have.known_pos, learned)

    def _take_notes(self, point: Point, said: SaidPoint) -> None:
        volume = self._window.volume
        for note in said.notes:
            if found := self._find(note.cited):
                where = volume, self._window.chapter_at(max(each.pos for each in found))
                self._ledger.add_note(point, note.text, found, where, self._named_in(note.text, point))
        for relation in said.relations:
            other = self._resolve(relation.other)
            if other is None or other.number == point.number:
                self._counters["unknown_keys"] += other is None
            elif found := self._find(relation.said.cited):
                self._ledger.relations.append(
                    books.Relation(point.number, other.number, relation.said.text, found, volume)
                )

    def _named_in(self, text: str, about: Point) -> tuple[int, ...]:
        """Return the other points a note names; a name that whom it is about bears too is that one's."""
        own = {form.form for form in about.forms}
        seen: dict[int, None] = {}
        for point in self._ledger.standing():
            forms = (form.form for form in point.forms if form.form not in own)
            if point.number != about.number and any(next(name_spans(text, form), None) for form in forms):
                seen[point.number] = None
        return tuple(seen)

    # The rest

    def _take_questions(self, said: Proposals) -> None:
        for each in said.questions:
            if not (found := self._find(each.said.cited)):
                continue
            if not each.is_answer:
                number = len(self._ledger.questions) + 1
                self._questions[each.key] = number
                self._ledger.questions.append(books.Question(number, each.said.text, found, self._window.volume))
                continue
            number = self._questions.get(each.key, int(each.key[1:]))
            question = self._ledger.questions[number - 1] if 1 <= number <= len(self._ledger.questions) else None
            if question is not None and not question.answer:
                question.answer, question.answered = each.said.text, found

    def _take_facts(self, said: Proposals) -> None:
        for each in said.facts:
            if found := self._find(each.said.cited):
                number = len(self._ledger.facts) + 1
                self._facts[each.key] = number
                hidden = self._numbers(each.hidden_from)
                self._ledger.facts.append(
                    books.Fact(number, each.said.text, each.status, hidden, found, self._window.volume)
                )
        for learning in said.learnings:
            fact = self._facts.get(learning.fact, int(learning.fact[1:]))
            who = self._numbers(learning.who)
            if 1 <= fact <= len(self._ledger.facts) and who and (found := self._find(learning.cited)):
                self._ledger.learnings.append(
                    books.Learning(fact, who, learning.how, learning.sure, found, self._window.volume)
                )

    def _take_chapters(self, said: Proposals) -> None:
        shown = set(self._window.chapters)
        for each in said.chapters:
            chapter = each.chapter - 1
            if chapter not in shown:
                continue
            notes = self._ledger.chapter(self._window.volume, chapter)
            if each.is_teaser:
                notes.teaser = notes.teaser or each.said.text
            elif found := self._find(each.said.cited):
                notes.recap.append(books.Line(each.said.text, found))
