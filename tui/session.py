"""One work being read: its source, its index, the place on disk, the way back.

The session is the only thing below the screens that holds the engine. Its calls are short and
run in worker threads; the place has a writer thread of its own, so that no page waits for a disk.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from engine.config import Settings
from engine.domain.book import PICTURE_CHAR, DocumentId
from engine.domain.locator import Locator, Pos, select_quote
from engine.domain.marks import Mark, MarkKind, ShownMark
from engine.domain.outline import EVERYWHERE, OutlineIndex
from engine.domain.pace import PaceMeter, Sitting
from engine.domain.reading import Place, ShownPlace, Slice, SliceKey
from engine.domain.source import ReadingSource
from engine.errors import UnderstoryError

_QUOTE_CHARS = 32
_LABEL_CHARS = 80
_MOST_JUMPS = 100
_WINDOW_CHARS = 12_000
"""Loaded beyond the slice asked for, each way: three pages of 200x50 and more."""
_MOST_SLICES = 64
"""Of one load, where documents are tiny."""
_SITTING_S, _LEAST_SITTING_S = 60.0, 5.0
"""Reading between two times it is put on disk; what is left of it when the work is closed."""
_WRITE_PAUSE_S = 0.2
"""Between two saves of a moving place; what stood for a second is on disk."""


class Keeper:
    """Writes the newest of what moves (place, frontier, way back) to disk from a thread of its own."""

    def __init__(self, at_first: Callable[[], object]) -> None:
        """Take what is to be done once in the thread, before the first write."""
        self._at_first: Callable[[], object] | None = at_first
        self._lock = threading.Lock()
        self._pending: dict[str, Callable[[], object]] = {}
        self._wake = threading.Event()
        self._idle = threading.Event()
        self._idle.set()
        self._hurry = threading.Event()
        self._is_closed = False
        self.failure: UnderstoryError | None = None
        """Why the last save did not work; None when it did."""
        self._thread = threading.Thread(target=self._run, name="place", daemon=True)
        self._thread.start()

    def keep(self, what: str, write: Callable[[], object], *, instead_of: str = "") -> None:
        """Take a write, which replaces one of the same name that was not done yet; returns at once.

        Args:
            what: Name of what is written; names are written in the order they came in.
            write: Writes it; may raise UnderstoryError.
            instead_of: Name of a write that is not to be done any more.
        """
        with self._lock:
            self._pending.pop(instead_of, None)
            self._pending[what] = write
            self._idle.clear()
            self._wake.set()

    def flush(self, timeout_s: float) -> bool:
        """Wait until everything is on disk; False when it took too long or failed."""
        self._hurry.set()
        is_done = self._idle.wait(timeout_s)
        self._hurry.clear()
        return is_done and self.failure is None

    def close(self, timeout_s: float) -> bool:
        """Flush, then end the thread."""
        is_done = self.flush(timeout_s)
        self._is_closed = True
        self._hurry.set()
        self._wake.set()
        self._thread.join(timeout_s)
        return is_done

    def _run(self) -> None:
        while not self._is_closed:
            self._wake.wait()
            self._write()
            self._hurry.wait(_WRITE_PAUSE_S)

    def _write(self) -> None:
        with self._lock:
            writes = [*self._pending.values()]
            self._pending.clear()
            self._wake.clear()
        if self._at_first is not None:
            writes.insert(0, self._at_first)
            self._at_first = None
        failure = None
        for write in writes:
            try:
                write()
            except UnderstoryError as error:
                failure = error
        self.failure = failure
        with self._lock:
            if not self._pending:
                self._idle.set()


class Trail:
    """Where jumps began, and where the reader came back from. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._back: list[ShownMark] = []
        self._ahead: list[ShownMark] = []
        self._has_jumped = False

    def jumped(self, origin: ShownMark) -> None:
        """Remember where a jump began; the way forward ends."""
        with self._lock:
            if not self._back or not _is_same_place(self._back[-1], origin):
                self._back.append(origin)
            del self._back[:-_MOST_JUMPS]
            self._ahead.clear()
            self._has_jumped = True

    def back(self, here: ShownMark) -> ShownMark | None:
        """Return where the last jump began, None when there was none."""
        return self._turn(self._back, self._ahead, here)

    def forward(self, here: ShownMark) -> ShownMark | None:
        """Return where `back` came from, None when there is nothing ahead."""
        return self._turn(self._ahead, self._back, here)

    def _turn(self, source: list[ShownMark], other: list[ShownMark], here: ShownMark) -> ShownMark | None:
        with self._lock:
            while source and _is_same_place(source[-1], here):
                source.pop()
            if not source:
                return None
            other.append(here)
            return source.pop()

    def put_before(self, back: Sequence[ShownMark], ahead: Sequence[ShownMark]) -> None:
        """Put what was kept of an earlier session before what this one has added."""
        with self._lock:
            self._back[:0] = back
            if not self._has_jumped:
                self._ahead[:0] = ahead

    def stops(self) -> tuple[tuple[ShownMark, ...], tuple[ShownMark, ...]]:
        """Return the way back and the way ahead, oldest first."""
        with self._lock:
            return tuple(self._back), tuple(self._ahead)


def _is_same_place(one: ShownMark, other: ShownMark) -> bool:
    return (one.document, one.offset) == (other.document, other.offset)


class ReadingSession:
    """A work, open."""

    def __init__(self, source: ReadingSource) -> None:
        self.source = source
        self.index = OutlineIndex(source.outline())
        self.frontier: Pos = source.frontier()
        self.index.pace = source.pace(self.index.outline.language)
        self._meter = PaceMeter()
        self._kept_s = 0.0
        """Seconds of the sitting that are on disk."""
        self._sitting_id = os.urandom(8).hex()
        self.trail = Trail()
        self._has_recalled = False
        self._read_to: tuple[DocumentId, int] | None = None
        """Where the frontier was put in this session."""
        self.ask_first: Callable[[], object] | None = None
        """Asked in the writer's thread before anything is saved, such as how long she has not read."""
        self._keeper = Keeper(self._recall_trail)
        self.first_place = self._start()
        """Where to open; None for a work without text."""
        self.first_slices = self.window(*self.first_place) if self.first_place is not None else ()

    # text

    def _start(self) -> tuple[DocumentId, int] | None:
        """Return where to open: the place, else the first character; None for a work without text."""
        place: ShownPlace | None = self.source.place()
        if place is not None:
            return place.document, place.offset
        volumes = self.index.outline.volumes
        return self.index.place_of(volumes[0].ord << 40) if volumes else None

    def window(self, document: DocumentId, offset: int) -> tuple[Slice, ...]:
        """Load the slice of an offset and its neighbours, enough for a few pages each way."""
        here = self.source.slice_at(document, offset)
        ahead = self._run(here.after, 1, _WINDOW_CHARS - (here.end - offset))
        behind = self._run(here.before, -1, _WINDOW_CHARS - (offset - here.start))
        return (*reversed(behind), here, *ahead)

    def runs(self, wanted: Iterable[tuple[SliceKey, int]]) -> tuple[Slice, ...]:
        """Load slices onwards (+1) or backwards (-1) from each key."""
        return tuple(piece for key, step in wanted for piece in self._run(key, step, _WINDOW_CHARS))

    def _run(self, key: SliceKey | None, step: int, chars: int) -> list[Slice]:
        pieces: list[Slice] = []
        while key is not None and chars > 0 and len(pieces) < _MOST_SLICES:
            piece = self.source.slice_of(key)
            pieces.append(piece)
            chars -= piece.end - piece.start + 40  # a short block takes a row whatever its length
            key = piece.after if step > 0 else piece.before
        return pieces

    # places

    def moved(self, piece: Slice, offset: int, first: Pos, last: Pos, end: tuple[DocumentId, int]) -> None:
        """Keep the place, and the frontier if the page reaches on from it.

        Args:
            piece: The slice that holds the first character shown.
            offset: Of that character, in its document.
            first: Its pos.
            last: Pos of the end of the page.
            end: Document and offset of the end of the page.
        """
        book = self.index.book_of(piece.key.document)
        if book is None:
            return
        quote = select_quote(piece.text, offset, min(offset + _QUOTE_CHARS, piece.end), text_offset=piece.start)
        is_onwards = self.frontier < last and self.index.is_linear(piece.key.document) and self.reaches(first)
        source = self.source
        if is_onwards:
            self.frontier, self._read_to = last, end
            self._keeper.keep("frontier", lambda: source.advance_frontier(*end))
        place = Place(*book, offset, quote)
        self._keeper.keep("place", lambda: source.save_place(place))
        self._meter.turned(time.monotonic(), first, last)
        self._keep_sitting(book[0], _SITTING_S)

    def _keep_sitting(self, book_sha256: str, least_s: float) -> None:
        """Keep how long she has read this time, if that has grown, and go by the pace that comes of it."""
        meter, source, index = self._meter, self.source, self.index
        if meter.seconds - self._kept_s < least_s or not book_sha256:
            return
        self._kept_s = meter.seconds
        language = index.outline.language
        sitting = Sitting(self._sitting_id, book_sha256, language, meter.seconds, meter.characters)

        def keep() -> None:
            source.keep_sitting(sitting)
            index.pace = source.pace(language)

        self._keeper.keep("sitting", keep)

    def reaches(self, first: Pos) -> bool:
        """Say whether what begins at a pos goes on from what was read, title pages and the like passed over."""
        return self.index.joins(self.frontier, first) or not self.index.has_story(self.frontier, first)

    def settle(self, timeout_s: float = 1.0) -> None:
        """Wait until place and frontier are on disk, where a search or a page of the wiki is bounded by them.

        Not on the event loop.
        """
        self._keeper.flush(timeout_s)

    def set_frontier(self, pos: Pos, place: tuple[DocumentId, int]) -> None:
        """Count everything before a place as read, and nothing behind it.

        Args:
            pos: Of the place.
            place: Its document and offset.
        """
        source = self.source
        self.frontier, self._read_to = pos, place
        self._keeper.keep("frontier set", lambda: source.set_frontier(*place), instead_of="frontier")

    @property
    def read_to(self) -> Locator | None:
        """How far was read, for whoever asks before it is on disk; None where that says it."""
        place = self._read_to
        if place is None or (self.index.pos_of(*place) or 0) < self.frontier:
            return None
        return Locator(place[0], place[1], place[1])

    def titles_upto(self, settings: Settings) -> Pos:
        """Return up to where titles of chapters and volumes may be told."""
        is_veiled = settings.spoilers.veils_titles(is_wished=settings.veil_titles)
        return self.frontier if is_veiled else EVERYWHERE

    def mark_at(self, piece: Slice, offset: int, kind: MarkKind, name: str = "") -> ShownMark | None:
        """Return a mark of a place, not kept yet; None for a document of another work.

        Args:
            piece: The slice that holds the place.
            offset: Document offset.
            kind: What the mark is for.
            name: Its letter.
        """
        book = self.index.book_of(piece.key.document)
        if book is None:
            return None
        quote = select_quote(piece.text, offset, min(offset + _QUOTE_CHARS, piece.end), text_offset=piece.start)
        words = piece.text[offset - piece.start : offset - piece.start + _LABEL_CHARS].replace(PICTURE_CHAR, "")
        mark = Mark(kind, Place(*book, offset, quote), name, words.lstrip().partition("\n")[0].strip())
        return ShownMark(mark, piece.key.document, offset, piece.pos + offset - piece.start)

    def jumped(self, origin: ShownMark) -> None:
        """Remember where a jump began."""
        self.trail.jumped(origin)
        self._keep_trail()

    def back(self, here: ShownMark) -> ShownMark | None:
        """Return where the last jump began, None when there was none."""
        return self._turned(self.trail.back(here))

    def forward(self, here: ShownMark) -> ShownMark | None:
        """Return where `back` came from, None when there is nothing ahead."""
        return self._turned(self.trail.forward(here))

    def _turned(self, stop: ShownMark | None) -> ShownMark | None:
        if stop is not None:
            self._keep_trail()
        return stop

    def _keep_trail(self) -> None:
        source, (back, ahead) = self.source, self.trail.stops()
        marks_back = [replace(stop.mark, kind=MarkKind.BACK) for stop in back]
        marks_ahead = [replace(stop.mark, kind=MarkKind.AHEAD) for stop in ahead]
        self._keeper.keep("trail", lambda: source.save_trail(marks_back, marks_ahead))

    def _recall_trail(self) -> None:
        if self.ask_first is not None:
            self.ask_first()
        if not self._has_recalled:
            self.trail.put_before(*self.source.trail())

    def go_on_from(self, old: ReadingSession, here: tuple[DocumentId, int] | None) -> tuple[DocumentId, int] | None:
        """Take over another session of the same book: its way back, how far was read, and its place.

        Args:
            old: The session that is given up; it was read from the file, or before volumes were added.
            here: The place in the old session.

        Returns:
            The same place here; None when this work does not have it.
        """
        back, ahead = old.trail.stops()
        self.trail.put_before(self._stops_from(old, back), self._stops_from(old, ahead))
        self._has_recalled = True
        read_to = self.place_from(old, old._read_to)
        if read_to is not None:
            self._read_to = read_to
            self.frontier = max(self.frontier, self.index.pos_of(*read_to) or 0)
        return self.place_from(old, here)

    def _stops_from(self, old: ReadingSession, stops: Sequence[ShownMark]) -> list[ShownMark]:
        carried = [(stop, self._carried(old, (stop.document, stop.offset))) for stop in stops]
        return [
            replace(stop, document=place[0], offset=place[1], pos=self.index.pos_of(*place) or 0)
            for stop, place in carried
            if place is not None
        ]

    def place_from(self, old: ReadingSession, here: tuple[DocumentId, int] | None) -> tuple[DocumentId, int] | None:
        """Return a place of another session in this one, None when this work does not have it."""
        return None if here is None else self._carried(old, here)

    @property
    def book_sha256(self) -> str:
        """Of the first book of the work; empty for a work without volumes."""
        return next(iter(self.books), "")

    @property
    def books(self) -> tuple[str, ...]:
        """Content hashes of the books of the work, in their order."""
        return tuple(volume.book_sha256 for volume in self.index.outline.volumes if volume.book_sha256)

    def _carried(self, old: ReadingSession, place: tuple[DocumentId, int]) -> tuple[DocumentId, int] | None:
        book = old.index.book_of(place[0])
        document = None if book is None else self.index.document_of(*book)
        return None if document is None else (document, place[1])

    @property
    def trouble(self) -> UnderstoryError | None:
        """Why the place could not be saved, None when all is well."""
        return self._keeper.failure

    def close(self, timeout_s: float = 1.5) -> bool:
        """Put the place on disk and end the writer; False when that failed."""
        self._keep_sitting(self.book_sha256, _LEAST_SITTING_S)
        return self._keeper.close(timeout_s)
