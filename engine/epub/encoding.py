"""Which characters the bytes of a document are."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]+)|charset\s*=\s*["']?\s*([\w.:-]+)""", re.I)
_DECLARED_WITHIN = 1024
# What labels mean in practice: the larger set that contains the one named.
_LARGER = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "x-gbk": "gb18030",
    "cp936": "gb18030",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "x-sjis": "cp932",
    "sjis": "cp932",
    "windows-31j": "cp932",
    "big5": "big5hkscs",
    "big-5": "big5hkscs",
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "latin-1": "cp1252",
    "us-ascii": "cp1252",
    "ascii": "cp1252",
    "utf8": "utf-8",
    "unicode": "utf-16",
}
_EAST_ASIAN = ("gb18030", "cp932", "big5hkscs", "euc_jp", "cp949")
_COMMON = frozenset(
    "的一是了我不人在他有这個个上们們来來到时時大地为為子中你说說生国國年着著就那和要她出也得里裡后後自以会會家可下而过過天去能对對小多"
    "然于於心学學么麼之都好看起发發当當没沒成只如事把还還用第样樣道想作种種开開明面日前所进進动動方声聲头頭知女身回光手长長点點，。「」、？！"
    "“”…：；（）のにをはがとてでたしるれいかなもさこそあらりくよけすまっどだってアイウンスルトリ이다는을의에가하고"
)
_HIGH_RUN = re.compile(rb"[\x80-\xff]+")
_SAMPLE = 20_000


@dataclass(frozen=True, slots=True)
class Decoded:
    """A document's characters and how sure they are."""

    text: str
    encoding: str
    is_guessed: bool
    """The bytes contradict what the document says of itself, or it says nothing."""


def is_utf8(data: bytes) -> bool:
    """Say whether bytes are UTF-8 without a mark at the start and without a contrary UTF-16 pattern."""
    if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) or data[:3] == codecs.BOM_UTF8 or b"\0" in data[:4]:
        return False
    if data.isascii():
        return b"\x1b$" not in data
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def declared_encoding(data: bytes) -> str:
    """Return the encoding a document names in its XML declaration or meta tag, lower case; "" for none."""
    match = _DECLARED.search(data[:_DECLARED_WITHIN])
    return (match[1] or match[2]).decode("ascii", "replace").lower() if match else ""


def decode(data: bytes) -> Decoded:
    """Decode a document: by its byte order mark, as UTF-8, as it declares, then by trial.

    Never fails; bytes that fit no encoding become U+FFFD.
    """
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return Decoded(data[len(bom) :].decode(encoding, "replace"), encoding, is_guessed=False)
    if data[:4].count(0) >= 2 or data[:2].count(0) == 1:
        encoding = "utf-16-be" if data[:1] == b"\0" else "utf-16-le"
        return Decoded(data.decode(encoding, "replace"), encoding, is_guessed=True)
    label = declared_encoding(data)
    named = _LARGER.get(label, label)
    if is_utf8(data):
        return Decoded(data.decode("utf-8"), "utf-8", is_guessed=named not in ("", "utf-8") and not data.isascii())
    if named and named != "utf-8":
        text = _strictly(data, named)
        if text is not None:
            return Decoded(text, named, is_guessed=False)
    return _decode_by_trial(data, named)


def decode_start(data: bytes) -> str:
    """Decode the first bytes of a document, the last of which may be half a character."""
    for cut in range(4):
        if is_utf8(data[: len(data) - cut]):
            return data[: len(data) - cut].decode("utf-8")
    return decode(data).text


def _decode_by_trial(data: bytes, named: str) -> Decoded:
    sample = data[:_SAMPLE]
    runs = [len(run) for run in _HIGH_RUN.findall(sample)]
    as_utf8 = data.decode("utf-8", "replace")
    broken = as_utf8.count("\ufffd")
    if broken * 20 < sum(1 for _ in _HIGH_RUN.finditer(data)):
        return Decoded(as_utf8, "utf-8", is_guessed=True)
    if runs and max(runs) < 4 and sum(runs) < 1.6 * len(runs):
        return Decoded(_leniently(data, "cp1252"), "cp1252", is_guessed=True)
    best, best_score = "", 0.0
    for encoding in (named, *_EAST_ASIAN) if named else _EAST_ASIAN:
        score = _plausibility(data, encoding)
        if score > best_score:
            best, best_score = encoding, score
    best = best or "cp1252"
    return Decoded(_leniently(data, best), best, is_guessed=True)


def _plausibility(data: bytes, encoding: str) -> float:
    """Return how much of a sample would be common characters, less what would be broken."""
    text = _leniently(data[:_SAMPLE], encoding)
    high = [char for char in text if char > "\x7f"]
    if not high:
        return 0.0
    common = sum(char in _COMMON for char in high)
    # Half-width kana and private or rare characters are what wrongly read bytes turn into.
    odd = sum("\uff61" <= char <= "\uff9f" or "\ue000" <= char <= "\uf8ff" or char >= "\U00020000" for char in high)
    return (common + 0.01 * len(high) - odd - 3 * text.count("\ufffd")) / len(high)


def _strictly(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None


def _leniently(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding, "replace")
    except LookupError:
        return data.decode("cp1252", "replace")
