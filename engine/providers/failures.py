"""What a provider's failure means to the reader. Its own words are never passed on: they may quote the key."""

from __future__ import annotations

import json
import re
from typing import Any

from engine.errors.models import (
    AccountEmptyError,
    CallRefusedError,
    ContextOverflowError,
    KeyMissingError,
    KeyRefusedError,
    ModelBusyError,
    ModelCutError,
    ModelError,
    ModelGarbledError,
    ModelSlowError,
    ModelTroubleError,
    ModelUnfitError,
    ModelUnreachableError,
)
from engine.providers.line import NoModelThereError, ProviderSaidError, TimeLimits
from engine.translate import _

_OVERFLOW = re.compile(
    r"context[_ ](length|window|size)|maximum context|too many tokens|prompt is too long|input.{0,20}too long"
    r"|exceeds?.{0,40}(tokens|context)|max_model_len|n_ctx",
    re.IGNORECASE,
)
_EMPTY = re.compile(
    r"insufficient.{0,3}(quota|balance|funds|credit)|credit balance|exceeded your current quota|arrears", re.I
)
_NO_CONNECTION = {
    "ConnectTimeout",
    "ConnectError",
    "UnsupportedProtocol",
    "InvalidURL",
    "gaierror",
    "ConnectionRefusedError",
}
_OVERLOADED = re.compile(r"overload|capacity|unavailable|server_error|internal", re.I)


def failure_from(
    error: BaseException, *, name: str, host: str, key_name: str, limits: TimeLimits, has_answered: bool
) -> ModelError:
    """Turn whatever a model's library raised into one of our errors.

    Args:
        error: What was raised.
        name: The model's name, for the sentence.
        host: Where it is.
        key_name: Name of its key; empty for none.
        limits: That held for the call.
        has_answered: Whether the provider had begun to answer.
    """
    if isinstance(error, ModelError):
        return error
    status = _status(error)
    if status is not None:
        return _from_status(error, status, name, key_name)
    return (
        _from_page(error, name)
        or _from_library(error, name, key_name)
        or _from_network(error, name, host, limits.idle_s, has_answered=has_answered)
        or ModelTroubleError(name, type(error).__name__)
    )


def _from_page(error: BaseException, name: str) -> ModelError | None:
    refused = next((each for each in _chain(error) if isinstance(each, NoModelThereError)), None)
    if refused is None:
        return None
    return ModelGarbledError(name, _("a web page") if refused.what == "page" else _("a redirect to another address"))


def _from_library(error: BaseException, name: str, key_name: str) -> ModelError | None:
    kind = type(error).__name__
    if isinstance(error, json.JSONDecodeError) or kind == "APIResponseValidationError":
        return ModelGarbledError(name, _("broken in the middle"))
    if kind == "NeedsKeyException":
        return KeyMissingError(name, key_name or name)
    if kind == "ConversationNotSupported":
        return ModelUnfitError(name, _("it takes no conversation"))
    is_told = kind == "APIError" or isinstance(error, ProviderSaidError)
    return _from_words(_words(error), name) if is_told else None


def _from_network(
    error: BaseException, name: str, host: str, idle_s: float, *, has_answered: bool
) -> ModelError | None:
    names = {type(each).__name__ for each in _chain(error)}
    if names & {"ReadTimeout", "WriteTimeout"}:
        return ModelSlowError(name, idle_s)
    if names & _NO_CONNECTION:
        return ModelUnreachableError(name, host)
    if names & {"APIConnectionError", "APITimeoutError"} or isinstance(error, OSError):
        return ModelCutError(name) if has_answered else ModelUnreachableError(name, host)
    return None


def _from_status(error: BaseException, status: int, name: str, key_name: str) -> ModelError:
    words, wait = _words(error), _retry_after(error)
    if status in (401, 403):
        found: ModelError = KeyRefusedError(name, key_name)
    elif status == 402 or (status in (400, 429) and _EMPTY.search(words)):
        found = AccountEmptyError(name)
    elif status == 413 or (status in (400, 422) and _OVERFLOW.search(words)):
        found = ContextOverflowError(name)
    elif status == 429:
        found = ModelBusyError(name, wait)
    elif status in (408, 409, 425) or status >= 500:
        found = ModelTroubleError(name, status, wait)
    else:
        found = CallRefusedError(name, status)
    return found


def _from_words(words: str, name: str) -> ModelError:
    """Read an error that came in place of an answer's next piece."""
    if _OVERFLOW.search(words):
        return ContextOverflowError(name)
    if _EMPTY.search(words):
        return AccountEmptyError(name)
    if "rate" in words.lower() and "limit" in words.lower():
        return ModelBusyError(name)
    return ModelTroubleError(name, _("overloaded") if _OVERLOADED.search(words) else _("in the middle"))


def _chain(error: BaseException) -> list[BaseException]:
    chain: list[BaseException] = []
    each: BaseException | None = error
    while each is not None and each not in chain:
        chain.append(each)
        each = each.__cause__ or each.__context__
    return chain


def _status(error: BaseException) -> int | None:
    """Find an HTTP status where the libraries of providers keep it."""
    response = getattr(error, "response", None)
    for found in (
        getattr(error, "status_code", None),
        getattr(error, "code", None),
        getattr(response, "status_code", None),
    ):
        if isinstance(found, int) and 300 <= found < 600:
            return found
    return None


def _retry_after(error: BaseException) -> float | None:
    headers: Any = getattr(getattr(error, "response", None), "headers", None)
    if headers is None:
        return None
    for key, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers[key]) * unit)
        except (KeyError, TypeError, ValueError):
            continue
    return None


def _words(error: BaseException) -> str:
    """Return what the provider said, to be searched and forgotten."""
    return f"{getattr(error, 'code', '')} {getattr(error, 'type', '')} {getattr(error, 'body', '')} {error}"[:4000]
