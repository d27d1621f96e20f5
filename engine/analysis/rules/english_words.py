"""English word lists of the analyst: what is no name, and what betrays a name beside it.

All in lower case. Made for this program from general knowledge of the language, not from any book.
"""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """Return the words of a list written as text."""
    return frozenset(text.split())


SPEECH_VERBS = word_set(
    """
    said says say saying asked asks ask cried cries cry replied replies reply answered answers exclaimed whispered
    whispers murmured murmurs shouted shouts returned continued continues added adds began begins observed remarked
    repeated called inquired enquired demanded muttered mutters responded declared interrupted rejoined sighed sighs
    laughed laughs smiled growled suggested protested agreed explained announced gasped groaned screamed yelled
    snapped retorted resumed sneered urged admitted insisted nodded chuckled grinned sobbed stammered stuttered
    hissed barked grunted snorted shrugged breathed pleaded begged warned promised lied conceded commented mused
    wailed squeaked bellowed roared croaked drawled ventured persisted objected concluded corrected quoted chimed
    echoed offered
    """
)
"""Verbs that stand beside a name where somebody speaks."""

ACTION_VERBS = word_set(
    """
    was had looked could would did went came turned took felt knew saw seemed made stood sat gave got heard told
    found shook walked began kept rose ran put held opened thought wished remembered wondered paused stared
    hesitated spoke listened glanced frowned blushed leaned entered stopped followed never always has is must should
    might looks goes comes turns takes feels knows sees seems makes stands sits gives gets hears tells finds shakes
    walks raised lifted reached pulled pushed dropped drew threw caught grabbed closed shut left tried wanted needed
    liked loved hated believed understood meant waited watched crossed stepped jumped climbed fell lay slept woke
    ate drank smelled touched kissed hugged bowed knelt winced flinched blinked swallowed clapped pointed waved
    gestured paced shivered trembled hurried rushed wouldn't couldn't didn't doesn't hadn't wasn't isn't
    """
)
"""Verbs that follow the name of somebody who does something. Weak: things act too."""

BODY_NOUNS = word_set(
    """
    face faces eyes eye voice hand hands head mind heart mother father wife husband sister brother sisters brothers
    lips arm arms smile manner manners daughter son daughters sons aunt uncle cousin hair cheek cheeks brow forehead
    shoulder shoulders fingers finger feet lap chair soul feelings temper opinion opinions conduct character
    thoughts words breath gaze glance tone expression attention answer reply friend friends maid servant neck throat
    mouth ear ears knee knees tears own side back family name love death life room
    """
)
"""What somebody has: 's before one of these marks a person."""

INSIDE_PREPOSITIONS = word_set("in into throughout within inside")
"""Stand before places, hardly ever before people."""

LOCAL_WORDS = word_set(
    """
    reach reached reaching leave leaving visit visited visiting near through across outside around beyond entered
    entering quit quitted nearing along via
    """
)
"""Stand before places far more often than before people."""

DIRECTION_WORDS = word_set("at on from towards toward to round between over above below down up past")
"""Stand before places and before people."""

PLACE_NOUNS = word_set(
    """
    town city village county parish parishes villages towns cities province state kingdom country island isle isles
    port harbour harbor district region republic empire land lands capital hamlet suburb planet realm duchy colony
    territory valley coast shores banks streets people inhabitants king queen duke earl marquis lord duchess
    countess prince princess bishop archbishop baron count squire mayor vicar rector curate minister governor
    university battle siege suburbs outskirts neighbourhood neighborhood mouth side
    """
)
"""Before "of X" these make X a place."""

MALE_PRONOUNS = frozenset({"he", "his", "him", "himself"})
FEMALE_PRONOUNS = frozenset({"she", "her", "hers", "herself"})

CONTRACTION_ENDS = ("n't", "'ll", "'m", "'ve", "'d", "'re", "'em", "'er")

FUNCTION_WORDS = word_set(
    """
    i me my mine myself we us our ours ourselves you your yours yourself yourselves thou thee thy thine ye he him
    his himself she her hers herself it its itself they them their theirs themselves one ones oneself a an the this
    that these those here there where when why how who whom whose which what whatever whoever whichever whenever
    wherever and but or nor so yet for if unless until till since because although though while whilst whereas
    whether lest as than then thus hence therefore however moreover nevertheless nonetheless besides otherwise still
    also too very quite rather almost nearly just only even ever never always often sometimes seldom usually again
    once twice thrice already soon now later early late today tomorrow yesterday tonight meanwhile presently
    suddenly finally lastly at by in into of off on onto out over under up upon with without within from to toward
    towards through throughout across along around round about above after against among amid amidst amongst before
    behind below beneath beside between beyond down during except inside like near opposite outside past per save
    via versus not no none nothing nobody nowhere neither any anything anybody anyone anywhere some something
    somebody someone somewhere every everything everybody everyone everywhere each either both all another other
    others same such own many much more most few fewer less least several enough half whole certain various
    different similar be am is are was were been being have has had having do does did done doing shall will would
    should can could may might must ought
    """
)
"""Pronouns, conjunctions, prepositions, auxiliaries."""

NOT_NAMES = FUNCTION_WORDS | word_set(
    """
    two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
    nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million first second third
    fourth fifth sixth seventh eighth ninth tenth last next need dare let lets get gets got go goes going gone went
    come comes coming came make makes made take takes took taken give gives gave given put see sees saw seen look
    looks looked looking say says said saying tell tells told ask asks asked think thinks thought know knows knew
    known hear hears heard feel feels felt find finds found keep keeps kept leave leaves left turn turns turned seem
    seems seemed want wants wanted wait stop stay stand sit speak speaks spoke listen watch run walk try tried help
    hold bring call called calls thank thanks please pray excuse forgive pardon remember suppose supposing imagine
    consider considering believe mind begin oh ah o aha ay aye eh er um ha haha hey hi hello hullo halloa holloa
    hallo hurrah hush alas bah pooh pshaw tut well yes yeah yep no nope nay ok okay indeed perhaps maybe probably
    certainly surely truly really actually honestly obviously apparently evidently clearly naturally exactly
    precisely absolutely of course damn hell bless blast confound tis twas twill twere ain't sir sirs madam ma'am
    mam mr mrs ms miss mister missus messrs master gentleman gentlemen lady ladies lord god gods goddess heaven
    heavens devil goodness gracious mercy lor lord's gosh gee jove george's good great little old young poor dear
    big small new long short high low right wrong true false best better worse worst bad fine nice sweet happy sad
    glad sorry sure ready silent strange alone full empty dead alive nearer farther further slowly quickly quietly
    softly gently carefully immediately instantly time times day days night nights morning evening afternoon noon
    midnight hour hours minute minutes week weeks month months year years moment moments age ages century monday
    tuesday wednesday thursday friday saturday sunday mondays sundays january february march april may june july
    august september october november december spring summer autumn winter christmas easter michaelmas whitsun lent
    thanksgiving halloween chapter book part volume section canto act scene epilogue prologue preface contents
    introduction appendix index footnote note notes illustration illustrations end finis fin gutenberg project ebook
    copyright edition editor translator transcriber author page pages table figure letter letters man men woman
    women boy boys girl girls child children people person folk folks fellow fellows north south east west northern
    southern eastern western northeast northwest southeast southwest nature fate fortune love death life truth
    beauty justice honour honor liberty virtue providence reason time majesty highness lordship ladyship excellency
    excellence grace worship honours reverence holiness eminence bible scripture scriptures testament gospel genesis
    psalm psalms koran quran church english french german italian spanish russian irish scotch scottish welsh
    american british european asian african indian chinese japanese turkish greek latin roman hebrew jewish jew jews
    christian christians christianity catholic catholics protestant protestants moslem muslim hindu buddhist pagan
    heathen dutch danish swedish norwegian polish hungarian austrian prussian swiss belgian portuguese persian arab
    arabs arabian egyptian negro negroes norman saxon celtic gothic victorian georgian elizabethan puritan quaker
    methodist baptist presbyterian anglican jesuit englishman englishmen englishwoman frenchman frenchmen
    frenchwoman irishman irishmen scotchman scotsman dutchman americans germans italians spaniards spaniard russians
    greeks romans turks turk indians englishwomen parisian londoner whig whigs tory tories liberal conservative
    democrat republican socialist anarchist state government parliament congress house court crown army navy police
    cavalry infantry regiment ii iii iv vi vii viii ix xi xii xiii xiv xv xvi xvii xviii xix xx esq esquire jr sr
    etc vol no amen hallelujah whoa ugh hmm mmm shh wow oops ouch whew phew huh nah uh tsk ahem bravo encore adieu
    farewell goodbye bye welcome cheers congratulations beg half-past gawd lawd lawdy goddamn hum humph hem pshaw
    """
)
"""Words that stand capitalised without being a name: at the start of a sentence, in exclamations, by convention."""
