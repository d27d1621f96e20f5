"""Draw every screen of the program, in each size, theme and language, as pictures to look at.

Usage: python tests/gallery.py FOLDER [NAME ...]   (NAME: only these screens)

The real program runs on a pty with the sample series of the interface's language imported. One sheet
is written for each screen and language: sizes from left to right, light above dark.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from engine.library import Library
from engine.paths import paths_under
from tests.picture import draw
from tests.reader import finish_work, import_book, open_reader

SIZES = ((80, 24), (120, 36), (200, 50))
THEMES = ("paper", "ink")
LANGUAGES = {"en": ("ashfall", "C.UTF-8"), "zh_CN": ("tingmolu", "zh_CN.UTF-8"), "ja": ("azukariame", "ja_JP.UTF-8")}
NAMES = {"en": "Ilse", "zh_CN": "顾迟", "ja": "祖母"}
"""What is asked about."""
_SETTLE_S = 0.9


@dataclass(frozen=True, slots=True)
class Scene:
    """A screen and the way to it from the page of the work."""

    name: str
    keys: tuple[str, ...]
    """Pressed one after the other."""
    config: str = ""
    """Further lines of the settings."""


_MODEL = """
[models]
reader = "deepseek-chat"
[models.address.deepseek-chat]
url = "https://api.example/v1"
[models.price.deepseek-chat]
sent = 0.28
received = 0.42
"""


SCENES = (
    Scene("page", (" ",)),
    Scene("contents", ("t",)),
    Scene("glance", ("2]", "y", "gs")),
    Scene("wiki-panel", ("60%", "y", "w")),
    Scene("wiki", ("60%", "y", "W")),
    Scene("entry", ("60%", "y", "W", "f1", "\r")),
    Scene("inspector", ("60%", "y", "W", "f1", "\r", "i")),
    Scene("correct", ("60%", "y", "w", "1", "e")),
    Scene("look-up", ("60%", "y", "K")),
    Scene("selection", ("60%", "y", "v", "}", "o")),
    Scene("search", ("60%", "y", "g/", "{name}", "\r")),
    Scene("search-full", ("60%", "y", "gf", "{name}", "\r", "j")),
    Scene("find", ("/", "e", "\r")),
    Scene("marks", ("ma", " ", "M", "g'",)),
    Scene("far-jump", ("80%",)),
    Scene("zen", ("z",)),
    Scene("shelf", ("L",)),
    Scene("import", ("L", "i")),
    Scene("help", ("?",)),
    Scene("palette", (":",)),
    Scene("settings", ("S",)),
    Scene("notes", ("gN",)),
    Scene("chat", ("60%", "y", "v", "a")),
    Scene("chat-answer", ("60%", "y", "a", "{name}", "\r", "1")),
    Scene("chat-whole", ("60%", "y", "a", "{name}", "\r", "A")),
    Scene("conversations", ("60%", "y", "a", "{name}", "\r", "C")),
    Scene("explain", ("60%", "y", "K", "\x1b", "e")),
    Scene("explain-angle", ("60%", "y", "v", "}", "e", "e", "?")),
    Scene("recap", ("60%", "y", "gR")),
    Scene("models", ("gm",)),
    Scene("analysis", ("ga",), _MODEL),
    Scene("analysis-without-model", ("ga",)),
)  # fmt: skip


def photograph(home: Path, scene: Scene, language: str, theme: str, size: tuple[int, int], path: Path) -> None:
    """Start the program, go to a screen and draw it."""
    config = home / "config" / "config.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(f'theme = "{theme}"\nlanguage = "{language}"\n{scene.config}', encoding="utf-8")
    with open_reader(home, "1", columns=size[0], rows=size[1], env={"LANG": LANGUAGES[language][1]}) as terminal:
        terminal.wait_ready()
        terminal.press("gg", _SETTLE_S)
        for key in scene.keys:
            terminal.press(key.format(name=NAMES[language]), _SETTLE_S)
        terminal.settle(_SETTLE_S)
        draw(terminal.cells(), path)


def sheet(pictures: Sequence[Sequence[Path]], path: Path) -> None:
    """Put rows of pictures on one sheet."""
    rows = [[Image.open(picture) for picture in row] for row in pictures]
    gap = 12
    width = max(sum(image.width + gap for image in row) for row in rows)
    height = sum(max(image.height for image in row) + gap for row in rows)
    whole = Image.new("RGB", (width, height), "#777777")
    y = 0
    for row in rows:
        x = 0
        for image in row:
            whole.paste(image, (x, y))
            x += image.width + gap
        y += max(image.height for image in row) + gap
    whole.save(path)


def main() -> int:
    """Draw all, or what is named."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    wanted = set(sys.argv[2:])
    scenes = [scene for scene in SCENES if not wanted or scene.name in wanted]
    for language, (series, _locale) in LANGUAGES.items():
        with tempfile.TemporaryDirectory() as made:
            home = Path(made)
            library = Library(paths_under(home))
            samples = library.samples(series)
            library.close()
            for book in samples:
                import_book(home, book)
            finish_work(home)
            for scene in scenes:
                pictures = []
                for theme in THEMES:
                    pictures.append([folder / f"{scene.name}-{language}-{theme}-{size[0]}.png" for size in SIZES])
                    for size, path in zip(SIZES, pictures[-1], strict=True):
                        photograph(home, scene, language, theme, size, path)
                sheet(pictures, folder / f"sheet-{scene.name}-{language}.png")
                print(scene.name, language, flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
