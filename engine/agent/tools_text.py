"""Tools that look into the original text."""

from __future__ import annotations

from collections.abc import Mapping

from engine.agent.access import FoundPassage
from engine.agent.toolkit import Tool, ToolResult, ToolRun, integer, number_of, one_of, refused, result, schema, text_of
from engine.domain.models import Json
from engine.translate import _, ngettext

_MOST_PASSAGES = 8
_LOOKED_THROUGH = 6
"""Times as many passages are looked for as are asked for, where the latest of them are."""
_NOTHING_FOUND = (
    "Nothing found before the boundary in these words. Before you say that it is not there, look in other words, in "
    "the contents, and in title pages and notes."
)
_WAYS = ("lexical", "semantic", "hybrid")


def passage_text(passage: FoundPassage) -> str:
    """Return a passage under the place to cite."""
    chapter = f" {passage.chapter}" if passage.chapter and passage.chapter not in passage.place.where else ""
    notes = "".join(f"\n(note to this: {note})" for note in passage.notes)
    return f"{passage.place.locator} ({passage.place.where}{chapter})\n{passage.text}{notes}"


def counted_passages(count: int) -> str:
    """Return in words how many passages there are."""
    return ngettext("{count} passage", "{count} passages", count).format(count=count) if count else _("nothing")


def _search(run: ToolRun, arguments: Mapping[str, Json]) -> ToolResult:
    query = text_of(arguments, "query")
    if not query:
        return refused("Give a query: names and words as the book has them.")
    limit = number_of(arguments, "limit", 5, _MOST_PASSAGES)
    in_library = text_of(arguments, "scope") == "library"
    is_latest = text_of(arguments, "order") == "latest"
    sought = limit * _LOOKED_THROUGH if is_latest else limit
    found = run.book.search(query, sought, way=text_of(arguments, "way"), in_library=in_library)
    passages = found.passages[-limit:] if is_latest else found.passages
    body = "\n\n".join(map(passage_text, passages)) or _NOTHING_FOUND
    places = [passage.place for passage in passages]
    return result(run, body, counted_passages(len(places)), places, is_more_beyond=found.is_more_beyond)


def _chapter(run: ToolRun, arguments: Mapping[str, Json]) -> ToolResult:
    value = arguments.get("chapter")
    number = value if isinstance(value, int) else 0
    value = arguments.get("from_character")
    start = value if isinstance(value, int) else 0
    found = run.book.chapter_text(number, run.result_chars - 1_000, start)
    body = "\n\n".join(map(passage_text, found)) or "There is no such text before the boundary."
    if found:
        next_ = start + found[-1].place.pos_end - found[0].place.pos
        if run.book.chapter_text(number, 1, next_):
            body = f"The chapter goes on: from_character {next_}.\n\n{body}"
    words = _("chapter {number}").format(number=number) if found else _("nothing")
    return result(run, body, words, [passage.place for passage in found])


def _choose_segments(run: ToolRun, arguments: Mapping[str, Json]) -> ToolResult:
    query = text_of(arguments, "query")
    if not query:
        return refused("Say what is looked for.")
    found = run.book.segments(query, run.choose, run.result_chars - 1_000, run.batch_tokens)
    body = "\n\n".join(map(passage_text, found)) or "No segment before the boundary seems to hold it."
    return result(run, body, counted_passages(len(found)), [passage.place for passage in found])


TEXT_TOOLS = (
    Tool(
        "search_original_text",
        "Find passages of the book by words and names. Ask in the book's own terms and language. The passages come "
        "with the places to cite. `beyond: true` means there is more past what the reader has read.",
        schema(
            "query",
            query="names and words as the book has them",
            limit=integer("how many passages, at most 8"),
            way=one_of("by words, by meaning, or both; leave out for the best there is", *_WAYS),
            order=one_of("the best, or of all that fit the latest: what somebody is by now", "best", "latest"),
            scope=one_of("this work, or all books of the reader", "work", "library"),
        ),
        _search,
    ),
    Tool(
        "choose_segments",
        "Have the longer stretches of the book that are likeliest to hold something chosen by their summaries, and get "
        "their text. For what no words find.",
        schema("query", query="what is looked for, in a sentence"),
        _choose_segments,
        lambda book: book.has_segments,
        is_small=False,
    ),
    Tool(
        "get_full_chapter",
        "Read a whole chapter. Costly: only when search cannot answer.",
        schema(
            "chapter", chapter=integer("its number in the list"), from_character=integer("where to go on in a long one")
        ),
        _chapter,
        is_small=False,
    ),
)
