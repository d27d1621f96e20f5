"""Documents and zips for the tests of the EPUB room, odd and hostile ones among them."""

from __future__ import annotations

import random
import struct
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.domain.book import (
    Block,
    BlockKind,
    BookMetadata,
    ContentsSource,
    DocumentText,
    ImportWarning,
    ParsedChapter,
    ParsedPage,
    SpanKind,
    VolumePart,
)
from engine.epub.blocks import DocumentRead, read_document
from engine.epub.names import is_foreign, resolve
from engine.epub.reader import open_epub
from engine.epub.styles import Stylesheet, parse_stylesheet

CONTAINER = (
    '<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
)
NOISE = "".join(random.Random(7).choices("abcdefghij klmnopq", k=3_000))
"""Text that deflate cannot store as it is, so that damage to it shows."""
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 16


@dataclass(slots=True)
class OneDocument:
    """A book of one document, c0.xhtml, beside pictures that all exist."""

    css: Mapping[str, str]
    others: Sequence[str] = ()
    """Names of further documents, spine index 1 and on."""

    def link_target(self, document: str, reference: str) -> str:
        if is_foreign(reference):
            return ""
        name, fragment, _is_outside = resolve(document, reference)
        names = ["c0.xhtml", *self.others]
        return f"{names.index(name)}#{fragment}" if name in names else ""

    def note_key(self, target: str) -> str:
        return target

    def picture(self, document: str, reference: str) -> str:
        return "" if is_foreign(reference) else resolve(document, reference)[0]

    def picture_size(self, name: str) -> tuple[int, int]:
        return (0, 0)

    def stylesheet(self, document: str, reference: str) -> Stylesheet:
        return parse_stylesheet(self.css.get(reference, ""))


def page(body: str, head: str = "", language: str = "en") -> str:
    """Return a sound XHTML document."""
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<html xmlns="http://www.w3.org/1999/xhtml" '
        'xmlns:epub="http://www.idpf.org/2007/ops" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'xml:lang="{language}"><head><title>Page</title>{head}</head><body>{body}</body></html>'
    )


def read_bytes(data: bytes, upto: int | None = None) -> DocumentRead:
    """Read the bytes of a document that stands alone."""
    return read_document(data, spine_index=0, href="c0.xhtml", links=OneDocument({}), upto=upto)


def read_body(body: str, css: str = "", others: Sequence[str] = ()) -> DocumentText:
    """Read a body as the document c0.xhtml, with a stylesheet."""
    head = '<link rel="stylesheet" href="style.css"/>' if css else ""
    links = OneDocument({"style.css": css}, others)
    return read_document(page(body, head).encode(), spine_index=0, href="c0.xhtml", links=links).document


def texts(document: DocumentText) -> list[str]:
    """Return the text of each block."""
    return [text_of(document, block) for block in document.blocks]


def text_of(document: DocumentText, block: Block) -> str:
    """Return the text of one block."""
    return document.text[block.start : block.end]


def kinds(document: DocumentText) -> list[BlockKind]:
    """Return the kind of each block."""
    return [block.kind for block in document.blocks]


def marked(document: DocumentText, kind: SpanKind) -> list[str]:
    """Return the texts a kind of span marks."""
    return [document.text[span.start : span.end] for span in document.spans if span.kind is kind]


def readings(document: DocumentText) -> list[tuple[str, str]]:
    """Return (base, reading) of each ruby."""
    return [(document.text[ruby.start : ruby.end], ruby.reading) for ruby in document.rubies]


def package(
    items: str, spine: str, *, metadata: str = "<dc:title>Book</dc:title>", attributes: str = "", after: str = ""
) -> str:
    """Return a package document."""
    return (
        '<?xml version="1.0" encoding="utf-8"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" '
        'unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/" '
        f'xmlns:opf="http://www.idpf.org/2007/opf">{metadata}</metadata><manifest>{items}</manifest>'
        f"<spine{attributes}>{spine}</spine>{after}</package>"
    )


def write_epub(
    path: Path,
    documents: Mapping[str, str | bytes],
    *,
    nav: str | None = None,
    ncx: str | None = None,
    opf: str | None = None,
    metadata: str = "<dc:title>Book</dc:title><dc:creator>Ann</dc:creator><dc:language>en</dc:language>",
    extra: Mapping[str, str | bytes] | None = None,
    container: str | None = CONTAINER,
    attributes: str = "",
    after: str = "",
) -> Path:
    """Write a book whose documents are the given ones, in that order, and return its path.

    Args:
        path: Where to.
        documents: File name in OEBPS to content; a content that is all markup inside the body is wrapped in a page.
        nav: Inside of the nav document's body; none is written when None.
        ncx: Inside of the navMap; none is written when None.
        opf: The whole package document instead of the one made here.
        metadata: Inside of the metadata element.
        extra: Further entries, by full name.
        container: META-INF/container.xml; none when None.
        attributes: Of the spine element.
        after: What follows the spine.
    """
    types = "application/xhtml+xml"
    items = "".join(f'<item id="i{n}" href="{name}" media-type="{types}"/>' for n, name in enumerate(documents))
    entries: dict[str, str | bytes] = {"mimetype": "application/epub+zip"}
    if container is not None:
        entries["META-INF/container.xml"] = container
    if nav is not None:
        items += f'<item id="nav" href="nav.xhtml" media-type="{types}" properties="nav"/>'
        entries["OEBPS/nav.xhtml"] = page(nav)
    if ncx is not None:
        items += '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
        entries["OEBPS/toc.ncx"] = (
            f'<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1"><navMap>{ncx}</navMap></ncx>'
        )
        attributes += ' toc="ncx"'
    spine = "".join(f'<itemref idref="i{n}"/>' for n in range(len(documents)))
    entries["OEBPS/book.opf"] = opf or package(items, spine, metadata=metadata, attributes=attributes, after=after)
    for name, content in documents.items():
        is_body = isinstance(content, str) and not content.lstrip().startswith(("<?xml", "<html", "<!DOCTYPE"))
        entries[f"OEBPS/{name}"] = page(str(content)) if is_body else content
    return write_zip(path, entries | dict(extra or {}))


def write_zip(path: Path, entries: Mapping[str, str | bytes]) -> Path:
    """Write a zip file of these entries and return its path."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return path


@dataclass(frozen=True, slots=True)
class ParsedVolume:
    """A whole book, read."""

    sha256: str
    metadata: BookMetadata
    documents: tuple[DocumentText, ...]
    chapters: tuple[ParsedChapter, ...]
    contents_source: ContentsSource
    pages: tuple[ParsedPage, ...]
    parts: tuple[VolumePart, ...]
    warnings: tuple[ImportWarning, ...]


def read_epub(path: Path) -> ParsedVolume:
    """Read a whole book into memory: for small books and tests.

    Raises:
        FileMissingError, VolumeUnreadableError, VolumeProtectedError: as `open_epub`.
    """
    with open_epub(path) as book:
        documents = tuple(book.document(item.index) for item in book.spine)
        chapters, source = book.contents(documents.__getitem__)
        return ParsedVolume(
            sha256=book.sha256,
            metadata=book.metadata,
            documents=documents,
            chapters=chapters,
            contents_source=source,
            pages=book.pages(documents.__getitem__),
            parts=book.parts(chapters),
            warnings=book.warnings,
        )


def read_one(path: Path, body: str) -> ParsedVolume:
    """Write a book of one document with this body and read it."""
    return read_epub(write_epub(path, {"c0.xhtml": body}))


def damage(path: Path, name: str) -> Path:
    """Overwrite some packed bytes of an entry."""
    data = bytearray(path.read_bytes())
    start = data.find(name.encode()) + len(name)
    data[start + 8 : start + 20] = bytes(byte ^ 0x5A for byte in data[start + 8 : start + 20])
    path.write_bytes(bytes(data))
    return path


def write_lying_zip(path: Path, name: str, content: bytes, said_size: int) -> Path:
    """Write a zip of one deflated entry that gives a wrong unpacked size, and return its path."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(content) + packer.flush()
    crc, raw = zlib.crc32(content), name.encode()
    local = struct.pack("<4s5H3L2H", b"PK\3\4", 20, 0, 8, 0, 0, crc, len(packed), said_size, len(raw), 0) + raw
    central = struct.pack(
        "<4s6H3L5H2L", b"PK\1\2", 20, 20, 0, 8, 0, 0, crc, len(packed), said_size, len(raw), 0, 0, 0, 0, 0, 0
    )
    start = len(local) + len(packed)
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 1, 1, len(central) + len(raw), start, 0)
    path.write_bytes(local + packed + central + raw + end)
    return path
