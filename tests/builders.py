"""Books for tests, written byte by byte so that they hold exactly what a test asks for."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from engine.domain.knowledge import TextBlock

_CONTAINER = """<?xml version="1.0"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"""
_OPF = """<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">{identifier}</dc:identifier>
<dc:title>{title}</dc:title><dc:creator>{author}</dc:creator><dc:language>{language}</dc:language></metadata>
<manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>{items}</manifest>
<spine>{spine}</spine></package>"""
_PAGE = """<?xml version="1.0" encoding="utf-8"?>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>{title}</title></head>
<body>{body}</body></html>"""


def make_epub(
    path: Path,
    *,
    title: str,
    chapters: Sequence[tuple[str, str]],
    author: str = "Ann Author",
    language: str = "en",
    missing: Iterable[str] = (),
    toc: str = "",
    outside: Iterable[int] = (),
) -> Path:
    """Write an EPUB 3 and return its path.

    Args:
        path: Where to write it.
        title: Of the book; markup in it is escaped.
        chapters: (title, XHTML inside the body) of each document, in order.
        author: One name.
        language: BCP 47.
        missing: Manifest items that have no file in the zip.
        toc: List items of the contents, in place of one for each document.
        outside: Numbers, from 1, of the documents outside the reading order.
    """
    skipped = set(outside)
    names = [f"c{number}.xhtml" for number in range(1, len(chapters) + 1)]
    items = "".join(f'<item id="{name}" href="{name}" media-type="application/xhtml+xml"/>' for name in names)
    items += "".join(
        f'<item id="m{i}" href="{escape(name)}" media-type="image/png"/>' for i, name in enumerate(missing)
    )
    links = [
        f'<li><a href="{name}">{escape(each)}</a></li>' for name, (each, _body) in zip(names, chapters, strict=True)
    ]
    opf = _OPF.format(
        identifier=escape(title),
        title=escape(title),
        author=escape(author),
        language=language,
        items=items,
        spine="".join(
            f"""<itemref idref="{name}"{' linear="no"' if number in skipped else ""}/>"""
            for number, name in enumerate(names, 1)
        ),
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr(zipfile.ZipInfo("mimetype"), "application/epub+zip")
        book.writestr("META-INF/container.xml", _CONTAINER)
        book.writestr("OEBPS/book.opf", opf)
        nav = f'<nav epub:type="toc"><ol>{toc or "".join(links)}</ol></nav>'
        book.writestr("OEBPS/nav.xhtml", _PAGE.format(title="Contents", body=nav))
        for name, (each, body) in zip(names, chapters, strict=True):
            book.writestr(f"OEBPS/{name}", _PAGE.format(title=escape(each), body=body))
    return path


def make_text_blocks(*texts: str, chapter: int = 0, pos: int = 0) -> list[TextBlock]:
    """Return blocks as the analyst reads them, one after the other; a text that begins with "# " is a heading."""
    blocks = []
    for text in texts:
        words = text.removeprefix("# ")
        blocks.append(TextBlock(pos, words, chapter, is_heading=words != text))
        pos += len(words) + 1
    return blocks


def make_story(names: Sequence[str], frames: Sequence[str]) -> list[str]:
    """Return a paragraph for each frame and name: it stands for `{}`, another of them for `{other}`."""
    return [
        frame.format(name, other=names[(i + j + 1) % len(names)])
        for j, frame in enumerate(frames)
        for i, name in enumerate(names)
    ]
