"""English titles, given names and what they are shortened to. Made for this program from general knowledge."""

from __future__ import annotations

from collections.abc import Mapping

from engine.analysis.rules.english_words import word_set

MALE_TITLES = word_set(
    """
    mr sir lord master monsieur m herr signor senor don dom father brother uncle king prince duke count baron squire
    emperor pope sultan tsar czar earl viscount comte vicomte duc chevalier milord monseigneur abbe abbé père
    archduke friar abbot esquire messire sahib
    """
)
FEMALE_TITLES = word_set(
    """
    mrs miss ms lady madame madam mme mademoiselle mlle signora signorina senora senorita dame sister aunt auntie
    mother queen princess duchess countess marchioness baroness comtesse vicomtesse duchesse marquise baronne milady
    marchesa empress viscountess frau fraulein abbess
    """
)
MALE_RANKS = word_set(
    """
    general admiral captain colonel major lieutenant sergeant corporal private commodore brigadier inspector
    reverend bishop archbishop archdeacon cardinal canon rabbi parson president marquis marquess senator judge
    """
)
"""Ranks that older novels give to men only; they suggest a gender, a pronoun may overrule it."""

OTHER_TITLES = word_set(
    """
    doctor professor saint commander cousin chief detective superintendent constable comrade secretary nurse dean
    nawab sheikh pandit baba gaffer gammer goody goodman goodwife grandpa grandma granny agent officer marshal
    governor mayor minister chancellor ambassador elder deacon warden chairman director commissioner coach ranger
    pilot ensign cadet
    """
)
TITLE_SPELLINGS: Mapping[str, str] = {
    "dr": "doctor", "capt": "captain", "col": "colonel", "prof": "professor", "rev": "reverend", "revd": "reverend",
    "gen": "general", "lt": "lieutenant", "lieut": "lieutenant", "sgt": "sergeant", "serg": "sergeant", "st": "saint",
    "maj": "major", "adm": "admiral", "cpl": "corporal", "insp": "inspector", "supt": "superintendent",
    "det": "detective",
    "mister": "mr", "missus": "mrs", "mme": "madame", "madam": "madame", "mlle": "mademoiselle", "m": "monsieur",
    "auntie": "aunt", "aunty": "aunt", "fr": "father", "hon": "honourable", "sr": "senor", "pres": "president",
    "gov": "governor", "sen": "senator", "marquess": "marquis", "czar": "tsar", "messrs": "mr",
    "comte": "count", "vicomte": "viscount", "duc": "duke", "comtesse": "countess", "duchesse": "duchess",
    "marquise": "marchioness", "baronne": "baroness", "abbé": "abbe",
    "mistah": "mr", "mistuh": "mr", "marse": "master", "massa": "master", "mis": "mrs", "miz": "mrs", "missy": "miss",
}  # fmt: skip
TITLES = MALE_TITLES | FEMALE_TITLES | MALE_RANKS | OTHER_TITLES | frozenset(TITLE_SPELLINGS)
GIVEN_NAME_TITLES = word_set(
    """
    sir uncle aunt king queen prince princess saint brother sister master dame don dom friar cousin pope nurse
    emperor empress grandma grandpa granny
    """
)
"""Titles that stand before a given name when only one name follows."""

HONORIFIC_ENDINGS = frozenset(
    {"san", "chan", "kun", "sama", "dono", "senpai", "sempai", "sensei", "tan", "nee", "nii", "neesan", "niisan", "shi"}
    | {"ssi", "nim", "hyung", "noona", "oppa", "unnie", "ge", "gege", "jie", "jiejie", "xiong", "shifu", "laoshi"}
)
"""Behind a hyphen in translated novels: Tanaka-san, Lena-chan."""

NOBLE_TITLES = word_set(
    """
    duke duchess count countess earl lord lady marquis marquess marchioness baron baroness viscount viscountess prince
    princess king queen emperor empress archduke comte comtesse duc duchesse
    """
)
"""Before "of" and a place they name whoever holds it: the Duke of Buckingham."""

PATRONYMICS: Mapping[str, str] = {
    "itch": "m",
    "ovich": "m",
    "evich": "m",
    "ovic": "m",
    "ovna": "f",
    "evna": "f",
    "ichna": "f",
}
"""Endings of the second name in Russian books, and the gender each tells."""  # fmt: skip

SOFT_TITLES = word_set("old little young poor dear good big sweet dearest ole lil")
"""Words before a name that say nothing about who is meant."""

KIN_NAMES = word_set(
    """
    papa mamma mama mammy momma mom mum mummy mommy dad daddy grandma grandpa granny grandmother grandfather nanny
    father mother aunty auntie nurse gran grandad granddad cook
    """
)
"""Kinship words used as names; they mean somebody else in every family, so they name nobody by themselves."""

PARTICLES = word_set("de la le du des von van der den ten ter di da dos del della bin ibn al el y zu af av d' l' o'")

# Short forms by full form; a short form may belong to several.
_SHORT_FORMS = """
thomas: tom tommy tam | william: will willy willie bill billy liam | robert: bob bobby rob robbie robin bert |
richard: dick dickie rick ricky rich | john: jack johnny johnnie jock | james: jim jimmy jem jemmy jamie |
henry: harry hal hank | edward: ned ted teddy ed eddie eddy | charles: charley charlie chuck chas |
joseph: joe joey jo | samuel: sam sammy | benjamin: ben benny benjy | daniel: dan danny | nathaniel: nat nate |
nicholas: nick nicky | frederick: fred freddy freddie | alexander: alec alick alex sandy sasha |
stephen: steve stevie steven | michael: mike mick mickey misha | anthony: tony | christopher: kit chris kester |
philip: phil pip phillip | tobias: toby | timothy: tim timmy | george: georgie geordie | archibald: archie |
albert: bertie bert al | herbert: bert bertie | gilbert: gil bert | andrew: andy drew | david: dave davy davie |
francis: frank frankie | franklin: frank | walter: walt wat wally | arthur: art artie | matthew: matt mat |
patrick: pat paddy | peter: pete | ronald: ron ronnie | donald: don donnie | kenneth: ken kenny |
lawrence: larry laurie lawrie | laurence: larry laurie | leonard: len lenny leo | raymond: ray |
reginald: reg reggie | rudolph: rudy | solomon: sol | theodore: ted teddy theo | vincent: vince vinny |
oliver: nolly ollie noll | abraham: abe | augustus: gus | bartholomew: bart | ebenezer: eben | ezekiel: zeke |
gabriel: gabe | gerald: gerry jerry | gregory: greg | jeremiah: jerry | jonathan: jon jonny | joshua: josh |
maximilian: max | jacob: jake | zachary: zach zack | harold: hal harry | edmund: ned ted | edgar: ed |
edwin: ed ned | ambrose: brose | barnabas: barney | bernard: barney bernie | cornelius: corny neil | dominic: dom |
eugene: gene | isaac: ike zac | lewis: lew louie | louis: lou louie | percival: percy | roderick: rod roddy |
rupert: roo | sebastian: seb bastian | silvester: sly | valentine: val |
elizabeth: eliza liz lizzy lizzie betsy betty bess bessie beth libby elsie lisa |
catherine: kitty kate katy kathy cathy katharine katherine kathleen kit kay katie kat catharine |
mary: molly polly may moll mamie minnie mimi |
margaret: peggy meg maggie margot madge daisy greta rita peg maisie marge margery megs |
eleanor: nelly nell nellie nora ella elinor | helen: nelly nell nellie | frances: fanny fannie frankie francie |
ann: nan annie anne nance | nancy: nance nan | anne: nan annie nance | sarah: sally sadie sal sara |
henrietta: hetty etta hattie | harriet: hattie hatty hetty | jane: jenny janey janie jennie |
susan: susy sue susie sukey suzy | mildred: milly millie | dorothy: dolly dora dot dottie |
isabella: bella belle isabel izzy | charlotte: lottie lotty charlie | louisa: louie lou loo | louise: lou louie |
martha: matty patty mattie | matilda: tilly tillie matty maud | adele: addie | evelyn: evie eve |
victoria: vicky vic tori | rebecca: becky becca | winifred: winnie win | cassandra: cassy cass cassie |
cecilia: sissy cissy cis celia | abigail: abby nabby gail | agnes: aggie nessie | alice: allie |
amelia: amy emmy milly | emily: em emmy millie | emma: em emmy | barbara: barbie babs | caroline: carrie caro lina |
christina: chris tina chrissie | clementina: clem | constance: connie | deborah: debby debbie | diana: di |
edith: edie | ellen: nell nelly | esther: essie hetty | florence: flo florrie flossie | georgiana: georgie georgy |
gertrude: gertie trudy | gwendolen: gwen | jacqueline: jackie | jennifer: jen jenny jennie | jessica: jess jessie |
josephine: jo josie | judith: judy | lavinia: vinnie | letitia: letty lettie | lucy: lu luce | lucinda: cindy |
magdalene: maggie | mehitabel: hitty | nathalie: nat | olivia: livvy liv | pamela: pam | patience: pat |
patricia: pat patty trish tricia | penelope: penny pen | philippa: pippa | priscilla: cilla prissy |
prudence: prue | rachel: ray rae | rosalind: roz | rosamund: rosie | rose: rosie | rosemary: rosie | samantha: sam |
sophia: sophy sophie | stephanie: steph | susannah: sukey susan | teresa: tess terry tessa |
theresa: tess terry tessa | ursula: ursie | veronica: vera ronnie | virginia: ginny ginger | vivian: viv |
wilhelmina: mina minna willa billie | alexandra: alex sandra sasha alix | anastasia: stacy nastya | natasha: tasha |
natalia: natasha | ekaterina: katya | maria: masha | dmitri: mitya | ivan: vanya | alexei: alyosha |
konstantin: kostya | stepan: stiva | pavel: pasha | sofia: sonya sonia | sofya: sonya sonia | rodion: rodya |
avdotya: dounia dunya | praskovya: pashenka | nikolay: nikolai | pyotr: petya |
katerina: katya | mihail: misha | mikhail: misha | alexey: alyosha alexei | fyodor: fedya | grigory: grisha |
ilya: ilyusha | natalya: natasha | nastasya: nastya | vladimir: volodya | sergey: seryozha | anna: anya | marya: masha |
darya: dasha dolly | vasily: vasya | semyon: senya | polina: polenka polya | tatyana: tanya | yelena: lena |
yevgeny: zhenya | matvey: motya | lukerya: lusha | agrafena: grusha grushenka
"""

_MALE_NAMES = """
aaron abel abraham adam adolphus adrian alan alastair albert alec alex alexander alexis alfonso alfred algernon ali
alistair allan allen alonzo alvin ambrose amos andre andrew angelo angus anthony antoine anton antonio archibald
archie arnold arthur asa ashley august augustus austin axel barnabas barney barry bartholomew basil ben benedict
benito benjamin bernard bert bertram bill billy bob bobby boris brad bradley brandon brendan brian bruce bruno bryan
caleb calvin cameron carl carlo carlos casper cecil cedric charles charley charlie chester chris christian
christopher clarence claude clayton clement clifford clive clyde colin conrad cornelius craig cuthbert cyril cyrus
dale damian damon dan daniel danny darius dave david dean denis dennis derek desmond dick diego dirk dmitri dominic
don donald douglas duncan dustin dwight earl earnest ebenezer ed eddie edgar edmond edmund eduardo edward edwin
egbert eli elias elijah elliot elliott ellis elmer emil enoch eric erik ernest ernst ethan eugene eustace evan
everett ezekiel ezra felix ferdinand fergus fernando floyd francis francisco frank franklin franz fred freddie
freddy frederic frederick fritz gabriel gareth gary gaston gavin geoffrey george gerald gerard gideon gilbert giles
giovanni godfrey gordon graham grant gregory griffith guido gus gustav guy hal hamish hank hans harold harry harvey
hector heinrich henri henry herbert herman hezekiah hiram homer horace horatio howard hubert hugh hugo humphrey ian
ibrahim igor ira isaac isaiah isidore israel ivan ivor jack jackson jacob jacques jake james jamie jan jared jasper
jason jean jed jeff jeffrey jem jeremiah jeremy jerome jerry jesse jim jimmy joachim joe joel johann john johnny jon
jonah jonas jonathan jordan jorge jose joseph joshua josiah juan jules julian julius jurgen justin karl keith
kenneth kevin kurt kyle lambert lancelot larry lars laurence lawrence lazarus leander leo leon leonard leopold leroy
leslie lester levi lewis liam lionel lloyd logan lorenzo louis lucas lucian lucien lucius ludwig luis luke luther
lyle malcolm manuel marcel marco marcus mario marius mark marmaduke marshall martin marvin mason matt matthew
maurice max maximilian maxwell melvin michael miguel mike miles milton mitchell mohammed montague mordecai morris
mortimer moses nathan nathaniel ned neil nelson neville nicholas nick nigel noah noel norman obadiah octavius olaf
oliver omar orlando oscar osmond oswald otis otto owen pablo patrick paul pedro percival percy peregrine perry peter
phil philip phillip phineas pierre pip quentin ralph ramon randall randolph raoul raphael raymond reginald reuben
rex reynold richard rick robert roberto robin roderick rodney roger roland rollo roman ronald rory roscoe ross roy
rudolf rudolph rufus rupert russell ryan sam samson samuel saul scott sean sebastian septimus sergei seth seymour
sidney siegfried sigmund silas silvester simeon simon solomon spencer stanley stefan stephen steve steven stewart
stuart sven sydney sylvester tarquin ted teddy terence terry thaddeus theobald theodore theodoric thomas timothy
titus tobias toby todd tom tommy tony travis trevor tristan tristram troy tyler ulysses uriah valentine vaughan
vernon victor vincent virgil vladimir wallace walt walter warren wayne wesley wilbur wilfred wilhelm will william
willie winston wolfgang woodrow xavier yuri zachary zebedee
"""

_FEMALE_NAMES = """
abigail ada adela adelaide adele adeline agatha agnes aileen alberta alexandra alice alicia aline alison alma althea
amabel amanda amber amelia amy anastasia andrea angela angelica angelina anita ann anna annabel anne annette annie
antonia april arabella arlene astrid audrey augusta aurora ava barbara beatrice becky belinda bella belle bernadette
bertha bess bessie beth betsy betty beverly blanche bonnie brenda bridget brigitte camilla candace cara carla
carlotta carmen carol carolina caroline carolyn carrie cassandra catherine cecilia cecily celeste celestine celia
charity charlotte chloe christabel christiana christina christine cicely claire clara clarissa claudia clementina
clotilde colleen constance consuelo cora cordelia cornelia cynthia daisy daphne deborah deirdre delia della denise
diana diane dinah dolly dolores dominique dora dorcas doris dorothea dorothy edith edna effie eileen elaine eleanor
elena elinor elisa elisabeth eliza elizabeth ella ellen eloise elsa elsie elspeth elvira emily emma emmeline enid
erica ernestine esmeralda estella estelle esther ethel etta eudora eugenia eugenie eulalie eunice euphemia eva
evangeline eve evelina eveline evelyn faith fanny fannie fay felicia felicity fiona flora florence frances francesca
freda frieda gabrielle genevieve georgiana georgina geraldine germaine gertrude gillian ginny gisela gladys glenda
gloria grace greta gretchen griselda guinevere gwen gwendolen hannah harriet hattie hazel heather heidi helen helena
helene henrietta hermia hermione hester hetty hilary hilda honor honoria hope hortense ida imogen ines ingrid irene
iris irma isabel isabella isadora isolde ivy jacqueline jane janet janey janice jean jeanette jeanne jemima jennifer
jenny jessica jessie jill jo joan joanna jocelyn josephine joy joyce juanita judith judy julia juliana julie juliet
june justine karen kate katharine katherine kathleen kathryn katie katrina kitty kristina lara laura laurel lavinia
lea leah leila lena leonora letitia letty lila lilian lillian lily linda lisa lizzie lizzy lois lola lora loretta
lorna lorraine lottie louisa louise lucia lucille lucinda lucretia lucy lulu luna lydia lynn mabel madeleine
madeline madge magdalen maggie maisie mamie marcella marcia margaret margery margot maria marian mariana marianne
marie marietta marigold marina marion marjorie marlene martha mary matilda maud maude maureen mavis maxine may meg
melanie melinda melissa mercedes mercy meredith mildred millicent millie milly mina minerva minna minnie mira
miranda miriam moira molly mona monica morgana muriel myra myrtle nadia nan nancy naomi natalia natalie natasha nell
nellie nelly nessa netta nicole nina nora noreen norma octavia olga olive olivia opal ophelia pamela pandora pansy
patience patricia paula paulina pauline pearl peggy penelope perdita persis petra phoebe philippa phyllis polly
portia priscilla prudence rachel ramona rebecca regina renee rhoda rita roberta rosa rosalie rosalind rosaline
rosamond rosamund rosanna rose rosemary rosie rowena roxana ruby ruth sabina sabrina sadie sally salome samantha
sandra sara sarah selina serena sheila shirley sibyl sigrid silvia sonia sonya sophia sophie sophronia sophy stella
stephanie susan susanna susannah susie suzanne sybil sylvia tabitha tamara tamsin tatiana teresa tess tessa thea
thelma theodora theresa thomasina tilly tina una ursula valeria valerie vanessa vera verena veronica victoria viola
violet violetta virginia vivian vivien vivienne wanda wendy wilhelmina winifred winnie yolanda yvette yvonne zara
zelda zenobia zoe
"""


def given_name_genders() -> Mapping[str, str]:
    """Return "m", "f", or "" for a name borne by both, by given name in lower case."""
    male, female = set(_MALE_NAMES.split()), set(_FEMALE_NAMES.split())
    for full, shorts in _entries():
        for names in (male, female):
            if full in names and not (full in male and full in female):
                names.update(shorts)
    return {name: "" if name in male and name in female else "m" if name in male else "f" for name in male | female}


def full_forms() -> Mapping[str, frozenset[str]]:
    """Return the full names that each short form may stand for, in lower case."""
    found: dict[str, set[str]] = {}
    for full, shorts in _entries():
        for short in shorts:
            found.setdefault(short, set()).add(full)
    return {short: frozenset(fulls) for short, fulls in found.items()}


def _entries() -> list[tuple[str, list[str]]]:
    entries = (entry.partition(":") for entry in _SHORT_FORMS.split("|"))
    return [(full.strip(), shorts.split()) for full, _colon, shorts in entries]
