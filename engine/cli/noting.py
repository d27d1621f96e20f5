"""What the reader keeps: `understory notes add`, `list`, `remove`, `export`, `import`."""

from __future__ import annotations

import json
import sys
from argparse import Namespace, _SubParsersAction
from collections.abc import Iterator
from pathlib import Path
from string import Template

from engine.cli.books import find_work
from engine.cli.context import Context
from engine.cli.output import text_from_argument
from engine.cli.parser import Commands, Parser
from engine.domain.book import WorkId
from engine.domain.locator import Locator, deep_link_from_text, locator_from_text
from engine.domain.notes import Note, NoteKind, ShownNote, Tone
from engine.domain.outline import VEILED_TITLE
from engine.errors import CommandInvalidError, FileMissingError, PlaceUnknownError, shown_path
from engine.errors.notes import NoteUnreadableError
from engine.library.note_files import (
    by_work,
    check_template,
    note_from_record,
    record_from_note,
)
from engine.paths import typed_path
from engine.translate import _, ngettext

_SHOWN_CHARS = 70


def add_commands(commands: Commands) -> None:
    """Enter `notes` with its five words."""
    notes = commands.add("notes", _("what you have highlighted, commented on, excerpted and jotted down"), _list)
    words = notes.add_subparsers(metavar="WHAT", parser_class=Parser)
    notes.set_defaults(work=None, kind=None, lost=False)
    _add_list(words)
    _add_add(words)
    remove = words.add_parser("remove", help=_("take notes away, by the ids of `notes list`"))
    remove.add_argument("uid", metavar="ID", nargs="+")
    remove.set_defaults(handler=_remove)
    _add_files(words)


def _add_list(words: _SubParsersAction[Parser]) -> None:
    listed = words.add_parser("list", help=_("all of them, or those of a work"))
    listed.add_argument("work", metavar="WORK", nargs="?")
    listed.add_argument("--kind", choices=[str(kind) for kind in NoteKind], help=_("of one kind"))
    listed.add_argument("--lost", action="store_true", help=_("those whose words are not in the text that is here"))
    listed.add_argument("--json", action="store_true", help=_("one JSON object a line"))
    listed.set_defaults(handler=_list)


def _add_add(words: _SubParsersAction[Parser]) -> None:
    added = words.add_parser("add", help=_("keep a passage or free words"))
    added.add_argument(
        "work", metavar="WORK", nargs="?", help=_("id, title or part of it; none for a jotting of no work")
    )
    place = added.add_mutually_exclusive_group()
    place.add_argument("--locator", metavar="PLACE", help=_("a passage: f12-340-402 or an understory:// address"))
    place.add_argument("--quote", metavar="WORDS", help=_("a passage by its words, the first place they stand at"))
    added.add_argument("--text", metavar="TEXT", default="", help=_("your comment"))
    kinds = [str(kind) for kind in NoteKind]
    added.add_argument("--kind", choices=kinds, help=_("by default what fits: with a comment an annotation"))
    added.add_argument("--tone", choices=[str(tone) for tone in Tone], default=str(Tone.MARK), help=_("its colour"))
    added.add_argument("--json", action="store_true", help=_("one JSON object a line"))
    added.set_defaults(handler=_add)


def _add_files(words: _SubParsersAction[Parser]) -> None:
    export = words.add_parser("export", help=_("write notes as Markdown or as JSON"))
    export.add_argument("work", metavar="WORK", nargs="?")
    export.add_argument("--json", action="store_true", help=_("everything, to be imported again; one object a line"))
    export.add_argument("--into", metavar="FOLDER", help=_("one Markdown file a work, into a folder"))
    export.add_argument("--template", metavar="FILE", help=_("how a note looks in Markdown"))
    export.set_defaults(handler=_export, kind=None, lost=False)
    brought = words.add_parser("import", help=_("bring notes that were exported with --json; - reads them from a pipe"))
    brought.add_argument("file", metavar="FILE")
    brought.set_defaults(handler=_import)


def _found(context: Context, arguments: Namespace, *, is_whole: bool) -> list[ShownNote]:
    work = find_work(context, arguments) if arguments.work is not None else None
    library = context.library()
    return [
        shown
        for shown in (library.notes(work) if is_whole else library.listed_notes(work))
        if (arguments.kind is None or shown.note.kind == arguments.kind) and (not arguments.lost or shown.note.is_lost)
    ]


def _list(context: Context, arguments: Namespace) -> int:
    found = _found(context, arguments, is_whole=False)
    if arguments.json:
        for shown in found:
            context.out.record(_record(shown))
        return 0
    if not found:
        context.out.talk(_("Nothing is kept here yet. `understory notes add --help` tells how to."))
    for title, of_work in by_work(found).items():
        context.out.line(title or _("Jottings"))
        for shown in of_work:
            for line in _lines(shown):
                context.out.line(line)
    return 0


def _record(shown: ShownNote) -> dict[str, str | int | bool | None]:
    locator = str(shown.locator) if shown.locator is not None else None
    return {**record_from_note(shown.note), "work": shown.work, "locator": locator, "ahead": shown.is_ahead}


def _lines(shown: ShownNote) -> Iterator[str]:
    note = shown.note
    passage = " ".join(note.anchor.quote.exact.split()) if note.anchor is not None else ""
    comment = " ".join(note.comment.split())
    if shown.is_ahead:
        yield f"  {note.uid}  {VEILED_TITLE}"
        return
    where = _("lost") if note.is_lost else note.chapter
    yield f"  {note.uid}  {_cut(passage or comment)}{f'  · {where}' if where else ''}"
    if passage and comment:
        yield f"  {' ' * 16}  — {_cut(comment)}"


def _cut(words: str) -> str:
    return words if len(words) <= _SHOWN_CHARS else words[:_SHOWN_CHARS] + "…"


def _add(context: Context, arguments: Namespace) -> int:
    library = context.library()
    comment = text_from_argument(arguments.text)
    if arguments.locator is None and arguments.quote is None:
        if arguments.kind not in (None, NoteKind.JOTTING):
            raise CommandInvalidError(_("a passage is needed: --locator or --quote"), command="notes add")
        work = find_work(context, arguments) if arguments.work is not None else None
        shown = library.add_jotting(work, comment)
    else:
        if arguments.kind == NoteKind.JOTTING:
            raise CommandInvalidError(_("a jotting has no passage"), command="notes add")
        kind = NoteKind(arguments.kind or (NoteKind.ANNOTATION if comment.strip() else NoteKind.HIGHLIGHT))
        found, passage = passage_from(context, arguments)
        shown = library.add_note(found, kind, passage, comment, Tone(arguments.tone))
    if arguments.json:
        context.out.record(_record(shown))
    else:
        context.out.line(shown.note.uid)
    return 0


def passage_from(context: Context, arguments: Namespace) -> tuple[WorkId, Locator]:
    """Return the passage `--locator` or `--quote` names, and its work.

    Raises:
        CommandInvalidError: no work is named.
        PlaceUnknownError, QuoteMissingError: there is no such passage.
    """
    library = context.library()
    link = deep_link_from_text(text_from_argument(arguments.locator or ""))
    if link is not None:
        return library.place_of_link(link)
    if arguments.work is None:
        raise CommandInvalidError(_("name the work the passage stands in"), command="notes add")
    work = find_work(context, arguments)
    if arguments.quote is not None:
        return work, library.find_words(work, text_from_argument(arguments.quote))
    locator = locator_from_text(text_from_argument(arguments.locator))
    if locator is None:
        raise PlaceUnknownError(text_from_argument(arguments.locator))
    return work, locator


def _remove(context: Context, arguments: Namespace) -> int:
    library = context.library()
    ids = {shown.note.uid: shown.note.id for shown in library.notes()}
    unknown = [uid for uid in arguments.uid if uid not in ids]
    if unknown:
        raise NoteUnreadableError(_("no note has the id {id}").format(id=text_from_argument(unknown[0])))
    for uid in arguments.uid:
        library.drop_note(ids[uid])
    return 0


# files


def _export(context: Context, arguments: Namespace) -> int:
    found = _found(context, arguments, is_whole=True)
    if arguments.json:
        if arguments.into or arguments.template:
            raise CommandInvalidError(_("--into and --template are for Markdown"), command="notes export")
        for shown in found:
            context.out.record(record_from_note(shown.note))
        return 0
    template = None
    if arguments.template:
        template = check_template(_read(typed_path(arguments.template)))
    if arguments.into:
        return _write_files(context, found, typed_path(arguments.into), template)
    for piece in context.library().notes_as_markdown(found, template):
        context.out.line(piece.rstrip("\n") + "\n")
    return 0


def _write_files(context: Context, found: list[ShownNote], folder: Path, template: Template | None) -> int:
    for title, of_work in by_work(found).items():
        file = context.library().write_notes(of_work, folder, title or _("Jottings"), template)
        context.out.line(shown_path(file))
    return 0


def _import(context: Context, arguments: Namespace) -> int:
    if arguments.file == "-":
        text = sys.stdin.buffer.read().decode("utf-8", "replace")
    else:
        text = _read(typed_path(text_from_argument(arguments.file)))
    notes = list(_notes_in(text))
    kept = context.library().bring_notes(notes)
    said = ngettext("{n} note was brought", "{n} notes were brought", kept).format(n=kept)
    if kept < len(notes):
        said += _("; {n} were here already").format(n=len(notes) - kept)
    context.out.talk(said + ".")
    return 0


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise FileMissingError(file, error.strerror or str(error)) from error


def _notes_in(text: str) -> Iterator[Note]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            if not isinstance(record, dict):
                raise NoteUnreadableError(_("it is no JSON object"))
            yield note_from_record(record)
        except (ValueError, RecursionError) as error:
            raise NoteUnreadableError(_("line {n} is no JSON").format(n=number)) from error
        except NoteUnreadableError as error:
            raise NoteUnreadableError(_("line {n}: {reason}").format(n=number, reason=error.reason)) from error
