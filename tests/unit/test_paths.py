from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.library import Library
from engine.paths import default_paths, paths_under


def test_one_variable_puts_everything_under_one_folder(tmp_path: Path) -> None:
    paths = default_paths({"UNDERSTORY_HOME": str(tmp_path / "all"), "HOME": "/nowhere"})
    assert paths == paths_under(tmp_path / "all")


def test_the_usual_folders_lie_under_the_home(tmp_path: Path) -> None:
    paths = default_paths({"HOME": str(tmp_path)})
    assert paths.config_dir == tmp_path / ".config/understory"
    assert paths.library_db == tmp_path / ".local/share/understory/library.db"
    assert paths.log_file.parent == tmp_path / ".local/state/understory"
    assert paths.notices == ()


def test_the_desktop_s_variables_move_them_if_they_are_absolute(tmp_path: Path) -> None:
    environ = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "d"), "XDG_STATE_HOME": "relative"}
    paths = default_paths(environ)
    assert paths.data_dir == tmp_path / "d/understory"
    assert paths.state_dir == tmp_path / ".local/state/understory"


def test_nobody_else_may_look_into_them(tmp_path: Path) -> None:
    paths = default_paths({"HOME": str(tmp_path)})
    assert [folder.stat().st_mode & 0o777 for folder in (paths.data_dir, paths.state_dir)] == [0o700, 0o700]


def test_asking_for_them_makes_no_configuration(tmp_path: Path) -> None:
    assert not default_paths({"HOME": str(tmp_path)}).config_dir.exists()


def test_without_a_home_a_temporary_folder_serves_and_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    paths = default_paths({})
    assert paths.data_dir.is_relative_to(tmp_path)
    assert len(paths.notices) == 1
    library = Library(paths)
    assert library.notices == paths.notices
    library.close()


def test_a_home_that_cannot_be_written_gives_way_to_the_state_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, state = tmp_path / "home", tmp_path / "state"
    home.write_text("a file where the folder should be")
    paths = default_paths({"HOME": str(home), "XDG_STATE_HOME": str(state)})
    assert paths.data_dir.is_relative_to(state)
    assert len(paths.notices) == 1
    assert str(home) in paths.notices[0]


def test_when_nothing_can_be_written_a_temporary_folder_serves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    (tmp_path / "home").write_text("a file")
    paths = default_paths({"HOME": str(tmp_path / "home")})
    assert paths.data_dir.is_relative_to(tmp_path / "tmp")
    assert len(paths.notices) == 2


def test_a_temporary_folder_that_somebody_else_made_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    default_paths({})
    monkeypatch.setattr("engine.paths.os.getuid", lambda: 12345)
    (tmp_path / "understory-12345").mkdir()
    paths = default_paths({})
    assert not os.access(paths.data_dir / "library.db", os.F_OK)
    assert paths.notices


def test_a_library_that_is_there_is_kept_even_if_it_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = default_paths({"HOME": str(tmp_path)})
    Library(paths).close()
    monkeypatch.setattr("engine.paths.os.access", lambda path, mode: ".local/share" not in str(path))
    assert default_paths({"HOME": str(tmp_path)}).data_dir == paths.data_dir
