# gradwatch-corpus: kind=inplace-modified
# first-bad: 45
"""Self-exciting Poisson regression of call-centre counts, with a rate cap late in training."""
import argparse
import os
import tempfile
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn

torch.set_num_threads(1)


@dataclass
class Config:
    cells: int = 6
    lags: int = 5
    steps: int = 120
    cap_from: int = 45
    cap: float = 12.0
    lr: float = 0.02
    seed: int = 7


def simulate(cfg, n):
    rng = np.random.default_rng(cfg.seed)
    W = rng.uniform(0, 0.25 / cfg.cells, (cfg.cells, cfg.cells))
    y = np.zeros((n, cfg.cells), dtype=np.float32)
    for t in range(1, n):
        season = 0.4 + 0.8 * (1 + np.sin(2 * np.pi * t / 48))
        y[t] = rng.poisson(np.clip(season + y[max(0, t - 3):t].sum(0) @ W, 0, 30))
    return torch.from_numpy(y)


class RateModel(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.kernel = nn.Linear(cfg.cells * cfg.lags, cfg.cells)
        self.season = nn.Linear(2, cfg.cells, bias=False)
        self.cap = None

    def forward(self, past, phase):
        log_rate = self.kernel(torch.log1p(past).flatten(1)) + self.season(phase)
        rate = torch.exp(log_rate.clamp(max=6))
        if self.cap is not None:
            rate.clamp_(max=self.cap)  # <- culprit
        return rate


def poisson_nll(rate, y):
    return (rate - y * torch.log(rate + 1e-6)).mean()


class CapSchedule:
    """Switches the cap on after the burn-in; called at the beginning of each step."""

    def __init__(self, model, cfg):
        self.model, self.cfg = model, cfg

    def __call__(self, step):
        if step == self.cfg.cap_from:
            self.model.cap = self.cfg.cap


def windows(y, cfg, n, gen):
    t = torch.randint(cfg.lags, len(y), (n,), generator=gen)
    past = torch.stack([y[t - k] for k in range(1, cfg.lags + 1)], 1)
    ang = 2 * torch.pi * t / 48
    return past, torch.stack([ang.sin(), ang.cos()], 1), y[t]


def train(cfg, ckpt_dir):
    torch.manual_seed(cfg.seed)
    gen = torch.Generator().manual_seed(cfg.seed)
    y = simulate(cfg, 1200)
    model = RateModel(cfg)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.99)
    on_step = CapSchedule(model, cfg)
    for step in range(cfg.steps):
        on_step(step)
        past, phase, target = windows(y, cfg, 64, gen)
        loss = poisson_nll(model(past, phase), target)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if step % 15 == 0:
            print(f"step {step} nll {loss.item():.4f} lr {sched.get_last_lr()[0]:.4f}")
            torch.save(model.state_dict(), os.path.join(ckpt_dir, "rates.pt"))
    return model


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=120)
    args = ap.parse_args()
    with tempfile.TemporaryDirectory() as d:
        train(Config(steps=args.steps), d)


if __name__ == "__main__":
    main()
