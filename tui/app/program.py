"""The program as Textual runs it: themes, the terminal, which screen shows, and what keys do."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import Reactive
from textual.screen import Screen

from engine.config import PanelMemory, Settings
from engine.domain.book import WorkId
from engine.errors import UnderstoryError
from engine.library import Library
from engine.translate import _
from tui.app.on_orders import OrdersApp
from tui.commands import run_action, run_command
from tui.keys import READING_ACTIONS, KeyMachine
from tui.messages import AnalysisWanted, ModelsWanted
from tui.render.page_style import page_style
from tui.render.prose import PageStyle
from tui.screens.reading import ReadingScreen
from tui.session import ReadingSession
from tui.terminal.ability import Colours, TerminalKind
from tui.themes import PageTheme, load_themes, textual_theme, without_colours

if TYPE_CHECKING:
    from tui.modals.palette import PaletteChoice

_PANELS_KEY = "panels"
_FALLBACK_THEME = "paper"
_FEW_COLOURS_THEME = "ansi"


class UnderstoryApp(OrdersApp):
    """Shows one work at a time, in the colours and by the keys of the reader."""

    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False  # Textual's own; ours is a stretch of the text
    TITLE = "UnderStory"
    CSS_PATH = "../screens/reading.tcss"  # read with the rest, not when the screen comes: one parse less at start
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+z", "suspend_process", id="suspend", show=False, priority=True)
    ]

    @dataclass
    class ThemesRead(Message):
        """A file of a theme has changed."""

        found: Mapping[str, PageTheme]
        complaint: str

    theme: Reactive[str] = Reactive("textual-dark", init=False)  # init would read all styles once more at start

    def __init__(
        self,
        library: Library,
        settings: Settings,
        themes: Mapping[str, PageTheme],
        keymap: Mapping[tuple[str, ...], str],
        *,
        session: ReadingSession | None,
        jobs: tuple[int, ...] = (),
        notices: tuple[str, ...] = (),
        terminal: TerminalKind | None = None,
    ) -> None:
        terminal = terminal or TerminalKind()
        self._has_no_colours = terminal.colours is Colours.NONE
        self._has_line_colours = terminal.has_line_colours
        self._themes = self._shown_in(themes)  # asked for by App.__init__
        super().__init__(library, settings, session=session, jobs=jobs, terminal=terminal)
        self._sequences = dict(keymap)
        self._notices = notices
        is_kept = settings.panels is PanelMemory.REMEMBERED
        self._panels = (library.remembered(_PANELS_KEY) or "") if is_kept else ""
        self._take_theme(self.settings.theme)

    def _take_theme(self, wanted: str) -> None:
        """Set the first theme before any style is read."""
        for theme in self._themes.values():
            self.register_theme(textual_theme(theme))
        self.set_reactive(UnderstoryApp.theme, self._usable(wanted))
        self._refresh_truecolor_filter(self.ansi_theme)
        self.stylesheet.set_variables(self.get_css_variables())

    def get_default_screen(self) -> Screen[None]:
        """Return the page itself when there is something to read: a screen pushed over another costs two."""
        if self.session is None:
            return Screen()
        return self.make_page(self.session)

    def make_page(self, session: ReadingSession) -> ReadingScreen:
        """Return a reading screen for a session."""
        keys, style = KeyMachine(self._sequences), self.page_style()
        page = ReadingScreen(
            session,
            self.settings,
            keys,
            page_style=style,
            act=self._act,
            panels=self._panels,
            can_draw=not self.has_few_colours,
        )
        page.library = self.library
        return page

    async def on_mount(self) -> None:
        """Open the shelf when there is nothing to read; follow the imports."""
        self.begin_drawing()
        self.theme_changed_signal.subscribe(self, lambda _theme: self._restyle())
        self.watch_files()
        if self.session is None:
            self.show_shelf()
        if self._notices:
            self.call_after_refresh(self.tell, "  ".join(self._notices))
        self.follow_imports()

    # look

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Return our colours by name, for styles read before the first theme is set."""
        return textual_theme(next(iter(self._themes.values()))).variables

    def page_style(self) -> PageStyle:
        """Return the page's styles under the theme in use."""
        return page_style(self._themes[self.theme], has_line_colours=self._has_line_colours)

    def cycle_theme(self) -> None:
        """Take the next theme the terminal can show."""
        names = self._usable_themes()
        self.theme = names[(names.index(self.theme) + 1) % len(names)]

    def use_theme(self, name: str) -> None:
        """Draw in the colours of a theme."""
        self.theme = self._usable(name)

    def theme_names(self) -> list[str]:
        """Return the themes this terminal can show."""
        return self._usable_themes()

    def reload(self, names: frozenset[str]) -> None:
        """Read files of the reader anew. Runs in the thread that saw a change."""
        super().reload(names)
        if not names - {"config.toml"}:
            return
        found, complaints = load_themes(self.library.paths.themes_dir)
        self.post_message(self.ThemesRead(found, "".join(each.message for each in complaints[:1])))

    @on(ThemesRead)
    def _use_themes(self, event: ThemesRead) -> None:
        shown = self._shown_in(event.found)
        if shown == self._themes and not event.complaint:
            return
        self._themes = shown
        for theme in self._themes.values():
            self.register_theme(textual_theme(theme))
        usable = self._usable(self.theme)
        if usable == self.theme:
            self.stylesheet.set_variables(self.get_css_variables())
            self.refresh_css(animate=False)
            self._restyle()
        else:
            self.theme = usable
        if event.complaint:
            self.say(event.complaint)

    def _usable(self, wanted: str) -> str:
        """Return the theme wanted, or the one to fall back to where it is not there or cannot be shown."""
        fallback = _FEW_COLOURS_THEME if self.has_few_colours else _FALLBACK_THEME
        return wanted if wanted in self._usable_themes() else fallback

    def _shown_in(self, themes: Mapping[str, PageTheme]) -> dict[str, PageTheme]:
        """Return the themes as this terminal shows them."""
        if not self._has_no_colours:
            return dict(themes)
        # Textual's own filter leaves blank rows as they are.
        return {name: without_colours(theme) for name, theme in themes.items() if theme.is_ansi}

    def _usable_themes(self) -> list[str]:
        return [name for name, theme in self._themes.items() if theme.is_ansi or not self.has_few_colours]

    def _restyle(self) -> None:
        for screen in self.screen_stack:
            if isinstance(screen, ReadingScreen):
                screen.use_page_style(self.page_style())

    # keys

    def _act(self, action: str, count: int | None) -> None:
        own: dict[str, Callable[[], object]] = {
            "theme": self.cycle_theme,
            "help": self._show_help,
            "command": self._ask_command,
            "shelf": self.show_shelf,
            "settings": self.show_settings,
            "models": self.show_models,
            "analysis": self._analyse_here,
            "redraw": self.draw_anew,
            "suspend": self.action_suspend_process,
            "quit": self.exit,
        }
        screen = self.screen
        if action in own:
            own[action]()
        elif isinstance(screen, ReadingScreen):
            run_action(screen, action, count)

    @on(ReadingScreen.PanelsChanged)
    def _keep_panels(self, event: ReadingScreen.PanelsChanged) -> None:
        self._panels = event.kept
        self._remember_panels(event.kept)

    @work(thread=True, exclusive=True, group="panels", exit_on_error=False)
    def _remember_panels(self, kept: str) -> None:
        with contextlib.suppress(UnderstoryError):  # where the library cannot be written nothing is remembered
            self.library.remember(_PANELS_KEY, kept)

    def _show_help(self) -> None:
        from tui.modals.help_page import HelpPage  # not before it is asked for

        self.push_screen(HelpPage(READING_ACTIONS, self._sequences))

    def _ask_command(self) -> None:
        from tui.modals.palette import Palette  # Textual's Input takes 40 ms to import

        if isinstance(self.screen, ReadingScreen):
            self.push_screen(Palette(READING_ACTIONS, self._sequences), self._run_chosen)

    def _run_chosen(self, choice: PaletteChoice | None) -> None:
        screen = self.screen
        if choice is None or not isinstance(screen, ReadingScreen):
            return
        if choice.action:
            self._act(choice.action, None)
        elif choice.typed in ("q", "quit"):
            self.exit()
        else:
            run_command(screen, choice.typed)

    def show_shelf(self) -> None:
        """Open the shelf; what stands on it is read behind it."""
        from tui.screens.shelf import ShelfScreen  # not before it is asked for

        self.push_screen(
            ShelfScreen(
                self.library,
                paper="" if self.has_few_colours else self._themes[self.theme].paper,
                has_text=self.session is not None,
            ),
            self.open_chosen,
        )

    @on(ModelsWanted)
    def show_models(self) -> None:
        """Open the Models page."""
        from tui.screens.models import ModelsScreen  # not before it is asked for

        self.push_screen(ModelsScreen(self.library))

    def _analyse_here(self) -> None:
        screen = self.reading_screen()
        work_id, title = screen.here_in_words() if screen is not None else (WorkId(0), "")
        if work_id:
            self.post_message(AnalysisWanted(work_id, title))
        else:
            self.say(_("A model can read it once it is in the library."))

    @on(AnalysisWanted)
    def _show_analysis(self, event: AnalysisWanted) -> None:
        from tui.screens.analysis import AnalysisScreen  # not before it is asked for

        screen = self.reading_screen()
        is_ascii = screen is not None and screen.is_ascii
        self.push_screen(AnalysisScreen(self.library, event.work, event.title, is_ascii=is_ascii))
