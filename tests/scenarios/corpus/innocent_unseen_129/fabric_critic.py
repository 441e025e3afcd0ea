# gradwatch-corpus: kind=none
from dataclasses import dataclass
from typing import Callable

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(101)

PENALTIES: dict[str, Callable] = {}


def penalty(name):
    def deco(cls):
        PENALTIES[name] = cls
        return cls
    return deco


@penalty("two-sided")
@dataclass
class TwoSided:
    weight: float = 10.0
    every: int = 1
    last: torch.Tensor = None

    def __call__(self, critic, real, fake):
        mix = torch.rand(len(real), 1)
        mid = (mix * real + (1 - mix) * fake).requires_grad_()
        slope, = torch.autograd.grad(critic(mid).sum(), mid, create_graph=True)
        self.last = (slope.norm(dim=1) - 1).square().mean()
        return self.weight * self.last


class Mlp(nn.Sequential):
    def __init__(self, a, b, c):
        super().__init__(nn.Linear(a, b), nn.Softplus(), nn.Linear(b, c))


class Mill:
    def __init__(self, cfg):
        self.gen, self.critic = Mlp(4, 16, 6), Mlp(6, 16, 1)
        self.pen = PENALTIES[cfg["name"]](**cfg["args"])
        self.og = torch.optim.Adam(self.gen.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.oc = torch.optim.Adam(self.critic.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.books = []

    def real(self, n=20):
        return torch.randn(n, 6) * 0.3 + torch.linspace(-1, 1, 6)

    def judge(self):
        real, fake = self.real(), self.gen(torch.randn(20, 4)).detach()
        loss = self.critic(fake).mean() - self.critic(real).mean() + self.pen(self.critic, real, fake)
        self.oc.zero_grad()
        loss.backward()
        self.oc.step()
        self.books.append(self.pen.last.item())

    def weave(self):
        loss = -self.critic(self.gen(torch.randn(20, 4))).mean()
        self.og.zero_grad()
        loss.backward()
        self.og.step()


mill = Mill({"name": "two-sided", "args": {"weight": 5.0}})
for n in range(600):
    mill.judge()
    if n % 3 == 2:
        mill.weave()
print(sum(mill.books[-50:]) / 50)
