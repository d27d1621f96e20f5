"""A pack as a file: JSON lines, compressed; read within limits whatever it holds."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from engine.errors import FileMissingError
from engine.errors.packs import PackUnreadableError
from engine.paths import open_file
from engine.translate import _

MOST_FILE_BYTES = 64 << 20
MOST_BYTES = 256 << 20
"""Inflated, counted while it is inflated."""
MOST_LINE_BYTES = 64 << 10
MOST_LINES = 200_000
_CHUNK = 64 << 10


def packed(lines: Iterable[str]) -> bytes:
    """Return lines as a pack's bytes; the same lines are always the same bytes."""
    out = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=out, compresslevel=9, mtime=0) as file:
        for line in lines:
            file.write(line.encode() + b"\n")
    return out.getvalue()


def read_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a pack, one after the other, never more than the limits allow.

    Raises:
        FileMissingError: it cannot be read.
        PackUnreadableError: it is no pack, is cut off, or is beyond a limit.
    """
    try:
        with open_file(path) as file:
            yield from _lines(_inflated(iter(lambda: file.read(_CHUNK), b"")))
    except OSError as error:
        raise FileMissingError(path, error.strerror or str(error)) from error


def _inflated(chunks: Iterator[bytes]) -> Iterator[bytes]:
    inflater = zlib.decompressobj(wbits=31)
    read = grown = 0
    for chunk in chunks:
        read += len(chunk)
        if read > MOST_FILE_BYTES:
            raise PackUnreadableError(_("the file is too large"))
        if inflater.eof:
            raise PackUnreadableError(_("something stands behind its end"))
        waiting = chunk
        while waiting and not inflater.eof:
            try:
                piece = inflater.decompress(waiting, _CHUNK)
            except zlib.error as error:
                raise PackUnreadableError(_("it is no pack, or damaged")) from error
            waiting = inflater.unconsumed_tail
            grown += len(piece)
            if grown > MOST_BYTES:
                raise PackUnreadableError(_("it is too large once unpacked"))
            yield piece
        if inflater.unused_data:
            raise PackUnreadableError(_("something stands behind its end"))
    if not inflater.eof:
        raise PackUnreadableError(_("it is cut off"))


def _lines(pieces: Iterator[bytes]) -> Iterator[bytes]:
    rest = b""
    count = 0
    for piece in pieces:
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            count += 1
            if count > MOST_LINES:
                raise PackUnreadableError(_("it has too many lines"))
            if len(line) > MOST_LINE_BYTES:
                raise PackUnreadableError(_("line {n} is too long").format(n=count))
            yield line
        if len(rest) > MOST_LINE_BYTES:
            raise PackUnreadableError(_("line {n} is too long").format(n=count + 1))
    if rest:
        raise PackUnreadableError(_("it is cut off"))
