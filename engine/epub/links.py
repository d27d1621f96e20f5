"""What documents ask of the book around them: where links lead, which notes others hold, styles."""

from __future__ import annotations

from collections.abc import Callable

from engine.domain.book import ImportWarning
from engine.epub.container import Container, EntryError
from engine.epub.encoding import decode_start
from engine.epub.markup import parse_document
from engine.epub.names import is_foreign, resolve
from engine.epub.notes import find_notes
from engine.epub.package import Package, SpineItem
from engine.epub.picture_size import HEAD_BYTES, size_of_picture
from engine.epub.resources import find_resource
from engine.epub.styles import MAX_STYLESHEET_CHARS, Stylesheet, parse_stylesheet

_MAX_NOTE_DOCUMENT = 8 << 20
_MAX_KNOWN = 20_000


class BookLinks:
    """References of one book, resolved; answers are remembered."""

    def __init__(self, container: Container, package: Package, warn: Callable[[ImportWarning], None]) -> None:
        self._container = container
        self._spine = package.spine
        self._warn = warn
        self._index_by_name = {item.href: item.index for item in package.spine}
        for name, stand_in in package.stand_ins.items():
            self._index_by_name.setdefault(name, self._index_by_name[stand_in])
        self._targets: dict[tuple[str, str], str] = {}
        self._picture_sizes: dict[str, tuple[int, int]] = {}
        self._stylesheets: dict[str, Stylesheet] = {}
        self._note_keys: dict[int, dict[str, str]] = {}

    def place(self, document: str, reference: str) -> tuple[int, str] | None:
        """Return (spine index, fragment) for a reference inside the book, None for any other."""
        if not reference or is_foreign(reference):
            return None
        path, fragment, _is_outside = resolve(document, reference)
        index = self._index_by_name.get(path)
        if index is None:
            found = self._container.find(path)
            index = self._index_by_name.get(found) if found else None
        return None if index is None else (index, fragment)

    def link_target(self, document: str, reference: str) -> str:
        """Return "<spine index>#<fragment>" for a reference inside the book, "" for any other."""
        key = (document, reference)
        target = self._targets.get(key)
        if target is None:
            found = self.place(document, reference)
            target = "" if found is None else f"{found[0]}#{found[1]}"
            if len(self._targets) < _MAX_KNOWN:
                self._targets[key] = target
        return target

    def note_key(self, target: str) -> str:
        """Return the key of the note another document has at a target; "" when there is none."""
        index_text, _hash, fragment = target.partition("#")
        index = int(index_text)
        keys = self._note_keys.get(index)
        if keys is None:
            keys = self._note_keys[index] = self._read_note_keys(self._spine[index])
        return keys.get(fragment, "")

    def picture(self, document: str, reference: str) -> str:
        """Return the resource a picture's reference means; "" with a warning when it is missing or remote."""
        found, warning = find_resource(self._container, document, reference)
        if warning is not None:
            self._warn(warning)
        return found

    def picture_size(self, name: str) -> tuple[int, int]:
        """Return width and height in pixels of a picture by its name; (0, 0) when unknown."""
        size = self._picture_sizes.get(name)
        if size is None:
            size = self._picture_sizes[name] = size_of_picture(self._container.read_start(name, HEAD_BYTES))
        return size

    def stylesheet(self, document: str, reference: str) -> Stylesheet:
        """Return the stylesheet a reference means; an empty one when it is missing or remote."""
        name, _warning = find_resource(self._container, document, reference)
        if not name:
            return Stylesheet()
        sheet = self._stylesheets.get(name)
        if sheet is None:
            try:
                text = decode_start(self._container.read(name)[:MAX_STYLESHEET_CHARS])
            except EntryError as error:
                self._warn(error.warning)
                text = ""
            sheet = self._stylesheets[name] = parse_stylesheet(text)
        return sheet

    def _read_note_keys(self, item: SpineItem) -> dict[str, str]:
        try:
            data = self._container.read(item.href, _MAX_NOTE_DOCUMENT)
        except EntryError:
            return {}
        root = parse_document(data).root
        if root is None:
            return {}
        notes = find_notes(
            root,
            spine_index=item.index,
            document=item.href,
            links=_OwnNotesOnly(self),
            is_linear=item.is_linear,
        )
        return notes.keys


class _OwnNotesOnly:
    """Keeps the search for another document's notes from searching a third."""

    def __init__(self, links: BookLinks) -> None:
        self._links = links

    def link_target(self, document: str, reference: str) -> str:
        return self._links.link_target(document, reference)

    def note_key(self, target: str) -> str:
        return ""
