"""What the seam reads off a node: freed or not, what is saved, without touching any of it."""

from __future__ import annotations

import warnings

import pytest
import torch
from torch.nn import functional as F  # noqa: N812
from torch.utils.checkpoint import checkpoint

from gradwatch_agent import torch_seam


class Straight(torch.autograd.Function):
    """A straight-through estimator; saves nothing."""

    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, gradient):
        return gradient


class Square(torch.autograd.Function):
    """Saves its input."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return 2 * x * gradient


def frozen_linear(x: torch.Tensor) -> torch.Tensor:
    """Only the bias is trained, and the input is data: nothing needs to be saved."""
    return F.linear(torch.ones(4, 4), torch.ones(4, 4), x[0])


GRAPHS = {
    "sum": lambda x: x.sum(),
    "mul": lambda x: x * x,
    "mul by a constant": lambda x: x * torch.rand(4, 4),
    "only the bias": frozen_linear,
    "linear": lambda x: F.linear(x, x, x[0]),
    "conv without bias": lambda x: F.conv2d(x.view(1, 1, 4, 4), torch.rand(1, 1, 2, 2)),
    "norm without affine": lambda x: F.layer_norm(x, (4,)),
    "norm": lambda x: F.layer_norm(x, (4,), x[0], x[1]),
    "attention": lambda x: F.scaled_dot_product_attention(x[None], x[None], x[None]),
    "cross entropy": lambda x: F.cross_entropy(x, torch.tensor([0, 1, 2, 3])),
    "stack": lambda x: torch.stack([x, x.exp()]),
    "index": lambda x: x[torch.tensor([0, 2])],
    "relu": F.relu,
    "straight-through": Straight.apply,
    "custom": Square.apply,
    "view and in place": lambda x: x.clone().view(16).mul_(2),
    "lstm": lambda x: torch.nn.LSTM(4, 4)(x)[0],
    "dropout": lambda x: F.dropout(x, 0.5),
}


SILENT = ("custom", "view and in place")
"""Graphs that do not tell that they were freed."""


def nodes(root: torch.Tensor) -> set:
    found, waiting = {root.grad_fn}, [root.grad_fn]
    while waiting:
        children = set(torch_seam.edges(waiting.pop())) - found
        found |= children
        waiting += children
    return {node for node in found if torch_seam.sequence_of(node) < torch_seam.LEAF}


def again(root: torch.Tensor, *, retain_graph: bool) -> bool:
    """Whether one more backward fails."""
    try:
        root.sum().backward(retain_graph=retain_graph)
    except RuntimeError as error:
        if torch_seam.SECOND_TIME not in str(error):
            raise
        return True
    return False


@pytest.fixture(params=GRAPHS.values(), ids=GRAPHS.keys())
def root(request) -> torch.Tensor:
    return request.param(torch.rand(4, 4, requires_grad=True))


def test_nothing_is_freed_before_a_backward_nor_after_one_that_retains(root):
    for _ in range(2):
        assert [node for node in nodes(root) if torch_seam.is_freed(node)] == []
        assert not again(root, retain_graph=True)


def test_freed_is_what_makes_the_next_backward_fail(root, request):
    assert not again(root, retain_graph=False)
    told = any(torch_seam.is_freed(node) for node in nodes(root))
    if request.node.callspec.id in SILENT:
        assert not told
    else:
        assert told == again(root, retain_graph=False)


def test_a_custom_function_seen_before_tells_that_it_was_freed():
    x = torch.rand(4, 4, requires_grad=True)
    for function, fails in ((Square, True), (Straight, False)):
        root = function.apply(x)
        assert not torch_seam.is_freed(root.grad_fn)
        root.sum().backward()
        assert torch_seam.is_freed(root.grad_fn) == fails == again(root, retain_graph=False)
        assert not torch_seam.must_fail(root.grad_fn)


def test_looking_at_freed_nodes_changes_nothing(root):
    seen = nodes(root)
    root.sum().backward()
    before = [torch_seam.is_freed(node) for node in seen]
    assert [torch_seam.is_freed(node) for node in seen] == before


def test_what_is_saved_is_read_without_unpacking_it():
    unpacked = []

    def unpack(tensor: torch.Tensor) -> torch.Tensor:
        unpacked.append(tensor)
        return tensor

    x = torch.rand(4, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda tensor: tensor, unpack):
        y = (x * x).exp()
    for node in nodes(y):
        assert not torch_seam.is_freed(node)
        torch_seam.saved_storages(node, {})
    assert unpacked == []
    y.sum().backward()
    assert len(unpacked) == 3


@pytest.mark.parametrize("reentrant", [False, True])
def test_a_checkpointed_region_is_not_recomputed(reentrant):
    runs = []

    def region(x: torch.Tensor) -> torch.Tensor:
        runs.append(1)
        return x.sin().exp()

    x = torch.rand(4, requires_grad=True)
    y = checkpoint(region, x * 2, use_reentrant=reentrant).sum()
    for node in nodes(y):
        assert not torch_seam.is_freed(node)
        torch_seam.saved_storages(node, {})
    assert len(runs) == 1


def test_saved_storages():
    x = torch.rand(8, requires_grad=True)
    y, found = x.exp(), {}
    assert torch_seam.saved_storages(y.grad_fn, found)
    assert found == {y.untyped_storage().data_ptr(): 32}
    assert not torch_seam.saved_storages(x.sum().grad_fn, found)
    y.sum().backward()
    found = {}
    assert torch_seam.saved_storages(y.grad_fn, found)
    assert found == {}


@pytest.mark.parametrize("make", [lambda x: x.to_sparse(), lambda x: x.to("meta")])
def test_tensors_of_other_kinds_are_no_trouble(make):
    x = torch.eye(4, requires_grad=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y = make(x) * 2.0
        z = y * y
    for node in nodes(z):
        torch_seam.saved_storages(node, {})
        torch_seam.is_freed(node)


def test_a_leafs_storage():
    x = torch.rand(8, requires_grad=True)
    (leaf,) = torch_seam.edges((x * 2).grad_fn)
    assert torch_seam.leaf_storage(leaf) == x.untyped_storage().data_ptr()


@pytest.mark.parametrize(
    ("version", "old"),
    [
        ("2.3.1", True),
        ("1.13.0+cu117", True),
        ("2.4.0", False),
        ("2.13.0+cpu", False),
        ("3.0.0a0+git1", False),
    ],
)
def test_a_torch_too_old_is_refused(monkeypatch, version, old):
    monkeypatch.setattr(torch, "__version__", version)
    if not old:
        torch_seam.require_torch()
        return
    with pytest.raises(torch_seam.UnsupportedTorch, match=r"is too old: .* needs 2\.4 or newer"):
        torch_seam.require_torch()
