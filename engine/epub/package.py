"""The package document: what the book says it is and which documents it has, in which order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.domain.book import ImportWarning, WarningKind
from engine.epub.container import Container, EntryError
from engine.epub.markup import attribute, local_name, parse_xml
from engine.epub.names import is_foreign, resolve
from engine.epub.words import raw_text
from engine.epub.wordset import word_set
from engine.errors import VolumeUnreadableError
from engine.text.sanitize import sanitize_line
from engine.translate import _

if TYPE_CHECKING:
    from lxml.etree import _Element

_NAMESPACE = "{http://www.idpf.org/2007/opf"
_CONTAINER = "META-INF/container.xml"
_PACKAGE_TYPE = "application/oebps-package+xml"
_MAX_PACKAGE_BYTES = 32 << 20
_TEXT_TYPES = word_set("application/xhtml+xml text/html application/html text/x-oeb1-document application/x-dtbook+xml")
_TEXT_ENDINGS = (".xhtml", ".html", ".htm", ".xml")
_SHOWN_TYPES = _TEXT_TYPES | {"image/svg+xml"}


@dataclass(frozen=True, slots=True)
class ManifestItem:
    """One resource the package lists."""

    id: str
    href: str
    """As written."""
    media_type: str
    properties: frozenset[str]
    fallback: str
    name: str
    """Entry in the container; "" when it is missing or remote."""

    @property
    def is_text(self) -> bool:
        """Say whether it is a content document."""
        if self.media_type in _TEXT_TYPES:
            return True
        return self.media_type in ("", "text/plain", "application/xml", "text/xml") and self.name.lower().endswith(
            _TEXT_ENDINGS
        )

    @property
    def is_picture(self) -> bool:
        """Say whether it is an image."""
        return self.media_type.startswith("image/")


@dataclass(frozen=True, slots=True)
class SpineItem:
    """One document of the reading order."""

    index: int
    href: str
    """Its entry in the container."""
    is_linear: bool
    media_type: str = "application/xhtml+xml"


@dataclass(frozen=True, slots=True)
class MetaEntry:
    """One element of the package's metadata, in order."""

    name: str
    """Local name in lower case: "title", "creator", "meta" ..."""
    text: str
    attributes: dict[str, str]
    """Local name to value."""

    def get(self, name: str) -> str:
        """Return an attribute, "" when it is not there."""
        return self.attributes.get(name, "")


@dataclass(slots=True)
class Package:
    """A package document, read."""

    name: str
    """Its entry in the container."""
    metadata: list[MetaEntry] = field(default_factory=list)
    unique_identifier: str = ""
    manifest: dict[str, ManifestItem] = field(default_factory=dict)
    namesakes: dict[str, list[ManifestItem]] = field(default_factory=dict)
    """Further items under an id that is taken, in order."""
    spine: tuple[SpineItem, ...] = ()
    stand_ins: dict[str, str] = field(default_factory=dict)
    """Entry that cannot be shown to the entry that stands in for it."""
    ncx_id: str = ""
    is_right_to_left: bool = False
    guide: list[tuple[str, str]] = field(default_factory=list)
    """(type, href as written) of EPUB 2 guide references."""
    warnings: list[ImportWarning] = field(default_factory=list)

    def warn(self, kind: WarningKind, message: str) -> None:
        """Keep a warning."""
        self.warnings.append(ImportWarning(kind, message))


def read_package(container: Container) -> Package:
    """Find and read the package document.

    Raises:
        VolumeUnreadableError: there is none, or it lists nothing that can be read.
    """
    name, root, warnings = _find_package(container)
    package = Package(name, warnings=warnings)
    package.unique_identifier = attribute(root, "unique-identifier")
    for element in root.iter():
        tag = local_name(element)
        if tag == "spine":
            package.ncx_id = attribute(element, "toc")
            package.is_right_to_left = attribute(element, "page-progression-direction").lower() == "rtl"
        elif tag == "item":
            _add_item(package, container, element)
        elif tag == "reference" and attribute(element, "href"):
            package.guide.append((attribute(element, "type").lower(), attribute(element, "href")))
        else:
            _add_metadata(package, element, tag)
    package.spine = _read_spine(package, root)
    if not package.spine:
        raise VolumeUnreadableError(container.path, _("there is nothing to read in it"))
    return package


def _find_package(container: Container) -> tuple[str, _Element, list[ImportWarning]]:
    warnings: list[ImportWarning] = []
    declared = _declared_packages(container)
    others = [name for name in container.names() if name.lower().endswith(".opf")]
    others.sort(key=lambda name: (name.count("/"), len(name), name))
    for name in [*declared, *others]:
        found = container.find(name)
        if found is None:
            continue
        try:
            markup = parse_xml(container.read(found, _MAX_PACKAGE_BYTES))
        except EntryError as error:
            warnings.append(error.warning)
            continue
        root = markup.root
        if root is not None and any(local_name(element) == "manifest" for element in root.iter()):
            messages = {
                _("the package document was found by search: {name}"): name not in declared,
                _("the package document is not well-formed: {name}"): markup.is_mended,
                _("the package document has an odd namespace: {name}"): str(root.tag).partition("}")[0] != _NAMESPACE,
            }
            warnings += [
                ImportWarning(WarningKind.PACKAGE_REPAIRED, message.format(name=sanitize_line(found)))
                for message, is_true in messages.items()
                if is_true
            ]
            return found, root, warnings
    raise VolumeUnreadableError(container.path, _("it has no package document that can be read"))


def _declared_packages(container: Container) -> list[str]:
    name = container.find(_CONTAINER)
    try:
        root = parse_xml(container.read(name, _MAX_PACKAGE_BYTES)).root if name else None
    except EntryError:
        return []
    if root is None:
        return []
    files = [element for element in root.iter() if local_name(element) == "rootfile"]
    files.sort(key=lambda element: attribute(element, "media-type") != _PACKAGE_TYPE)
    paths = [attribute(element, "full-path") for element in files]
    return [resolve("", path)[0] for path in paths if path and not is_foreign(path)]


def _add_item(package: Package, container: Container, element: _Element) -> None:
    item_id, href = attribute(element, "id"), attribute(element, "href")
    if not href:
        return
    name = ""
    if not is_foreign(href):
        path, _fragment, is_outside = resolve(package.name, href)
        name = container.find(path) or ""
        if is_outside and not name:
            package.warn(
                WarningKind.OUTSIDE_REFUSED,
                _("{name} points outside the book and was left out").format(name=sanitize_line(href)),
            )
    item = ManifestItem(
        id=item_id,
        href=href,
        media_type=attribute(element, "media-type").strip().lower(),
        properties=frozenset(attribute(element, "properties").lower().split()),
        fallback=attribute(element, "fallback"),
        name=name,
    )
    if not name:
        _warn_of_missing(package, item)
    if item_id in package.manifest:
        package.warn(
            WarningKind.PACKAGE_REPAIRED, _("two items are called {id}").format(id=sanitize_line(item_id) or '""')
        )
        package.namesakes.setdefault(item_id, []).append(item)
        return
    package.manifest[item_id] = item


def _warn_of_missing(package: Package, item: ManifestItem) -> None:
    href = sanitize_line(item.href)[:200]
    if is_foreign(item.href):
        package.warn(WarningKind.REMOTE_SKIPPED, _("{name} is not in the book; it was not fetched").format(name=href))
    else:
        kind = WarningKind.PICTURE_MISSING if item.is_picture else WarningKind.ENTRY_MISSING
        package.warn(kind, _("{name} is missing").format(name=href))


def _add_metadata(package: Package, element: _Element, tag: str) -> None:
    parent = element.getparent()
    if parent is None or local_name(parent) not in ("metadata", "dc-metadata", "x-metadata"):
        return
    attributes = {str(key).rpartition("}")[2].rpartition(":")[2]: str(value) for key, value in element.items()}
    text = raw_text(element) if tag != "meta" or "property" in attributes else element.text or ""
    package.metadata.append(MetaEntry(tag, text, attributes))


def _read_spine(package: Package, root: _Element) -> tuple[SpineItem, ...]:
    wanted = _wanted_items(package, root)
    if not wanted:
        wanted = [
            (item, True)
            for item in package.manifest.values()
            if item.name and item.is_text and "nav" not in item.properties
        ]
        package.warn(WarningKind.SPINE_REPAIRED, _("the reading order is missing; the list of items serves instead"))
    items: list[SpineItem] = []
    seen: set[str] = set()
    for item, is_linear in wanted:
        if item.name in seen:
            message = _("{name} stands twice in the reading order; the first counts")
            package.warn(WarningKind.SPINE_REPAIRED, message.format(name=sanitize_line(item.name)))
            continue
        seen.add(item.name)
        items.append(SpineItem(len(items), item.name, is_linear, item.media_type))
    package.stand_ins = {name: shown for name, shown in package.stand_ins.items() if name not in seen}
    if items and not any(item.is_linear for item in items):
        items = [SpineItem(item.index, item.href, True, item.media_type) for item in items]
    return tuple(items)


def _wanted_items(package: Package, root: _Element) -> list[tuple[ManifestItem, bool]]:
    """Return (item, whether it is linear) for each entry of the spine that can be shown."""
    wanted: list[tuple[ManifestItem, bool]] = []
    taken: set[str] = set()
    missing = 0
    for element in root.iter():
        if local_name(element) != "itemref":
            continue
        item_id = attribute(element, "idref")
        item = _shown_item(package, item_id)
        if item is not None and item.name in taken and package.namesakes.get(item_id):
            item = package.namesakes[item_id].pop(0)
        if item is None or not item.name:
            missing += 1
            continue
        meant = package.manifest[item_id]
        if meant.name and meant.name != item.name and meant.id != item.id:
            package.stand_ins[meant.name] = item.name
            if item.name in taken:
                continue
        taken.add(item.name)
        wanted.append((item, attribute(element, "linear").strip().lower() != "no"))
    if missing:
        package.warn(
            WarningKind.SPINE_REPAIRED, _("{count} items of the reading order are missing").format(count=missing)
        )
    return wanted


def _shown_item(package: Package, item_id: str) -> ManifestItem | None:
    """Return the item a spine entry means, or the first of its fallbacks that is a text or a picture."""
    first = None
    for _step in range(16):
        item = package.manifest.get(item_id)
        if item is None:
            break
        is_known = item.media_type in _SHOWN_TYPES
        if item.name and (is_known or (item.is_text and not item.fallback)):
            return item
        first = first or (item if item.name else None)
        item_id = item.fallback
    return first
