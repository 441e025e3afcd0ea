"""Hooks that pile up, with what they keep, and slow down what calls them. Pure."""

from __future__ import annotations

from typing import Final, NamedTuple

from gradwatch_agent.verdicts.case import Case


class Pile(NamedTuple):
    """Hooks of one module or tensor, to which iterations go on adding."""

    hooks: int
    since: int
    """The iteration that was first seen to."""
    iterations: int
    """Those from then to now."""


_SURE: Final = 64
"""From so many on it is no probe of each layer, user or task in its turn."""

_OFTEN: Final = 0.9
"""Hooks an iteration: what is added now and then may be all that there will be."""

_EARLY: Final = " It is early to say: there may be one for each of what there is."


class Piled:
    """Tells of them as long as they are there."""

    def __init__(self) -> None:
        self.pile: Pile | None = None
        self.seems = False
        """Whether there may soon be some."""

    def case(self) -> Case | None:
        """The pile, if there is one."""
        if self.pile is None:
            return None
        often = self.pile.hooks >= _OFTEN * self.pile.iterations
        sure = often and self.pile.hooks >= _SURE
        return Case(
            kind="memory-climb",
            level="warning" if sure else "info",
            since=self.pile.since,
            message=(
                f"Hooks pile up: one module or tensor has {self.pile.hooks} of a kind by now, "
                f"and every one is called each time.{'' if sure else _EARLY}"
            ),
            suggestion="Remove a hook after its use, or register it only once.",
            size=self.pile.hooks,
        )
