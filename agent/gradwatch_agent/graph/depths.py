"""The walk below an iteration: stale nodes, generation by generation, down to what is known.

Each set of them is walked once. Must not know what is counted above.
"""

from __future__ import annotations

from collections import Counter

from gradwatch_agent import torch_seam
from gradwatch_agent.graph.below import Below, Remembered, earlier
from gradwatch_agent.graph.lineage import Lineage
from gradwatch_agent.graph.reached import MOST_NODES, Look, TooLarge, by_name, serial_of
from gradwatch_agent.torch_seam import LEAF, Node, sequence_of


class Depths:
    """Of one training thread."""

    def __init__(self, lineage: Lineage) -> None:
        self._lineage = lineage
        self._remembered = Remembered()

    def freed(self) -> None:
        """The backward last looked at freed what it reached: what is remembered holds no more."""
        self._remembered.forget_saving()

    def below(self, stale: set[Node], look: Look) -> Below:
        """What lies below, generation by generation from the newest, down to what is known."""
        by_generation: dict[int, set[Node]] = {}
        for node in stale:
            generation = self._lineage.generation_of(sequence_of(node))
            by_generation.setdefault(generation, set()).add(node)
        passed: list[tuple[frozenset[int], Below, dict[int, int]]] = []
        found = Below()
        while by_generation:
            key = frozenset(serial_of(n) for nodes in by_generation.values() for n in nodes)
            known = self._remembered.get(key)
            if known is not None:
                found = known
                break
            newest = max(by_generation)
            layer = self._layer(newest, by_generation.pop(newest), by_generation, look)
            passed.append((key, *layer))
        for key, upper, storages in reversed(passed):
            found = found.with_upper(upper, storages)
            self._remembered.put(key, found, self._lineage.current)
        return found

    def _layer(
        self, generation: int, nodes: set[Node], older: dict[int, set[Node]], look: Look
    ) -> tuple[Below, dict[int, int]]:
        """One stale generation: its nodes that are reached, and the storages these save.

        What they reach in earlier generations goes into `older`.
        """
        lineage = self._lineage
        seen, waiting = set(nodes), list(nodes)
        leaves: set[Node] = set()
        types: Counter[type] = Counter()
        storages: dict[int, int] = {}
        witness: int | None = None
        saves = False
        spent = look.failed or lineage.was_spent(generation)
        while waiting:
            node = waiting.pop()
            if len(seen) > MOST_NODES:
                raise TooLarge(f"more than {MOST_NODES} nodes in one generation")
            types[type(node)] += 1
            saves |= torch_seam.saved_storages(node, storages)
            if spent:
                look.meets(node, generation)
            source = True
            for sequence, child in torch_seam.numbered_edges(node, sequence_of(node)):
                if sequence >= LEAF:
                    leaves.add(child)
                    continue
                source = False
                built = lineage.generation_of(sequence)
                if built < generation:
                    older.setdefault(built, set()).add(child)
                elif child not in seen:
                    seen.add(child)
                    waiting.append(child)
            if (source and look.marks) or lineage.bears(node):
                mark = lineage.mark(node)
                if mark is not None and mark.generation < lineage.current:
                    witness = earlier(witness, mark.generation)
        layer = Below(
            nodes=len(seen),
            oldest=generation,
            witness=witness,
            saves=saves,
            versions={serial_of(leaf): torch_seam.version_of(leaf) for leaf in leaves},
            leaves={serial_of(leaf): torch_seam.leaf_storage(leaf) for leaf in leaves},
            types=by_name(types),
        )
        return layer, storages
