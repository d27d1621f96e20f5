"""What may go wrong with a knowledge pack."""

from __future__ import annotations

from pathlib import Path

from engine.errors import UnderstoryError, shown_path
from engine.translate import _


class PackUnreadableError(UnderstoryError):
    """A file is no knowledge pack, or not one this release takes."""

    exit_code = 2

    def __init__(self, reason: str) -> None:
        super().__init__(
            title=_("This pack cannot be read"), message=_("Nothing was changed: {reason}.").format(reason=reason)
        )
        self.reason = reason


class PackMismatchError(UnderstoryError):
    """The books a pack is about are not here, or not in its order."""

    exit_code = 4

    def __init__(self, titles: str) -> None:
        super().__init__(
            title=_("The books of this pack are not here"),
            message=_("Nothing was changed: the pack is about {titles}. Import exactly these files first.").format(
                titles=titles
            ),
        )


class PackInTheWayError(UnderstoryError):
    """A work has been read already, and nobody has said that a pack is to take the place of that."""

    exit_code = 2

    def __init__(self, title: str) -> None:
        super().__init__(
            title=_("This work has been read already"),
            message=_("{title} has been read already; --replace puts the pack in the place of that.").format(
                title=title
            ),
        )


class PackEmptyError(UnderstoryError):
    """Nothing was learned about a work yet that a pack could hold."""

    exit_code = 4

    def __init__(self, title: str) -> None:
        super().__init__(
            title=_("There is nothing to pack yet"),
            message=_("No model has read {title} yet; `understory analyze` has it read.").format(title=title),
        )


class PackUnwritableError(UnderstoryError):
    """A pack cannot be written where it is to go."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            title=_("The pack cannot be written"),
            message=_("{path}: {reason}.").format(path=shown_path(path), reason=reason),
        )
