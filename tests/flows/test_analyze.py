"""`understory analyze` from nothing: a real line to a server, the background process, and what the reader then sees."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.domain.models import ModelAddress, ModelRole
from engine.library import Library
from engine.paths import default_paths
from tests.answering import Answering
from tests.builders import make_epub, make_story
from tests.commands import records, run_command
from tests.reading_works import CREW
from tests.serving import start_model_server

_FRAMES = (
    "{} came down to the quay before it was light and asked {other} about the tide.",
    "It was {} who counted the ropes twice by the lamp, and then {other} counted them again.",
    "At noon {} shared the bread with {other} under the long roof of the market.",
)


@pytest.fixture
def work(tmp_path: Path, home: Path) -> str:
    chapters = [(f"Watch {n}", "".join(f"<p>{p}</p>" for p in make_story(CREW, _FRAMES))) for n in (1, 2)]
    run_command("import", str(make_epub(tmp_path / "quay.epub", title="The Quay", chapters=chapters)))
    return "quay"


@pytest.fixture
def answering(tmp_path: Path, work: str) -> Iterator[Answering]:
    """Give every role to a model behind which somebody answers."""
    folder = tmp_path / "hand"
    folder.mkdir()
    server = start_model_server(hand=folder)
    library = Library(default_paths())
    library.add_model(ModelAddress("hand", server.url, "hand"))
    library.use_model(ModelRole.READER, "hand")
    library.close()
    with Answering(folder) as answering:
        yield answering


def test_without_a_model_it_says_how_to_name_one(work: str) -> None:
    done = run_command("analyze", work)
    assert done.returncode == 6
    assert "understory models use reader" in done.stderr


def test_the_estimate_needs_no_model(work: str) -> None:
    (found,) = records(run_command("analyze", work, "--estimate", "--json").stdout)
    assert 0 < found["tokens_low"] < found["tokens_high"]
    assert found["money_low"] is None
    assert set(found["stages"]) == {"read", "volume", "plan", "write", "judge", "repair"}


def test_a_work_is_read_written_and_shown(work: str, answering: Answering) -> None:
    (told,) = records(run_command("analyze", work, "--json").stdout)
    assert (told["state"], told["error"]) == ("done", "")
    assert told["calls"] == answering.requests
    entry = run_command("wiki", work, "the lamp", "--upto", "end").stdout
    assert "counted the ropes twice by the lamp" in entry
    assert "¹" in entry or "[1]" in entry
    assert "Written by" in entry
    assert records(run_command("audit", work, "--upto", "end", "--json").stdout)[0]["evidence"]
    stages = {row["stage"] for row in records(run_command("usage", work, "--json").stdout) if "stage" in row}
    assert {"read", "volume", "plan", "write", "judge"} == stages
    run_command("analyze", work, "--json")
    assert answering.requests == told["calls"]
    assert records(run_command("analyze", work, "--estimate", "--json").stdout)[0]["tokens_high"] == 0


def test_a_cap_pauses_it_and_says_so(work: str, answering: Answering) -> None:
    done = run_command("analyze", work, "--cap", "1500")
    assert done.returncode == 7
    assert "1500" in done.stderr
    assert run_command("analyze", work).returncode == 0


@pytest.mark.parametrize("limit", ["day_tokens", "month_tokens", "job_tokens"])
def test_a_limit_of_the_day_or_month_pauses_it_too(work: str, answering: Answering, limit: str) -> None:
    run_command("models", "limit", limit, "1500")
    done = run_command("analyze", work)
    assert done.returncode == 7
    assert "Models page" in done.stderr
    run_command("models", "limit", limit, "0")
    assert run_command("analyze", work).returncode == 0


def test_it_goes_on_when_its_command_has_ended_if_asked_to(work: str, answering: Answering) -> None:
    asked = run_command("analyze", work, "--background")
    assert asked.returncode == 0
    assert "goes on by itself" in asked.stderr
    state = ""
    for _each in range(1200):
        (told,) = records(run_command("analyze", work, "--progress", "--json").stdout)
        state = str(told["state"])
        if state != "running":
            break
        time.sleep(0.1)
    assert state == "done"
    assert told["calls"] == answering.requests


def test_a_reading_in_the_background_can_be_paused_from_elsewhere(work: str, answering: Answering) -> None:
    run_command("models", "limit", "per_minute", "6")
    run_command("analyze", work, "--background")
    assert run_command("analyze", work, "--pause").returncode == 0
    (told,) = records(run_command("analyze", work, "--progress", "--json").stdout)
    assert told["state"] == "paused"


def test_what_was_learned_goes_to_another_library(
    work: str, answering: Answering, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run_command("analyze", work).returncode == 0
    pack = str(tmp_path / "quay.pack")
    assert "tells the whole story" in run_command("pack", "export", work, pack).stderr
    (info,) = records(run_command("pack", "info", pack, "--json").stdout)
    before = run_command("wiki", work, "the lamp", "--upto", "end").stdout
    refused = run_command("pack", "import", pack)
    assert refused.returncode == 2
    assert "--replace" in refused.stderr
    monkeypatch.setenv("UNDERSTORY_HOME", str(tmp_path / "elsewhere"))
    (tmp_path / "elsewhere").mkdir()
    assert run_command("pack", "import", pack).returncode == 4
    run_command("import", str(tmp_path / "quay.epub"))
    (taken,) = records(run_command("pack", "import", pack, "--trust", "--json").stdout)
    assert (taken["statements"], taken["left_out"]) == (info["statements"], 0)
    assert run_command("wiki", work, "the lamp", "--upto", "end").stdout == before
