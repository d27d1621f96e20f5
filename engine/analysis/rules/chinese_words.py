"""Chinese words the rules go by: surnames, titles, grammar. Simplified; longer lists are split at blanks."""

from __future__ import annotations

SURNAMES = frozenset(
    "王李张刘陈杨赵黄周吴徐孙胡朱高林郭罗梁宋郑谢韩唐冯董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪"
    "田任姜范石姚谭廖邹熊金陆郝孔崔康毛邱秦江史顾侯邵孟龙段雷钱汤尹黎武乔贺赖龚文庞樊兰殷施陶洪翟颜倪严牛温芦季俞"
    "章鲁葛伍韦申尤毕聂焦柳邢路岳齐梅莫庄辛管祝左涂谷祁耿牟卜詹关苗凌费纪靳盛童欧甄项曲游阳裴席卫查屈鲍位覃霍翁隋"
    "甘景薄单包司柏宁柯阮桂闵解强柴华车冉房辽褚娄战占党封苑臧穆边卓凤应匡尧闻莘戚郎鄢楚蔺米荆宫池滕邬晏简鄂裘缪邰"
    "岑糜逄蒙阚沙练荀逢嵇储宗郦雍郤璩桑濮桓羊於惠麴郇暴斛厉戎祖符束幸韶郜蓟宓蓬隗郗班仰仲伊宿印鞠丰巢蒯冷訾那饶沃"
    "蔚越夔隆师巩厍晁勾敖融乌巴弓牧扈燕冀尚农别瞿连茹习艾鱼容庾暨衡步弘寇广禄阙殴利益丘竺权盖兀审淳濯佟佘冼揭俱拓"
    "仝岚喻虞万水窦云奚昌马花方伏成谈茅舒蓝麻危卞骆刁邸支咎昝贲杭诸钮羿汲邴松井富巫谯溥屠胥苍双贡劳姬酆郁祭雒祢卻"
    "何于乐典寿通充慕宦向古易戈终居满国东空毋养须相后红计阴狄谌陇仇晋闫敬芈胶"
)
"""Family names of one character."""

DOUBTFUL_SURNAMES = frozenset(
    "闻余雒何于时和安常成向从全方白明易古高马牛连通管终路满空后东国相红海阳水万温双利益广养农别那越师强位战占解查"
    "乐典单应简边金花云龙石文武包充尚居容步关计兰练须盖审权车弓牧隆富祖束"
)
"""Family names that are at least as often ordinary words: other signs must be stronger."""

COMPOUND_SURNAMES = frozenset(
    """
    欧阳 太史 端木 上官 司马 东方 独孤 南宫 万俟 闻人 夏侯 诸葛 尉迟 公羊 赫连 澹台 皇甫 宗政 濮阳 公冶 太叔 申屠
    公孙 慕容 仲孙 钟离 长孙 宇文 司徒 鲜于 司空 令狐 百里 呼延 东郭 南门 西门 轩辕 淳于 单于 贺兰 纳兰 拓跋 完颜
    耶律 第五 梁丘 左丘 北宫 即墨 北冥 叶赫 那拉 爱新觉罗
    """.split()  # noqa: SIM905
)

BARRIERS = (
    "的了着吗呢吧啊呀么嘛哪哩是不我你您他她它这那们没很最就而且但或则所其以与把被让给说曰问答听笑也矣乎哉焉皆乃"
    "便又却再还只才将谁甚怎样该须勿俺咱吾汝孰谓岂耶欤兮此每并虽倘跟您啦哦嗯呵哟咧哇朕彼"
)
"""Characters of grammar that stand in no name."""

LEADS = frozenset(
    "和向对见命叫令请问同与跟及从因将把被让给使教连只那这忽听说望随带引遣着差唤呼告谓谢拜送迎召斩杀擒救助劝骂指看"
    "找等至到在往为是乃即又也都并若有无今时次后前先正已方且更却便遂故此其众诸各某老小阿二两三四五六七八九十一大"
)
"""Characters that stand before a name without being its beginning, unless they are its family name."""

TAILS = frozenset(
    "等忙方自正虽急即大一可既回令都先亲欲心道说问笑听见看想知闻引领率点使来去入出上下进到在有无为与和同及并也亦又"
    "便就才却只将已未不必要会能肯敢得起过从向对把被叫命请带拿接走坐站跑飞怒喜惊哭骂喝叹应答曰遂乃皆各因故若如何怎"
    "这那此其之者所手头身眼口脸面家里外内中间前后左右再还更最很太真实当是没别休勿且而但或则于以由死生至往随教让给"
    "们的了着吧吗呢啊啦两三四五六七八九十百千几数每某诸众军兵马"
)
"""Characters that stand after a name without being its end."""

TITLE_ENDS = frozenset("主子侯王帝后相守督尉军史令徒空师卿尹牧叔舅父母妻女婿孙侄弟兄妹姐将臣伯")
"""Last characters of what stands before a whole name to say who that is."""

SPEECH = frozenset(
    """
    道： 道: 道， 道“ 道「 曰： 曰: 曰， 曰“ 说： 说: 说， 说着 说道 说“ 笑道 问道 答道 叹道 喝道 叫道 忙道 又道
    哭道 骂道 冷道 怒道 喊道 低道 急道 接道 听道 应道 劝道 谢道 笑曰 问曰 答曰 叹曰 怒曰 大怒 大喜 大惊 大笑 大叫
    听了 听说 听见 听罢 笑着 冷笑 苦笑 微笑 笑了 哭着 点头 摇头 沉默 低声 轻声 高声 回答 喃喃 皱眉 叹了 问： 问，
    喊： 喝： 答： 笑： 叫： 怒： 忍不 心想 心中 心里 心道 暗道 暗想 一愣 一怔 看着 望着 眯着 咬牙 开口 急忙 连忙
    不禁
    """.split()  # noqa: SIM905
)
"""What two characters after a name show somebody speaking, hearing or feeling."""

KINSHIP_TITLES = tuple(
    """
    姑娘 小姐 丫头 妹妹 姐姐 哥哥 弟弟 妹子 大哥 大姐 二哥 三哥 公子 少爷 大爷 二爷 三爷 四爷 爷 哥儿 姐儿 兄弟 兄
    弟 妹 姐 哥 妞 师兄 师姐 师弟 师妹 学长 学姐 学弟 学妹 叔 叔叔 伯 伯伯 阿姨 君 卿 酱 桑 小姐姐
    """.split()  # noqa: SIM905
)
"""Words of kinship and address; they follow a part of a given name as well: 琏二爷, 平姐姐."""

OFFICE_TITLES = tuple(
    """
    公 皇叔 使君 先生 大人 录事 主簿 主事 参军 将军 丞相 都督 太守 军师 大夫 太医 道长 真人 殿下 陛下 阁下 前辈 师父
    师傅 师叔
    师伯 师祖 长老 掌门 宗主 教主 帮主 堂主 城主 族长 家主 少主 老师 教授 博士 医生 同学 队长 团长 局长 部长 院长
    校长 经理 总 董 警官 侦探 伯父 公公 老爷 相公 员外 捕头 尚书 侍郎 御史 同志 女士 大王 元帅 统领 校尉 舰长 少校
    上校 少尉 中尉 上尉 大尉 准将 少将 中将 上将 伯爵 公爵 侯爵 子爵 男爵 大师 法师 神父 修女
    """.split()  # noqa: SIM905
)
"""Titles that follow a family name or a whole name of the same person."""

OWN_TITLES = tuple(
    """
    夫人 太太 奶奶 老太太 太君 姨妈 姨娘 姥姥 嬷嬷 妈妈 婆婆 婆子 大妈 大娘 大嫂 嫂子 二嫂 嫂 婶 婶娘 婶子 老娘 氏
    妃 贵妃 皇后 太后 王妃 公主 郡主 王爷 王 侯 太妃 娘娘 妈 婆 姑 姨 老汉 道婆 道姑 师太 家的 媳妇 老板 掌柜
    老头 寡妇
    """.split()  # noqa: SIM905
)
"""Titles that with a family name make a person of their own: a wife bears her husband's."""

ROLES = frozenset(
    """
    夫人 太太 奶奶 老太太 姑娘 小姐 公子 少爷 老爷 大爷 二爷 三爷 先生 大人 将军 丞相 都督 太守 军师 主公 陛下 殿下
    皇上 皇帝 皇后 太后 天子 主上 圣上 万岁 娘娘 贵妃 王爷 王妃 公主 知县 知府 巡抚 县令 刺史 州牧 国舅 驸马 太师
    太傅 司徒 司空 尚书 侍郎 御史 都尉 校尉 侍中 长史 主簿 使者 来使 使君 军士 士兵 兵士 小校 探马 细作 众人 众将
    众官 诸将 诸公 诸侯 百官 群臣 大臣 近臣 老臣 文武 百姓 土人 乡人 居民 从人 从者 左右 手下 部下 部将 副将 偏将
    上将 大将 名将 先锋 来将 敌将 贼将 贼兵 官兵 官军 大军 婆子 丫头 丫鬟 丫环 小厮 嬷嬷 妈妈 媳妇 奶娘 奶妈 老婆
    老婆子 管家 家人 下人 仆人 门子 门吏 童子 小童 道人 道士 和尚 尼姑 姑子 僧人 禅师 大夫 太医 医生 郎中 姐姐 妹妹
    哥哥 弟弟 姊妹 姐妹 兄弟 父亲 母亲 爹爹 爸爸 娘亲 妈咪 祖母 祖父 爷爷 外婆 外公 叔叔 伯伯 舅舅 姑姑 姨妈 姥姥
    婶婶 嫂子 儿子 女儿 孙子 父母 父子 母子 夫妻 老子 大家 自己 人家 别人 旁人 他人 对方 众位 诸位 各位 此人 那人
    来人 某人 一人 二人 两人 三人 四人 数人 主人 客人 女人 男人 男子 女子 少年 少女 青年 老人 老者 老头 老头子 孩子
    婴儿 老师 同学 学生 校长 师父 师傅 师兄 师姐 师弟 师妹 徒弟 弟子 长老 掌门 前辈 晚辈 高手 队长 司机 警察 老板
    掌柜 伙计 店家 店主 小二 店小二 秀才 书生 樵夫 渔翁 刺客 强盗 盗贼 贼人 乞丐 声音 谋士 武士 武将 勇士 壮士 英雄
    豪杰 好汉 太监 宦官 宫女 侍女 侍卫 卫士 护卫 士卒 骑士 国王 女王 王子 魔王 勇者 魔法师 圣女 神官 大叔 大姐 大妈
    大娘 大嫂 大哥 小弟 小妹 小子 家伙 姑奶奶 大王 先王 先帝 余者 太阳 东家 亲家 官家 老祖宗 老祖 祖宗 元帅 中郎
    牧童 庄主 庄客 洞主 明主
    中郎将 将士 三军 五将 二将 两将 诸军 后军 前军 中军 左军 右军 水军 步军 马军 骑兵 步兵
    """.split()  # noqa: SIM905
)
"""Words for somebody that are no names by themselves."""

COLLECTIVE = frozenset("众诸群百各二两三四五六七八九十数几一每某")
"""A word for persons that begins so means several."""

GROUP_ENDINGS = tuple(
    """
    们 者 等 等人 众人 二人 三人 兵 军 军马 人马 将士 士卒 大军 残军 败军 水军 诸将 众将 部将 父子 夫妇 母子 家人
    之子 之女 之妻
    """.split()  # noqa: SIM905
)
"""What ends a word for several people."""

REALMS = frozenset("先后国大少圣魏蜀吴汉秦楚齐燕赵韩晋宋梁陈隋唐周商明清元辽金夏越卫鲁郑曹蔡")
OF_A_REALM = frozenset("人使贼兵将官臣军民")
"""After the name of a realm they make a word for anybody of it."""
NEVER_LAST = frozenset("某贼妻吏毕至")
"""A string that ends so is no name: it is a word for somebody."""
KINGS = frozenset("王侯")
RANKS_OF_A_REALM = frozenset("主王侯帝后公军兵将")
"""After the name of a realm they make a title, which passes from one bearer to the next."""

FEMALE_TITLES = frozenset(
    """
    姑娘 小姐 丫头 妹妹 姐姐 妹子 大姐 师姐 师妹 学姐 学妹 阿姨 姐儿 女士 小姐姐 修女 姐 妹
    """.split()  # noqa: SIM905
)
MALE_TITLES = frozenset(
    """
    哥哥 弟弟 大哥 二哥 三哥 公子 少爷 大爷 二爷 三爷 四爷 爷 师兄 师弟 学长 学弟 兄弟 兄 弟 哥 哥儿 叔 叔叔 伯 伯伯
    伯父 公公 老爷 相公 员外 神父
    """.split()  # noqa: SIM905
)

TRANSLITERATION = frozenset(
    "阿埃艾爱安昂奥澳巴班邦包贝本比彼别波伯勃博布达戴丹当道德登迪蒂丁顿多厄恩尔法凡范菲费芬夫弗福盖甘冈高戈哥格古"
    "圭哈海汉豪赫亨胡华怀霍基吉加贾杰金卡开凯坎康科克肯库夸昆拉莱兰朗劳勒雷蕾黎里理丽莉利莲列林琳留龙隆卢鲁露路伦"
    "罗洛马玛迈麦曼芒毛梅门蒙米密缪摩莫默姆穆那纳娜奈南内妮尼涅宁纽努诺欧帕潘庞佩彭皮平珀普齐奇契恰乔切琴丘琼让热"
    "日荣茹儒瑞若萨塞赛桑瑟沙莎山珊尚舍申史什斯丝松苏索塔泰坦汤唐特提廷汀图托瓦万威薇韦维文翁沃乌伍武西希锡夏香谢"
    "辛欣休修许雪逊雅亚延扬杨耶叶伊依因英永尤雨约云泽扎詹珍芝朱兹祖佐茜黛蜜洁娅婭"
)
"""Characters that foreign names are written with."""


def odds_from_text(written: str) -> dict[str, float]:
    """Read "道1.9 曰1.6"; "^" stands for no Han character."""
    return {item[0].replace("^", ""): float(item[1:]) for item in written.split()}


EXPECTED_BEFORE = odds_from_text(
    """
    ^.6 见1 与1.1 和.8 向1.3 叫.9 命.9 问1.1 对.9 跟1 让.9 被.9 给.6 把.5 那.6 说.8 请.7 同.7 找.9 谓1.4 遣1.2 召1
    唤1 杀.4 令.8 将.5 的-1.6 个-1.3 一-1.4 在-.7 很-1.5 不-1.5 大-.8 里-.5 来-.8 有-.2 是-.2 到-.1 了0 这-.6 子-.5
    种-1.2 些-1.2 些-1.2 更-1.2
    """
)
EXPECTED_AFTER = odds_from_text(
    """
    ^.1 道1.9 曰1.6 笑1.5 听1.2 说.8 问.8 便1.3 忙1.4 又.9 也.6 因.8 见1.1 等1.3 只.8 正.8 自.7 已.6 忽.9 心.5 答.9
    连.8 冷1 点.8 摇1 皱1.2 沉.9 微.8 叹1.2 怒1.2 喝.8 望.8 看.5 走.5 站.6 坐.5 和.6 与.8 对.6 向.7 把.6 被.6 将.5
    却.9 闻.9 想.8 觉.8 知.5 领.8 引.9 谏1.2 奏.9 的-.4 了-.8 里-1.2 上-.8 中-.6 着-1 是-.3 在.3 之-.2 来-.5 去-.6
    有-.2 个-1 地-.8 得-.6 过-.5 起-.5 们-1.5
    """
)
"""How much likelier a character stands beside a person's name than beside any word, in nats."""

ACTS = frozenset(
    "引领率奏拜闻谓谏报见令命遣乃遂即亦大出入进回等道曰说问答笑哭叹怒喝骂喊叫听看望想觉知站坐走跑点摇皱伸抬转忙便又也拍拉接"
)
"""What a person does, or how she is spoken of, right after her name."""

DEEDS = ACTS | frozenset(
    "怒惊指叱泣谢欲急喜泪骇愤恨惧恐疑悟醒醉拔挺骤纵舞按勒绰提持执抚捧登跃跳退归逃奔赶追战杀斩射刺砍劝拒允诺依应降"
    "看想知使问笑答骂喝哭至毕报"
)
"""What stands after the given name alone in older narration, and is its second character in none."""

OUTBURSTS = frozenset("大怒 大喜 大惊 大笑 大叫 大骂 大哭 大呼 大悦 大恐 大败 大乱 不悦 不语".split())  # noqa: SIM905
"""What somebody does after a name, as two characters."""

ORDERS = "大二三四五六七八九十老小"
"""What stands before a title for the place among brothers and sisters."""
