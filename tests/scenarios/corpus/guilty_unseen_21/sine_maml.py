# gradwatch-corpus: kind=graph-held
# holder: seen | seen[task.key] | seen[key] | record | note | fast
# first-bad: 1
"""MAML on sinusoids, written with closures over functional_call; keeps a book of the tasks met, to see how far the adapted weights travel."""
import math
from collections import namedtuple

import torch
from torch import nn
from torch.func import functional_call
from torch.nn import functional as F

Task = namedtuple("Task", "key support query")


def task_stream(seed, k=10):
    g = torch.Generator().manual_seed(seed)

    def points(amp, phase):
        x = torch.rand(k, 1, generator=g) * 10 - 5
        return x / 5, amp * torch.sin(x + phase)

    n = 0
    while True:
        amp = 0.5 + 2 * torch.rand((), generator=g)
        phase = math.pi * torch.rand((), generator=g)
        yield Task(f"t{n:05d}", points(amp, phase), points(amp, phase))
        n += 1


def make_loss(net):
    def loss_of(weights, batch):
        x, y = batch
        return F.mse_loss(functional_call(net, weights, (x,)), y)

    return loss_of


def make_adapt(loss_of, lr, steps):
    def adapt(weights, support):
        fast = weights
        for _ in range(steps):
            grads = torch.autograd.grad(loss_of(fast, support), list(fast.values()), create_graph=True)
            fast = {k: w - lr * g for (k, w), g in zip(fast.items(), grads)}
        return fast

    return adapt


def make_book():
    seen = {}

    def note(task, fast, before, after):
        seen[task.key] = {"fast": fast, "gain": before.item() - after.item()}  # <- culprit

    @torch.no_grad()
    def summary(weights, last=16):
        rows = list(seen.values())[-last:]
        travel = sum(
            math.sqrt(sum((r["fast"][k] - w).pow(2).sum().item() for k, w in weights.items())) for r in rows
        )
        gain = sum(r["gain"] for r in seen.values()) / len(seen)
        return {"tasks": len(seen), "travel": travel / len(rows), "gain": gain}

    return note, summary


def make_meta_step(net, opt, loss_of, adapt, note):
    weights = dict(net.named_parameters())

    def meta_step(tasks):
        outer = []
        for task in tasks:
            with torch.no_grad():
                before = loss_of(weights, task.query)
            fast = adapt(weights, task.support)
            after = loss_of(fast, task.query)
            outer.append(after)
            note(task, fast, before, after)  # <- culprit
        opt.zero_grad()
        total = torch.stack(outer).mean()
        total.backward()
        opt.step()
        return total.item()

    return meta_step


def main(iterations=220, tasks_per_step=2):
    torch.manual_seed(4)
    net = nn.Sequential(nn.Linear(1, 40), nn.Tanh(), nn.Linear(40, 40), nn.Tanh(), nn.Linear(40, 1))
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    loss_of = make_loss(net)
    note, summary = make_book()
    meta_step = make_meta_step(net, opt, loss_of, make_adapt(loss_of, lr=0.05, steps=2), note)
    tasks = task_stream(4)
    for it in range(1, iterations + 1):
        value = meta_step([next(tasks) for _ in range(tasks_per_step)])
        if it % 55 == 0:
            s = summary(dict(net.named_parameters()))
            print(f"{it:4d}  query {value:.3f}  gain {s['gain']:.3f}  travel {s['travel']:.3f}  of {s['tasks']} tasks")


if __name__ == "__main__":
    main()
