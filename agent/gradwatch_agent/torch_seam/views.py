"""What a tensor keeps in memory besides what it shows: a view keeps all that it was cut from."""

from __future__ import annotations

import sys
from typing import Final

import torch

from gradwatch_agent.torch_seam.nodes import plainly


def bytes_of(tensor: torch.Tensor) -> tuple[int, int]:
    """What would be freed with it, and what it shows of that.

    Of a storage that several tensors are of, it keeps a part; nothing more than it shows where
    what it was cut from has a name of its own, and is kept by that.
    """
    with plainly():
        shown = int(tensor.numel() * tensor.element_size())
        try:
            storage = tensor.untyped_storage()
        except (RuntimeError, AttributeError):
            return shown, shown  # sparse, or made up: without a storage
        whole = int(storage.nbytes())
        if whole <= shown:
            return whole, whole
        if _references_to_base(tensor) > _OF_NONE_THAT_IS_NAMED:
            return shown, shown
        users = _users(storage) - tensor._is_view()
        return max(shown, whole // max(users, 1)), shown


def _references_to_base(view: torch.Tensor) -> int:
    base = view._base
    return sys.getrefcount(base) if base is not None else 0


_OF_NONE_THAT_IS_NAMED: Final = _references_to_base(torch.zeros(2, device="cpu")[:1])
"""References to what no name of the program's stands for: torch's own vary by release. Made here,
at the agent's start, where no mode of the program's sees it."""


def _users(storage: torch.UntypedStorage) -> int:
    """How many tensors there are of it; our look at it counts as one."""
    count = getattr(torch._C, "_storage_Use_Count", None)
    return int(count(storage._cdata)) - 1 if count is not None else 1
