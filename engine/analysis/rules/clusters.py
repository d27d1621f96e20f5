"""Names that belong together: what a language's rules hand over, and when each name gives itself away."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from engine.domain.knowledge import AliasKind, PointKind
from engine.domain.locator import Pos


@dataclass(frozen=True, slots=True)
class Link:
    """Two forms of one cluster that a rule joined."""

    a: str
    b: str
    pos: Pos = 0
    """End of the block that states the link (a courtesy name, a ruby reading); 0 when the two forms alone show it."""


@dataclass(frozen=True, slots=True)
class NameCluster:
    """One point as a language's rules see it: its forms, and why they are one.

    A form may stand in several clusters: then it is shared, and each of its mentions goes to
    the bearer likeliest there.
    """

    kind: PointKind
    name: str
    """Proper name; one of `forms`."""
    forms: Mapping[str, AliasKind]
    """As the text writes them."""
    links: tuple[Link, ...] = field(default=())
    """Between forms; a form no link reaches counts as joined to `name` where both have occurred."""
    is_listed: bool = False
    yields: frozenset[str] = frozenset()
    """Shared forms that mean another bearer as a rule; without any, the cluster that comes first is the likeliest."""


ChapterKey = tuple[int, int]
"""(ord of the volume, chapter) as blocks have them."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What `find_clusters` of a language returns."""

    clusters: Sequence[NameCluster] = ()
    hints: Sequence[str] = ()
    """Codes of what was done with less than it could have been, such as "no-word-list"."""
    namesakes: Mapping[str, frozenset[ChapterKey]] = field(default_factory=dict)
    """Chapters in which a form names somebody or something else, who has no cluster."""


def reveal_positions(first: Mapping[str, Pos], links: Iterable[Link], root: str = "") -> dict[str, Pos]:
    """Return from where on each form is known to name the point.

    One form, the root, is known at once. Any other is known when the first chain of links leads
    from it to the root: a link holds from where both its forms, and its statement, have
    been read, so a form's reveal is the smallest maximum over all chains (Prim's tree).

    Args:
        first: First pos of each form that occurs.
        links: Between those forms; forms that no chain reaches are missing in the result.
        root: Known at once; empty for the earliest form.
    """
    if not first:
        return {}
    neighbours: dict[str, list[tuple[str, Pos]]] = {form: [] for form in first}
    for link in links:
        if link.a in first and link.b in first:
            pos = max(link.pos, first[link.a], first[link.b])
            neighbours[link.a].append((link.b, pos))
            neighbours[link.b].append((link.a, pos))
    root = root or min(first, key=lambda form: (first[form], -len(form), form))
    revealed: dict[str, Pos] = {}
    open_forms = {root: first[root]}
    while open_forms:
        form = min(open_forms, key=lambda f: (open_forms[f], f))
        revealed[form] = open_forms.pop(form)
        for other, pos in neighbours[form]:
            if other not in revealed:
                known = max(revealed[form], pos)
                open_forms[other] = min(open_forms.get(other, known), known)
    return revealed


class Verdict(StrEnum):
    """What two forms alone say about whether they name one person."""

    SAME = "same"
    ASK = "ask"
    """Compatible: one, if nobody else bears the name."""
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True)
class PersonName:
    """A person's name taken apart; the parts are folded (case, accents, apostrophes) for comparing."""

    form: str
    """As the text writes it."""
    titles: frozenset[str] = frozenset()
    """Canonical words, such as "mr", "captain", "aunt"."""
    given: str = ""
    family: str = ""
    """Of a name of two parts and more."""
    middle: str = ""
    """The second of three parts and more: another given name, a patronymic."""
    single: str = ""
    """The only part, given or family as may be."""
    full_givens: frozenset[str] = frozenset()
    """What the given name, or the single part, may be short for; itself included."""
    gender: str = ""
    """"m" or "f" when a title or kinship says so; else empty."""
    leaning: str = ""
    """The gender that pronouns and the given name suggest."""
    count: int = 0
    first: int = 0
    """Any number that grows with the place of the first occurrence."""
    is_common: bool = False
    """The given or single part is a common given name of the language."""
    is_role: bool = False
    """The single part is a role: the Hatter, the Admiral."""

    @property
    def is_full(self) -> bool:
        """Say whether both given and family name stand in it."""
        return bool(self.family)


_EXCLUSIVE = (
    frozenset({"mrs", "miss", "lady"}),
    frozenset({"madame", "mademoiselle"}),
    frozenset({"madame", "miss"}),
    frozenset(
        {"sir", "lord", "mr", "count", "baron", "earl", "duke", "viscount", "marquis", "prince", "king", "emperor"}
    ),
    frozenset({"queen", "princess", "duchess", "countess", "baroness", "marchioness", "mrs", "miss", "empress"}),
    frozenset(
        {"mr", "general", "admiral", "captain", "colonel", "major", "lieutenant", "sergeant", "corporal", "private"}
    ),
)
"""Of each set a person bears one at a time; who rises is two names until somebody says so."""


def titles_conflict(a: frozenset[str], b: frozenset[str]) -> bool:
    """Say whether nobody is called by both: Mr. and Sir, Miss and Mrs., Captain and General."""
    return any(a & group and b & group and not a & b & group for group in _EXCLUSIVE)


def compare(a: PersonName, b: PersonName) -> Verdict:
    """Say what two names alone tell: one person, two, or a question for the roster or the reader.

    A veto of titles or gender comes first. Equal full names are one; a part of a name (bare
    surname, given name, short form) is always a question, however alike.
    """
    if not (a.family or a.single) or not (b.family or b.single):
        return Verdict.DIFFERENT  # nothing but punctuation is nobody's name
    if (a.gender and b.gender and a.gender != b.gender) or titles_conflict(a.titles, b.titles):
        return Verdict.DIFFERENT
    if a.is_full and b.is_full:
        return _compare_full(a, b)
    if a.is_full or b.is_full:
        return _compare_part(a, b) if a.is_full else _compare_part(b, a)
    if a.single == b.single:
        return Verdict.SAME if a.titles == b.titles and a.is_role == b.is_role else Verdict.ASK
    return Verdict.ASK if a.full_givens & b.full_givens and not a.is_role | b.is_role else Verdict.DIFFERENT


def _compare_part(full: PersonName, part: PersonName) -> Verdict:
    fits = part.single in {full.family, full.given} or not part.full_givens.isdisjoint(full.full_givens)
    return Verdict.ASK if fits and not part.is_role else Verdict.DIFFERENT


def _compare_full(a: PersonName, b: PersonName) -> Verdict:
    if a.family != b.family or _is_couple(a, b) or _is_couple(b, a):
        return Verdict.DIFFERENT
    if a.middle and b.middle and not _may_be_one(a.middle, b.middle):
        return Verdict.DIFFERENT
    if a.given == b.given:
        return Verdict.SAME
    return Verdict.ASK if a.full_givens & b.full_givens or _may_be_one(a.given, b.given) else Verdict.DIFFERENT


def _is_couple(wife: PersonName, husband: PersonName) -> bool:
    """Tell Mrs. John Smith, named after her husband, from John Smith."""
    return "mrs" in wife.titles and "mrs" not in husband.titles and "f" not in {husband.gender, husband.leaning}


def _may_be_one(a: str, b: str) -> bool:
    """Say whether two given names are equal, or one the initial of the other."""
    return a == b or (len(a) == 1 and b.startswith(a)) or (len(b) == 1 and a.startswith(b))
