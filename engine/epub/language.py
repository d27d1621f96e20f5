"""Which language a text is in, by its letters and its small words."""

from __future__ import annotations

import re

from engine.epub.wordset import word_set

_ISO_639_2 = {
    "chi": "zh", "zho": "zh", "jpn": "ja", "eng": "en", "fre": "fr", "fra": "fr", "ger": "de", "deu": "de",
    "spa": "es", "ita": "it", "por": "pt", "rus": "ru", "kor": "ko", "ara": "ar", "heb": "he", "dut": "nl",
    "nld": "nl", "swe": "sv", "pol": "pl", "tur": "tr", "vie": "vi", "tha": "th", "lat": "la", "gre": "el", "ell": "el",
}  # fmt: skip
_NAMES = {"english": "en", "chinese": "zh", "japanese": "ja", "中文": "zh", "日本語": "ja", "jp": "ja", "cn": "zh"}
_UNDECIDED = word_set("und mul zxx mis x none unknown un")
_TAG = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*")

_KANA = re.compile("[\u3041-\u30ff\uff66-\uff9f]")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_SCRIPTS = (
    ("ko", re.compile("[\uac00-\ud7a3]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("he", re.compile("[\u05d0-\u05ea]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("el", re.compile("[\u0370-\u03ff]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
    ("hi", re.compile("[\u0900-\u097f]")),
)
_LATIN_WORD = re.compile(r"[a-zà-öø-ÿ]+")
_SMALL_WORDS = {
    "en": word_set("the and of to a in was that he his it with you had for she not at her on"),
    "fr": word_set("le la les de des et un une que qui dans il elle est pas pour ne se au en"),
    "de": word_set("der die das und nicht ein eine er sie ist zu den mit war ich es auf dem sich von"),
    "es": word_set("el la los las de y que en un una no se con su por lo para como más al"),
    "it": word_set("il la lo gli di e che un una non si per con era del della in da come più"),
    "pt": word_set("o a os as de e que um uma não se com por do da em para como mais no"),
    "nl": word_set("de het een en van ik dat niet is hij zij met op te zijn was er voor aan maar"),
}
_ENOUGH = 20


def language_tag(written: str) -> str:
    """Return a language as BCP 47 with a two-letter primary tag where there is one; "" when it says nothing."""
    text = written.strip().replace("_", "-")
    text = _NAMES.get(text.lower(), text)
    if _TAG.fullmatch(text) is None:
        return ""
    primary, dash, rest = text.partition("-")
    primary = _ISO_639_2.get(primary.lower(), primary.lower())
    if primary in _UNDECIDED:
        return ""
    if len(rest) == 2:
        rest = rest.upper()
    return f"{primary}{dash}{rest}"


def detect_language(text: str) -> str:
    """Return the language a sample of text is most likely in; "" when there is too little to tell."""
    letters = sum(char.isalpha() for char in text)
    if letters < _ENOUGH:
        han, kana = len(_HAN.findall(text)), len(_KANA.findall(text))
        return "" if han + kana < 4 else _east_asian(han, kana)
    han, kana = len(_HAN.findall(text)), len(_KANA.findall(text))
    if (han + kana) * 5 > letters:
        return _east_asian(han, kana)
    for language, pattern in _SCRIPTS:
        if len(pattern.findall(text)) * 3 > letters:
            return language
    words = _LATIN_WORD.findall(text.lower())
    counts = {language: sum(word in small for word in words) for language, small in _SMALL_WORDS.items()}
    best = max(counts, key=lambda language: counts[language])
    return best if counts[best] * 12 > len(words) > 0 else ""


def contradicts(language: str, text: str) -> bool:
    """Say whether a text is written in a script its language does not use: Chinese marked as English."""
    primary = language.partition("-")[0]
    if primary not in _SMALL_WORDS:
        return False
    letters = sum(char.isalpha() for char in text)
    return letters >= _ENOUGH and (len(_HAN.findall(text)) + len(_KANA.findall(text))) * 2 > letters


def _east_asian(han: int, kana: int) -> str:
    return "ja" if kana * 10 > han + kana else "zh"
