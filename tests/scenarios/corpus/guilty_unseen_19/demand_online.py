# gradwatch-corpus: kind=graph-chain
# holder: self.level_ | self.season_ | model.level_ | model.season_ | level | season
# first-bad: 1
"""Structural forecaster (level, drift, weekly profile) for store demand, updated day by
day with partial_fit, as the replenishment job calls it every night."""

import math
from collections import deque

import torch
from torch import nn


class StoreDemand:
    """Innovations form; learns drift and seasonal increments by gradient,
    follows the level by a fixed gain.

    Parameters
    ----------
    n_stores : number of parallel series
    gain : share of the forecast error that goes into the level
    season_gain : the same for the weekday that was just observed
    """

    def __init__(self, n_stores, gain=0.2, season_gain=0.1, lr=1e-3):
        self.n_stores = n_stores
        self.gain = gain
        self.season_gain = season_gain
        self.lr = lr

    # -- scikit-learn-ish plumbing ------------------------------------------
    def _initialise(self, y):
        self.drift_ = nn.Parameter(torch.zeros(self.n_stores))
        self.weekday_ = nn.Parameter(torch.zeros(self.n_stores))
        self.opt_ = torch.optim.Adam([self.drift_, self.weekday_], lr=self.lr)
        self.level_ = y.clone()
        self.season_ = torch.zeros(7, self.n_stores)
        self.n_days_ = 0
        self.errors_ = deque(maxlen=28)

    @property
    def fitted(self):
        return hasattr(self, "level_")

    # -- the model ----------------------------------------------------------
    def _predict_next(self):
        return self.level_ + self.drift_, self.season_[0] + self.weekday_

    def _advance(self, level, today, residual):
        self.level_ = level + self.gain * residual  # <- culprit
        today = today + self.season_gain * residual
        self.season_ = torch.cat([self.season_[1:], today[None]])  # <- culprit

    def partial_fit(self, y):
        if not self.fitted:
            self._initialise(y)
        level, today = self._predict_next()
        residual = y - (level + today)
        loss = residual.abs().sum() + 1e-3 * (self.drift_.square().sum() + self.weekday_.square().sum())
        self.opt_.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_([self.drift_, self.weekday_], 1.0)
        self.opt_.step()
        self._advance(level, today, residual.detach())
        self.errors_.append(residual.detach().abs().mean().item())
        self.n_days_ += 1
        return self

    @torch.no_grad()
    def predict(self, horizon=7):
        days = torch.arange(1, horizon + 1).unsqueeze(1)
        profile = self.season_[(days.squeeze(1) - 1) % 7]
        return self.level_ + days * self.drift_ + profile

    def score(self):
        """minus the mean absolute error of the last four weeks"""
        return -sum(self.errors_) / len(self.errors_)


def sales(n_stores, n_days, seed=0):
    g = torch.Generator().manual_seed(seed)
    base = 20 + 5 * torch.rand(n_stores, generator=g)
    slope = 0.02 * torch.randn(n_stores, generator=g)
    for day in range(n_days):
        wave = 3.0 * math.sin(2 * math.pi * day / 7)
        yield base + slope * day + wave + 0.5 * torch.randn(n_stores, generator=g)


if __name__ == "__main__":
    model = StoreDemand(n_stores=25)
    for day, y in enumerate(sales(25, 280, seed=9), start=1):
        model.partial_fit(y)
        if day % 56 == 0:
            print(f"day {day}: score {model.score():.3f}")
    print("next week, store 0:", [round(v, 1) for v in model.predict()[:, 0].tolist()])
