# gradwatch-corpus: kind=graph-chain
# holder: params | params[k] | new_params | state.params | state.params[k] | state
# first-bad: 1
"""Per-tensor learning rates tuned by greedy one-step hypergradients of a validation loss (cf. Baydin et
al. 2018), with the parameters passed around functionally."""
from __future__ import annotations

from typing import Dict, NamedTuple

import torch
from torch import Tensor, nn
from torch.func import functional_call

Params = Dict[str, Tensor]


class State(NamedTuple):
    params: Params
    step: int


class Problem:
    """Teacher-student regression with a shifted validation distribution."""

    def __init__(self, d: int = 10, seed: int = 0):
        self.g = torch.Generator().manual_seed(seed)
        self.teacher = torch.randn(d, 1, generator=self.g)
        self.d = d

    def sample(self, n: int, noise: float) -> tuple[Tensor, Tensor]:
        x = torch.randn(n, self.d, generator=self.g)
        y = torch.sin(x @ self.teacher) + noise * torch.randn(n, 1, generator=self.g)
        return x, y


def make_loss(net: nn.Module):
    def loss_fn(params: Params, x: Tensor, y: Tensor) -> Tensor:
        return (functional_call(net, params, (x,)) - y).pow(2).mean()

    return loss_fn


def gradients(loss_fn, params: Params, batch) -> Params:
    loss = loss_fn(params, *batch)
    return dict(zip(params, torch.autograd.grad(loss, list(params.values()))))


def descend(params: Params, grads: Params, rates: Params) -> Params:
    return {k: params[k] - rates[k] * grads[k] for k in params}  # <- culprit


class HyperRates(nn.Module):
    def __init__(self, names, init: float):
        super().__init__()
        self.names = list(names)
        self.log_rate = nn.Parameter(torch.full((len(self.names),), float(init)).log())

    def forward(self) -> Params:
        r = self.log_rate.exp()
        return {n: r[i] for i, n in enumerate(self.names)}


def run(steps: int = 240) -> State:
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(10, 32), nn.Tanh(), nn.Linear(32, 1))
    loss_fn = make_loss(net)
    problem = Problem()

    params = {k: p.detach().clone().requires_grad_() for k, p in net.named_parameters()}
    hyper = HyperRates(params, init=0.02)
    outer = torch.optim.Adam(hyper.parameters(), lr=0.02)
    state = State(params, 0)

    while state.step < steps:
        grads = gradients(loss_fn, state.params, problem.sample(64, 0.3))
        new_params = descend(state.params, grads, hyper())

        val = loss_fn(new_params, *problem.sample(64, 0.0))
        outer.zero_grad()
        val.backward(retain_graph=True, inputs=list(hyper.parameters()))  # <- culprit
        outer.step()

        state = State(new_params, state.step + 1)  # <- culprit
        if state.step % 60 == 0:
            rates = hyper().items()
            print(f"{state.step:4d}  val {val.item():.4f}  " + "  ".join(f"{n}={r.item():.4f}" for n, r in rates))
    return state


if __name__ == "__main__":
    final = run()
    print("done after", final.step)
