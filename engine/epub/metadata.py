"""What a book says of itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from engine.domain.book import BookMetadata, ImportWarning, WarningKind
from engine.epub.language import contradicts, detect_language, language_tag
from engine.epub.opinion import Opinion
from engine.epub.package import MetaEntry, Package
from engine.epub.series import guess_series
from engine.epub.wordset import word_set
from engine.text.normalize import nfc
from engine.text.sanitize import sanitize_line
from engine.translate import _

_MAX_TITLE = 1_000
_MAX_NAME = 300
_MAX_AUTHORS = 20
_NOT_AUTHORS = word_set("trl ill edt nrt bkp pbl cov art dsr prc ctb aui win")


def metadata_of(
    package: Package, path: Path, sample: str, opinion: Callable[[], Opinion], first_picture: str
) -> tuple[BookMetadata, list[ImportWarning]]:
    """Read a package's metadata and fill what it lacks from EbookLib's reading, the file name and the text.

    Args:
        package: The package document.
        path: The file, whose name serves when there is no title.
        sample: Some of the text, to tell its language by.
        opinion: EbookLib's reading of the package; asked only when title, author or identifier is missing.
        first_picture: What the first document shows, the cover when none is named.
    """
    warnings: list[ImportWarning] = []
    title = title_of(package) or _line(opinion().title, _MAX_TITLE)
    if not title:
        title = _line(path.stem.replace("_", " "), _MAX_TITLE) or _("Untitled")
        warnings.append(
            ImportWarning(WarningKind.METADATA_GUESSED, _("the book has no title; its file name serves instead"))
        )
    language, guess = _language_of(package, sample)
    if guess is not None:
        warnings.append(guess)
    series, index = _series_of(package, title)
    return (
        BookMetadata(
            title=title,
            authors=_authors_of(package) or tuple(_line(name, _MAX_NAME) for name in opinion().authors),
            language=language,
            identifier=_identifier_of(package) or _line(opinion().identifier, _MAX_NAME),
            series=series,
            series_index=index,
            publisher=next((text for text in _texts(package, "publisher", _MAX_NAME)), ""),
            is_right_to_left=package.is_right_to_left,
            cover_href=cover_of(package) or first_picture,
        ),
        warnings,
    )


def title_of(package: Package) -> str:
    """Return the main title, "" when there is none."""
    entries = [entry for entry in package.metadata if entry.name == "title" and _line(entry.text, _MAX_TITLE)]
    types = {entry.get("refines").lstrip("#"): entry.text.strip() for entry in _refining(package, "title-type")}
    main = [entry for entry in entries if types.get(entry.get("id")) == "main"]
    return _line((main or entries)[0].text, _MAX_TITLE) if entries else ""


def cover_of(package: Package) -> str:
    """Return the entry of the cover picture, "" when none is named."""
    items = [item for item in package.manifest.values() if item.name and item.is_picture]
    for item in items:
        if "cover-image" in item.properties:
            return item.name
    named = [
        entry.get("content") for entry in package.metadata if entry.name == "meta" and entry.get("name") == "cover"
    ]
    for item in items:
        if item.id in named or item.href in named:
            return item.name
    for item in items:
        if item.id.lower() in ("cover", "cover-image", "coverimage", "cover_image"):
            return item.name
    return ""


def _authors_of(package: Package) -> tuple[str, ...]:
    roles: dict[str, set[str]] = {}
    for entry in _refining(package, "role"):
        roles.setdefault(entry.get("refines").lstrip("#"), set()).add(entry.text.strip().lower())
    authors: list[str] = []
    others: list[str] = []
    for entry in package.metadata:
        name = _line(entry.text, _MAX_NAME) if entry.name == "creator" else ""
        if not name:
            continue
        found = roles.get(entry.get("id"), set()) | {entry.get("role").lower()}
        is_other = "aut" not in found and bool(found & _NOT_AUTHORS)
        chosen = others if is_other else authors
        if name not in chosen:
            chosen.append(name)
    return tuple((authors or others)[:_MAX_AUTHORS])


def _language_of(package: Package, sample: str) -> tuple[str, ImportWarning | None]:
    named = next(filter(None, (language_tag(text) for text in _texts(package, "language", 40))), "")
    if named and not contradicts(named, sample):
        return named, None
    detected = detect_language(sample)
    if not detected:
        return named, None
    message = (
        _("the text is not in the language the book names; it was read as {language}")
        if named
        else _("the book names no language; it was read as {language}")
    )
    return detected, ImportWarning(WarningKind.METADATA_GUESSED, message.format(language=detected))


def _identifier_of(package: Package) -> str:
    entries = [entry for entry in package.metadata if entry.name == "identifier" and entry.text.strip()]
    unique = [entry for entry in entries if entry.get("id") == package.unique_identifier]
    return _line((unique or entries)[0].text, _MAX_NAME) if entries else ""


def _series_of(package: Package, title: str) -> tuple[str, float | None]:
    named = {entry.get("name"): entry.get("content") for entry in package.metadata if entry.name == "meta"}
    series = _line(named.get("calibre:series", ""), _MAX_TITLE)
    if series:
        return series, _number(named.get("calibre:series_index", ""))
    types = {entry.get("refines").lstrip("#"): entry.text.strip() for entry in _refining(package, "collection-type")}
    places = {entry.get("refines").lstrip("#"): entry.text for entry in _refining(package, "group-position")}
    for entry in package.metadata:
        name = entry.get("id")
        if entry.get("property") == "belongs-to-collection" and types.get(name) == "series":
            return _line(entry.text, _MAX_TITLE), _number(places.get(name, ""))
    guess = guess_series(title)
    return (guess.series, guess.index) if guess and guess.is_sure else ("", None)


def _refining(package: Package, name: str) -> Iterable[MetaEntry]:
    return (entry for entry in package.metadata if entry.get("property") == name and entry.get("refines"))


def _texts(package: Package, name: str, limit: int) -> list[str]:
    return [_line(entry.text, limit) for entry in package.metadata if entry.name == name and entry.text.strip()]


def _number(text: str) -> float | None:
    try:
        value = float(text.strip())
    except ValueError:
        return None
    return value if 0 <= value < 100_000 else None


def _line(text: str, limit: int) -> str:
    return nfc(sanitize_line(text))[:limit].strip()
