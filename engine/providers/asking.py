"""The vector of what a reader types, made by a process of its own.

A search is asked while the reader types, by a process that must neither wait nor load numpy or
`llm`. So `QueryVectors` holds a pipe to a process that has the embedder open: a vector that is
not there in time comes a little later and is remembered, and until then the search goes by words.
That process starts with the first such search and ends with the pipe, or after a while without work.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine.domain.vectors import EmbedderChoice, Vector
from engine.errors import UnderstoryError
from engine.errors.vectors import EmbedderMissingError
from engine.translate import _

if TYPE_CHECKING:
    import subprocess

IDLE_S = 600.0
"""Without a question for so long, the process gives its memory back."""
_MOST_REMEMBERED = 256
_MOST_CHARS = 2_000
"""Of a question; what is longer is cut, since no embedder reads more of it."""
_RETRY_S = 10.0
"""How long a process that ended at once is left alone."""


@dataclass(frozen=True, slots=True)
class _Asker:
    """Whose vectors are asked for."""

    choice: EmbedderChoice
    identity: str


class QueryVectors:
    """Asks for vectors of queries. Thread-safe."""

    def __init__(self, log_file: Path) -> None:
        """Prepare; nothing is started before the first question.

        Args:
            log_file: Where the process writes what went wrong; never a question.
        """
        self._log_file = log_file
        self._lock = threading.Condition()
        self._asker: _Asker | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: OrderedDict[str, Vector] = OrderedDict()
        self._asked: set[str] = set()
        self._trouble: UnderstoryError | None = None
        self._trouble_at = 0.0
        self._is_closed = False

    def ask(self, choice: EmbedderChoice, identity: str, text: str, timeout_s: float) -> Vector | None:
        """Return the vector of a query, None when it is not there in time; it is worth asking again then.

        Args:
            choice: Who shall make it.
            identity: Of the vectors it will be compared with.
            text: What the reader typed.
            timeout_s: How long to wait.

        Raises:
            EmbedderMissingError: the embedder is not here any more, or is another one by now.
            UnderstoryError: it failed; asking again later may help.
        """
        text = text.strip()[:_MOST_CHARS]
        deadline = time.monotonic() + timeout_s
        with self._lock:
            self._turn_to(_Asker(choice, identity))
            while True:
                if text in self._answers:
                    self._answers.move_to_end(text)
                    return self._answers[text]
                if self._trouble is not None:
                    self._raise_trouble()
                if self._is_closed:
                    return None
                if text not in self._asked:
                    self._send(text)
                left = deadline - time.monotonic()
                if left <= 0 or not self._lock.wait(left):
                    return self._answers.get(text)

    def close(self) -> None:
        """End the process; a question still open returns without an answer."""
        with self._lock:
            self._is_closed = True
            self._end_process()
            self._lock.notify_all()

    def _turn_to(self, asker: _Asker) -> None:
        if self._asker != asker:
            self._end_process()
            self._asker = asker
            self._answers.clear()
            self._trouble = None

    def _raise_trouble(self) -> None:
        trouble = self._trouble
        if trouble is not None and time.monotonic() - self._trouble_at < _RETRY_S:
            raise trouble
        self._trouble = None

    def _end_process(self) -> None:
        process, self._process = self._process, None
        self._asked.clear()
        if process is not None and process.stdin is not None:
            with contextlib.suppress(OSError):
                process.stdin.close()
            process.terminate()
            # By whoever reads its answers, so that nobody waits here.

    def _send(self, text: str) -> None:
        if self._process is None or self._process.poll() is not None:
            self._end_process()
            self._process = self._start()
        pipe = self._process.stdin
        line = json.dumps({"text": text}).encode() + b"\n"
        self._asked.add(text)
        with contextlib.suppress(OSError):  # it has just ended; whoever reads its answers says why
            if pipe is not None:
                pipe.write(line)

    def _start(self) -> subprocess.Popen[bytes]:
        # 12 ms to import, and few sessions search by meaning.
        import subprocess

        assert self._asker is not None
        root = str(Path(__file__).resolve().parents[2])
        choice = self._asker.choice
        command = [sys.executable, "-P", "-m", "engine.providers.asking", choice.name, choice.key_name]
        try:
            self._log_file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with self._log_file.open("ab") as log:
                process = subprocess.Popen(
                    command,
                    bufsize=0,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    env={**os.environ, "PYTHONPATH": root, "PYTHONUTF8": "1"},
                    start_new_session=True,
                )
        except OSError as error:
            raise EmbedderMissingError(choice.name, str(error)) from error
        threading.Thread(target=self._listen, args=(process, self._asker), daemon=True).start()
        return process

    def _listen(self, process: subprocess.Popen[bytes], asker: _Asker) -> None:
        """Take answers as they come, until the process ends."""
        assert process.stdout is not None
        trouble = ""
        for line in process.stdout:
            answer = json.loads(line)
            trouble = answer.get("error", "")
            if not trouble and answer["identity"] != asker.identity:
                trouble = _("it is another one by now; `understory embed` makes its vectors")
            with self._lock:
                if self._process is not process:
                    continue
                if trouble:
                    self._say(asker, trouble)
                else:
                    self._remember(answer["text"], Vector(base64.b64decode(answer["vector"])))
        process.wait()
        with self._lock:
            if self._process is process:
                self._process = None
                if self._asked and not trouble:
                    self._say(asker, _("its process has ended"))
                self._asked.clear()
        with contextlib.suppress(OSError):
            process.stdout.close()

    def _say(self, asker: _Asker, trouble: str) -> None:
        self._trouble = EmbedderMissingError(asker.choice.name, trouble)
        self._trouble_at = time.monotonic()
        self._asked.clear()
        self._lock.notify_all()

    def _remember(self, text: str, vector: Vector) -> None:
        self._answers[text] = vector
        self._asked.discard(text)
        while len(self._answers) > _MOST_REMEMBERED:
            self._answers.popitem(last=False)
        self._lock.notify_all()


class _Questions:
    """What comes on standard input, newest first: who types on does not wait for what she has typed before."""

    def __init__(self) -> None:
        self._rest = b""
        self.is_over = False

    def wait(self) -> list[str]:
        """Return the questions that have come, at least one; none when the pipe is closed or long nothing came."""
        while not self.is_over:
            ready, _write, _error = select.select([0], [], [], IDLE_S)
            data = os.read(0, 1 << 16) if ready else b""
            if not data:
                self.is_over = True
                break
            *lines, self._rest = (self._rest + data).split(b"\n")
            if lines:
                return [str(json.loads(line)["text"]) for line in reversed(lines)]
        return []


def main(arguments: Sequence[str]) -> int:
    """Answer questions on standard input until it is closed; `arguments` are the embedder and the name of its key."""
    from engine.providers.embedders import open_embedder

    questions = _Questions()
    try:
        embedder = open_embedder(EmbedderChoice(arguments[0], arguments[1]))
    except UnderstoryError as error:
        _answer({"error": error.message})
        return error.exit_code
    while texts := questions.wait():
        for text in texts:
            try:
                vector = base64.b64encode(embedder.embed_query(text)).decode("ascii")
                _answer({"text": text, "identity": embedder.identity, "vector": vector})
            except UnderstoryError as error:
                _answer({"error": error.message})
    return 0


def _answer(record: dict[str, str]) -> None:
    sys.stdout.write(json.dumps(record) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError, KeyboardInterrupt):
        sys.exit(main(sys.argv[1:]))
