"""Any address that answers `/embeddings` as OpenAI's does: a server of the reader's, or a provider's.

One call is one request: nothing is sent again in secret, no redirect is followed (it would carry
the text and the key to a host nobody agreed to), and each wait has a limit.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx2

from engine.domain.vectors import EmbedderChoice
from engine.errors.models import (
    CallRefusedError,
    ContextOverflowError,
    KeyMissingError,
    KeyRefusedError,
    ModelBusyError,
    ModelGarbledError,
    ModelSlowError,
    ModelTroubleError,
    ModelUnreachableError,
)
from engine.providers.embedder_names import address_of, identity_of
from engine.providers.keys import key_named
from engine.providers.line import host_of
from engine.providers.worded_embedder import WordedEmbedder

_CONNECT_S, _IDLE_S = 10.0, 60.0
_MOST_ANSWER_BYTES = 64_000_000
_TOO_LONG = 413
_UNAUTHORISED = (401, 403)
_BUSY = (408, 425, 429)


@dataclass(frozen=True, slots=True)
class HttpTarget:
    """Where texts are sent."""

    url: str
    """Without `/embeddings`."""
    model: str
    key: str = field(default="", repr=False)
    key_name: str = ""
    dims: int = 0
    """Asked for; 0 leaves it to the model."""


def open_http_embedder(choice: EmbedderChoice) -> HttpEmbedder:
    """Return an embedder for an address of the reader's; nothing is sent yet.

    Raises:
        EmbedderUnknownError: the name is no address with a model.
        KeyMissingError: a key is named that nobody has.
    """
    url, model = address_of(choice.name)
    key = key_named(choice.key_name, host_of(url)) if choice.key_name else ""
    if key is None:
        raise KeyMissingError(host_of(url), choice.key_name)
    return HttpEmbedder(choice.name, identity_of(choice), HttpTarget(url, model, key, choice.key_name))


class HttpEmbedder(WordedEmbedder):
    """An `Embedder`."""

    def __init__(self, name: str, identity: str, target: HttpTarget) -> None:
        """Prepare the connection."""
        super().__init__(name, identity, target.model, target.dims)
        self._target = target
        headers = {"accept": "application/json"}
        if target.key:
            headers["authorization"] = f"Bearer {target.key}"
        self._client = httpx2.Client(
            headers=headers, follow_redirects=False, timeout=httpx2.Timeout(_IDLE_S, connect=_CONNECT_S)
        )

    @property
    def _host(self) -> str:
        return host_of(self._target.url)

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def _rows_of(self, texts: Sequence[str]) -> list[list[float]]:
        body: dict[str, object] = {
            "model": self._target.model,
            "input": [_readable(text) for text in texts],
            "encoding_format": "float",
        }
        if self._target.dims:
            body["dimensions"] = self._target.dims
        answer = self._send(json.dumps(body, ensure_ascii=False).encode())
        try:
            rows = sorted(answer["data"], key=lambda row: row["index"])
            values = [[float(value) for value in row["embedding"]] for row in rows]
            has_each = [int(row["index"]) for row in rows] == list(range(len(texts)))
        except (KeyError, TypeError, ValueError) as error:
            raise ModelGarbledError(self._host, "JSON") from error
        if not has_each:
            raise ModelGarbledError(self._host, f"{len(values)}/{len(texts)}")
        return values

    def _send(self, body: bytes) -> dict[str, Any]:  # Any: outside data, taken apart by the caller
        try:
            with self._client.stream(
                "POST", f"{self._target.url}/embeddings", content=body, headers={"content-type": "application/json"}
            ) as response:
                data = _bounded(response)
                self._check(response, data)
        except httpx2.TimeoutException as error:
            raise ModelSlowError(self._host, _IDLE_S) from error
        except httpx2.ConnectError as error:
            raise ModelUnreachableError(self._host, self._host) from error
        except httpx2.HTTPError as error:
            raise ModelTroubleError(self._host, type(error).__name__) from error
        try:
            found = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise ModelGarbledError(self._host, _kind(response)) from error
        if not isinstance(found, dict):
            raise ModelGarbledError(self._host, "JSON")
        return found

    def _check(self, response: httpx2.Response, data: bytes) -> None:
        """Say in our own words what a status means; what the provider wrote may quote the key or the text."""
        status = response.status_code
        if response.is_success:
            return
        if status in _UNAUTHORISED:
            raise KeyRefusedError(self._host, self._target.key_name)
        if status in _BUSY:
            raise ModelBusyError(self._host, _pause(response))
        if status == _TOO_LONG or b"context_length" in data or b"maximum context" in data:
            raise ContextOverflowError(self._host)
        if response.is_server_error:
            raise ModelTroubleError(self._host, status, _pause(response))
        raise CallRefusedError(self._host, status)


def _bounded(response: httpx2.Response) -> bytes:
    data = bytearray()
    for chunk in response.iter_bytes():
        data += chunk
        if len(data) > _MOST_ANSWER_BYTES:
            raise httpx2.DecodingError("too much")
    return bytes(data)


def _kind(response: httpx2.Response) -> str:
    return str(response.headers.get("content-type", "")).partition(";")[0][:40]


def _pause(response: httpx2.Response) -> float | None:
    with contextlib.suppress(ValueError):
        return min(max(float(response.headers.get("retry-after", "")), 0.0), 600.0)
    return None


def _readable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
