"""The commands where it is hard for them: odd locales, hostile names, pipes that close, Ctrl-C."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engine.cli.output import Output
from tests.builders import make_epub
from tests.commands import CHECKOUT, FERRY, records, run_command, run_line
from tests.pace import PATIENCE_S

_PLACES = [
    pytest.param({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, id="C locale, ASCII"),
    pytest.param({"LC_ALL": "POSIX", "PYTHONUTF8": "0"}, id="POSIX"),
    pytest.param({"LC_ALL": "no_SUCH.locale"}, id="unknown locale"),
    pytest.param({"TERM": "dumb"}, id="dumb terminal"),
    pytest.param({"TERM": None}, id="no TERM"),
    pytest.param({"HOME": None}, id="no HOME"),
    pytest.param({"HOME": "/nonexistent"}, id="HOME is not there"),
    pytest.param({"NO_COLOR": "1", "PYTHONIOENCODING": "ascii"}, id="ascii streams"),
]


@pytest.mark.parametrize("env", _PLACES)
def test_data_is_the_same_utf8_in_every_environment(env: dict[str, str | None], tmp_path: Path) -> None:
    book = make_epub(tmp_path / "红.epub", title="红楼梦 “é”", chapters=[("第一回", "<p>此开卷第一回也。</p>")])
    imported = run_command("import", "--json", str(book), env=env)
    assert (imported.returncode, imported.stderr) == (0, "")
    assert records(imported.stdout)[0]["path"] == str(book)
    printed = run_command("text", "红楼梦", env=env)
    assert (printed.returncode, printed.stderr) == (0, "")
    assert "此开卷第一回也。" in printed.stdout


def test_a_home_that_cannot_be_written_still_imports(tmp_path: Path, book: Path) -> None:
    env = {"UNDERSTORY_HOME": None, "HOME": "/proc/nowhere", "TMPDIR": str(tmp_path)}
    done = run_command("import", str(book), env=env)
    assert done.returncode == 0
    assert "cannot be written" in done.stderr
    assert FERRY in run_command("list", env=env).stdout


def test_a_file_name_that_is_no_utf8_is_shown_and_imported(tmp_path: Path, book: Path) -> None:
    odd = Path(os.fsdecode(bytes(tmp_path) + b"/\xb9\xe2\x1b[31m.epub"))
    odd.write_bytes(book.read_bytes())
    done = run_command("import", "--json", str(odd))
    assert done.returncode == 0
    assert "\x1b" not in done.stdout + done.stderr
    assert records(done.stdout)[0]["status"] == "opened"


# Hostile bytes

_HOSTILE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200e\u200f\U000e0000-\U000e007f]")


def _hostile_book(folder: Path) -> Path:
    payload = "a\u202eb\u2066c\U000e0041d\u009b31me\u200f [red] [/b] {0} %s"
    return make_epub(
        folder / "evil\x1b]0;x\x07\u202e.epub", title=f"T {payload}", author=f"A {payload}",
        chapters=[(f"C {payload}", f"<p>P {payload}</p>")],
    )  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        ("list",), ("list", "--json"), ("info", "1"), ("info", "1", "--json"), ("toc", "1"), ("toc", "1", "--json"),
        ("text", "1"), ("text", "1", "--json"), ("text", "1", "--markdown"), ("toc", "no\x1b[2J\u202esuch"),
        ("import", "{book}"), ("import", "{book}", "--json"), ("import", "no\x1b[2J\u202e.epub"),
        ("remove", "1", "--yes"),
        ("text", "1", "--locator", "\x1b[2J\u202e"), ("config", "\x1b[2J", "1"), ("\x1b[2J",), ("list", "--\x1b[2J"),
    ],
    ids=ascii,
)  # fmt: skip
def test_no_byte_of_a_book_or_an_argument_drives_the_terminal(
    words: tuple[str, ...], tmp_path: Path, home: Path
) -> None:
    book = _hostile_book(tmp_path)
    run_command("import", str(book))
    done = run_command(*[word.replace("{book}", str(book)) for word in words])
    assert _HOSTILE.findall(done.stdout) == []
    assert _HOSTILE.findall(done.stderr) == []
    assert "Traceback" not in done.stderr
    log = home / "state" / "understory.log"
    assert not log.exists() or _HOSTILE.findall(log.read_text("utf-8")) == []


# How a command ends


@pytest.mark.parametrize(
    "words", ["list", "info 1", "toc 1", "text 1", "text 1 --json", "doctor", "config", "--help", "import --samples"]
)
def test_a_reader_of_the_pipe_may_leave_early(words: str, shelf: str) -> None:
    done = run_line(f"understory {words} | head -c 1")
    assert done.returncode in (0, 141)
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


@pytest.mark.parametrize("redirect", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_failure(redirect: str, shelf: str) -> None:
    done = run_line(f"understory list {redirect}")
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)


def test_a_full_disk_behind_the_output_is_told(shelf: str) -> None:
    done = run_line("understory text 1 > /dev/full")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


def _heed_ctrl_c() -> None:
    """Undo what a shell does to what it runs in the background, where the tests may be running."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c_ends_an_import_quietly(tmp_path: Path) -> None:
    books = [make_epub(tmp_path / f"{n}.epub", title=f"Book {n}", chapters=[("One", "<p>word</p>")]) for n in range(12)]
    env = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    command = [sys.executable, "-m", "tui", "import", *map(str, books)]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=env,
        preexec_fn=_heed_ctrl_c,  # noqa: PLW1509  (nothing else runs in this process yet)
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _out, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert run_command("list").returncode == 0


def test_a_failure_nobody_foresaw_is_a_sentence_and_a_log_without_the_books_words(home: Path) -> None:
    code = (
        "import engine.library, engine.cli\n"
        "def broken(self): raise RuntimeError('secret words of a book')\n"
        "engine.library.Library.works = broken\n"
        "raise SystemExit(engine.cli.main(['list']))"
    )
    env = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", env=env, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    log = (home / "state" / "understory.log").read_text("utf-8")
    assert "RuntimeError" in log
    assert "secret words" not in log + done.stderr


def test_json_of_unsafe_characters_is_escaped_and_reads_back_unchanged(tmp_path: Path) -> None:
    words = "a\u202e\u009b\x1b\U000e0041\ufffe\ud800b 红"
    with (tmp_path / "out").open("w+", encoding="utf-8") as stream:
        out = Output(stream, stream)
        out.record({"text": words})
        out.flush()
        stream.seek(0)
        line = stream.read()
    assert _HOSTILE.findall(line.rstrip("\n")) == []
    assert json.loads(line)["text"] == words
