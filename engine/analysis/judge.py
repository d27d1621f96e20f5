"""Stage 5: a statement held against its own evidence, by the program first and by a model then."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from engine.analysis.asking import Answer, Caller, ReplyTooLongError, Request, fenced, load_prompt, user
from engine.analysis.claims import claim_of, complete, opening_of, plain_text
from engine.analysis.content import content_words, numbers
from engine.analysis.evidence import Desk
from engine.analysis.proposals import LearnedHow, Sureness
from engine.analysis.publishing import Draft, Dropped, Unit
from engine.domain.locator import Pos
from engine.domain.models import ModelRole
from engine.domain.statements import NewStatement, Quote, Role, Verdict
from engine.errors.models import ContextOverflowError
from engine.store.wiki import FoundEvidence
from engine.text.sanitize import sanitize
from engine.text.script import dominant_script
from engine.text.tokens import estimate_tokens


@dataclass(frozen=True, slots=True)
class BatchSize:
    """How much a judge is asked at once, at most."""

    tokens: int
    statements: int


CAREFUL_BATCH = BatchSize(5_000, 30)
LARGE_BATCH = BatchSize(14_000, 80)
"""A third of the instructions, and passages that more statements share: for a reading that is to be cheap."""
_ROW_TOKENS = 8
_WORDS_TO_SHARE = 6
"""Telling words of a statement, names left out, of which one at least must stand in its passages: fewer are often said
in other words."""
_LONGEST_STATEMENT = 600
_NEVER_MENDED = frozenset({Role.CELL, Role.RELATION, Role.GROUP})
"""What is no sentence."""
_STANDS_ALONE = frozenset({Role.HEADING, Role.TEASER, Role.QUESTION, Role.GROUP})
"""What rests on other rules than the words of its passages."""
_LINE = re.compile(r"^[^\w\n]*s(\d{1,4})[^\w\n]+(\w+)[^\w\n]*(.*)$", re.IGNORECASE | re.MULTILINE)
_REPAIRED = re.compile(r"\W*s(\d{1,4})[\s:.：]+(?:\[([\d,，\s]*)\]\s*)?(.+)")


@dataclass(frozen=True, slots=True)
class _Case:
    """A statement before the judge."""

    index: int
    text: str
    passages: tuple[str, ...]
    reason: str = ""
    pos: Pos = 0
    """Of its first evidence."""
    unnamed: tuple[str, ...] = ()
    """Names and telling words it shows that no passage has."""
    near: tuple[tuple[str, Quote], ...] = ()
    """Paragraphs next to its passages, each as it may be cited: for whoever writes it anew."""

    @property
    def shown(self) -> tuple[str, ...]:
        """Return every paragraph that is shown with it."""
        return (*self.passages, *(text for text, _quote in self.near))


def checked_by_program(desk: Desk, statement: NewStatement, passages: Sequence[str]) -> str:
    """Return what the program finds wrong with a statement, empty for nothing: numbers its evidence does not have."""
    # Names claim nothing by themselves: that of a train may hold a number, and the passages may say "he".
    text = desk.without_names(claim_of(statement))
    source = " ".join(passages)
    missing = numbers(text) - numbers(source) - desk.numbers_in_names
    if missing:
        return f"the passages do not say {', '.join(sorted(missing))}"
    is_same_language = dominant_script(text) is dominant_script(source)
    words = content_words(text)
    if (
        statement.role is not Role.QUESTION
        and is_same_language
        and len(words) >= _WORDS_TO_SHARE
        and not words & content_words(source)
    ):
        return "the passages speak of other things"
    return ""


def judge_units(
    caller: Caller,
    desk: Desk,
    units: Sequence[Unit],
    key: str,
    *,
    mends: bool = True,
    size: BatchSize = CAREFUL_BATCH,
) -> dict[str, int]:
    """Give every draft of some units a verdict; what conflicts is mended once, else dropped and listed.

    First each is given the paragraphs that hold a name, a number or a telling word its own lack.
    Near-copies of their evidence, headings and teasers are left to their own rules. All units are judged together, in
    the order of the text, so that a passage many statements rest on is shown once in a batch.

    Args:
        caller: Who asks the judge.
        desk: The text.
        units: What is judged; their drafts are replaced.
        key: Names the calls.
        mends: Have what conflicts written anew, rather than drop it at once.
        size: Of a call.

    Returns:
        How many were supported, repaired, dropped, left unknown.

    Raises:
        AnalysisStopped, SpendingStoppedError: as `Caller.ask`.
    """
    unnamed = _completed(desk, units) if mends else {}
    drafts = [draft for unit in units for draft in unit.drafts]
    cases = sorted(_cases(desk, drafts, unnamed), key=lambda case: (case.pos, case.index))
    verdicts = _judged(caller, key, [case for case in cases if not case.reason], size)
    wrong = [replace(case, reason=verdicts[case.index][1]) for case in cases if _is_wrong(case, verdicts)]
    wrong += [case for case in cases if case.reason]
    in_order = sorted(wrong, key=lambda case: (case.pos, case.index))
    mended = _mended(caller, desk, drafts, key, in_order, size) if mends else {}
    counts = {"supported": 0, "repaired": 0, "dropped": 0, "unknown": 0}
    touched = {case.index for case in cases}
    bad = {case.index: case for case in wrong}
    first = 0
    for unit in units:
        kept: list[Draft] = []
        for index, draft in enumerate(unit.drafts, first):
            if index in bad and index not in mended:
                counts["dropped"] += 1
                unit.dropped.append(Dropped(draft.statement.point, plain_text(draft.statement), bad[index].reason))
            elif index in bad:
                counts["repaired"] += 1
                kept.append(replace(draft, statement=mended[index]))
            elif index in touched:
                verdict = verdicts.get(index, (Verdict.UNCHECKED, ""))[0]
                counts["supported" if verdict is Verdict.SUPPORT else "unknown"] += 1
                kept.append(replace(draft, statement=replace(draft.statement, verdict=verdict)))
            else:
                kept.append(draft)
        first += len(unit.drafts)
        unit.drafts = kept
    return counts


def _is_wrong(case: _Case, verdicts: dict[int, tuple[Verdict, str]]) -> bool:
    return not case.reason and verdicts.get(case.index, (Verdict.UNCHECKED, ""))[0] is Verdict.CONFLICT


def _completed(desk: Desk, units: Sequence[Unit]) -> dict[int, tuple[str, ...]]:
    """Let drafts cite what their passages lack; return the names and words that stand nowhere there, by index."""
    unnamed: dict[int, tuple[str, ...]] = {}
    first = 0
    for unit in units:
        for index, draft in enumerate(unit.drafts):
            statement = draft.statement
            if statement.role not in _STANDS_ALONE and statement.verdict is Verdict.UNCHECKED:
                completed = complete(desk, statement, draft.subject)
                unit.drafts[index] = replace(draft, statement=completed.statement)
                unnamed[first + index] = completed.unnamed
        first += len(unit.drafts)
    return unnamed


def _cases(desk: Desk, drafts: Sequence[Draft], unnamed: dict[int, tuple[str, ...]]) -> Iterator[_Case]:
    for index, draft in enumerate(drafts):
        statement = draft.statement
        if statement.role in (Role.HEADING, Role.TEASER) or statement.verdict is not Verdict.UNCHECKED:
            continue
        found = _found(desk, statement)
        if not found or desk.judge(statement, found).verdict is Verdict.NEAR_COPY:
            continue
        passages = _passages(desk, found)
        reason = checked_by_program(desk, statement, passages)
        first = min(each.pos for each in found)
        yield _Case(index, _told(draft.subject, statement), passages, reason, first, unnamed.get(index, ()))


def _told(subject: str, statement: NewStatement) -> str:
    """Return a statement as a judge is shown it, with whom it is about where its words do not say so."""
    return f"{subject}: {plain_text(statement)}" if subject else plain_text(statement)


def _found(desk: Desk, statement: NewStatement) -> list[FoundEvidence]:
    return [evidence for quote in statement.quotes if (evidence := desk.find(quote)) is not None]


def _near(desk: Desk, statement: NewStatement) -> tuple[tuple[str, Quote], ...]:
    """Return the paragraph before and the one behind each of a statement's, with a quotation of each."""
    near = [each for each in desk.next_to(_found(desk, statement), 1) if any(map(str.isalnum, each.block.text))]
    return tuple((each.block.text, opening_of(each)) for each in near)


def _passages(desk: Desk, found: Sequence[FoundEvidence]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(desk.block_text(each) for each in found))


def _judged(caller: Caller, key: str, cases: Sequence[_Case], size: BatchSize) -> dict[int, tuple[Verdict, str]]:
    """Return (verdict, reason) by index; what the judge does not mention stays unchecked."""
    verdicts: dict[int, tuple[Verdict, str]] = {}
    for batch, answer in _asked(caller, "judge", ModelRole.JUDGE, key, cases, size):
        for number, word, rest in _LINE.findall(sanitize(answer.text)):
            if 1 <= int(number) <= len(batch) and word.lower() in ("support", "conflict", "unknown"):
                verdicts.setdefault(batch[int(number) - 1].index, (Verdict(word.lower()), rest.strip()[:200]))
    return verdicts


def _mended(
    caller: Caller, desk: Desk, drafts: Sequence[Draft], key: str, wrong: Sequence[_Case], size: BatchSize
) -> dict[int, NewStatement]:
    """Return the statements that stand after they were written anew, by index."""
    candidates: dict[int, NewStatement] = {}
    wrong = [replace(case, near=_near(desk, drafts[case.index].statement)) for case in wrong]
    for batch, answer in _asked(caller, "repair", ModelRole.WRITER, key, wrong, size):
        numbered = _numbered(batch)
        for line in sanitize(answer.text).split("\n"):
            match = _REPAIRED.match(line)
            if match is None or not 1 <= int(match[1]) <= len(batch):
                continue
            case = batch[int(match[1]) - 1]
            before = drafts[case.index].statement
            text = match[3].strip()[:_LONGEST_STATEMENT]
            text = text.removeprefix(f"{drafts[case.index].subject}: ")
            if before.role is Role.EVENT:
                text = _event_text(text)
            if before.role is Role.KNOWLEDGE:
                text = _known_text(text, before.text)
            is_sentence = before.text.count("\t") == text.count("\t") and before.role not in _NEVER_MENDED
            cited = {int(number) for number in re.findall(r"\d+", match[2] or "")}
            more = tuple(quote for passage, quote in case.near if numbered[passage] in cited)
            is_other = text != before.text or more
            if text.lower().strip(" .") != "drop" and is_sentence and is_other:
                candidates.setdefault(case.index, replace(before, text=text, quotes=(*before.quotes, *more)))
    again = [
        replace(
            case, text=_told(drafts[case.index].subject, statement), passages=passages, reason="", unnamed=(), near=()
        )
        for case in wrong
        if (statement := candidates.get(case.index)) is not None
        and not checked_by_program(desk, statement, passages := _passages(desk, _found(desk, statement)))
    ]
    verdicts = _judged(caller, f"{key} again", again, size)
    stands = (case.index for case in again if verdicts.get(case.index, (Verdict.UNKNOWN, ""))[0] is Verdict.SUPPORT)
    return {index: replace(candidates[index], verdict=Verdict.SUPPORT) for index in stands}


def _event_text(told: str) -> str:
    """Return an event as it is kept, its parts apart by tabs; as it is told when it does not have three."""
    parts = [part.strip(" -") for part in re.split("[·•]", told)]
    return "\t".join(parts) if len(parts) == 3 else told


def _known_text(told: str, before: str) -> str:
    """Return what somebody knows with another word for how, or how surely; nothing else of it can be written anew."""
    how, _dot, rest = told.partition(" · ")
    sure, _dot, _fact = rest.partition(" · ")
    fact = before.rpartition("\t")[2]
    is_known = how in list(LearnedHow) and sure in list(Sureness)
    return f"{how}\t{sure}\t{fact}" if is_known else before


def _asked(
    caller: Caller, stage: str, role: ModelRole, key: str, cases: Sequence[_Case], size: BatchSize
) -> Iterator[tuple[list[_Case], Answer]]:
    """Yield the batches that were answered; one that is too long is asked in halves, one that fails is left out."""
    batches = list(_batches(cases, size))
    while batches:
        requests = [_request(stage, role, f"{key} {n}", batch) for n, batch in enumerate(batches, 1)]
        answers = caller.ask_all(requests)
        halves: list[list[_Case]] = []
        for batch, answer in zip(batches, answers, strict=True):
            if isinstance(answer, Answer):
                yield batch, answer
            elif isinstance(answer, ContextOverflowError | ReplyTooLongError) and len(batch) > 1:
                halves += [batch[: len(batch) // 2], batch[len(batch) // 2 :]]
            elif answer.is_temporary:
                raise answer
        batches = halves


def _batches(cases: Sequence[_Case], size: BatchSize) -> Iterator[list[_Case]]:
    batch: list[_Case] = []
    shown: set[str] = set()
    tokens = 0
    for case in cases:
        new = [passage for passage in case.shown if passage not in shown]
        cost = estimate_tokens(case.text) + _ROW_TOKENS + sum(map(estimate_tokens, new))
        if batch and (tokens + cost > size.tokens or len(batch) == size.statements):
            yield batch
            batch, shown, tokens = [], set(), 0
            cost = estimate_tokens(case.text) + _ROW_TOKENS + sum(map(estimate_tokens, case.shown))
        batch.append(case)
        shown.update(case.shown)
        tokens += cost
    if batch:
        yield batch


def _numbered(batch: Sequence[_Case]) -> dict[str, int]:
    return {passage: n for n, passage in enumerate(dict.fromkeys(p for case in batch for p in case.shown), 1)}


def _request(stage: str, role: ModelRole, unit: str, batch: Sequence[_Case]) -> Request:
    numbered = _numbered(batch)
    passages = "\n".join(f"[{n}] {' '.join(passage.split())}" for passage, n in numbered.items())
    rows = []
    for number, case in enumerate(batch, 1):
        rests_on = ",".join(str(numbered[passage]) for passage in case.passages)
        near = ",".join(str(numbered[passage]) for passage, _quote in case.near)
        near = f"; near: {near}" if near else ""
        note = f" (not named there: {', '.join(case.unnamed)})" if case.unnamed and not case.reason else ""
        note = f" (wrong: {case.reason})" if case.reason else note
        rows.append(f"s{number} [{rests_on}{near}] {case.text}{note}")
    words = "\n".join(["Passages:", fenced(passages), "Statements:", fenced("\n".join(rows))])
    prompt = load_prompt("judge" if stage == "judge" else "repair")
    return Request(stage, unit, role, prompt, (user(words),), output_tokens=len(batch) * _ROW_TOKENS * 2)


def judge_teasers(caller: Caller, key: str, teasers: Sequence[tuple[str, Sequence[str]]]) -> list[bool]:
    """Return of each (teaser, what happens in the chapter) whether it tells nothing; in doubt it does.

    Raises:
        AnalysisStopped, SpendingStoppedError: as `Caller.ask`.
    """
    if not teasers:
        return []
    rows = []
    for number, (teaser, recap) in enumerate(teasers, 1):
        rows += [f"c{number} teaser: {teaser}", *(f"c{number} happens: {line}" for line in recap)]
    request = Request(
        "judge", f"{key} teasers", ModelRole.JUDGE, load_prompt("teaser"), (user(fenced("\n".join(rows))),),
        output_tokens=len(teasers) * _ROW_TOKENS,
    )  # fmt: skip
    [answer] = caller.ask_all([request])
    if not isinstance(answer, Answer):
        return [False] * len(teasers)
    safe = {int(n) for n in re.findall(r"(?mi)^\W*c(\d{1,4})\W+safe\b", answer.text)}
    return [number in safe for number in range(1, len(teasers) + 1)]
