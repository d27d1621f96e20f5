"""Know the names she may know, where they stand on the page: the part that says when to ask."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from textual import on
from textual.timer import Timer

from engine.config import Settings
from tui.screens.page_glance import PageGlance
from tui.session import ReadingSession
from tui.widgets.selectable_text import SelectableText
from tui.widgets.text_view import TextView

if TYPE_CHECKING:
    from tui.screens.name_finding import NameFinding, NamesArrived

_FIRST_CALM_S, _CALM_S = 0.6, 0.3
"""A page stands that long before it is asked who is named on it: whoever turns on sooner does not read it."""
_COMING_S = 2.0
"""While names are being looked for the page asks at this pace whether there are any: half a millisecond a second."""
_EARLY_S = 0.03
"""By so much a timer may be early."""


class PageNames(PageGlance):
    """The part that knows where names stand."""

    def __init__(self, session: ReadingSession, settings: Settings, panels: str = "") -> None:
        super().__init__(session, settings, panels)
        self._made_naming: NameFinding | None = None
        self._names_timer: Timer | None = None
        self._names_due_s = 0.0
        """When to ask, by the monotonic clock; put off as long as the page moves."""

    @property
    def page(self) -> SelectableText:
        """The text, as what can be selected from."""
        return self.query_one("#text", SelectableText)

    @property
    def _naming(self) -> NameFinding:
        if self._made_naming is None:
            from tui.screens.name_finding import NameFinding

            self._made_naming = NameFinding(self)
        return self._made_naming

    @property
    def are_names_ready(self) -> bool:
        """Whether names were known when they were asked for last; else nobody has looked for them yet."""
        return self._naming.is_ready

    def forget_names(self) -> None:
        """Forget the names, as for another work."""
        if self._made_naming is not None:
            self._made_naming.forget()

    def names_changed(self) -> None:
        """Ask for the names anew: the reader has set some of them right."""
        self.forget_names()
        self.look_for_names()

    def with_names(self, then: Callable[[], None]) -> None:
        """Do something as soon as the names on the page are known, now if they are."""
        self._naming.ask_now(then)

    @on(TextView.PageMoved)
    def look_for_names(self) -> None:
        """Ask for the names on the page, once it stands."""
        self._ask_in(_FIRST_CALM_S if self._made_naming is None else _CALM_S)

    def _ask_in(self, calm_s: float) -> None:
        self._names_due_s = time.monotonic() + calm_s
        if self._names_timer is None:  # one timer for any number of pages turned
            self._names_timer = self.set_timer(calm_s, self._ask_when_due)

    def _ask_when_due(self) -> None:
        self._names_timer = None
        rest_s = self._names_due_s - time.monotonic()
        if rest_s > _EARLY_S:
            self._names_timer = self.set_timer(rest_s, self._ask_when_due)
        elif self._naming.is_asking:
            self.look_for_names()
        else:
            self._naming.ask()

    def on_names_arrived(self, event: NamesArrived) -> None:
        """Underline what was found; while names are being looked for, ask again though the page stays."""
        self._naming.take(event)
        if event.is_coming and not self._naming.is_asking:
            self._ask_in(_COMING_S)
