# gradwatch-corpus: kind=none
"""MAML on sinusoid regression with learned inner rates; inner updates are differentiated through."""
import math

import torch
from torch import nn
from torch.func import functional_call


class SineTask:
    def __init__(self):
        self.amp = 0.5 + 2.0 * torch.rand(())
        self.phase = math.pi * torch.rand(())

    def draw(self, n):
        x = 8 * torch.rand(n, 1) - 4
        return x, self.amp * torch.sin(x + self.phase)


class MetaLearner(nn.Module):
    def __init__(self, hidden=24, inner_lr=0.03):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, hidden), nn.Tanh(), nn.Linear(hidden, 1))
        self.rates = nn.ParameterList([nn.Parameter(torch.tensor(inner_lr)) for _ in self.net.parameters()])

    def loss(self, params, x, y):
        return (functional_call(self.net, params, (x,)) - y).pow(2).mean()

    def adapt(self, x, y, steps):
        params = dict(self.net.named_parameters())
        for _ in range(steps):
            grads = torch.autograd.grad(self.loss(params, x, y), list(params.values()), create_graph=True)
            params = {k: p - r * g for (k, p), r, g in zip(params.items(), self.rates, grads)}
        return params


class AdaptedBank:
    """The fast weights of the last tasks, for a look at how far adaptation goes."""

    def __init__(self):
        self.last = None
        self.distances = []

    def record(self, before, fast):
        self.last = fast
        with torch.no_grad():
            d = sum((fast[k] - before[k]).pow(2).sum() for k in fast)
        self.distances.append(d.sqrt())


def main(n_iter=320, tasks_per_iter=2):
    torch.set_num_threads(1)
    torch.manual_seed(37)
    learner = MetaLearner()
    opt = torch.optim.Adam(learner.parameters(), lr=3e-3)
    bank = AdaptedBank()
    running = 0.0
    for it in range(n_iter):
        opt.zero_grad()
        for _ in range(tasks_per_iter):
            task = SineTask()
            fast = learner.adapt(*task.draw(10), steps=2)
            outer = learner.loss(fast, *task.draw(10)) / tasks_per_iter
            outer.backward()
            running = 0.97 * running + 0.03 * outer.item() * tasks_per_iter
        opt.step()
        bank.record(dict(learner.net.named_parameters()), fast)
        if it % 64 == 0:
            rates = [round(r.item(), 3) for r in learner.rates]
            print(f"{it:3d} outer {running:.3f} moved {bank.distances[-1]:.3f} rates {rates}")


if __name__ == "__main__":
    main()
