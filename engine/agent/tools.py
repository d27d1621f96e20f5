"""All tools of the companion, in the order a question is best answered."""

from __future__ import annotations

from engine.agent.toolkit import Registry, integers, schema
from engine.agent.tools_acting import ACTING_TOOLS
from engine.agent.tools_contents import CONTENTS_TOOLS
from engine.agent.tools_text import TEXT_TOOLS
from engine.agent.tools_wiki import WIKI_TOOLS
from engine.providers.protocols import ToolSpec

GATE_TOOL = "confirm_serious_spoiler"
SUBMIT_TOOL = "submit_answer"


def registry() -> Registry:
    """Return the tools: wiki first, then points and summaries, then the text; whole chapters and acting last."""
    text, *rest = TEXT_TOOLS
    return Registry((*WIKI_TOOLS, CONTENTS_TOOLS[0], text, *CONTENTS_TOOLS[1:], *rest, *ACTING_TOOLS))


GATE_SPEC = ToolSpec(
    GATE_TOOL,
    "Ask the reader whether she wants to be told what lies beyond what she has read. Only when the question cannot be "
    "answered without it and a tool said `beyond: true`. Never tell anything of it before she has agreed.",
    schema(""),
)
SUBMIT_SPEC = ToolSpec(
    SUBMIT_TOOL,
    "End with an answer and cards beside it, when cards help more than words, such as a list of people. A plain text "
    "without any tool ends too, and is the usual way.",
    schema(
        "answer",
        answer="the whole answer, each sentence about the book with its places",
        entries={
            "type": "array",
            "items": {"type": "string"},
            "maxItems": 8,
            "description": "names of entries a tool has returned",
        },
        chapters=integers("numbers of chapters to show", 8),
        track="name of somebody whose appearances over the work are to be shown",
    ),
)
