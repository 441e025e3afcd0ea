"""What is said of a cut, and of how to mend it. Pure."""

from __future__ import annotations

from typing import Final

from gradwatch_agent.diagnosis.graphless.ways import Way, Why

_LONG: Final = 60
"""Of code within a sentence; the statement stands below it anyway."""

_SAID: Final = {
    Why.MODE: (
        "What it was made of was computed where gradients are switched off.",
        "Compute what the loss is made of outside of it, or let it switch nothing off in training.",
    ),
    Why.LEFT_OFF: (
        "Gradients were switched off by the statement below, and were so still at the backward.",
        "Put `with torch.no_grad():` around what needs no gradients: behind it they are on again.",
    ),
    Why.WAITING: (
        "A generator waits in the block below: gradients are off for whoever draws from it.",
        "Let the block end ahead of each yield.",
    ),
    Why.FROZEN: (
        "None of the weights that it was made of requires a gradient.",
        "Leave those weights unfrozen that are to be trained: `requires_grad_(True)`.",
    ),
    Why.REENTRANT: (
        "A reentrant checkpoint gives no graph where nothing that it is given requires a gradient.",
        "Pass use_reentrant=False to the checkpoint.",
    ),
}


def words(way: Way) -> tuple[str, str]:
    """Why there is no graph, and what to change."""
    if way.why is Why.EXPRESSION:
        code = way.name if len(way.name) <= _LONG else f"{way.name[: _LONG - 1]}…"
        return (
            f"`{code}` has none, whatever it is made of.",
            "Compute the loss from what lies before that: nothing can be trained through it.",
        )
    if way.why is Why.PLAIN:
        return (
            f"`{way.name}`, which is to be trained, does not require a gradient.",
            f"Let it, or each tensor in it, require one before use: `{way.name}.requires_grad_()`.",
        )
    if way.why is not None:
        return _SAID[way.why]
    return (
        "It was made from nothing that requires a gradient.",
        "Call backward only where the loss was made of what is trained.",
    )
