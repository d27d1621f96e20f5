"""Ask a model, once: a reply that was paid for is kept before it is looked at, and never asked for again.

A stage is a function of the text and of the replies. After a kill, a pause or a crash it simply runs again: what was
answered comes from the library, so that it arrives at the same place with the same result.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from engine.domain.book import WorkId
from engine.domain.models import ModelRole, Usage
from engine.errors.models import ModelCancelledError, ModelError, SpendingStoppedError
from engine.providers.protocols import (
    AssistantMessage,
    Cancel,
    Message,
    Model,
    ModelCall,
    ModelReply,
    ToolCall,
    ToolMessage,
    ToolSpec,
    UserMessage,
)
from engine.store import model_calls, remembered
from engine.store.model_calls import CallAbout, KeptReply
from engine.store.store import Store
from engine.text.normalize import nfc
from engine.text.tokens import estimate_tokens
from engine.translate import _

SCHEMA_REV = 1
"""Of what we make of replies; part of every cache key."""
FENCE = "\x1f"
"""Stands in a message for the marker around text that is not ours; no text of a book holds it."""
MOST_PARALLEL = 8
_MARKER_KEY = "fence marker"
_POLL_S = 0.05
_PATIENCE_S = (5.0, 15.0, 60.0, 120.0, 300.0, 600.0, 900.0, 900.0, 900.0)
"""Pauses before a call is made again that failed for a while: an hour in all."""


class AnalysisStopped(Exception):  # noqa: N818  (nothing is wrong: the reader said stop, or the process must end)
    """The reading was given up between two calls; what was answered is kept."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A versioned instruction, the system part of a call."""

    name: str
    revision: str
    """Its number, and a hash of its words."""
    text: str


@cache
def load_prompt(name: str) -> Prompt:
    """Return a prompt that comes with the program.

    Args:
        name: Of a file in `engine/analysis/prompts`, such as "read".
    """
    words = files("engine.analysis.prompts").joinpath(f"{name}.md").read_text("utf-8")
    head, _blank, text = words.partition("\n\n")
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    return Prompt(name, f"{name} {head.partition(':')[2].strip()} {digest}", text.strip())


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model."""

    stage: str
    unit: str
    role: ModelRole
    prompt: Prompt
    messages: tuple[Message, ...]
    """Text that is not ours stands between two `FENCE`."""
    tools: tuple[ToolSpec, ...] = ()
    output_tokens: int = 2_000
    """About how long the answer will be; what is set aside for it under a cap."""

    @property
    def input_tokens(self) -> int:
        """About what is sent."""
        tools = sum(estimate_tokens(json.dumps([t.name, t.description, t.parameters])) for t in self.tools)
        return estimate_tokens(self.prompt.text) + tools + sum(estimate_tokens(_words(each)) for each in self.messages)


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole reply."""

    text: str
    tool_calls: tuple[ToolCall, ...]
    call: int
    """Id of the call that brought it."""
    model: str
    prompt_rev: str


class ReplyTooLongError(ModelError):
    """The model had no room to say everything."""

    def __init__(self, name: str) -> None:
        super().__init__(
            title=_("The answer was too long"),
            message=_("{name} had no room for its whole answer. Choose a model with more context.").format(name=name),
        )


@dataclass(slots=True)
class Limits:
    """What holds a reading back."""

    cap_tokens: int = 0
    patience_s: Sequence[float] = _PATIENCE_S
    parallel: int = MOST_PARALLEL


class Caller:
    """Asks the models of the roles for one reading of one work. Thread-safe."""

    def __init__(
        self,
        store: Store,
        work: WorkId,
        analysis: int,
        model_of: Callable[[ModelRole], Model],
        *,
        must_stop: Callable[[], bool] = lambda: False,
        limits: Limits | None = None,
        job: int | None = None,
    ) -> None:
        """Take what is needed.

        Args:
            store: Where replies are kept.
            work: What is read.
            analysis: Id of the reading.
            model_of: Returns the model of a role; raises ModelError when there is none.
            must_stop: Whether the reading is to be given up; asked twenty times a second while a call is under way.
            limits: What it may cost.
            job: Whose spending limits hold.
        """
        self._store = store
        self._work = work
        self._analysis = analysis
        self._model_of = model_of
        self._must_stop = must_stop
        self._limits = limits or Limits()
        self._job = job
        self._lock = threading.Lock()
        self._reserved = 0
        self._cancel = Cancel()
        self._secret = fence_secret(store)

    def model_name(self, role: ModelRole) -> str:
        """Return the name of the model of a role.

        Raises:
            ModelError: there is none.
        """
        return self._model_of(role).name

    def ask(self, request: Request) -> Answer:
        """Return the reply to a request, from the library if it was answered before.

        Raises:
            AnalysisStopped: the reading is to be given up.
            SpendingStoppedError: it would cost more than the cap.
            ContextOverflowError, ReplyTooLongError: too much was asked at once.
            ModelError: there is no answer, after all the patience there is.
        """
        model = self._model_of(request.role)
        key = cache_key(request, model.name)
        with self._store.read() as r:
            kept = model_calls.kept_reply(r, key)
        if kept is None:
            kept = self._pay(request, model, key)
        return _answer(kept, model.name, request.prompt.revision)

    def ask_all(self, requests: Sequence[Request]) -> list[Answer | ModelError]:
        """Ask several at a time and return the answers in the order of the requests.

        What only one request suffers from stands in its place; what stops the reading is raised once the calls under
        way have come to an end.

        Raises:
            AnalysisStopped, SpendingStoppedError: as `ask`.
        """
        if not requests:
            return []
        keys = [cache_key(request, self.model_name(request.role)) for request in requests]
        once = dict(zip(keys, requests, strict=True))  # the same question twice is asked once
        with ThreadPoolExecutor(max_workers=min(self._limits.parallel, len(once))) as pool:
            waiting = {key: pool.submit(self._ask_or_error, request) for key, request in once.items()}
            try:
                found = {key: each.result() for key, each in waiting.items()}
            except BaseException:
                for each in waiting.values():
                    each.cancel()
                raise
        return [found[key] for key in keys]

    def _ask_or_error(self, request: Request) -> Answer | ModelError:
        try:
            return self.ask(request)
        except SpendingStoppedError:
            raise
        except ModelError as error:
            return error

    def _pay(self, request: Request, model: Model, key: str) -> KeptReply:
        expected = request.input_tokens + request.output_tokens
        for pause_s in (*self._limits.patience_s, None):
            self._check()
            self._reserve(expected)
            try:
                return self._call(request, model, key)
            except ModelCancelledError as error:
                raise AnalysisStopped from error
            except ModelError as error:
                if pause_s is None or not error.is_temporary:
                    raise
                self._wait(max(pause_s, error.retry_after_s or 0.0))
            finally:
                with self._lock:
                    self._reserved -= expected
        raise AssertionError("the last attempt returns or raises")

    def _call(self, request: Request, model: Model, key: str) -> KeptReply:
        about = CallAbout(
            key, self._work, self._analysis, request.stage, request.unit, model.name, request.prompt.revision
        )
        with self._store.write() as w:
            id_ = model_calls.begin_call(w, about)
        began = time.monotonic()
        done = threading.Event()
        watch = threading.Thread(target=self._watch, args=(done,), daemon=True)
        watch.start()
        try:
            reply = model.complete(self._fenced(request), self._cancel)
        except ModelError as error:
            usage = Usage(completion=estimate_tokens(error.partial_text), is_estimate=True)
            with self._store.write() as w:
                model_calls.fail_call(w, id_, type(error).__name__, usage, _ms_since(began))
            raise
        finally:
            done.set()
        kept = KeptReply(id_, reply.text, tuple(_told(call) for call in reply.tool_calls), reply.finish)
        usage = _counted(reply, request)
        if not reply.is_whole:
            with self._store.write() as w:
                model_calls.fail_call(w, id_, reply.finish, usage, _ms_since(began))
            raise ReplyTooLongError(model.name)
        with self._store.write() as w:
            model_calls.keep_reply(w, kept, usage, _ms_since(began))
        return kept

    def _fenced(self, request: Request) -> ModelCall:
        """Put the marker in, made of the first words it encloses and a secret: always the same, and unknown to them.

        Later rounds have that of the first, so that a provider knows what was sent before again.
        """
        marker = hmac.new(self._secret, _words(request.messages[0]).encode(), "sha256").hexdigest()[:16]
        messages = tuple(_with_text(each, _words(each).replace(FENCE, marker)) for each in request.messages)
        return ModelCall(
            request.role,
            request.prompt.text,
            messages,
            request.tools,
            stage=request.stage,
            work=self._work,
            job=self._job,
        )

    def _check(self) -> None:
        if self._must_stop():
            self._cancel.set()
        if self._cancel.is_set:
            raise AnalysisStopped

    def _watch(self, done: threading.Event) -> None:
        while not done.wait(_POLL_S):
            if self._must_stop():
                self._cancel.set()
                return

    def _wait(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self._check()
            time.sleep(min(_POLL_S, seconds))

    def _reserve(self, expected: int) -> None:
        """Set tokens aside, so that calls at one time cannot together go beyond the cap."""
        with self._lock:
            if self._limits.cap_tokens:
                with self._store.read() as r:
                    spent = model_calls.spent_tokens(r, self._analysis)
                if spent + self._reserved + expected > self._limits.cap_tokens:
                    raise SpendingStoppedError(
                        _("this reading has used {n} of {cap} tokens").format(n=spent, cap=self._limits.cap_tokens)
                    )
            self._reserved += expected


def cache_key(request: Request, model: str) -> str:
    """Return what tells one question from another, whatever the marker around the text."""
    told: list[object] = [SCHEMA_REV, request.prompt.revision, model]
    told += [_plain(message) for message in request.messages]
    told += [[tool.name, tool.description, tool.parameters] for tool in request.tools]
    return hashlib.sha256(json.dumps(told, ensure_ascii=False, sort_keys=True).encode()).hexdigest()


def _plain(message: Message) -> list[object]:
    words = " ".join(nfc(_words(message)).split())
    calls = [[c.id, c.name, c.arguments] for c in message.tool_calls] if isinstance(message, AssistantMessage) else []
    return [type(message).__name__, words, calls, getattr(message, "call_id", "")]


def _words(message: Message) -> str:
    return message.text


def _with_text(message: Message, text: str) -> Message:
    return replace(message, text=text)


def _told(call: ToolCall) -> tuple[str, str, str, str]:
    return call.id, call.name, json.dumps(dict(call.arguments), ensure_ascii=False), call.fault


def _answer(kept: KeptReply, model: str, prompt_rev: str) -> Answer:
    calls = tuple(ToolCall(id_, name, json.loads(arguments), fault) for id_, name, arguments, fault in kept.tool_calls)
    return Answer(kept.text, calls, kept.call, model, prompt_rev)


def _counted(reply: ModelReply, request: Request) -> Usage:
    """Return what the provider counted, or else our own count."""
    if reply.usage.prompt or reply.usage.completion:
        return reply.usage
    return Usage(request.input_tokens, 0, estimate_tokens(reply.text), 0, is_estimate=True)


def _ms_since(began: float) -> int:
    return round((time.monotonic() - began) * 1000)


def user(text: str) -> UserMessage:
    """Return what the model is shown."""
    return UserMessage(text)


def tool_result(call: ToolCall, text: str) -> ToolMessage:
    """Return what a tool has to say."""
    return ToolMessage(call.id, call.name, text)


def said(answer: Answer) -> AssistantMessage:
    """Return a reply as a message of the conversation that goes on."""
    return AssistantMessage(answer.text, answer.tool_calls)


def fenced(text: str) -> str:
    """Enclose text that is not ours in markers."""
    return f"{FENCE}\n{text.replace(FENCE, '')}\n{FENCE}"


def fence_secret(store: Store) -> bytes:
    """Return the library's own part of the marker around what is not ours; made when it is first asked for."""
    with store.write() as w:
        secret = remembered.remembered(w, _MARKER_KEY)
        if secret is None:
            import secrets  # once in a library's life

            secret = secrets.token_hex(16)
            remembered.remember(w, _MARKER_KEY, secret)
    return secret.encode()
