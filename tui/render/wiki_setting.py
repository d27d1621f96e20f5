"""A page of the wiki while it is set: what rows it has so far, and under which options."""

from __future__ import annotations

from dataclasses import dataclass, field

from tui.render.wiki_bits import BLANK_ROW, Links, WikiRow
from tui.render.wiki_track import TrackSigns, track_signs


@dataclass(frozen=True, slots=True)
class WikiOptions:
    """How a page is set."""

    width: int
    """Cells for text and side together."""
    is_unfolded: bool = False
    """The track shows a line a chapter."""
    filter: str = ""
    """Lists show only what holds this."""
    is_ascii: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a page."""

    title: str
    row: int


@dataclass(slots=True)
class Setting:
    """One column of a page while it is set."""

    width: int
    options: WikiOptions
    links: Links = field(default_factory=lambda: Links([]))
    """Those of the whole page."""
    rows: list[WikiRow] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    name_cells: int = 0
    """Cells of the column of names in lists with notes; 0 where there is no room for columns."""

    @property
    def signs(self) -> TrackSigns:
        """What a track is drawn with."""
        return track_signs(is_ascii=self.options.is_ascii)

    def gap(self) -> None:
        """Leave one blank row, not two, and none at the top."""
        if self.rows and self.rows[-1] is not BLANK_ROW:
            self.rows.append(BLANK_ROW)
