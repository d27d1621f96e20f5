"""A question and all that came of it as rows, brought up to each event at the cost of what the event adds."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.domain.chat import Card, CardKind, Citation, SpoilerChoice, ToolBegun, ToolEnded, TurnState, TurnView
from engine.translate import N_, _
from tui.render.answer_text import AnswerText
from tui.render.cells import cell_width, fit_cells
from tui.render.chat_bits import (
    TOOL_WORDS,
    ChatLink,
    ChatTarget,
    Part,
    ShownTurn,
    ToAgain,
    ToChoice,
    ToCitation,
    ToModels,
)
from tui.render.chat_cards import ShownCard, card_rows, preview_rows, source_rows
from tui.render.wiki_bits import BLANK_ROW, Bit, Ink, WikiRow, fit_bits, joined, one_line, set_rows

_LABELLED_FROM_CELLS = 70
"""From here on who speaks stands in a column of its own."""
_MOST_QUESTION_ROWS = 6
_BAR = "▎"
_CHOICES: tuple[tuple[SpoilerChoice, str, str], ...] = (
    (SpoilerChoice.FULL, N_("answer in full"), N_("(this answer only)")),
    (SpoilerChoice.READ, N_("answer as far as I have read"), ""),
    (SpoilerChoice.STOP, N_("stop"), ""),
)
CHOICES: tuple[SpoilerChoice, ...] = tuple(choice for choice, _words, _more in _CHOICES)
"""What the keys 1, 2 and 3 choose while the turn waits."""


@dataclass(frozen=True, slots=True)
class TurnOptions:
    """How turns are set."""

    width: int
    is_ascii: bool = False
    models_key: str = "gm"
    is_explained: bool = False
    """The question is a selection that is explained: nobody speaks, and nothing stands beside it."""


class TurnRows:
    """The rows of one turn.

    Attributes:
        turn: What is shown.
        previews: The citations whose passages are previewed, with their text as far as it is known.
        acts: What has become of the offers of cards: "offered", "done" or "undone".
    """

    def __init__(self, turn: ShownTurn, options: TurnOptions) -> None:
        self.turn = turn
        self.previews: dict[int, str] = {}
        self.acts = dict(turn.acts)
        self._options = options
        self._cites: set[int] = set()
        self._begin()

    # what there is

    def __len__(self) -> int:
        """Return how many rows there are."""
        return len(self._head) + len(self._answer) + self._previewed + len(self._foot)

    def row(self, number: int) -> tuple[Part, WikiRow, int]:
        """Return a row, the part it belongs to, and the cells to draw before it."""
        if number < len(self._head):
            return Part.HEAD, self._head[number], 0
        number -= len(self._head)
        for behind, rows in self._preview_rows:
            if number <= behind:
                break
            if number <= behind + len(rows):
                return Part.PREVIEW, rows[number - behind - 1], self._indent
            number -= len(rows)
        if number < len(self._answer):
            return Part.ANSWER, self._answer.row(number), self._indent
        return Part.FOOT, self._foot[number - len(self._answer)], self._indent

    def links(self) -> list[ChatLink]:
        """Return what can be opened, in the order it is read."""
        targets: dict[Part, list[ChatTarget]] = {
            Part.HEAD: self._head_links,
            Part.ANSWER: [ToCitation(number) for number in self._answer.links],
            Part.PREVIEW: self._preview_links,
            Part.FOOT: self._foot_links,
        }
        found: dict[tuple[Part, int], ChatLink] = {}
        for number in range(len(self)):
            part, row, _cells = self.row(number)
            for bit in row.bits:
                if bit.link >= 0 and (part, bit.link) not in found:
                    target = targets[part][bit.link]
                    found[part, bit.link] = ChatLink(part, bit.link, target, number)
        return list(found.values())

    def citation(self, number: int) -> Citation | None:
        """Return a citation by its number."""
        return next((each for each in self.turn.view.citations if each.number == number), None)

    # what comes

    def update(self, view: TurnView) -> int:
        """Show the turn as it is now; return the first row that may have changed."""
        old, self.turn = self.turn.view, replace(self.turn, view=view)
        first = len(self)
        is_card_first = any(map(self._is_first, view.cards[len(old.cards) :]))
        if is_card_first or _head_of(old) != _head_of(view):
            self._set_head()
            first = 0
        had = len(self._answer.done) + len(self._head)
        if old.citations != view.citations:
            self._cites.update(each.number for each in view.citations)
        if view.text.startswith(old.text) and not (view.has_ended and view.text != old.text):
            self._answer.feed(view.text[len(old.text) :])
        elif view.text != old.text:
            self._set_answer()
            had = len(self._head)
        if view.has_ended:
            self._answer.finish()
        self._set_previews()
        self._set_foot()
        return min(first, had)

    def resize(self, options: TurnOptions) -> None:
        """Set everything for another width."""
        self._options = options
        self._begin()

    def toggle_preview(self, number: int) -> bool:
        """Show a cited passage in place, or hide it again; return whether it is shown now."""
        if number in self.previews:
            del self.previews[number]
        elif self.citation(number) is not None:
            citation = self.citation(number)
            self.previews[number] = "" if citation is None else citation.text
        self._set_previews()
        return number in self.previews

    def fill_preview(self, number: int, text: str) -> None:
        """Show the passage itself where it is previewed."""
        if number in self.previews:
            self.previews[number] = text
            self._set_previews()

    def set_act(self, card: int, state: str) -> None:
        """Show what has become of an offer."""
        self.acts[card] = state
        self._set_foot()

    # setting

    @property
    def _label_cells(self) -> int:
        if self._options.width < _LABELLED_FROM_CELLS or self._options.is_explained:
            return 0
        return max(cell_width(_("You")), cell_width(_("Companion"))) + 2

    @property
    def _indent(self) -> int:
        return self._label_cells

    @property
    def _text_cells(self) -> int:
        return max(8, self._options.width - self._label_cells)

    def _begin(self) -> None:
        self._cites.update(each.number for each in self.turn.view.citations)
        self._head_links: list[ChatTarget] = []
        self._preview_links: list[ChatTarget] = []
        self._foot_links: list[ChatTarget] = []
        self._preview_rows: list[tuple[int, list[WikiRow]]] = []
        self._set_head()
        self._set_answer()
        if self.turn.view.has_ended:
            self._answer.finish()
        self._set_previews()
        self._set_foot()

    def _set_answer(self) -> None:
        self._answer = AnswerText(self._text_cells, self._cites, is_ascii=self._options.is_ascii)
        self._answer.feed(self.turn.view.text)

    def _set_head(self) -> None:
        view, width, label = self.turn.view, self._options.width, self._label_cells
        self._head, self._head_links = [], []
        you = (Bit(_("You"), Ink.FAINT),) if label else ()
        question = Bit(view.question.strip(), Ink.HEADING)
        rows = set_rows([question], width, indent=label, first=you)
        most = 1 if self._options.is_explained else _MOST_QUESTION_ROWS
        if len(rows) > most:  # what was pasted is known to her; the answer is not
            rows = [*rows[: most - 1], WikiRow(tuple(fit_bits([*rows[most - 1].bits, Bit(" …" + " " * width)], width)))]
        self._head += rows
        for line in self.turn.about:
            self._head.append(WikiRow((Bit(" " * label), Bit(fit_cells(one_line(line), self._text_cells), Ink.FAINT))))
        who = (Bit(_("Companion"), Ink.FAINT),) if label else ()
        lead = one_line(view.lead) or _("Looking.")
        self._head += set_rows([Bit(lead, Ink.FAINT)], width, indent=label, first=who)
        if view.tools:
            trace = " · ".join(joined(_tool_words(tool)) for tool in view.tools)
            self._head += set_rows([Bit(trace, Ink.FAINT)], width, indent=label)
        if view.spoiler:
            self._set_gate(view.spoiler)
        for number, card in enumerate(view.cards):
            if self._is_first(card):
                self._head += [BLANK_ROW, *card_rows(ShownCard(card, number), width, self._head_links)]
        self._head.append(BLANK_ROW)

    def _is_first(self, card: Card) -> bool:
        """Say whether a card stands before the text: who is named, where a selection is explained."""
        return self._options.is_explained and card.kind is CardKind.ENTRY

    def _set_gate(self, words: str) -> None:
        bar = "|" if self._options.is_ascii else _BAR
        width = self._options.width
        lead = (Bit(" " * self._label_cells), Bit(bar, Ink.PLACE))
        rows = set_rows([Bit(one_line(words))], width - self._label_cells - 2)
        self._head += [WikiRow((*lead, Bit(" "), *row.bits)) for row in rows]
        for number, (choice, choice_words, more) in enumerate(_CHOICES, 1):
            link = len(self._head_links)
            self._head_links.append(ToChoice(choice))
            bits = [Bit(_(choice_words), Ink.ENTRY, link)]
            if more and self._label_cells:
                bits.append(Bit(f"  {_(more)}", Ink.FAINT))
            sign = Bit(f"  {number}  ", Ink.PLACE, link)
            rows = set_rows(bits, width - self._label_cells - 1, indent=cell_width(sign.text), first=(sign,))
            self._head += [WikiRow((*lead, *row.bits)) for row in rows]

    def _set_previews(self) -> None:
        self._preview_rows, self._preview_links = [], []
        for number, text in self.previews.items():
            citation = self.citation(number)
            if citation is None:
                continue
            rows = preview_rows(citation, text, self._text_cells, self._preview_links)
            self._preview_rows.append((self._row_citing(number), rows))
        self._preview_rows.sort(key=lambda each: each[0])

    def _row_citing(self, number: int) -> int:
        """Return the first row of the answer that holds a citation; the last one where none does."""
        links = self._answer.links
        for at in range(len(self._answer)):
            if any(bit.link >= 0 and links[bit.link] == number for bit in self._answer.row(at).bits):
                return at
        return len(self._answer) - 1

    @property
    def _previewed(self) -> int:
        return sum(len(rows) for _behind, rows in self._preview_rows)

    def _set_foot(self) -> None:
        view, width = self.turn.view, self._text_cells
        self._foot, self._foot_links = [], []
        for number, card in enumerate(view.cards):
            if not self._is_first(card):
                self._foot.append(BLANK_ROW)
                self._foot += card_rows(ShownCard(card, number, self.acts.get(number, "")), width, self._foot_links)
        if view.citations and view.has_ended:
            self._foot.append(BLANK_ROW)
            self._foot += source_rows(view.citations, width, self._foot_links)
        self._foot += self._state_rows(view, width)
        self._foot.append(BLANK_ROW)

    def _state_rows(self, view: TurnView, width: int) -> list[WikiRow]:
        if view.state is TurnState.COMPLETED and not view.model:
            link = len(self._foot_links)
            self._foot_links.append(ToModels())
            words = _("{key} names a model that answers.").format(key=self._options.models_key)
            return [BLANK_ROW, *set_rows([Bit(words, Ink.FAINT, link)], width)]
        if view.state not in (TurnState.FAILED, TurnState.STOPPED):
            return []
        link = len(self._foot_links)
        self._foot_links.append(ToAgain())
        is_failed = view.state is TurnState.FAILED
        reason = one_line(view.failure)
        if is_failed:
            words = reason or _("There is no whole answer.")
        else:
            words = _("Stopped.") if not view.text else _("Stopped; what came is kept.")
        again = Bit(joined(_("r asks again")), Ink.PLACE, link)
        rows = set_rows([Bit(words, Ink.WARN if is_failed else Ink.FAINT), Bit("  "), again], width)
        return [*([BLANK_ROW] if len(self._answer) else []), *rows]


def _head_of(view: TurnView) -> tuple[object, ...]:
    return view.question, view.lead, view.tools, view.spoiler


def _tool_words(tool: ToolBegun | ToolEnded) -> str:
    """Return what a tool looked into, with its time: "original text, 6 passages 0.3 s"."""
    name = one_line(tool.tool)
    words = _(TOOL_WORDS[name]) if name in TOOL_WORDS else name.replace("_", " ")
    if not isinstance(tool, ToolEnded):
        return f"{words} …"
    found = one_line(tool.text)
    return _("{tool} {seconds} s").format(tool=f"{words}, {found}" if found else words, seconds=f"{tool.seconds:.1f}")
