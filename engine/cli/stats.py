"""How long was read, how fast, and how much is left: `understory stats`."""

from __future__ import annotations

from argparse import Namespace

from engine.cli.books import find_work
from engine.cli.context import Context
from engine.cli.output import Json, columns
from engine.cli.parser import Commands
from engine.domain.reading import WorkSummary
from engine.text.measure import reading_seconds
from engine.translate import _, ngettext


def add_commands(commands: Commands) -> None:
    """Enter `stats`."""
    parser = commands.add("stats", _("how long you have read, how fast, and how much is left"), _stats)
    parser.add_argument("work", metavar="WORK", nargs="?")


def _stats(context: Context, arguments: Namespace) -> int:
    works = context.library().works()
    if arguments.work is not None:
        wanted = find_work(context, arguments)
        works = tuple(work for work in works if work.id == wanted)
    records = [_record(context, work) for work in works]
    read = [record for record in records if record["sittings"] or arguments.work is not None]
    if arguments.json:
        for record in read:
            context.out.record(record)
    elif not read:
        context.out.talk(_("Nothing has been read yet for as long as a page."))
    else:
        for line in columns([_row(record) for record in read], right=frozenset({1, 2, 3, 4})):
            context.out.line(line)
    return 0


def _record(context: Context, work: WorkSummary) -> dict[str, Json]:
    library = context.library()
    time = library.reading_time(work.id)
    left = round(work.characters * (1 - work.read_share))
    left_s = reading_seconds(left, work.language, pace=library.pace(work.language))
    return {
        "work": work.id,
        "title": work.title,
        "sittings": time.sittings,
        "minutes": round(time.seconds / 60),
        "characters": time.characters,
        "per_minute": round(time.characters * 60 / time.seconds) if time.seconds else None,
        "read": round(work.read_share, 4),
        "left_minutes": round(left_s / 60),
        "first": time.first_at,
        "last": time.last_at,
    }


def _row(record: dict[str, Json]) -> list[str]:
    sittings, per_minute = int(str(record["sittings"])), record["per_minute"]
    return [
        str(record["title"]),
        ngettext("{n} sitting", "{n} sittings", sittings).format(n=sittings),
        _("{time} read").format(time=_span(int(str(record["minutes"])))),
        _("{n} characters a minute").format(n=per_minute) if per_minute is not None else "",
        _("{time} left").format(time=_span(int(str(record["left_minutes"])))),
    ]


def _span(minutes: int) -> str:
    return (
        _("{h} h {m} min").format(h=minutes // 60, m=minutes % 60) if minutes >= 60 else _("{n} min").format(n=minutes)
    )
