"""How the page is set: by the settings, and for the moment by keys."""

from __future__ import annotations

import os

from engine.config import PictureStyle, RightToLeft, RubyStyle, Settings
from tui.render.bidi import turns_itself
from tui.render.panel_plan import GUTTER_CELLS
from tui.render.prose import PageStyle
from tui.render.rows import TypeOptions
from tui.screens.page_names import PageNames
from tui.session import ReadingSession

_NARROWEST, _WIDEST = 16, 200


class PageLook(PageNames):
    """The part that sets the text."""

    def __init__(self, session: ReadingSession, settings: Settings, panels: str = "") -> None:
        super().__init__(session, settings, panels)
        self._column = settings.column_width
        self._ruby = settings.ruby
        self.paper = "#ffffff"
        """"#rrggbb" of the page."""
        self.can_draw = True
        """The terminal has colours enough for pictures."""

    @property
    def column_cells(self) -> int:
        """Width of the text column."""
        return self._column

    def use_page_style(self, style: PageStyle) -> None:
        """Draw the page in a theme's styles."""
        self.text.use_style(style)
        colour = style.ink.bgcolor
        paper = colour.triplet.hex if colour is not None and colour.triplet is not None else "#ffffff"
        if paper != self.paper:
            self.paper = paper
            self.text.forget_pictures()

    def use_settings(self, settings: Settings) -> None:
        """Show the page by other settings; its first character stays."""
        old, self.settings = self.settings, settings
        if old.column_width != settings.column_width:
            self._column = settings.column_width
        if old.ruby is not settings.ruby:
            self._ruby = settings.ruby
        self.set_column(self._column)
        if old.immersive != settings.immersive:
            self.text.forget_pictures()
        if old.spoilers is not settings.spoilers:
            self._look_anew()
        elif old.names != settings.names:
            self.forget_names()
            self.look_for_names()

    def _look_anew(self) -> None:
        """Forget what was found out under another mode of veiling, and ask again."""
        self.forget_search()
        self.forget_wiki()
        self.forget_names()
        self.show_outline()
        self.show_panels()
        self.look_for_names()

    def change_column(self, cells: int | None) -> None:
        """Make the column wider or narrower by `cells`; None sets it as configured."""
        wanted = self.settings.column_width if cells is None else self._column + cells
        self.set_column(min(_WIDEST, max(_NARROWEST, wanted)))

    def cycle_ruby(self) -> None:
        """Show readings beside, above, or not at all."""
        styles = list(RubyStyle)
        self._ruby = styles[(styles.index(self._ruby) + 1) % len(styles)]
        self.text.use_options(self.type_options())

    def set_column(self, cells: int) -> None:
        """Set the text in a column of that width."""
        self._column = cells
        self.text.styles.width = cells + 2 * GUTTER_CELLS
        self.place_text()
        self.text.use_options(self.type_options())

    def type_options(self) -> TypeOptions:
        """Return how the text is set."""
        chosen = self.settings
        return TypeOptions(
            width_cells=self._column,
            paragraph_gap=chosen.paragraph_gap,
            first_line_indent=chosen.first_line_indent,
            line_spacing=chosen.line_spacing,
            ruby=self._ruby,
            pictures=self._pictures(),
            book_style=chosen.book_style,
            is_justified=chosen.justify,
            hyphens=self.session.index.outline.language if chosen.hyphenate else "",
            turns_text=chosen.right_to_left is RightToLeft.PROGRAM
            or (chosen.right_to_left is RightToLeft.AUTO and not turns_itself(os.environ)),
        )

    def _pictures(self) -> PictureStyle:
        wanted = self.settings.pictures
        return PictureStyle.LINE if wanted is PictureStyle.BLOCKS and not self.can_draw else wanted
