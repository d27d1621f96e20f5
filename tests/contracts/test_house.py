"""The house keeps its own rules: sizes, names of folders, words that stay out, docs that miss nothing."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.cli.parser import build_parser
from engine.cli.run import ROOMS
from engine.config import setting_names
from tests.commands import CHECKOUT
from tui.__main__ import HEADLESS
from tui.keys import READING_ACTIONS

_SOURCES = [
    path
    for room in ("engine", "tui", "themes", "tests")
    for path in sorted((CHECKOUT / room).rglob("*.py"))
    if "__pycache__" not in path.parts
]
_MOST_FILE_LINES, _MOST_FUNCTION_LINES, _MOST_SCREEN_LINES = 400, 60, 250
_DOCS = CHECKOUT / "docs"


def _name(path: Path) -> str:
    return str(path.relative_to(CHECKOUT))


def _too_long(kinds: tuple[type[ast.AST], ...], most: int, paths: list[Path]) -> list[str]:
    return [
        f"{_name(path)}:{node.lineno} {node.name}: {lines} lines"
        for path in paths
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, kinds) and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        if (lines := (node.end_lineno or node.lineno) - node.lineno + 1) > most
    ]


def test_no_file_has_two_purposes() -> None:
    lengths = {_name(path): len(path.read_text("utf-8").splitlines()) for path in _SOURCES}
    assert {name: lines for name, lines in lengths.items() if lines > _MOST_FILE_LINES} == {}


def test_no_function_has_two_purposes() -> None:
    assert _too_long((ast.FunctionDef, ast.AsyncFunctionDef), _MOST_FUNCTION_LINES, _SOURCES) == []


def test_no_app_or_screen_has_two_purposes() -> None:
    in_tui = [path for path in _SOURCES if path.relative_to(CHECKOUT).parts[0] == "tui"]
    long = _too_long((ast.ClassDef,), _MOST_SCREEN_LINES, in_tui)
    assert [each for each in long if re.search(r"(App|Screen): ", each)] == []


def test_tests_do_not_shadow_the_packages() -> None:
    folders = {path.name for path in (CHECKOUT / "tests").rglob("*") if path.is_dir()}
    assert folders & {"engine", "tui", "themes"} == set()
    assert [_name(path) for path in (CHECKOUT / "tests").rglob("__init__.py")] == []


def test_the_import_contracts_see_every_folder() -> None:
    """Without an `__init__.py` a folder still works, but import-linter passes it over."""
    rooms = {path.parent for path in _SOURCES if path.relative_to(CHECKOUT).parts[0] != "tests"}
    rooms -= {path.parent for path in CHECKOUT.glob("engine/samples/*/series.toml")}  # sources of books, no packages
    assert [_name(room) for room in sorted(rooms) if not (room / "__init__.py").exists()] == []


# Put together here, so that this file does not hold the words it looks for.
_STAY_OUT = re.compile(
    "|".join(
        [
            r"(?<![\w.~])/" + "work/",
            "/" + "root/",
            r"pypi\." + "org",
            "python" + "hosted",
            r"npm" + r"js\.(org|com)",
            r"deb" + r"ian\.(org|net)",
            "extra-" + "index-url",
        ]
    )
)
_BINARY = {".epub", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".mo", ".db", ".pack"}


def _committed_files() -> Iterator[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=CHECKOUT, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    if listed.returncode != 0:
        pytest.skip("not a git checkout, so there is no list of its files")
    for name in filter(None, listed.stdout.split("\0")):
        path = CHECKOUT / name
        if path.is_file() and path.suffix not in _BINARY and name != "LICENSE":
            yield path


def test_nothing_speaks_of_one_machine_or_of_a_registry() -> None:
    found = [
        f"{_name(path)}: {match[0]}"
        for path in _committed_files()
        for match in [_STAY_OUT.search(path.read_text("utf-8", "replace"))]
        if match is not None
    ]
    assert found == []


def _command_words() -> dict[str, list[str]]:
    """Return each command's options, read from the parser itself."""
    parser = build_parser(ROOMS)
    chosen = next(action.choices for action in parser._actions if isinstance(action.choices, dict))
    return {
        name: [option for action in command._actions for option in action.option_strings if option.startswith("--")]
        for name, command in chosen.items()
    }


def test_the_shell_hands_every_command_to_the_engine() -> None:
    assert set(_command_words()) == set(HEADLESS)


def test_docs_tell_every_command_and_option() -> None:
    text = (_DOCS / "cli.md").read_text("utf-8")
    sections = dict(re.findall(r"^## `understory (\w+)[^\n]*`\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))
    missing = [
        f"{name} {option}"
        for name, options in _command_words().items()
        for option in ["", *options]
        if option != "--help" and (name not in sections or option not in sections[name])
    ]
    assert missing == []


def test_docs_tell_every_setting() -> None:
    text = (_DOCS / "config.md").read_text("utf-8")
    assert [name for name in setting_names() if f"`{name}`" not in text] == []


def test_docs_tell_every_key() -> None:
    rows = dict(re.findall(r"^\| `([\w-]+)` \| (.*?) \|", (_DOCS / "keys.md").read_text("utf-8"), re.MULTILINE))
    missing = [
        f"{action.id} {key}"
        for action in READING_ACTIONS
        for key in action.keys
        if f"`{key}`" not in rows.get(action.id, "").replace("\\|", "|")
    ]
    assert missing == []


def test_docs_tell_every_table() -> None:
    text = (_DOCS / "data-model.md").read_text("utf-8")
    schemas = "".join(path.read_text("utf-8") for path in (CHECKOUT / "engine" / "store").glob("schema*.py"))
    tables = re.findall(r"CREATE (?:VIRTUAL )?TABLE (\w+)", schemas)
    assert tables
    assert [name for name in tables if f"`{name}`" not in text] == []


@pytest.mark.parametrize("package", ["engine", "tui"])
def test_docs_tell_every_room(package: str) -> None:
    text = (_DOCS / "architecture.md").read_text("utf-8")
    rooms = [path.parent.name for path in (CHECKOUT / package).glob("*/__init__.py")]
    modules = [path.stem for path in (CHECKOUT / package).glob("*.py") if not path.stem.startswith("__")]
    assert {"library", "screens"} & set(rooms)
    assert [name for name in sorted([*rooms, *modules]) if f"`{name}`" not in text] == []


def test_links_between_documents_lead_somewhere() -> None:
    pages = [*_DOCS.rglob("*.md"), *CHECKOUT.glob("*.md")]
    dead = [
        f"{_name(page)}: {target}"
        for page in pages
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8"))
        if not (page.parent / target).exists()
    ]
    assert dead == []
