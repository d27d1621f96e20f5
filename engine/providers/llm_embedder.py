"""Any embedding model of `llm` and its plug-ins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.domain.vectors import EmbedderChoice
from engine.errors import UnderstoryError
from engine.errors.models import KeyMissingError, ModelTroubleError
from engine.errors.vectors import EmbedderMissingError
from engine.providers.embedder_names import identity_of
from engine.providers.http_embedder import HttpEmbedder, HttpTarget
from engine.providers.line import host_of, keep_silent
from engine.providers.worded_embedder import WordedEmbedder
from engine.translate import _

_OPENAI = "https://api.openai.com/v1"


def open_llm_embedder(name: str, model: str) -> LlmEmbedder | HttpEmbedder:
    """Open a model by its name in `llm`; its own models of OpenAI go over our line, with our limits.

    Args:
        name: As the settings have it.
        model: Its name in `llm`.

    Raises:
        EmbedderMissingError: `llm` knows no such model, or one that embeds no text.
        KeyMissingError: it needs a key nobody has.
    """
    keep_silent()
    import llm  # half a second, with all its plug-ins
    from llm.default_plugins.openai_models import OpenAIEmbeddingModel

    try:
        # Any: llm's classes have no types.
        found: Any = llm.get_embedding_model(model)  # type: ignore[no-untyped-call]
    except llm.UnknownModelError as error:
        raise EmbedderMissingError(name, _("`llm embed-models` lists those there are")) from error
    if not found.supports_text:
        raise EmbedderMissingError(name, _("it does not embed text"))
    try:
        key = found.get_key()
    except llm.NeedsKeyException as error:
        raise KeyMissingError(model, str(found.needs_key)) from error
    if type(found) is OpenAIEmbeddingModel:
        target = HttpTarget(_OPENAI, found.openai_model_id, key or "", str(found.needs_key), found.dimensions or 0)
        return HttpEmbedder(name, identity_of(EmbedderChoice(name)), target)
    return LlmEmbedder(name, model, found)


def known_embedders() -> list[tuple[str, str]]:
    """Return (name in the settings, host or plug-in it goes to) of the models of `llm` that embed text."""
    keep_silent()
    import llm
    from llm.default_plugins.openai_models import OpenAIEmbeddingModel

    # Any: llm's classes have no types.
    models: list[Any] = llm.get_embedding_models()  # type: ignore[no-untyped-call]
    return [
        (
            f"llm:{each.model_id}",
            host_of(_OPENAI) if type(each) is OpenAIEmbeddingModel else type(each).__module__.partition(".")[0],
        )
        for each in models
        if each.supports_text
    ]


class LlmEmbedder(WordedEmbedder):
    """An `Embedder` by a plug-in of `llm`. How it sends what it is given is the plug-in's affair."""

    def __init__(self, name: str, model: str, found: Any) -> None:  # Any: llm's classes have no types
        """Take a model of `llm`; `name` is what the settings call it."""
        super().__init__(name, identity_of(EmbedderChoice(name)), model)
        self._model = found

    def close(self) -> None:
        """Do nothing: the plug-in owns what it has opened."""

    def _rows_of(self, texts: Sequence[str]) -> list[list[float]]:
        try:
            rows = [[float(value) for value in row] for row in self._model.embed_multi(list(texts))]
        except UnderstoryError:
            raise
        except (
            Exception
        ) as error:  # a plug-in may raise anything; its words may quote the key, so only its kind is told
            raise ModelTroubleError(self.name, type(error).__name__) from None
        if len(rows) != len(texts):
            raise ModelTroubleError(self.name, f"{len(rows)}/{len(texts)}")
        return rows
