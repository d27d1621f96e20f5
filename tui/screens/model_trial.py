"""Trying a model from the Models page: steps, result, consent, giving up."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from textual import on, work
from textual.message import Message

from engine.domain.models import ModelSettings, Trial
from engine.errors import UnderstoryError
from engine.errors.models import ConsentMissingError, ModelCancelledError
from engine.library import Library
from engine.text.sanitize import sanitize_line
from engine.translate import _
from tui.messages import WorkFailed
from tui.render.model_rows import trial_words
from tui.screens.agreeing import ask_to_send
from tui.screens.noticing import Noticing


class TryingModels(Noticing[None]):
    """The half of the Models page that talks to models."""

    @dataclass
    class TrialStep(Message):
        """A trial goes on to its next step."""

        model: str
        step: str

    @dataclass
    class Tried(Message):
        """A trial has ended."""

        trial: Trial

    @dataclass
    class ConsentWanted(Message):
        """Text would go to another machine."""

        model: str
        host: str
        is_trial: bool
        """Whether the model is to be tried once the reader agrees."""

    def __init__(self, library: Library) -> None:
        super().__init__()
        self._library = library
        self._settings = ModelSettings()
        self._trial_stops: threading.Event | None = None
        """Set to give the trial under way up; None while there is none."""

    def change(self, change: Callable[[], object]) -> None:
        """Make a change in the background, then read what is set again."""
        raise NotImplementedError

    def try_model(self, name: str) -> None:
        """Try a model in the background."""
        self._trial_stops = threading.Event()
        self.say(_("Testing {name} ...").format(name=sanitize_line(name)))
        self._try(name, self._trial_stops)

    @work(thread=True, group="trial", exit_on_error=False)
    def _try(self, name: str, stops: threading.Event) -> None:
        def tell(step: str) -> None:
            self.post_message(self.TrialStep(name, step))

        try:
            self.post_message(self.Tried(self._library.try_model(name, tell, stops)))
        except ConsentMissingError as error:
            self.post_message(self.ConsentWanted(name, error.host, is_trial=True))
        except ModelCancelledError:
            pass
        except UnderstoryError as error:
            self.post_message(WorkFailed(error))
        finally:
            self._trial_stops = None

    @on(TrialStep)
    def _tell_step(self, event: TrialStep) -> None:
        name = sanitize_line(event.model)
        self.say(_("Testing {name}: {step} ... Esc gives it up").format(name=name, step=event.step))

    @on(Tried)
    def _tell_trial(self, event: Tried) -> None:
        self.say("")
        self.change(lambda: None)
        self.show_card(trial_words(event.trial))

    @on(ConsentWanted)
    def _ask_consent(self, event: ConsentWanted) -> None:
        said = _("text of your books goes to {host} when you use this model").format(host=sanitize_line(event.host))
        ask_to_send(self, event.host, said, lambda: self._agree(event))

    def _agree(self, event: ConsentWanted) -> None:
        def agree() -> None:
            self._library.allow_place(event.host)
            if event.is_trial:
                self.app.call_from_thread(self.try_model, event.model)

        self.change(agree)
