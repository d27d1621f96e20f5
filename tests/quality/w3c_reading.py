"""How the page shows the W3C's test books that concern reading: passed, degraded and why, or not for a terminal.

The verdicts stand in `tests/cases/w3c_reading.json`, each beside words that must be seen. Every document is laid
out in each level of the book's own style and at widths from narrow to wide; nothing may fail, and no row may be too
wide. Run it alone: `python tests/quality/w3c_reading.py`.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY))

from engine.config import BookStyle, PictureStyle, RubyStyle  # noqa: E402  (the path above makes it importable)
from engine.domain.book import DocumentId, DocumentText  # noqa: E402
from engine.domain.reading import Slice, SliceKey  # noqa: E402
from engine.text.slices import cut_pieces  # noqa: E402
from tests.corpora import corpora_with  # noqa: E402
from tests.epubs import read_epub  # noqa: E402
from tui.render.rows import TypeOptions  # noqa: E402
from tui.render.typeset import typeset  # noqa: E402

_CASES = REPOSITORY / "tests" / "cases" / "w3c_reading.json"
_WIDTHS = (16, 40, 68, 120)
_PICTURE_ROWS = 20


@dataclass(frozen=True, slots=True)
class Verdict:
    """How one test book is shown."""

    name: str
    verdict: str
    """pass, degrade, or not (for a terminal)."""
    reason: str
    fault: str = ""
    """What contradicts the verdict."""


def cases() -> dict[str, tuple[str, str, str]]:
    """Return (verdict, reason, words that must be seen) by the name of the book."""
    return {name: tuple(case) for name, case in json.loads(_CASES.read_text("utf-8")).items()}


def check(path: Path, verdict: str, reason: str, words: str) -> Verdict:
    """Lay a test book out in every way, and look for the words that must be seen."""
    documents = read_epub(path).documents
    seen = ""
    for style in BookStyle:
        for width in _WIDTHS:
            options = TypeOptions(
                width, book_style=style, ruby=RubyStyle.ABOVE if style is BookStyle.ADVANCED else RubyStyle.INLINE,
                pictures=PictureStyle.BLOCKS, picture_rows=_PICTURE_ROWS, is_justified=width == 40, turns_text=True,
                hyphens="en" if width == 68 else "",
            )  # fmt: skip
            rows = [row for document in documents for piece in slices_of(document) for row in typeset(piece, options)]
            if any(row.width() > width for row in rows):
                return Verdict(path.name, verdict, reason, f"a row is wider than {width}")
            if width == _WIDTHS[-1]:
                seen = "\n".join(row.text for row in rows)
    has_art = any(picture.width for document in documents for picture in document.pictures)
    fault = "" if words in seen else f"{words!r} is not seen"
    if "pub-cmt" in path.name and verdict == "pass" and not has_art:
        fault = "its picture has no size"
    return Verdict(path.name, verdict, reason, fault)


def slices_of(document: DocumentText) -> list[Slice]:
    """Return a document as the page loads it."""
    key = DocumentId(document.spine_index + 1)
    return [
        Slice(
            SliceKey(key, n), piece.start, piece.end, piece.start, piece.text, piece.blocks, piece.spans, piece.rubies,
            piece.note_refs, piece.pictures,
        )
        for n, piece in enumerate(cut_pieces(document))
    ]  # fmt: skip


def verdicts(corpora: Path) -> list[Verdict]:
    """Check every test book that has a verdict."""
    known = cases()
    books = {path.name: path for path in (corpora / "epub" / "w3c-epub-tests").rglob("*.epub")}
    return [check(books[name], *case) for name, case in known.items() if name in books]


def print_table(found: list[Verdict]) -> None:
    """Print a line a book and how many of each there are."""
    for each in found:
        sys.stdout.write(
            f"{each.name:<44} {each.verdict:<8} {each.reason}{'  FAULT: ' + each.fault if each.fault else ''}\n"
        )
    counts = {kind: sum(each.verdict == kind for each in found) for kind in ("pass", "degrade", "not")}
    sys.stdout.write(f"{len(found)} test books: {counts}, {sum(bool(each.fault) for each in found)} contradicted\n")


def main() -> int:
    """Check the test books; exit status 1 when one is not as it is said."""
    corpora = corpora_with("epub/w3c-epub-tests")
    if corpora is None:
        return 0
    checked = verdicts(corpora)
    print_table(checked)
    return int(any(each.fault for each in checked))


if __name__ == "__main__":
    sys.exit(main())
