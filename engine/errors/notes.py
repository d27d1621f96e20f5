"""What may go wrong with the reader's notes."""

from __future__ import annotations

from engine.errors import UnderstoryError
from engine.translate import _


class NoteRefusedError(UnderstoryError):
    """A note cannot be kept as it is."""

    exit_code = 2

    def __init__(self, reason: str) -> None:
        super().__init__(title=_("This cannot be kept"), message=_("Nothing was kept: {reason}.").format(reason=reason))

    @classmethod
    def of_no_words(cls) -> NoteRefusedError:
        """Refuse a comment without words."""
        return cls(_("there are no words"))

    @classmethod
    def of_no_passage(cls) -> NoteRefusedError:
        """Refuse a passage without words."""
        return cls(_("there are no words in the passage"))

    @classmethod
    def of_long_passage(cls, most_chars: int) -> NoteRefusedError:
        """Refuse a passage that is too long."""
        return cls(_("a passage has at most {n} characters").format(n=most_chars))

    @classmethod
    def of_long_comment(cls, most_chars: int) -> NoteRefusedError:
        """Refuse a comment that is too long."""
        return cls(_("a comment has at most {n} characters").format(n=most_chars))


class NoteGoneError(UnderstoryError):
    """A note that was to be shown or changed is not there any more."""

    exit_code = 4

    def __init__(self) -> None:
        super().__init__(
            title=_("This note is gone"),
            message=_("This note is not there any more; `understory notes list` shows those that are."),
        )


class NoteUnreadableError(UnderstoryError):
    """Notes or a template that were to be read cannot be."""

    exit_code = 2

    def __init__(self, reason: str) -> None:
        super().__init__(
            title=_("These notes cannot be read"), message=_("Nothing was changed: {reason}.").format(reason=reason)
        )
        self.reason = reason


class QuoteMissingError(UnderstoryError):
    """Words the reader quoted stand nowhere in the work."""

    exit_code = 4

    def __init__(self, words: str) -> None:
        shown = words if len(words) <= 60 else words[:60] + "…"
        super().__init__(
            title=_("These words are not there"),
            message=_("“{words}” stands nowhere in this work. Copy the words as the book has them.").format(
                words=shown
            ),
        )
