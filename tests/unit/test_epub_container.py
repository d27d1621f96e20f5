from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from engine.domain.book import WarningKind
from engine.epub import container as room
from engine.epub.container import Container, EntryError, open_container
from engine.epub.names import is_foreign, resolve
from engine.errors import FileMissingError, VolumeUnreadableError
from tests.epubs import NOISE, damage, write_lying_zip, write_zip


def _opened(path: Path, entries: dict[str, bytes]) -> Container:
    return open_container(write_zip(path, entries))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty"),
        (b"hello" * 99, "not an EPUB"),
        (b"%PDF-1.7\n" + b"x" * 99, "PDF"),
        (b"\0" * 60 + b"BOOKMOBI" + b"\0" * 99, "Kindle"),
        (b"PK\x03\x04" + b"\0" * 99, "cut off"),
        (b"Rar!" + b"\0" * 99, "another kind"),
    ],
)
def test_what_is_no_zip_is_refused_by_its_name(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "book.epub"
    path.write_bytes(content)

    with pytest.raises(VolumeUnreadableError, match=reason):
        open_container(path)


def test_a_folder_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(VolumeUnreadableError, match="folder"):
        open_container(tmp_path)
    with pytest.raises(FileMissingError):
        open_container(tmp_path / "none.epub")


@pytest.mark.parametrize(
    ("stored", "asked", "is_repaired"),
    [
        ("a/b.xhtml", "a/b.xhtml", False),
        ("a/b c.xhtml", "a/b%20c.xhtml", False),
        ("a/%41.xhtml", "a/%41.xhtml", False),
        ("a/B.XHTML", "a/b.xhtml", True),
        ("a\\b.xhtml", "a/b.xhtml", True),
        ("か\u3099.xhtml", "が.xhtml", True),
        ("./a.xhtml", "a.xhtml", True),
    ],
)
def test_names_are_found_however_they_are_written(tmp_path: Path, stored: str, asked: str, is_repaired: bool) -> None:
    container = _opened(tmp_path / "z.zip", {stored: b"x"})

    found = container.find(asked)

    assert found is not None
    assert container.read(found) == b"x"
    assert [warning.kind for warning in container.warnings] == [WarningKind.NAME_REPAIRED] * is_repaired


@pytest.mark.parametrize("encoding", ["gb18030", "shift_jis", "cp437"])
def test_names_in_old_encodings_are_read_again(tmp_path: Path, encoding: str) -> None:
    name = "café" if encoding == "cp437" else "第一章"
    raw = name.encode(encoding)
    path = write_zip(tmp_path / "z.zip", {"Z" * len(raw): b"x"})
    path.write_bytes(path.read_bytes().replace(b"Z" * len(raw), raw))

    container = open_container(path)

    found = container.find(name)
    assert found is not None
    assert container.read(found) == b"x"
    assert container.warnings[0].kind is WarningKind.NAME_REPAIRED


def test_a_name_that_fits_two_entries_fits_none(tmp_path: Path) -> None:
    assert _opened(tmp_path / "z.zip", {"A.xhtml": b"1", "a.XHTML": b"2"}).find("a.xhtml") is None


@pytest.mark.parametrize(
    ("document", "reference", "name", "fragment", "is_outside"),
    [
        ("OEBPS/t/c.xhtml", "../i/p.png", "OEBPS/i/p.png", "", False),
        ("OEBPS/c.xhtml", "#x%20y", "OEBPS/c.xhtml", "x y", False),
        ("OEBPS/c.xhtml", "t/../c2.xhtml#a?b", "OEBPS/c2.xhtml", "a?b", False),
        ("OEBPS/c.xhtml", "/cover.xhtml", "cover.xhtml", "", False),
        ("OEBPS/c.xhtml", "../../../etc/passwd", "etc/passwd", "", True),
        ("OEBPS/c.xhtml", "%2e%2e/%2E%2E/%2e./etc/passwd", "etc/passwd", "", True),
        ("OEBPS/c.xhtml", "..\\..\\x", "x", "", True),
        ("OEBPS/c.xhtml", "C:\\Windows\\x", "OEBPS/C:/Windows/x", "", True),
        ("c.xhtml", "d.xhtml", "d.xhtml", "", False),
    ],
)
def test_references_never_leave_the_book(
    document: str, reference: str, name: str, fragment: str, is_outside: bool
) -> None:
    assert resolve(document, reference) == (name, fragment, is_outside)


@pytest.mark.parametrize("reference", ["http://x/y", "//host/x", "javascript:x", "file:///x", "data:,x", "mailto:x"])
def test_references_with_a_scheme_are_foreign(reference: str) -> None:
    assert is_foreign(reference)


def test_entries_outside_the_root_are_not_reached(tmp_path: Path) -> None:
    container = _opened(tmp_path / "z.zip", {"../../evil.xhtml": b"1", "/abs.xhtml": b"2", "ok.xhtml": b"3"})

    assert [container.find(name) for name in ("evil.xhtml", "abs.xhtml")] == [None, None]


def test_a_damaged_entry_is_its_own_fault_only(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "z.zip", {"bad": NOISE.encode(), "good": b"fine"})
    container = open_container(damage(path, "bad"))

    with pytest.raises(EntryError) as error:
        container.read("bad")

    assert error.value.warning.kind is WarningKind.ENTRY_DAMAGED
    assert container.read("good") == b"fine"


def test_a_wrong_check_sum_over_whole_data_is_only_told(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "z.zip", {"a": b"text"})
    data = path.read_bytes()
    crc = data[14:18]
    path.write_bytes(data.replace(crc, b"\1\2\3\4"))

    container = open_container(path)

    assert container.read("a") == b"text"
    assert [warning.kind for warning in container.warnings] == [WarningKind.ENTRY_DAMAGED]


def test_sizes_are_counted_while_inflating(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MAX_ITEM_BYTES", 50_000)
    path = write_lying_zip(tmp_path / "z.zip", "a", bytes(range(256)) * 4_000, said_size=10)

    with pytest.raises(EntryError) as error:
        open_container(path).read("a", 50_000)

    assert error.value.warning.kind is WarningKind.ENTRY_TOO_LARGE


def test_an_entry_that_says_it_is_too_large_is_not_inflated(tmp_path: Path) -> None:
    path = write_lying_zip(tmp_path / "z.zip", "a", b"small", said_size=65 << 20)

    with pytest.raises(EntryError, match="larger than 64 MB"):
        open_container(path).read("a")


def test_a_bomb_is_stopped_by_its_ratio_above_a_mebibyte(tmp_path: Path) -> None:
    container = _opened(tmp_path / "z.zip", {"bomb": bytes(8 << 20), "blank": bytes(1 << 20)})

    with pytest.raises(EntryError, match="times its size"):
        container.read("bomb")
    assert len(container.read("blank")) == 1 << 20


def test_all_entries_together_have_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MAX_TOTAL_BYTES", 1_500)
    container = _opened(tmp_path / "z.zip", {"a": b"x" * 1_000, "b": b"y" * 1_000})

    assert len(container.read("a")) == len(container.read("a")) == 1_000
    with pytest.raises(EntryError) as error:
        container.read("b")
    assert error.value.warning.kind is WarningKind.ENTRY_TOO_LARGE


def test_of_two_entries_with_one_name_the_later_counts(tmp_path: Path) -> None:
    path = tmp_path / "z.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a", b"first")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("a", b"second")

    assert open_container(path).read("a") == b"second"


def test_entries_that_overlap_are_left_out(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "z.zip", {"a": b"x" * 100, "b": b"y" * 100})
    data = bytearray(path.read_bytes())
    first = data.find(b"PK\x01\x02")
    data[first + 20 : first + 24] = (1_000).to_bytes(4, "little")
    path.write_bytes(bytes(data))

    with pytest.raises(EntryError, match="overlaps"):
        open_container(path).read("a")


def test_an_encrypted_entry_is_named_as_such(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "z.zip", {"a": b"x"})
    data = bytearray(path.read_bytes())
    data[data.find(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(bytes(data))

    with pytest.raises(EntryError, match="password"):
        open_container(path).read("a")


def test_a_zip_behind_other_bytes_and_with_a_comment_opens(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "z.zip", {"a": b"x"})
    with zipfile.ZipFile(path, "a") as archive:
        archive.comment = b"made by hand"
    path.write_bytes(b"#!/bin/sh\n" + path.read_bytes())

    assert open_container(path).read("a") == b"x"


def test_a_large_format_zip_opens(tmp_path: Path) -> None:
    path = tmp_path / "z.zip"
    with zipfile.ZipFile(path, "w") as archive, archive.open("a", "w", force_zip64=True) as entry:
        entry.write(b"x")

    assert open_container(path).read("a") == b"x"


@pytest.mark.parametrize("cut", range(1, 20))
def test_a_file_cut_anywhere_is_refused_or_read_but_never_worse(tmp_path: Path, cut: int) -> None:
    path = write_zip(tmp_path / "z.zip", {"a": b"x" * 300, "b": b"y" * 300})
    data = path.read_bytes()
    path.write_bytes(data[: len(data) * cut // 20])

    with pytest.raises(VolumeUnreadableError):
        open_container(path)
