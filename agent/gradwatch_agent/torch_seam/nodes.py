"""Autograd nodes and the tensors at their ends: numbers, edges, roots, leaves."""

from __future__ import annotations

import operator
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from types import CodeType
from typing import Any, Final

import torch

Node = Any
"""An autograd node; torch exports no useful type for it."""

Context: Final = torch._C._FunctionBase
"""The base of custom Functions: an instance is the node, and the ctx that the user sees."""

LEAF: Final = 1 << 62
"""Sequence numbers at or above this belong to AccumulateGrad, which has the maximum."""

sequence_number: Callable[[], int] = torch._C._autograd._get_sequence_nr
"""The number that the calling thread's next node will get."""

sequence_of: Callable[[Node], int] = operator.methodcaller("_sequence_nr")
"""The number of a node; one C call, for the census makes it for every node it walks."""

plainly: Callable[[], AbstractContextManager[None]] = torch._C.DisableTorchFunctionSubclass
"""While it is on, asking a tensor of a subclass runs no code of that."""


def roots_of(outputs: Any) -> Iterator[Node]:
    """The inner nodes from which a backward of these outputs starts."""
    for output in outputs:
        if type(output) is torch.Tensor:
            node = output.grad_fn
        elif isinstance(output, torch.Tensor):  # a subclass might run code of its own
            with plainly():
                node = output.grad_fn
        else:
            node = output.node  # a GradientEdge
        if node is not None and sequence_of(node) < LEAF:
            yield node


def graph_of(tensor: torch.Tensor) -> Node | None:
    """The node that made a tensor met in the user's program; None for a leaf."""
    if not tensor.requires_grad or not has_readable_node(tensor):
        return None
    node = tensor.grad_fn
    return node if node is not None and sequence_of(node) < LEAF else None


def version_of(leaf: Node) -> tuple[weakref.ref[torch.Tensor], int]:
    """The parameter behind an AccumulateGrad, and how often it was changed in place."""
    variable = leaf.variable
    return weakref.ref(variable), variable._version


def is_outdated_leaf(seen: tuple[weakref.ref[torch.Tensor], int]) -> bool:
    """Whether the parameter has been changed since it was seen."""
    parameter = seen[0]()
    return parameter is not None and parameter._version != seen[1]


def has_readable_node(tensor: torch.Tensor) -> bool:
    """Whether torch tells the tensor's node, if only that there is none.

    Not so of one of several views whose base was changed in place since; and a view of a
    parameter that was changed is not asked, for the asking would make a node.
    """
    base = tensor._base if tensor._is_view() else None
    if base is not None and base.is_leaf and tensor._version > 0:
        return False
    try:
        _ = tensor.grad_fn
    except RuntimeError:
        return False
    return True


def is_there(node: Node) -> bool:
    """Whether there is the node that the object stands for: in torch 2.11 the ctx of a custom
    Function that is kept for longer keeps no node, in 2.13 it does.
    """
    try:
        sequence_of(node)
    except RuntimeError:
        return False
    return True


def forward_of(node: Node) -> CodeType | None:
    """Of a custom Function's node: the code of its forward."""
    forward = getattr(getattr(type(node), "_forward_cls", None), "forward", None)
    code = getattr(forward, "__code__", None)
    return code if isinstance(code, CodeType) else None


def leaf_storage(leaf: Node) -> int:
    """Address of the storage of the parameter behind an AccumulateGrad; 0 if it has none."""
    try:
        return storage_of(leaf.variable)
    except AttributeError:
        return 0


def weights_at(leaves: Iterable[Node]) -> set[int]:
    """Addresses of the storages of those that are modules' parameters: no points of which somebody
    asks a derivative.
    """
    variables = (getattr(leaf, "variable", None) for leaf in leaves)
    return {storage_of(each) for each in variables if isinstance(each, torch.nn.Parameter)}


def storage_of(tensor: torch.Tensor) -> int:
    """Address of the tensor's storage; 0 if it has none."""
    try:
        if type(tensor) is torch.nn.Parameter or type(tensor) is torch.Tensor:
            return int(tensor.untyped_storage().data_ptr())
        with plainly():
            return int(tensor.untyped_storage().data_ptr())
    except (RuntimeError, AttributeError):
        return 0
