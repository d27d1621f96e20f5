"""What was sent to a model, layer by layer, in lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.domain.conversations import Layer, LayerPart
from engine.translate import N_, _, grouped
from tui.render.cells import cell_width
from tui.render.wiki_bits import one_line

_NAMES: Mapping[str, str] = {
    "must": N_("must"),
    "tools": N_("tools"),
    "important": N_("important"),
    "nice": N_("nice to have"),
    "looked up": N_("looked up"),
}


def context_text(layers: Sequence[Layer], model: str) -> str:
    """Return each layer with the tokens it took and may take, and below it its parts and what was cut of them."""
    if not layers:
        return _("Nothing was sent: the book itself was quoted.") if not model else _("What was sent is not known.")
    total = sum(layer.tokens for layer in layers)
    lines = [_("What was sent to {model}: about {n} tokens").format(model=one_line(model), n=grouped(total)), ""]
    for layer in layers:
        name = _(_NAMES[layer.name]) if layer.name in _NAMES else one_line(layer.name)
        tokens, most = grouped(layer.tokens), grouped(layer.budget_tokens)
        has_budget = layer.budget_tokens > 0
        lines.append(
            _("{name}: {n} of {most}").format(name=name, n=tokens, most=most) if has_budget else f"{name}: {tokens}"
        )
        lines += _part_lines(layer.parts)
    return "\n".join(lines)


def _part_lines(parts: Sequence[LayerPart]) -> list[str]:
    names = [one_line(part.name) for part in parts]
    widest = max(map(cell_width, names), default=0)
    lines = []
    for part, name in zip(parts, names, strict=True):
        cut = _("   {n} left out").format(n=grouped(part.cut_tokens)) if part.cut_tokens else ""
        lines.append(f"    {name}{' ' * (widest - cell_width(name))}  {grouped(part.tokens):>7}{cut}")
    return lines
