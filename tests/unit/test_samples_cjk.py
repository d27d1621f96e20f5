from __future__ import annotations

import re
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest
from lxml import etree

from engine.samples.build import Identity, build_series, read_series

SAMPLES = Path(__file__).parents[2] / "engine" / "samples"
XHTML = "{http://www.w3.org/1999/xhtml}"
OPS_TYPE = "{http://www.idpf.org/2007/ops}type"
LANGUAGES = (("tingmolu", "zh"), ("azukariame", "ja"))
SLUGS = tuple(slug for slug, _ in LANGUAGES)
SERIES = {slug: read_series(SAMPLES / slug) for slug in SLUGS}
CHINESE, JAPANESE = SERIES["tingmolu"], SERIES["azukariame"]
CHINESE_CHAPTERS = [(v.index, c.file) for v in CHINESE.volumes for c in v.chapters if c.kind == "body"]
JAPANESE_CHAPTERS = [c.file for c in JAPANESE.volumes[0].chapters if c.kind == "body"]
DOCS = {slug: SAMPLES.parents[1] / "docs" / f"sample-series-{slug_language}.md" for slug, slug_language in LANGUAGES}
POEM, LETTER = f".//{XHTML}blockquote[@class='poem']//{XHTML}br", f".//{XHTML}blockquote[@class='letter']"
PICTURE, TABLE = f".//{XHTML}figure/{XHTML}img[@alt]", f".//{XHTML}table"
VOLUMES = [(slug, v.index) for slug in SLUGS for v in SERIES[slug].volumes]


def cast_table(slug: str) -> list[tuple[str, str, int]]:
    """Return (slug, form, number of the chapter of first use) for each form in the cast table of the docs."""
    people = DOCS[slug].read_text(encoding="utf-8").partition("\n## People\n")[2].partition("\n## ")[0]
    forms = [row.split("|")[2] for row in people.splitlines() if row.startswith("| ")][1:]
    parts = [
        re.fullmatch(r"(.+?)(?: \(.*\))? (\d+)(?: \(.*\))?", part.strip()) for row in forms for part in row.split(",")
    ]
    return [(slug, m[1].strip("“”"), int(m[2])) for m in parts if m is not None]


CAST = [row for slug in SLUGS for row in cast_table(slug)]


@dataclass(frozen=True, slots=True)
class Built:
    """Both sample series as built for these tests."""

    paths: dict[str, list[Path]]

    def page(self, slug: str, volume: int, name: str) -> etree._Element:
        """Parse one document of a volume, strictly."""
        with zipfile.ZipFile(self.paths[slug][volume - 1]) as book:
            return etree.fromstring(book.read(f"EPUB/{name}"))

    def zh(self, volume: int, name: str) -> etree._Element:
        """Parse one document of the Chinese series."""
        return self.page("tingmolu", volume, name)

    def ja(self, name: str) -> etree._Element:
        """Parse one document of the Japanese book."""
        return self.page("azukariame", 1, name)

    def bodies(self, slug: str, volume: int) -> list[etree._Element]:
        """Parse every body chapter of a volume."""
        chapters = SERIES[slug].volumes[volume - 1].chapters
        return [self.page(slug, volume, c.file) for c in chapters if c.kind == "body"]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    out = tmp_path_factory.mktemp("samples")
    return Built({slug: build_series(SAMPLES / slug, out) for slug in SLUGS})


def base_text(element: etree._Element) -> str:
    """Return the text without ruby readings, footnotes, and what is only for the head."""
    left_out = " or ".join(f"ancestor::*[local-name()='{name}']" for name in ("rt", "rp", "aside", "head"))
    return "".join(cast("list[str]", element.xpath(f".//text()[not({left_out})]")))


def paragraphs(page: etree._Element) -> list[str]:
    blocks = page.iter(f"{XHTML}p", f"{XHTML}tr", f"{XHTML}figcaption")
    return [re.sub(r"\s+", "", base_text(block)) for block in blocks]


def whole_text(built: Built, slug: str) -> str:
    pages = [page for volume in SERIES[slug].volumes for page in built.bodies(slug, volume.index)]
    return "\n".join(text for page in pages for text in paragraphs(page))


def han_count(text: str) -> int:
    return len(re.findall(r"[\u4e00-\u9fff]", text))


def letters_count(text: str) -> int:
    """Count Han characters and kana."""
    return len(re.findall(r"[\u4e00-\u9fff\u3041-\u3096\u30a1-\u30faー]", text))


def found(built: Built, slug: str, volume: int, path: str) -> list[etree._Element]:
    return [hit for page in built.bodies(slug, volume) for hit in page.iterfind(path)]


def paragraphs_before(built: Built, identity: Identity) -> list[str]:
    """Return every paragraph of the Chinese series that stands before the revealing chapter."""
    order = [(v.index, c.file) for v in CHINESE.volumes for c in v.chapters]
    before = order[: order.index((identity.volume, identity.chapter))]
    return [text for volume, name in before for text in paragraphs(built.zh(volume, name))]


def names_any(text: str, names: tuple[str, ...]) -> bool:
    return any(name in text for name in names)


def test_the_chinese_series_has_two_volumes_of_five_chapters(built: Built) -> None:
    assert [p.name for p in built.paths["tingmolu"]] == ["tingmolu-1.epub", "tingmolu-2.epub"]
    assert [len(built.bodies("tingmolu", volume)) for volume in (1, 2)] == [5, 5]


def test_the_japanese_book_has_four_chapters_and_an_afterword(built: Built) -> None:
    assert [p.name for p in built.paths["azukariame"]] == ["azukariame-1.epub"]
    assert [c.kind for c in JAPANESE.volumes[0].chapters] == ["body"] * 4 + ["afterword"]


def test_chinese_chapters_are_numbered_on_across_the_volumes() -> None:
    titles = [c.title for v in CHINESE.volumes for c in v.chapters if c.kind == "body"]
    assert [t.partition("　")[0] for t in titles] == [f"第{n}章" for n in "一二三四五六七八九十"]
    assert [v.title.partition("　")[0] for v in CHINESE.volumes] == ["第一卷", "第二卷"]
    assert CHINESE.volumes[1].chapters[-1].title == "后记"


@pytest.mark.parametrize(("volume", "name"), CHINESE_CHAPTERS)
def test_a_chinese_chapter_has_at_least_1600_han_characters(built: Built, volume: int, name: str) -> None:
    assert han_count("".join(paragraphs(built.zh(volume, name)))) >= 1600


@pytest.mark.parametrize("name", JAPANESE_CHAPTERS)
def test_a_japanese_chapter_has_at_least_1600_characters_without_readings(built: Built, name: str) -> None:
    assert letters_count("".join(paragraphs(built.ja(name)))) >= 1600


@pytest.mark.parametrize("name", JAPANESE_CHAPTERS)
def test_a_japanese_chapter_has_mono_and_group_ruby_at_least_twelve(built: Built, name: str) -> None:
    rubies = list(built.ja(name).iter(f"{XHTML}ruby"))
    readings = [len(ruby.findall(f"{XHTML}rt")) for ruby in rubies]
    grouped = [ruby for ruby in rubies if len(ruby.findall(f"{XHTML}rt")) == 1 and len(base_text(ruby)) > 1]
    assert len(rubies) >= 12
    assert max(readings) >= 2
    assert grouped


def test_mono_ruby_gives_each_character_its_own_reading(built: Built) -> None:
    rubies = [ruby for page in built.bodies("azukariame", 1) for ruby in page.iter(f"{XHTML}ruby")]
    mono = [ruby for ruby in rubies if len(ruby.findall(f"{XHTML}rt")) > 1]
    assert [base_text(r) for r in mono if len(base_text(r)) != len(r.findall(f"{XHTML}rt"))] == []
    assert [base_text(r) for r in rubies for rt in r.findall(f"{XHTML}rt") if not rt.text] == []


@pytest.mark.parametrize(("base", "reading"), [("預雨帳", "メモリア"), ("放雨", "カーテンコール")])
def test_invented_readings_stand_over_their_words(built: Built, base: str, reading: str) -> None:
    rubies = [ruby for page in built.bodies("azukariame", 1) for ruby in page.iter(f"{XHTML}ruby")]
    assert (base, reading) in [(base_text(ruby), ruby.findtext(f"{XHTML}rt")) for ruby in rubies]


@pytest.mark.parametrize("name", ["相沢", "千景", "久世", "陸", "雨宮朔太郎", "紅緒", "小野寺", "文"])
def test_a_japanese_name_is_given_its_reading(built: Built, name: str) -> None:
    rubies = [ruby for page in built.bodies("azukariame", 1) for ruby in page.iter(f"{XHTML}ruby")]
    assert name in {base_text(ruby) for ruby in rubies}


@pytest.mark.parametrize("name", JAPANESE_CHAPTERS)
def test_a_chapter_title_of_the_contents_has_no_reading_in_it(built: Built, name: str) -> None:
    titles = [str(a.text) for a in built.ja("nav.xhtml").iterfind(f".//{XHTML}nav[@id='toc']//{XHTML}a")]
    heading = built.ja(name).find(f".//{XHTML}h1")
    assert heading is not None
    assert base_text(heading) in titles


@pytest.mark.parametrize(
    ("slug", "volume", "path"),
    [
        *[("tingmolu", volume, path) for volume in (1, 2) for path in (POEM, LETTER, PICTURE, TABLE)],
        ("tingmolu", 1, f".//{XHTML}em[@class='dots']"),
        *[("azukariame", 1, path) for path in (POEM, LETTER, PICTURE)],
        ("azukariame", 1, f".//{XHTML}em[@class='bouten']"),
        ("azukariame", 1, f".//{XHTML}ruby/{XHTML}rp"),
    ],
)
def test_a_volume_shows_what_a_reader_must_handle(built: Built, slug: str, volume: int, path: str) -> None:
    assert found(built, slug, volume, path)


@pytest.mark.parametrize(("slug", "count"), [("tingmolu", 2), ("azukariame", 1)])
def test_every_footnote_has_its_mark_and_leads_there(built: Built, slug: str, count: int) -> None:
    pages = [page for volume in SERIES[slug].volumes for page in built.bodies(slug, volume.index)]
    marks = [(p, a.get("href")) for p in pages for a in p.iterfind(f".//{XHTML}a[@{OPS_TYPE}='noteref']")]
    notes = [(p, f"#{n.get('id')}") for p in pages for n in p.iterfind(f".//{XHTML}aside[@{OPS_TYPE}='footnote']")]
    assert marks == notes
    assert len(notes) == count


@pytest.mark.parametrize(
    "form", ["顾迟", "晚之", "顾录事", "顾慢", "裴师兄", "裴主簿", "子明", "裴快手", "陆司正", "秤砣"]
)
def test_a_form_of_a_chinese_name_occurs(built: Built, form: str) -> None:
    assert form in whole_text(built, "tingmolu")


@pytest.mark.parametrize("form", ["陆衡", "陆蘅", "陆大人", "卡西安·洛特", "埃拉斯·洛特", "拾遗会", "誊录司", "无寐"])
def test_names_that_can_be_mistaken_or_hold_a_dot_occur(built: Built, form: str) -> None:
    assert form in whole_text(built, "tingmolu")


@pytest.mark.parametrize("form", ["相沢さん", "千景殿", "チカ", "ハルト様", "雨宮先生", "ヴィルマ・ハルト", "りっくん"])
def test_a_form_of_a_japanese_name_occurs(built: Built, form: str) -> None:
    assert form in whole_text(built, "azukariame")


@pytest.mark.parametrize(
    ("slug", "pattern"),
    [
        ("tingmolu", r"“[^”]+‘[^’]+’[^”]*”"),
        ("tingmolu", "……"),
        ("tingmolu", "——"),
        ("tingmolu", r"No\.6，f=183，余音9秒"),
        ("tingmolu", "LOTT FECIT · Nº 6".replace(" ", "")),
        ("azukariame", r"「[^」]*『[^』]+』[^」]*」"),
        ("azukariame", "――"),
        ("azukariame", "0％"),
    ],
)
def test_punctuation_and_mixed_scripts_occur(built: Built, slug: str, pattern: str) -> None:
    assert re.search(pattern, whole_text(built, slug))


@pytest.mark.parametrize(("slug", "pair"), [("tingmolu", "“”"), ("azukariame", "「」"), ("azukariame", "『』")])
def test_quotation_marks_are_paired_in_each_paragraph(built: Built, slug: str, pair: str) -> None:
    text = whole_text(built, slug).split("\n")
    assert [line for line in text if line.count(pair[0]) != line.count(pair[1])] == []


@pytest.mark.parametrize("identity", CHINESE.identities, ids=lambda i: i.names[0][0])
def test_two_who_are_one_never_share_a_paragraph_before_the_reveal(built: Built, identity: Identity) -> None:
    one, other = identity.names
    assert [t for t in paragraphs_before(built, identity) if names_any(t, one) and names_any(t, other)] == []


@pytest.mark.parametrize("identity", CHINESE.identities, ids=lambda i: i.names[0][0])
def test_each_side_of_an_identity_is_met_before_the_reveal(built: Built, identity: Identity) -> None:
    before = "\n".join(paragraphs_before(built, identity))
    assert [name for side in identity.names for name in side if name not in before] == []


@pytest.mark.parametrize("identity", CHINESE.identities, ids=lambda i: i.names[0][0])
def test_the_revealing_chapter_names_both_in_one_paragraph(built: Built, identity: Identity) -> None:
    one, other = identity.names
    reveal = paragraphs(built.zh(identity.volume, identity.chapter))
    assert [t for t in reveal if names_any(t, one) and names_any(t, other)]
    assert identity.volume == CHINESE.volumes[-1].index


def test_the_cast_tables_were_read() -> None:
    assert [len(cast_table(slug)) for slug in SLUGS] == [58, 28]


@pytest.mark.parametrize(("slug", "form", "chapter"), CAST, ids=[f"{slug}-{form}" for slug, form, _ in CAST])
def test_a_form_is_first_used_in_the_chapter_its_table_says(built: Built, slug: str, form: str, chapter: int) -> None:
    pages = [page for volume in SERIES[slug].volumes for page in built.bodies(slug, volume.index)]
    using = [number for number, page in enumerate(pages, start=1) if form in "".join(paragraphs(page))]
    assert using[:1] == [chapter]


@pytest.mark.parametrize(("slug", "volume"), VOLUMES)
def test_the_package_names_language_series_and_cover(built: Built, slug: str, volume: int) -> None:
    package = built.page(slug, volume, "content.opf")
    ns = {"o": "http://www.idpf.org/2007/opf", "dc": "http://purl.org/dc/elements/1.1/"}
    assert package.xpath("string(//dc:language)", namespaces=ns) == SERIES[slug].language
    assert package.xpath("string(//o:meta[@name='calibre:series']/@content)", namespaces=ns) == SERIES[slug].title
    assert package.xpath("string(//o:meta[@name='calibre:series_index']/@content)", namespaces=ns) == str(volume)
    assert package.xpath("string(//o:item[@properties='cover-image']/@href)", namespaces=ns) == "images/cover.png"


@pytest.mark.parametrize(
    "picture",
    sorted(p for slug in SLUGS for p in SAMPLES.glob(f"{slug}/*/images/*.png")),
    ids=lambda p: f"{p.parts[-4]}/{p.parts[-3]}/{p.name}",
)
def test_a_picture_is_small(picture: Path) -> None:
    assert picture.stat().st_size <= 30 * 1024


@pytest.mark.parametrize("slug", SLUGS)
def test_building_twice_gives_equal_bytes(built: Built, tmp_path: Path, slug: str) -> None:
    again = build_series(SAMPLES / slug, tmp_path)
    assert [p.read_bytes() for p in again] == [p.read_bytes() for p in built.paths[slug]]
