# gradwatch-corpus: kind=graph-held
# holder: meter.weighted | self.weighted | progress.meter.weighted | self.meter.weighted
# first-bad: 1
# notice: 8
"""Quantile forecaster for daily shop demand, with a volume-weighted error in the progress line."""
import argparse
import math
import sys

import torch
from torch import nn


class ShopDemand:
    """Daily sales of many shops: weekday profile, level, promotions."""

    def __init__(self, shops=40, days=400):
        day = torch.arange(days, dtype=torch.float32)
        level = torch.exp(torch.randn(shops, 1) * 0.5 + 2.0)
        phase = torch.rand(shops, 1) * 2 * math.pi
        weekday = 1 + 0.3 * torch.sin(2 * math.pi * day / 7 + phase)
        promo = (torch.rand(shops, days) < 0.08).float()
        self.sales = level * weekday * (1 + 0.6 * promo) * (1 + 0.1 * torch.randn(shops, days))
        self.promo = promo

    def batch(self, n, lags):
        shop = torch.randint(0, len(self.sales), (n,))
        start = torch.randint(0, self.sales.size(1) - lags - 1, (n,))
        idx = start.unsqueeze(1) + torch.arange(lags)
        past = self.sales[shop.unsqueeze(1), idx]
        scale = past.mean(1, keepdim=True)
        x = torch.cat([past / scale, self.promo[shop, start + lags].unsqueeze(1)], dim=1)
        return x, self.sales[shop, start + lags], scale


class QuantileNet(nn.Module):
    def __init__(self, lags, quantiles, width=32):
        super().__init__()
        self.register_buffer("quantiles", torch.tensor(quantiles))
        self.net = nn.Sequential(nn.Linear(lags + 1, width), nn.SiLU(),
                                 nn.Linear(width, width), nn.SiLU(),
                                 nn.Linear(width, len(quantiles)))

    def forward(self, x, scale):
        return self.net(x) * scale

    def pinball(self, pred, target, scale):
        err = (target.unsqueeze(1) - pred) / scale
        return torch.maximum(self.quantiles * err, (self.quantiles - 1) * err).mean()

    def median(self, pred):
        return pred[:, len(self.quantiles) // 2]


class WapeMeter:
    """Weighted absolute percentage error over everything seen so far."""

    def __init__(self):
        self.weighted = torch.zeros(())
        self.volume = 0.0

    def update(self, forecast, actual):
        self.weighted = self.weighted + (forecast - actual).abs().sum()  # <- culprit
        self.volume += actual.sum().item()

    @property
    def value(self):
        return float(self.weighted) / max(self.volume, 1e-9)


class Progress:
    """Prints one line every `every` batches."""

    def __init__(self, every, out=sys.stdout):
        self.every = every
        self.out = out
        self.meter = WapeMeter()
        self.count = 0

    def __call__(self, loss, forecast, actual):
        self.count += 1
        self.meter.update(forecast, actual)
        if self.count % self.every == 0:
            self.out.write(f"[{self.count:4d}] pinball {loss:.4f} wape {self.meter.value:.3f}\n")


def fit(model, demand, steps, batch, lags, lr, progress):
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    for _ in range(steps):
        x, target, scale = demand.batch(batch, lags)
        pred = model(x, scale)
        loss = model.pinball(pred, target, scale)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        progress(loss.item(), model.median(pred), target)  # <- culprit


@torch.no_grad()
def coverage(model, demand, lags):
    x, target, scale = demand.batch(500, lags)
    pred = model(x, scale)
    inside = (target >= pred[:, 0]) & (target <= pred[:, -1])
    return inside.float().mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=140)
    ap.add_argument("--batch", type=int, default=48)
    ap.add_argument("--lags", type=int, default=14)
    ap.add_argument("--lr", type=float, default=4e-3)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(17)
    demand = ShopDemand()
    model = QuantileNet(args.lags, [0.1, 0.5, 0.9])
    fit(model, demand, args.steps, args.batch, args.lags, args.lr, Progress(every=20))
    print(f"80% interval covers {coverage(model, demand, args.lags):.2f}")


if __name__ == "__main__":
    main()
