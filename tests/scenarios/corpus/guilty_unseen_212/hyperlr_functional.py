# gradwatch-corpus: kind=graph-chain
# holder: state.params | state | new
# first-bad: 1
"""Functional MLP regression whose per-layer step sizes are tuned by hypergradient descent (Baydin et al. flavour)."""
import math
from typing import NamedTuple

import torch
from torch.func import functional_call, grad_and_value


class State(NamedTuple):
    params: dict
    momentum: dict
    count: int


def make_net():
    return torch.nn.Sequential(
        torch.nn.Linear(4, 48), torch.nn.Tanh(), torch.nn.Linear(48, 48), torch.nn.Tanh(), torch.nn.Linear(48, 1)
    )


def friedman(n, g):
    x = torch.rand(n, 4, generator=g)
    y = 10 * torch.sin(math.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3]
    return x, (y / 10 + 0.05 * torch.randn(n, generator=g)).unsqueeze(1)


def objective(net, params, x, y):
    return torch.nn.functional.mse_loss(functional_call(net, params, (x,)), y)


def init_state(net):
    params = {k: v.detach().clone() for k, v in net.named_parameters()}
    return State(params, {k: torch.zeros_like(v) for k, v in params.items()}, 0)


def sgd_apply(state, grads, log_lr, beta=0.8):
    mom = {k: beta * state.momentum[k] + grads[k] for k in grads}
    new = {}
    for k, p in state.params.items():
        new[k] = p - log_lr[k.split(".")[0]].exp() * mom[k]  # <- culprit
    return State(new, mom, state.count + 1)  # <- culprit


def train(iters=120, seed=0):
    torch.manual_seed(seed)
    g = torch.Generator().manual_seed(seed)
    net = make_net()
    log_lr = {k: torch.tensor(-3.5, requires_grad=True) for k in ("0", "2", "4")}
    meta_opt = torch.optim.Adam(list(log_lr.values()), lr=1e-2)
    state = init_state(net)
    inner = grad_and_value(lambda p, x, y: objective(net, p, x, y))

    for it in range(iters):
        x, y = friedman(64, g)
        frozen = {k: v.detach() for k, v in state.params.items()}
        grads, value = inner(frozen, x, y)
        state = sgd_apply(state, grads, log_lr)  # <- culprit

        xv, yv = friedman(64, g)
        meta_loss = objective(net, state.params, xv, yv)
        meta_opt.zero_grad()
        meta_loss.backward(retain_graph=True)
        meta_opt.step()
        for t in log_lr.values():
            t.data.clamp_(-7.0, -2.0)
        if it % 20 == 0:
            lrs = " ".join(f"{t.exp().item():.4f}" for t in log_lr.values())
            print(f"{it:3d} train {value.item():.4f} held-out {meta_loss.item():.4f} lr {lrs}")
    return state


if __name__ == "__main__":
    train()
