"""The table of entries at the end of a zip file.

Python's own zipfile builds an object of half a kilobyte for each entry before anything can be
limited, and refuses a whole archive for one odd entry; this reads only what the container needs.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import BinaryIO

from engine.translate import _

MAX_DIRECTORY_ENTRIES = 100_000
_MAX_DIRECTORY_BYTES = 64 << 20

_END = struct.Struct("<4s4H2LH")
_END_SIGN = b"PK\x05\x06"
_END64_LOCATOR = struct.Struct("<4sLQL")
_END64 = struct.Struct("<4sQ2H2L4Q")
_CENTRAL = struct.Struct("<4s4B4HL2L5H2L")
_CENTRAL_SIGN = b"PK\x01\x02"
_LOCAL = struct.Struct("<4s5H3L2H")
_LOCAL_SIGN = b"PK\x03\x04"
_MAX_COMMENT = 65_535
_FULL_32 = 0xFFFF_FFFF
_FULL_16 = 0xFFFF
_ZIP64_FIELD = 1
_IS_UTF8 = 0x800
_IS_ENCRYPTED = 0x1


class DirectoryError(Exception):
    """The file is no zip, or its table of entries cannot be read; the message says why."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry as the directory describes it; sizes in bytes, none of them to be trusted."""

    raw_name: bytes
    is_utf8: bool
    is_encrypted: bool
    method: int
    """0 stored, 8 deflated."""
    crc: int
    packed_size: int
    size: int
    header_offset: int

    @property
    def name(self) -> str:
        """The name by the letter of the zip specification: UTF-8 when flagged, else code page 437."""
        if self.is_utf8:
            return self.raw_name.decode("utf-8", "replace")
        return self.raw_name.decode("ascii" if self.raw_name.isascii() else "cp437")


def read_directory(file: BinaryIO, file_size: int) -> list[Entry]:
    """Read the entries of a zip file, in the order of its directory.

    Raises:
        DirectoryError: no directory, a damaged one, or one of more than 100 000 entries.
    """
    count, size, start, shift = _find_directory(file, file_size)
    if count > MAX_DIRECTORY_ENTRIES or size > _MAX_DIRECTORY_BYTES:
        raise DirectoryError(_("the archive has more than {limit} entries").format(limit=MAX_DIRECTORY_ENTRIES))
    file.seek(start)
    data = file.read(size)
    entries: list[Entry] = []
    at = 0
    while at + _CENTRAL.size <= len(data) and len(entries) < MAX_DIRECTORY_ENTRIES:
        fields = _CENTRAL.unpack_from(data, at)
        if fields[0] != _CENTRAL_SIGN:
            break
        at += _CENTRAL.size
        name_size, extra_size, comment_size = fields[12], fields[13], fields[14]
        name = data[at : at + name_size]
        extra = data[at + name_size : at + name_size + extra_size]
        at += name_size + extra_size + comment_size
        entries.append(_entry_from_fields(fields, name, extra, shift))
    if not entries:
        raise DirectoryError(_("the archive is damaged: its table of entries cannot be read"))
    return entries


def data_start(file: BinaryIO, entry: Entry) -> int | None:
    """Return where the packed bytes of an entry begin; None when its own header is not where it should be."""
    file.seek(entry.header_offset)
    header = file.read(_LOCAL.size)
    if len(header) < _LOCAL.size:
        return None
    fields = _LOCAL.unpack(header)
    if fields[0] != _LOCAL_SIGN:
        return None
    return entry.header_offset + _LOCAL.size + int(fields[9]) + int(fields[10])


def _find_directory(file: BinaryIO, file_size: int) -> tuple[int, int, int, int]:
    """Return (entries, bytes, file offset, shift of all offsets) of the directory."""
    tail_size = min(file_size, _END.size + _MAX_COMMENT)
    file.seek(file_size - tail_size)
    tail = file.read(tail_size)
    at = tail.rfind(_END_SIGN, 0, len(tail) - _END.size + len(_END_SIGN))
    if at < 0:
        raise DirectoryError(_what_instead(file, file_size))
    _sign, _disk, _start_disk, _here, count, size, offset, _comment = _END.unpack_from(tail, at)
    end = file_size - tail_size + at
    if _FULL_16 in (count,) or _FULL_32 in (size, offset):
        found = _find_zip64(file, end)
        if found is not None:
            count, size, offset, end = found
    start = end - size
    if start < 0:
        raise DirectoryError(_("the archive is damaged: its table of entries cannot be read"))
    return count, size, start, max(0, start - offset)


def _find_zip64(file: BinaryIO, end: int) -> tuple[int, int, int, int] | None:
    """Return (entries, bytes, offset, where the directory ends) from the large form of the end record."""
    at = end - _END64_LOCATOR.size
    if at < 0:
        return None
    file.seek(at)
    sign, _disk, offset, _disks = _END64_LOCATOR.unpack(file.read(_END64_LOCATOR.size))
    if sign != b"PK\x06\x07":
        return None
    file.seek(offset)
    record = file.read(_END64.size)
    if len(record) < _END64.size:
        return None
    fields = _END64.unpack(record)
    if fields[0] != b"PK\x06\x06":
        return None
    return int(fields[7]), int(fields[8]), int(fields[9]), int(offset)


def _entry_from_fields(fields: tuple[int, ...], name: bytes, extra: bytes, shift: int) -> Entry:
    flags, method, crc, packed_size, size, header_offset = (
        fields[5],
        fields[6],
        fields[9],
        fields[10],
        fields[11],
        fields[18],
    )
    if _FULL_32 in (packed_size, size, header_offset):
        size, packed_size, header_offset = _zip64_sizes(extra, size, packed_size, header_offset)
    return Entry(
        raw_name=name,
        is_utf8=bool(flags & _IS_UTF8),
        is_encrypted=bool(flags & _IS_ENCRYPTED),
        method=method,
        crc=crc,
        packed_size=packed_size,
        size=size,
        header_offset=header_offset + shift,
    )


def _zip64_sizes(extra: bytes, *values: int) -> tuple[int, int, int]:
    """Replace each value of 32 ones by the next number of the zip64 field."""
    found = list(values)
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<2H", extra, at)
        if kind == _ZIP64_FIELD:
            numbers = iter(struct.unpack_from(f"<{min(length, len(extra) - at - 4) // 8}Q", extra, at + 4))
            found = [next(numbers, value) if value == _FULL_32 else value for value in values]
            break
        at += 4 + length
    return found[0], found[1], found[2]


def _what_instead(file: BinaryIO, file_size: int) -> str:
    file.seek(0)
    start = file.read(68)
    if file_size == 0:
        return _("the file is empty")
    if start.startswith(b"PK\x03\x04"):
        return _("the archive is cut off: its end is missing")
    if start.startswith(b"%PDF"):
        return _("it is a PDF, not an EPUB")
    if start[60:68] == b"BOOKMOBI":
        return _("it is a Kindle book, not an EPUB")
    if start.startswith((b"Rar!", b"7z\xbc\xaf")):
        return _("it is an archive of another kind, not an EPUB")
    return _("it is not an EPUB")
