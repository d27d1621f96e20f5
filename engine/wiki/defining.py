"""How well a sentence says who or what somebody is: by the words around the name, never by what it means.

A sentence that gives a name ("a boy called Tom", 名叫), sets something beside it ("Jane, the eldest") or
says what it is ("was a", 乃, である) makes a better first line of an entry than one that only mentions it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_Rules = Sequence[tuple[float, re.Pattern[str]]]

_KIN = (
    r"(?:brother|sister|son|daughter|father|mother|uncle|aunt|cousin|nephew|niece|wife|husband|widow|friend|master"
    r"|mistress|servant|captain|doctor|king|queen|prince|princess|teacher|keeper|owner|chief)"
)
_GROUND = (
    r"(?:town|village|city|country|county|river|hills?|mountains?|island|house|estate|castle|street|inn|station|kingdom"
    r"|port|harbour|parish|forest|valley|road|shop|ship|school|church)"
)
_KIN_OF = r"(?:widow|widower|son|daughter|wife|sister|brother|owner|heir|heiress|rector|master|mistress)"
_ARTICLE = r"(?:an?|the|his|her|their|its|our|my|one of)"
_EN_BESIDE: _Rules = (
    (5, re.compile(r",? who (?:was|is|had been) (?:then |now |always |indeed )?(?:an?|one of) ")),
    (5, re.compile(r", who [^,.;]{5,60}, (?:was|is|had been) an? ")),
    (4, re.compile(rf", {_ARTICLE} (?!dear )(?:(?!and |or |to )[\w’'-]+ ){{0,4}}?(?:{_KIN}|{_GROUND})\b")),
    (4, re.compile(rf", {_KIN_OF} (?:of|to) ")),
    (
        3,
        re.compile(
            r", (?:an?|the) (?:(?!would|could|was|were|had|is|are)[\w’'-]+ ){0,5}?(?:of|who|that|which|from|in) "
        ),
    ),
    (2, re.compile(r", who ")),
)
_EN_PREDICATES: _Rules = (
    (5, re.compile(r",? (?:was|is|had been) (?:then |now |always |indeed )?(?:an?|one of) ")),
    (4, re.compile(r",? (?:was|is) (?:his|her|their|our|my) ")),
    (3, re.compile(r",? (?:was|is) the ")),
    (3, re.compile(r" (?:was|is) to (?:live|marry|keep|become|inherit|be (?:his|her|their|our|my|the|an?)) ")),
    (4, re.compile(r" (?:was|is) (?:so|such|rather|quite|not) (?:\w+ )?an? (?!bit|match|little)\w+")),
    (2, re.compile(r",? (?:was|is) (?!(?:not|as|so|too|in|at|on|to) |[\w-]+(?:ing|ed)\b)[\w’'-]+")),
    (1, re.compile(r" (?:had|possessed|lived|kept|served|belonged|stood|lay) ")),
)
_EN_AFTER = (*_EN_BESIDE, *_EN_PREDICATES)
_GOVERNED = re.compile(
    r"\b(?:in|at|to|from|of|with|for|by|on|near|into|upon|against|between|about|after|before|towards?|behind|beside"
    r"|see|saw) "
    r"(?:(?:his|her|their|my|our|the|dear|old|poor|young|little) )*$",
    re.I,
)
"""Before a name that no predicate behind it speaks of: "residing in Hertfordshire, was a disappointment"."""
_EN_BEFORE: _Rules = (
    (5, re.compile(r"\b(?:I am|I[’']m|[Tt]his is|[Tt]hat is|[Tt]hat[’']s|[Tt]hat will be) (?:the )?$")),
    (5, re.compile(r"\b(?:named|called|christened|by the name of|name (?:was|is)|known as)\s+[“\"'‘]?$")),
    (3, re.compile(rf"\b(?:an?|the|our|my|[A-Z]\w+['’]s) (?:[\w’'-]+ ){{0,3}}?{_KIN} $")),
    (2, re.compile(rf"\b(?:his|her|their) (?:[\w’'-]+ ){{0,3}}?{_KIN} $")),
    (4, re.compile(rf"\b(?:an?|the) (?:[\w’'-]+ ){{0,3}}?{_GROUND},? (?:of|called|named)? ?$")),
    (1, re.compile(r"\b(?:is|was|were) $")),
)
_ZH_AFTER: _Rules = (
    (5, re.compile(r"，?(?:表?字|本?姓|號|号|名)[^，。]{1,6}[，。、]")),
    (5, re.compile(r"[，,]?[^，。！？]{0,14}(?:人也|人氏|出身|世居|祖籍)")),
    (5, re.compile(r"(?:[，,]|[，,]?(?:乃|是|係|系))[^，。！？]{1,12}之[子女弟妹兄妻侄姪孫孙後后](?![^，。；！？也])")),
    (
        4,
        re.compile(
            r"[，,]?(?:乃|本|原|便|就)?(?:是|係|系)(?:一|[個个]|[^，。；]{1,16}(?:的[。，；]|人[。，；]|之[子女弟妹兄妻]))"
        ),
    ),
    (4, re.compile(r"[，,]?乃[^，。；]{1,14}(?:也|人|之[子女后後弟妹兄妻])[，。；]")),
    (3, re.compile(r"[^，。]?，?(?:生得|身長|身长|面如|年方|年約|年约|為人|为人|性[情格]?)")),
    (2, re.compile(r"(?:位于|位於|坐落|地處|地处|在[^，。]{1,8}[東西南北东])")),
    (1, re.compile(r"(?:，|的|為|为|者)")),
)
_ZH_BEFORE: _Rules = (
    (4, re.compile(r"(?:，|^)(?:乃|便是|正是|原[来來]是)[^，。！？；：的之]{2,12}$")),
    (
        5,
        re.compile(
            r"(?:[叫喚唤稱称][做作]|名[叫喚唤曰]|人[稱称]|[號号]曰|姓|名|，表?字|名[^，。]{1,2}，?表?字|，[號号])[“「『]?$"
        ),
    ),
    (3, re.compile(r"(?:乃|有[個个]|有一人|叫|喚|唤)[“「『]?$")),
    (3, re.compile(r"[谋謀][士主]$|[婿壻子弟妹侄姪甥叔舅母父妻妾]$(?<![天太夫公王弟]子)")),
    (
        2,
        re.compile(
            r"(?:之[子女弟妹兄妻]|兄弟|[母父][親亲]|丈夫|妻子|[女兒儿][兒儿子]|[師师]父|先[鋒锋]|大[將将]|太守|刺史)$"
        ),
    ),
)
_JA_AFTER: _Rules = (
    (5, re.compile(r"(?:と(?:いう|云う|いふ|云ふ|言う)|って(?:いう|云う))(?:の|[^、。はがをにも奴])")),
    (3, re.compile(r"(?:と(?:いう|云う|いふ|云ふ|言う)|って(?:いう|云う))奴")),
    (
        5,
        re.compile(
            r"(?:とは|は)、?(?![^。]{0,10}(?:どこ|どんな|どう|誰|だれ|何|なん))[^。]{1,40}(?<![のん])(?:である|であった|でした|です|だった|(?<![んい])だ)[。」]"
        ),
    ),
    (
        3,
        re.compile(
            r"[はが]、?(?:もと|まだ|もう|ことし|今年|当時)?[^。、]{0,12}(?<![そこあど])"
            r"の(?:男|女|人|者|娘|息?子|家|町|村|寺|店)"
        ),
    ),
    (2, re.compile(r"、[^。、]{1,14}(?:の(?:男|女|人|者|娘|子|息子|妻|母|父|兄|弟|姉|妹))")),
)
_JA_TRADES = (
    r"(?:岡っ引|親分|子分|手先|主人|番頭|大工|職人|火の番|用人|若党|中間|女中|下女|仲働き|隠居|和尚|住職|師匠|同心|与力|医者|浪人|旗本|御家人"
    r"|小僧|丁稚|百姓|商人|役者|芸者|教師|先生|医師|社長|課長|刑事|探偵|記者|学生|生徒|友人|友だち|親友|幼馴染|王|王女|王子|姫|騎士|勇者|魔法使い|隊長|将軍"
    r"|弟子|執事|メイド|同級生|先輩|後輩|いとこ|従[兄弟姉妹])"
)
_JA_BEFORE: _Rules = (
    (5, re.compile(r"(?:名は|名を|名前は|名前を|呼ばれる|呼ばれた|称する|といった)[「『]?$")),
    (3, re.compile(r"(?:の(?:娘|息子|妻|女房|母|父|兄|弟|姉|妹|友達|子分|主人|亭主|隠居))の?$")),
    (3, re.compile(rf"{_JA_TRADES}の$")),
)
_RULES: dict[str, tuple[_Rules, _Rules]] = {
    "en": (_EN_AFTER, _EN_BEFORE),
    "zh": (_ZH_AFTER, _ZH_BEFORE),
    "ja": (_JA_AFTER, _JA_BEFORE),
}
_OF_ANOTHER: dict[str, re.Pattern[str]] = {
    "en": re.compile(r"(?:['’]s?\b| (?:and|or) [A-Z])"),
    "zh": re.compile(
        r"(?:之(?![子女弟妹兄妻])|[的]|刺史|太守|[州郡]?牧|[知縣县]令|相國|相国|諸|诸|等|[軍军兵將将]|城[下中外內内]"
        r"|之[子女弟妹兄妻侄姪孫孙][^也，。])"
    ),
    "ja": re.compile(r"(?:の|たち|等|ら[はがのを])"),
}
"""Behind a name that only says whose or where somebody else is: 荆州刺史丁原, Jane's mother."""
_TOPIC: dict[str, re.Pattern[str]] = {
    "en": re.compile(r" (?:had|was|is|[a-z]+ed|could|would|who|then|now|felt|saw|knew|went|came|took|made|stood)\b|,"),
    "zh": re.compile(r"(?!之|的|等)[^，。：“”]{1,12}[，。]|，"),
    "ja": re.compile(r"(?:さん|様|は|も|が)+[、はもが]?"),
}
"""Behind a name of whom the sentence speaks."""
_RELATED = re.compile(rf"\b(?:an?|the|his|her|their|our|my|your) (?:[\w’'-]+ ){{0,3}}?{_KIN}, $")
_COMPOUND = re.compile(r"[\u3400-\u9fff](?<![也者乃是曰道说說问問答])")
OPENING_MARKS = '“「『‘"('
"""Before the first word of a sentence, or of somebody's speech."""
_ASKED = re.compile(r"[?？]\s*[”」』’\"]?\s*$")
_AROUND = 60
"""Characters looked at before and behind the name."""
_KANA = re.compile("[\u3041-\u30ff]")
_HAN = re.compile("[\u3400-\u9fff]")
_SHORT_LATIN, _SHORT_WIDE = 25, 10

TELLING = 3.0
"""From here on a sentence says something about whom it names."""


def script_of(text: str) -> str:
    """Return whose rules a sentence is judged by: "en" for any alphabet, "zh", "ja"."""
    if not _HAN.search(text) and not _KANA.search(text):
        return "en"
    return "ja" if _KANA.search(text) else "zh"


def defining_score(sentence: str, name_start: int, name_end: int, *, is_heading: bool = False) -> float:
    """Return how well a sentence introduces what it names; higher is better.

    Args:
        sentence: The words.
        name_start: Where the name stands in them.
        name_end: Exclusive.
        is_heading: It is a title, which says nothing about anybody.
    """
    script = script_of(sentence)
    after_rules, before_rules = _RULES[script]
    after, before = sentence[name_end : name_end + _AROUND], sentence[max(0, name_start - _AROUND) : name_start]
    behind = max((weight for weight, rule in after_rules if rule.match(after)), default=0.0)
    ahead = max((weight for weight, rule in before_rules if rule.search(before)), default=0.0)
    if script == "en" and _GOVERNED.search(before):
        behind = max((weight for weight, rule in _EN_BESIDE if rule.match(after)), default=0.0)
    if script == "en" and after[:1] in ",.;" and _RELATED.search(before):
        ahead = max(ahead, 4.0)  # my cousin, Mr. Collins, who ...
    if script == "zh" and ahead <= TELLING and _COMPOUND.match(after):
        ahead = 0.0  # 乃荆州幕宾伊籍: it leads to the name behind
    score = max(behind, ahead)
    if _OF_ANOTHER[script].match(after):
        score -= 4
    if is_heading:
        score -= 10
    if _ASKED.search(sentence):
        score -= 3
    if sentence[:1] in OPENING_MARKS:
        score -= 1.5  # somebody speaks, and may be wrong
    if len(sentence) < (_SHORT_LATIN if script == "en" else _SHORT_WIDE):
        score -= 2
    return score


def is_introduced(sentence: str, name_start: int) -> bool:
    """Say whether the words before a name lead to it as to one who is introduced: 姓吕名, a boy called.

    Args:
        sentence: The words.
        name_start: Where the name stands in them.
    """
    before = sentence[max(0, name_start - _AROUND) : name_start]
    return any(weight >= TELLING and rule.search(before) for weight, rule in _RULES[script_of(sentence)][1])


def is_topic(sentence: str, name_start: int, name_end: int) -> bool:
    """Say whether a sentence speaks of what it names: it begins a clause, or is introduced.

    Args:
        sentence: The words.
        name_start: Where the name stands in them.
        name_end: Exclusive.
    """
    script = script_of(sentence)
    after, before = sentence[name_end : name_end + _AROUND], sentence[max(0, name_start - _AROUND) : name_start]
    if _OF_ANOTHER[script].match(after):
        return False
    if is_introduced(sentence, name_start) or any(w >= TELLING and rule.match(after) for w, rule in _RULES[script][0]):
        return True
    begins = not before.strip(OPENING_MARKS + "… ") or before[-1:] in "，；。：“、"
    return begins and _TOPIC[script].match(after) is not None


def subject_score(sentence: str, name_start: int, name_end: int) -> float:
    """Return how much a sentence speaks of what it names, rather than in passing; 0 to 4.

    Args:
        sentence: The words.
        name_start: Where the name stands in them.
        name_end: Exclusive.
    """
    script = script_of(sentence)
    after = sentence[name_end : name_end + _AROUND]
    before = sentence[:name_start].lstrip(OPENING_MARKS + "… ")
    score = 2.0 if not before else 1.0 if before[-1] in ",;，；、。" else 0.0
    is_governed = script == "en" and _GOVERNED.search(sentence[:name_start]) is not None
    score += 1.0 if _TOPIC[script].match(after) and not is_governed else 0.0
    score += 1.0 if sentence[:1] not in OPENING_MARKS else 0.0
    return max(0.0, score - (2.0 if _OF_ANOTHER[script].match(after) else 0.0))
