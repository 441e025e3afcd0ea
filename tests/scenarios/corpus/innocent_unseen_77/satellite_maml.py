# gradwatch-corpus: kind=none
"""MAML across ground stations: adapt a link-budget regressor to a new station in three passes.

Functional style: parameters and optimiser moments are tuples that travel through pure functions.
"""
import math
from typing import NamedTuple, Tuple

import torch

Weights = Tuple[torch.Tensor, ...]


class Meta(NamedTuple):
    weights: Weights
    log_lr: torch.Tensor
    first: Weights
    second: Weights
    t: int


class Task(NamedTuple):
    support: Tuple[torch.Tensor, torch.Tensor]
    query: Tuple[torch.Tensor, torch.Tensor]


def init(gen, sizes=(4, 20, 20, 1)) -> Meta:
    ws = []
    for a, b in zip(sizes, sizes[1:]):
        ws += [torch.randn(a, b, generator=gen) / math.sqrt(a), torch.zeros(b)]
    ws = tuple(w.requires_grad_() for w in ws)
    log_lr = torch.full((len(ws),), math.log(0.05)).requires_grad_()
    zeros = tuple(torch.zeros_like(p) for p in (*ws, log_lr))
    return Meta(ws, log_lr, zeros, zeros, 0)


def predict(ws: Weights, x):
    pairs = list(zip(ws[::2], ws[1::2]))
    for w, b in pairs[:-1]:
        x = torch.tanh(x @ w + b)
    w, b = pairs[-1]
    return (x @ w + b).squeeze(1)


def mse(ws, data):
    x, y = data
    return (predict(ws, x) - y).pow(2).mean()


def adapt(ws: Weights, log_lr, data, n_inner: int):
    """Returns the fast weights and the path of every intermediate set of weights."""
    path = [ws]
    for _ in range(n_inner):
        fast = path[-1]
        grads = torch.autograd.grad(mse(fast, data), fast, create_graph=True)
        path.append(tuple(w - r * g for w, r, g in zip(fast, log_lr.exp(), grads)))
    return path[-1], path


def outer_loss(meta: Meta, tasks, n_inner):
    total, path_terms = 0.0, 0.0
    for task in tasks:
        fast, path = adapt(meta.weights, meta.log_lr, task.support, n_inner)
        total = total + mse(fast, task.query)
        for mid in path[1:-1]:
            path_terms = path_terms + 0.1 * mse(mid, task.query)
    return (total + path_terms) / len(tasks)


def adam(meta: Meta, grads, lr=3e-3, b1=0.9, b2=0.99) -> Meta:
    t = meta.t + 1
    params = (*meta.weights, meta.log_lr)
    m = tuple(b1 * a + (1 - b1) * g for a, g in zip(meta.first, grads))
    v = tuple(b2 * a + (1 - b2) * g * g for a, g in zip(meta.second, grads))
    new = []
    for p, a, b in zip(params, m, v):
        upd = (a / (1 - b1 ** t)) / ((b / (1 - b2 ** t)).sqrt() + 1e-8)
        new.append((p.detach() - lr * upd).requires_grad_())
    return Meta(tuple(new[:-1]), new[-1], m, v, t)


def meta_step(meta: Meta, tasks, n_inner):
    loss = outer_loss(meta, tasks, n_inner)
    grads = torch.autograd.grad(loss, (*meta.weights, meta.log_lr))
    return adam(meta, grads), loss.detach()


def make_station(gen, shots=8) -> Task:
    gain, phase, tilt = torch.rand(3, generator=gen).tolist()

    def draw(n):
        x = torch.rand(n, 4, generator=gen) * 2 - 1
        y = gain * torch.sin(3 * x[:, 0] + 3 * phase) + tilt * x[:, 1] - 0.2 * x[:, 2].abs()
        return x, y

    return Task(draw(shots), draw(2 * shots))


def main():
    torch.set_num_threads(1)
    gen = torch.Generator().manual_seed(40)
    meta = init(gen)
    history = []
    for it in range(220):
        n_inner = 1 + min(it // 60, 3)
        meta, loss = meta_step(meta, [make_station(gen) for _ in range(3)], n_inner)
        history.append(loss)
        if it % 40 == 0:
            recent = torch.stack(history[-20:]).mean().item()
            print(f"meta-step {it:3d} inner {n_inner} loss {recent:.4f} lr {meta.log_lr.exp().mean().item():.4f}")
    print("last 20:", round(torch.stack(history[-20:]).mean().item(), 4))


if __name__ == "__main__":
    main()
