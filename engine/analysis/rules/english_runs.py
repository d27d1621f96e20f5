"""Runs of capitalised words in an English text, and what stands around them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from engine.analysis.rules.checks import GoOn, carry_on, checked
from engine.analysis.rules.english_names import KIN_NAMES, SOFT_TITLES, TITLES
from engine.analysis.rules.english_people import is_given_name, plain_word
from engine.analysis.rules.english_places import HEADS_BEFORE_OF, ORGANISATION_HEADS, PLACE_HEADS
from engine.analysis.rules.english_words import (
    ACTION_VERBS,
    BODY_NOUNS,
    CONTRACTION_ENDS,
    DIRECTION_WORDS,
    FEMALE_PRONOUNS,
    FUNCTION_WORDS,
    INSIDE_PREPOSITIONS,
    LOCAL_WORDS,
    MALE_PRONOUNS,
    NOT_NAMES,
    PLACE_NOUNS,
    SPEECH_VERBS,
    word_set,
)
from engine.analysis.rules.occurrences import fold_for_matching
from engine.domain.knowledge import TextBlock

_UPPER = "A-ZÀ-ÖØ-ÞĀĂĄĆČĎĐĒĖĘĚĞĢĪİĶŁŃŅŇŌŐŒŔŘŚŞŠŢŤŪŮŰŹŻŽ"
_LOWER = "a-zß-öø-ÿāăąćčďđēėęěğģīıķłńņňōőœŕřśşšţťūůűźżž"
_CAPITALISED = (
    rf"[{_UPPER}](?:'[{_UPPER}])?[{_LOWER}]+(?:[{_UPPER}][{_LOWER}]+)*"
    rf"(?:'(?!s\b)[{_UPPER}{_LOWER}]+)?(?:-[{_UPPER}]?[{_LOWER}]+)*"
)
_ABBREVIATED = (
    r"(?:Mr|Mrs|Ms|Dr|Drs|St|Ste|Mt|Ft|Capt|Col|Lt|Lieut|Sgt|Gen|Maj|Rev|Hon|Prof|Messrs|Mme|Mlle|M|Fr|Jr|Sr)\."
)
_WORD = rf"(?:{_ABBREVIATED}|{_CAPITALISED}|[{_UPPER}]\.(?= ?[{_UPPER}]))"
_PARTICLE = r"(?:(?:de|la|le|du|des|von|van|der|den|ten|ter|di|da|dos|del|della|bin|ibn|al|el|zu|af|av) |[dl]')"
_RUN = re.compile(rf"(?<![\w'-]){_WORD}(?:(?: {_PARTICLE}{{0,3}}|(?<=\.)){_WORD})*")
_AFTER = re.compile(rf"('s )?[,\"”']{{0,3}} ?([{_LOWER}]+)")
_PRONOUN = re.compile(rf"[^\n\"“”{_UPPER}]{{0,80}}?\b(he|his|him|himself|she|her|hers|herself)\b")
_QUOTES = frozenset({'"', "“", "'"})
_NAME_OPENERS = word_set("new upper lower north south east west great")
"""Ordinary words that open a name when another capital follows."""
_CONVENTIONAL = word_set(
    """
    i i'm i've i'll i'd monday tuesday wednesday thursday friday saturday sunday january february march april may
    june july august september october november december christmas easter
    """
)
"""Capitalised by convention, so no part of the name they happen to stand beside."""
_ALSO_NAMES = frozenset({"will", "may"})
_MONTHS_AND_NAMES = re.compile(r"(?<=[a-z,;] )(May|June|April|August) ([A-Z][a-z]{2,})")
_FEWEST_BORNE = 3
"""How often one family name must follow a month that is a given name as well."""
_BEFORE_MONTHS = word_set("in of last next this early late mid by since until till from during for to and every")
_NEVER_LAST = _CONVENTIONAL | (FUNCTION_WORDS - _ALSO_NAMES)
_NEVER_LAST |= word_set("sir madam ma'am miss god heaven lord mamma papa mother father")
_LONGEST_RUN = 80
"""Characters; what is longer is a heading or a list."""
_RUNS_A_CHECK = 2000
_LINES_A_CHECK = 1000
_OPEN_A_NAME = word_set("Mr. Mrs. Ms. Dr. Miss Sir Lady Mr Mrs Ms Dr")
_FEELINGS = word_set("dear dearest poor")
"""What a speaker feels for somebody is no part of the name."""
_OPENS_SENTENCE = frozenset('.!?:;\n"“‘*()[]—…•|')
_NOT_ALPHA = {ord(char): " " for char in map(chr, range(128)) if not char.isalnum() and char not in "'-"}
_NOT_ALPHA.update({ord(char): " " for char in "“”‘—–…"})


@dataclass(slots=True)
class Evidence:
    """How often a form stands where; the numbers are occurrences."""

    first: int = -1
    """Offset of the first occurrence."""
    count: int = 0
    inside: int = 0
    """Not at the start of a sentence, so that the capital means something."""
    spoken: int = 0
    """A verb of speech belongs to it."""
    acting: int = 0
    bodily: int = 0
    """Something only people have follows in the possessive."""
    called: int = 0
    """Between commas or quotes, as one calls somebody."""
    after_the: int = 0
    within: int = 0
    """After "in", "into", "throughout"."""
    near: int = 0
    """After "near", "across", "reached" and the like."""
    towards: int = 0
    """After "at", "from", "to", which stand before people too."""
    placed: int = 0
    """After "city of", "parish of" and the like."""
    male: int = 0
    female: int = 0


@dataclass(slots=True)
class Scan:
    """What one pass over a text found."""

    evidence: dict[str, Evidence] = field(default_factory=lambda: defaultdict(Evidence))
    """By form, in the order of first occurrence."""
    lower_words: Mapping[str, int] = field(default_factory=Counter)
    """How often each word stands without a capital."""
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Forms joined by "and" or "or", so two things; in alphabetical order."""


class _Where(Enum):
    """What a capital letter is worth at a place."""

    OPENING = 0
    """A sentence begins here: any word is capitalised."""
    INSIDE = 1
    AFTER_THE = 2
    """After "the", where all the words of the run belong together."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A name inside a run."""

    form: str
    start: int
    """Offset in the run."""
    is_after_the: bool
    """After a "The" of the same run."""
    is_inside: bool
    """Its capital means something."""


def scan(blocks: Sequence[TextBlock], go_on: GoOn = carry_on) -> Scan:
    """Collect all capitalised runs and their surroundings; headings count for nothing."""
    text = "\n".join(fold_for_matching(block.text).replace("_", " ") for block in blocks if not block.is_heading)
    found = Scan(lower_words=_count_words(text, go_on))
    borne = _borne_months(text)
    known: dict[tuple[str, _Where], _Part | None] = {}
    last_form, last_end = "", -1
    for match in checked(_RUN.finditer(text), go_on, _RUNS_A_CHECK):
        run, start = match[0], match.start()
        if len(run) > _LONGEST_RUN:
            continue
        before = _word_before(text, start)
        where = _where(text, start, before)
        key = (run, where)
        part = known[key] if key in known else known.setdefault(key, _name_in(run, where, borne))
        if part is None and run in borne and where is _Where.INSIDE and before not in _BEFORE_MONTHS:
            part = _Part(run, 0, is_after_the=False, is_inside=True)
        if part is None:
            continue
        a = start + part.start
        b = a + len(part.form)
        _observe(found.evidence[part.form], text, a, b, part, "" if part.start else before)
        between = text[last_end:a] if a - last_end < 12 else ""
        if between in {" and ", " or ", ", and ", " and the "}:
            found.pairs[min(last_form, part.form), max(last_form, part.form)] += 1
        elif between in {" of ", " of the ", "'s "}:
            _observe_compound(found, text, text[last_end - len(last_form) : b], b, part.form)
        last_form, last_end = part.form, b
    return found


def _borne_months(text: str) -> frozenset[str]:
    """Return the months that are somebody's given name in a text: May, where May Welland is about."""
    full = Counter(match.groups() for match in _MONTHS_AND_NAMES.finditer(text))
    return frozenset(given for (given, _family), n in full.items() if n >= _FEWEST_BORNE)


def _count_words(text: str, go_on: GoOn) -> Counter[str]:
    counts: Counter[str] = Counter()
    for part in checked(text.split("\n"), go_on, _LINES_A_CHECK):
        counts.update(part.translate(_NOT_ALPHA).split())
    return counts


def _where(text: str, start: int, before: str) -> _Where:
    if before == "the":
        return _Where.AFTER_THE
    return _Where.INSIDE if before or not _opens_sentence(text, start) else _Where.OPENING


def _observe_compound(found: Scan, text: str, whole: str, end: int, last: str) -> None:
    """Count "Queen of Hearts", "Bay of Biscay" and "Gallows' Hill" as names of their own beside their parts."""
    if " of " in whole:
        head = plain_word(whole.partition(" of ")[0].rpartition(" ")[2])
        found.evidence[last].placed += head in PLACE_NOUNS or head in PLACE_HEADS
        if " " not in whole.partition(" of ")[0] and is_given_name(head) and " of the " not in whole:
            found.evidence[whole.partition(" ")[0]].count -= 1  # Anne of Austria is no Anne
        elif head not in TITLES and head not in HEADS_BEFORE_OF:
            return
    elif plain_word(last.rpartition(" ")[2]) not in HEADS_BEFORE_OF:
        return
    start = end - len(whole)
    before = _word_before(text, start)
    _observe(found.evidence[whole], text, start, end, _Part(whole, 0, text[start - 4 : start] == "The ", True), before)


def _name_in(run: str, where: _Where, borne: frozenset[str]) -> _Part | None:
    """Return the name in a run of capitalised words, without the ordinary words glued to it."""
    words = [(m.start(), m[0]) for m in re.finditer(r"\S+", run)]
    is_after_the = is_inside = False
    while words and not (words[0][1] in borne and len(words) > 1) and _is_glued(words, where):
        is_after_the = words[0][1] == "The"
        is_inside = True  # what follows has a capital of its own
        where = _Where.AFTER_THE if is_after_the else where
        words = words[1:]
    while len(words) > 1 and words[-1][1].lower() in _NEVER_LAST:
        words.pop()
    cut = max((i for i, (_start, word) in enumerate(words) if word in _OPEN_A_NAME), default=0)
    if cut and plain_word(words[cut - 1][1]) not in TITLES | SOFT_TITLES:
        words, is_inside = words[cut:], True
    while len(words) > 1 and plain_word(words[-1][1]) in TITLES and plain_word(words[0][1]) not in TITLES:
        words.pop()
    if not words:
        return None
    start = words[0][0]
    form = _without_contraction(run[start : words[-1][0] + len(words[-1][1])])
    if len(words) == 1 and (len(form) < 2 or (_is_ordinary(form) and plain_word(form) not in TITLES | KIN_NAMES)):
        return None
    return _Part(form, start, is_after_the, is_inside or len(words) > 1 or where is not _Where.OPENING)


def _is_glued(words: Sequence[tuple[int, str]], where: _Where) -> bool:
    """Say whether the first word of a run is an ordinary one that no name begins with."""
    first = plain_word(words[0][1])
    is_felt = first in _FEELINGS and len(words) > 1
    if where is _Where.AFTER_THE or not (is_felt or _is_ordinary(words[0][1])):
        return False
    if len(words) == 1:
        return first not in TITLES and first not in KIN_NAMES
    if is_felt or (first in FUNCTION_WORDS and first not in _ALSO_NAMES):
        return True
    if where is _Where.INSIDE:
        return first in _CONVENTIONAL
    if first in TITLES or first in SOFT_TITLES or first in _NAME_OPENERS:
        return first not in TITLES and _is_ordinary(words[1][1]) and not _is_head(words[1][1])
    return not _is_head(words[1][1])


def _is_head(word: str) -> bool:
    return plain_word(word) in PLACE_HEADS or plain_word(word) in ORGANISATION_HEADS


def _is_ordinary(word: str) -> bool:
    plain = plain_word(word)
    return plain in NOT_NAMES or plain.endswith("n't") or _without_contraction(plain) in NOT_NAMES


def _without_contraction(form: str) -> str:
    for end in CONTRACTION_ENDS:
        if form.endswith(end) and len(form) > len(end) + 1:
            return form[: -len(end)]
    return form[:-2] if form.endswith("'s") else form


def _observe(evidence: Evidence, text: str, a: int, b: int, part: _Part, before: str) -> None:
    """Count what stands around one occurrence [a, b), after the word `before`."""
    if not evidence.count:
        evidence.first = a
    evidence.count += 1
    evidence.inside += part.is_inside
    after = _AFTER.match(text, b)
    if after is not None:
        _observe_after(evidence, after, is_alone=text[a - 1 : a] in _QUOTES)
    if before:
        _observe_before(evidence, before, text, a)
    elif part.is_after_the:
        evidence.after_the += 1
    if text[a - 2 : a] in {", ", '"', "“"} or (a and text[a - 1] in '"“'):
        evidence.called += text[b : b + 1] in {",", "!", "?", "."}
    pronoun = _PRONOUN.match(text, b)
    if pronoun is not None:
        if pronoun[1] in MALE_PRONOUNS:
            evidence.male += 1
        elif pronoun[1] in FEMALE_PRONOUNS:
            evidence.female += 1


def _observe_after(evidence: Evidence, after: re.Match[str], *, is_alone: bool) -> None:
    """Count what follows; `is_alone` when a quote opens right before the form: "Nonsense," said he."""
    word = after[2]
    if after[1]:
        evidence.bodily += word in BODY_NOUNS
    elif word in SPEECH_VERBS:
        evidence.spoken += not (is_alone and after[0][:1] != " ")
    elif word in ACTION_VERBS:
        evidence.acting += after[0][:1] == " "


def _observe_before(evidence: Evidence, before: str, text: str, a: int) -> None:
    if before == "the":
        evidence.after_the += 1
        further = _word_before(text, a - 4)
        if further in INSIDE_PREPOSITIONS or further in LOCAL_WORDS:
            evidence.near += 1
        elif further in DIRECTION_WORDS:
            evidence.towards += 1
        elif further in SPEECH_VERBS:
            evidence.spoken += 2 * _follows_quote(text, a - 4, further)
    elif before in SPEECH_VERBS:
        evidence.spoken += 2 * _follows_quote(text, a, before)
    elif before in INSIDE_PREPOSITIONS:
        evidence.within += 1
    elif before in LOCAL_WORDS:
        evidence.near += 1
    elif before in DIRECTION_WORDS:
        evidence.towards += 1
    elif before == "of" and _word_before(text, a - 3) in PLACE_NOUNS:
        evidence.placed += 1


def _follows_quote(text: str, a: int, verb: str) -> bool:
    """Tell `"...," said X` from "asked X to come": the verb that ends one blank before `a` follows a quote."""
    end = a - len(verb) - 1
    return text[max(0, end - 3) : max(0, end)].rstrip()[-1:] in {'"', "”", "'", "’"}


def _word_before(text: str, a: int) -> str:
    """Return the lower-case word that ends one blank before offset `a`, else an empty string."""
    if a < 2 or text[a - 1] != " ":
        return ""
    start = a - 2
    while start >= 0 and text[start].islower():
        start -= 1
    return text[start + 1 : a - 1]


def _opens_sentence(text: str, a: int) -> bool:
    i = a - 1
    while i >= 0 and text[i] in " ”":
        i -= 1
    if i < 0 or text[i] in _OPENS_SENTENCE:
        return True
    if text[i] == "-":
        return text[i - 1 : i + 1] == "--"
    return text[i] == "'" and not text[i - 1].isalnum()
