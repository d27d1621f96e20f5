"""Which panels stand around the text."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Tab(StrEnum):
    """What the sidebar can show."""

    GLANCE = "glance"
    WIKI = "wiki"
    CHAT = "chat"
    SEARCH = "search"


LEFT_PANELS = ("contents", "marks")
"""What can stand at the left, by the name of its widget and class."""


class Panels(NamedTuple):
    """Which panels the reader wants to see where there is room."""

    left: str = ""
    """One of `LEFT_PANELS`, or nothing."""
    has_sidebar: bool = False
    tab: Tab = Tab.GLANCE


def text_from_panels(panels: Panels) -> str:
    """Return what `panels_from_text` reads back."""
    return " ".join(part for part in (panels.left, "sidebar" if panels.has_sidebar else "", panels.tab) if part)


def panels_from_text(kept: str) -> Panels:
    """Read what was kept of the panels; what is not understood is left out."""
    words = kept.split()
    left = next((word for word in words if word in LEFT_PANELS), "")
    tab = next((tab for tab in Tab if tab in words), Tab.GLANCE)
    return Panels(left, "sidebar" in words, tab)
