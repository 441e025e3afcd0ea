# gradwatch-corpus: kind=memory-climb
# first-bad: 1
import math
from typing import Dict, List

import torch
from torch import nn, Tensor


class NoiseSchedule:
    def __init__(self, T: int = 100):
        s = 0.008
        f = torch.cos((torch.linspace(0, 1, T + 1) + s) / (1 + s) * math.pi / 2) ** 2
        self.abar = (f / f[0])[1:].clamp(min=1e-4)
        self.T = T

    def q_sample(self, x0: Tensor, t: Tensor, eps: Tensor) -> Tensor:
        a = self.abar[t].unsqueeze(1)
        return a.sqrt() * x0 + (1 - a).sqrt() * eps


class Denoiser(nn.Module):
    def __init__(self, hidden: int = 96, T: int = 100):
        super().__init__()
        self.time = nn.Embedding(T, hidden)
        self.inp = nn.Linear(2, hidden)
        self.mid = nn.Sequential(nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU())
        self.out = nn.Linear(hidden, 2)

    def features(self, x: Tensor, t: Tensor) -> Tensor:
        return self.mid(self.inp(x) + self.time(t))

    def forward(self, x: Tensor, t: Tensor):
        h = self.features(x, t)
        return self.out(h), h


class Diagnostics:
    """Error per noise level and the activations it came with."""

    def __init__(self, levels: int, bins: int = 10):
        self.width = levels // bins
        self.err = torch.zeros(bins)
        self.count = torch.zeros(bins)
        self.acts: Dict[int, List[Tensor]] = {b: [] for b in range(bins)}

    def update(self, t: Tensor, sq: Tensor, h: Tensor) -> None:
        bins = t // self.width
        self.err.index_add_(0, bins, sq)
        self.count.index_add_(0, bins, torch.ones_like(sq))
        for b in bins.unique().tolist():
            self.acts[b].append(h[bins == b])  # <- culprit

    def report(self) -> str:
        mean = self.err / self.count.clamp(min=1)
        scale = [a[-1].abs().mean().item() if a else 0.0 for a in self.acts.values()]
        return " ".join(f"{m:.2f}/{s:.2f}" for m, s in zip(mean.tolist(), scale))


def spiral(n: int) -> Tensor:
    th = 3 * math.pi * torch.rand(n).sqrt()
    r = th / (3 * math.pi)
    return torch.stack([r * th.cos(), r * th.sin()], 1) * 2 + 0.03 * torch.randn(n, 2)


def main(steps: int = 600, batch: int = 512) -> None:
    torch.manual_seed(0)
    sched, model = NoiseSchedule(), Denoiser()
    diag = Diagnostics(sched.T)
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for step in range(steps):
        x0 = spiral(batch)
        t = torch.randint(0, sched.T, (batch,))
        eps = torch.randn_like(x0)
        pred, h = model(sched.q_sample(x0, t, eps), t)
        sq = (pred - eps).pow(2).mean(1)
        opt.zero_grad()
        sq.mean().backward()
        opt.step()
        diag.update(t, sq.detach(), h.detach())
        if step % 100 == 99:
            print(step + 1, diag.report())


if __name__ == "__main__":
    main()
