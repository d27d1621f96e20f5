"""What a reader wants to have done over a slow line, the keys for it, and what the screen then shows."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Task:
    """Something a reader wants, the keys for it, and what the screen then shows."""

    words: str
    keys: tuple[str, ...]
    """For `tmux send-keys`; a leading "=" sends the rest literally."""
    shown: str
    """A pattern the screen holds afterwards."""
    gone: str = ""
    """A pattern it no longer holds."""


READING = (
    Task("open the sample", (), "To the Reader"),
    Task("turn a page", ("Space",), "with water running off its roof"),
    Task("turn it back", ("b",), "To the Reader"),
    Task("one line down, five times", ("=5j",), "Ashfall Station"),
    Task("to the next chapter", ("]",), "The Last Train of the Thaw"),
    Task("and the one after", ("]",), "The Empty Hook"),
    Task("back to where I was", ("C-o",), "The Last Train of the Thaw"),
    Task("forward again", ("=go",), "The Empty Hook"),
    Task("open the contents", ("t",), "Contents"),
    Task("filter them", ("=/", "=frost"), "filter: frost"),
    Task("go to the chapter found", ("Enter",), "Reading the Frost"),
    Task("not counted as read", ("n",), "Reading the Frost", "y yes"),
    Task("to half of the work", ("=50%",), "The Quiet Line"),
    Task("leave the question for later", ("Escape",), "The Quiet Line", "y yes"),
    Task("to printed page 20", ("=:", "=page 20", "Enter"), "page 20"),
    Task("mark the place", ("=ma",), "page 20"),
    Task("to the start of the volume before", ("=g[",), "The Thaw"),
    Task("back to the mark", ("='a",), "page 20"),
    Task("search the page", ("=/", "=the", "Enter"), r"\d+"),
    Task("next match", ("n",), r"\d+"),
    Task("the keys", ("?",), "one page on"),
    Task("leave them", ("Escape",), "The Quiet Line", "one page on"),
    Task("the shelf", ("L",), "Shelf"),
    Task("back to the page", ("Escape",), "The Quiet Line"),
    Task("a wider column, another theme", ("+", "T"), "The Quiet Line"),
    Task("quit", ("q",), "left at the prompt"),
    Task("come back to the same page", (), "The Quiet Line"),
)
"""Reading and getting about."""

ASKING = (
    Task("open the sample", (), "To the Reader"),
    Task("to 60 % of the work", ("=60%",), "y yes"),
    Task("count it as read", ("y",), "The Quiet Line", "y yes"),
    Task("the wiki", ("w",), "Wiki", ""),
    Task("its first entry", ("1",), "First seen"),
    Task("back in the wiki", ("BSpace",), "Wiki", "First seen"),
    Task("to the text", ("Escape",), "The Quiet Line"),
    Task("the wiki over the whole screen", ("W",), "^ *Wiki"),
    Task("all names", ("=gn",), "Ilse"),
    Task("to the text again", ("Escape",), "volume"),
    Task("look up a name", ("K",), "Enter open"),
    Task("have it explained", ("Escape", "e"), r"1 ● names"),
    Task("with what stands outside the book", ("2",), r"2 ● background"),
    Task("from another angle", ("e", "=[say Once more.]", "Enter"), r"▎ +Once more\."),
    Task("close the card", ("Escape",), "volume", r"1 ● names"),
    Task("ask about it", ("a",), r"\[on “"),
    Task("the question", ("=[say The lamp is lit.]", "Enter"), r"(?m)The lamp is lit\.\s*$"),
    Task("ask again", ("r",), "answer 2 of 2"),
    Task("the answer before", ("=(",), "answer 1 of 2"),
    Task("what was sent", ("c",), "What was sent"),
    Task("leave that", ("Escape",), "answer 1 of 2", "What was sent"),
    Task("ask otherwise", ("e", "C-u", "=[say Nobody knows.]", "Enter"), r"(?m)Nobody knows\.\s*$"),
    Task("a new conversation", ("C-n", "=[say A second one.]", "Enter"), r"(?m)A second one\.\s*$"),
    Task("over the whole screen", ("A",), "You +.say A second one"),
    Task("the conversations", ("C",), "2 questions|3 questions"),
    Task("open the first one", ("j", "Enter"), "Nobody knows"),
    Task("to the text once more", ("Escape", "Escape"), "volume"),
    Task("the models", ("=gm",), "Companion"),
    Task("back to the page", ("Escape",), "The Quiet Line"),
    Task("quit", ("q",), "left at the prompt"),
)
"""The wiki, the card that explains, the chat; the model is the test server's."""
