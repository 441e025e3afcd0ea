"""What lies in optimizers' states, in gradients and in functions of torch's own."""

from __future__ import annotations

import collections
from typing import ClassVar

import torch
from torch import nn

from ..common import STEPS


def by_optimizer_state():
    """graph-held | optimizer.state | replaced"""
    torch.manual_seed(0)
    model = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(STEPS):
        loss = model(torch.randn(8, 4)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        optimizer.state[model.weight].setdefault("losses", []).append(loss)  # <-


def by_what_an_optimizer_keeps_under_a_key():
    """graph-held | state | replaced"""
    torch.manual_seed(0)
    model, state = nn.Linear(4, 3), collections.defaultdict(dict)
    for _ in range(STEPS):
        loss = model(torch.randn(8, 4)).pow(2).mean()
        gradients = torch.autograd.grad(loss, list(model.parameters()), create_graph=True)
        with torch.no_grad():
            sizes = [gradient.abs().sum() for gradient in gradients]
        sum((g * g).sum() for g in gradients).backward()
        for p, g in zip(model.parameters(), gradients, strict=True):
            own = state[p]
            own["steps"] = own.get("steps", 0) + 1
            own["mean"] = 0.9 * own.get("mean", 0.0) + 0.1 * g  # <-
            p.data.sub_(0.001 * g.detach())
        assert len(sizes) == 2


def by_gradients_that_are_zeroed_with_their_graph():
    """graph-held | each.grad | words"""
    model = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(STEPS):
        for each in model.parameters():
            if each.grad is not None:
                with torch.no_grad():
                    each.grad.zero_()
        model(torch.randn(8, 4)).pow(2).sum().backward(create_graph=True)  # <-
        optimizer.step()


def slope_of(model):
    x = torch.randn(8, 4, requires_grad=True)
    model(x).sum().backward(create_graph=True)  # <- a cycle of its own in each iteration
    return x.grad


def by_the_gradient_of_an_input():
    """graph-held | x.grad | words"""
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(STEPS):
        slope = slope_of(model)
        optimizer.zero_grad()
        slope.pow(2).mean().backward()
        optimizer.step()


def by_the_forward_of_a_custom_function():
    """graph-held | Kept.results | words"""

    class Kept(torch.autograd.Function):
        results: ClassVar = []

        @staticmethod
        def forward(ctx, x):
            y = x * 2
            Kept.results.append(y)  # <-
            return y

        @staticmethod
        def backward(ctx, gradient):
            return gradient * 2

    torch.manual_seed(0)
    model = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(STEPS):
        optimizer.zero_grad()
        Kept.apply(model(torch.randn(8, 4))).pow(2).mean().backward()
        optimizer.step()
