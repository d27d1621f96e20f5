"""The Meaning row of the Models page: who makes vectors, what changing it costs, how far they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from textual import on, work
from textual.message import Message

from engine.domain.vectors import LOCAL_EMBEDDER, NO_EMBEDDER, EmbedderChoice, EmbeddingCost, MeaningView
from engine.errors import UnderstoryError
from engine.translate import _
from tui.messages import WorkFailed
from tui.modals.line_prompt import LinePrompt
from tui.modals.pick_one import PickOne
from tui.render.model_rows import cost_words, embedder_words
from tui.screens.model_asking import ask_address
from tui.screens.model_trial import TryingModels

_LOOK_S = 1.0
"""Between two looks at how far vectors are, while any are being made."""


class ChoosingMeaning(TryingModels):
    """The half of the Models page that chooses who finds by meaning."""

    @dataclass
    class EmbeddersRead(Message):
        """Who could find by meaning was read."""

        found: tuple[tuple[str, str], ...]

    @dataclass
    class CostRead(Message):
        """What an embedder would take was read; nothing is changed yet."""

        choice: EmbedderChoice
        cost: EmbeddingCost

    _is_looking = False
    _places: Mapping[str, str] = MappingProxyType({})
    """Where the text goes of the embedding models llm knows, by name."""

    def choose_embedder(self) -> None:
        """Ask who is to find by meaning."""
        self.say(_("Looking for the embedding models llm knows ..."))
        self._read_embedders()

    @work(thread=True, exclusive=True, group="installed", exit_on_error=False)
    def _read_embedders(self) -> None:
        found: tuple[tuple[str, str], ...] = ()
        try:
            found = self._library.installed_embedders()
        except UnderstoryError as error:  # the others can be chosen all the same
            self.post_message(WorkFailed(error))
        self.post_message(self.EmbeddersRead(found))

    @on(EmbeddersRead)
    def _offer_embedders(self, event: EmbeddersRead) -> None:
        self.say("")
        self._places = dict(event.found)
        address, none = _("an address"), _("none")
        choices = [
            (LOCAL_EMBEDDER, _("on this machine, without any network")),
            *event.found,
            (address, _("an OpenAI-compatible /embeddings, such as a server of your own")),
            (none, _("searches go by words")),
        ]

        def take(name: str | None) -> None:
            if name == address:
                self._ask_address()
            elif name is not None:
                self.weigh(EmbedderChoice(NO_EMBEDDER if name == none else name))

        self.app.push_screen(PickOne(_("meaning: "), choices), take)

    def _ask_address(self) -> None:
        example = _("What the model is called there, such as bge-m3")
        ask_address(self, example, lambda url, name, key: self.weigh(EmbedderChoice(f"{url}#{name}", key)))

    def weigh(self, choice: EmbedderChoice) -> None:
        """Say what an embedder would take before anything is changed; for nobody there is nothing to weigh."""
        if choice.is_none:
            self.change(lambda: self._library.use_embedder(choice))
        else:
            self._read_cost(choice)

    @work(thread=True, exclusive=True, group="installed", exit_on_error=False)
    def _read_cost(self, choice: EmbedderChoice) -> None:
        try:
            cost = self._library.meaning_cost(choice)
            self.post_message(self.CostRead(choice, replace(cost, host=self._places.get(choice.name, cost.host))))
        except UnderstoryError as error:
            self.post_message(WorkFailed(error))

    @on(CostRead)
    def _ask_whether(self, event: CostRead) -> None:
        hint = "\n".join(
            (
                f"{embedder_words(event.choice.name)}: {cost_words(event.cost)}",
                _("What finds by meaning now serves until all is there."),
            )
        )

        def take(answer: str | None) -> None:
            if (answer or "").lower() in ("y", "yes", _("y")):
                self.say("")
                self.change(lambda: self._library.use_embedder(event.choice))
            else:
                self.say(_("Nothing was changed."))

        self.app.push_screen(LinePrompt(_("y starts, n does not: "), hint), take)

    def look_again(self, meaning: MeaningView) -> None:
        """Look again in a moment while vectors are being made."""
        if meaning.is_making and not self._is_looking:
            self._is_looking = True
            self.set_timer(_LOOK_S, self._look)

    def _look(self) -> None:
        self._is_looking = False
        self.change(lambda: None)
