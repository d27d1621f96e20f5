"""Japanese characters in their modern and their old forms, one for one."""

from __future__ import annotations

# Forms of the lists of 1946 and 1981, and old forms next to them, which the Chinese tables do not join. What is
# another word in Chinese (芸, 予, 弁, 糸) stays apart. Same order in both.
MODERN_FORMS = (
    "亜悪圧囲壱隠栄営衞駅円塩応桜価壊絵拡覚楽勧巻歓観関顔気帰亀戯犠拠挙敎暁駆勲薫恵経継軽鶏撃倹剣圏検権県険顕験厳効"
    "広黒済斎剤雑桟賛歯児実釈収従獣縦粛処緖焼乗浄剰畳縄壌嬢譲眞図粋酔穂髄摂専戦銭荘捜挿巣総騒蔵臓続対帯択沢団弾遅鋳"
    "庁聴鎭逓鉄転伝稲闘徳読弐悩脳覇拝廃売発髪抜浜払仏倂竝辺変豊満黙訳薬揺様謡頼覧竜両猟緑塁隷霊齢暦歴労録蝋篭頬繋噛"
    "塡痩姫戻郞歳冨嶋﨑髙渕穐舘涙毎歩渉瀬焔絶鋭閲郷槪旣卽産晩尭煕鴎鉱鑛渋澁襃飜舗舖硏敍奨奬滝曽壷諌呑蝿賎醤頚潅涜撹"
    "掻鴬"
)
_KEYS = (
    "亚恶压围壹隐荣营卫驿圆盐应樱价坏绘扩觉乐劝卷欢观关颜气归龟戏牺据擧教晓驱勋薰惠经继轻鸡击俭剑圈检权县险显验严效"
    "广黑济斋剂杂栈赞齿儿实释收从兽纵肃处绪烧乘净剩叠绳壤娘让真图粹醉穗髓摄专战钱庄搜插巢总骚藏脏续对带择泽团弹迟铸"
    "厅听镇递铁转传稻斗德读贰恼脑霸拜废卖发发拔滨拂佛并并边变丰满默译药摇样谣赖览龙两猎绿垒隶灵龄历历劳录蜡笼颊系啮"
    "填瘦姬戾郎岁富岛崎高渊秋馆泪每步涉濑焰绝锐阅鄕概既即产晚尧熙鸥矿矿涩涩褒翻铺铺研叙奖奖泷曾壶谏吞蝇贱酱颈灌渎搅"
    "搔莺"
)

_KEY_OF = str.maketrans(MODERN_FORMS, _KEYS)


def join_forms(text: str) -> str:
    """Return `text` with each Japanese form as the simplified Chinese one of the same character; same length."""
    return text.translate(_KEY_OF)
