"""Tools that look into the wiki: entries, points, relations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.agent.access import BookAccess, FoundEntry, FoundLine
from engine.agent.toolkit import Tool, ToolResult, ToolRun, integer, number_of, one_of, refused, result, schema, text_of
from engine.domain.chat import Card, CardKind
from engine.domain.knowledge import PointKind
from engine.domain.models import Json
from engine.translate import _, ngettext

_MOST_ENTRIES, _MOST_LINES, _MOST_POINTS = 3, 12, 60


def entry_card(entry: FoundEntry) -> Card:
    """Return the card of an entry."""
    also = f"{entry.kind} · {', '.join(entry.also)}" if entry.also else entry.kind
    return Card(CardKind.ENTRY, entry.name, str(entry.point), ((also,),))


def entry_text(entry: FoundEntry) -> str:
    """Return what an entry says, with its places."""
    also = f" Also: {', '.join(entry.also)}." if entry.also else ""
    head = f"{entry.name} ({entry.kind}; matched: {entry.how}).{also}"
    told = "\n".join([head, *entry.lines])
    # How a passage begins is told of those alone that the lines only point to.
    begins = [
        f"{place.locator} {place.quote}" for place in entry.places if f"{place.locator} {place.quote}" not in told
    ]
    return "\n".join([told, *begins])


def line_text(line: FoundLine) -> str:
    """Return a sentence with the places to cite."""
    about = f"{line.about}: " if line.about else ""
    return f"{about}{line.text} {' '.join(str(place.locator) for place in line.places)}".rstrip()


def _found(run: ToolRun, lines: Sequence[FoundLine], nothing: str, *, is_more_beyond: bool = False) -> ToolResult:
    words = ngettext("{count} sentence", "{count} sentences", len(lines)).format(count=len(lines))
    places = [place for line in lines for place in line.places]
    body = "\n".join(map(line_text, lines)) or nothing
    return result(run, body, words if lines else _("nothing"), places, is_more_beyond=is_more_beyond)


def _search_wiki(run: ToolRun, arguments: Mapping[str, Json]) -> ToolResult:
    query = text_of(arguments, "query")
    if not query:
        return refused("Give a query: names and words.")
    lines = run.book.wiki_lines(query, number_of(arguments, "limit", 6, _MOST_LINES))
    entries = run.book.entries(query, _MOST_ENTRIES)
    named = f"Entries named: {', '.join(entry.name for entry in entries)}." if entries else ""
    found = _found(run, lines, named or "Nothing in the wiki before the boundary.")
    if not entries:
        return found
    words = ", ".join(entry.name for entry in entries)
    text = found.text if not lines else f"{named}\n{found.text}"
    return ToolResult(text, words, found.places, cards=tuple(map(entry_card, entries)))


def _entry(run: ToolRun, arguments: Mapping[str, Json]) -> ToolResult:
    name = text_of(arguments, "name")
    if not name:
        return refused("Give a name, as the book has it.")
    found = run.book.entries(name, _MOST_ENTRIES)
    body = "\n\n".join(map(entry_text, found)) or "No entry under that name before the boundary."
    words = ", ".join(entry.name for entry in found) or _("nothing")
    places = [place for entry in found for place in entry.places]
    return result(run, body, words, places, cards=tuple(map(entry_card, found)))


def _points(run: ToolRun, arguments: Mapping[str, Json]) -> ToolResult:
    found = run.book.points(
        text_of(arguments, "kind"), text_of(arguments, "words"), number_of(arguments, "limit", 30, _MOST_POINTS)
    )
    lines = [
        f"{point.name} ({point.kind}, {point.count} mentions, first in {point.where})"
        + (f", also {', '.join(point.also)}" if point.also else "")
        for point in found
    ]
    words = ngettext("{count} name", "{count} names", len(found)).format(count=len(found)) if found else _("nothing")
    return result(run, "\n".join(lines) or "None known before the boundary.", words)


def _relations(run: ToolRun, arguments: Mapping[str, Json]) -> ToolResult:
    name, other = text_of(arguments, "name"), text_of(arguments, "other")
    if not name:
        return refused("Give a name, as the book has it.")
    return _found(run, run.book.relations(name, other, _MOST_LINES), "Nothing known between them before the boundary.")


def _has_names(book: BookAccess) -> bool:
    return book.has_names


WIKI_TOOLS = (
    Tool(
        "search_wiki",
        "Find sentences of the wiki, and entries by name. Look here first for people, places and things; then find the "
        "passage itself with search_original_text.",
        schema("query", query="names and words", limit=integer("how many sentences, at most 12")),
        _search_wiki,
        _has_names,
    ),
    Tool(
        "get_wiki_entry",
        "Look up who or what a name is, as far as the reader has read: other names, what is known, where it stands.",
        schema("name", name="a name as the book has it"),
        _entry,
        _has_names,
    ),
    Tool(
        "search_knowledge_points",
        "List people, places, organisations, items, events and concepts of the book by kind and part of a name, those "
        "named most first.",
        schema(
            "",
            kind=one_of("of which kind; leave out for all", *PointKind),
            words="part of a name; leave out for all",
            limit=integer("how many, at most 60"),
        ),
        _points,
        _has_names,
    ),
    Tool(
        "get_relations",
        "What is known between somebody and others, or between two: who they are to each other, with the places.",
        schema("name", name="a name as the book has it", other="another name; leave out for all"),
        _relations,
        _has_names,
        is_small=False,
    ),
)
