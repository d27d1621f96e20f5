"""English forms that no ending tells apart: went is go, men is man."""

from __future__ import annotations

_FORMS = """
arise arose arisen; awake awoke awoken; bear bore borne; beat beaten; become became; begin began begun; bend bent;
bet betted; bind bound; bite bit bitten; bleed bled; blow blew blown; break broke broken; breed bred; bring brought;
build built; burn burnt; buy bought; catch caught; choose chose chosen; cling clung; come came; creep crept; deal dealt;
dig dug; do does did done; draw drew drawn; dream dreamt; drink drank drunk; drive drove driven; dwell dwelt;
eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought; flee fled; fling flung; fly flew flown;
forbid forbade forbidden; forget forgot forgotten; forgive forgave forgiven; forsake forsook forsaken;
freeze froze frozen;
get got gotten; give gave given; go goes went gone; grind ground; grow grew grown; hang hung; have has had; hear heard;
hide hid hidden; hold held; keep kept; kneel knelt; know knew known; lay laid; lead led; lean leant; leap leapt;
learn learnt; leave left; lend lent; light lit; lose lost; make made; mean meant; meet met; mistake mistook mistaken;
overcome overcame; overtake overtook overtaken; pay paid; ride rode ridden; ring rang rung; rise rose risen; run ran;
say said; see saw seen; seek sought; sell sold; send sent; sew sewn; shake shook shaken; shear shorn; shine shone;
shoot shot; show shown; shrink shrank shrunk; sing sang sung; sink sank sunk; sit sat; slay slew slain; sleep slept;
slide slid; sling slung; smell smelt; sow sown; speak spoke spoken; speed sped; spell spelt; spend spent; spin spun;
spill spilt; spit spat; spoil spoilt; spring sprang sprung; stand stood; steal stole stolen; stick stuck; sting stung;
stink stank stunk; stride strode stridden; strike struck stricken; strive strove striven; swear swore sworn;
sweep swept; swell swollen; swim swam swum; swing swung; take took taken; teach taught; tear tore torn; tell told;
think thought; throw threw thrown; tread trod trodden; undergo underwent undergone; understand understood;
undertake undertook undertaken; wake woke woken; wear wore worn; weave wove woven; weep wept; win won; wind wound;
withdraw withdrew withdrawn; wring wrung; write wrote written; be is are am was were been;
man men; woman women; child children; foot feet; tooth teeth; goose geese; mouse mice; louse lice; ox oxen; die dice;
wife wives; life lives; knife knives; wolf wolves; leaf leaves; thief thieves; half halves; calf calves; shelf shelves;
loaf loaves; self selves; elf elves; sheaf sheaves; hoof hooves; scarf scarves; person people; brother brethren;
good better best; bad worse worst; little less least; far farther farthest further furthest; old elder eldest
"""
_BASE = {form: group.split()[0] for group in _FORMS.split(";") for form in group.split()[1:]}


def base_form(word: str) -> str:
    """Return the form a dictionary lists a folded English word under, the word itself where its ending tells."""
    return _BASE.get(word, word)
