from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import nn


def model():
    return nn.Sequential(nn.Linear(10, 48), nn.SiLU(), nn.Linear(48, 48), nn.SiLU(), nn.Linear(48, 1))


@dataclass(frozen=True)
class Reply:
    weights: dict
    rows: int
    loss: float


class Farm:
    __slots__ = "number", "x", "y", "visits", "g"

    def __init__(self, number, seed):
        self.g = torch.Generator().manual_seed(seed)
        n = 200 + 40 * number
        self.number, self.visits = number, 0
        self.x = torch.randn(n, 10, generator=self.g)
        self.y = self.x[:, 0] * self.x[:, 1] + torch.sin(2 * self.x[:, 2]) + .1 * number * self.x[:, 3]

    def visit(self, weights, steps):
        net = model()
        net.load_state_dict(weights)
        opt = torch.optim.SGD(net.parameters(), lr=.05, momentum=.9)
        for _ in range(steps):
            idx = torch.randint(len(self.x), (64,), generator=self.g)
            loss = (net(self.x[idx]).squeeze(1) - self.y[idx]).square().mean()
            for w, anchor in zip(net.parameters(), weights.values()):
                loss = loss + .01 * (w - anchor).square().sum()
            opt.zero_grad()
            loss.backward()
            opt.step()
        self.visits += 1
        return Reply(net.state_dict(), len(self.x), loss.item())
