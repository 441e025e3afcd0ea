# gradwatch-corpus: kind=graph-chain
# holder: state.theta | theta | fresh | state
# first-bad: 1
# notice: 5
"""Functional fit of an expression -> phenotype map with a gradient-norm penalty (SAM-ish flatness)."""
from typing import Dict, NamedTuple

import torch
import torch.nn as nn
from torch.func import functional_call

torch.set_num_threads(1)
GENES, HIDDEN, TRAITS = 60, 16, 3
Params = Dict[str, torch.Tensor]


class State(NamedTuple):
    theta: Params
    velocity: Params
    t: int


def build():
    return nn.Sequential(nn.Linear(GENES, HIDDEN), nn.Softplus(), nn.Linear(HIDDEN, TRAITS))


def init(net) -> State:
    theta = {k: v.detach().clone().requires_grad_() for k, v in net.named_parameters()}
    return State(theta, {k: torch.zeros_like(v) for k, v in theta.items()}, 0)


def expression(gen, n, pathways):
    """log-counts driven by a handful of pathways, and traits depending on those"""
    act = torch.randn(n, pathways.shape[0], generator=gen)
    counts = torch.poisson((act @ pathways + 1.0).clamp(max=4).exp(), generator=gen)
    trait = torch.stack([act[:, 0], act[:, 1].tanh(), act[:, 0] * act[:, 2]], 1)
    return torch.log1p(counts) - 1.0, trait


def fit_loss(net, theta: Params, x, y):
    return nn.functional.mse_loss(functional_call(net, theta, (x,)), y)


def objective(net, theta: Params, x, y, flat=0.02):
    base = fit_loss(net, theta, x, y)
    inner = torch.autograd.grad(base, list(theta.values()), create_graph=True)
    sharpness = sum(g.pow(2).sum() for g in inner)
    return base + flat * sharpness, base.detach()


def momentum(state: State, grads: Params, lr, beta=0.9) -> State:
    vel = {k: beta * v + grads[k] for k, v in state.velocity.items()}
    fresh = {k: p - lr * vel[k] for k, p in state.theta.items()}  # <- culprit
    return State(fresh, vel, state.t + 1)


def step(net, state: State, batch, lr):
    total, base = objective(net, state.theta, *batch)
    grads = torch.autograd.grad(total, list(state.theta.values()))
    state = momentum(state, dict(zip(state.theta, grads)), lr)
    return state, base


def cosine(t, total, peak):
    return peak * 0.5 * (1 + torch.cos(torch.tensor(torch.pi * t / total)).item())


def r2(net, theta, x, y):
    with torch.no_grad():
        pred = functional_call(net, theta, (x,))
        return 1 - ((pred - y) ** 2).sum(0) / ((y - y.mean(0)) ** 2).sum(0)


def main(steps=120, peak=0.02):
    torch.manual_seed(21)
    gen = torch.Generator().manual_seed(22)
    pathways = torch.randn(5, GENES, generator=gen) * 0.4
    net = build()
    state = init(net)
    test = expression(gen, 300, pathways)

    while state.t < steps:
        state, base = step(net, state, expression(gen, 48, pathways), cosine(state.t, steps, peak))
        if state.t % 20 == 0:
            scores = ", ".join(f"{v:.2f}" for v in r2(net, state.theta, *test).tolist())
            print(f"t={state.t:3d}  mse {base.item():.4f}  r2 [{scores}]")


if __name__ == "__main__":
    main()
