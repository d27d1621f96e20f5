"""Any file name the system allows can be kept in the library and shown."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.errors import FileMissingError, shown_path
from engine.paths import path_from_text, text_from_path

_NAMES = [b"plain.epub", "红 楼.epub".encode(), b"50%25 off.epub", b"\xb9\xe2.epub", b"a\xff/b c\xfe.epub", b"file:x"]


@pytest.mark.parametrize("name", _NAMES, ids=ascii)
def test_a_path_comes_back_from_its_text(name: bytes, tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(name)
    text = text_from_path(path)
    text.encode("utf-8")
    assert path_from_text(text) == path


def test_a_path_of_text_stays_readable(tmp_path: Path) -> None:
    assert text_from_path(tmp_path / "红.epub") == f"{tmp_path}/红.epub"


def test_the_sentence_of_an_error_can_be_written_whatever_the_file_is_called() -> None:
    path = Path(os.fsdecode(b"/tmp/\xb9.epub"))
    assert shown_path(path) == "/tmp/\\xb9.epub"
    assert FileMissingError(path, "gone").message == "/tmp/\\xb9.epub: gone. Check the name."
