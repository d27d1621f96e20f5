"""Find the names of whole novels and print how well: people, aliases, places, and what each rule gives.

Run it alone: `UNDERSTORY_CORPORA=... python tests/quality/entities.py [english|chinese|japanese|places|ablations]`.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.analysis.rules import english, english_kinds, english_people, english_runs, people
from engine.analysis.rules.analyst import analyse
from tests.corpora import corpora_with
from tests.pace import allowance
from tests.quality.entity_books import Book, load_books
from tests.quality.entity_score import Score, pair_f
from tests.quality.litbank import score_places

FOLDERS = {"english": "en-pdnc", "chinese": "zh", "japanese": "ja"}
LEAST_F1 = {"english": 0.90, "chinese": 0.89, "japanese": 0.80}
LEAST_PAIR_F = 0.86
MOST_CPU_S = {"english": 0.5, "chinese": 5.0, "japanese": 6.0}
"""A million characters."""
MOST_PLACE_ERROR = 0.5
"""Of the baseline's."""


@dataclass(frozen=True, slots=True)
class Result:
    """One book, scored."""

    book: Book
    score: Score
    cpu_s: float
    """A million characters."""


def score_books(books: Sequence[Book]) -> list[Result]:
    """Analyse and score books."""
    results = []
    for book in books:
        before = time.process_time()
        roster = analyse(book.blocks, book.language)
        cpu_s = time.process_time() - before
        size = sum(len(block.text) for block in book.blocks)
        results.append(Result(book, book.score(roster), cpu_s * 1e6 / max(1, size)))
    return results


def macro_f1(results: Sequence[Result]) -> float:
    """Return the mean F1 over books."""
    return sum(result.score.f1 for result in results) / len(results)


def cpu_s(results: Sequence[Result]) -> float:
    """Return CPU seconds a million characters over all books."""
    sizes = [sum(len(block.text) for block in result.book.blocks) for result in results]
    return sum(r.cpu_s * size for r, size in zip(results, sizes, strict=True)) / sum(sizes)


@contextmanager
def without(*rules: tuple[object, str, object]) -> Iterator[None]:
    """Take rules away: each (module, name, what stands in for it)."""
    with ExitStack() as stack:
        for module, name, stand_in in rules:
            stack.enter_context(patch.object(module, name, stand_in))
        yield


def _never(*_args: object, **_options: object) -> bool:
    return False


def _nothing(*_args: object, **_options: object) -> list[object]:
    return []


def _first_of(people_: object, _name: object) -> object:
    return people_


ABLATIONS: Mapping[str, tuple[tuple[object, str, object], ...]] = {
    "forms found once, joined by known parts": ((english, "_more_forms", _nothing),),
    "gender by pronouns": ((english, "_leaning", lambda _evidence: ""),),
    "given names known to the language": (
        (english_kinds, "is_given_name", _never),
        (english, "is_given_name", _never),
    ),
    "roles as names (the Hatter)": (
        (english_kinds._Judge, "_after_the", lambda judge, form, words, evidence: judge._term(form, words, evidence)),
    ),
    "veto of titles (Mr. / Miss)": ((people, "titles_conflict", _never),),
    "veto of gender": ((people._Person, "gender", property(lambda _person: "")),),
    "veto of pairs (Kit and Kitty)": ((people._Person, "is_told_apart", _never),),
    "short forms (Lizzy)": ((people, "_may_be_shortened", _never),),
    "endings of endearment (Skaggsy)": ((people, "_is_diminutive", _never),),
    "of sisters one is Miss Archer": ((people, "_same_title", _first_of),),
    "Mrs. X is no maiden of the family": ((people, "_is_other", _never),),
    "ladies under their rank (Lady Catherine)": ((people, "_is_always_ranked", _never),),
    "surnames that are given names": ((people, "_is_rather_a_family", _never),),
    "patronymics": (
        (english_people, "patronymic_gender", lambda _words: ""),
        (english_kinds, "patronymic_gender", lambda _words: ""),
    ),
    "places everybody knows": ((english_kinds, "KNOWN_PLACES", frozenset()),),
    "heads of place names (Street, Hill)": ((english_kinds, "PLACE_HEADS", frozenset()),),
    "prepositions of place": ((english_kinds, "_local", lambda _evidence: 0.0),),
    "what is named once": ((english, "_is_sure", _never),),
    "months that are names (May Welland)": ((english_runs, "_borne_months", lambda _text: frozenset()),),
    "plural families (the Archers)": ((english_kinds._Judge, "_is_family", _never),),
}
"""What each rule gives: the same run without it."""


def print_ablations(books: Sequence[Book], litbank: Path) -> None:
    """Print macro F1, pair F and the F1 of places without each of the rules."""
    print(f"\n{'without':44} macro F1  pair F  places F1")
    for label, rules in {"": (), **ABLATIONS}.items():
        with without(*rules):
            results, (places, _baseline) = score_books(books), score_places(litbank)
        pairs = pair_f(result.score for result in results)
        print(f"{label or '(all rules)':44}    {macro_f1(results):.3f}   {pairs:.3f}      {places.f1:.3f}")


def print_books(corpora: Path, language: str) -> bool:
    """Print one language's table; return whether the gates hold."""
    books = list(load_books(corpora / "novels" / FOLDERS[language]))
    if not books:
        print(f"\n{language}: no lists of characters")
        return True
    results = score_books(books)
    print(f"\n{language:32} recall  precision   F1   pairs right/wrong/missed   CPU s/M")
    for each in results:
        s = each.score
        pairs = f"{s.same_right}/{s.same_wrong}/{s.same_missed}"
        print(
            f"{each.book.name:32}  {s.recall:.3f}      {s.precision:.3f} {s.f1:.3f}   {pairs:>24}      {each.cpu_s:.2f}"
        )
        if "-v" in sys.argv:
            print(f"    missed {s.missed}\n    wrong {s.wrong}\n    doubled {s.doubled}")
    f1, pairs_f1, cost = macro_f1(results), pair_f(each.score for each in results), cpu_s(results)
    room = allowance()
    print(
        f"macro F1 {f1:.3f} (least {LEAST_F1[language]:.2f})   pair F {pairs_f1:.3f}"
        f"{f' (least {LEAST_PAIR_F})' if language == 'english' else ''}   "
        f"CPU {cost:.2f} s/M (most {MOST_CPU_S[language]} x {room:.2f} here and now)"
    )
    is_paired = pairs_f1 >= LEAST_PAIR_F or language != "english"
    return f1 >= LEAST_F1[language] and is_paired and cost <= MOST_CPU_S[language] * room


def print_places(corpora: Path) -> bool:
    """Print the places of LitBank; return whether the gate holds."""
    rules, baseline = score_places(corpora / "novels" / "en-litbank")
    print("\nplaces, facilities, organisations (LitBank)   precision  recall   F1    error")
    for label, tally in (("rules", rules), ("every capitalised run", baseline)):
        print(f"{label:48}  {tally.precision:.3f}   {tally.recall:.3f}  {tally.f1:.3f}  {1 - tally.f1:.3f}")
    share = (1 - rules.f1) / (1 - baseline.f1)
    print(f"error of the rules / of the baseline: {share:.2f} (most {MOST_PLACE_ERROR})")
    return share <= MOST_PLACE_ERROR


def main() -> int:
    """Print what is asked for; 1 when a gate does not hold."""
    corpora = corpora_with(*(f"novels/{name}" for name in (*FOLDERS.values(), "en-litbank")))
    if corpora is None:
        return 0
    novels = corpora / "novels"
    parts: dict[str, Callable[[], bool]] = {name: partial(print_books, novels.parent, name) for name in FOLDERS}
    parts["places"] = partial(print_places, novels.parent)
    asked = [word for word in sys.argv[1:] if not word.startswith("-")]
    held = [part() for name, part in parts.items() if name in asked or not asked]
    if "ablations" in asked or (not asked and os.environ.get("QUALITY") != "ci"):
        print_ablations(list(load_books(novels / FOLDERS["english"])), novels / "en-litbank")
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
