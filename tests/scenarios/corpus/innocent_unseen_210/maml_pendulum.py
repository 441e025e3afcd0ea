# gradwatch-corpus: kind=none
"""Second-order MAML over pendulum dynamics with different lengths."""
import math
from collections import deque

import torch
from torch import nn
from torch.func import functional_call


class Dynamics(nn.Module):
    def __init__(self, h=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, h), nn.Tanh(), nn.Linear(h, h), nn.Tanh(), nn.Linear(h, 2))

    def forward(self, s, u):
        feats = torch.cat([s[:, :1].sin(), s[:, :1].cos(), s[:, 1:]], -1)
        return self.net(feats) + torch.cat([torch.zeros_like(u), u], -1)


class LengthTask:
    def __init__(self, g):
        self.l = 0.5 + torch.rand(1, generator=g).item()
        self.g = g

    def batch(self, n=20):
        th = (torch.rand(n, 1, generator=self.g) - 0.5) * 2 * math.pi
        om = torch.randn(n, 1, generator=self.g)
        u = torch.randn(n, 1, generator=self.g)
        acc = -9.8 / self.l * th.sin() + u
        return torch.cat([th, om], -1), u, torch.cat([om, acc], -1)


class MAML:
    def __init__(self, model, inner_lr=0.02, inner_steps=3):
        self.model = model
        self.log_lr = nn.ParameterDict({n.replace(".", "_"): nn.Parameter(torch.tensor(math.log(inner_lr)))
                                        for n, _ in model.named_parameters()})
        self.inner_steps = inner_steps
        self.opt = torch.optim.Adam([*model.parameters(), *self.log_lr.parameters()], lr=2e-3)
        self.recent = deque(maxlen=20)
        self.last_fast = None

    def loss(self, params, data):
        s, u, y = data
        return (functional_call(self.model, params, (s, u)) - y).pow(2).mean() / 20

    def adapt(self, data):
        params = dict(self.model.named_parameters())
        for _ in range(self.inner_steps):
            grads = torch.autograd.grad(self.loss(params, data), tuple(params.values()), create_graph=True)
            params = {n: p - self.log_lr[n.replace(".", "_")].exp() * g
                      for (n, p), g in zip(params.items(), grads)}
        return params

    def meta_step(self, tasks):
        outer = 0.0
        for t in tasks:
            fast = self.adapt(t.batch())
            outer = outer + self.loss(fast, t.batch())
        outer = outer / len(tasks)
        self.opt.zero_grad()
        outer.backward()
        self.opt.step()
        self.last_fast = {k: v.detach().clone() for k, v in fast.items()}
        self.recent.append(outer.item())
        return outer.item()


if __name__ == "__main__":
    torch.manual_seed(8)
    gen = torch.Generator().manual_seed(8)
    maml = MAML(Dynamics())
    for it in range(80):
        maml.meta_step([LengthTask(gen) for _ in range(4)])
        if it % 20 == 19:
            print(it + 1, sum(maml.recent) / len(maml.recent))
