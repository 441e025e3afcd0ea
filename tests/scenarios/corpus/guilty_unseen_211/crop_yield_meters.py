# gradwatch-corpus: kind=graph-held
# holder: self.value | self.meters["smooth"].value | board.meters["smooth"].value
# first-bad: 1
"""County-level yield regression from monthly weather summaries."""
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Mean:
    total: float = 0.0
    count: int = 0

    def update(self, v, n=1):
        self.total += float(v) * n
        self.count += n

    def read(self):
        return self.total / max(self.count, 1)

    def reset(self):
        self.total, self.count = 0.0, 0


@dataclass
class Smooth:
    beta: float = 0.95
    value: object = None

    def update(self, v, n=1):
        self.value = v if self.value is None else self.beta * self.value + (1 - self.beta) * v  # <- culprit

    def read(self):
        return float(self.value)

    def reset(self):
        pass


@dataclass
class Board:
    meters: dict = field(default_factory=dict)

    def add(self, name, meter):
        self.meters[name] = meter
        return self

    def update(self, n=1, **values):
        for k, v in values.items():
            self.meters[k].update(v, n)

    def line(self):
        return " ".join(f"{k}={m.read():.4f}" for k, m in self.meters.items())

    def reset(self):
        for m in self.meters.values():
            m.reset()


class YieldNet(nn.Module):
    def __init__(self, n_months=12, n_feat=6, n_soils=9):
        super().__init__()
        self.soil = nn.Embedding(n_soils, 8)
        self.mix = nn.MultiheadAttention(16, 2, batch_first=True)
        self.inp = nn.Linear(n_feat, 16)
        self.out = nn.Sequential(nn.Linear(16 + 8, 32), nn.GELU(), nn.Linear(32, 2))

    def forward(self, w, s):
        h = self.inp(w)
        h = h + self.mix(h, h, h, need_weights=False)[0]
        mu, logvar = self.out(torch.cat([h.mean(1), self.soil(s)], -1)).unbind(-1)
        return mu, logvar.clamp(-4, 4)


def season(n, seed):
    g = torch.Generator().manual_seed(seed)
    w = torch.randn(n, 12, 6, generator=g)
    s = torch.randint(0, 9, (n,), generator=g)
    y = w[:, 4:8, 0].mean(1) - 0.5 * w[:, 6, 1].abs() + 0.1 * s.float()
    return w, s, y + 0.1 * torch.randn(n, generator=g)


def main():
    torch.manual_seed(0)
    net = YieldNet()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    board = Board().add("nll", Mean()).add("mae", Mean()).add("smooth", Smooth())
    w, s, y = season(640, 1)
    for epoch in range(6):
        board.reset()
        for idx in torch.randperm(len(y)).split(32):
            mu, logvar = net(w[idx], s[idx])
            nll = F.gaussian_nll_loss(mu, y[idx], logvar.exp())
            opt.zero_grad()
            nll.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
            mae = (mu.detach() - y[idx]).abs().mean()
            board.update(n=len(idx), nll=nll.item(), mae=mae.item())
            board.update(smooth=nll)  # <- culprit
        print(epoch, board.line())


if __name__ == "__main__":
    main()
