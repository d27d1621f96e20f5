"""Bring the pictures of the page, drawn for its cells by another process."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import partial
from math import sqrt
from typing import TYPE_CHECKING

from textual import on, work
from textual.message import Message

from engine.domain.book import DocumentId
from engine.errors import UnderstoryError
from engine.library import PictureForm, PictureRequest, draw_picture, encode_picture
from engine.translate import _
from tui.render.dress import picture_words
from tui.render.pictures import PictureKey
from tui.screens.page_look import PageLook
from tui.terminal.graphics import GraphicsKind, PixelTerminal
from tui.widgets.text_view import TextView

if TYPE_CHECKING:
    from tui.modals.picture_view import Drawing

_FAR = ("SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY", "MOSH_CONNECTION")
_LIMITS, _FAR_LIMITS = (2_000_000, 4_000_000), (600_000, 400_000)
"""Pixels, and bytes, of a picture over the whole screen; up a slow line it is to come within seconds."""


class PagePictures(PageLook):
    """The part that has pictures drawn."""

    @dataclass
    class PictureDrawn(Message):
        """A picture was drawn, or could not be."""

        key: PictureKey
        rgb: bytes
        paper: str

    @on(TextView.PictureWanted)
    def _ask_for_picture(self, event: TextView.PictureWanted) -> None:
        self._draw(event.key, self.paper, is_multiplied=self.settings.immersive)

    @work(thread=True, group="pictures", exit_on_error=False)
    def _draw(self, key: PictureKey, paper: str, *, is_multiplied: bool) -> None:
        data = self._data(key.document, key.href)
        drawn = draw_picture(data, key.columns, key.rows, paper, is_multiplied=is_multiplied) if data else None
        self.post_message(self.PictureDrawn(key, drawn.data if drawn is not None else b"", paper))

    def open_picture(self) -> None:
        """Show the first picture of the page over the whole screen."""
        found = self.text.first_picture() if self.can_draw else None
        if found is None:
            self.notice(
                _("There is no picture on this page.") if self.can_draw else _("There are too few colours here.")
            )
            return
        from tui.modals.picture_view import PictureView, ShownPicture  # not before it is asked for

        document, picture = found
        shown = ShownPicture(
            picture.width,
            picture.height,
            picture_words(picture),
            partial(self._in_cells, document, picture.href),
            partial(self._in_pixels, document, picture.href),
        )
        self.app.push_screen(PictureView(shown, self.app if isinstance(self.app, PixelTerminal) else None))

    def _data(self, document: DocumentId, href: str) -> bytes:
        try:
            return self.session.source.resource(document, href)
        except UnderstoryError:
            return b""  # told by the import

    def _in_cells(self, document: DocumentId, href: str, columns: int, rows: int) -> bytes:
        data, is_multiplied = self._data(document, href), self.settings.immersive
        drawn = draw_picture(data, columns, rows, self.paper, is_multiplied=is_multiplied) if data else None
        return drawn.data if drawn is not None else b""

    def _in_pixels(
        self, document: DocumentId, href: str, width: int, height: int, kind: GraphicsKind
    ) -> Drawing | None:
        from tui.modals.picture_view import Drawing

        is_far = any(os.environ.get(name) for name in _FAR)
        most_pixels, most_bytes = _FAR_LIMITS if is_far else _LIMITS
        scale = min(1.0, sqrt(most_pixels / max(1, width * height)))
        form = PictureForm.SMALL_PNG if is_far else PictureForm.PNG
        wanted = PictureRequest(
            round(width * scale),
            round(height * scale),
            PictureForm.SIXEL if kind is GraphicsKind.SIXEL else form,
            most_bytes,
            self.paper,
            self.settings.immersive,
        )
        data = self._data(document, href)
        drawn = encode_picture(data, wanted) if data else None
        return Drawing(drawn.width, drawn.height, drawn.data) if drawn is not None else None

    @on(PictureDrawn)
    def _show_picture(self, event: PictureDrawn) -> None:
        if event.paper == self.paper:
            self.text.take_picture(event.key, event.rgb)
