# gradwatch-corpus: kind=none
"""Walk-forward return forecaster: expanding training span, validation more and more often, best weights kept."""
import copy
import functools
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class EarlyBest:
    patience: int = 30
    best: float = float("inf")
    weights: dict = field(default_factory=dict)
    bad: int = 0

    def offer(self, score, model):
        if score < self.best:
            self.best, self.bad = score, 0
            self.weights = copy.deepcopy(model.state_dict())
        else:
            self.bad += 1


class Market:
    def __init__(self, n_assets=10, n_days=800):
        f = torch.randn(n_days, 3)
        for t in range(1, n_days):
            f[t] += 0.6 * f[t - 1]
        self.r = f @ torch.randn(3, n_assets) * 0.3 + torch.randn(n_days, n_assets)

    @functools.lru_cache(maxsize=256)
    def window(self, t, look=15):
        w = self.r[t - look: t]
        return (w - w.mean(0)) / (w.std(0) + 1e-6)

    def batch(self, days):
        return torch.stack([self.window(d) for d in days]), self.r[torch.tensor(days)]


class Forecaster(nn.Module):
    def __init__(self, n_assets, d=32):
        super().__init__()
        self.enc = nn.Conv1d(n_assets, d, 5)
        self.head = nn.Linear(d, n_assets)
        self.register_buffer("running", torch.zeros(n_assets))

    def forward(self, x):
        z = torch.tanh(self.enc(x.transpose(1, 2))).mean(-1)
        out = self.head(z)
        if self.training:
            self.running = 0.95 * self.running + 0.05 * out.detach().mean(0)
        return out - self.running


def validate(model, market, days):
    model.eval()
    with torch.no_grad():
        x, y = market.batch(days)
        pred = model(x)
        ic = torch.corrcoef(torch.stack([pred.flatten(), y.flatten()]))[0, 1]
        mse = (pred - y).pow(2).mean().item()
    model.train()
    return mse, ic


def cadence():
    """Days on which to validate: gaps shrink from 24 to 2."""
    gap, at = 24, 24
    while True:
        yield at
        gap = max(2, int(gap * 0.8))
        at += gap


def main(steps=160):
    torch.manual_seed(31)
    torch.set_num_threads(1)
    market = Market()
    model = Forecaster(10)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.01)
    keep, ics = EarlyBest(), []
    due = cadence()
    nxt = next(due)
    trail = torch.zeros(())
    for step in range(steps):
        span = min(60 + 4 * step, 640)
        size = min(16 + step // 4, 48)
        days = (20 + torch.randint(0, span, (size,))).tolist()
        x, y = market.batch(days)
        loss = (model(x) - y).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        trail = trail * 0.9 + loss.detach() * 0.1
        if step == nxt:
            mse, ic = validate(model, market, list(range(700, 700 + min(20 + step // 2, 90))))
            keep.offer(mse, model)
            ics = (ics + [ic])[-12:]
            nxt = next(due)
            if len(ics) % 6 == 0:
                print(f"step {step} train {trail.item():.4f} valid {mse:.4f} ic {ic.item():.3f} best {keep.best:.4f}")
    model.load_state_dict(keep.weights)
    print("mean ic", torch.stack(ics).mean().item())


if __name__ == "__main__":
    main()
