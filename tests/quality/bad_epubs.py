"""Open every malformed or hostile book of the corpora and compare with what is expected of a reader.

Each book is opened in a process of its own, under an audit hook that counts opened files and sockets.
Run it alone: `python tests/quality/bad_epubs.py`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY))

from tests.corpora import corpora_with  # noqa: E402  (the path above makes it importable when run alone)

MAX_SECONDS = 5.0
MAX_MEGABYTES = 500
BOMB_SECONDS = 2.0
BOMB_MEGABYTES = 100
_BOMBS = ("zip-bomb", "billion-laughs")

# Read in the child: what the reader would be shown of the book, and what it cost.
_CHILD = """
import json, resource, sys, time
book, folder = sys.argv[1], sys.argv[2]
from pathlib import Path
from tests.epubs import read_epub
from engine.errors import UnderstoryError, VolumeProtectedError, VolumeUnreadableError
import ebooklib.epub, lxml.html  # everything that is imported late, so that only books are opened below
opened, sockets, watching = [], [], True
own = (folder, sys.prefix, sys.base_prefix, str(Path(sys.argv[3]) / "engine"))
def watch(event, args):
    if not watching: return
    if event == "open" and isinstance(args[0], str) and not args[0].startswith(own): opened.append(args[0])
    if event.startswith("socket."): sockets.append(event)
sys.addaudithook(watch)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = time.process_time()
out = {}
try:
    volume = read_epub(Path(book))
    texts = []
    for document in volume.documents:
        texts.append(document.text)
        texts += [note.text for note in document.notes] + [picture.alt for picture in document.pictures]
    out = {
        "status": "repaired" if volume.warnings else "opened",
        "text": "\\n".join(texts),
        "title": volume.metadata.title, "authors": ", ".join(volume.metadata.authors),
        "language": volume.metadata.language, "series": volume.metadata.series,
        "series_index": volume.metadata.series_index, "chapters": len(volume.chapters),
        "titles": [chapter.title for chapter in volume.chapters],
        "order": [document.spine_index for document in volume.documents],
        "warnings": [warning.message for warning in volume.warnings],
    }
except (VolumeUnreadableError, VolumeProtectedError) as error:
    out = {"status": "refused", "error": error.message}
watching = False
out["seconds"] = time.process_time() - start
out["megabytes"] = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
out["opened"], out["sockets"] = opened, sockets
print(json.dumps(out))
"""


class Expected(TypedDict, total=False):
    """What the corpora say about a bad book."""

    opens: str
    title: str
    author: str
    series: str
    series_index: float
    chapters: int
    contains: list[str]
    not_contains: list[str]
    error: str
    limits: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one bad book."""

    file: str
    expected: str
    status: str
    seconds: float
    megabytes: float
    faults: tuple[str, ...]
    warnings: int


def build_books(corpora: Path, folder: Path, *, is_huge: bool) -> list[dict[str, object]]:
    """Build the bad books into a folder and return their descriptions."""
    builder = corpora / "bad" / "make_bad_epubs.py"
    arguments = [sys.executable, str(builder), str(folder), *(["--huge"] if is_huge else [])]
    subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL)
    cases: list[dict[str, object]] = json.loads((folder / "expected.json").read_text("utf-8"))
    return cases


def check_book(folder: Path, file: str, expected: Expected) -> Outcome:
    """Open one bad book in a child process and compare."""
    environment = os.environ | {"PYTHONPATH": str(REPOSITORY), "PYTHONDONTWRITEBYTECODE": "1"}
    child = subprocess.run(
        [sys.executable, "-c", _CHILD, str(folder / file), str(folder), str(REPOSITORY)],
        capture_output=True,
        text=True,
        timeout=120,
        env=environment,
        check=False,
    )
    if child.returncode != 0:
        fault = child.stderr.strip().splitlines()[-1] if child.stderr.strip() else f"exit {child.returncode}"
        return Outcome(file, expected["opens"], "crashed", 0, 0, (fault,), 0)
    found = json.loads(child.stdout)
    faults = [*_faults_of(found, expected), *_limits_broken(file, found)]
    return Outcome(
        file,
        expected["opens"],
        found["status"],
        found["seconds"],
        found["megabytes"],
        tuple(faults),
        len(found.get("warnings", ())),
    )


def _faults_of(found: dict[str, object], expected: Expected) -> list[str]:
    if found["status"] == "refused":
        may_refuse = expected["opens"] == "refuse" or "refus" in f"{expected.get('error')} {expected.get('limits')}"
        return [] if may_refuse else [f"refused: {found['error']}"]
    if expected["opens"] == "refuse":
        return ["opened, should be refused"]
    text = str(found["text"])
    faults = [f"lacks {piece!r}" for piece in expected.get("contains", ()) if piece not in text]
    shown = "\n".join([text, str(found["title"]), str(found["authors"]), *map(str, found["titles"])])  # type: ignore[call-overload]  # a list, from JSON
    faults += [f"shows {piece!r}" for piece in expected.get("not_contains", ()) if piece in shown]
    if expected["opens"] == "degraded" and found["status"] == "opened":
        faults.append("opened without a warning")
    wanted = {
        "chapters": expected.get("chapters"),
        "title": expected.get("title", "").partition(" (")[0] or None,
        "authors": expected.get("author"),
        "series": expected.get("series"),
        "series_index": expected.get("series_index"),
    }
    faults += [f"{key} is {found[key]!r}" for key, value in wanted.items() if value is not None and found[key] != value]
    if found["order"] != sorted(found["order"]):  # type: ignore[call-overload]  # a list, from JSON
        faults.append("documents out of order")
    return faults


def _limits_broken(file: str, found: dict[str, object]) -> list[str]:
    is_bomb = file.startswith(_BOMBS)
    seconds, megabytes = float(str(found["seconds"])), float(str(found["megabytes"]))
    faults = [f"{name}: {found[name]}" for name in ("opened", "sockets") if found[name]]
    if seconds > (BOMB_SECONDS if is_bomb else MAX_SECONDS):
        faults.append(f"{seconds:.1f} s")
    if megabytes > (BOMB_MEGABYTES if is_bomb else MAX_MEGABYTES):
        faults.append(f"{megabytes:.0f} MB")
    return faults


def run(corpora: Path, folder: Path, *, is_huge: bool) -> list[Outcome]:
    """Build and check all bad books."""
    outcomes = []
    for case in build_books(corpora, folder, is_huge=is_huge):
        expected: Expected = case["expect"]  # type: ignore[assignment]  # from JSON
        outcomes.append(check_book(folder, str(case["file"]), expected))
    return outcomes


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def print_table(outcomes: list[Outcome]) -> None:
    """Print a line a book and a summary."""
    for outcome in outcomes:
        _say(
            f"{outcome.file:<40} {outcome.expected:<9} {outcome.status:<9} {outcome.seconds:6.2f} s"
            f" {outcome.megabytes:6.0f} MB {outcome.warnings:3d} warnings  {'; '.join(outcome.faults)}"
        )
    wrong = [outcome for outcome in outcomes if outcome.faults]
    _say(
        f"{len(outcomes)} bad books: {len(outcomes) - len(wrong)} as expected, {len(wrong)} not;"
        f" slowest {max(o.seconds for o in outcomes):.2f} s, most memory {max(o.megabytes for o in outcomes):.0f} MB"
    )


def main() -> int:
    """Check all bad books; exit status 1 when one is not as expected."""
    corpora = corpora_with("bad/make_bad_epubs.py", "epub")
    if corpora is None:
        return 0
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        outcomes = run(corpora, Path(folder), is_huge=True)
    print_table(outcomes)
    _say(f"{time.monotonic() - start:.0f} s")
    return int(any(outcome.faults for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
