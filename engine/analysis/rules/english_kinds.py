"""What a capitalised form names: a person, a place, an organisation, a term, or nothing."""

from __future__ import annotations

from dataclasses import dataclass

from engine.analysis.rules.english_names import KIN_NAMES, TITLES
from engine.analysis.rules.english_people import (
    gender_of_titles,
    is_given_name,
    patronymic_gender,
    plain_word,
    split_titles,
)
from engine.analysis.rules.english_places import (
    EVENT_HEADS,
    KNOWN_ORGANISATIONS,
    KNOWN_PLACES,
    ORGANISATION_HEADS,
    PLACE_ENDINGS,
    PLACE_HEADS,
    STRONG_LEADERS,
    SURNAME_HEADS,
    WEAK_PLACE_ENDINGS,
)
from engine.analysis.rules.english_runs import Evidence, Scan
from engine.analysis.rules.english_words import NOT_NAMES
from engine.domain.knowledge import PointKind

_PERSON_RATE = 0.12
"""Personal evidence an occurrence below which a form is no person by its own context."""

_LEAST_TERM = 3


@dataclass(frozen=True, slots=True)
class Named:
    """A form that names something."""

    form: str
    kind: PointKind
    evidence: Evidence
    is_role: bool = False


def choose_kinds(scan: Scan) -> list[Named]:
    """Decide on each form of a scan; forms that name nothing are left out."""
    judge = _Judge(scan)
    return [named for form, evidence in scan.evidence.items() if (named := judge.named(form, evidence)) is not None]


class _Judge:
    """Evidence of forms and of the words in them."""

    def __init__(self, scan: Scan) -> None:
        self._lower = scan.lower_words
        self._score: dict[str, float] = {}
        self._count: dict[str, int] = {}
        for form, evidence in scan.evidence.items():
            score = _person_score(form, evidence)
            for word in set(split_titles(form)[1]):
                self._score[word] = self._score.get(word, 0) + score
                self._count[word] = self._count.get(word, 0) + evidence.count

    def named(self, form: str, evidence: Evidence) -> Named | None:
        """Return what a form names; None for nothing."""
        titles, words = split_titles(form)
        if not words or self._is_family(words[-1]):
            return None
        kind = _kind_by_words(form)
        if kind is not None and not self._is_livelier(form, evidence):
            return Named(form, kind, evidence)
        if evidence.after_the > 0.5 * evidence.count and not titles:
            return self._after_the(form, words, evidence)
        if self._is_ordinary(words, evidence):
            return None
        if self._is_person(form, titles, words, evidence):
            return Named(form, PointKind.PERSON, evidence)
        is_place = self._is_place(words, evidence)
        return Named(form, PointKind.PLACE, evidence) if is_place else self._term(form, words, evidence)

    def _is_family(self, word: str) -> bool:
        """Say whether a word is the plural of a name: the Archers, the Miss Collinses."""
        count = self._count.get(word, 0)
        stems = [word.removesuffix(end) for end in ("es", "s") if word.endswith(end)]
        return any(self._count.get(stem, 0) > count and self._score.get(stem, 0) > 0 for stem in stems)

    def _is_livelier(self, form: str, evidence: Evidence) -> bool:
        """Say whether a place's name is borne by somebody who speaks and acts."""
        words = form.lower().split()
        if len(words) > 1 and (words[-1] not in SURNAME_HEADS or form.lower() in KNOWN_PLACES):
            return False
        alive, local = _alive(evidence) - 0.5 * evidence.called, _local(evidence)
        alive += 0.3 * abs(evidence.male - evidence.female)
        if len(words) > 2 and alive <= 0:  # King Edward Street
            return False
        if is_given_name(words[0]) or plain_word(words[0]) in TITLES:
            return alive + 0.3 * evidence.count > local
        if len(words) > 1:
            return alive > 0 and not local and not evidence.after_the
        return alive > local + 0.25 * evidence.count + 1

    def _is_ordinary(self, words: tuple[str, ...], evidence: Evidence) -> bool:
        """Say whether a single word is one the text also writes without a capital, or only ever opens sentences."""
        if len(words) > 1:
            return False
        word = words[0].lower()
        if word in TITLES or word in KIN_NAMES or word in NOT_NAMES:
            return True
        if evidence.inside == 0 and evidence.count < 6 and not evidence.spoken and not is_given_name(word):
            return True
        return self._lower.get(word, 0) > max(2, 0.6 * evidence.inside)

    def _after_the(self, form: str, words: tuple[str, ...], evidence: Evidence) -> Named | None:
        """Return a role used as a name, "the Hatter": capitalised after "the", it speaks and acts."""
        lower = self._lower.get(words[-1].lower(), 0) if len(words) == 1 else 0
        if evidence.spoken + evidence.acting >= 4 and evidence.spoken >= 1 and lower <= 0.6 * evidence.count:
            return Named(form, PointKind.PERSON, evidence, is_role=True)
        return self._term(form, words, evidence)

    def _term(self, form: str, words: tuple[str, ...], evidence: Evidence) -> Named | None:
        """Return a term of the work's own: capitalised in the middle of sentences, again and again."""
        if evidence.inside < _LEAST_TERM or 2 * evidence.inside < evidence.count or is_given_name(words[0]):
            return None
        if len(words) == 1 and (_is_convention(words[0]) or 4 * self._lower.get(words[0].lower(), 0) > evidence.inside):
            return None
        is_event = any(word.lower() in EVENT_HEADS for word in words)
        return Named(form, PointKind.EVENT if is_event and len(words) > 1 else PointKind.CONCEPT, evidence)

    def _is_person(self, form: str, titles: tuple[str, ...], words: tuple[str, ...], evidence: Evidence) -> bool:
        if titles == ("saint",) and evidence.spoken + evidence.bodily == 0:
            return False
        is_titled = titles and (gender_of_titles(titles) or len(words) > 1 or evidence.count > 1)
        if is_titled or patronymic_gender(words):
            return True
        score = _person_score(form, evidence)
        if score >= 1 and score >= _PERSON_RATE * evidence.count and evidence.count >= 3:
            return True
        rates = [self._score[word] / max(1, self._count[word]) for word in words]
        if len(words) > 1 and min(rates) > _PERSON_RATE and score >= 0:
            return True
        if evidence.count < 10 and max(rates) > 0.35 and score >= 0:
            return True
        return is_given_name(words[0]) and score >= 0 and (len(words) > 1 or evidence.count >= 2)

    def _is_place(self, words: tuple[str, ...], evidence: Evidence) -> bool:
        if is_given_name(words[0]) and _local(evidence) < 0.8 * evidence.count:
            return False
        score, is_still = _local(evidence), _alive(evidence) <= 0.2 * evidence.count
        if len(words) == 1 and words[0].lower().endswith(PLACE_ENDINGS):
            score += 1
        elif len(words) == 1 and not _alive(evidence) and words[0].lower().endswith(WEAK_PLACE_ENDINGS):
            score += 0.6
        return evidence.inside > 0 and score >= 1 and score >= (0.2 if is_still else 0.3) * evidence.count


def _is_convention(word: str) -> bool:
    """Say whether English capitalises a word whatever the book: names of peoples and tongues, plurals of families."""
    plain = plain_word(word)
    stems = {
        plain.removesuffix(end) for end in ("n", "ns", "ian", "ians", "an", "ans", "ese", "s") if plain.endswith(end)
    }
    return plain in NOT_NAMES or not KNOWN_PLACES.isdisjoint(stems)


def _kind_by_words(form: str) -> PointKind | None:
    """Return the kind that the words alone show."""
    folded = form.lower()
    if folded in KNOWN_ORGANISATIONS or folded in KNOWN_PLACES:
        return PointKind.ORGANISATION if folded in KNOWN_ORGANISATIONS else PointKind.PLACE
    first, _blank, rest = folded.partition(" ")
    head = folded.partition(" of ")[0].rpartition(" ")[2]
    if not rest:
        return None
    if head in EVENT_HEADS and " of " in folded:
        return PointKind.EVENT
    if head in ORGANISATION_HEADS:
        return PointKind.ORGANISATION
    return PointKind.PLACE if head in PLACE_HEADS or plain_word(first) in STRONG_LEADERS else None


def _alive(evidence: Evidence) -> float:
    return 2 * evidence.spoken + evidence.acting + 1.5 * evidence.bodily + 0.5 * evidence.called


def _local(evidence: Evidence) -> float:
    return 1.5 * evidence.within + evidence.near + 0.4 * evidence.towards + 3 * evidence.placed


def _person_score(form: str, evidence: Evidence) -> float:
    """Return what speaks for a person, less what speaks against it."""
    titles, words = split_titles(form)
    titled = 3 * evidence.count if titles else 0
    score = titled + _alive(evidence)
    score += 0.5 * evidence.count if is_given_name(words[0]) else 0
    score -= (
        1.6 * (evidence.within + evidence.placed) + evidence.near + 0.5 * evidence.towards + 1.5 * evidence.after_the
    )
    if not titles and len(words) > 1 and plain_word(words[-1]) in PLACE_HEADS:
        score -= 3 * evidence.count
    return score
