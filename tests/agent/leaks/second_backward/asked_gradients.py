"""Gradients that are asked for by `torch.autograd.grad`, which frees the graph."""

from __future__ import annotations

import torch
from torch import nn

from ..common import STEPS


def by_gradients_asked_for_ahead():
    """second-backward | - | replaced"""
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def adapted(x):
        fit = model(x).pow(2).mean()
        gradients = torch.autograd.grad(fit, list(model.parameters()))  # <-
        return [p - 0.1 * g for p, g in zip(model.parameters(), gradients, strict=True)], fit

    for _ in range(STEPS):
        x = torch.randn(8, 4)
        weights, fit = adapted(x)
        loss = nn.functional.linear(x, *weights).pow(2).mean() + 0.1 * fit
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def by_gradients_of_several_losses():
    """second-backward | - | replaced"""
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(STEPS):
        out = model(torch.randn(8, 4)).tanh()
        losses = [out.pow(2).mean(), (out - 1).pow(2).mean()]
        norms = [torch.autograd.grad(each, model.weight)[0].norm() for each in losses]  # <-
        loss = sum(norm.item() * each for norm, each in zip(norms, losses, strict=True))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def by_gradients_with_a_switch():
    """second-backward | - | replaced"""
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def slope(y, x, last):
        (found,) = torch.autograd.grad(y.sum(), x, create_graph=not last)  # <-
        return found

    for _ in range(STEPS):
        x = torch.randn(8, 4, requires_grad=True)
        y = model(x).tanh()
        loss = (slope(y, x, last=True) + y).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def by_gradients_asked_for_behind_the_backward():
    """second-backward | - | words"""
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def sensitivity(result):
        return torch.autograd.grad(result["loss"], model.weight)[0].norm()  # <-

    for _ in range(STEPS):
        result = {"loss": model(torch.randn(8, 4)).tanh().pow(2).mean()}
        optimizer.zero_grad()
        result["loss"].backward()
        sensitivity(result)
        optimizer.step()


def by_gradients_asked_of_terms_that_were_summed():
    """second-backward | term | words"""
    torch.manual_seed(0)
    net = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(net.parameters(), 0.01)

    def asked(terms):
        for term in terms:
            torch.autograd.grad(term, net.weight)  # <-

    for _ in range(3):
        out = net(torch.randn(8, 4)).exp()
        terms = [out.mean(), out.pow(2).mean()]
        optimizer.zero_grad()
        sum(terms).backward()
        asked(terms)
        optimizer.step()


def by_a_norm_that_is_told_to_free():
    """second-backward | border | replaced"""
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def norm(loss, keep):
        (found,) = torch.autograd.grad(loss, model.weight, retain_graph=keep)
        return found.norm()

    for _ in range(STEPS):
        inner = model(torch.randn(8, 4)).tanh().pow(2).mean()
        border = model(torch.randn(8, 4)).tanh().pow(2).mean()
        inner_norm = norm(inner, True)
        border_norm = norm(border, False)  # <-
        loss = inner + (inner_norm / border_norm) * border
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def by_a_solver_whose_last_round_frees():
    """second-backward | - | replaced"""
    weight = torch.ones(4, requires_grad=True)
    strength = torch.ones(4, requires_grad=True)
    optimizer = torch.optim.SGD([strength], 0.01)

    def solve(slope, rounds):
        found = torch.ones(4)
        for n in range(rounds):
            (p,) = torch.autograd.grad(slope, weight, found, retain_graph=n < rounds - 1)  # <-
            found = found - 0.1 * p
        return found

    for _ in range(STEPS):
        inner = (strength.exp() * weight.pow(4)).sum()
        (slope,) = torch.autograd.grad(inner, weight, create_graph=True)
        (outer,) = torch.autograd.grad(weight.pow(2).sum(), weight)
        found = solve(slope, 3)
        (gradient,) = torch.autograd.grad(slope, strength, found * outer)
        strength.grad = -gradient
        optimizer.step()


class Halved(torch.autograd.Function):
    @staticmethod
    def forward(ctx, weight):
        with torch.enable_grad():
            ctx.own = weight.detach().requires_grad_()
            ctx.result = (ctx.own.tanh() / 2).pow(2)
        return ctx.result.detach()

    @staticmethod
    def backward(ctx, gradient):
        (found,) = torch.autograd.grad(ctx.result, ctx.own, gradient)  # <-
        return found


def by_a_function_whose_backward_frees_its_own_graph():
    """second-backward | ctx.result | words"""
    weight = torch.ones(4, requires_grad=True)
    optimizer = torch.optim.SGD([weight], 0.01)
    for _ in range(STEPS):
        out = Halved.apply(weight)
        torch.autograd.grad(out.sum(), weight, retain_graph=True)
        optimizer.zero_grad()
        out.mean().backward()
        optimizer.step()


def by_an_attack_that_walks_the_encoder():
    """second-backward | code | replaced"""
    encoder, head = nn.Linear(4, 4), nn.Linear(4, 1)
    optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], 0.01)

    def attack(given):
        nudge = torch.zeros_like(given, requires_grad=True)
        harm = head(given + nudge).pow(2).mean()
        harm.backward()
        return nudge.grad.sign()

    for _ in range(STEPS):
        code = encoder(torch.randn(8, 4)).tanh()
        optimizer.zero_grad()
        nudge = attack(code)  # <-
        loss = head(code + 0.1 * nudge).pow(2).mean()
        loss.backward()
        optimizer.step()


def penalty_of(scores, inputs):
    (slope,) = torch.autograd.grad(scores.sum(), inputs, create_graph=True)
    return slope.pow(2).mean()


def a_penalty_of_scores_that_are_walked_already():
    """second-backward | scores | replaced"""
    torch.manual_seed(0)
    critic = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(critic.parameters(), 0.01)
    for number in range(STEPS):
        real = torch.randn(6, 4).requires_grad_(number % 4 == 3)
        scores = critic(real)
        loss = nn.functional.softplus(-scores).mean()
        optimizer.zero_grad()
        loss.backward()  # <-
        if number % 4 == 3:
            penalty_of(scores, real).backward()
        optimizer.step()


def by_a_penalty_on_a_gradient():
    """second-backward | - | replaced"""
    torch.manual_seed(0)
    critic = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
    optimizer = torch.optim.SGD(critic.parameters(), 0.01)
    for _ in range(3):
        x = torch.randn(8, 4, requires_grad=True)
        score = critic(x).sum()
        (slope,) = torch.autograd.grad(score, x)  # <-
        penalty = (slope.norm(dim=1) - 1).pow(2).mean()
        optimizer.zero_grad()
        (penalty - score).backward()
        optimizer.step()


def by_fast_weights_that_begin_once():
    """second-backward | fast | words"""
    torch.manual_seed(0)
    slow = [torch.randn(4, 3, requires_grad=True), torch.zeros(3, requires_grad=True)]
    optimizer = torch.optim.SGD(slow, 0.01)
    fast = slow
    for _ in range(STEPS):
        x = torch.randn(8, 4)
        loss = (x @ fast[0] + fast[1]).pow(2).mean()
        gradients = torch.autograd.grad(loss, fast, create_graph=True)
        fast = [w - 0.01 * g for w, g in zip(fast, gradients, strict=True)]  # <-
        optimizer.zero_grad()
        (x @ fast[0] + fast[1] - 1).pow(2).mean().backward()
        optimizer.step()
