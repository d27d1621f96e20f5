"""What may go wrong with questions to the companion, before anybody is asked."""

from __future__ import annotations

from engine.errors import UnderstoryError
from engine.translate import _


class QuestionRefusedError(UnderstoryError):
    """What was typed is no question that can be asked."""

    exit_code = 2

    def __init__(self, reason: str) -> None:
        super().__init__(
            title=_("This cannot be asked"), message=_("Nothing was sent: {reason}.").format(reason=reason)
        )

    @classmethod
    def of_no_words(cls) -> QuestionRefusedError:
        """Refuse a question without words."""
        return cls(_("there are no words"))

    @classmethod
    def of_long(cls, most_chars: int) -> QuestionRefusedError:
        """Refuse a question, or a selection, that is too long."""
        return cls(_("{n} characters are the most").format(n=most_chars))


class TurnBusyError(UnderstoryError):
    """Another question of the same conversation is being answered."""

    def __init__(self) -> None:
        super().__init__(
            title=_("One question at a time"),
            message=_("The last question is still being answered. Wait, or stop it first."),
        )


class ConversationGoneError(UnderstoryError):
    """A conversation or a question is not there any more."""

    exit_code = 2

    def __init__(self) -> None:
        super().__init__(
            title=_("This conversation is gone"), message=_("It was deleted meanwhile. Look at the list again.")
        )


class ConversationChangedError(UnderstoryError):
    """Another window has changed what was to be changed."""

    def __init__(self) -> None:
        super().__init__(
            title=_("Changed in another window"),
            message=_("The conversation was changed meanwhile. Look at it and try again."),
        )
