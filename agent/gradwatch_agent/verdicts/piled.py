"""Hooks that pile up, with what they keep, and slow down what calls them. Pure."""

from __future__ import annotations

from typing import NamedTuple

from gradwatch_agent.verdicts.case import Case


class Pile(NamedTuple):
    """Hooks of one module or tensor, to which each iteration adds."""

    hooks: int
    since: int
    """The iteration that was first seen to."""


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
        return Case(
            kind="memory-climb",
            level="warning",
            since=self.pile.since,
            message=(
                f"Hooks pile up: one module or tensor has {self.pile.hooks} of a kind by now, "
                "each iteration adds to them, and every one is called each time."
            ),
            suggestion="Remove a hook after its use, or register it only once.",
            size=self.pile.hooks,
        )
