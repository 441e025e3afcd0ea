"""Backwards that fail: `second-backward` and `inplace-modified`. Pure.

These are events, not conditions: told once for each place, told again as they pile up.
"""

from __future__ import annotations

from dataclasses import dataclass

from gradwatch_agent.verdicts.case import Case, plural


@dataclass(frozen=True, slots=True)
class Doom:
    """What is known of a backward that fails because its buffers are gone."""

    iteration: int
    built: int | None
    """The iteration in which the freed node was built; None if not known."""
    node: str
    """Its type, e.g. "MulBackward0"; empty if not known."""
    stale: int = 0
    """Nodes of earlier iterations among those reached."""
    reached: int = 0
    fresh: bool = True
    """Whether it also reaches nodes of this iteration; else it is an old graph, walked again."""

    @property
    def is_old(self) -> bool:
        """Whether the freed node was built in an earlier iteration."""
        return self.built is not None and self.built < self.iteration


def second_backward(doom: Doom) -> Case:
    """The same graph is backwarded twice."""
    return Case(
        kind="second-backward",
        level="critical",
        since=doom.iteration,
        message=_second_message(doom),
        suggestion=_second_suggestion(doom),
        walked=doom.built if doom.is_old else None,
    )


def _second_message(doom: Doom) -> str:
    where = f" ({doom.node})" if doom.node else ""
    if doom.built is None:
        return "This backward needs buffers that an earlier backward freed."
    if doom.built >= doom.iteration:
        return (
            f"This backward walks nodes{where} that another backward of the same iteration "
            "has already freed."
        )
    if not doom.fresh:
        return (
            f"This backward walks the graph of iteration {doom.built} again, but an earlier "
            f"backward has freed its buffers{where}."
        )
    ago = plural(doom.iteration - doom.built, "iteration")
    share = f"; {doom.stale} of its {doom.reached} nodes are old" if doom.reached else ""
    return (
        f"The loss reaches nodes{where} that were built {ago} earlier, in iteration "
        f"{doom.built}, and freed by the backward there{share}."
    )


def _second_suggestion(doom: Doom) -> str:
    if doom.is_old and not doom.fresh:
        return (
            "Call backward on it in one iteration alone: compute it anew for this one, or keep the "
            "number (x.item()) instead of the tensor. retain_graph=True would only hide it."
        )
    if doom.is_old:
        return (
            "Detach what one iteration hands to the next (x = x.detach()), or build it anew "
            "inside the loop. retain_graph=True would only hide it: the graph would grow for ever."
        )
    return (
        "Add the losses and call backward once, or pass retain_graph=True to all but the last "
        "backward of this graph."
    )


def inplace_modified(iteration: int, error: str) -> Case:
    """A tensor that backward needs was changed in place; `error` is torch's own sentence."""
    return Case(
        kind="inplace-modified",
        level="critical",
        since=iteration,
        message=f"A tensor that backward needs was changed in place: {_which(error)}.",
        suggestion=(
            "Change a copy (x = x + 1 instead of x += 1), or call every backward before the "
            "optimizer's step: a step changes the weights in place."
        ),
    )


def _which(error: str) -> str:
    """The part of torch's sentence that names the tensor and the versions."""
    _, _, rest = error.partition("inplace operation: ")
    named, found, versions = rest.partition("; expected version ")
    return f"{named}, expected version {versions.partition(' ')[0]}" if found else "a saved tensor"
