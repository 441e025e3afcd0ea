# gradwatch-corpus: kind=none
import math

import torch
import torch.nn as nn
from torch.func import functional_call, grad, vmap


class Net(nn.Module):
    def __init__(self, h=32):
        super().__init__()
        self.seq = nn.Sequential(nn.Linear(1, h), nn.Tanh(), nn.Linear(h, h), nn.Tanh(), nn.Linear(h, 1))

    def forward(self, x):
        return self.seq(x)


class MetaLearner:
    def __init__(self, net, inner_lr=0.05, inner_steps=3):
        self.net = net
        self.params = dict(net.named_parameters())
        self.log_lr = {k: torch.full((), math.log(inner_lr), requires_grad=True) for k in self.params}
        self.inner_steps = inner_steps
        self.opt = torch.optim.Adam([*self.params.values(), *self.log_lr.values()], lr=2e-3)
        self.last_adapted = None

    def task_loss(self, params, x, y):
        return ((functional_call(self.net, params, (x,)) - y) ** 2).mean()

    def adapt(self, params, x, y):
        for _ in range(self.inner_steps):
            g = grad(self.task_loss)(params, x, y)
            params = {k: p - self.log_lr[k].exp() * g[k] for k, p in params.items()}
        return params

    def outer(self, xs, ys, xq, yq):
        def one(a, b, c, d):
            fast = self.adapt(self.params, a, b)
            return self.task_loss(fast, c, d), fast

        losses, fast = vmap(one)(xs, ys, xq, yq)
        self.last_adapted = {k: v.detach() for k, v in fast.items()}
        return losses

    def step(self, batch):
        losses = self.outer(*batch)
        self.opt.zero_grad()
        losses.mean().backward()
        self.opt.step()
        return losses.detach()


def tasks(n, k):
    amp, ph = torch.rand(n, 1, 1) * 2 + 0.5, torch.rand(n, 1, 1) * math.pi
    x = torch.rand(n, 2 * k, 1) * 10 - 5
    y = amp * torch.sin(x + ph)
    return x[:, :k], y[:, :k], x[:, k:], y[:, k:]


def spread(fast):
    return torch.stack([v.std(0).mean() for v in fast.values()]).mean().item()


if __name__ == "__main__":
    torch.manual_seed(0)
    learner = MetaLearner(Net())
    history = torch.zeros(100)
    for it in range(100):
        per_task = learner.step(tasks(8, 10))
        history[it] = per_task.mean()
        if it % 20 == 0:
            print(f"{it:3d} meta {history[max(0, it - 9):it + 1].mean():.4f} spread {spread(learner.last_adapted):.4f}")
