"""What a backward tells of where iterations end: whether it goes on, what it trains, and whether
somebody has cleared what the one before has left.
"""

from __future__ import annotations

import torch

from gradwatch_agent.graph.by_hand import ByHand
from gradwatch_agent.graph.gradients import Clearing
from gradwatch_agent.graph.reached import Look
from gradwatch_agent.loop.optimizers import Awaited
from gradwatch_agent.torch_seam import Pass


class Signs:
    """Of one training thread. `thorough`: a check, which asks for the first step to come."""

    def __init__(self, *, thorough: bool) -> None:
        self.advances = True
        """Whether the backward last looked at did more than go through an old graph again."""
        self.awaited = Awaited()
        """The first step of an optimizer; asked about by a check alone."""
        self.cleared = False
        """Whether the gradients were cleared before the backward last looked at; asked in the
        first iteration alone, which may be waiting for a step that never comes.
        """
        self.trained = False
        """The same of what the graph of a gradient was worked out of: whether it was trained."""
        self._thorough = thorough
        self._clearing = Clearing()
        self._by_hand = ByHand()
        self._frontier: frozenset[int] = frozenset()
        """The newest old nodes that the backward before reached."""
        self._fresh = 0
        """New nodes that the same backward reached."""

    def look(self, look: Look, run: Pass, built: int, *, first: bool) -> None:
        """A backward is about to start that will reach this; so many nodes were `built` in its
        iteration, the `first` of all or not.
        """
        # A chain within what is taken for one iteration leads to the same old nodes, by more new.
        longer = look.fresh > self._fresh
        self.advances = look.touches or look.frontier != self._frontier or longer
        if not run.create_graph:  # what walks that graph comes to the same old nodes
            self._frontier, self._fresh = look.frontier, look.fresh
        leaf = look.first_leaf
        if run.call == "backward" and self._thorough:
            kind = type(leaf.variable) if leaf is not None else torch.nn.Parameter
            more = built > look.fresh and not issubclass(kind, torch.nn.Parameter)
            self.awaited.ask(look.addresses, more=more)
        if run.call == "backward" and first and leaf is not None:
            self.cleared = self._clearing.before(leaf.variable)
        waits = run.create_graph and run.call == "grad" and first
        self.trained = waits and self._by_hand.has_trained(look.at_leaves)

    def after(self) -> None:
        """A backward of the first iteration has ended."""
        self._clearing.after()

    def begin(self) -> None:
        """The next iteration begins."""
        self.cleared = self.trained = False
