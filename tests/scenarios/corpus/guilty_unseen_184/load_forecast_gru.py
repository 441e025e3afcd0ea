# gradwatch-corpus: kind=retain-needless
# first-bad: 0
import math

import numpy as np
import torch
from torch import nn


def make_series(n=1500, seed=0):
    rng = np.random.default_rng(seed)
    t = np.arange(n)
    daily = np.sin(2 * math.pi * t / 24)
    weekly = 0.5 * np.sin(2 * math.pi * t / 168)
    return (daily + weekly + 0.1 * rng.standard_normal(n)).astype(np.float32)


class WindowSampler:
    def __init__(self, series, window, horizon, seed=1):
        self.series = torch.from_numpy(series)
        self.window, self.horizon = window, horizon
        self.gen = torch.Generator().manual_seed(seed)

    def __call__(self, batch):
        hi = len(self.series) - self.window - self.horizon
        starts = torch.randint(0, hi, (batch, 1), generator=self.gen)
        idx = starts + torch.arange(self.window + self.horizon)
        chunk = self.series[idx]
        return chunk[:, :self.window, None], chunk[:, self.window:]


class Forecaster(nn.Module):
    def __init__(self, hidden, horizon):
        super().__init__()
        self.gru = nn.GRU(1, hidden, batch_first=True)
        self.head = nn.Linear(hidden, horizon * 3)
        self.horizon = horizon

    def forward(self, x, h0=None):
        out, h = self.gru(x, h0)
        return self.head(out[:, -1]).view(-1, self.horizon, 3), h


def pinball(pred, y, quantiles):
    diff = y.unsqueeze(-1) - pred
    return torch.maximum(quantiles * diff, (quantiles - 1) * diff).mean()


class Trainer:
    def __init__(self, model, sampler, lr=3e-3):
        self.model, self.sampler = model, sampler
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.q = torch.tensor([0.1, 0.5, 0.9])
        self.best = float("inf")

    def train_step(self, batch):
        x, y = self.sampler(batch)
        h = torch.zeros(1, batch, self.model.gru.hidden_size)
        pred, h = self.model(x, h)
        loss = pinball(pred, y, self.q)
        self.opt.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        return loss.item()

    @torch.no_grad()
    def coverage(self, batch=128):
        x, y = self.sampler(batch)
        pred, _ = self.model(x)
        return ((y >= pred[..., 0]) & (y <= pred[..., 2])).float().mean().item()

    def fit(self, steps, batch=24):
        for step in range(steps):
            loss = self.train_step(batch)
            self.best = min(self.best, loss)
            if step % 60 == 0:
                print(f"{step:4d} pinball {loss:.4f} coverage {self.coverage():.3f}")
        print("best", round(self.best, 4))


if __name__ == "__main__":
    torch.manual_seed(0)
    Trainer(Forecaster(24, 6), WindowSampler(make_series(), 24, 6)).fit(450)
