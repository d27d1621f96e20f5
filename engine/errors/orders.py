"""Why nothing is written that a reader asks for."""

from __future__ import annotations

from engine.errors import UnderstoryError
from engine.translate import _


class OrderRefusedError(UnderstoryError):
    """Something asked for cannot be written."""

    exit_code = 4

    def __init__(self, reason: str) -> None:
        super().__init__(title=_("This cannot be written"), message=reason)

    @classmethod
    def of_unread(cls) -> OrderRefusedError:
        """Refuse where no model has read the work."""
        return cls(_("No model has read this work yet; what is asked for is written from what it has learned."))

    @classmethod
    def of_unfinished(cls) -> OrderRefusedError:
        """Refuse while a reading is not at its end."""
        return cls(_("The reading of this work is not at its end; let it go on first."))

    @classmethod
    def of_no_entry(cls) -> OrderRefusedError:
        """Refuse to write anew what was never written."""
        return cls(_("No model has written this entry; it can be asked for."))

    @classmethod
    def of_an_entry(cls) -> OrderRefusedError:
        """Refuse to write what is there."""
        return cls(_("This entry is written already; it can be written anew."))

    @classmethod
    def of_no_title(cls) -> OrderRefusedError:
        """Refuse a topic without a title."""
        return cls(_("A topic needs a title."))
