"""What stands on the shelf: `understory list`, `info`, `toc`."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator

from engine.cli.context import Context
from engine.cli.importing import record_of
from engine.cli.output import Json, columns, text_from_argument
from engine.cli.parser import Commands, add_work
from engine.domain.book import WorkId
from engine.domain.locator import Locator
from engine.domain.outline import OutlineIndex
from engine.domain.reading import Chapter, ShownPlace, VolumeOutline, WorkOutline, WorkSummary
from engine.spoilers import masks
from engine.spoilers.policy import Bound
from engine.translate import _, grouped, ngettext


def add_commands(commands: Commands) -> None:
    """Enter `list`, `info` and `toc`."""
    commands.add("list", _("what is in the library"), _list)
    add_work(commands.add("info", _("what is known of a work, and what its import met"), _info))
    add_work(commands.add("toc", _("the contents of a work, numbered"), _toc))


def find_work(context: Context, arguments: Namespace) -> WorkId:
    """Return the work the reader named.

    Raises:
        WorkNotFoundError: nothing is called that.
        WorkAmbiguousError: several are.
    """
    return context.library().find_work(text_from_argument(arguments.work))


def numbered_chapters(outline: WorkOutline) -> Iterator[tuple[int, VolumeOutline, Chapter]]:
    """Yield (number, volume, entry) for every entry of the contents; numbers run from 1 over the work."""
    number = 0
    for volume in outline.volumes:
        for chapter in volume.chapters:
            number += 1
            yield number, volume, chapter


def _list(context: Context, arguments: Namespace) -> int:
    works = context.library().works()
    if arguments.json:
        for work in works:
            context.out.record(_work_record(work))
    elif not works:
        context.out.talk(_("The library is empty. `understory import FILE` brings a book into it."))
    else:
        for line in columns([_work_row(work) for work in works], right=frozenset({0, 3, 4, 5})):
            context.out.line(line)
    return 0


def _work_record(work: WorkSummary) -> dict[str, Json]:
    return {
        "work": work.id,
        "title": work.title,
        "authors": list(work.authors),
        "language": work.language,
        "volumes": work.volumes,
        "chapters": work.chapters,
        "characters": work.characters,
        "read": round(work.read_share, 4),
        "last_read": work.last_read,
    }


def _work_row(work: WorkSummary) -> list[str]:
    volumes = ngettext("{n} volume", "{n} volumes", work.volumes).format(n=work.volumes)
    read = _("{share} %").format(share=int(work.read_share * 100)) if work.last_read else _("new")
    return [str(work.id), work.title, _(", ").join(work.authors), volumes, grouped(work.characters, gap=" "), read]


def _info(context: Context, arguments: Namespace) -> int:
    library = context.library()
    work = find_work(context, arguments)
    outline, reports = library.outline(work), library.report(work)
    summary = next(each for each in library.works() if each.id == work)
    earlier = library.earlier_places(work)
    if arguments.json:
        volumes: list[Json] = [_volume_record(volume) for volume in outline.volumes]
        imports: list[Json] = [record_of(report) for report in reports]
        places: list[Json] = [str(Locator(place.document, place.offset, place.offset)) for place in earlier]
        context.out.record({**_work_record(summary), "parts": volumes, "imports": imports, "earlier_places": places})
        return 0
    rows = [
        [_("work"), str(work)],
        [_("title"), outline.title],
        [_("author"), _(", ").join(outline.authors)],
        [_("language"), outline.language],
        [_("length"), _("{n} characters").format(n=grouped(summary.characters, gap=" "))],
        [_("read"), _("{share} %").format(share=int(summary.read_share * 100))],
        [_("last read"), summary.last_read or _("never")],
    ]
    rows += [[_("earlier place"), _place_words(place, outline, library.bound(work))] for place in earlier]
    rows += [[_("volume {n}").format(n=n), volume.title] for n, volume in enumerate(outline.volumes, 1)]
    rows += [[_("import"), warning.message] for report in reports for warning in report.warnings]
    for line in columns([row for row in rows if row[1]]):
        context.out.line(line)
    return 0


def _place_words(place: ShownPlace, outline: WorkOutline, bound: Bound) -> str:
    chapter = OutlineIndex(outline).chapter_at(place.pos)
    locator = Locator(place.document, place.offset, place.offset)
    return f"{locator}  {'' if chapter is None else _title(chapter, bound)}".rstrip()


def _volume_record(volume: VolumeOutline) -> dict[str, Json]:
    return {
        "volume": volume.id,
        "number": volume.ord + 1,
        "title": volume.title,
        "characters": volume.length,
        "chapters": len(volume.chapters),
        "documents": len(volume.documents),
        "pages": len(volume.pages),
        "sha256": volume.book_sha256,
    }


def _toc(context: Context, arguments: Namespace) -> int:
    work = find_work(context, arguments)
    outline = context.library().outline(work)
    index = OutlineIndex(outline)
    bound = context.library().bound(work)
    if arguments.json:
        for number, volume, chapter in numbered_chapters(outline):
            context.out.record(_chapter_record(number, volume, chapter, _title(chapter, bound)))
        return 0
    digits = len(str(len(index.chapters)))
    shown: VolumeOutline | None = None
    for number, volume, chapter in numbered_chapters(outline):
        if volume is not shown and len(outline.volumes) > 1:
            context.out.line(f"{'' if shown is None else chr(10)}{volume.title}")
        shown = volume
        context.out.line(f"{number:>{digits}}  {'  ' * chapter.level}{_title(chapter, bound)}")
    return 0


def _title(chapter: Chapter, bound: Bound) -> str:
    return masks.mask_chapter_title(chapter.title, chapter.pos, bound)


def _chapter_record(number: int, volume: VolumeOutline, chapter: Chapter, title: str) -> dict[str, Json]:
    return {
        "chapter": number,
        "volume": volume.ord + 1,
        "title": title,
        "level": chapter.level,
        "kind": str(chapter.kind),
        "characters": chapter.pos_end - chapter.pos,
        "locator": str(Locator(chapter.document, chapter.offset, chapter.offset)),
    }
