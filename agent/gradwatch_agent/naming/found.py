"""What is told of a search."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import torch

from gradwatch_agent.naming.paths import Path
from gradwatch_agent.torch_seam import Node


class Found:
    """What is told of a search; a caller overrides what he wants to know."""

    def node(self, node: Node, path: Path) -> None:
        """A graph that a name leads to: by a tensor, or by a node itself."""

    def tensor(self, tensor: torch.Tensor, path: Path) -> None:
        """A tensor that a name leads to, with or without a graph."""

    def container(self, container: Collection[Any], path: Path) -> None:
        """A list, dict, ... that a name leads to."""

    def block(self, size: int, path: Path) -> None:
        """So many bytes in which nothing else can lie: an array of numbers, a file in memory."""

    def again(self, first: Path, path: Path) -> None:
        """What the first way led to, some object or container, lies in another container, too:
        the way leads there. What lies within is told by the first way alone.
        """
