"""The least a full page can cost in Textual: fifty rows, drawn anew at each key, and nothing else.

Beside it the reader's own figures mean the same on a busy machine as on an idle one: what a key
costs doubles when other programs empty the processor's caches between two keys, here as there.
"""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import App, ComposeResult
from textual.strip import Strip
from textual.widget import Widget

_INK = Style.parse("#202020 on #f0f0e0")


class _Rows(Widget, can_focus=True):
    number = 0

    def render_line(self, y: int) -> Strip:
        text = f"row {y} of page {self.number} "
        return Strip([Segment((text * 12)[: self.size.width].ljust(self.size.width), _INK)], self.size.width)

    def on_key(self, _event: events.Key) -> None:
        self.number += 1
        self.refresh()


class _PlainApp(App[None]):
    ENABLE_COMMAND_PALETTE = False
    CSS = "_Rows { width: 100%; height: 100%; }"

    def compose(self) -> ComposeResult:
        yield _Rows()

    def on_mount(self) -> None:
        self.query_one(_Rows).focus()


if __name__ == "__main__":
    _PlainApp().run()
