# gradwatch-corpus: kind=none
"""MAML on sinusoids in a purely functional style (second order, two inner steps), with a curriculum over the amplitude
that looks at the query losses of the past."""
import functools
import math
import random
from collections import defaultdict, namedtuple

import torch
import torch.nn.functional as F
from torch.autograd import grad

random.seed(1)
torch.manual_seed(1)

Task = namedtuple("Task", "amp phase bucket")
SIZES = (1, 32, 32, 1)
INNER_LR, INNER_STEPS = 0.02, 2
META_BATCH, SHOTS = 4, 10
ITERS = 350


def init():
    weights = []
    for a, b in zip(SIZES[:-1], SIZES[1:]):
        weights.append((torch.randn(b, a) / math.sqrt(a)).requires_grad_())
        weights.append(torch.zeros(b, requires_grad=True))
    return tuple(weights)


def net(weights, x):
    *hidden, (w, b) = zip(weights[::2], weights[1::2])
    for hw, hb in hidden:
        x = torch.tanh(F.linear(x, hw, hb))
    return F.linear(x, w, b)


def sample_task(difficulty):
    buckets = range(4)
    means = [sum(difficulty[b][-30:]) / max(1, len(difficulty[b][-30:])) + 0.3 for b in buckets]
    b = random.choices(buckets, means)[0]
    return Task(0.5 + b + random.random(), random.uniform(0, math.pi), b)


def draw(task, n):
    x = torch.rand(n, 1) * 10 - 5
    return x, task.amp * torch.sin(x + task.phase)


def loss_on(weights, data):
    return F.mse_loss(net(weights, data[0]), data[1])


def inner(weights, _, support):
    gs = grad(loss_on(weights, support), weights, create_graph=True)
    return tuple(w - INNER_LR * g for w, g in zip(weights, gs))


def adapt(weights, support, steps=INNER_STEPS):
    return functools.reduce(functools.partial(inner, support=support), range(steps), weights)


def meta_loss(weights, tasks):
    total, per_task = 0, []
    for task in tasks:
        fast = adapt(weights, draw(task, SHOTS))
        q = loss_on(fast, draw(task, SHOTS))
        total = total + q
        per_task.append((task, q))
    return total / len(tasks), per_task


def main():
    theta = init()
    opt = torch.optim.Adam(theta, lr=2e-3)
    difficulty = defaultdict(list)
    per_task = []
    for it in range(ITERS):
        tasks = [sample_task(difficulty) for _ in range(META_BATCH)]
        loss, per_task = meta_loss(theta, tasks)
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(theta, 10.0)
        opt.step()
        for task, q in per_task:
            difficulty[task.bucket].append(q.item())
        if it % 70 == 0:
            by = " ".join(f"{b}:{sum(v[-30:]) / len(v[-30:]):.2f}" for b, v in sorted(difficulty.items()) if v)
            print(f"{it:4d} meta loss {loss.item():.3f}  by amplitude {by}")

    task = Task(2.5, 1.0, 2)
    support, query = draw(task, SHOTS), draw(task, 100)
    fast = tuple(w.detach().requires_grad_() for w in theta)
    for k in range(4):
        gs = grad(loss_on(fast, support), fast)
        fast = tuple((w - INNER_LR * g).detach().requires_grad_() for w, g in zip(fast, gs))
        with torch.no_grad():
            print(f"new task after {k + 1} steps: {loss_on(fast, query).item():.3f}")


if __name__ == "__main__":
    main()
