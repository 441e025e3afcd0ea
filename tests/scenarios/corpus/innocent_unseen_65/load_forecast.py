# gradwatch-corpus: kind=none
"""Electricity load: probabilistic seq2seq forecaster. The horizon grows over training, the decoder
eats its own samples more and more often, and early stopping watches a rolling validation."""
import copy
import math
import random
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Config:
    context: int = 24
    horizon_start: int = 2
    horizon_end: int = 20
    batch: int = 12
    max_steps: int = 240
    eval_every: int = 20
    patience: int = 20


def load_series(n=3000, seed=0):
    g = torch.Generator().manual_seed(seed)
    t = torch.arange(n, dtype=torch.float32)
    s = torch.sin(2 * math.pi * t / 24) + 0.5 * torch.sin(2 * math.pi * t / 168 + 1)
    noise = torch.randn(n, generator=g)
    ar = torch.zeros(n)
    for i in range(1, n):
        ar[i] = 0.8 * ar[i - 1] + 0.15 * noise[i]
    return s + ar


class Forecaster(nn.Module):
    def __init__(self, hid=24):
        super().__init__()
        self.enc = nn.GRU(1, hid, batch_first=True)
        self.dec = nn.GRUCell(1, hid)
        self.mu, self.log_sigma = nn.Linear(hid, 1), nn.Linear(hid, 1)

    def forward(self, ctx, horizon, future=None, own=1.0):
        _, h = self.enc(ctx.unsqueeze(-1))
        h, y = h[0], ctx[:, -1:]
        mus, sigmas = [], []
        for k in range(horizon):
            h = self.dec(y, h)
            mu, sigma = self.mu(h), nn.functional.softplus(self.log_sigma(h)) + 1e-3
            mus.append(mu)
            sigmas.append(sigma)
            if future is None or random.random() < own:
                y = mu + sigma * torch.randn_like(mu) if self.training else mu
            else:
                y = future[:, k:k + 1]
        return torch.cat(mus, 1), torch.cat(sigmas, 1)


def nll(mu, sigma, y):
    return (((y - mu) / sigma) ** 2 / 2 + sigma.log()).mean()


@dataclass
class EarlyStopping:
    patience: int
    best: torch.Tensor = field(default_factory=lambda: torch.tensor(math.inf))
    bad: int = 0
    state: dict | None = None
    history: list = field(default_factory=list)

    def __call__(self, score, model):
        self.history.append(score)
        if score < self.best:
            self.best, self.bad = score, 0
            self.state = copy.deepcopy(model.state_dict())
        else:
            self.bad += 1
        return self.bad >= self.patience


class Runner:
    def __init__(self, cfg):
        self.cfg, self.series = cfg, load_series()
        self.model = Forecaster()
        self.ema = torch.optim.swa_utils.AveragedModel(
            self.model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.97)
        )
        self.opt = torch.optim.Adam(self.model.parameters(), lr=5e-3)
        self.stopper = EarlyStopping(cfg.patience)
        self.smooth = None

    def windows(self, lo, hi, horizon):
        c = self.cfg.context
        starts = [random.randrange(lo, hi - c - horizon) for _ in range(self.cfg.batch)]
        w = torch.stack([self.series[s:s + c + horizon] for s in starts])
        return w[:, :c], w[:, c:]

    def horizon(self, step):
        f = min(1.0, step / (0.5 * self.cfg.max_steps))
        return round(self.cfg.horizon_start + f * (self.cfg.horizon_end - self.cfg.horizon_start))

    @torch.no_grad()
    def validate(self):
        self.ema.eval()
        ctx, fut = self.windows(2400, 3000, self.cfg.horizon_end)
        return nll(*self.ema(ctx, self.cfg.horizon_end), fut)

    def train(self):
        for step in range(self.cfg.max_steps):
            hz = self.horizon(step)
            ctx, fut = self.windows(0, 2400, hz)
            loss = nll(*self.model(ctx, hz, fut, own=step / self.cfg.max_steps), fut)
            self.opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.opt.step()
            self.ema.update_parameters(self.model)
            with torch.no_grad():
                self.smooth = loss if self.smooth is None else 0.95 * self.smooth + 0.05 * loss
            if (step + 1) % self.cfg.eval_every == 0:
                stop = self.stopper(self.validate(), self.ema)
                print(f"{step + 1} horizon {hz} train {self.smooth.item():.3f} val {self.stopper.history[-1]:.3f}")
                if stop:
                    break


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(8)
    random.seed(8)
    Runner(Config()).train()
