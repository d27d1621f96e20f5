"""Build the sample series: one EPUB 3 a volume from a folder of XHTML fragments.

The build hook loads this file by its path, in an environment where UnderStory is not
installed. So it imports nothing of `engine`, not even its errors.

A series folder holds `series.toml`, perhaps a `style.css`, and a folder a volume with the
chapters and pictures. The book mirrors the volume's folder, so `images/map.png` or
`02.xhtml#hook` in a fragment means the same in the source and in the book.
"""

from __future__ import annotations

import datetime as dt
import io
import tomllib
import uuid
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from lxml import etree

_XHTML = "http://www.w3.org/1999/xhtml"
_OPS = "http://www.idpf.org/2007/ops"
# 1980 is the earliest year a zip entry can carry; a fixed stamp makes two builds equal.
_ZIP_STAMP = (1980, 1, 1, 0, 0, 0)
_SECTION_TYPES = {"front": "foreword", "body": "chapter", "afterword": "afterword", "notes": "endnotes"}
_T = TypeVar("_T")


class SeriesInvalidError(ValueError):
    """A series folder cannot be built: a field, a file or a tag in it is wrong."""

    def __init__(self, source: Path, reason: str) -> None:
        super().__init__(f"{source}: {reason}")


@dataclass(frozen=True, slots=True)
class Chapter:
    """One content document of a sample volume."""

    title: str
    """Plain text, for the contents."""
    file: str
    """Name of the fragment in the volume's folder, also its name in the book."""
    kind: str
    """front, body, afterword or notes."""
    heading: str
    """What stands over the chapter: XHTML that may hold ruby; the escaped title by default."""


@dataclass(frozen=True, slots=True)
class Volume:
    """One book of the series."""

    index: int
    """From 1, in reading order."""
    title: str
    subtitle: str
    """A line for the book's description; may be empty."""
    cover: str
    """PNG, relative to the volume's folder."""
    pictures: tuple[str, ...]
    """The other pictures, relative to the volume's folder."""
    chapters: tuple[Chapter, ...]


@dataclass(frozen=True, slots=True)
class Identity:
    """Two people of the text who turn out to be one."""

    names: tuple[tuple[str, ...], ...]
    """For each side, the forms it goes by before the reveal."""
    volume: int
    chapter: str
    """File of the chapter that reveals it, in `volume`."""


@dataclass(frozen=True, slots=True)
class Series:
    """A sample series as its `series.toml` states it."""

    slug: str
    """Stem of the built files: `ashfall` gives `ashfall-1.epub`."""
    title: str
    author: str
    language: str
    published: dt.date
    rights: str
    description: str
    volumes: tuple[Volume, ...]
    identities: tuple[Identity, ...]


def build_series(folder: Path, out: Path) -> list[Path]:
    """Write one EPUB a volume into `out` and return their paths in reading order.

    Equal sources give equal bytes. A file that is already right is left untouched.

    Args:
        folder: Holds `series.toml` and the volumes.
        out: Made if absent.

    Raises:
        SeriesInvalidError: A field or file is missing, or a fragment is not well-formed.
    """
    series = read_series(folder)
    own_style = folder / "style.css"
    style = (own_style if own_style.exists() else Path(__file__).with_name("style.css")).read_bytes()
    out.mkdir(parents=True, exist_ok=True)
    built = []
    for volume in series.volumes:
        path = out / f"{series.slug}-{volume.index}.epub"
        _write_if_changed(path, _volume_bytes(series, volume, folder / str(volume.index), style))
        built.append(path)
    return built


def read_series(folder: Path) -> Series:
    """Read `series.toml`.

    Raises:
        SeriesInvalidError: The file is absent, no TOML, or lacks a field.
    """
    source = folder / "series.toml"
    try:
        table = tomllib.loads(source.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise SeriesInvalidError(source, str(error)) from error
    return Series(
        slug=_optional(table, "slug", str, folder.name),
        title=_field(source, table, "title", str),
        author=_field(source, table, "author", str),
        language=_field(source, table, "language", str),
        published=_field(source, table, "published", dt.date),
        rights=_field(source, table, "rights", str),
        description=_optional(table, "description", str, "").strip(),
        volumes=tuple(_volume(source, row) for row in _field(source, table, "volumes", list)),
        identities=tuple(_identity(source, row) for row in _optional(table, "identities", list, [])),
    )


def _volume(source: Path, row: Mapping[str, object]) -> Volume:
    return Volume(
        index=_field(source, row, "index", int),
        title=_field(source, row, "title", str),
        subtitle=_optional(row, "subtitle", str, ""),
        cover=_field(source, row, "cover", str),
        pictures=tuple(_optional(row, "pictures", list, [])),
        chapters=tuple(_chapter(source, chapter) for chapter in _field(source, row, "chapters", list)),
    )


def _chapter(source: Path, row: Mapping[str, object]) -> Chapter:
    kind = _optional(row, "kind", str, "body")
    if kind not in _SECTION_TYPES:
        raise SeriesInvalidError(source, f"chapter kind {kind!r} is none of {', '.join(_SECTION_TYPES)}")
    title = _field(source, row, "title", str)
    return Chapter(title, _field(source, row, "file", str), kind, _optional(row, "heading", str, escape(title)))


def _identity(source: Path, row: Mapping[str, object]) -> Identity:
    reveal = _field(source, row, "reveal", dict)
    return Identity(
        names=tuple(tuple(side) for side in _field(source, row, "names", list)),
        volume=_field(source, reveal, "volume", int),
        chapter=_field(source, reveal, "chapter", str),
    )


def _field(source: Path, table: Mapping[str, object], name: str, kind: type[_T]) -> _T:
    value = table.get(name)
    if not isinstance(value, kind):
        raise SeriesInvalidError(source, f"{name!r} is missing or no {kind.__name__}")
    return value


def _optional(table: Mapping[str, object], name: str, kind: type[_T], default: _T) -> _T:
    value = table.get(name, default)
    return value if isinstance(value, kind) else default


def _volume_bytes(series: Series, volume: Volume, folder: Path, style: bytes) -> bytes:
    from ebooklib import epub  # in the function: this file is imported where EbookLib may be absent

    book: Any = epub.EpubBook()  # EbookLib is untyped
    _describe(book, series, volume)
    # Plain items: EbookLib's EpubHtml parses as HTML 4, drops body attributes and spoils page lists.
    documents = {"cover.xhtml": _cover_document(series, volume)}
    documents |= {c.file: _chapter_document(series, c, folder / c.file) for c in volume.chapters}
    for name, content in documents.items():
        item = epub.EpubItem(_item_id(name), name, "application/xhtml+xml", content)
        book.add_item(item)
        book.spine.append(item)
    nav = epub.EpubItem("nav", "nav.xhtml", "application/xhtml+xml", _nav_document(series, volume, documents))
    nav.properties = ["nav"]
    book.add_item(nav)
    book.add_item(epub.EpubNcx())
    book.add_item(epub.EpubItem("style", "style.css", "text/css", style))
    _add_pictures(book, volume, folder)
    book.toc = [epub.Link(c.file, c.title, f"nav-{_item_id(c.file)}") for c in volume.chapters]
    raw = io.BytesIO()
    stamp = dt.datetime.combine(series.published, dt.time())
    order = {"enabled": True, "start_from": 1}
    epub.write_epub(raw, book, {"mtime": stamp, "play_order": order, "raise_exceptions": True})
    return _repacked(raw.getvalue())


def _describe(book: Any, series: Series, volume: Volume) -> None:  # Any: an EbookLib book
    name = f"https://understory.invalid/samples/{series.slug}/{volume.index}"
    book.set_identifier(f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, name)}")
    book.set_title(volume.title)
    book.set_language(series.language)
    book.add_author(series.author)
    book.add_metadata("DC", "date", series.published.isoformat())
    book.add_metadata("DC", "rights", series.rights)
    book.add_metadata("DC", "description", volume.subtitle or series.description)
    index = str(volume.index)
    book.add_metadata(None, "meta", "", {"name": "calibre:series", "content": series.title})
    book.add_metadata(None, "meta", "", {"name": "calibre:series_index", "content": index})
    book.add_metadata(None, "meta", series.title, {"property": "belongs-to-collection", "id": "series"})
    book.add_metadata(None, "meta", "series", {"refines": "#series", "property": "collection-type"})
    book.add_metadata(None, "meta", index, {"refines": "#series", "property": "group-position"})


def _add_pictures(book: Any, volume: Volume, folder: Path) -> None:  # Any: an EbookLib book
    from ebooklib import epub  # in the function, as above

    for name in (volume.cover, *volume.pictures):
        try:
            content = (folder / name).read_bytes()
        except OSError as error:
            raise SeriesInvalidError(folder / name, "this picture cannot be read") from error
        item = epub.EpubItem(_item_id(name), name, "image/png", content)
        item.properties = ["cover-image"] if name == volume.cover else []
        book.add_item(item)
    # For readers of EPUB 2, which know nothing of properties.
    book.add_metadata(None, "meta", "", {"name": "cover", "content": _item_id(volume.cover)})


def _item_id(name: str) -> str:
    return "i-" + "".join(letter if letter.isalnum() else "-" for letter in name)


def _page(series: Series, title: str, body: str) -> bytes:
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html>\n'
        f'<html xmlns="{_XHTML}" xmlns:epub="{_OPS}" lang="{series.language}" xml:lang="{series.language}">\n'
        f'<head><title>{escape(title)}</title><link rel="stylesheet" type="text/css" href="style.css"/></head>\n'
        f"<body>\n{body}\n</body>\n</html>\n"
    ).encode()


def _cover_document(series: Series, volume: Volume) -> bytes:
    alt = escape(f"{series.title} {volume.index}: {volume.title}")
    picture = f'<img src="{escape(volume.cover)}" alt="{alt}"/>'
    return _page(series, volume.title, f'<section epub:type="cover" class="cover">{picture}</section>')


def _chapter_document(series: Series, chapter: Chapter, source: Path) -> bytes:
    try:
        fragment = source.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise SeriesInvalidError(source, "this chapter cannot be read") from error
    kind = _SECTION_TYPES[chapter.kind]
    body = f'<section epub:type="{kind}" class="{chapter.kind}">\n<h1>{chapter.heading}</h1>\n{fragment}\n</section>'
    page = _page(series, chapter.title, body)
    _parse(source, page)
    return page


def _parse(source: Path, page: bytes) -> etree._Element:
    from lxml import etree  # in the function: absent where only the paths are asked for

    try:
        return etree.fromstring(page, etree.XMLParser(resolve_entities=False, no_network=True))
    except etree.XMLSyntaxError as error:
        raise SeriesInvalidError(source, f"not well-formed: {error}") from error


def _nav_document(series: Series, volume: Volume, documents: Mapping[str, bytes]) -> bytes:
    contents = [(c.file, c.title) for c in volume.chapters]
    body = [f'<nav epub:type="toc" role="doc-toc" id="toc"><h1>{escape(volume.title)}</h1>{_links(contents)}</nav>']
    pages = [page for name, content in documents.items() for page in _page_breaks(name, content)]
    if pages:
        body.append(f'<nav epub:type="page-list" role="doc-pagelist" id="pages" hidden="hidden">{_links(pages)}</nav>')
    start = next(c.file for c in volume.chapters if c.kind == "body")
    landmarks = [("cover", "cover.xhtml"), ("toc", "nav.xhtml#toc"), ("bodymatter", start)]
    rows = "".join(f'<li><a epub:type="{kind}" href="{href}">{kind}</a></li>' for kind, href in landmarks)
    body.append(f'<nav epub:type="landmarks" id="landmarks" hidden="hidden"><ol>{rows}</ol></nav>')
    return _page(series, volume.title, "\n".join(body))


def _links(targets: Sequence[tuple[str, str]]) -> str:
    rows = "".join(f'<li><a href="{escape(href)}">{escape(label)}</a></li>' for href, label in targets)
    return f"<ol>{rows}</ol>"


def _page_breaks(name: str, content: bytes) -> list[tuple[str, str]]:
    """Return (address, printed number) of each page marker, in order."""
    breaks = []
    for mark in _parse(Path(name), content).iterfind(f".//*[@{{{_OPS}}}type='pagebreak']"):
        anchor, number = mark.get("id"), mark.get("aria-label")
        if not anchor or not number:
            raise SeriesInvalidError(Path(name), "a pagebreak needs id and aria-label")
        breaks.append((f"{name}#{anchor}", number))
    return breaks


def _repacked(raw: bytes) -> bytes:
    """Write the archive anew with fixed stamps, since EbookLib stamps the time of day."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(raw)) as source, zipfile.ZipFile(packed, "w") as target:
        for name in source.namelist():
            info = zipfile.ZipInfo(name, _ZIP_STAMP)
            info.create_system = 3  # else Windows and Unix differ in one byte
            info.external_attr = 0o644 << 16
            info.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            target.writestr(info, source.read(name), compresslevel=9)
    return packed.getvalue()


def _write_if_changed(path: Path, content: bytes) -> None:
    if path.exists() and path.read_bytes() == content:
        return
    unfinished = path.with_suffix(".part")
    unfinished.write_bytes(content)
    unfinished.replace(path)
