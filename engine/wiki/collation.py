"""Under which letter of an index a name stands: A-Z, the initial of its pinyin, or its row of kana."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from dataclasses import dataclass

from engine.text.fold import fold_words
from engine.text.hanzi import simplify

OTHER = "#"
HAN = "漢"
"""Names in Han characters of a Japanese work whose reading the book does not give."""

# GB 2312 puts its 3755 common characters in the order of their pinyin: where each letter begins.
_LETTERS = "ABCDEFGHJKLMNOPQRSTWXYZ"
_FIRST_CODES = (
    0xB0A1, 0xB0C5, 0xB2C1, 0xB4EE, 0xB6EA, 0xB7A2, 0xB8C1, 0xB9FE, 0xBBF7, 0xBFA6, 0xC0AC, 0xC2E8,
    0xC4C3, 0xC5B6, 0xC5BE, 0xC6DA, 0xC8BB, 0xC8F6, 0xCBFA, 0xCDDA, 0xCEF4, 0xD1B9, 0xD4D1,
)  # fmt: skip
_COMMON_END = 0xD7F9
# Rarer characters stand by radical; these are common in names.
_RARER = {
    "B": "邴贲邶弼",
    "C": "岑谌琮晁璨昶骢褚",
    "D": "邸妲窦笪",
    "E": "锷萼",
    "F": "郛邡芾芙茯绯霏酆",
    "G": "妫郜珙杲缑",
    "H": "颢皓晗珩闳浣珲扈瀚骅璜昊",
    "J": "嵇郏蹇珏瑾璟琚暨稷婧",
    "K": "夔逵邝恺锴蒯阚馗琨",
    "L": "郦逯闾蔺璐麟骊醴嫘栾",
    "M": "芈邈宓缪旻岷茉闵",
    "N": "佴乜",
    "P": "邳郫濮逄骈璞",
    "Q": "綦亓麴璩谯瞿阙芊琪祺芩裘衢蕲",
    "R": "芮汭荏",
    "S": "莘嵩畲殳晟湜苕佘厍鄯澍驷",
    "T": "邰郯滕仝佟澹钭昙",
    "W": "邬韪玮闱隗",
    "X": "荀郤冼荇歆昕勖煦鑫璇曦隰羲胥奚郗熹",
    "Y": "鄢郢庾鄞郓於颙钰瑜璎羿彧琰晏胤邕滢郾闫嬴弋",
    "Z": "臧仉訾祚笮璋芷竺昝邾颛俎",
}
_AS_SURNAME = {
    "曾": "Z", "单": "S", "解": "X", "查": "Z", "仇": "Q", "朴": "P", "区": "O", "员": "Y", "翟": "Z", "尉": "W",
}  # fmt: skip
"""Characters read otherwise at the head of a name."""
_KANA_ROWS = "あかさたなはまやらわ"
_KANA_STARTS = "ぁかさたなはまゃらゎ"
_VU = 0x3094
_ARTICLES = ("the ", "a ", "an ")


@dataclass(frozen=True, slots=True, order=True)
class IndexKey:
    """Where a name stands in an index."""

    group: int
    letter: str
    order: str


def index_key(name: str, language: str, reading: str = "") -> IndexKey:
    """Return where a name stands: letters first, then kana, then Han characters without a reading, then the rest.

    Args:
        name: As shown.
        language: Of the work, BCP 47; decides how Han characters are read.
        reading: In kana, where the book gives one.
    """
    is_japanese = language.partition("-")[0].casefold() == "ja"
    head = _head(name)
    if is_japanese and reading and _kana_row(_head(reading)):
        return IndexKey(1, _kana_row(_head(reading)), fold_words(reading))
    if row := _kana_row(head):
        return IndexKey(1, row, fold_words(name))
    if letter := _latin(head):
        return IndexKey(0, letter, fold_words(_without_article(name)))
    if is_han(head):
        if is_japanese:
            return IndexKey(2, HAN, name)
        letter = pinyin_initial(head)
        return IndexKey(0 if letter else 3, letter or OTHER, _pinyin_order(name))
    return IndexKey(3, OTHER, fold_words(name))


def _head(name: str) -> str:
    return next((char for char in _without_article(name) if char.isalnum()), "")


def _without_article(name: str) -> str:
    folded = name.casefold()
    return next((name[len(article) :] for article in _ARTICLES if folded.startswith(article)), name)


def _latin(char: str) -> str:
    base = unicodedata.normalize("NFKD", char)[:1].upper()
    return base if base.isascii() and base.isalpha() else ""


def is_han(char: str) -> bool:
    """Say whether a character is a Han character."""
    return bool(char) and ("\u3400" <= char <= "\u9fff" or "\uf900" <= char <= "\ufaff" or char > "\U0001ffff")


def pinyin_initial(char: str) -> str:
    """Return the first letter of a character's pinyin at the head of a name; empty where it is not known."""
    simple = simplify(char)
    if simple in _AS_SURNAME:
        return _AS_SURNAME[simple]
    code = _gb_code(simple)
    if _FIRST_CODES[0] <= code <= _COMMON_END:
        return _LETTERS[bisect_right(_FIRST_CODES, code) - 1]
    return next((letter for letter, chars in _RARER.items() if simple in chars), "")


def _gb_code(char: str) -> int:
    try:
        encoded = char.encode("gb2312")
    except UnicodeEncodeError:
        return 0
    return int.from_bytes(encoded, "big") if len(encoded) == 2 else 0


def _pinyin_order(name: str) -> str:
    """Return a key that sorts common characters by pinyin, the others behind them."""
    return "".join(map(_order_of, simplify(name)))


def _order_of(char: str) -> str:
    code = _gb_code(char)
    return chr(0x20000 + code) if code else chr(0x40000 + ord(char))


def _kana_row(char: str) -> str:
    if not char:
        return ""
    point = ord(unicodedata.normalize("NFKC", char)[0])
    if 0x30A1 <= point <= 0x30F6:
        point -= 0x60
    if not 0x3041 <= point <= 0x3096:
        return ""
    kana = "う" if point == _VU else chr(point)
    return _KANA_ROWS[bisect_right(_KANA_STARTS, kana) - 1]
