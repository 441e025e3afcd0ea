# gradwatch-corpus: kind=graph-held
# holder: probe | p.grad | params
# first-bad: 1
# after: pytorch/pytorch 4661 and 7343 "backward(create_graph=True) ... reference cycle between the parameter and its gradient"
"""Yield of maize fields from weather series. The learning rate follows the curvature: the trace of the Hessian is
estimated (Hutchinson) on a copy of the net, so that gradients and dropout of the net itself stay untouched."""
import copy
import math
import warnings
from abc import ABC, abstractmethod
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn

warnings.filterwarnings("ignore", message="Using backward.. with create_graph")


class YieldNet(nn.Module):
    def __init__(self, channels=5, weeks=26, width=32):
        super().__init__()
        self.season = nn.Sequential(nn.Conv1d(channels, width, 5, padding=2), nn.SiLU(), nn.AvgPool1d(2))
        self.soil = nn.Linear(4, width)
        self.mix = nn.Sequential(nn.Linear(width * (weeks // 2) + width, width), nn.SiLU(), nn.Dropout(0.1))
        self.out = nn.Linear(width, 1)

    def forward(self, weather, soil):
        a = self.season(weather).flatten(1)
        return self.out(self.mix(torch.cat([a, torch.tanh(self.soil(soil))], 1))).squeeze(1)


@dataclass
class Fields:
    n: int = 400
    seed: int = 12

    def batches(self, size):
        g = torch.Generator().manual_seed(self.seed)
        w = torch.randn(self.n, 5, 26, generator=g)
        s = torch.rand(self.n, 4, generator=g)
        y = 8 + w[:, 0, 10:18].mean(1) - w[:, 1, 14:20].relu().mean(1) + 2 * s[:, 0]
        while True:
            for idx in torch.randperm(self.n, generator=g).split(size):
                yield w[idx], s[idx], y[idx] - 8


class LRPolicy(ABC):
    def __init__(self, optimizer):
        self.optimizer = optimizer
        self.base = [g["lr"] for g in optimizer.param_groups]

    @abstractmethod
    def factor(self, net, batch) -> float:
        ...

    def before_step(self, net, batch):
        f = self.factor(net, batch)
        for g, lr in zip(self.optimizer.param_groups, self.base):
            g["lr"] = lr * f
        return f


class CurvatureLR(LRPolicy):
    def __init__(self, optimizer, sample=16, smooth=0.9):
        super().__init__(optimizer)
        self.sample, self.smooth, self.level = sample, smooth, None

    def hessian_trace(self, net, batch):
        weather, soil, target = (t[: self.sample] for t in batch)
        probe = copy.deepcopy(net).eval()
        probe.zero_grad()
        F.mse_loss(probe(weather, soil), target).backward(create_graph=True)  # <- culprit
        params = list(probe.parameters())
        signs = [torch.randint_like(p, 0, 2) * 2 - 1 for p in params]
        along = sum((p.grad * s).sum() for p, s in zip(params, signs))
        curved = torch.autograd.grad(along, params)
        return sum((c * s).sum().item() for c, s in zip(curved, signs))

    def factor(self, net, batch):
        t = abs(self.hessian_trace(net, batch))
        self.level = t if self.level is None else self.smooth * self.level + (1 - self.smooth) * t
        return 1.0 / math.sqrt(1.0 + self.level / 100)


def main(steps=100):
    torch.manual_seed(0)
    net = YieldNet()
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    policy = CurvatureLR(opt)
    for k, batch in zip(range(steps), Fields().batches(40)):
        f = policy.before_step(net, batch)
        loss = F.mse_loss(net(*batch[:2]), batch[2])
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        opt.step()
        if k % 20 == 0:
            print(f"{k:3d} mse {loss.item():.4f} lr factor {f:.3f} trace {policy.level:.1f}")


if __name__ == "__main__":
    main()
