"""Optimizers that call a closure several times, which does not make all it walks."""

from __future__ import annotations

import functools

import torch
from torch import nn

from ..common import STEPS


def by_a_loss_that_a_closure_does_not_make():
    """second-backward | loss | words"""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer = torch.optim.LBFGS(model.parameters(), max_iter=4)
    x, y = torch.randn(16, 3), torch.randn(16, 1)
    for _ in range(STEPS):
        loss = (model(x) - y).pow(2).mean()  # <-

        def closure(loss=loss):
            optimizer.zero_grad()
            loss.backward()
            return loss

        optimizer.step(closure)


def by_a_part_that_a_closure_does_not_make():
    """second-backward | anchor | words"""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer = torch.optim.LBFGS(model.parameters(), max_iter=4)

    def objective(anchor):
        optimizer.zero_grad()
        loss = model(torch.randn(16, 3)).pow(2).mean() + anchor
        loss.backward()
        return loss

    for _ in range(STEPS):
        anchor = (model(torch.ones(2, 3)) - 1).pow(2).mean()  # <-
        optimizer.step(functools.partial(objective, anchor))


def by_a_factor_and_what_it_is_made_of():
    """second-backward | factor | words"""
    torch.manual_seed(0)
    length, noise = torch.zeros(1, requires_grad=True), torch.tensor([-2.0], requires_grad=True)
    optimizer = torch.optim.LBFGS([length, noise], lr=0.1, max_iter=4)
    apart, y = torch.rand(6, 6), torch.randn(6, 1)
    for _ in range(STEPS):
        likeness = torch.exp(-apart.T @ apart / length.exp())
        covered = likeness + (1 + noise.exp()) * torch.eye(6)
        factor = torch.linalg.cholesky(covered)  # <-

        def closure(factor=factor):
            optimizer.zero_grad()
            loss = (y * torch.cholesky_solve(y, factor)).sum()
            loss.backward()
            return loss

        optimizer.step(closure)


def slope(u, x):
    return torch.autograd.grad(u.sum(), x, create_graph=True)[0]


def by_a_closure_whose_helper_asks_for_gradients():
    """second-backward | wave | words"""
    torch.manual_seed(0)
    inner, outer = nn.Linear(1, 8), nn.Linear(8, 1)
    weights = [*inner.parameters(), *outer.parameters()]
    x = torch.linspace(0, 1, 16).unsqueeze(1).requires_grad_()
    optimizer = torch.optim.LBFGS(weights, max_iter=4)
    for _ in range(3):
        wave = torch.tanh(inner(x))  # <-

        def closure():
            optimizer.zero_grad()
            loss = (slope(outer(wave), x) - 1).pow(2).mean()  # noqa: B023
            loss.backward()
            return loss

        optimizer.step(closure)


class Sharp:
    """An optimizer of one's own, whose step calls its closure, and goes on after it."""

    def __init__(self, base):
        self.base = base

    def step(self, closure):
        first = closure()
        first.backward()
        self.base.step()
        self.plain(first)

    def plain(self, outcome):
        outcome.backward()  # <- walks it again, outside of the closure


def by_a_step_that_walks_again_what_its_closure_made():
    """second-backward | outcome | words"""
    model = nn.Linear(4, 1)
    sharp = Sharp(torch.optim.SGD(model.parameters(), 0.01))
    for _ in range(STEPS):
        x = torch.randn(8, 4)
        sharp.step(lambda: model(x).pow(2).mean())  # noqa: B023


def by_what_a_closure_only_puts_beside_something():
    """second-backward | context | words"""
    torch.manual_seed(0)
    encoder, cell = nn.Linear(3, 2), nn.Linear(6, 1)
    optimizer = torch.optim.LBFGS([*encoder.parameters(), *cell.parameters()], max_iter=4)
    rows = torch.randn(8, 3)
    for _ in range(STEPS):
        context = encoder(rows).tanh()  # <-

        def closure(context=context):
            optimizer.zero_grad()
            beside = torch.cat([torch.randn(8, 4), context], 1)
            loss = cell(beside).pow(2).mean()
            loss.backward()
            return loss

        optimizer.step(closure)
