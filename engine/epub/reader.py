"""The front door of this room: one open book."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from types import TracebackType

from engine.domain.book import (
    BookMetadata,
    ContentsSource,
    DocumentText,
    ImportWarning,
    ParsedChapter,
    ParsedPage,
    VolumePart,
    WarningKind,
)
from engine.epub.blocks import picture_document, read_document
from engine.epub.container import Container, EntryError, open_container
from engine.epub.contents import (
    Places,
    contents_from_headings,
    contents_from_navigation,
    is_poor,
    pages_from_navigation,
)
from engine.epub.encoding import decode_start
from engine.epub.links import BookLinks
from engine.epub.markup import parse_document, parse_xml
from engine.epub.metadata import metadata_of, title_of
from engine.epub.nav import Navigation, read_nav, read_ncx
from engine.epub.opinion import Opinion, ask_ebooklib
from engine.epub.package import ManifestItem, Package, SpineItem, read_package
from engine.epub.protection import locked_documents, scheme_of
from engine.epub.resources import cover_page_picture, read_resource
from engine.epub.series import omnibus_parts
from engine.errors import PlaceUnknownError, VolumeProtectedError
from engine.text.sanitize import sanitize_line
from engine.translate import _

Documents = Callable[[int], DocumentText]

_SAMPLE_CHARS = 3_000
_SAMPLE_DOCUMENTS = 8
_SAMPLE_BYTES = 32_768
_HEAD_BYTES = 6_144
_TAG = re.compile(r"<(script|style|head)\b.*?</\1\s*>|<[^>]*>|&\w+;", re.I | re.S)
_TYPED_TAG = re.compile(r"<(?:body|section|article|div|main|header)\b[^>]*>", re.I)
_TYPE = re.compile(r"""(?:epub:type|role)\s*=\s*["']([^"']*)["']""")
_MOST_WARNINGS_OF_A_KIND = 100


class EpubFile:
    """An open book. Documents are read when asked for and not kept; close it when done."""

    def __init__(self, container: Container, package: Package) -> None:
        self.path = container.path
        self.spine: tuple[SpineItem, ...] = package.spine
        """The documents of the reading order, and those beside it."""
        self._container = container
        self._package = package
        self._warnings: dict[ImportWarning, None] = {}
        self._links = BookLinks(container, package, self._warn)
        self._with_pages: set[int] = set()
        self._known_types: dict[int, frozenset[str]] = {}

    def __enter__(self) -> EpubFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; nothing can be read after this."""
        self._container.close()

    @cached_property
    def sha256(self) -> str:
        """Hash of the file, 64 hex digits."""
        return self._container.sha256()

    @cached_property
    def metadata(self) -> BookMetadata:
        """What the book says of itself, filled from its file name and its text where it says nothing."""
        metadata, warnings = metadata_of(
            self._package,
            self.path,
            self._sample(),
            self._opinion,
            cover_page_picture(self._container, self.spine[0].href),
        )
        for warning in warnings:
            self._warn(warning)
        return metadata

    @property
    def warnings(self) -> tuple[ImportWarning, ...]:
        """All that was repaired, missing or left out so far, each thing once, at most a hundred of a kind."""
        counts: dict[WarningKind, int] = {}
        kept: list[ImportWarning] = []
        for warning in dict.fromkeys([*self._container.warnings, *self._package.warnings, *self._warnings]):
            counts[warning.kind] = counts.get(warning.kind, 0) + 1
            if counts[warning.kind] <= _MOST_WARNINGS_OF_A_KIND:
                # Names of entries are in it, and those are as hostile as the book.
                kept.append(ImportWarning(warning.kind, sanitize_line(warning.message)))
        return tuple(kept)

    def document(self, index: int, upto: int | None = None) -> DocumentText:
        """Read one document.

        Args:
            index: Its place in `spine`.
            upto: Stop at the first block that ends at or beyond this offset; what was read is a prefix of the
                whole, block by block, and `is_complete` is False.

        Returns:
            The document; an empty one, with a warning, when its entry is damaged or too large.

        Raises:
            PlaceUnknownError: there is no such document.
        """
        if not 0 <= index < len(self.spine):
            raise PlaceUnknownError(_("document {number}").format(number=index))
        item = self.spine[index]
        if item.media_type.startswith("image/") and item.media_type != "image/svg+xml":
            size = self._links.picture_size(item.href)
            return picture_document(index, item.href, is_linear=item.is_linear, size=size)
        try:
            data = self._container.read(item.href)
        except EntryError as error:
            self._warn(error.warning)
            return DocumentText(index, item.href, "", (), is_linear=item.is_linear)
        read = read_document(
            data, spine_index=index, href=item.href, links=self._links, is_linear=item.is_linear, upto=upto
        )
        for warning in read.warnings:
            self._warn(warning)
        if read.document.page_breaks:
            self._with_pages.add(index)
        return read.document

    def size_of(self, index: int) -> int:
        """Return the bytes of a document's entry, unread; 0 when it is missing. Its text is somewhat shorter."""
        return self._container.size_of(self.spine[index].href)

    def contents(self, documents: Documents) -> tuple[tuple[ParsedChapter, ...], ContentsSource]:
        """Return the contents in the order of the text, and where they were found.

        Args:
            documents: Gives a document by index; asked only where an entry points into the middle of a
                document, has no title, or there are no contents at all.
        """
        places = self._places(documents)
        for navigation in self._navigations:
            chapters = contents_from_navigation(navigation, places)
            if chapters and not is_poor(navigation, self.spine):
                return tuple(chapters), navigation.source
        poor = next(((n, c) for n in self._navigations if (c := contents_from_navigation(n, places))), None)
        made, source = contents_from_headings(places)
        if poor is not None and (source is ContentsSource.SPINE or len(made) < len(self.spine) // 2):
            return tuple(poor[1]), poor[0].source
        self._warn(
            ImportWarning(WarningKind.CONTENTS_REBUILT, _("the contents were made from the headings of the text"))
        )
        return tuple(made), source

    def pages(self, documents: Documents) -> tuple[ParsedPage, ...]:
        """Return the printed pages: the book's own list, else the page marks of the documents read so far."""
        places = self._places(documents)
        for navigation in self._navigations:
            pages = pages_from_navigation(navigation, places) if navigation.pages else []
            if pages:
                return tuple(pages)
        return tuple(
            ParsedPage(label, index, offset)
            for index in sorted(self._with_pages)
            for label, offset in documents(index).page_breaks
        )

    def parts(self, chapters: Sequence[ParsedChapter]) -> tuple[VolumePart, ...]:
        """Return the volumes in this file: one, or those of an omnibus, by its contents."""
        return omnibus_parts(chapters, len(self.spine), self.metadata.title)

    def resource(self, href: str) -> bytes:
        """Return a picture's bytes by the name a document gives it, at most 64 MB.

        Raises:
            PlaceUnknownError: there is no such resource, or it cannot be read.
        """
        return read_resource(self._container, href)

    def _warn(self, warning: ImportWarning) -> None:
        self._warnings[warning] = None

    def _places(self, documents: Documents) -> Places:
        return Places(self.spine, self._links.place, documents, self._types, self._warn)

    @cached_property
    def _navigations(self) -> tuple[Navigation, ...]:
        """What gives the contents, best first: nav, then NCX, then EbookLib's reading of either."""
        found: list[Navigation] = []
        for item in _navigation_items(self._package):
            try:
                data = self._container.read(item.name)
            except EntryError as error:
                self._warn(error.warning)
                continue
            is_nav = "nav" in item.properties
            root = (parse_document(data) if is_nav else parse_xml(data)).root
            if root is not None:
                found.append(read_nav(root, item.name) if is_nav else read_ncx(root, item.name))
        if not any(navigation.entries for navigation in found):
            entries = list(self._opinion().entries)
            found.append(Navigation(ContentsSource.NCX, self._package.name, entries))
        return tuple(found)

    @cached_property
    def _landmarks(self) -> dict[int, frozenset[str]]:
        named = [(self._package.name, kind, href) for kind, href in self._package.guide]
        for navigation in self._navigations:
            named.extend((navigation.document, kind, href) for kind, href in navigation.landmarks)
        landmarks: dict[int, frozenset[str]] = {}
        for document, kind, href in named:
            place = self._links.place(document, href)
            if place is not None and not place[1]:
                landmarks[place[0]] = landmarks.get(place[0], frozenset()) | {kind}
        return landmarks

    def _types(self, index: int) -> frozenset[str]:
        """Return what the landmarks, and the first elements of a document's body, say it is."""
        known = self._known_types.get(index)
        if known is not None:
            return known
        head = decode_start(self._container.read_start(self.spine[index].href, _HEAD_BYTES))
        start = head.find("<body")
        tags = _TYPED_TAG.findall(head, max(0, start))[:3] if start >= 0 else []
        words = {word for tag in tags for found in _TYPE.findall(tag) for word in found.lower().split()}
        types = frozenset(word.removeprefix("doc-") for word in words) | self._landmarks.get(index, frozenset())
        self._known_types[index] = types
        return types

    def _sample(self) -> str:
        """Return some of the text, tags stripped the quick way, to tell its language by."""
        pieces: list[str] = []
        linear = [item for item in self.spine if item.is_linear]
        for item in [*linear[1:], *linear[:1]][:_SAMPLE_DOCUMENTS]:
            text = decode_start(self._container.read_start(item.href, _SAMPLE_BYTES))
            pieces.append(" ".join(_TAG.sub(" ", text).split()))
            if sum(map(len, pieces)) >= _SAMPLE_CHARS:
                break
        return " ".join(pieces)[: 2 * _SAMPLE_CHARS]

    def _opinion(self) -> Opinion:
        return self._ebooklib_opinion

    @cached_property
    def _ebooklib_opinion(self) -> Opinion:
        return ask_ebooklib(self._container, self._package.name)


def open_epub(path: Path) -> EpubFile:
    """Open a book.

    Raises:
        FileMissingError: there is no such file, or it cannot be read.
        VolumeUnreadableError: it is no EPUB, or there is nothing to read in it.
        VolumeProtectedError: its documents are encrypted by a DRM scheme.
    """
    container = open_container(path)
    try:
        package = read_package(container)
        if locked_documents(container) & {item.href for item in package.spine}:
            raise VolumeProtectedError(path, scheme_of(container), title_of(package))
    except BaseException:
        container.close()
        raise
    return EpubFile(container, package)


def _navigation_items(package: Package) -> list[ManifestItem]:
    items = [item for item in package.manifest.values() if item.name]
    navs = [item for item in items if "nav" in item.properties]
    named = package.manifest.get(package.ncx_id)
    ncxs = [
        item for item in items if item.media_type == "application/x-dtbncx+xml" or item.name.lower().endswith(".ncx")
    ]
    ncxs.sort(key=lambda item: item is not named)
    return [*navs, *ncxs]
