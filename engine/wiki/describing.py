"""How much a sentence tells of whom it names: looks, age, standing, kin; and how little another one does.

By words every novel of a language has, never by what the words mean together. `defining.py` judges how a
sentence is built around a name, this what it is made of.
"""

from __future__ import annotations

import re

from engine.wiki.defining import OPENING_MARKS, is_introduced, is_topic, script_of

_MOST_DESCRIBED = 4.0
_EN_TRAITS = re.compile(
    r"\b(?:disposition|temper|temperament|character|manners?|countenance|features|figure|complexion|understanding|intellect"
    r"|beauty|fortune|talents?|accomplishments|reputation|stature|build|profession|trade|birth|rank|title|income|estate"
    r"|feeling|feelings|cheerfulness|gentleness|kindness|pride|vanity|wit|humour|humor|sense|quickness|cleverness|learning"
    r"|beard|moustache|hair|eyes|face|voice|accent|limp|scar|gait|habits?|knighthood|family)\b"
)
_EN_QUALITIES = re.compile(
    r"\b(?:tall|short|stout|slender|thin|lean|fat|slim|plump|handsome|pretty|plain|beautiful|ugly|fair|dark|pale|grey-haired"
    r"|good.looking|well-bred|gentleman-?like|ladylike|lively|sensible|intelligent|clever|stupid|silly|amiable"
    r"|agreeable|haughty|reserved|fastidious|shy|proud|vain|kind|gentle|gentle-hearted|good-humoured|good-natured|ill-tempered|wicked|cruel"
    r"|honest|brave|rich|wealthy|poor|respectable|famous|notorious|learned|elderly|middle-aged|unmarried|retired|quiet"
    r"|lonely|simple|civil|friendly|obliging|pleasant|easy|elegant|fine|strong|delicate|old|young|youngest|eldest|elder)\b"
)
_EN_AGES = re.compile(
    r"\b(?:years? old|years of age"
    r"|of (?:about )?(?:\w+teen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty)(?:-\w+)?)"
    r"|born (?:in|at|and)|brought up|educated|bred)\b"
)
_EN_THAN = re.compile(r"\bthan (?:his|her|their|my|our) \w+")
_EN_SORTS = re.compile(
    r"\b(?:an?|the|one of the) (?:[\w’'-]+,? ){0,5}?(?:man|woman|girl|boy|lad|child|gentleman|lady|fellow|widow"
    r"|widower|youth|maiden|creature|person|clergyman|officer|merchant|farmer|lawyer|sailor|soldier|orphan|servant|heiress|heir|place"
    r"|town|village|house|estate|building|island|city|street|planet|ship)\b"
)
_EN_DESCRIPTIONS = (_EN_TRAITS, _EN_QUALITIES, _EN_AGES, _EN_THAN)
_EN_PAST = re.compile(
    r"^,? (?:(?:who )?(?:had been|was) (?:formerly|once|originally|long)|(?:lived|resided|dwelt|kept an?)\b"
    r"|had (?:lived|served|married|inherited|made))"
)
_EN_LINK = re.compile(
    r"^(?:,[^.;]{0,60},)? (?:was|is|were|had|has|possessed|united|combined|seemed|appeared|lived|resided|kept)\b"
)
_EN_SEES = re.compile(r"^,? (?:\w+ly )?(?:looked|saw|gazed|noticed|observed|perceived|met|watched|stared|found|heard) ")
_EN_BESIDE = re.compile(
    r"^, (?:an?|the|his|her|their|our|my|one of|who (?:was|is|had)) (?!(?:two|three|four|five|six|\w+ (?:and|or)) )"
)
_EN_MOODS = re.compile(
    r"^,? (?:was|is) "
    r"(?:(?:not|now|then|as|so|too|very|quite|really|much|still|also|in fact|greatly|exceedingly|only|just) )*"
    r"(?:\w+ly )?(?!(?:reserved|learned|retired|unmarried|wicked|obliging|charming|good-\w+|well-\w+|middle-aged)\b)"
    r"(?:[\w-]+(?:ed|ing|ght)|glad|angry|sorry|happy|silent|unwilling|ready|able|unable|sure|certain|alone|late"
    r"|gone|about|on|at|in|to|there|here|with|by|from)\b"
)
"""What somebody was just then, not what she is."""
_EN_CLAUSE_START = re.compile(
    r"(?:^(?:But |And |For )?|[.;:!?,—-]"
    r"|[,;] (?:and|but|for|while|though|because|since)|\b(?:that|for|but|since|because|while|though))"
    r"[\s\"“‘']*(?:(?:his|her|their|my|our) (?:\w+ ){1,2})?$"
)
_EN_CLAUSE_END = re.compile(r"[.!?]|--|—|, and [A-Z]|;(?! (?:and |but )?(?:with|s?he|his|her|they|their|it|its)\b)")
"""Behind it others are spoken of."""
_MANY_WORDS = 3
"""From so many words of description on any verb will do."""
_ZH_TRAITS = re.compile(
    r"身[长長高材]|面如|面若|[细細圆圓环環][眼目]|[长長]髯|生得|[长長]得|相貌|容貌|模[样樣]|年方|年已|[今当當]年|[一二三四五六七八九十]+[岁歲]"
    r"|[为為]人|性[情格子]|生性|脾[气氣]|素有|精通|善[使用于於射]|武[艺藝]|膂力|智[谋謀]|官[拜至居]|[现現][为為任]|之[子女后後弟妹侄]|出身|人[也氏]"
    r"|世居|祖[上籍]|[头頭][发髮]|[皮肤膚]{2}|眼睛|衣着|穿[着著]|[职職][业業]|住在|[号號][称稱]|人[称稱]|外[号號]|[绰綽][号號]|有[一]?[个個]|是[一]?[个個]"
    r"|位[于於]|坐落|[东東西南北][连連据據通接临臨控依]|之地|要[地冲沖道]|地[处處势勢]"
)
_JA_TRAITS = re.compile(
    r"(?:[一二三四五六七八九十〇0-9]+(?:[、]?[一二三四五六七八九])*(?:歳|才|つ|の[男女娘])|年[頃ごろ]|色の?[白黒浅]|背[がの][高低]|小柄|大柄|[痩や]せ|肥[っえ]"
    r"|美し|男ぶり|容貌|器量|眉|髪|身なり|人品|性質|気質|気性|人柄|商売|渡世|生まれ|育ち|住[むん]|独り[身者]|評判|噂|男[でだ]|女[でだ]"
    r"|という[男女人娘者]|云う[男女人娘者]|という(?:町|村|寺|家|店))(?![をや])"
)
_OTHERS_SEEN = re.compile(r"[：:“「]|[看见見视視望](?![着著])|を見る")
"""Behind it, in Chinese and Japanese, others are spoken of."""
_SPEAKS = {
    "en": re.compile(
        r"[,!?]?[\"”’']? (?:said|cried|replied|asked|answered|exclaimed|added|repeated|coloured|smiled)\b"
    ),
    "zh": re.compile(r"[^，。：]{0,4}(?:[曰道][：:，]|[说說問问答笑喊叫][：:，])"),
    "ja": re.compile(r"(?:さん|様)?[はが](?:また|又|すぐに|黙って)?(?:云っ|言っ|訊い|聞い|笑っ|うなず|答え)"),
}
"""Behind a name of whom is told that she speaks, and no more."""
_VERSE = re.compile(r"[\u3400-\u9fff]+")
_VERSE_FEET = (5, 7)
_CONTENT = re.compile(r"[^\W\d_]{4,}")
_FEWEST_WORDS, _FEWEST_CHARS = 6, 14
"""Of a sentence that can tell something: words of four letters and more; characters of a script without blanks."""
_AROUND = 160


def describing_score(sentence: str, name_start: int, name_end: int) -> float:
    """Return how much a sentence describes what it names; 0 to 4, or below 0 for how she felt just then.

    Args:
        sentence: The words.
        name_start: Where the name stands in them.
        name_end: Exclusive.
    """
    script = script_of(sentence)
    if script == "en":
        return _described_in_english(sentence, name_start, name_end)
    if not is_topic(sentence, name_start, name_end):
        return 0.0
    traits = _ZH_TRAITS if script == "zh" else _JA_TRAITS
    turn = _OTHERS_SEEN.search(sentence, name_end)
    last = min(name_end + _AROUND, len(sentence) if turn is None else turn.start())
    first = max(0, name_start - _AROUND) if is_introduced(sentence, name_start) else name_end
    found = {match[0] for match in traits.finditer(sentence, first, last)}
    return min(_MOST_DESCRIBED, 1.5 * len(found))


def _described_in_english(sentence: str, name_start: int, name_end: int) -> float:
    after = sentence[name_end : name_end + _AROUND]
    end = _EN_CLAUSE_END.search(after)
    clause = after if end is None else after[: end.start()]
    if _EN_MOODS.match(after):
        return -1.0
    words = {match[0] for rule in _EN_DESCRIPTIONS for match in rule.finditer(clause)}
    begins = _EN_CLAUSE_START.search(sentence[max(0, name_start - _AROUND) : name_start]) is not None
    is_many = len(words) >= _MANY_WORDS and not _EN_SEES.match(after)
    is_told = begins and (_EN_LINK.match(after) is not None or is_many)
    if not is_told and not _EN_BESIDE.match(after):
        return 0.0
    score = 1.5 * len(words) + (2.0 if _EN_SORTS.search(clause) else 0.0) + (2.0 if _EN_PAST.match(after) else 0.0)
    return min(_MOST_DESCRIBED, score)


def thinness(sentence: str, name_start: int, name_end: int) -> float:
    """Return how little a sentence tells: 0 for one that may tell something, up to 6.

    Verse, a word or two, and the mere news that somebody speaks are thin.

    Args:
        sentence: The words.
        name_start: Where the name stands in them.
        name_end: Exclusive.
    """
    script = script_of(sentence)
    malus = 3.0 if script == "zh" and _is_verse(sentence) else 0.0
    without = sentence[:name_start] + sentence[name_end:]
    is_short = (
        len(_CONTENT.findall(without)) < _FEWEST_WORDS
        if script == "en"
        else sum(map(str.isalnum, without)) < _FEWEST_CHARS
    )
    malus += 2.0 if is_short else 0.0
    malus += 1.0 if script == "en" and _EN_MOODS.match(sentence[name_end : name_end + _AROUND]) else 0.0
    return malus + (1.0 if _SPEAKS[script].match(sentence, name_end) else 0.0)


def _is_verse(sentence: str) -> bool:
    """Say whether a sentence ends in two clauses and more of five characters each, or of seven."""
    clauses = [len(clause) for clause in _VERSE.findall(sentence.strip(OPENING_MARKS))][-2:]
    return len(clauses) == len(_VERSE_FEET) and clauses[0] == clauses[1] and clauses[0] in _VERSE_FEET
