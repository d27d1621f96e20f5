"""Keys by their names; a key itself stands in no setting, log, error or database."""

from __future__ import annotations

import os
import re

_OPENAI_HOST = "api.openai.com"
_OPENAI_KEY = "OPENAI_API_KEY"


def key_named(name: str, host: str = _OPENAI_HOST) -> str | None:
    """Return a key from the environment, else from llm's store; None when neither has it.

    `NAME` as it stands, in capitals, and `NAME_API_KEY` are looked up. `llm` itself falls back to
    OPENAI_API_KEY whatever the address; here that key goes to OpenAI only, unless it is named.

    Args:
        name: As the settings or `llm` name it.
        host: Where it would be sent.
    """
    plain = re.sub(r"\W", "_", name).upper()
    names = [each for each in (plain, f"{plain}_API_KEY") if host == _OPENAI_HOST or each != _OPENAI_KEY]
    found = next((os.environ[each] for each in (name, *names) if os.environ.get(each)), None)
    if found:
        return found
    from engine.providers.line import keep_silent

    keep_silent()
    import llm  # half a second; only for a key that is not in the environment

    stored: dict[str, str] = llm.load_keys()  # type: ignore[no-untyped-call]  # llm has no types there
    return stored.get(name) or None
