# gradwatch-corpus: kind=graph-held
# holder: LossAware._ledger | self._ledger | picker._ledger | LossAware._ledger[level]
# first-bad: 11
"""Diffusion model for 1-D dune profiles; noise levels are drawn in proportion to their recent loss."""
import math
from collections import defaultdict, deque

import torch
from torch import nn

LEVELS, WIDTH = 200, 32


class UniformLevels:
    def draw(self, n):
        return torch.randint(0, LEVELS, (n,)), torch.ones(n)

    def tell(self, levels, each):
        pass


class LossAware(UniformLevels):
    """importance sampling; falls back on uniform draws for levels not yet seen often enough"""

    _ledger = defaultdict(lambda: deque(maxlen=10))

    def __init__(self, begin=10, uniform=0.2):
        self.begin, self.uniform, self.calls = begin, uniform, 0

    def weights(self):
        w = torch.ones(LEVELS)
        for level, past in self._ledger.items():
            if len(past) >= 3:
                w[level] = math.sqrt(sum(float(v) ** 2 for v in past) / len(past))
        w = w / w.sum()
        return w * (1 - self.uniform) + self.uniform / LEVELS

    def draw(self, n):
        p = self.weights()
        idx = torch.multinomial(p, n, replacement=True)
        return idx, 1 / (LEVELS * p[idx])

    def tell(self, levels, each):
        self.calls += 1
        if self.calls <= self.begin:
            return
        for level, value in zip(levels.tolist(), each):
            self._ledger[level].append(value)  # <- culprit


class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.time = nn.Embedding(LEVELS, 16)
        self.net = nn.Sequential(nn.Linear(WIDTH + 16, 64), nn.SiLU(), nn.Linear(64, WIDTH))

    def forward(self, x, t):
        return self.net(torch.cat([x, self.time(t)], 1))


def profiles(n):
    x = torch.linspace(0, 2 * math.pi, WIDTH)
    return torch.sin(x + torch.rand(n, 1) * 6) * (0.5 + torch.rand(n, 1)) + 0.05 * torch.randn(n, WIDTH)


torch.manual_seed(63)
alpha = torch.cumprod(1 - torch.linspace(1e-4, 0.04, LEVELS), 0)
eps_net, picker = Denoiser(), LossAware()
opt = torch.optim.AdamW(eps_net.parameters(), lr=2e-3)
for n in range(260):
    clean = profiles(6)
    lv, w = picker.draw(6)
    eps = torch.randn_like(clean)
    a = alpha[lv, None]
    each = (eps_net(a.sqrt() * clean + (1 - a).sqrt() * eps, lv) - eps).square().mean(1)
    picker.tell(lv, each)
    loss = (w * each).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if n % 52 == 0:
        print(f"{n:3d} weighted {loss.item():.4f} plain {each.mean().item():.4f}")
