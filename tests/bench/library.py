"""Print what a work of 5 million characters costs to import, to open again and to read in.

`python tests/bench/library.py [MILLIONS]`, 5 unless told otherwise. CPU seconds of one process
each, so that a busy machine does not matter much; the exit status tells whether the budgets held.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.builders import make_epub
from tests.pace import allowance

_CHECKOUT = Path(__file__).resolve().parents[2]
_LETTERS = (
    "的一是了我不人在他有这个上们来到时大地为子中你说生国年着就那和要她出也得里后自以会家可下而过天去能对小多然于心学"
    "么之都好看起发当没成只如事把还用第样道想作种开见明面日前所进动方声头知女身回光手长点目力气花风水火山石玉剑"
)
_CHAPTER_CHARS = 12_500

_IMPORT = """
import json, resource, sys, time
from pathlib import Path
from engine import pipeline
from engine.epub.reader import open_epub
from engine.paths import paths_under
from engine.store import jobs
from engine.store.opening import open_store
paths, book = paths_under(Path(sys.argv[1])), Path(sys.argv[2])
store, _notices = open_store(paths)
with store.write() as w:
    job = jobs.add_job(w, "import", str(book), book.name)
    jobs.take_job(w)
began = time.process_time()
pipeline.import_book(pipeline.ImportRun(store, paths.books_dir, job, lambda: False), book, book.name)
whole = time.process_time() - began
rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
store.close()
began = time.process_time()
with open_epub(book) as epub:
    for item in epub.spine:
        epub.document(item.index)
parsing = time.process_time() - began
file_mb = paths.library_db.stat().st_size / 1e6
print(json.dumps({"import": whole, "own": whole - parsing, "rss_mb": rss / 1024, "file_mb": file_mb}))
"""

_OPEN = """
import json, sys, time
from pathlib import Path
from engine.domain.locator import select_quote
from engine.domain.reading import Place
from engine.library import Library
from engine.paths import paths_under
began = time.process_time()
library = Library(paths_under(Path(sys.argv[1])))
work = library.last_read() or library.works()[0].id
source = library.reading(work)
outline = source.outline()
document = outline.volumes[-1].documents[5]
place = source.place()
shown = source.slice_at(place.document, place.offset) if place else source.slice_at(document.id, 5000)
reopen = time.process_time() - began
documents = [d.id for volume in outline.volumes for d in volume.documents]
began = time.process_time()
for id_ in documents:
    source.slice_at(id_, 9000)
slices = (time.process_time() - began) / len(documents)
quote = select_quote(shown.text, 5000, 5024, text_offset=shown.start)
began = time.perf_counter()
for n in range(20):
    source.save_place(Place(outline.volumes[-1].book_sha256, document.spine_index, 5000, quote))
place_s = (time.perf_counter() - began) / 20
library.close()
print(json.dumps({"reopen": reopen, "slice": slices, "save": place_s}))
"""


@dataclass(frozen=True, slots=True)
class Line:
    """One figure against its budget."""

    name: str
    value: float
    budget: float
    unit: str
    allowed: float = 1.0
    """What the budget was multiplied by when this was measured: see `tests/pace.py`."""

    @property
    def is_kept(self) -> bool:
        """Whether the budget held."""
        return self.value <= self.budget * self.allowed


def make_work(path: Path, characters: int) -> Path:
    """Write a Chinese work of volumes of ten chapters."""
    chance = random.Random(7)
    chapters = []
    for n in range(max(1, characters // _CHAPTER_CHARS)):
        paragraphs, size = [], 0
        while size < _CHAPTER_CHARS:
            paragraph = "".join(chance.choices(_LETTERS, k=chance.randint(12, 110))) + "。"
            paragraphs.append(f"<p>{paragraph}</p>")
            size += len(paragraph)
        chapters.append((f"第{n + 1}章", "".join(paragraphs)))
    return make_epub(path, title="长卷", chapters=chapters, language="zh")


def measure(folder: Path, characters: int) -> list[Line]:
    """Import and reopen such a work, each in a process of its own."""
    book = make_work(folder / "work.epub", characters)
    share = characters / 5_000_000
    imported = _figures(_IMPORT, folder, book)
    _figures(_OPEN, folder, book)
    opened = _figures(_OPEN, folder, book)
    room = allowance()
    return [
        Line("import: text stage, CPU", imported["import"], 20 * share, "s", room),
        Line("import: of that slices and store, CPU", imported["own"], 4 * share, "s", room),
        Line("import: memory", imported["rss_mb"], 300, "MB"),
        Line("library file", imported["file_mb"], 8 * characters / 1e6, "MB"),
        Line("open again, above importing, CPU", opened["reopen"] * 1000, 60, "ms", room),
        Line("a slice, CPU", opened["slice"] * 1000, 3, "ms", room),
        Line("a place on the disk", opened["save"] * 1000, 50, "ms", room),
    ]


def _figures(code: str, folder: Path, book: Path) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder / "home"), str(book)],
        capture_output=True,
        text=True,
        check=True,
        cwd=_CHECKOUT,
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def main() -> int:
    """Run from the command line."""
    millions = float(sys.argv[1]) if len(sys.argv) > 1 else 5.0
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        lines = measure(Path(folder), int(millions * 1e6))
    for line in lines:
        mark = "" if line.is_kept else "  TOO MUCH"
        sys.stdout.write(f"{line.name:40} {line.value:8.2f} {line.unit:3} of {line.budget:6.1f}{mark}\n")
    sys.stdout.write(f"{millions:g} million characters, {time.monotonic() - began:.0f} s in all\n")
    return 0 if all(line.is_kept for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
