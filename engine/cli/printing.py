"""`understory text`: the book's own words, as plain text, Markdown or JSON."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass

from engine.cli.books import find_work, numbered_chapters
from engine.cli.context import Context
from engine.cli.output import text_from_argument
from engine.cli.parser import Commands, add_work
from engine.config import RubyStyle
from engine.domain.book import DocumentId, DocumentText, Footnote
from engine.domain.locator import Locator, Pos, deep_link_from_text, locator_from_text, offset_in_volume_of
from engine.domain.reading import Chapter, VolumeOutline, WorkOutline
from engine.errors import PlaceUnknownError
from engine.text.markdown import markdown_from_document
from engine.text.readable import readable_text
from engine.translate import _


@dataclass(frozen=True, slots=True)
class _Range:
    """A run of one document that is to be printed."""

    volume: VolumeOutline
    document: DocumentId
    start: int
    end: int


def add_commands(commands: Commands) -> None:
    """Enter `text`."""
    parser = commands.add("text", _("print a work, a volume, a chapter or a passage"), _text)
    add_work(parser)
    part = parser.add_mutually_exclusive_group()
    part.add_argument("--chapter", metavar="N", type=int, help=_("a chapter by its number in `understory toc`"))
    part.add_argument("--volume", metavar="N", type=int, help=_("a volume by its number"))
    part.add_argument("--locator", metavar="PLACE", help=_("a passage: f12-340-402 or an understory:// address"))
    parser.add_argument("--markdown", action="store_true", help=_("as Markdown, notes as footnotes"))


def _text(context: Context, arguments: Namespace) -> int:
    outline = context.library().outline(find_work(context, arguments))
    is_first = True
    for part in _ranges(context, outline, arguments):
        document = context.library().document_text(part.document)
        if arguments.json and not arguments.markdown:
            words = document.text[part.start : part.end]
        else:
            words = _rendered(context, part, document, as_markdown=arguments.markdown)
        if arguments.json:
            locator = Locator(part.document, part.start, part.end)
            context.out.record({"volume": part.volume.ord + 1, "locator": str(locator), "text": words})
        elif words:
            context.out.line(words if is_first else "\n" + words)
            is_first = False
    return 0


def _rendered(context: Context, part: _Range, document: DocumentText, *, as_markdown: bool) -> str:
    render = markdown_from_document if as_markdown else readable_text
    with_readings = context.settings.ruby is not RubyStyle.OFF
    notes = _notes(context, part, document)
    return render(document, part.start, part.end, notes=notes, with_readings=with_readings).strip("\n")


def _notes(context: Context, part: _Range, document: DocumentText) -> list[Footnote]:
    keys = dict.fromkeys(ref.note for ref in document.note_refs if part.start <= ref.offset <= part.end)
    found = (context.library().footnote(part.document, key) for key in keys)
    return [note for note in found if note is not None]


def _ranges(context: Context, outline: WorkOutline, arguments: Namespace) -> Iterator[_Range]:
    if arguments.locator is not None:
        yield _named_range(context, outline, text_from_argument(arguments.locator))
    elif arguments.chapter is not None:
        yield from _chapter_ranges(outline, arguments.chapter)
    elif arguments.volume is not None:
        volumes = [volume for volume in outline.volumes if volume.ord + 1 == arguments.volume]
        if not volumes:
            raise PlaceUnknownError(_("volume {n}").format(n=arguments.volume))
        yield from _volume_ranges(volumes[0], 0, volumes[0].length)
    else:
        for volume in outline.volumes:
            yield from _volume_ranges(volume, 0, volume.length)


def _volume_ranges(volume: VolumeOutline, start: int, end: int) -> Iterator[_Range]:
    """Yield the parts of the documents between two offsets of the volume, in reading order."""
    for document in volume.documents:
        first, last = max(start - document.base, 0), min(end - document.base, document.length)
        if document.is_linear and first < last:
            yield _Range(volume, document.id, first, last)


def _chapter_ranges(outline: WorkOutline, wanted: int) -> Iterator[_Range]:
    for number, volume, chapter in numbered_chapters(outline):
        if number == wanted:
            end = _end_with_children(volume, chapter)
            if end > chapter.pos:
                yield from _volume_ranges(volume, offset_in_volume_of(chapter.pos), offset_in_volume_of(end))
            return
    raise PlaceUnknownError(_("chapter {n}").format(n=wanted))


def _end_with_children(volume: VolumeOutline, chapter: Chapter) -> Pos:
    """Return where the next entry of the same or a higher level begins: a part is printed with its chapters."""
    following = volume.chapters[chapter.ord + 1 :]
    return next((other.pos for other in following if other.level <= chapter.level), volume.chapters[-1].pos_end)


def _named_range(context: Context, outline: WorkOutline, text: str) -> _Range:
    locator = locator_from_text(text)
    if locator is None:
        link = deep_link_from_text(text)
        if link is None:
            raise PlaceUnknownError(text)
        sha256 = next((v.book_sha256 for v in outline.volumes if v.book_sha256.startswith(link.book_sha16)), "")
        document = context.library().document_of(sha256, link.spine_index)
        if document is None:
            raise PlaceUnknownError(text)
        locator = Locator(document, link.start, link.end)
    for volume in outline.volumes:
        for each in volume.documents:
            if each.id == locator.document and locator.end <= each.length:
                return _Range(volume, locator.document, locator.start, locator.end)
    raise PlaceUnknownError(text)
