"""Write a conversation into a file of its own."""

from __future__ import annotations

from pathlib import Path

from engine.domain.chat import TurnId
from engine.domain.conversations import ConversationId
from engine.errors import FileMissingError
from engine.library import Library
from engine.text.sanitize import sanitize_line

_MOST_NAME_CHARS = 60
_NOT_IN_NAMES = frozenset('/\\:*?"<>|.')


def write_conversation(library: Library, conversation: ConversationId, leaf: TurnId | None, folder: Path) -> Path:
    """Write a conversation as Markdown beside what is there, never over it; return the file.

    Raises:
        ConversationGoneError: it was deleted.
        FileMissingError: it cannot be written.
    """
    title = library.conversation(conversation).title
    text = library.export_conversation(conversation, leaf)
    name = "".join(" " if char in _NOT_IN_NAMES else char for char in sanitize_line(title))
    name = " ".join(name.split())[:_MOST_NAME_CHARS] or "conversation"
    for number in range(1, 1000):
        file = folder / (f"{name}.md" if number == 1 else f"{name} {number}.md")
        try:
            with file.open("x", encoding="utf-8") as out:
                out.write(text)
        except FileExistsError:
            continue
        except OSError as error:
            raise FileMissingError(file, error.strerror or str(error)) from error
        return file
    raise FileMissingError(folder / f"{name}.md", "")
