"""Tools that look at the contents: chapters, their titles, what happens in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.agent.access import ChapterLine, ChapterSummary
from engine.agent.toolkit import Tool, ToolResult, ToolRun, integers, refused, result, schema, text_of
from engine.agent.tools_wiki import line_text
from engine.domain.models import Json
from engine.translate import _, ngettext

_MOST_CHAPTERS = 120
_MOST_SUMMARIES = 20


def _list(run: ToolRun, arguments: Mapping[str, Json]) -> ToolResult:
    volume = text_of(arguments, "volume").casefold()
    lines = [line for line in run.book.chapters() if volume in line.volume.casefold()]
    return _chapters(run, lines)


def _search_titles(run: ToolRun, arguments: Mapping[str, Json]) -> ToolResult:
    wanted = text_of(arguments, "words").casefold()
    if not wanted:
        return refused("Give part of a title.")
    return _chapters(run, [line for line in run.book.chapters() if wanted in line.title.casefold()])


def _chapters(run: ToolRun, lines: Sequence[ChapterLine]) -> ToolResult:
    shown = [
        f"{line.number}. {line.volume} · {line.title or '(title veiled)'} · {line.kind} · "
        f"{line.length_chars} characters · {'read' if line.is_read else 'not read'}"
        for line in lines[:_MOST_CHAPTERS]
    ]
    if len(lines) > _MOST_CHAPTERS:
        shown.append(f"... {len(lines) - _MOST_CHAPTERS} more; ask for one volume, or with part of a title.")
    words = ngettext("{count} chapter", "{count} chapters", len(lines)).format(count=len(lines))
    return result(run, "\n".join(shown) or "No such chapter.", words)


def _summaries(run: ToolRun, arguments: Mapping[str, Json]) -> ToolResult:
    given = arguments.get("chapters")
    numbers = [n for n in given if isinstance(n, int)] if isinstance(given, list | tuple) else []
    if not numbers:
        return refused("Give the numbers of chapters.")
    found = run.book.summaries(numbers[:_MOST_SUMMARIES])
    places = [place for each in found for line in each.lines for place in line.places]
    words = ngettext("{count} chapter", "{count} chapters", len(found)).format(count=len(found))
    body = "\n\n".join(map(summary_text, found)) or "None of them was read yet."
    return result(run, body, words if found else _("nothing"), places)


def summary_text(summary: ChapterSummary) -> str:
    """Return what happens in a chapter, with the places to cite."""
    kind = "summary" if summary.is_written else "no summary; how it begins and ends"
    head = f"{summary.number}. {summary.title} ({kind})"
    return "\n".join([head, *map(line_text, summary.lines)])


CONTENTS_TOOLS = (
    Tool(
        "get_content_summaries",
        "What happens in some chapters, by their numbers, up to 20 at once, with the places. Cheaper than reading.",
        schema("chapters", chapters=integers("numbers of chapters", _MOST_SUMMARIES)),
        _summaries,
    ),
    Tool(
        "get_chapter_lists",
        "List the chapters with their number, length, whether they are part of the story and whether they are read.",
        schema("", volume="part of a volume's title; leave out for all"),
        _list,
    ),
    Tool(
        "search_chapter_titles",
        "Find chapters by part of their title.",
        schema("words", words="part of a title"),
        _search_titles,
        is_small=False,
    ),
)
