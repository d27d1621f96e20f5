"""Lay out every slice of every book of the corpora and count what a reader would call a fault.

Run it alone: `python tests/quality/typesetting.py [folder or file ...]`; without arguments
UNDERSTORY_CORPORA names the folder.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rich.cells import cell_len

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.config import RubyStyle
from engine.domain.book import DocumentId
from engine.domain.locator import Pos
from engine.domain.reading import Slice, SliceKey
from engine.errors import UnderstoryError
from engine.text.slices import cut_pieces
from tests.corpora import corpora_with
from tests.epubs import read_epub
from tui.render.rows import TypeOptions
from tui.render.typeset import typeset

OPTIONS = (
    TypeOptions(76),
    TypeOptions(33, paragraph_gap=0, first_line_indent=2, line_spacing=2, ruby=RubyStyle.ABOVE),
    TypeOptions(12, ruby=RubyStyle.OFF),
)
SLOWEST_MS = 30.0
"""Twice what a jump may take, for this machine is shared; 8 ms were measured when it was written."""


@dataclass
class Result:
    """What was found."""

    slices: int = 0
    characters: int = 0
    seconds: float = 0.0
    slowest_ms: float = 0.0
    slowest: str = ""
    kinds: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)


def slices_of(book: Path) -> Iterator[Slice]:
    """Yield the slices of a book; none when it does not open."""
    try:
        documents = read_epub(book).documents
    except UnderstoryError:
        return
    for document in documents:
        for number, piece in enumerate(cut_pieces(document)):
            key = SliceKey(DocumentId(document.spine_index + 1), number)
            yield Slice(
                key,
                piece.start,
                piece.end,
                Pos(piece.start),
                piece.text,
                piece.blocks,
                piece.spans,
                piece.rubies,
                piece.note_refs,
                piece.pictures,
            )


def faults(piece: Slice, options: TypeOptions) -> Iterator[str]:
    """Yield the name of each fault in the layout of a slice."""
    layout = typeset(piece, options)
    at = start = piece.start
    for number, row in enumerate(layout):
        if row.indent + cell_len(row.text) > options.width_cells:
            yield "too wide"
        if row.start < start:
            yield "out of order"
        start = row.start
        if row.end > row.start:
            if layout.row_of(row.start) != number:
                yield "not found again"
            if piece.text[at - piece.start : row.start - piece.start].strip("\n"):
                yield "text lost"
            at = row.end
    if piece.text[at - piece.start :].strip("\n"):
        yield "text lost at the end"


def check(books: Iterable[Path], every: int = 1) -> Result:
    """Lay out each `every`th slice of the books."""
    result = Result()
    for book in books:
        for number, piece in enumerate(slices_of(book)):
            if number % every:
                continue
            begun = time.process_time()
            typeset(piece, OPTIONS[0])
            took = time.process_time() - begun
            result.slices += 1
            result.characters += len(piece.text)
            result.seconds += took
            if took * 1000 > result.slowest_ms:
                result.slowest_ms, result.slowest = took * 1000, f"{book.name} {piece.key.document}/{piece.key.ord}"
            result.kinds.update(block.kind.value for block in piece.blocks)
            for options in OPTIONS:
                result.faults.update(faults(piece, options))
    return result


def main(arguments: list[str]) -> int:
    """Print what was found; return 1 when there was a fault."""
    corpora = None if arguments else corpora_with("epub")
    if not arguments and corpora is None:
        return 0
    given = [corpora] if corpora is not None else [Path(argument) for argument in arguments]
    books = [book for path in given for book in ([path] if path.is_file() else sorted(path.rglob("*.epub")))]
    result = check(books)
    kinds = ", ".join(f"{name} {count}" for name, count in result.kinds.most_common())
    sys.stdout.write(f"{len(books)} books, {result.slices} slices, {result.characters} characters\n{kinds}\n")
    sys.stdout.write(
        f"{result.seconds:.2f} s at 76 cells, {result.characters / result.seconds / 1e6:.1f} Mchar/s; "
        f"slowest {result.slowest_ms:.1f} ms, {result.slowest}\n"
    )
    sys.stdout.write(f"faults: {dict(result.faults) or 'none'}\n")
    return int(bool(result.faults))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
