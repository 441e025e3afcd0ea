"""Whether a script trains by hand what it takes gradients for, and each is an iteration by itself.

Asked while a gradient's graph may yet be a part of something bigger, a penalty or an inner step:
what that is worked out of stays as it is until then.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable

import torch

from gradwatch_agent.graph.reached import serial_of
from gradwatch_agent.torch_seam import Node, version_of


class ByHand:
    """Told of each such gradient, before it is taken."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[weakref.ref[torch.Tensor], int]] = {}
        """Each leaf that was reached, by its serial, as it was then."""

    def has_trained(self, leaves: Iterable[Node]) -> bool:
        """Whether one of the leaves was changed since an earlier gradient reached it, or all of
        them stand for others: none was reached before.
        """
        now = {serial_of(leaf): version_of(leaf) for leaf in leaves}
        before = {serial: self._known[serial] for serial in now if serial in self._known}
        changed = any(version[1] != now[serial][1] for serial, version in before.items())
        replaced = bool(now and self._known) and not before
        self._known |= now
        return changed or replaced
