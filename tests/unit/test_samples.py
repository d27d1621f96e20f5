from __future__ import annotations

import importlib.util
import re
import zipfile
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from types import ModuleType

import pytest
from lxml import etree

from engine.errors import SamplesMissingError
from engine.samples import sample_paths
from engine.samples.build import Identity, Series, SeriesInvalidError, build_series, read_series

SAMPLES = Path(__file__).parents[2] / "engine" / "samples"
ASHFALL = SAMPLES / "ashfall"
XHTML = "{http://www.w3.org/1999/xhtml}"
OPS_TYPE = "{http://www.idpf.org/2007/ops}type"
SERIES = read_series(ASHFALL)
BODY_CHAPTERS = [(v.index, c.file) for v in SERIES.volumes for c in v.chapters if c.kind == "body"]
OTHER_PAGES = [(v.index, c.file) for v in SERIES.volumes for c in v.chapters if c.kind != "body"]
VOLUMES = [v.index for v in SERIES.volumes]


@dataclass(frozen=True, slots=True)
class Built:
    """The sample series as built for these tests."""

    folder: Path
    paths: list[Path]

    def page(self, volume: int, name: str) -> etree._Element:
        """Parse one document of a volume, strictly."""
        with zipfile.ZipFile(self.paths[volume - 1]) as book:
            return etree.fromstring(book.read(f"EPUB/{name}"))

    def whole(self, volume: int) -> list[etree._Element]:
        """Parse every body chapter of a volume."""
        return [self.page(v, name) for v, name in BODY_CHAPTERS if v == volume]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("samples")
    return Built(folder, build_series(ASHFALL, folder))


def blocks_of(page: etree._Element) -> list[str]:
    """Return the text of each paragraph-level element, white space folded."""
    blocks = page.iter(f"{XHTML}p", f"{XHTML}h1", f"{XHTML}tr", f"{XHTML}caption", f"{XHTML}figcaption")
    # Joined by spaces: a line break or a table cell must not glue two names together.
    return [" ".join(" ".join(map(str, block.itertext())).split()) for block in blocks]


def word_count(page: etree._Element) -> int:
    return sum(len(re.findall(r"\w[\w’.-]*", block)) for block in blocks_of(page))


def rows_of_names() -> list[tuple[str, str]]:
    """Return (name, first chapter) as docs/sample-series.md states them."""
    page = (SAMPLES.parents[1] / "docs" / "sample-series.md").read_text(encoding="utf-8")
    return re.findall(
        r"^\|[^|]+\| (?:person|place|organisation|item|event|concept) \| (.+?) \| (\d\.\d) \|$", page, re.M
    )


def first_chapter(built: Built, name: str) -> str:
    """Return volume.chapter of the first body chapter with `name` in a paragraph, or "nowhere"."""
    hits = (
        f"{volume}.{int(file[:2])}"
        for volume, file in BODY_CHAPTERS
        if any(names_any(block, (name,)) for block in blocks_of(built.page(volume, file)))
    )
    return next(hits, "nowhere")


def found(built: Built, volume: int, path: str) -> list[etree._Element]:
    return [hit for page in built.whole(volume) for hit in page.iterfind(path)]


def blocks_before_reveal(series: Series, identity: Identity, built: Built) -> list[tuple[str, str]]:
    """Return (place, text) of every block that stands before the revealing chapter."""
    order = [(v.index, c.file) for v in series.volumes for c in v.chapters]
    before = order[: order.index((identity.volume, identity.chapter))]
    return [(f"{v}/{name}", block) for v, name in before for block in blocks_of(built.page(v, name))]


def names_any(block: str, names: tuple[str, ...]) -> bool:
    return bool(re.search(r"\b(" + "|".join(map(re.escape, names)) + r")\b", block, re.IGNORECASE))


def test_the_series_has_three_volumes_of_six_chapters(built: Built) -> None:
    assert [p.name for p in built.paths] == ["ashfall-1.epub", "ashfall-2.epub", "ashfall-3.epub"]
    assert [len(built.whole(volume)) for volume in (1, 2, 3)] == [6, 6, 6]


@pytest.mark.parametrize(("volume", "name"), BODY_CHAPTERS)
def test_every_chapter_has_at_least_1250_words(built: Built, volume: int, name: str) -> None:
    assert word_count(built.page(volume, name)) >= 1250


@pytest.mark.parametrize(("volume", "name"), OTHER_PAGES)
def test_front_matter_and_afterword_are_short(built: Built, volume: int, name: str) -> None:
    assert 20 <= word_count(built.page(volume, name)) <= 250


@pytest.mark.parametrize("volume", VOLUMES)
@pytest.mark.parametrize(
    "path",
    [
        f".//{XHTML}a[@{OPS_TYPE}='noteref']",
        f".//{XHTML}aside[@{OPS_TYPE}='footnote']",
        f".//{XHTML}table",
        f".//{XHTML}div[@class='poem']//{XHTML}br",
        f".//{XHTML}blockquote[@class='letter']",
        f".//{XHTML}figure/{XHTML}img[@alt]",
        f".//{XHTML}em",
        f".//{XHTML}b",
        f".//*[@{OPS_TYPE}='pagebreak']",
    ],
)
def test_every_volume_shows_what_a_reader_must_handle(built: Built, volume: int, path: str) -> None:
    assert found(built, volume, path)


def test_the_first_volume_has_two_notes_and_a_link_between_chapters(built: Built) -> None:
    assert len(found(built, 1, f".//{XHTML}aside[@{OPS_TYPE}='footnote']")) >= 2
    assert [a.get("href") for a in found(built, 1, f".//{XHTML}a") if ".xhtml" in str(a.get("href"))] == [
        "02.xhtml#hooks"
    ]


@pytest.mark.parametrize("volume", VOLUMES)
def test_every_inner_link_leads_to_an_element(built: Built, volume: int) -> None:
    pages = {c.file: built.page(volume, c.file) for c in SERIES.volumes[volume - 1].chapters}
    pages["nav.xhtml"] = built.page(volume, "nav.xhtml")
    pages["cover.xhtml"] = built.page(volume, "cover.xhtml")
    links = [(name, str(a.get("href"))) for name, page in pages.items() for a in page.iter(f"{XHTML}a")]
    targets = [(href.partition("#")[0] or name, href.partition("#")[2]) for name, href in links]
    assert targets
    assert [t for t in targets if t[1] and pages[t[0]].find(f".//*[@id='{t[1]}']") is None] == []


@pytest.mark.parametrize("volume", VOLUMES)
def test_page_list_names_every_page_marker_in_order(built: Built, volume: int) -> None:
    nav = built.page(volume, "nav.xhtml").findall(f".//{XHTML}nav[@{OPS_TYPE}='page-list']//{XHTML}a")
    marks = [mark.get("aria-label") for mark in found(built, volume, f".//*[@{OPS_TYPE}='pagebreak']")]
    assert [a.text for a in nav] == marks
    assert marks == sorted(marks, key=lambda label: int(str(label)))


@pytest.mark.parametrize("volume", VOLUMES)
def test_the_package_names_series_cover_nav_and_ncx(built: Built, volume: int) -> None:
    package = built.page(volume, "content.opf")
    ns = {"o": "http://www.idpf.org/2007/opf"}
    assert package.xpath("string(//o:meta[@property='belongs-to-collection'])", namespaces=ns) == "Ashfall Station"
    assert package.xpath("string(//o:meta[@property='collection-type'])", namespaces=ns) == "series"
    assert package.xpath("string(//o:meta[@name='calibre:series']/@content)", namespaces=ns) == "Ashfall Station"
    assert package.xpath("string(//o:meta[@name='calibre:series_index']/@content)", namespaces=ns) == str(volume)
    assert package.xpath("string(//o:item[@properties='cover-image']/@href)", namespaces=ns) == "images/cover.png"
    assert package.xpath("string(//o:item[@properties='nav']/@href)", namespaces=ns) == "nav.xhtml"
    assert package.xpath("string(//o:item[@id=//o:spine/@toc]/@href)", namespaces=ns) == "toc.ncx"


@pytest.mark.parametrize("volume", VOLUMES)
def test_the_archive_begins_with_a_stored_mimetype(built: Built, volume: int) -> None:
    with zipfile.ZipFile(built.paths[volume - 1]) as book:
        first = book.infolist()[0]
        assert (first.filename, first.compress_type) == ("mimetype", zipfile.ZIP_STORED)
        assert book.testzip() is None


@pytest.mark.parametrize("picture", sorted(ASHFALL.glob("*/images/*.png")), ids=lambda p: f"{p.parts[-3]}/{p.name}")
def test_a_picture_is_small(picture: Path) -> None:
    assert picture.stat().st_size <= 30 * 1024


def test_building_twice_gives_equal_bytes(built: Built, tmp_path: Path) -> None:
    again = build_series(ASHFALL, tmp_path)
    assert [p.read_bytes() for p in again] == [p.read_bytes() for p in built.paths]


def test_a_book_that_is_right_already_is_not_written_again(tmp_path: Path) -> None:
    before = [p.stat().st_mtime_ns for p in build_series(ASHFALL, tmp_path)]
    assert [p.stat().st_mtime_ns for p in build_series(ASHFALL, tmp_path)] == before


@pytest.mark.parametrize("identity", SERIES.identities, ids=lambda i: i.names[0][0])
def test_two_who_are_one_never_share_a_paragraph_before_the_reveal(built: Built, identity: Identity) -> None:
    one, other = identity.names
    blocks = blocks_before_reveal(SERIES, identity, built)
    assert [b for b in blocks if names_any(b[1], one) and names_any(b[1], other)] == []


@pytest.mark.parametrize("identity", SERIES.identities, ids=lambda i: i.names[0][0])
def test_each_side_of_an_identity_is_met_before_the_reveal(built: Built, identity: Identity) -> None:
    blocks = blocks_before_reveal(SERIES, identity, built)
    named = {name for (_, text), side in product(blocks, identity.names) for name in side if names_any(text, (name,))}
    assert named == {name for side in identity.names for name in side}


@pytest.mark.parametrize("identity", SERIES.identities, ids=lambda i: i.names[0][0])
def test_the_revealing_chapter_names_both_in_one_paragraph(built: Built, identity: Identity) -> None:
    one, other = identity.names
    blocks = blocks_of(built.page(identity.volume, identity.chapter))
    assert [b for b in blocks if names_any(b, one) and names_any(b, other)]


def test_the_list_of_facts_is_read_from_its_page() -> None:
    assert len(rows_of_names()) >= 80


@pytest.mark.parametrize(("name", "first"), rows_of_names())
def test_a_name_first_stands_in_the_chapter_the_list_of_facts_gives(built: Built, name: str, first: str) -> None:
    assert first_chapter(built, name) == first


def series_folder(tmp_path: Path, fragment: str, *, language: str, title: str, extra: str = 'kind = "body"') -> Path:
    (tmp_path / "1").mkdir()
    (tmp_path / "1" / "cover.png").write_bytes((ASHFALL / "1" / "images" / "cover.png").read_bytes())
    (tmp_path / "1" / "01.xhtml").write_text(fragment, encoding="utf-8")
    (tmp_path / "series.toml").write_text(
        f'title = "{title}"\nauthor = "x"\nlanguage = "{language}"\npublished = 2026-01-01\nrights = "x"\n'
        f'[[volumes]]\nindex = 1\ntitle = "{title}"\ncover = "cover.png"\n'
        f'chapters = [{{ title = "{title}", file = "01.xhtml", {extra} }}]\n',
        encoding="utf-8",
    )
    return tmp_path


@pytest.mark.parametrize(
    ("language", "title", "ruby"),
    [
        ("ja", "灯台守", "<ruby>灯台守<rt>とうだいもり</rt></ruby>"),
        ("zh", "守灯人", "<ruby>守灯人<rt>shǒu dēng rén</rt></ruby>"),
        ("en", "Keeper", "<ruby>Keeper<rt>kee-per</rt></ruby>"),
    ],
)
def test_ruby_reaches_heading_and_text_but_not_the_contents(
    tmp_path: Path, language: str, title: str, ruby: str
) -> None:
    folder = series_folder(tmp_path, f"<p>{ruby}</p>", language=language, title=title, extra=f'heading = "{ruby}"')
    made = Built(tmp_path, build_series(folder, tmp_path / "out"))
    page = made.page(1, "01.xhtml")
    assert len(list(page.iter(f"{XHTML}rt"))) == 2
    assert page.get("lang") == language
    assert [a.text for a in made.page(1, "nav.xhtml").iterfind(f".//{XHTML}nav[@id='toc']//{XHTML}a")] == [title]
    assert made.paths[0].name == f"{tmp_path.name}-1.epub"


@pytest.mark.parametrize(
    ("fragment", "extra", "reason"),
    [
        ("<p>open", 'kind = "body"', "not well-formed"),
        ('<p><span epub:type="pagebreak"/>x</p>', 'kind = "body"', "pagebreak needs id"),
        ("<p>x</p>", 'kind = "prologue"', "kind 'prologue'"),
    ],
)
def test_a_wrong_source_is_named_with_its_reason(tmp_path: Path, fragment: str, extra: str, reason: str) -> None:
    folder = series_folder(tmp_path, fragment, language="en", title="T", extra=extra)
    with pytest.raises(SeriesInvalidError, match=reason):
        build_series(folder, tmp_path / "out")


def test_a_folder_without_series_toml_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SeriesInvalidError, match=r"series\.toml"):
        read_series(tmp_path)


def test_missing_samples_are_told_as_missing() -> None:
    with pytest.raises(SamplesMissingError, match="No sample books"):
        sample_paths("a series nobody wrote")


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("hook_under_test", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_build_hook_makes_the_books_from_its_own_tree(tmp_path: Path, built: Built) -> None:
    samples = tmp_path / "engine" / "samples"
    samples.mkdir(parents=True)
    (samples / "build.py").write_bytes((SAMPLES / "build.py").read_bytes())
    (samples / "style.css").write_bytes((SAMPLES / "style.css").read_bytes())
    (samples / "ashfall").symlink_to(ASHFALL)
    locale = tmp_path / "engine" / "locale"
    locale.mkdir()
    (locale / "compile.py").write_bytes((SAMPLES.parent / "locale" / "compile.py").read_bytes())
    hook_class = load(SAMPLES.parent / "build_hook.py").BuildHook
    hook_class(str(tmp_path), {}, None, None, str(tmp_path), "wheel").initialize("editable", {})
    assert [p.read_bytes() for p in sorted(samples.glob("*.epub"))] == [p.read_bytes() for p in built.paths]
