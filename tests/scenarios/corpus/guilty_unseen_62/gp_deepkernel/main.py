# gradwatch-corpus: kind=second-backward
# holder: self._chol | gp._chol
# first-bad: 1
# notice: 0
"""Fit a deep-kernel sparse GP to a synthetic stellar light curve."""
import argparse
from dataclasses import dataclass

import torch

from model import SparseGP


@dataclass
class Config:
    epochs: int = 15
    batch: int = 64
    inducing: int = 20
    lr: float = 1e-2
    refresh_every: int = 5


def light_curve(n=512, seed=0):
    """Quasi-periodic flux with a slow trend and white photometric noise."""
    g = torch.Generator().manual_seed(seed)
    t = torch.rand(n, generator=g).sort().values * 10.0
    phase = 2 * torch.pi * t / (1.7 + 0.05 * t)
    flux = torch.sin(phase) + 0.3 * torch.sin(2 * phase) + 0.05 * t
    flux = flux + 0.1 * torch.randn(n, generator=g)
    x = torch.stack([t / 10.0, torch.sin(2 * torch.pi * t / 1.7)], dim=1)
    return x, (flux - flux.mean()) / flux.std()


def batches(x, y, size, generator):
    order = torch.randperm(len(x), generator=generator)
    for idx in order.split(size):
        yield x[idx], y[idx]


def fit(cfg, x, y):
    g = torch.Generator().manual_seed(1)
    z = x[torch.randperm(len(x), generator=g)[:cfg.inducing]].clone()
    gp = SparseGP(z, refresh_every=cfg.refresh_every)
    opt = torch.optim.Adam(gp.parameters(), lr=cfg.lr)
    curve = []
    for epoch in range(cfg.epochs):
        total = 0.0
        for xb, yb in batches(x, y, cfg.batch, g):
            loss = gp.neg_log_marginal(xb, yb)
            opt.zero_grad()
            loss.backward()  # <- culprit
            opt.step()
            total += loss.item() * len(xb)
        curve.append(total / len(x))
        print(f"epoch {epoch:2d}  nlml/n {curve[-1]:.4f}  noise {gp.log_noise.exp().item():.4f}")
    return gp, curve


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=15)
    ap.add_argument("--refresh-every", type=int, default=5)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    x, y = light_curve()
    fit(Config(epochs=args.epochs, refresh_every=args.refresh_every), x, y)


if __name__ == "__main__":
    main()
