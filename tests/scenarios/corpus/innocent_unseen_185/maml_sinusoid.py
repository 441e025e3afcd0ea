# gradwatch-corpus: kind=none
"""Second-order MAML on sinusoids with an archive of adapted parameters."""
import math
from collections import OrderedDict

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call


class Archive(OrderedDict):
    """Adapted weights by task bin; least recently adapted leaves first."""

    def __init__(self, limit):
        super().__init__()
        self.limit = limit

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        self.move_to_end(key)
        while len(self) > self.limit:
            self.popitem(last=False)


class Sinusoids:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)

    def task(self):
        amp, phase = torch.rand(2, generator=self.gen).tolist()
        return 0.5 + 2 * amp, math.pi * phase

    def points(self, task, n):
        amp, phase = task
        x = torch.rand(n, 1, generator=self.gen) * 6 - 3
        return x, amp * torch.sin(x + phase)


def adapt(net, params, x, y, lr, steps):
    fast = params
    for _ in range(steps):
        loss = F.mse_loss(functional_call(net, fast, (x,)), y)
        grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
        fast = {n: p - lr * g for (n, p), g in zip(fast.items(), grads)}
    return fast


def distance(a, b):
    return sum((a[n].detach() - b[n].detach()).pow(2).sum() for n in a).sqrt().item()


def main(iters=420):
    torch.manual_seed(9)
    tasks = Sinusoids(seed=10)
    net = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1))
    meta = torch.optim.Adam(net.parameters(), lr=1e-3)
    archive = Archive(limit=16)
    for it in range(iters):
        params = dict(net.named_parameters())
        outer = 0.0
        for _ in range(2):
            task = tasks.task()
            fast = adapt(net, params, *tasks.points(task, 10), lr=0.02, steps=2)
            x, y = tasks.points(task, 10)
            outer = outer + F.mse_loss(functional_call(net, fast, (x,)), y)
            archive[(round(task[0] * 8), round(task[1] * 8))] = fast
        meta.zero_grad()
        outer.backward()
        meta.step()
        if it % 70 == 0:
            first, last = next(iter(archive.values())), next(reversed(archive.values()))
            print(f"iter {it} outer {outer.item():.3f} span {distance(first, last):.3f}")


if __name__ == "__main__":
    main()
