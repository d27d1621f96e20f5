"""What is explained or told again, as the library gathers it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files

from engine.agent.access import ChapterSummary, FoundPassage
from engine.agent.citations import Place
from engine.domain.conversations import Facet


@dataclass(frozen=True, slots=True)
class Explained:
    """A selection to be explained."""

    words: str
    place: Place
    around: FoundPassage | None
    """The scene it stands in, up to the boundary."""
    facets: frozenset[Facet]
    angle: str = ""
    """What else she wants to know of it."""
    said: str = ""
    """What was said of it before, for another angle."""
    elsewhere: Sequence[tuple[str, str]] = field(default=())
    """(where, line) of the same words in other books and in her notes."""
    book: str = ""
    """Title and authors, for what stands outside the book."""


@dataclass(frozen=True, slots=True)
class Retold:
    """A stretch to be told again."""

    chapters: tuple[ChapterSummary, ...]
    """What is written of its chapters, in order; empty where the text itself is short enough."""
    passages: tuple[FoundPassage, ...]
    """The text itself."""
    words: str
    """What is asked for."""


def prompt_named(name: str) -> tuple[str, str]:
    """Return (revision, text) of a prompt."""
    text = (files("engine.agent.prompts") / f"{name}.md").read_text(encoding="utf-8")
    head, _break, body = text.partition("\n")
    return head.removeprefix("revision:").strip(), body.strip()
