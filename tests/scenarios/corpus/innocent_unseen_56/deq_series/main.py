# gradwatch-corpus: kind=none
import argparse

import torch
from torch import nn

from implicit import Implicit


class Mixer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.lin = nn.Linear(dim, dim)
        self.norm = nn.LayerNorm(dim)
        with torch.no_grad():
            self.lin.weight.mul_(0.3)

    def forward(self, z, x):
        return torch.tanh(self.norm(x) + self.lin(z))


class Forecaster(nn.Module):
    def __init__(self, lags, dim=24):
        super().__init__()
        self.inp = nn.Linear(lags, dim)
        self.core = Implicit(Mixer(dim))
        self.out = nn.Linear(dim, 1)

    def forward(self, x):
        return self.out(self.core(self.inp(x))).squeeze(-1)


def series(n):
    t = torch.arange(n) * 0.1
    return torch.sin(t) + 0.5 * torch.sin(2.7 * t) + 0.05 * torch.randn(n)


def windows(s, lags):
    w = s.unfold(0, lags + 1, 1)
    return w[:, :-1], w[:, -1]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=8)
    ap.add_argument("--lags", type=int, default=12)
    ap.add_argument("--accum", type=int, default=2)
    args = ap.parse_args()
    torch.manual_seed(19)
    torch.set_num_threads(1)
    x, y = windows(series(800), args.lags)
    xtr, ytr, xva, yva = x[:640], y[:640], x[640:], y[640:]
    model = Forecaster(args.lags)
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for ep in range(args.epochs):
        model.train()
        total = 0
        for k, idx in enumerate(torch.randperm(len(xtr)).split(32)):
            loss = (model(xtr[idx]) - ytr[idx]).pow(2).mean() / args.accum
            loss.backward()
            total += loss.detach()
            if (k + 1) % args.accum == 0:
                opt.step()
                opt.zero_grad()
        model.eval()
        with torch.no_grad():
            val = (model(xva) - yva).pow(2).mean()
        gaps = {k: torch.stack(list(v)).mean().item() for k, v in model.core.gaps.items()}
        print(ep, total.item() / 20, val.item(), gaps)


if __name__ == "__main__":
    main()
