"""The connection of one call: our own limits, nothing hidden, and a way to cut it from another thread.

The client library that `llm` uses would send a call again by itself and wait for ten minutes;
here it does neither. Redirects are not followed: they would carry the text to a host nobody
agreed to.
"""

from __future__ import annotations

import contextlib
import os
import socket
import ssl
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    import openai

_TALKATIVE = ("OPENAI_LOG", "LLM_OPENAI_SHOW_RESPONSES")
"""Variables that make the client library print what is sent, which is text of books."""


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """How long a call may take."""

    connect_s: float = 10.0
    idle_s: float = 60.0
    """Without anything coming; a model that thinks silently needs most of it."""
    total_s: float = 900.0


class NoModelThereError(Exception):
    """What answered is no model; raised inside the client library, which wraps it."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class ProviderSaidError(Exception):
    """An error came in place of an answer, with a status that says all is well. Its words are for searching only."""


class Line:
    """One call's connection."""

    def __init__(self, limits: TimeLimits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._is_cut = False
        self._sockets: list[socket.socket] = []
        self._clients: list[openai.OpenAI] = []
        self.has_answered = False
        """Whether the provider took the call: what breaks after that may be paid for."""

    def client(self, *, key: str, base_url: str | None, headers: Mapping[str, str] | None) -> openai.OpenAI:
        """Return a client for this call alone."""
        import openai  # with llm: half a second, and only for whoever calls a model

        client = openai.OpenAI(
            api_key=key, base_url=base_url, default_headers=dict(headers or {}), max_retries=0, http_client=self._http()
        )
        # Both come from the environment otherwise, and belong to another provider's account.
        client.organization = client.project = None
        self._clients.append(client)
        return client

    def adopt(self, client: openai.OpenAI) -> openai.OpenAI:
        """Return a client a plugin has made, with our limits in place of its own."""
        ours = client.with_options(max_retries=0, http_client=self._http())
        client.close()
        self._clients.append(ours)
        return ours

    def _http(self) -> Any:  # Any: the client library's own choice of HTTP library
        from openai import DefaultHttpxClient, Timeout

        limits = self._limits
        return DefaultHttpxClient(
            timeout=Timeout(limits.total_s, connect=limits.connect_s, read=limits.idle_s, write=limits.idle_s),
            follow_redirects=False,
            verify=_certificates(),
            event_hooks={"request": [self._watch], "response": [self._look]},
        )

    def _watch(self, request: Any) -> None:
        request.extensions = {**request.extensions, "trace": self._trace}

    def _trace(self, name: str, info: Mapping[str, Any]) -> None:
        if name.endswith((".connect_tcp.complete", ".start_tls.complete")):
            found = info["return_value"].get_extra_info("socket")
            with self._lock:
                self._sockets.append(found)
                is_cut = self._is_cut
            if is_cut:
                _shut(found)

    def _look(self, response: Any) -> None:
        """Refuse what a model does not send before the client library takes it for an empty answer."""
        self.has_answered = bool(response.is_success)
        if response.is_redirect:
            raise NoModelThereError("redirect")
        if response.is_success and "html" in response.headers.get("content-type", ""):
            raise NoModelThereError("page")

    def cut(self) -> None:
        """End the call from another thread, whatever it waits for; the provider sees the connection close."""
        with self._lock:
            self._is_cut = True
            sockets, self._sockets = self._sockets, []
        for each in sockets:
            _shut(each)

    def close(self) -> None:
        """Give everything back; by the thread that called."""
        for client in self._clients:
            client.close()
        self._clients.clear()


def _shut(found: socket.socket) -> None:
    # Closing alone would leave a thread that reads from it waiting.
    with contextlib.suppress(OSError, AttributeError):
        found.shutdown(socket.SHUT_RDWR)


@cache
def _certificates() -> ssl.SSLContext:
    """Read the system's certificates once: it takes longer than a call's own work."""
    return ssl.create_default_context()


def keep_silent() -> None:
    """Take away the variables that make libraries print what is sent. Before they are imported."""
    for name in _TALKATIVE:
        os.environ.pop(name, None)


def host_of(url: str) -> str:
    """Return the host an address leads to, with its port where it names one; empty for no address."""
    parts = urlsplit(url if "//" in url else f"//{url}")
    host = (parts.hostname or "").lower()
    shown = f"[{host}]" if ":" in host else host
    with contextlib.suppress(ValueError):
        return f"{shown}:{parts.port}" if parts.port else shown
    return shown


def is_this_machine(host: str) -> bool:
    """Say whether a host, with or without a port, is this machine, so that nothing leaves it."""
    import ipaddress

    name = urlsplit(f"//{host}").hostname or ""
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
