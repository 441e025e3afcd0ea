# gradwatch-corpus: kind=none
"""Second-order MAML on sinusoids, functional parameters."""
from dataclasses import dataclass

import torch
from torch import nn
from torch.func import functional_call


@dataclass
class Cfg:
    meta_iters: int = 80
    tasks: int = 4
    inner_steps: int = 2
    inner_lr: float = 0.02
    shots: int = 10


class Task:
    def __init__(self):
        self.amp = torch.empty(1).uniform_(0.5, 3)
        self.phase = torch.empty(1).uniform_(0, 3.14)

    def sample(self, n):
        x = torch.empty(n, 1).uniform_(-5, 5)
        return x, self.amp * torch.sin(x + self.phase)


class MAML:
    def __init__(self, cfg):
        self.cfg = cfg
        self.net = nn.Sequential(nn.Linear(1, 40), nn.Tanh(), nn.Linear(40, 40), nn.Tanh(), nn.Linear(40, 1))
        self.opt = torch.optim.Adam(self.net.parameters(), lr=2e-3)
        self.fast = None

    def loss(self, params, x, y):
        return (functional_call(self.net, params, (x,)) - y).pow(2).mean()

    def adapt(self, x, y):
        self.fast = dict(self.net.named_parameters())
        for _ in range(self.cfg.inner_steps):
            grads = torch.autograd.grad(self.loss(self.fast, x, y), list(self.fast.values()), create_graph=True)
            self.fast = {k: p - self.cfg.inner_lr * g for (k, p), g in zip(self.fast.items(), grads)}
        return self.fast

    def meta_step(self):
        outer = []
        for _ in range(self.cfg.tasks):
            task = Task()
            params = self.adapt(*task.sample(self.cfg.shots))
            outer.append(self.loss(params, *task.sample(self.cfg.shots)))
        total = torch.stack(outer).mean()
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        return total.item()


if __name__ == "__main__":
    torch.manual_seed(12)
    maml = MAML(Cfg())
    for i in range(maml.cfg.meta_iters):
        v = maml.meta_step()
        if i % 20 == 0:
            print(i, round(v, 4))
