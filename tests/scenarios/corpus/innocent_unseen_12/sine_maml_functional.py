# gradwatch-corpus: kind=none
"""MAML on sine waves, translated from a JAX notebook: pure functions, params as a dict, and a carry that goes through
every step as lax.scan would do it."""
import math
from functools import lru_cache, partial
from typing import Callable, Dict, NamedTuple

import torch

Params = Dict[str, torch.Tensor]
torch.manual_seed(0)
torch.set_num_threads(1)

SIZES = (1, 40, 40, 1)
N_TASKS = 60


class Carry(NamedTuple):
    step: int
    params: Params
    slow: Params
    avg_loss: torch.Tensor


def tree_map(f: Callable, *trees):
    return {k: f(*[t[k] for t in trees]) for k in trees[0]}


def init(gen) -> Params:
    p = {}
    for i, (a, b) in enumerate(zip(SIZES[:-1], SIZES[1:])):
        p[f"w{i}"] = torch.randn(a, b, generator=gen) * math.sqrt(1.0 / a)
        p[f"b{i}"] = torch.zeros(b)
    return tree_map(lambda t: t.requires_grad_(), p)


def forward(params: Params, x):
    for i in range(len(SIZES) - 1):
        x = x @ params[f"w{i}"] + params[f"b{i}"]
        x = torch.tanh(x) if i < len(SIZES) - 2 else x
    return x


def mse(params, x, y):
    return ((forward(params, x) - y) ** 2).mean()


def value_and_grad(f, create_graph=False):
    def wrapped(params, *args):
        v = f(params, *args)
        g = torch.autograd.grad(v, list(params.values()), create_graph=create_graph)
        return v, dict(zip(params, g))
    return wrapped


@lru_cache(maxsize=N_TASKS)
def task(i: int):
    gen = torch.Generator().manual_seed(1000 + i)
    amp = 0.5 + 4 * torch.rand((), generator=gen)
    phase = math.pi * torch.rand((), generator=gen)
    x = 10 * torch.rand(20, 1, generator=gen) - 5
    return x[:10], amp * torch.sin(x[:10] + phase), x[10:], amp * torch.sin(x[10:] + phase)


def inner_update(params: Params, x, y, lr=0.02, create_graph=True) -> Params:
    _, g = value_and_grad(mse, create_graph)(params, x, y)
    return tree_map(lambda p, d: p - lr * d, params, g)


def adapted_loss(params: Params, task_ids):
    total = 0.0
    for i in task_ids:
        xs, ys, xq, yq = task(i)
        fast = params
        for _ in range(2):
            fast = inner_update(fast, xs, ys)
        total = total + mse(fast, xq, yq)
    return total / len(task_ids)


def ema(tau, old, new):
    return tree_map(lambda o, n: (1 - tau) * o + tau * n, old, new)


def outer_step(opt, carry: Carry, task_ids) -> Carry:
    loss, grads = value_and_grad(adapted_loss)(carry.params, task_ids)
    for k, g in grads.items():
        carry.params[k].grad = g
    opt.step()
    with torch.no_grad():
        slow = ema(0.02, carry.slow, carry.params)
        avg = carry.avg_loss * 0.95 + loss * 0.05 if carry.step else loss
    return carry._replace(step=carry.step + 1, slow=slow, avg_loss=avg.detach())


def scan(f, carry, xs):
    for x in xs:
        carry = f(carry, x)
        yield carry


def schedule(n, per_step=3):
    gen = torch.Generator().manual_seed(9)
    for _ in range(n):
        yield tuple(torch.randint(0, N_TASKS, (per_step,), generator=gen).tolist())


def evaluate(params, ids=range(N_TASKS - 5, N_TASKS)):
    out = 0.0
    for i in ids:
        xs, ys, xq, yq = task(i)
        start = tree_map(lambda t: t.detach().clone().requires_grad_(), params)
        fast = inner_update(start, xs, ys, create_graph=False)
        with torch.no_grad():
            out += mse(fast, xq, yq).item()
    return out / len(ids)


def main(n_steps=300):
    params = init(torch.Generator().manual_seed(2))
    opt = torch.optim.Adam(list(params.values()), lr=1e-3)
    carry = Carry(0, params, tree_map(lambda t: t.detach().clone(), params), torch.zeros(()))
    for carry in scan(partial(outer_step, opt), carry, schedule(n_steps)):
        if carry.step % 75 == 0:
            print(f"{carry.step}: meta loss {carry.avg_loss.item():.4f}, slow weights after one step "
                  f"{evaluate(carry.slow):.4f}, cached tasks {task.cache_info().currsize}")


if __name__ == "__main__":
    main()
