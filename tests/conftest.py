"""What every test stands on: a library of its own, no network, the corpora when they are there."""

from __future__ import annotations

import ipaddress
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.translate import use_language
from tests.serving import ServedModels, start_model_server

_SOCKET_EVENTS = {"socket.connect", "socket.sendto", "socket.sendmsg"}
_refused: list[str] = []


def _is_loopback(address: object) -> bool:
    if not isinstance(address, tuple):
        return True  # a path: AF_UNIX does not leave the machine
    host = str(address[0])
    if host in {"", "localhost"}:
        return True
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False


def _refuse_network(event: str, args: tuple[object, ...]) -> None:
    # args are (socket, address) for the socket events, (host, port, ...) for a name look-up
    if event in _SOCKET_EVENTS:
        target = args[1]
        is_allowed = target is None or _is_loopback(target)
    elif event == "socket.getaddrinfo":
        target = args[0]
        is_allowed = target is None or _is_loopback((target,))
    else:
        return
    if not is_allowed:
        _refused.append(f"{event} {target!r}")
        raise PermissionError(f"tests may not leave this machine: {event} {target!r}")


# Once a process: an audit hook cannot be taken away again.
sys.addaudithook(_refuse_network)


@pytest.fixture(autouse=True)
def no_network() -> Iterator[list[str]]:
    """Fail the test that tried to reach beyond loopback, even if the code under test swallowed the refusal.

    Yields what was refused so far; a test that reaches out on purpose empties it.
    """
    _refused.clear()
    yield _refused
    assert not _refused, f"reached for the network: {_refused}"


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give each test an empty `UNDERSTORY_HOME` and `HOME`, so that no test sees the reader's own library."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("UNDERSTORY_HOME", str(folder / "understory"))
    monkeypatch.setenv("HOME", str(folder))
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    return folder / "understory"


@pytest.fixture(autouse=True)
def in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each test begin in English, whatever language this machine speaks."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    use_language("")


@pytest.fixture(scope="session")
def any_model_server() -> Any:
    """Serve the test models on loopback to whoever asks for them; ends with the tests."""
    return start_model_server()


@pytest.fixture
def model_server(any_model_server: Any) -> ServedModels:
    """Return the address of the test models, and a count of requests that begins at 0."""
    return ServedModels(any_model_server)


@pytest.fixture(scope="session")
def corpora() -> Path:
    """Return the folder of shared books, or skip and say why."""
    named = os.environ.get("UNDERSTORY_CORPORA", "")
    if not named:
        pytest.skip("UNDERSTORY_CORPORA is not set: it names the folder of shared books this test reads")
    folder = Path(named).resolve()
    if not (folder / "epub").is_dir():
        pytest.skip(f"UNDERSTORY_CORPORA={named}: no folder `epub` in it")
    return folder
