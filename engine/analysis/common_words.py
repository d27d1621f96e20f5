"""Words that give nothing away however rarely a book uses them, and words that speak of absence."""

from __future__ import annotations

import re

_ENGLISH = """
a about above across after again against ago all almost alone along already also although always am among an and
another any anybody anyone anything are around as ask at away back be became because become been before began begin
behind being believe below beside between beyond big both bring but by call came can cannot carry certain come could
day did different do does done down during each early eight either else end enough even evening ever every everybody
everyone everything eye face fact far few find first five follow for found four from full gave get give go gone good
got great had half hand has have he head hear heard held help her here herself high him himself his hold home hour
house how however i if in indeed inside instead into is it its itself just keep kept kind knew know known large last
late later learn least leave left less let life light like little live long look lost made make man many may me mean
meet men might mind minute moment month more morning most much must my myself name near need never new next night
nine no nobody none nor not nothing now of off often old on once one only open or order other others our out outside
over own part people perhaps person place point put quite rather reach read really receive remain remember return
right room said same saw say second see seem seen send sent set seven several shall she short should show side since
sir six small so some somebody someone something sometimes soon speak stand start stay still stood stop story such
sure take talk tell ten than that the their them themselves then there these they thing think third this those
though thought three through time to today together told tomorrow too took toward towards tried try turn twice two
under until up upon us use very wait walk want was water way we week well went were what whatever when where whether
which while who whole whom whose why will with within without woman women wonder word work world would write year
yes yesterday yet you young your yourself according appear arrive belong claim concern contain describe discover
explain form happen include involve mention occur offer present provide refer reveal serve state suggest
"""
_CHINESE = """
一个 一些 一样 一直 一起 一点 一次 一切 一时 一般 一定 不过 不能 不是 不会 不知 不敢 不用 不要 不同 之后 之前 之间
之中 之一 之时 也是 也不 也没 于是 什么 今天 今日 他们 她们 它们 我们 你们 以后 以前 以及 以为 但是 但他 作为 使得
便是 便有 倒是 其中 其实 其他 再次 出来 出现 分别 别人 到了 前来 前往 却是 却不 原来 去了 又有 又是 只是 只有 只能
可以 可是 可能 同时 后来 名为 名叫 向来 因为 因此 回到 回来 地方 多少 大家 大概 天下 如何 如今 如此 如果 它的 对于
将来 就是 就在 已经 开始 当时 当年 得到 心中 忽然 怎么 总是 所以 所有 手中 才能 打算 找到 拿出 接着 方才 无法 日后
时候 明白 昨日 是否 曾经 最后 有人 有些 有的 本来 来到 正是 正在 此时 此事 每个 没有 然后 然而 现在 由于 甚至 留下
的人 的是 直到 相信 看到 看见 知道 离开 立刻 第一 第二 第三 等到 给他 继续 而且 而是 自己 自然 虽然 许多 认为 说出
说道 起来 身上 转身 这个 这些 这里 这样 这时 进入 还有 还是 那个 那些 那里 那么 那时 都是 里面 随后 非常 事情 关于
发现 告诉 成为 名字 一名 一位 两人 三人 众人 人们 一人 之人 其人 此人 他人
"""
_JAPANESE = """
一人 一つ 一番 一緒 一度 一日 二人 三人 今日 今年 今度 昨日 明日 何処 何故 何時 何人 全部 全員 全体 前後 以前 以後
以上 以下 以来 先日 先程 当時 当日 彼女 彼等 自分 自身 私達 僕達 時間 時代 時期 最初 最後 最近 本人 本当 人間 人物
大人 大抵 大変 大分 普通 場所 場合 途中 結局 結果 理由 意味 必要 存在 関係 関連 名前 名称 様子 部分 一部 同時 同様
同じ 次第 直後 直前 間近 現在 過去 未来 毎日 毎年 今夜 昨夜 男性 女性 子供 言葉 気持 物語 登場 説明 理解 判明 発見
発言 紹介 登場人物 コト モノ トキ ヒト
"""

_ABSENCE = re.compile(
    r"\b(?:never|no one|no-one|nobody|nothing|none of|nowhere|no longer|not once|neither)\b"
    "|从不|从未|从来没|从没|再也没|再也不|永远不|永不|没有人|没人|无人|谁也|不再|未曾|不曾|毫无"
    "|從不|從未|從來沒|從沒|再也沒|沒有人|沒人|無人|誰也|毫無"
    "|決して|誰も|誰一人|一度も|二度と|何一つ|どこにも|もはや",
    re.IGNORECASE,
)


def common_words() -> frozenset[str]:
    """Return words of all three languages, not folded."""
    return frozenset(f"{_ENGLISH} {_CHINESE} {_JAPANESE}".split())


def speaks_of_absence(text: str) -> bool:
    """Say whether a sentence claims that something never happens or nobody does it: only the end can bear it out."""
    return _ABSENCE.search(text) is not None
