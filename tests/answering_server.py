"""A server on loopback that answers each request with the bytes a test wrote down, and remembers what it was sent."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Reply:
    """What one request is answered with."""

    body: bytes
    status: int = 200
    kind: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass
class AnsweringServer:
    """Its address, and the requests so far as (path, headers, body)."""

    url: str
    requests: list[tuple[str, Mapping[str, str], Any]]


@contextmanager
def answering(replies: Sequence[Reply]) -> Iterator[AnsweringServer]:
    """Serve the replies in order, the last one again and again."""
    requests: list[tuple[str, Mapping[str, str], Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            return

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
            requests.append((self.path, dict(self.headers), body))
            reply = replies[min(len(requests), len(replies)) - 1]
            self.send_response(reply.status)
            for name, value in {"content-type": reply.kind, **reply.headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(reply.body)))
            self.end_headers()
            self.wfile.write(reply.body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield AnsweringServer(f"http://127.0.0.1:{server.server_address[1]}/v1", requests)
    finally:
        server.shutdown()
        server.server_close()


def stream_of(*chunks: Mapping[str, Any] | str, ends: bool = True) -> Reply:
    """Return a stream of server-sent events; a text goes in as it is, such as a comment that keeps the line alive."""
    lines = [each if isinstance(each, str) else f"data: {json.dumps(each)}" for each in chunks]
    if ends:
        lines.append("data: [DONE]")
    return Reply(("\n\n".join(lines) + "\n\n").encode(), kind="text/event-stream")


def chunk(finish: str | None = None, **delta: Any) -> dict[str, Any]:
    """Return one chunk of a chat completion."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "r", "object": "chat.completion.chunk", "created": 1, "model": "m-0", "choices": [choice]}


def usage_chunk(usage: Mapping[str, Any]) -> dict[str, Any]:
    """Return the chunk that tells the usage."""
    return {
        "id": "r", "object": "chat.completion.chunk", "created": 1, "model": "m-0", "choices": [], "usage": usage,
    }  # fmt: skip


def tool_part(index: int | None, arguments: str, id_: str | None = None, name: str | None = None) -> dict[str, Any]:
    """Return a piece of a tool call."""
    return {"index": index, "id": id_, "type": "function", "function": {"name": name, "arguments": arguments}}
