"""The wheel, built through the sdist and installed elsewhere: what an editable install hides."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

from engine.translate import CATALOGUES
from tests.commands import CHECKOUT, records

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the sdist, and the wheel from it; the build back end comes from this environment, not from a registry."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(CHECKOUT)],
        check=True, capture_output=True, timeout=300,
    )  # fmt: skip
    return folder


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    """Return the wheel."""
    [path] = dist.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel into an environment of its own; what it depends on is borrowed from this one."""
    folder = tmp_path_factory.mktemp("elsewhere") / "venv"
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True, timeout=120)
    python = folder / "bin" / "python"
    subprocess.run(
        [str(python), "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", str(wheel)], check=True, timeout=120
    )
    [site] = folder.glob("lib/python*/site-packages")
    # A plain path line: the .pth files of this environment, such as that of an editable install, are not followed.
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    return folder


def _run(installed: Path, *words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [str(installed / "bin" / words[0]), *words[1:]],
        capture_output=True, encoding="utf-8", cwd=cwd, env={**env, "TERM": "dumb"}, timeout=120, check=False,
    )  # fmt: skip


def test_the_wheel_holds_what_is_no_python(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert [name for name in names if name.startswith("engine/samples/ashfall-") and name.endswith(".epub")]
    assert {f"themes/{name}.toml" for name in ("paper", "ink", "high-contrast")} <= set(names)
    assert {f"engine/locale/{language}/LC_MESSAGES/understory.mo" for language in CATALOGUES} <= set(names)
    in_checkout = {str(path.relative_to(CHECKOUT)) for path in (CHECKOUT / "tui").rglob("*.tcss")}
    assert in_checkout
    assert in_checkout <= set(names)


def test_the_wheel_holds_no_tests_and_nothing_left_lying_about(wheel: Path) -> None:
    roots = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {root for root in roots if not root.endswith(".dist-info")} == {"engine", "tui", "themes"}
    assert [name for name in zipfile.ZipFile(wheel).namelist() if "__pycache__" in name or name.endswith(".part")] == []


def test_the_sdist_holds_what_its_tests_need(dist: Path) -> None:
    [path] = dist.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "LICENSE", "README.md", "Makefile", "tests/conftest.py", "docs/cli.md"} <= names
    assert not [name for name in names if name.startswith((".venv", ".git/"))]


def test_the_installed_script_opens_the_sample_series_from_anywhere(installed: Path, tmp_path: Path) -> None:
    imported = _run(installed, "understory", "import", "--samples", "--json", cwd=tmp_path)
    assert (imported.returncode, imported.stderr) == (0, "")
    assert {record["status"] for record in records(imported.stdout)} == {"opened"}
    listed = _run(installed, "understory", "list", "--json", cwd=tmp_path)
    [work] = records(listed.stdout)
    assert work["volumes"] == len(records(imported.stdout))
    through_engine = _run(installed, "python", "-m", "engine", "list", "--json", cwd=tmp_path)
    assert through_engine.stdout == listed.stdout


def test_the_installed_reader_is_the_wheels_own(installed: Path, tmp_path: Path) -> None:
    code = "import engine, tui.start, themes; print(engine.__file__, tui.start.__file__, themes.__file__)"
    shown = _run(installed, "python", "-c", code, cwd=tmp_path)
    assert shown.returncode == 0, shown.stderr
    assert [str(installed) in path for path in shown.stdout.split()] == [True] * 3


def test_the_version_is_told(installed: Path, tmp_path: Path) -> None:
    assert _run(installed, "understory", "--version", cwd=tmp_path).stdout == "understory 0.1.0\n"
