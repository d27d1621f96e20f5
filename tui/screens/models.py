"""The Models page: which model does what, adding one, trying it, prices and limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from textual import on, work
from textual.app import ComposeResult
from textual.message import Message

from engine.domain.models import ModelAddress, ModelRole, ModelSettings, Price, RoleView, UsageRow
from engine.domain.vectors import NO_EMBEDDER, EmbedderChoice, MeaningView
from engine.errors import UnderstoryError
from engine.translate import N_, _
from tui.messages import WorkFailed
from tui.render.model_rows import ModelRow, ModelRowKind, model_rows, usage_words
from tui.screens.model_asking import ask_address, ask_model, ask_number, ask_price
from tui.screens.model_meaning import ChoosingMeaning
from tui.widgets.model_list import ModelList
from tui.widgets.notice_line import NoticeLine

MODEL_KEYS: tuple[tuple[str, str], ...] = (
    ("j k", N_("up and down")),
    ("enter", N_("choose a model for the role, who finds by meaning; change the limit")),
    ("n", N_("a new model, by its address")),
    ("t", N_("test the model: text, tools, schema, streaming")),
    ("p", N_("what the model costs")),
    ("u", N_("what was used, by work, stage and model")),
    ("d", N_("take the model from the role; forget the address")),
    ("escape", N_("give the test up; back to the page")),
)
"""Keys of the page with what they do."""


class ModelsScreen(ChoosingMeaning):
    """The Models page."""

    DEFAULT_CSS = """
    ModelsScreen { background: $background; color: $foreground; layers: base notice; }
    ModelsScreen NoticeLine { margin-bottom: 0; }
    """
    BLANK = True

    @dataclass
    class ModelsRead(Message):
        """The settings and what is known of the models were read."""

        roles: tuple[RoleView, ...]
        settings: ModelSettings
        meaning: MeaningView

    @dataclass
    class InstalledRead(Message):
        """The models `llm` knows were read, for a role."""

        role: ModelRole
        found: tuple[tuple[str, str], ...]

    @dataclass
    class UsageRead(Message):
        """What was used was read."""

        rows: tuple[UsageRow, ...]
        titles: dict[int, str]

    def compose(self) -> ComposeResult:
        """Lay the line for notices over the last row."""
        yield ModelList()
        yield NoticeLine()

    def on_mount(self) -> None:
        """Read what is set."""
        self._list.focus()
        self.change(lambda: None)

    @property
    def _list(self) -> ModelList:
        return self.query_one(ModelList)

    @property
    def settings(self) -> ModelSettings:
        """What was set when the page was read last."""
        return self._settings

    # changing what is set: the file is small, but no file is read where keys are taken

    def change(self, change: Callable[[], object]) -> None:
        """Make a change in the background, then read what is set again."""
        self._change(change)

    @work(thread=True, group="models", exit_on_error=False)
    def _change(self, change: Callable[[], object]) -> None:
        try:
            change()
        except UnderstoryError as error:
            self.post_message(WorkFailed(error))
        try:
            library = self._library
            self.post_message(self.ModelsRead(library.model_roles(), library.model_settings(), library.meaning()))
        except UnderstoryError as error:
            self.post_message(WorkFailed(error))

    @on(ModelsRead)
    def _show(self, event: ModelsRead) -> None:
        self._settings = event.settings
        self._list.show_rows(model_rows(event.roles, event.settings, event.meaning))
        self.look_again(event.meaning)

    # keys

    @on(ModelList.Pressed)
    def _act(self, event: ModelList.Pressed) -> None:
        event.stop()
        row = event.row
        acts: dict[str, Callable[[], object]] = {
            "enter": lambda: self._enter(row),
            "n": self._name_model,
            "t": lambda: self._test(row),
            "p": lambda: self._ask_price(row),
            "d": lambda: self._drop(row),
            "u": self._read_usage,
            "?": self._show_keys,
            "escape": self._leave,
            "q": self._leave,
            "ctrl+q": self.app.exit,
        }
        act = acts.get(event.key)
        if act is not None:
            self.say("")
            act()

    def _enter(self, row: ModelRow | None) -> None:
        if row is None:
            return
        if row.kind is ModelRowKind.ROLE:
            self.say(_("Looking for the models llm knows ..."))
            self._read_installed(ModelRole(row.key))
        elif row.kind is ModelRowKind.NUMBER:
            name = row.key
            ask_number(self, row, lambda value: self.change(lambda: self._library.set_model_number(name, value)))
        elif row.kind is ModelRowKind.MEANING:
            self.choose_embedder()
        else:
            self._test(row)

    @work(thread=True, exclusive=True, group="installed", exit_on_error=False)
    def _read_installed(self, role: ModelRole) -> None:
        found: tuple[tuple[str, str], ...] = ()
        try:
            found = self._library.installed_models()
        except UnderstoryError as error:  # those named by address can be chosen all the same
            self.post_message(WorkFailed(error))
        self.post_message(self.InstalledRead(role, found))

    @on(InstalledRead)
    def _offer(self, event: InstalledRead) -> None:
        self.say("")
        ask_model(self, event.found, lambda name: self._use(event.role, name, dict(event.found)))

    def _use(self, role: ModelRole, name: str, places: Mapping[str, str] | None = None) -> None:
        def use() -> None:
            self._library.use_model(role, name)
            host = self._library.place_to_agree_to(name, places) if name else ""
            if host:
                self.post_message(self.ConsentWanted(name, host, is_trial=False))

        self.change(use)

    def _name_model(self) -> None:
        example = _("What the model is called there, such as qwen3:8b")
        ask_address(self, example, lambda url, name, key: self._add(ModelAddress(name, url, key_name=key)))

    def _add(self, address: ModelAddress) -> None:
        self.change(lambda: self._library.add_model(address))
        self.say(_("{name} is named. t on its row tests it, Enter on a role chooses it.").format(name=address.name))

    def _drop(self, row: ModelRow | None) -> None:
        if row is not None and row.kind is ModelRowKind.ROLE:
            self._use(ModelRole(row.key), "")
        elif row is not None and row.kind is ModelRowKind.ADDRESS:
            self.change(lambda: self._library.drop_model(row.model))
        elif row is not None and row.kind is ModelRowKind.MEANING:
            self.weigh(EmbedderChoice(NO_EMBEDDER))

    def _ask_price(self, row: ModelRow | None) -> None:
        if row is None or not row.model:
            self.say(_("There is no model on this row."))
            return
        name = row.model
        ask_price(self, name, lambda price: self._set_price(name, price))

    def _set_price(self, name: str, price: Price) -> None:
        self.change(lambda: self._library.set_price(name, price))

    def _test(self, row: ModelRow | None) -> None:
        if row is None or not row.model:
            self.say(_("There is no model on this row."))
        elif self._trial_stops is None:
            self.try_model(row.model)

    # what was used

    @work(thread=True, exclusive=True, group="usage", exit_on_error=False)
    def _read_usage(self) -> None:
        try:
            titles = {int(summary.id): summary.title for summary in self._library.works()}
            self.post_message(self.UsageRead(self._library.model_usage(), titles))
        except UnderstoryError as error:
            self.post_message(WorkFailed(error))

    @on(UsageRead)
    def _tell_usage(self, event: UsageRead) -> None:
        self.show_card(usage_words(event.rows, event.titles, self._settings.currency))

    # leaving

    def _leave(self) -> None:
        if self._trial_stops is not None:
            self._trial_stops.set()
            self._trial_stops = None
            self.say(_("The test was given up."))
        else:
            self.dismiss(None)

    def _show_keys(self) -> None:
        self.show_card("\n".join(f"{keys:12}{_(words)}" for keys, words in MODEL_KEYS))
