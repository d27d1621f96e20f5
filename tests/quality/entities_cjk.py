"""Find the names of Chinese and Japanese novels: the gates, with and without the extras, and what each rule gives.

Run it alone: `UNDERSTORY_CORPORA=... python tests/quality/entities_cjk.py [chinese|japanese|names|swapped|ablations]`.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.analysis.rules import (
    chinese,
    chinese_aliases,
    chinese_people,
    chinese_rulers,
    chinese_titled,
    japanese,
    japanese_aliases,
    japanese_people,
    japanese_runs,
    roster,
    usage,
)
from engine.analysis.rules.analyst import analyse
from tests.corpora import corpora_with
from tests.pace import allowance
from tests.quality.entities import FOLDERS, LEAST_F1, MOST_CPU_S, Result, cpu_s, macro_f1, score_books, without
from tests.quality.entity_books import Book, load_blocks, load_books
from tests.quality.entity_score import pair_f
from tests.quality.entity_swap import with_foreign_names

CASES = Path(__file__).resolve().parents[1] / "cases"
LEAST_F1_OF_EACH = {"chinese": 0.87, "japanese": 0.80}
LEAST_F1_WITHOUT_EXTRA = 0.82
"""Of each Chinese work."""
LEAST_F1_SWAPPED = 0.80
"""Of each simplified Chinese work with foreign names in the place of its own."""
MOST_BETWEEN_SCRIPTS = 0.02
"""F1 that the traditional edition of a work may lose."""

Rule = tuple[object, str, object]
WITHOUT_EXTRA: Mapping[str, tuple[Rule, ...]] = {
    "chinese": ((chinese, "ordinary_words", lambda _go_on: {}),),
    "japanese": ((japanese, "tag", lambda _text, _go_on: None),),
}


def _same(names: object, *_args: object) -> object:
    return names


def _nothing(*_args: object, **_options: object) -> None:
    return None


def _empty(*_args: object, **_options: object) -> dict[str, object]:
    return {}


def _no_forms(*_args: object) -> set[str]:
    return set()


def _never(_gram: object) -> bool:
    return False


def _none_found(*_args: object) -> tuple[list[str], list[str]]:
    return [], []


ABLATIONS: Mapping[str, Mapping[str, tuple[Rule, ...]]] = {
    "chinese": {
        "the word list (extra)": WITHOUT_EXTRA["chinese"],
        "usage learned from the text": ((chinese_people, "_is_seed", lambda _gram, _ordinary: False),),
        "usage expected of the language": (
            (chinese_people, "EXPECTED_BEFORE", {}),
            (chinese_people, "EXPECTED_AFTER", {}),
        ),
        "family names": ((chinese_people, "family_name", lambda _form: ""),),
        "what persons do": ((chinese_people, "_act_share", lambda _gram: 1.0),),
        "bounds of words": ((chinese_people, "is_word", lambda _gram: True),),
        "words for anybody": ((chinese_people, "ROLES", frozenset()),),
        "ordinary words of ours": ((chinese_people, "COMMON", frozenset()),),
        "name and a word of the sentence": ((chinese_people, "without_additions", _same),),
        "pieces of longer names": ((chinese_people, "without_pieces", _same),),
        "places are no people": ((chinese, "find_places", _empty),),
        "households (X家的)": ((chinese, "find_households", _none_found),),
        "given and full names": ((chinese_aliases, "_join_given_names", _nothing),),
        "names the text states": ((chinese_aliases, "_join_stated", _nothing),),
        "names introduced by parts": ((chinese, "introduced_names", _empty),),
        "names in rows of names": ((chinese_people, "_in_rows", _no_forms),),
        "names behind titles (后主刘禅)": ((chinese_people, "_is_named_after_title", _never),),
        "who often speaks": ((chinese_people, "_speaks_up", _never),),
        "given name and a verb (操怒)": ((chinese_people, "without_verbs", _same),),
        "endearments of a given name (凤姐)": ((chinese_aliases, "_join_endearments", _nothing),),
        "who never meets a title's bearer": ((chinese_titled, "company", lambda *_args: 1.0),),
        "titles": ((chinese_aliases, "join_titled", _nothing),),
        "offices the text gives": ((chinese_titled, "appositions", _empty),),
        "offices before names (司徒王允)": ((chinese_aliases, "_join_offices", _nothing),),
        "thrones (魏主)": ((chinese, "join_rulers", _nothing),),
        "who became king (立曹操为魏王)": ((chinese_rulers, "_enthroned", lambda *_args: defaultdict(Counter)),),
        "thrones never explained (先主)": ((chinese, "join_thrones", _nothing),),
        "words far from their bearer (思远)": (
            (roster, "_without_stray_words", lambda _cluster, those, _blocks: those),
        ),
        "endearments (凤姐儿)": ((chinese_aliases, "_join_diminutives", _nothing),),
    },
    "japanese": {
        "the tagger (extra)": WITHOUT_EXTRA["japanese"],
        "usage of names": ((usage.Usage, "score", lambda _self, _gram: 1.0),),
        "honorifics": ((japanese_people, "_spoken", lambda _candidate: 0),),
        "endings of given names": ((japanese_people, "ends_like_a_given_name", lambda _form: False),),
        "family names": ((japanese_people, "SURNAMES", frozenset()),),
        "words for anybody": ((japanese_people, "ROLES", frozenset()), (japanese_runs, "ROLES", frozenset())),
        "ordinary words of ours": ((japanese_people, "COMMON", frozenset()),),
        "places are no people": ((japanese_people, "_ends_like_a_place", lambda _form: False),),
        "full names": ((japanese_aliases, "_join_full_names", _nothing),),
        "old titles (東風子)": ((japanese_aliases, "_join_old_titles", _nothing),),
        "short forms (伊之)": ((japanese_aliases, "_join_short_forms", _nothing),),
        "shops before names (遠州屋才兵衛)": ((japanese_aliases, "_join_shops", _nothing),),
        "name and a word (突然鈴木)": ((japanese_people, "_is_name_with_more", lambda *_args: False),),
        "titled forms": ((japanese_aliases, "_add_titled_forms", _nothing),),
    },
}
"""What each rule gives: the same run without it."""


def print_language(corpora: Path, language: str) -> bool:
    """Print each work with and without the extra; return whether the gates hold."""
    books = list(load_books(corpora / "novels" / FOLDERS[language]))
    results = score_books(books)
    with without(*WITHOUT_EXTRA[language]):
        bare = score_books(books)
    print(f"\n{language:24} recall  precision   F1   pair F   CPU s/M   F1 without the extra")
    for each, other in zip(results, bare, strict=True):
        s = each.score
        print(
            f"{each.book.name:24} {s.recall:.3f}     {s.precision:.3f}  {s.f1:.3f}   {pair_f([s]):.3f}     "
            f"{each.cpu_s:.2f}   {other.score.f1:.3f}"
        )
        if "-v" in sys.argv:
            print(f"    missed {s.missed}\n    wrong {s.wrong}\n    doubled {s.doubled}")
    f1, cost = macro_f1(results), cpu_s(results)
    room = allowance()
    print(
        f"macro F1 {f1:.3f} (least {LEAST_F1[language]:.2f}, each {LEAST_F1_OF_EACH[language]:.2f}, "
        f"without the extra {LEAST_F1_WITHOUT_EXTRA:.2f})   "
        f"CPU {cost:.2f} s/M (most {MOST_CPU_S[language]} x {room:.2f} here and now)"
    )
    return (
        f1 >= LEAST_F1[language]
        and cost <= MOST_CPU_S[language] * room
        and all(each.score.f1 >= LEAST_F1_OF_EACH[language] for each in results)
        and (language != "chinese" or all(each.score.f1 >= LEAST_F1_WITHOUT_EXTRA for each in bare))
        and _do_scripts_agree(results)
    )


def _do_scripts_agree(results: Sequence[Result]) -> bool:
    f1 = {each.book.name: each.score.f1 for each in results}
    lost = {name: f1[name] - f1[f"{name}-hant"] for name in f1 if f"{name}-hant" in f1}
    for name, loss in lost.items():
        print(f"{name} in traditional characters loses {loss:.3f} (most {MOST_BETWEEN_SCRIPTS})")
    return all(loss <= MOST_BETWEEN_SCRIPTS for loss in lost.values())


def print_swapped(corpora: Path) -> bool:
    """Print Chinese works with invented foreign names; return whether the gate holds."""
    books = [book for book in load_books(corpora / "novels" / "zh") if book.language == "zh-Hans"]
    results = score_books([with_foreign_names(book) for book in books])
    for each in results:
        s = each.score
        print(
            f"{each.book.name:28} recall {s.recall:.3f}  precision {s.precision:.3f}  "
            f"F1 {s.f1:.3f} (least {LEAST_F1_SWAPPED:.2f})"
        )
    return all(each.score.f1 >= LEAST_F1_SWAPPED for each in results)


def print_hand_checked(corpora: Path) -> bool:
    """Print which names of the lists made by hand are found; return whether all are."""
    lists: Mapping[str, Sequence[str]] = json.loads((CASES / "names_ja.json").read_text("utf-8"))
    missed: list[str] = []
    for work, names in lists.items():
        roster = analyse(load_blocks(corpora / "novels" / "ja" / work), "ja")
        forms = {alias.form for point in roster.points for alias in point.aliases}
        gone = [name for name in names if name not in forms]
        print(f"{work}: {len(names) - len(gone)} of {len(names)} names found; missed: {' '.join(gone) or 'none'}")
        missed += gone
    return not missed


def print_ablations(books: Mapping[str, Sequence[Book]]) -> None:
    """Print macro F1 and pair F without each of the rules."""
    for language, rules in ABLATIONS.items():
        print(f"\n{language}, without                     macro F1  pair F")
        for label, taken in {"": (), **rules}.items():
            with without(*taken):
                results = score_books(books[language])
            print(f"{label or '(all rules)':36}  {macro_f1(results):.3f}   {pair_f(r.score for r in results):.3f}")


def main() -> int:
    """Print what is asked for; 1 when a gate does not hold."""
    corpora = corpora_with("novels/zh", "novels/ja")
    if corpora is None:
        return 0
    parts: dict[str, Callable[[], bool]] = {
        "chinese": partial(print_language, corpora, "chinese"),
        "japanese": partial(print_language, corpora, "japanese"),
        "names": partial(print_hand_checked, corpora),
        "swapped": partial(print_swapped, corpora),
    }
    asked = [word for word in sys.argv[1:] if word in (*parts, "ablations")]
    held = [parts[name]() for name in parts if name in asked or not asked]
    if "ablations" in asked or (not asked and os.environ.get("QUALITY") != "ci"):
        print_ablations({name: list(load_books(corpora / "novels" / FOLDERS[name])) for name in ABLATIONS})
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
