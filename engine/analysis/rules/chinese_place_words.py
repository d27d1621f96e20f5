"""Words that end and surround Chinese names of places and organisations, and ordinary words that look like them."""

from __future__ import annotations

from engine.analysis.rules.chinese_words import odds_from_text

PLACE_ENDINGS = frozenset(
    "州城山江河海湖岛关县郡国府村镇谷洞寺庙庵观院馆园楼阁殿宫街巷路桥寨岭峰坡原林港湾庄堡塔池潭泉溪津渡口崖坊斋轩"
    "苑亭榭坞营屯陵渊泽域界星"
)
"""Last characters of names of places."""

LONG_PLACE_ENDINGS = tuple(
    """
    王国 帝国 大陆 山脉 森林 平原 海峡 半岛 群岛 大街 胡同 车站 广场 公园 医院 酒店 大厦 小区 秘境 遗迹 要塞 神殿
    迷宫 城堡
    """.split()  # noqa: SIM905
)

ORGANISATION_ENDINGS = tuple(
    """
    派 教 帮 会 门 宗 党 社 司 部 盟 公司 学院 大学 中学 学校 集团 家族 骑士团 教会 教团 公会 商会 军团 联盟 世家
    协会 佣兵团 镖局 钱庄 书院 银行 报社 警局 研究所 委员会
    """.split()  # noqa: SIM905
)
"""Ends of names of organisations, the longest that fits counts."""

CAMPS = frozenset("寨营")
"""With one character before it anybody's camp: 魏寨, 操寨."""
SETTLEMENTS = frozenset("城郡县州国府")
"""After the name of a place they name the same place more fully."""

WITHIN_NO_PLACE = frozenset("于过入出上到至")
"""Characters of grammar that stand inside no name of a place."""

MOTION = frozenset(
    "出入上下进回到在往至过取攻守破离开投夺献弃救围打望渡奔赴据袭住游来去见看向从自经由临近姓立屯移傍沿绕登满抄报借"
    "暗治忧克本条退转杀分"
)
"""Verbs of place: a name does not begin with them."""

PLACE_COMMON = frozenset(
    """
    东门 西门 南门 北门 东城 西城 南城 北城 东路 西路 南路 北路 东山 西山 南山 北山 宗庙 土山 山城 丞相府
    安营 阵门 园门 船渡 水淹 相国 高山 满屋 合族 门关 山僻 公路 寿星 察院 馆驿 王府 王城 尊府 贵府 西北 西南 东北
    东南 山上 山下 山中 山林 山路 山谷 山坡 山口 山寨 山门 江山 河山 火山 江河 江湖 城池 城门 城楼 城中 城外 州县
    州郡 郡县 本州 本县 本国 本府 各州 各县 各国 外国 中国 祖国 敌国 诸国 列国 大国 小国 国家 王国 帝国 皇宫 后宫
    宫殿 大殿 正殿 内殿 后殿 殿阁 楼阁 楼台 高楼 酒楼 茶楼 青楼 门楼 阁楼 花园 后园 菜园 庭院 后院 前院 院门 内院
    外院 书院 戏园 庙宇 寺院 寺庙 村庄 村子 乡村 山村 庄园 街道 大街 街口 街上 路口 大路 小路 道路 水路 陆路 半路
    一路 走路 带路 引路 去路 归路 来路 小桥 桥头 门口 路边 关口 渡口 河口 江口 洞口 谷口 港口 出口 入口 伤口 胸口
    开口 人口 亲口 住口 可口 藉口 借口 胃口 口口 虎口 窗口 松口 战国 亡国 大营 营寨 本营 军营 中营 前营 连营 大寨
    小寨 本寨 树林 密林 丛林 竹林 森林 高原 平原 中原 草原 原原 大海 上海 人海 海岛 温泉 清泉 黄泉 山泉 池塘 水池
    小溪 河津 天津 山崖 悬崖 书斋 凉亭 邮亭 亭亭 边界 世界 境界 各界 地界 仙界 星星 明星 流星 行星 火星 新星 客观
    主观 乐观 参观 门会 机会 社会 开会 聚会 宴会 集会 约会 教会 不会 一会 理会 领会 误会 体会 拜会 都会 部门 大门
    房门 后门 前门 宫门 家门 出门 进门 关门 开门 窗门 营门 寨门 辕门 衙门 角门 仪门 二门 正门 司部 全部 内部 外部
    大部 一部 六部 各部 本部 上司 公司 有司 祖宗 同宗 正派 宗派 指教 请教 受教 领教 赐教 宗教 传教 管教 同盟 结盟
    会盟 帮忙 帮会 相帮 结社 报社 学会 学院 学校 大学 中学 小学
    """.split()  # noqa: SIM905
)
"""Ordinary words with the endings of names."""

EXPECTED_BEFORE_PLACE = odds_from_text(
    """
    在1.3 到1.3 往1.4 至1 入1.1 出.9 取1.2 守1.2 攻1.3 过.8 回.9 离1.1 奔1.4 投1.1 于.8 去.6 赴1.4 据1.3 袭1.4 围1
    住.8 游.8 救.8 来.5 望.8 从.6 由.8 向.7 ^-.2 见-.3 与-.3 是-.2 的-.8 说-.4 叫-.6 问-.8 个-1 一-1.2 这-.5 那-.3
    他-1 大-.6 小-.6 不-1.5 我-1
    """
)
EXPECTED_AFTER_PLACE = odds_from_text(
    """
    ^.3 城1 中.8 里.8 内.8 外.8 上.6 下.4 之.5 的.3 来.6 去.6 而.5 进.4 太1 刺1.2 牧1 府.5 县.8 一.1 有.2 东.8 西.8
    南.8 北.8 境1 地.6 界.9 兵.4 道-.8 曰-1.5 笑-1.5 听-1 说-1 问-1 便-.5 又-.3 也-.2 忙-1.2 了-.3 着-1 们-1.2 等-.3
    """
)

ENDS_GIVEN_NAMES = frozenset("海山川林江河泉星原峰溪津亭")
"""Endings of places that given names have as well."""
