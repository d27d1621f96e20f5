"""The program as Textual runs it."""

from tui.app.program import UnderstoryApp as UnderstoryApp
