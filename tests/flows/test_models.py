"""Models from the command line and through the library: a process of their own, consent, trials, roles."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.domain.models import Capabilities, ModelAddress, ModelRole, ModelSettings, Trial
from engine.errors import HelperUnavailableError
from engine.errors.models import (
    ConsentMissingError,
    ModelCancelledError,
    ModelMissingError,
    ModelUnknownError,
    ToldModelError,
)
from engine.library import Library
from engine.model_process.client import ModelProcess
from engine.models.desk import StoreLedger
from engine.paths import default_paths
from engine.providers.protocols import Cancel
from engine.providers.registry import Registry
from engine.providers.trial import try_model
from engine.store.store import Store
from tests.commands import records, run_command
from tests.serving import ServedModels, asked, served_model


@pytest.fixture
def library() -> Iterator[Library]:
    opened = Library(default_paths())
    yield opened
    opened.close()


def _add(library: Library, url: str, model: str = "echo", name: str = "local") -> None:
    library.add_model(ModelAddress(name, url, model))


def test_from_nothing_to_a_model_that_has_a_role(model_server: ServedModels) -> None:
    assert "(none)" in run_command("models").stdout
    assert run_command("models", "add", "local", "--url", model_server.url, "--model", "echo").returncode == 0
    (trial,) = records(run_command("models", "test", "local", "--json").stdout)
    assert (trial["text"], trial["tools"], trial["schema"], trial["streaming"]) == (True, True, True, True)
    assert run_command("models", "use", "all", "local").returncode == 0
    roles = records(run_command("models", "list", "--json").stdout)
    assert [role["model"] for role in roles] == ["local"] * 4
    assert all(role["trial"]["tools"] and role["consent"] for role in roles)
    (row,) = records(run_command("models", "usage", "--json").stdout)
    assert (row["stage"], row["model"], row["failed"]) == ("test", "local", 0)


def test_a_model_that_is_not_there_is_told_and_fails_the_test() -> None:
    run_command("models", "add", "gone", "--url", "http://127.0.0.1:9/v1")
    done = run_command("models", "test", "gone")
    assert (done.returncode, "nobody answers at 127.0.0.1:9" in done.stdout) == (1, True)


def test_nothing_leaves_for_another_machine_without_an_answer() -> None:
    run_command("models", "add", "far", "--url", "https://models.example/v1")
    done = run_command("models", "test", "far")
    assert done.returncode == 6
    assert "models.example" in done.stderr


def test_choosing_a_model_elsewhere_names_its_host_until_that_is_agreed_to() -> None:
    run_command("models", "add", "far", "--url", "https://models.example/v1")
    assert "models.example" in run_command("models", "use", "reader", "far").stderr
    run_command("models", "allow", "models.example")
    assert "models.example" not in run_command("models", "use", "reader", "far").stderr


def test_a_host_agreed_to_is_kept_and_can_be_taken_back() -> None:
    run_command("models", "allow", "models.example")
    assert run_command("models", "allow").stdout == "models.example\n"
    run_command("models", "allow", "models.example", "--not")
    assert run_command("models", "allow").stdout == ""


def test_a_role_takes_only_a_model_there_is() -> None:
    done = run_command("models", "use", "reader", "nonsense")
    assert (done.returncode, "no model nonsense" in done.stderr) == (2, True)


def test_the_models_of_llm_are_listed_with_their_hosts() -> None:
    assert {"model": "gpt-4o", "place": "api.openai.com"} in records(
        run_command("models", "installed", "--json").stdout
    )


def test_limits_and_prices_are_set_from_the_command_line() -> None:
    assert run_command("models", "limit", "day_money", "2.5").returncode == 0
    assert run_command("models", "price", "local", "1", "2", "--cached", "0.1").returncode == 0
    assert records(run_command("models", "limit", "day_money", "--json").stdout) == [{"day_money": 2.5}]
    assert run_command("models", "limit", "day_money", "-1").returncode == 2


@pytest.mark.parametrize(
    ("kind", "seen"),
    [
        ("fault-refuse", (True, False, False)),
        ("fault-badargs", (True, False, False)),
        ("fault-500", (False, False, False)),
    ],
)
def test_a_trial_says_what_a_model_cannot_do(
    model_server: ServedModels, library: Library, kind: str, seen: tuple[bool, bool, bool]
) -> None:
    _add(library, model_server.url, kind)
    trial = library.try_model("local")
    assert (trial.text, trial.tools, trial.schemas) == seen
    assert trial.notes
    assert library.model_roles()[0].trial is None


def test_a_trial_of_a_model_without_text_makes_one_call(model_server: ServedModels) -> None:
    trial = try_model(served_model(model_server.url, "fault-401"), "here", Cancel())
    assert (trial.text, model_server.count) == (False, 1)
    assert "SECRETMARKER" not in " ".join(trial.notes)


def test_a_new_address_forgets_the_trial_of_the_old_one(model_server: ServedModels, library: Library) -> None:
    _add(library, model_server.url)
    library.use_model(ModelRole.READER, "local")
    library.try_model("local")
    assert library.model_roles()[0].trial is not None
    _add(library, model_server.url, "fault-500")
    assert library.model_roles()[0].trial is None


def test_a_trial_can_be_given_up_while_nothing_comes(model_server: ServedModels, library: Library) -> None:
    _add(library, model_server.url, "fault-hang")
    talk = library.talk_to_models("test", model="local")
    events = talk.events()
    assert next(events) == {"step": "text"}
    talk.cancel()
    with pytest.raises(ModelCancelledError):
        next(events)


def test_two_requests_go_side_by_side(model_server: ServedModels, library: Library) -> None:
    _add(library, model_server.url, "fault-hang", "slow")
    _add(library, model_server.url, "echo", "quick")
    slow = library.talk_to_models("test", model="slow")
    assert library.try_model("quick").text
    slow.cancel()
    with pytest.raises(ModelCancelledError):
        slow.wait()


def test_an_unknown_model_and_a_missing_consent_come_through_the_pipe(library: Library) -> None:
    _add(library, "https://models.example/v1", name="far")
    with pytest.raises(ConsentMissingError) as raised:
        library.try_model("far")
    assert raised.value.host == "models.example"
    with pytest.raises(ToldModelError) as told:
        library.try_model("nonsense")
    assert told.value.kind == "ModelUnknownError"


def test_a_models_process_that_is_killed_fails_its_requests_and_is_started_again(
    model_server: ServedModels, library: Library
) -> None:
    _add(library, model_server.url, "fault-hang", "slow")
    _add(library, model_server.url, "echo", "quick")
    process = library._model_process()
    events = library.talk_to_models("test", model="slow").events()
    next(events)
    assert process._process is not None
    os.kill(process._process.pid, signal.SIGKILL)
    with pytest.raises(HelperUnavailableError):
        next(events)
    assert library.try_model("quick").text


def test_the_process_ends_with_the_library(model_server: ServedModels) -> None:
    library = Library(default_paths())
    _add(library, model_server.url, "fault-hang", "slow")
    events = library.talk_to_models("test", model="slow").events()
    next(events)
    process = library._model_process()._process
    library.close()
    assert process is not None
    assert process.poll() is not None
    with pytest.raises(HelperUnavailableError):
        next(events)


def test_a_stopped_process_takes_no_requests() -> None:
    process = ModelProcess(default_paths())
    process.stop()
    with pytest.raises(HelperUnavailableError):
        process.ask("installed")


def test_a_key_is_in_nothing_the_program_writes(
    model_server: ServedModels, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAMP_API_KEY", "sk-PLANTED")
    words = ["models", "add", "lamp", "--url", model_server.url, "--key-name", "lamp"]
    said = run_command(*words, "--model", "fault-401")
    tried = run_command("models", "test", "lamp", "--json")
    assert "llm keys set lamp" in tried.stdout
    written = b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())
    printed = said.stdout + said.stderr + tried.stdout + tried.stderr
    assert b"sk-PLANTED" not in written
    assert b"SECRETMARKER" not in written
    assert "sk-PLANTED" not in printed
    assert "SECRETMARKER" not in printed


# The registry


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[StoreLedger]:
    store = Store(tmp_path / "library.db", tmp_path / "backups")
    yield StoreLedger(store)
    store.close()


def test_a_role_without_a_model_says_how_to_name_one(ledger: StoreLedger) -> None:
    with pytest.raises(ModelMissingError) as raised:
        Registry(ModelSettings(), ledger).for_role(ModelRole.WRITER)
    assert "understory models use writer" in raised.value.message


def test_a_model_nobody_knows_is_none(ledger: StoreLedger) -> None:
    with pytest.raises(ModelUnknownError):
        Registry(ModelSettings(), ledger).named("nonsense")


def test_a_model_that_failed_at_tools_gets_them_in_words(model_server: ServedModels, ledger: StoreLedger) -> None:
    address = ModelAddress("local", model_server.url, "echo", context_tokens=8000)
    settings = ModelSettings({ModelRole.READER: "local"}, (address,))
    trial = Trial("local", "here", "2026-11-30T00:00:00Z", text=True, tools=False, schemas=True, streaming=True)
    model = Registry(settings, ledger, {"local": trial}).for_role(ModelRole.READER)
    assert model.capabilities == Capabilities(tools=True, schemas=True, streaming=True, context_tokens=8000)
    assert model.complete(asked("[say lamp]"), Cancel()).text == "lamp"


def test_a_model_of_an_extra_models_file_is_found_and_asked(
    model_server: ServedModels, ledger: StoreLedger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LLM_USER_PATH", str(tmp_path))
    (tmp_path / "extra-openai-models.yaml").write_text(
        f"- model_id: from-yaml\n  model_name: echo\n  api_base: {model_server.url}\n  supports_tools: true\n", "utf-8"
    )
    model = Registry(ModelSettings(), ledger).named("from-yaml")
    assert model.complete(asked("[say lamp]"), Cancel()).text == "lamp"


def test_calls_at_once_do_not_mix(model_server: ServedModels, ledger: StoreLedger) -> None:
    settings = ModelSettings(addresses=(ModelAddress("local", model_server.url, "echo"),), parallel=8)
    model = Registry(settings, ledger).named("local")
    texts: dict[int, str] = {}

    def ask(number: int) -> None:
        texts[number] = model.complete(asked(f"[say answer {number}]"), Cancel()).text

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert texts == {number: f"answer {number}" for number in range(24)}
