"""The half of the library that hands on what was learned about a work, and takes in what others have learned."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from engine.domain.book import WorkId
from engine.errors import FileMissingError
from engine.library.analysing import Analysing
from engine.paths import open_file

# Imported where they are used: most sessions meet no pack.

if TYPE_CHECKING:
    from engine.domain.packs import PackInfo, PackReport
    from engine.domain.reading import JobProgress
    from engine.packs.records import Pack

_PROGRAM = "understory"


class Packing(Analysing):
    """Knowledge packs."""

    def export_pack(self, work: WorkId, path: Path) -> PackInfo:
        """Write everything models have learned about a work into a file, without the work's text.

        The file tells the whole story, whatever the reader has read. What she set right, revealed or noted is not
        in it.

        Args:
            work: Whose.
            path: Where; a file that is there already is replaced.

        Raises:
            WorkNotFoundError: there is no such work.
            NamesUnknownError: its names are still being looked for.
            PackEmptyError: nothing was learned yet.
            PackUnwritableError: the file cannot be written.
        """
        from engine.errors.packs import PackUnwritableError
        from engine.packs.files import packed
        from engine.packs.gathering import gather
        from engine.packs.writing import lines_of

        with self._store.read() as r:
            pack = gather(r, work, _PROGRAM)
        unfinished = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            unfinished.write_bytes(packed(lines_of(pack)))
            unfinished.replace(path)
        except OSError as error:
            with contextlib.suppress(OSError):
                unfinished.unlink()
            raise PackUnwritableError(path, error.strerror or str(error)) from error
        return _info(pack)

    def pack_info(self, path: Path) -> PackInfo:
        """Return what a pack says of itself; nothing of what it tells.

        Raises:
            FileMissingError: it cannot be read.
            PackUnreadableError: it is no pack, or not one this release takes.
        """
        from engine.packs.files import read_lines
        from engine.packs.reading import pack_from_lines

        return _info(pack_from_lines(read_lines(path)))

    def start_pack(self, path: Path, *, is_trusted: bool = False, replaces: bool = False) -> int:
        """Have a pack taken in in the background, and return the job.

        Args:
            path: The pack.
            is_trusted: Whether its word is taken for what was held against the text; else that waits for the end.
            replaces: Whether it may take the place of what was learned before.

        Raises:
            FileMissingError: it cannot be read.
            PackUnreadableError: it is no pack, or not one this release takes.
            PackMismatchError: the books it is about are not here.
            PackInTheWayError: the work has been read, and `replaces` is not set.
            HelperUnavailableError: the job is queued, but nobody can be started to do it.
        """
        import hashlib  # 5 ms, for OpenSSL

        from engine.errors.packs import PackInTheWayError
        from engine.packs.files import read_lines
        from engine.packs.reading import pack_from_lines
        from engine.packs.request import PackRequest
        from engine.packs.setting import work_of_pack
        from engine.store import jobs, packs, works

        pack = pack_from_lines(read_lines(path))
        with self._store.read() as r:
            work = work_of_pack(r, pack)
            if not replaces and packs.has_been_read(r, work):
                raise PackInTheWayError(works.outline(r, work).title)
        try:
            with open_file(path) as file:
                held = file.read()
        except OSError as error:
            raise FileMissingError(path, error.strerror or str(error)) from error
        request = PackRequest(hashlib.sha256(held).hexdigest(), is_trusted=is_trusted, replaces=replaces)
        kept = request.file(self.paths)
        kept.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        kept.write_bytes(held)
        with self._store.write() as w:
            job = jobs.add_job(w, jobs.PACK, request.told(), pack.title)
        self._wake_helper()
        return job

    def start_sample_pack(self, series: str = "ashfall") -> int | None:
        """Have the pack of a sample series taken in once its books and names are here; None where it has none.

        Raises:
            HelperUnavailableError: the job is queued, but nobody can be started to do it.
        """
        from engine.packs.request import PackRequest
        from engine.samples import sample_pack
        from engine.store import jobs

        if sample_pack(series) is None:
            return None
        with self._store.write() as w:
            job = jobs.add_job(w, jobs.PACK, PackRequest("", series, is_trusted=True).told(), series)
        self._wake_helper()
        return job

    def start_packs_of(self, paths: Iterable[Path]) -> tuple[int, ...]:
        """Have the pack of every sample series taken in of which a volume is among some files that are imported.

        Raises:
            HelperUnavailableError: as `start_sample_pack`.
        """
        from engine.samples import sample_series_of

        series = dict.fromkeys(series for path in paths if (series := sample_series_of(path)) is not None)
        started = (self.start_sample_pack(each) for each in series)
        return tuple(job for job in started if job is not None)

    def pack_report(self, job: JobProgress) -> PackReport | None:
        """Return what became of a pack, None while it is not taken in."""
        from engine.domain.packs import PackReport

        if not job.result or job.error:
            return None
        work, *counts = json.loads(job.result)
        return PackReport(WorkId(work), *counts)


def _info(pack: Pack) -> PackInfo:
    from engine.domain.packs import PackInfo

    return PackInfo(
        pack.title,
        pack.language,
        pack.made_at,
        tuple(dict.fromkeys(writer.model for writer in pack.writers)),
        tuple(book.title for book in pack.books),
        len(pack.points),
        len(pack.statements),
    )
