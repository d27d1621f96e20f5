"""Open every book of the corpora and compare its text with a count made without our reader.

The other count parses each document with lxml alone, leaves out what is never text (head, scripts,
readings, hidden elements) and counts what is not white space. What our reader takes out of the flow,
notes and the labels of their references, is added to its side before they are compared.
Run it alone: `python tests/quality/corpus_epubs.py [folder or file ...]`.
"""

from __future__ import annotations

import re
import sys
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path

from lxml import etree, html

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY))

from engine.domain.book import DocumentText  # noqa: E402  (the path above makes it importable when run alone)
from engine.epub.reader import open_epub  # noqa: E402
from engine.errors import UnderstoryError  # noqa: E402
from tests.corpora import corpora_with  # noqa: E402
from tests.epubs import ParsedVolume, read_epub  # noqa: E402

# Quotation marks of q elements, formulas and the text of drawings are written differently by each side.
TOLERANCE_SHARE = 0.005
TOLERANCE_CHARS = 12
_NEVER_TEXT = {"head", "script", "style", "template", "rt", "rp", "rtc", "iframe", "math", "case", "svg"}
# Where the two counts are known to differ, and why.
EXPLAINED = {
    "internallinks.epub": "each note stands a second time in the text, hidden by a stylesheet",
    "moby-dick.epub": "the landmarks are hidden by a stylesheet",
    "cnt-mathml-support.epub": "formulas are written out by one side only",
}
_CONTENTS_LINK = re.compile(r"<content\b|<a\b[^>]*\bhref")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one book."""

    name: str
    status: str
    documents: int = 0
    characters: int = 0
    other_count: int = 0
    chapters: int = 0
    entries: int = 0
    """Entries of the book's own contents."""
    source: str = ""
    notes: int = 0
    loose_refs: int = 0
    """Note references whose note is in no document."""
    seconds: float = 0
    warnings: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


def books_of(corpora: Path) -> list[Path]:
    """Return every good book of the corpora."""
    return sorted(path for path in corpora.rglob("*.epub") if "bad" not in path.parts)


def check_book(path: Path) -> Outcome:
    """Read one book and compare its text document by document."""
    start = time.process_time()
    try:
        volume = read_epub(path)
    except UnderstoryError as error:
        return Outcome(path.name, "refused", faults=(error.message,))
    seconds = time.process_time() - start
    faults: list[str] = []
    characters = other = 0
    with zipfile.ZipFile(path) as archive:
        for document in volume.documents:
            found, expected = counted(document), other_count(archive, document.href)
            characters, other = characters + found, other + max(0, expected)
            faults += _difference(document, found, expected) if path.name not in EXPLAINED else []
    notes = {note.note for document in volume.documents for note in document.notes}
    refs = [ref for document in volume.documents for ref in document.note_refs]
    loose = sum(ref.note not in notes for ref in refs)
    faults += [f"{loose} references without a note"] if loose else []
    faults += _malformed(volume)
    return Outcome(
        name=path.name,
        status="repaired" if volume.warnings else "opened",
        documents=len(volume.documents),
        characters=characters,
        other_count=other,
        chapters=len(volume.chapters),
        entries=entries_of(path),
        source=volume.contents_source.value,
        notes=len(notes),
        loose_refs=loose,
        seconds=seconds,
        warnings=tuple(warning.message for warning in volume.warnings),
        faults=tuple(faults),
    )


def counted(document: DocumentText) -> int:
    """Count the visible characters of a document, its notes and note labels included."""
    pieces = [document.text.replace("\ufffc", ""), *(note.text for note in document.notes)]
    pieces += [ref.label for ref in document.note_refs]
    return sum(len("".join(piece.split())) for piece in pieces)


def other_count(archive: zipfile.ZipFile, name: str) -> int:
    """Count the visible characters of a document with lxml alone; -1 when it cannot be compared."""
    if not name.lower().endswith((".xhtml", ".html", ".htm", ".xml")):
        return -1
    data = archive.read(name)
    try:
        parser = etree.XMLParser(resolve_entities=True, no_network=True, load_dtd=False, huge_tree=True)
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError:
        root = html.document_fromstring(data)
    for element in list(root.iter()):
        tag: object = element.tag
        local = tag.rpartition("}")[2] if isinstance(tag, str) else ""
        hidden = isinstance(tag, str) and (
            element.get("hidden") is not None or "display:none" in (element.get("style") or "").replace(" ", "")
        )
        if not local or local in _NEVER_TEXT or hidden or "pagebreak" in " ".join(map(str, element.values())):
            parent = element.getparent()
            if parent is not None:
                element.text = None
                for child in list(element):
                    element.remove(child)
    return len("".join("".join(map(str, root.itertext())).replace("\u00ad", "").split()))


def entries_of(path: Path) -> int:
    """Count the entries of a book's contents by their look in the source."""
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if re.search(r"(?:nav|toc)[\w.-]*\.x?html?$|\.ncx$", name, re.I)]
        texts = [archive.read(name).decode("utf-8", "replace") for name in sorted(names, key=lambda n: "ncx" in n)]
    for text in texts:
        contents = re.search(r"<nav\b[^>]*toc.*?</nav>|<navMap.*?</navMap>", text, re.S | re.I)
        if contents:
            return len(_CONTENTS_LINK.findall(contents[0]))
    return 0


def _difference(document: DocumentText, found: int, expected: int) -> list[str]:
    if expected < 0:
        return []
    missing = expected - found
    if abs(missing) <= max(TOLERANCE_CHARS, TOLERANCE_SHARE * expected):
        return []
    return [f"{document.href}: {found} characters, {expected} by the other count"]


def _malformed(volume: ParsedVolume) -> list[str]:
    """Check what everything else relies on: blocks cover the text in order, marks lie inside it."""
    faults: list[str] = []
    for document in volume.documents:
        end = 0
        for position, block in enumerate(document.blocks):
            gap = 0 if position == 0 or block.is_continued else 1
            if block.start != end + gap or block.end < block.start:
                faults.append(f"{document.href}: block {position} starts at {block.start}, {end + gap} expected")
                break
            end = block.end
        if end != len(document.text):
            faults.append(f"{document.href}: blocks end at {end}, the text at {len(document.text)}")
        marks = [(span.start, span.end) for span in document.spans] + [(r.start, r.end) for r in document.rubies]
        if any(not 0 <= a < b <= len(document.text) for a, b in marks):
            faults.append(f"{document.href}: a mark lies outside the text")
        if document.text.count("\ufffc") != len(document.pictures):
            faults.append(f"{document.href}: pictures and their places differ")
    return faults


def check_prefixes(path: Path) -> list[str]:
    """Check that a document read in part is a prefix of the whole."""
    faults: list[str] = []
    with open_epub(path) as book:
        for item in book.spine:
            whole = book.document(item.index)
            part = book.document(item.index, 500)
            if not whole.text.startswith(part.text) or whole.blocks[: len(part.blocks)] != part.blocks:
                faults.append(f"{item.href}: the first part differs from the whole")
    return faults


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def print_table(outcomes: list[Outcome]) -> None:
    """Print a line a book and a summary."""
    for o in outcomes:
        share = f"{o.characters / o.other_count:8.4f}" if o.other_count else "       -"
        _say(
            f"{o.name[:52]:<52} {o.status:<8} {o.documents:4d} docs {o.characters:9d} chars {share} of other"
            f" {o.chapters:4d}/{o.entries:<4d} {o.source:<8} {o.notes:4d} notes {o.seconds:6.2f} s"
            f" {len(o.warnings):2d} warnings  {'; '.join(o.faults)[:300]}"
        )
    good = [o for o in outcomes if not o.faults]
    total, other = sum(o.characters for o in outcomes), sum(o.other_count for o in outcomes)
    counts = {status: sum(o.status == status for o in outcomes) for status in ("opened", "repaired", "refused")}
    resolved, entries = sum(min(o.chapters, o.entries) for o in outcomes), sum(o.entries for o in outcomes)
    _say(
        f"{len(outcomes)} books: {counts}; {len(good)} without a fault; {total} characters,"
        f" {total / max(1, other):.5f} of the other count; contents resolved {resolved} of {entries};"
        f" {sum(o.seconds for o in outcomes):.1f} s CPU"
    )


def main(arguments: list[str]) -> int:
    """Check all books, or those named; exit status 1 when one has a fault."""
    paths = [Path(argument) for argument in arguments]
    corpora = None if paths else corpora_with("epub")
    if not paths and corpora is None:
        return 0
    books = books_of(corpora) if corpora else [b for p in paths for b in (books_of(p) if p.is_dir() else [p])]
    outcomes = [check_book(book) for book in books]
    print_table(outcomes)
    faults = [fault for book in books for fault in check_prefixes(book)]
    _say(f"prefixes: {len(faults)} faults {faults[:5]}")
    return int(bool(faults) or any(outcome.faults for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
