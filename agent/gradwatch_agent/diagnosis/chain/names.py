"""By which names the newest tensors go at one moment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

import torch

from gradwatch_agent.diagnosis.place.stored import Aliases
from gradwatch_agent.naming import Found, Path
from gradwatch_agent.torch_seam import Node

Named: TypeAlias = tuple[Path, bool]
"""A name, and whether a single number goes by it."""

_NAMES: Final = 6
"""Names remembered for one node."""


def place(path: Path) -> tuple[str, ...]:
    """What a name stands for, the same from another function: an attribute of a class, ..."""
    return (path.name, *path.owners) if path.attribute else (path.expression,)


class Names(Found):
    """By which names tensors go, by the serial of their node."""

    def __init__(self, serial: Callable[[Node], int]) -> None:
        self._serial = serial
        self._scalar = self._leaf = False
        self._output = 0
        self.leaves: set[int] = set()
        """Those whose gradient is kept, as a leaf's."""
        self.paths: dict[int, list[Named]] = {}
        self.outputs: dict[tuple[int, Path], int] = {}
        """Which of its node's outputs a path leads to, where that is not the first."""
        self.nodes: dict[int, Node] = {}
        self.aliases: Aliases = {}

    def tensor(self, tensor: torch.Tensor, path: Path) -> None:  # noqa: ARG002
        """Comes before its node."""
        self._scalar, self._leaf = not tensor.dim(), tensor.retains_grad
        self._output = tensor.output_nr

    def node(self, node: Node, path: Path) -> None:
        """Remembers the name, and whether a single number goes by it."""
        serial = self._serial(node)
        names = self.paths.setdefault(serial, [])
        self.nodes[serial] = node
        if self._leaf:
            self.leaves.add(serial)
        if len(names) < _NAMES:
            names.append((path, self._scalar))
            if self._output:
                self.outputs[serial, path] = self._output

    def standing_at(self, path: Path) -> list[Node]:
        """The nodes that go by the name of that path."""
        own = place(path)
        every = self.paths.items()
        return [self.nodes[s] for s, names in every if any(place(p) == own for p, _ in names)]
