"""Kill reading processes and importing helpers at random moments and count what is lost.

`python tests/quality/kill9.py [KILLS] [SEED]`; 200 kills if not told otherwise, 40 under `QUALITY=ci`.
A child reads a book and saves a place some hundred times a second, telling each one that was
acknowledged, while its helper imports another book. Some milliseconds later the child, the
helper or both are killed by SIGKILL. Promised: no acknowledged place lost, no volume half
there, no damaged file.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.domain.book import WorkId
from engine.domain.locator import select_quote
from engine.domain.reading import Place
from engine.library import Library
from engine.paths import Paths, paths_under
from engine.store import jobs
from engine.store.connection import Connection, open_reader
from tests.builders import make_epub

_CHECKOUT = Path(__file__).resolve().parents[2]
_READ = "Read"
_IMPORTED = "Imported"
_CHAPTERS = 12


@dataclass(slots=True)
class Figures:
    """What a run has seen."""

    kills: int = 0
    helpers_killed: int = 0
    acknowledged: int = 0
    """Places told to be on disk."""
    imports: int = 0
    """Books that became visible."""
    lost: int = 0
    """Rounds whose last acknowledged place was not there afterwards."""
    half: int = 0
    """Books seen without all of their text."""
    broken: int = 0
    """Rounds after which SQLite found a damaged page."""
    left_over: int = 0
    """Rows of unfinished books at the very end."""
    notes: list[str] = field(default_factory=list)

    @property
    def is_kept(self) -> bool:
        """Whether all that is promised held."""
        return not (self.lost or self.half or self.broken or self.left_over)


def run(folder: Path, kills: int, seed: int = 7) -> Figures:
    """Kill so many times; a library is made under `folder`."""
    chance = random.Random(seed)
    paths = paths_under(folder / "home")
    lines = "".join(f"<p>Line {n}: the lamp burned low, and nobody came to trim it.</p>" for n in range(700))
    read = make_epub(folder / "read.epub", title=_READ, chapters=[("One", lines)])
    other = make_epub(folder / "other.epub", title=_IMPORTED, chapters=[(f"Part {n}", lines) for n in range(_CHAPTERS)])
    library = Library(paths)
    work = library.import_now(read).work
    whole = library.import_now(other)
    library.remove(WorkId(whole.work or 0))
    library.close()
    figures = Figures()
    for _round in range(kills):
        last = _round_of(paths, work or 0, other, chance, figures)
        _look(paths, last, whole.characters, figures)
    _come_to_rest(paths, other, whole.characters, figures)
    return figures


def _round_of(paths: Paths, work: int, book: Path, chance: random.Random, figures: Figures) -> int:
    """Let a child read and import, kill it, and return the counter of the last acknowledged place."""
    child = subprocess.Popen(
        [sys.executable, __file__, "--reader", str(paths.data_dir.parent), str(work), str(book)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(_CHECKOUT)},
    )
    assert child.stdout is not None
    first = child.stdout.readline()
    time.sleep(chance.uniform(0.0, 1.2))
    figures.kills += 1
    if chance.random() < 0.5:
        figures.helpers_killed += _kill_helper(paths)
        time.sleep(chance.uniform(0.0, 0.3))
    child.kill()
    told = first + child.stdout.read()
    child.wait()
    child.stdout.close()
    counters = [int(line) for line in told.splitlines(keepends=True) if line.endswith(b"\n")]
    figures.acknowledged += len(counters)
    return counters[-1] if counters else 0


def _kill_helper(paths: Paths) -> bool:
    r = open_reader(paths.library_db)
    owner = jobs.lease_owner(r, "helper")
    r.close()
    if owner is None:
        return False
    with suppress(ProcessLookupError):
        os.kill(owner.pid, signal.SIGKILL)
        return True
    return False


def _look(paths: Paths, last: int, characters: int, figures: Figures) -> None:
    r = open_reader(paths.library_db)
    counter = int(r.execute("SELECT coalesce(max(counter), 0) FROM place").get)
    if counter < last:
        figures.lost += 1
        figures.notes.append(f"place {last} was acknowledged, {counter} is there")
    if (found := r.execute("PRAGMA integrity_check").get) != "ok":
        figures.broken += 1
        figures.notes.append(str(found))
    is_there = _look_at_book(r, characters, figures)
    r.close()
    if is_there:
        figures.imports += 1
        _remove(paths)


def _look_at_book(r: Connection, characters: int, figures: Figures) -> bool:
    """Say whether the book imported is visible, and count it when it is not whole."""
    rows = list(
        r.execute(
            "SELECT b.id, v.length, v.chapters, (SELECT count(*) FROM document d WHERE d.volume_id = v.id),"
            " (SELECT sum((SELECT max(s.start + length(s.text)) FROM slice s WHERE s.id >> 20 = d.id)) FROM document d"
            "  WHERE d.volume_id = v.id)"
            " FROM book b LEFT JOIN volume v ON v.book_id = b.id"
            " WHERE b.state = 'ready' AND b.metadata LIKE ?",
            (f'%"{_IMPORTED}"%',),
        )
    )
    for _id, length, chapters, documents, text in rows:
        if (length, chapters, documents, text) != (characters, _CHAPTERS, _CHAPTERS, characters):
            figures.half += 1
            figures.notes.append(f"half a book: {length} {chapters} {documents} {text}")
    return bool(rows)


def _remove(paths: Paths) -> None:
    """Take the book away, so that the next round imports it again."""
    library = Library(paths)
    for work in library.works():
        if work.title == _IMPORTED:
            library.remove(work.id)
    library.close()


def _come_to_rest(paths: Paths, book: Path, characters: int, figures: Figures) -> None:
    """Import once more in peace: everything must be there and nothing left over."""
    library = Library(paths)
    while library.jobs():  # among them, perhaps, one that is given up for having lost two helpers
        time.sleep(0.02)
    report = library.import_now(book)
    time.sleep(0.5)
    library.close()
    r = open_reader(paths.library_db)
    orphans = (
        "SELECT (SELECT count(*) FROM book WHERE state <> 'ready')"
        " + (SELECT count(*) FROM document WHERE volume_id IS NULL)"
        " + (SELECT count(*) FROM slice WHERE id >> 20 NOT IN (SELECT id FROM document))"
    )
    figures.left_over = int(r.execute(orphans).get)
    r.close()
    if report.characters != characters:
        figures.half += 1


def _read_and_import(home: Path, work: WorkId, book: Path) -> None:
    """Be the child: import beside, save one place after another and tell each."""
    library = Library(paths_under(home))
    library.start_import([book])
    source = library.reading(work)
    (volume,) = source.outline().volumes
    shown = source.slice_at(volume.documents[0].id, 0)
    source.place()
    offset = 0
    while True:
        offset = (offset + 37) % (len(shown.text) - 40)
        quote = select_quote(shown.text, offset, offset + 24)
        counter = source.save_place(Place(volume.book_sha256, 0, offset, quote))
        os.write(1, b"%d\n" % counter)
        time.sleep(0.004)  # no reader turns pages faster, and the helper must come to its turn


def main() -> int:
    """Run from the command line; the exit status tells whether the promises held."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["--reader"]:
        _read_and_import(Path(arguments[1]), WorkId(int(arguments[2])), Path(arguments[3]))
        return 0
    usual = "40" if os.environ.get("QUALITY") == "ci" else "200"
    kills = int(arguments[0] if arguments else usual)
    seed = int(arguments[1]) if len(arguments) > 1 else 7
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        figures = run(Path(folder), kills, seed)
    sys.stdout.write(
        f"kill -9: {figures.kills} readers and {figures.helpers_killed} helpers in {time.monotonic() - began:.0f} s; "
        f"{figures.acknowledged} places acknowledged, {figures.lost} lost; {figures.imports} books seen, "
        f"{figures.half} half; {figures.broken} files damaged; {figures.left_over} rows left over\n"
    )
    sys.stdout.write("".join(f"  {note}\n" for note in figures.notes))
    return 0 if figures.is_kept else 1


if __name__ == "__main__":
    sys.exit(main())
