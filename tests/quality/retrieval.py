"""Ask questions whose passages are known, through the real `search`, and print how often they come first.

Run it alone: `UNDERSTORY_CORPORA=... QUALITY=full python tests/quality/retrieval.py [fairy|cmrc|drcd]`. FairytaleQA's
stories become an EPUB each, a section a chapter; a file of paragraphs becomes one EPUB, a paragraph a chapter. A hit
counts for the chapter that holds its locator, the first hit of a chapter alone. Beside it stands what a plain
full-text index of the same chapters gives.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import apsw

from engine.domain.locator import locator_from_text
from engine.text.fold import fold
from engine.text.grams import is_stop_word
from tests.builders import make_epub
from tests.commands import records, run_command
from tests.corpora import corpora_with

_LIMIT = 40
_NONE = 1 << 30
_FEW = 500


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the units that answer it."""

    words: str
    group: str
    """The story; empty where there is one book."""
    answers: frozenset[str]


@dataclass(frozen=True, slots=True)
class Corpus:
    """Units by book, and questions."""

    books: Mapping[str, Mapping[str, str]]
    """Text by unit by book."""
    questions: Sequence[Question]
    language: str


@dataclass(frozen=True, slots=True)
class Figures:
    """Where the first right unit came, over some questions."""

    ranks: Sequence[int]
    """From 0."""

    def recall(self, k: int) -> float:
        """Return the share of questions answered by the first k units."""
        return sum(rank < k for rank in self.ranks) / len(self.ranks)

    def slack(self, share: float) -> float:
        """Return what chance may take from a share over a few questions: twice its standard error; 0 over many."""
        few = len(self.ranks) < _FEW
        return 2 * (share * (1 - share) / len(self.ranks)) ** 0.5 if few else 0.0

    def __str__(self) -> str:
        mrr = sum(1 / (rank + 1) for rank in self.ranks if rank < 10) / len(self.ranks)
        error = (self.recall(1) * (1 - self.recall(1)) / len(self.ranks)) ** 0.5
        recalls = " ".join(f"R@{k} {self.recall(k):.3f}" for k in (1, 5, 10))
        return f"{recalls} MRR {mrr:.3f} ±{error:.3f} ({len(self.ranks)} questions)"


def load_fairy(folder: Path, tenth: bool) -> Corpus:
    """Load FairytaleQA; a tenth of its stories in CI."""
    stories = _lines(folder / "fairytaleqa-train-stories.jsonl")[:: 10 if tenth else 1]
    books = {
        story["story"]: {f"{story['story']}/{each['id']}": each["text"] for each in story["sections"]}
        for story in stories
    }
    questions = [
        Question(q["q"], q["story"], frozenset(f"{q['story']}/{section}" for section in q["sections"]))
        for q in _lines(folder / "fairytaleqa-train-questions.jsonl")
        if q["story"] in books
    ]
    return Corpus(books, questions, "en")


def load_paragraphs(folder: Path, name: str, tenth: bool) -> Corpus:
    """Load a set of paragraphs; all of them, with a tenth of the questions in CI."""
    units = {each["id"]: each["text"] for each in _lines(folder / f"{name}-paragraphs.jsonl")}
    questions = [Question(q["q"], "", frozenset({q["paragraph"]})) for q in _lines(folder / f"{name}-questions.jsonl")]
    return Corpus({name: units}, questions[:: 10 if tenth else 1], "zh")


def _lines(path: Path) -> list[dict[str, Any]]:  # Any: the corpora's own fields
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


class Shelf:
    """A corpus imported into a library of its own."""

    def __init__(self, corpus: Corpus, folder: Path) -> None:
        self._home = {"UNDERSTORY_HOME": str(folder / "home")}
        self._folder = folder
        for number, (book, units) in enumerate(corpus.books.items()):
            chapters = [
                (unit, "".join(f"<p>{escape(line)}</p>" for line in text.split("\n"))) for unit, text in units.items()
            ]
            make_epub(folder / f"b{number}.epub", title=f"{number} {book}", chapters=chapters, language=corpus.language)
        self._run("import", "--quiet", str(folder))
        self._works: dict[str, str] = {}
        self._units: dict[int, str] = {}
        for work in records(self._run("list", "--json")):
            for chapter in records(self._run("toc", str(work["work"]), "--json")):
                locator = locator_from_text(chapter["locator"])
                assert locator is not None
                self._units[locator.document] = chapter["title"]
                self._works[chapter["title"].rpartition("/")[0]] = str(work["work"])

    def _run(self, *words: str) -> str:
        done = run_command(*words, module="engine", env=self._home, timeout_s=3600)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def ask(self, questions: Sequence[Question], where: Callable[[Question], str]) -> Figures:
        """Ask questions where they belong: a story, or everything for an empty name."""
        ranks: list[int] = []
        for group in dict.fromkeys(map(where, questions)):
            asked = [question for question in questions if where(question) == group]
            file = self._folder / "queries.txt"
            file.write_text("".join(q.words.replace("\n", " ") + "\n" for q in asked), "utf-8")
            place = [self._works[group]] if group else ["--all"]
            printed = self._run(
                "search", *place, "--queries", str(file), "--upto", "end", "--limit", str(_LIMIT), "--mode", "lexical"
            )
            answers = [json.loads(line) for line in printed.splitlines()]
            ranks += [self._rank(question, hits) for question, hits in zip(asked, answers, strict=True)]
        return Figures(ranks)

    def _rank(self, question: Question, hits: Sequence[Mapping[str, object]]) -> int:
        """Return how many units came before the first right one."""
        in_order = sorted(hits, key=lambda hit: int(str(hit["rank"])))
        locators = [locator_from_text(str(hit["locator"])) for hit in in_order]
        units = dict.fromkeys(self._units[each.document] for each in locators if each is not None)
        return next((rank for rank, unit in enumerate(units) if unit in question.answers), _NONE)


def plain(corpus: Corpus, questions: Sequence[Question], *, is_within: bool = False) -> Figures:
    """Return what a plain index gives: stems without stop words for English, pairs of characters for Chinese."""
    database = apsw.Connection(":memory:")
    tokens = "porter unicode61" if corpus.language == "en" else "unicode61"
    database.execute(
        f"CREATE VIRTUAL TABLE plain USING fts5 (book UNINDEXED, unit UNINDEXED, text, tokenize = '{tokens}')"
    )
    for book, units in corpus.books.items():
        database.executemany(
            "INSERT INTO plain VALUES (?, ?, ?)", [(book, unit, _plain_words(text)) for unit, text in units.items()]
        )
    ranks = []
    for question in questions:
        words = dict.fromkeys(re.findall(r"\w+", _plain_words(question.words).lower()))
        kept = [word for word in words if not is_stop_word(word)] or list(words) or ["-"]
        found = database.execute(
            "SELECT unit FROM plain WHERE plain MATCH ? AND (? = '' OR book = ?) ORDER BY rank LIMIT 10",
            (" OR ".join(f'"{word}"' for word in kept), *[question.group if is_within else ""] * 2),
        )
        ranks.append(next((n for n, (unit,) in enumerate(found) if unit in question.answers), _NONE))
    return Figures(ranks)


def _plain_words(text: str) -> str:
    folded = fold(text).text
    return re.sub(r"[\u3400-\u9fff]+", lambda run: " " + " ".join(map("".join, pairwise(run[0]))) + " ", folded)


def _print(name: str, ours: Figures, beside: Figures, least: Mapping[int, float]) -> bool:
    is_kept = all(ours.recall(k) >= share - ours.slack(share) for k, share in least.items())
    wanted = ", ".join(f"R@{k} ≥ {share}" for k, share in least.items())
    print(f"{name:24} {ours}  wanted {wanted}{'' if is_kept else '  TOO LITTLE'}")
    print(f"{'  plain index':24} {beside}")
    return is_kept


def print_fairy(corpora: Path, *, tenth: bool) -> bool:
    """Print the figures of FairytaleQA, over all stories and within each."""
    corpus = load_fairy(corpora / "retrieval", tenth)
    with tempfile.TemporaryDirectory() as folder:
        shelf = Shelf(corpus, Path(folder))
        whole = shelf.ask(corpus.questions, lambda _question: "")
        within = shelf.ask(corpus.questions, lambda question: question.group)
    first = _print("FairytaleQA, all stories", whole, plain(corpus, corpus.questions), {1: 0.61, 10: 0.91})
    second = _print("  within a story", within, plain(corpus, corpus.questions, is_within=True), {10: 0.975})
    return first and second


def print_paragraphs(corpora: Path, name: str, least: Mapping[int, float], *, tenth: bool) -> bool:
    """Print the figures of a set of Chinese paragraphs."""
    corpus = load_paragraphs(corpora / "retrieval", name, tenth)
    with tempfile.TemporaryDirectory() as folder:
        ours = Shelf(corpus, Path(folder)).ask(corpus.questions, lambda _question: "")
    return _print(name, ours, plain(corpus, corpus.questions), least)


SETS: Mapping[str, Callable[[Path, bool], bool]] = {
    "fairy": lambda corpora, tenth: print_fairy(corpora, tenth=tenth),
    "cmrc": lambda corpora, tenth: print_paragraphs(corpora, "cmrc2018-trial", {1: 0.97, 5: 0.99}, tenth=tenth),
    "drcd": lambda corpora, tenth: print_paragraphs(corpora, "drcd-dev", {1: 0.94, 5: 0.99}, tenth=tenth),
}


def main() -> int:
    """Run from the command line."""
    corpora = corpora_with("retrieval")
    if corpora is None:
        return 0
    tenth = os.environ.get("QUALITY", "ci") == "ci"
    print(f"one question, or story, in {10 if tenth else 1} is asked")
    chosen = sys.argv[1:] or list(SETS)
    kept = [SETS[name](corpora, tenth) for name in chosen]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
