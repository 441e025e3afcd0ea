# gradwatch-corpus: kind=graph-chain
# holder: params | state.params | state | params[k] | new | p
# first-bad: 1
"""Denoising score matching on two moons: my JAX notebook, carried over to torch cell by cell.

Kept the pytrees-as-dicts and the pure update functions, so the two versions can be diffed.
"""
import math
from typing import Callable, Dict, NamedTuple

import torch

Tree = Dict[str, torch.Tensor]


class TrainState(NamedTuple):
    step: int
    params: Tree
    mu: Tree
    nu: Tree


def tree_map(fn: Callable, *trees: Tree) -> Tree:
    return {k: fn(*(t[k] for t in trees)) for k in trees[0]}


# --- data ---------------------------------------------------------------------------------

def moons(key: torch.Generator, n: int) -> torch.Tensor:
    t = torch.rand(n, generator=key) * math.pi
    upper = torch.rand(n, generator=key) < 0.5
    x = torch.where(upper, torch.cos(t), 1 - torch.cos(t))
    y = torch.where(upper, torch.sin(t), 0.5 - torch.sin(t))
    return torch.stack([x - 0.5, y - 0.25], 1) + 0.05 * torch.randn(n, 2, generator=key)


def sigmas(key: torch.Generator, n: int, lo=0.02, hi=1.0) -> torch.Tensor:
    u = torch.rand(n, 1, generator=key)
    return lo * (hi / lo) ** u


# --- network ------------------------------------------------------------------------------

def init(key: torch.Generator, widths) -> Tree:
    params = {}
    for i, (a, b) in enumerate(zip(widths[:-1], widths[1:])):
        w = torch.randn(a, b, generator=key) * math.sqrt(2.0 / a)
        params[f"w{i}"] = w.requires_grad_()
        params[f"b{i}"] = torch.zeros(b, requires_grad=True)
    return params


def apply(params: Tree, x: torch.Tensor, sigma: torch.Tensor) -> torch.Tensor:
    h = torch.cat([x, sigma.log() / 4], 1)
    depth = len(params) // 2
    for i in range(depth):
        h = h @ params[f"w{i}"] + params[f"b{i}"]
        if i < depth - 1:
            h = torch.nn.functional.silu(h)
    return h / sigma


def dsm_loss(params: Tree, x: torch.Tensor, sigma: torch.Tensor, eps: torch.Tensor) -> torch.Tensor:
    score = apply(params, x + sigma * eps, sigma)
    return (sigma * score + eps).pow(2).sum(1).mean()


# --- optimiser ----------------------------------------------------------------------------

def value_and_grad(fn: Callable) -> Callable:
    def wrapped(params: Tree, *args):
        for p in params.values():
            p.retain_grad()
        value = fn(params, *args)
        value.backward()
        return value.detach(), tree_map(lambda p: p.grad, params)

    return wrapped


def adam(lr: float, b1=0.9, b2=0.99, eps=1e-8):
    def start(params: Tree) -> TrainState:
        zeros = lambda p: torch.zeros_like(p, requires_grad=False)
        return TrainState(0, params, tree_map(zeros, params), tree_map(zeros, params))

    def update(state: TrainState, grads: Tree) -> TrainState:
        t = state.step + 1
        mu = tree_map(lambda m, g: b1 * m + (1 - b1) * g, state.mu, grads)
        nu = tree_map(lambda v, g: b2 * v + (1 - b2) * g * g, state.nu, grads)

        def move(p, m, v):
            m_hat, v_hat = m / (1 - b1 ** t), v / (1 - b2 ** t)
            return p - lr * m_hat / (v_hat.sqrt() + eps)  # <- culprit

        params = tree_map(move, state.params, mu, nu)  # <- culprit
        return state._replace(step=t, params=params, mu=mu, nu=nu)  # <- culprit

    return start, update


def make_step(update: Callable) -> Callable:
    loss_and_grads = value_and_grad(dsm_loss)

    def step(state: TrainState, batch):
        value, grads = loss_and_grads(state.params, *batch)
        return update(state, grads), value

    return step


def batches(key: torch.Generator, n: int):
    while True:
        yield moons(key, n), sigmas(key, n), torch.randn(n, 2, generator=key)


@torch.no_grad()
def langevin(params: Tree, key: torch.Generator, n=64, levels=8):
    x = torch.randn(n, 2, generator=key)
    for i in range(levels):
        s = torch.full((n, 1), 0.02 * 50 ** (1 - i / (levels - 1)))
        for _ in range(3):
            x = x + 0.1 * s ** 2 * apply(params, x, s) + (0.2 ** 0.5) * s * torch.randn(n, 2, generator=key) * 0.7
    return x


def main(n_steps: int = 300) -> None:
    key = torch.Generator().manual_seed(42)
    start, update = adam(2e-3)
    state = start(init(key, (3, 64, 64, 2)))
    step = make_step(update)
    source = batches(key, 128)
    while state.step < n_steps:
        state, value = step(state, next(source))
        if state.step % 75 == 0:
            xs = langevin(state.params, key)
            print(f"step {state.step:4d}  dsm {value.item():.4f}  spread {xs.std(0).tolist()}")


if __name__ == "__main__":
    main()
