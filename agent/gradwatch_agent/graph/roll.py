"""Which nodes the backwards of one iteration reached, each once, though several walk them.

No node is kept: what is remembered is its number, which is a thread's own. A double backward on
a device builds nodes in the device's thread, and no node says which thread has built it: within
one walk nodes with the same number are told apart for they are several objects; between walks by
their types.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from gradwatch_agent import torch_seam
from gradwatch_agent.graph.reached import MOST_NODES, TooLarge
from gradwatch_agent.torch_seam import Node


class Roll:
    """`walk` before each walk; then each node that it meets is to be entered once."""

    def __init__(self) -> None:
        self.new: Final[dict[int, type]] = {}
        """Number of each node of this iteration, and its type."""
        self.storages: Final[dict[int, int]] = {}
        """Address and size in bytes of what they saved."""
        self._others: Counter[tuple[int, type]] = Counter()
        """How many others a walk has met, by number and type: built before this iteration by
        their number, or with a number that another node has too.
        """
        self._here = self.new  # in the first walk the same: most iterations have but one
        self._others_here: Counter[tuple[int, type]] = Counter()

    def walk(self) -> None:
        """The walk before is over."""
        self._others |= self._others_here  # of each, as many as one walk has met
        self._here = {} if self.new else self.new
        self._others_here = Counter()

    def enter(self, node: Node, number: int) -> bool:
        """False if an earlier walk has entered it. Raises `TooLarge`."""
        kind, new, here = type(node), self.new, self._here
        if number in here or (here is not new and new.get(number, kind) is not kind):
            return self.enter_other(node, number)
        if here is not new:
            here[number] = kind
            if number in new:
                return False
        if len(new) > MOST_NODES:
            raise TooLarge(f"more than {MOST_NODES} nodes in one iteration")
        new[number] = kind
        torch_seam.saved_storages(node, self.storages)
        return True

    def enter_other(self, node: Node, number: int) -> bool:
        """The same of one whose number is an earlier iteration's, or another node's as well."""
        key = number, type(node)
        self._others_here[key] += 1
        if self._others_here[key] <= self._others[key]:
            return False
        torch_seam.saved_storages(node, self.storages)
        return True

    def older(self, start: int) -> int:
        """How many of the others have numbers from before that one."""
        every = (self._others | self._others_here).items()
        return sum(count for (number, _), count in every if number < start)

    def kinds(self) -> Counter[type]:
        """How many nodes of each type."""
        kinds = Counter(self.new.values())
        for (_, kind), count in (self._others | self._others_here).items():
            kinds[kind] += count
        return kinds
