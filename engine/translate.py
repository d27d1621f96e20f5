"""Carry the words the reader sees into her language: English as written here, Chinese and Japanese from catalogues."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gettext import GNUTranslations

SOURCE = "en"
"""What the messages in the code are written in."""
CATALOGUES = ("zh_CN", "ja")
"""What they are translated into; one folder of `engine/locale` each."""
_SPOKEN = {name[:2]: name for name in (SOURCE, *CATALOGUES)}
"""By the first letters of a locale. Whoever reads traditional characters reads simplified ones sooner than English."""
_LOCALE_DIR = Path(__file__).parent / "locale"
_wanted = ""


def use_language(code: str) -> None:
    """Speak `code` ("en", "zh_CN", "ja") from now on; the empty string follows the locale.

    Called once at start, before the first string is shown.
    """
    global _wanted  # noqa: PLW0603  (one language a process; the interface is built from it once)
    _wanted = code
    _catalogue.cache_clear()


def language_of(environ: Mapping[str, str], wanted: str = "") -> str:
    """Return `SOURCE` or which of `CATALOGUES` a reader is served best with.

    The locale is the first of LC_ALL, LC_MESSAGES and LANG that is set; it need not be installed.
    In any but C, LANGUAGE may list others that she would rather have, the best first.

    Args:
        environ: The environment.
        wanted: A locale's name that goes before all this; empty for none.
    """
    if wanted:
        return _spoken(wanted) or SOURCE
    set_ones = (environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    locale = next(filter(None, set_ones), "")
    if locale in ("C", "POSIX"):
        return SOURCE
    named = [*environ.get("LANGUAGE", "").split(":"), locale]
    return next(filter(None, map(_spoken, named)), SOURCE)


def _spoken(locale: str) -> str:
    """Return the language we have for "zh_TW.UTF-8", "ja", "en-GB"; the empty string for none."""
    name = locale.replace("-", "_").partition(".")[0].partition("@")[0]
    return _SPOKEN.get(name.partition("_")[0].lower(), "")


@lru_cache(maxsize=1)
def _catalogue() -> GNUTranslations | None:
    """Return the messages of the language in use; None in English, and where nothing was built."""
    language = language_of(os.environ, _wanted)
    if language == SOURCE:
        return None
    from gettext import GNUTranslations  # whoever reads English does without

    try:
        with (_LOCALE_DIR / language / "LC_MESSAGES" / "understory.mo").open("rb") as file:
            return GNUTranslations(file)
    except OSError:
        return None


def _(message: str) -> str:
    """Return `message` in the reader's language, or as it is."""
    catalogue = _catalogue()
    return catalogue.gettext(message) if catalogue is not None and message else message


def ngettext(singular: str, plural: str, n: int) -> str:
    """Return the form of the message that fits the number `n`."""
    catalogue = _catalogue()
    if catalogue is not None:
        return catalogue.ngettext(singular, plural, n)
    return singular if n == 1 else plural


def N_(message: str) -> str:  # noqa: N802  (gettext's customary name; extraction looks for it)
    """Mark `message` for translation now and translate it later, with `_`.

    For strings made at import, such as the descriptions of key bindings.
    """
    return message


def grouped(number: int, *, gap: str = "\u202f") -> str:
    """Return a whole number with its thousands set apart as the language has it: 412 000, or 412,000.

    Args:
        number: The number.
        gap: What stands between in English, by default a narrow space at which no line breaks.
    """
    digits = f"{number:,}"
    return digits if _catalogue() is not None else digits.replace(",", gap)
