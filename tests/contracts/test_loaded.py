"""What is really loaded: contracts on imports see the source, this sees the process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import CHECKOUT, run_command
from tests.terminal import Terminal

_HEAVY = ("llm", "numpy", "rapidfuzz", "ebooklib", "html2text", "lxml", "sqlite_vec", "openai", "pydantic")


def _loaded_after(code: str) -> set[str]:
    """Return the modules a fresh interpreter holds after running `code`."""
    report = "import sys, json; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}"],
        capture_output=True, encoding="utf-8", check=True, cwd=CHECKOUT,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)}, timeout=60,
    )  # fmt: skip
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize("heavy", [*_HEAVY, "textual", "rich", "asyncio"])
def test_the_library_comes_without(heavy: str) -> None:
    assert heavy not in _loaded_after("import engine.library")


@pytest.mark.parametrize("heavy", [*_HEAVY, "textual", "rich", "asyncio", "tui.app", "tui.start"])
def test_a_command_comes_without(heavy: str) -> None:
    code = "import sys\nsys.argv = ['understory', 'list']\nfrom tui.__main__ import main\nassert main() == 0"
    assert heavy not in _loaded_after(code)


@pytest.mark.parametrize("heavy", ["llm", "openai", "pydantic", "numpy", "textual"])
def test_whoever_asks_about_models_talks_to_a_process_that_has_them(heavy: str) -> None:
    code = (
        "from engine.library import Library\nfrom engine.paths import default_paths\n"
        "library = Library(default_paths())\nlibrary.model_roles()\nassert library.installed_models()\nlibrary.close()"
    )
    assert heavy not in _loaded_after(code)


@pytest.mark.parametrize("model", ["", "away"], ids=["quoted", "by a model"])
def test_whoever_asks_a_question_leaves_llm_to_another_process(model: str) -> None:
    code = (
        "from engine.domain.models import ModelAddress, ModelRole\nfrom engine.paths import default_paths\n"
        "from tests.conversing import ask, told_in\n"
        "library, work = told_in(default_paths())\n"
        "library.add_model(ModelAddress('away', url='http://127.0.0.1:9/v1'))\n"
        f"library.use_model(ModelRole.COMPANION, {model!r})\n"
        "library.warm_companion()\n"
        "ask(library, work, 'Who kept the lamp?')\n"
        "library.close()"
    )
    assert _loaded_after(code) & {"llm", "openai", "pydantic"} == set()


def test_the_programs_first_lines_load_next_to_nothing() -> None:
    """What stands before the first page delays it: no pathlib, no re, no typing."""
    # collections.abc is another name of what is there already.
    allowed = _loaded_after("import collections.abc, os, signal, sys, termios, __future__")
    assert _loaded_after("import tui.__main__") - allowed <= {"tui", "tui.__main__", "tui.early"}


def test_whoever_reads_english_loads_no_catalogue() -> None:
    code = "from engine.translate import _, use_language\nuse_language('en')\nassert _('Contents') == 'Contents'"
    assert "gettext" not in _loaded_after(code)


def test_the_unicode_tables_are_all_that_text_takes_from_sqlite() -> None:
    """The import contract cannot tell apsw.unicode from apsw; the source can."""
    lines = [
        line.strip()
        for path in (CHECKOUT / "engine" / "text").rglob("*.py")
        for line in path.read_text("utf-8").splitlines()
        if "apsw" in line and "import" in line
    ]
    assert lines
    assert [
        line for line in lines if not line.startswith(("from apsw import unicode", "from apsw.unicode import"))
    ] == []


def _loaded_when_read(words: list[str], folder: Path, keys: str = "", until: str = "") -> set[str]:
    """Open the reader on a terminal, leave it when the page shows, return what its process had loaded.

    Args:
        words: Of the command line.
        folder: For what is passed on.
        keys: Typed on the page.
        until: A pattern that shows once they were acted on; Esc goes back from there.
    """
    dump = folder / "modules.json"
    code = (
        "import atexit, json, os, pathlib, sys\n"
        f"dump = pathlib.Path({str(dump)!r})\n"
        "tell = lambda: dump.write_text(json.dumps(sorted(sys.modules)))\n"
        "atexit.register(tell)\n"
        "by_force = os._exit\n"  # how it ends where a busy machine does not let it leave in time
        "os._exit = lambda code: (tell(), by_force(code))\n"
        f"sys.argv = ['understory', *{words!r}]\n"
        "from tui.__main__ import main\n"
        "sys.exit(main())"
    )
    with Terminal([sys.executable, "-c", code], env={"PYTHONPATH": str(CHECKOUT)}) as terminal:
        terminal.wait_for(r"\d+ %")
        if keys:
            terminal.send(keys)
            terminal.wait_for(until, 60)
            terminal.send("\x1b\x1b")
            terminal.wait_for(r"\d+ %")
        terminal.send("q")
        terminal.wait_exit()
        assert terminal.exit_status == 0
    return set(json.loads(dump.read_text("utf-8")))


def test_the_first_page_of_the_library_comes_without_anything_heavy(tmp_path: Path) -> None:
    assert run_command("import", "--samples").returncode == 0
    loaded = _loaded_when_read(["Ashfall"], tmp_path)
    assert "textual.app" in loaded
    assert loaded & {*_HEAVY, "textual.widgets._markdown"} == set()


def test_the_first_page_of_a_file_needs_only_the_parser_besides(tmp_path: Path) -> None:
    loaded = _loaded_when_read(["demo"], tmp_path)
    assert loaded & {*_HEAVY, "textual.widgets._markdown"} <= {"lxml"}


def test_the_models_page_and_its_list_of_models_leave_llm_to_another_process(tmp_path: Path) -> None:
    assert run_command("import", "--samples").returncode == 0
    loaded = _loaded_when_read(["Ashfall"], tmp_path, keys="gm\r", until="api.openai.com")
    assert "tui.screens.models" in loaded
    assert loaded & {"llm", "openai", "pydantic"} == set()
