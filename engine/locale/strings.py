"""Gather the words to translate from the sources (`make strings`). Needs Babel, which only developers have."""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

_ROOT = Path(__file__).parent.parent.parent
_ROOMS = ("engine", "tui")
_FORMS = {"_": 1, "N_": 1, "ngettext": 2, "_refuse": 1}
"""How many of a call's arguments are messages. `_refuse` is what the program's first lines say, before `_` is there."""
# Times and tools would make every run a change.
_PASSING = re.compile(
    r'^"(?:POT-Creation-Date|PO-Revision-Date|Last-Translator|Language-Team|Report-Msgid-Bugs-To|Generated-By):.*\n',
    re.MULTILINE,
)
_HEADER = "# Words of UnderStory, under the same licence as the program."


def template() -> Catalog:
    """Return every marked message of the sources, in their order, with the files it stands in."""
    found = Catalog(project="UnderStory", version="0", header_comment=_HEADER, charset="utf-8", fuzzy=False)
    for room in _ROOMS:
        for path in sorted((_ROOT / room).rglob("*.py")):
            for message in messages_in(path.read_text("utf-8")):
                entry = found.add(message, None, [(str(path.relative_to(_ROOT)), 0)])
                entry.flags.discard("python-format")  # ours are braces; a lone % is a sign of ours
    return found


def messages_in(source: str) -> Iterator[str | tuple[str, str]]:
    """Yield the messages that Python source marks, in their order: one, or singular and plural.

    Read from the syntax tree, for Babel's own reader passes over what stands inside an f-string.
    """
    calls = [each for each in ast.walk(ast.parse(source)) if isinstance(each, ast.Call)]
    for call in sorted(calls, key=lambda each: (each.lineno, each.col_offset)):
        count = _FORMS.get(call.func.id, 0) if isinstance(call.func, ast.Name) else 0
        forms = [each.value for each in call.args[:count] if isinstance(each, ast.Constant)]
        if count and len(forms) == count:
            yield (str(forms[0]), str(forms[1])) if count > 1 else str(forms[0])


def text_of(catalogue: Catalog) -> str:
    """Return a catalogue as a .po file without times in it."""
    written = io.BytesIO()
    write_po(written, catalogue, width=0, ignore_obsolete=True, include_lineno=False)
    return _PASSING.sub("", written.getvalue().decode("utf-8")).rstrip("\n") + "\n"


def main() -> None:
    """Write the template, and bring the catalogues in step with it; what they lack is left empty."""
    folder = Path(__file__).parent
    found = template()
    (folder / "understory.pot").write_text(text_of(found), "utf-8")
    for path in sorted(folder.glob("*/LC_MESSAGES/understory.po")):
        with path.open("rb") as file:
            catalogue = read_po(file, locale=path.parent.parent.name)
        catalogue.update(found, no_fuzzy_matching=True)
        path.write_text(text_of(catalogue), "utf-8")


if __name__ == "__main__":
    main()
