"""An embedder for tests: an address on this machine that answers `/embeddings`, soundly or as a fault has it.

The fault is the model's name: sound, nan, zeros, short, growing, redirect, page, busy, once-busy, fails, picky
(takes no more than four texts at once), key (wants one), slow.
"""

from __future__ import annotations

import hashlib
import json
import math
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from engine.domain.vectors import Vector, unit_vector

DIMS = 32


def vector_of(text: str, dims: int = DIMS) -> list[float]:
    """Return a vector that is nearer to another the more letters in a row their texts share."""
    values = [0.0] * dims
    folded = text.casefold()
    for size in (2, 3):
        for i in range(len(folded) - size + 1):
            digest = hashlib.blake2b(folded[i : i + size].encode("utf-8", "replace"), digest_size=2).digest()
            values[digest[0] % dims] += 1 if digest[1] & 1 else -1
    values[0] += 0.01
    length = math.sqrt(sum(value * value for value in values))
    return [value / length for value in values]


@dataclass(slots=True)
class VectorServer:
    """What was asked of the server."""

    url: str = ""
    texts: list[str] = field(default_factory=list)
    """Every text that was embedded, in order."""
    requests: int = 0
    headers: list[dict[str, str]] = field(default_factory=list)
    delay_s: float = 0.0
    """How long each answer takes."""

    def embedder(self, model: str = "sound") -> str:
        """Return the name the settings give a model of this server."""
        return f"{self.url}#{model}"


def _values(model: str, text: str, requests: int) -> list[Any]:
    if model == "nan":
        return [float("nan"), *vector_of(text)[1:]]
    if model == "zeros":
        return [0.0] * DIMS
    if model == "growing":
        return vector_of(text, DIMS if requests < 2 else DIMS * 2)
    return vector_of(text, {"other": 16, "wide": 2048}.get(model, DIMS))


@contextmanager
def serve_vectors() -> Iterator[VectorServer]:
    """Run the server while the block lasts."""
    seen = VectorServer()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:
            pass

        def _send(self, status: int, body: bytes, kind: str = "application/json", **headers: str) -> None:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            with suppress(OSError):  # whoever asked has been killed
                self.end_headers()
                self.wfile.write(body)

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            seen.requests += 1
            seen.headers.append({name.lower(): value for name, value in self.headers.items()})
            model, texts = body["model"], body["input"]
            time.sleep(seen.delay_s + (30 if model == "slow" else 0))
            refusals: dict[str, tuple[int, bytes, str, dict[str, str]]] = {
                "redirect": (307, b"", "text/plain", {"location": "http://127.0.0.2:9/v1/embeddings"}),
                "page": (200, b"<html>sign in</html>", "text/html", {}),
                "busy": (429, b"{}", "application/json", {"retry_after": "0.01"}),
                "fails": (500, b'{"error": "sk-SECRETMARKER"}', "application/json", {}),
                "key": (401, b'{"error": "Incorrect key sk-SECRETMARKER"}', "application/json", {}),
            }
            if model == "once-busy" and seen.requests > 1:
                model = "sound"
            if model == "picky":
                refusals = {"picky": (400, b"too many", "text/plain", {})} if len(texts) > 4 else {}
            refusal = refusals.get(model.removeprefix("once-"))
            if refusal is not None:
                status, data, kind, headers = refusal
                self._send(status, data, kind, **headers)
                return
            rows = [{"index": i, "embedding": _values(model, text, seen.requests)} for i, text in enumerate(texts)]
            if model == "short":
                rows.pop()
            seen.texts.extend(texts)
            self._send(200, json.dumps({"data": list(reversed(rows))}).encode())

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    seen.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield seen
    finally:
        server.shutdown()
        server.server_close()


@dataclass(slots=True)
class PlainEmbedder:
    """An embedder in our own process, with the vectors of the server."""

    identity: str = "plain"
    name: str = "plain"
    batch: int = 3
    dims: int = DIMS
    texts: list[str] = field(default_factory=list)
    """Every passage that was embedded, in order."""

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        self.texts.extend(texts)
        return [unit_vector(vector_of(text, self.dims)) for text in texts]

    def embed_query(self, text: str) -> Vector:
        return unit_vector(vector_of(text, self.dims))

    def close(self) -> None:
        pass
