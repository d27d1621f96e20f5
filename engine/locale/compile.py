"""Turn the catalogues that translators write (.po) into those that gettext reads (.mo).

Run as `python -m engine.locale.compile`, and by the build hook, which may import nothing of this
package; so only the standard library serves here. What the files hold, `tests/contracts/test_locale.py` checks.
"""

from __future__ import annotations

import ast
import re
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path

_MAGIC = 0x950412DE
_HEADER_BYTES = 28
_LINE = re.compile(r'(?:(msgid|msgid_plural|msgstr)(?:\[(\d)\])? )?(".*")')


def compile_catalogues(folder: Path) -> list[Path]:
    """Write a .mo beside every .po below a folder, and return those that changed.

    Raises:
        ValueError: a line is none that gettext knows.
    """
    changed = []
    for source in sorted(folder.glob("*/LC_MESSAGES/*.po")):
        compiled = mo_from_po(source.read_text("utf-8"))
        target = source.with_suffix(".mo")
        if not target.exists() or target.read_bytes() != compiled:
            unfinished = target.with_suffix(".part")
            unfinished.write_bytes(compiled)
            unfinished.replace(target)
            changed.append(target)
    return changed


def mo_from_po(text: str) -> bytes:
    """Return a catalogue in gettext's binary form; entries that are fuzzy, obsolete or untranslated are left out.

    Source: the layout is told in the manual of GNU gettext, "The Format of GNU MO Files".

    Raises:
        ValueError: a line is none that gettext knows.
    """
    messages: dict[bytes, bytes] = {}
    for block in text.split("\n\n"):
        lines = block.splitlines()
        if not any(line.startswith("#,") and "fuzzy" in line for line in lines):
            messages.update(_entry([line for line in lines if line and not line.startswith("#")]))
    return _packed(messages)


def _entry(lines: list[str]) -> Iterator[tuple[bytes, bytes]]:
    """Yield the message of a block and its translation, the forms of each joined by a zero byte."""
    parts: dict[str, str] = {}
    name = ""
    for line in lines:
        match = _LINE.fullmatch(line)
        if match is None:
            raise ValueError(line)
        name = f"{match[1]}{match[2] or ''}" if match[1] else name
        parts[name] = parts.get(name, "") + ast.literal_eval(match[3])
    ids = [parts[name] for name in ("msgid", "msgid_plural") if name in parts]
    forms = [parts[name] for name in sorted(parts) if name.startswith("msgstr")]
    if ids and any(forms):
        yield "\0".join(ids).encode(), "\0".join(forms).encode()


def _packed(messages: Mapping[bytes, bytes]) -> bytes:
    pairs = sorted(messages.items())
    texts = [message for message, _form in pairs] + [form for _message, form in pairs]
    tables_end = _HEADER_BYTES + 8 * len(texts)
    places, at = b"", tables_end
    for text in texts:
        places += struct.pack("<II", len(text), at)
        at += len(text) + 1
    header = struct.pack("<7I", _MAGIC, 0, len(pairs), _HEADER_BYTES, _HEADER_BYTES + 8 * len(pairs), 0, tables_end)
    return header + places + b"\0".join([*texts, b""])


if __name__ == "__main__":
    compile_catalogues(Path(__file__).parent)
