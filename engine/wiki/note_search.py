"""The one tool of a writer: find notes about other things, which may then be cited."""

from __future__ import annotations

from engine.analysis.ledger import Ledger, Note
from engine.providers.protocols import ToolCall, ToolSpec
from engine.text.fold import fold_words

_MOST_QUERIES = 6
_MOST_NOTES = 5

SEARCH = ToolSpec(
    "search_wiki",
    "Find notes that hold some words; they may be cited.",
    {
        "type": "object",
        "properties": {"queries": {"type": "array", "items": {"type": "string"}}},
        "required": ["queries"],
    },
)


def search_notes(ledger: Ledger, call: ToolCall, upto_volume: int) -> list[Note]:
    """Return notes of the volumes before one that hold all words of one of the queries. Never raises."""
    given = call.arguments.get("queries")
    queries = [str(each) for each in given][:_MOST_QUERIES] if isinstance(given, list | tuple) else []
    found: dict[int, Note] = {}
    for query in queries if call.name == SEARCH.name and not call.fault else []:
        words = fold_words(query).split()
        fitting = (
            note
            for note in ledger.notes
            if note.volume < upto_volume
            and not note.is_discarded
            and words
            and all(word in fold_words(note.text) for word in words)
        )
        found |= {note.number: note for note, _n in zip(fitting, range(_MOST_NOTES), strict=False)}
    return sorted(found.values(), key=lambda note: note.number)
