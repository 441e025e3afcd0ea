"""Jobs that show what the agent does to graphs. None has an optimizer.

They come before all others: once an optimizer was made, the agent waits for its step.
"""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import torch
from jobs import ITERATIONS, job, mlp, numbers
from torch import nn
from torch.utils.checkpoint import checkpoint


def checkpointed(*, reentrant: bool) -> Iterator[object]:
    first, second = nn.Linear(8, 8), mlp()
    for _ in range(ITERATIONS):
        x = first(torch.randn(4, 8))
        loss = checkpoint(second, x, use_reentrant=reentrant).pow(2).mean()
        loss.backward()
        yield loss
        yield from numbers(first)
        yield from numbers(second)


@job
def checkpointing_reentrant():
    return checkpointed(reentrant=True)


@job
def checkpointing():
    return checkpointed(reentrant=False)


class Cube(torch.autograd.Function):
    """Counts its backwards, too."""

    backwards = 0

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, gradient):
        Cube.backwards += 1
        (x,) = ctx.saved_tensors
        return 3 * x**2 * gradient


@job
def custom_function():
    x = torch.randn(8, requires_grad=True)
    for _ in range(ITERATIONS):
        Cube.apply(x).sum().backward()
        yield x.grad
    yield Cube.backwards


@job
def chain_that_is_retained():
    w, y = torch.randn(4, requires_grad=True), torch.zeros(4)
    for _ in range(ITERATIONS):
        y = torch.tanh(y + w)
        y.sum().backward(retain_graph=True)
        yield w.grad
        w.grad.zero_()


@job
def losses_that_are_kept():
    model, kept = mlp(), []
    for _ in range(ITERATIONS):
        kept.append(model(torch.randn(4, 8)).pow(2).mean())
        kept[-1].backward()
        yield kept[-1]
        yield from numbers(model)


@job
def functional_gradients():
    w = torch.randn(4)
    for _ in range(ITERATIONS):
        w = w - 0.1 * torch.func.grad(lambda w: (w * w).sum())(w)
        yield torch.func.vmap(torch.func.grad(lambda x: x.sin().sum()))(w[:, None])
        yield torch.autograd.functional.hessian(lambda w: (w**3).sum(), w)


class Mark:
    """Put on a node; lives as long as that."""


def marked(root: torch.Tensor, marks: weakref.WeakSet[Mark]) -> torch.Tensor:
    waiting = [root.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is not None and "mark" not in node.metadata:
            node.metadata["mark"] = mark = Mark()
            marks.add(mark)
            waiting += [child for child, _ in node.next_functions]
    return root


def lifetimes(*, backward: bool, carries: bool, retains: bool) -> Iterator[object]:
    """How many nodes live after every statement that lets some of them die."""
    model, marks = mlp().eval(), weakref.WeakSet()
    state = torch.zeros(4, 8)
    for _ in range(ITERATIONS):
        out = marked(model(state), marks)
        loss = marked(out.pow(2).mean(), marks)
        yield len(marks)
        if backward:
            loss.backward(retain_graph=retains)
        yield len(marks)
        del loss
        yield len(marks)
        state = marked(state + out, marks)
        if not carries:
            state = state.detach()
        yield len(marks)
        del out
        yield len(marks)


@job
def lives_of_graphs():
    gc.disable()  # a cycle of the agent's would show
    yield from lifetimes(backward=True, carries=False, retains=False)
    yield from lifetimes(backward=True, carries=True, retains=True)
    yield from lifetimes(backward=True, carries=False, retains=True)
    yield from lifetimes(backward=False, carries=False, retains=False)
    gc.enable()


@job
def lives_of_graphs_that_an_exception_keeps():
    gc.disable()
    marks: weakref.WeakSet[Mark] = weakref.WeakSet()

    def step():
        x = torch.ones(3, requires_grad=True)
        y = marked((x * x).exp().sum(), marks)
        y.backward()
        y.backward()

    for _ in range(ITERATIONS):
        try:
            step()
        except RuntimeError as error:
            kept = error
        yield len(marks)
        del kept
        yield len(marks)
    gc.enable()
