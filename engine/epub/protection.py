"""Whether a book is locked, and by whom."""

from __future__ import annotations

from engine.epub.container import Container, EntryError
from engine.epub.markup import attribute, local_name, parse_xml
from engine.epub.names import resolve
from engine.translate import _

_ENCRYPTION = "META-INF/encryption.xml"
_MAX_BYTES = 8 << 20
# These only scramble the first bytes of fonts, which a terminal does not use.
_FONT_OBFUSCATION = frozenset(("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"))
_FILES = (
    ("META-INF/license.lcpl", "Readium LCP"),
    ("META-INF/sinf.xml", "Apple FairPlay"),
)
_SIGNS = (
    ("ns.adobe.com/adept", "Adobe ADEPT"),
    ("kobo", "Kobo"),
    ("marlin", "Marlin"),
    ("apple.com", "Apple FairPlay"),
    ("readium.org", "Readium LCP"),
    ("barnesandnoble", "Barnes & Noble"),
)


def locked_documents(container: Container) -> frozenset[str]:
    """Return the names of the entries that are really encrypted."""
    locked: set[str] = set()
    for algorithm, name in _encrypted(container):
        found = container.find(name)
        if algorithm not in _FONT_OBFUSCATION and found is not None:
            locked.add(found)
    return frozenset(locked)


def scheme_of(container: Container) -> str:
    """Return the name of the protection a book carries, as well as it can be told."""
    for name, scheme in _FILES:
        if container.find(name):
            return scheme
    rights = container.find("META-INF/rights.xml")
    text = container.read_start(rights, 65_536).decode("utf-8", "replace") if rights else ""
    text += " ".join(algorithm for algorithm, _name in _encrypted(container))
    for sign, scheme in _SIGNS:
        if sign in text.lower():
            return scheme
    return _("a scheme that is not known")


def _encrypted(container: Container) -> list[tuple[str, str]]:
    """Return (algorithm, entry) of each encrypted item."""
    name = container.find(_ENCRYPTION)
    try:
        root = parse_xml(container.read(name, _MAX_BYTES)).root if name else None
    except EntryError:
        return []
    found: list[tuple[str, str]] = []
    for data in root.iter() if root is not None else ():
        if local_name(data) != "encrypteddata":
            continue
        algorithm = reference = ""
        for element in data.iter():
            tag = local_name(element)
            if tag == "encryptionmethod" and not algorithm:
                algorithm = attribute(element, "Algorithm")
            elif tag == "cipherreference":
                reference = attribute(element, "URI")
        if reference:
            found.append((algorithm, resolve("", reference)[0]))
    return found
