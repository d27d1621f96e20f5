"""The zip around a book: every read bounded, nothing extracted, nothing outside it opened."""

from __future__ import annotations

import hashlib
import threading
import zlib
from bisect import bisect_right
from pathlib import Path
from typing import BinaryIO

from engine.domain.book import ImportWarning, WarningKind
from engine.epub.directory import DirectoryError, Entry, data_start, read_directory
from engine.epub.names import NameIndex
from engine.errors import FileMissingError, VolumeUnreadableError
from engine.paths import is_folder, open_file
from engine.text.sanitize import sanitize_line
from engine.translate import _

MAX_ITEMS = 20_000
MAX_ITEM_BYTES = 64 << 20
MAX_TOTAL_BYTES = 512 << 20
# Deflate cannot do better than 1032; a novel repeated a hundred times reaches 300.
_MAX_RATIO = 500
_RATIO_MATTERS_FROM = 1 << 20
_CHUNK = 1 << 18
_HASH_BLOCK = 1 << 20
_STORED, _DEFLATED = 0, 8


class EntryError(Exception):
    """One entry cannot be read; the book goes on without it.

    Attributes:
        warning: What to tell about it.
    """

    def __init__(self, kind: WarningKind, message: str) -> None:
        super().__init__(message)
        self.warning = ImportWarning(kind, message)


class Container:
    """An open zip file. Thread-safe; close it when done.

    Sizes are counted while inflating: what an entry says of itself is not believed.
    """

    def __init__(self, path: Path, file: BinaryIO, file_size: int, entries: list[Entry]) -> None:
        self.path = path
        self._file = file
        self._file_size = file_size
        self._names = NameIndex(entries)
        self._starts = sorted({entry.header_offset for entry in entries})
        self._inflated: dict[int, int] = {}
        self._inflated_total = 0
        self._lock = threading.Lock()
        self._warnings: dict[ImportWarning, None] = {}

    @property
    def warnings(self) -> tuple[ImportWarning, ...]:
        """What was found to be wrong with entries that could be used all the same, each thing once."""
        return tuple(self._warnings)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def sha256(self) -> str:
        """Return the hash of the whole file, 64 hex digits."""
        digest = hashlib.sha256()
        with self._lock:
            self._file.seek(0)
            while block := self._file.read(_HASH_BLOCK):
                digest.update(block)
        return digest.hexdigest()

    def _warn(self, kind: WarningKind, message: str) -> None:
        self._warnings[ImportWarning(kind, message)] = None

    def names(self) -> list[str]:
        """Return the names of all entries but folders, each once."""
        return self._names.all_names()

    def find(self, name: str) -> str | None:
        """Return the entry a name means, as `read` wants it; None when there is none.

        Tried in this order: the name as written, percent-decoded, with slashes for backslashes, in
        normal form C, without regard to case, and entry names re-read in other encodings.
        """
        found, is_repaired = self._names.find(name)
        if found is not None and is_repaired:
            self._warn(
                WarningKind.NAME_REPAIRED,
                _("{name} is stored under a name written differently").format(name=sanitize_line(name)),
            )
        return found

    def size_of(self, name: str) -> int:
        """Return the size in bytes an entry says it has; 0 when there is no such entry."""
        entry = self._names.entry(name)
        return entry.size if entry else 0

    def read(self, name: str, limit: int = MAX_ITEM_BYTES) -> bytes:
        """Return the bytes of an entry by its exact name.

        Raises:
            EntryError: no such entry, or it is damaged, encrypted, or larger than `limit` or what is left in all.
        """
        entry = self._wanted(name)
        with self._lock:
            data, is_whole = self._inflate(entry, limit)
            if len(data) > limit:
                raise _too_large(name, limit)
            if self._inflated_total + len(data) - self._inflated.get(entry.header_offset, 0) > MAX_TOTAL_BYTES:
                raise _too_large(name, MAX_TOTAL_BYTES)
            self._inflated_total += len(data) - self._inflated.get(entry.header_offset, 0)
            self._inflated[entry.header_offset] = len(data)
        if not is_whole or len(data) != entry.size:
            raise EntryError(WarningKind.ENTRY_DAMAGED, _("{name} is damaged").format(name=sanitize_line(name)))
        if zlib.crc32(data) != entry.crc:
            self._warn(WarningKind.ENTRY_DAMAGED, _("{name} may be damaged: its check sum is wrong").format(name=name))
        return data

    def read_start(self, name: str, size: int) -> bytes:
        """Return at most the first `size` bytes of an entry; empty when it cannot be read."""
        try:
            entry = self._wanted(name)
            with self._lock:
                return self._inflate(entry, size)[0][:size]
        except EntryError:
            return b""

    def _wanted(self, name: str) -> Entry:
        entry = self._names.entry(name)
        if entry is None:
            raise EntryError(WarningKind.ENTRY_MISSING, _("{name} is missing").format(name=sanitize_line(name)))
        if entry.is_encrypted:
            raise EntryError(
                WarningKind.ENTRY_DAMAGED, _("{name} is locked with a password").format(name=sanitize_line(name))
            )
        if entry.method not in (_STORED, _DEFLATED):
            raise EntryError(
                WarningKind.ENTRY_DAMAGED, _("{name} is packed in an unknown way").format(name=sanitize_line(name))
            )
        if self._overlaps(entry):
            raise EntryError(
                WarningKind.ENTRY_DAMAGED, _("{name} overlaps another entry").format(name=sanitize_line(name))
            )
        if len(self._inflated) >= MAX_ITEMS and entry.header_offset not in self._inflated:
            raise EntryError(
                WarningKind.ENTRY_TOO_LARGE,
                _("{name} is left out: the book has more than {limit} items").format(
                    name=sanitize_line(name), limit=MAX_ITEMS
                ),
            )
        return entry

    def _overlaps(self, entry: Entry) -> bool:
        after = bisect_right(self._starts, entry.header_offset)
        end = entry.header_offset + len(entry.raw_name) + entry.packed_size
        following = self._starts[after] if after < len(self._starts) else self._file_size
        return end > following

    def _inflate(self, entry: Entry, limit: int) -> tuple[bytes, bool]:
        """Return (at most a little more than `limit` bytes, whether the entry's end was reached without a fault)."""
        left = MAX_TOTAL_BYTES - self._inflated_total + self._inflated.get(entry.header_offset, 0)
        if entry.size > MAX_ITEM_BYTES:
            raise _too_large(entry.name, MAX_ITEM_BYTES)
        if left <= 0:
            raise _too_large(entry.name, MAX_TOTAL_BYTES)
        start = data_start(self._file, entry)
        if start is None:
            return b"", False
        self._file.seek(start)
        if entry.method == _STORED:
            data = self._file.read(min(entry.packed_size, limit + 1, left))
            return data, len(data) == entry.packed_size
        return self._inflate_stream(entry, min(limit, left))

    def _inflate_stream(self, entry: Entry, limit: int) -> tuple[bytes, bool]:
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        out = bytearray()
        packed_left = entry.packed_size
        taken = 0
        try:
            while not inflater.eof and len(out) <= limit:
                packed = inflater.unconsumed_tail
                if not packed:
                    packed = self._file.read(min(_CHUNK, packed_left))
                    packed_left -= len(packed)
                    taken += len(packed)
                    if not packed:
                        out += inflater.flush()
                        break
                out += inflater.decompress(packed, _CHUNK)
                if len(out) > max(_RATIO_MATTERS_FROM, taken * _MAX_RATIO):
                    raise EntryError(
                        WarningKind.ENTRY_TOO_LARGE,
                        _("{name} is left out: it unpacks to more than {ratio} times its size").format(
                            name=sanitize_line(entry.name), ratio=_MAX_RATIO
                        ),
                    )
        except zlib.error:
            return bytes(out), False
        return bytes(out), inflater.eof


def open_container(path: Path) -> Container:
    """Open the zip file of a book.

    Raises:
        FileMissingError: there is no such file, or it cannot be read.
        VolumeUnreadableError: it is no zip file, or its directory is damaged or too long.
    """
    if is_folder(path):
        raise VolumeUnreadableError(path, _("it is a folder, not an EPUB"))
    try:
        file = open_file(path)
        file_size = path.stat().st_size
    except OSError as error:
        raise FileMissingError(path, error.strerror or str(error)) from error
    try:
        return Container(path, file, file_size, read_directory(file, file_size))
    except DirectoryError as error:
        file.close()
        raise VolumeUnreadableError(path, str(error)) from error
    except OSError as error:
        file.close()
        raise FileMissingError(path, error.strerror or str(error)) from error


def _too_large(name: str, limit: int) -> EntryError:
    return EntryError(
        WarningKind.ENTRY_TOO_LARGE,
        _("{name} is left out: it is larger than {limit} MB").format(name=sanitize_line(name), limit=limit >> 20),
    )
