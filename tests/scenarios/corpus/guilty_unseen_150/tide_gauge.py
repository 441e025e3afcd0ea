# gradwatch-corpus: kind=graph-held
# holder: self.smoothed | trainer.smoothed
# first-bad: 1
# notice: 8
"""Tide gauge forecasts; the learning rate falls when the smoothed loss stalls."""
import math

import torch
from torch import nn

torch.manual_seed(3)
torch.set_num_threads(1)


class PlateauTrainer:
    """Base: keeps a smoothed objective and lowers the rate when it no longer falls."""

    def __init__(self, params, lr, patience=25):
        self.opt = torch.optim.Adam(params, lr=lr)
        self.smoothed = None
        self.best = math.inf
        self.patience = patience
        self.stale = 0

    def objective(self, batch):
        raise NotImplementedError

    def step(self, batch):
        self.opt.zero_grad(set_to_none=True)
        value = self.objective(batch)
        value.backward()
        self.opt.step()
        self.watch(value)  # <- culprit

    def watch(self, value):
        if self.smoothed is None:
            self.smoothed = value
        else:
            self.smoothed = 0.97 * self.smoothed + 0.03 * value  # <- culprit
        if self.smoothed < self.best - 1e-4:
            self.best, self.stale = float(self.smoothed), 0
        else:
            self.stale += 1
        if self.stale > self.patience:
            for group in self.opt.param_groups:
                group["lr"] *= 0.5
            self.stale = 0


class TideTrainer(PlateauTrainer):
    def __init__(self, window, horizon):
        self.net = nn.Sequential(nn.Linear(window, 32), nn.Tanh(), nn.Linear(32, horizon))
        super().__init__(self.net.parameters(), lr=4e-3)

    def objective(self, batch):
        past, future = batch
        return nn.functional.huber_loss(self.net(past), future)


def gauge(n):
    t = torch.arange(n, dtype=torch.float32)
    return torch.sin(t / 12.42 * 6.283) + 0.4 * torch.sin(t / 12.0 * 6.283) + 0.05 * torch.randn(n)


def batches(series, window, horizon, n):
    for _ in range(n):
        start = torch.randint(0, len(series) - window - horizon, (24,))
        rows = start[:, None] + torch.arange(window + horizon)
        chunk = series[rows]
        yield chunk[:, :window], chunk[:, window:]


series = gauge(3000)
trainer = TideTrainer(36, 6)
for i, batch in enumerate(batches(series, 36, 6, 160)):
    trainer.step(batch)
    if i % 40 == 39:
        print(i, f"{float(trainer.smoothed):.4f}", trainer.opt.param_groups[0]["lr"])
