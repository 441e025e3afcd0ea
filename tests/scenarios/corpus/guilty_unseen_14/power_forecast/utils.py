import copy
import math

import torch


class Standardizer:
    def fit(self, t):
        self.mean, self.std = t.mean(), t.std()
        return self

    def transform(self, t):
        return (t - self.mean) / self.std

    def inverse(self, t):
        return t * self.std + self.mean


def synthetic_load(days):
    hours = torch.arange(24 * days, dtype=torch.float)
    daily = 20 * torch.sin(2 * math.pi * (hours - 8) / 24)
    weekly = 8 * torch.sin(2 * math.pi * hours / (24 * 7))
    return 60 + daily + weekly + 3 * torch.randn(len(hours))


def make_windows(series, window, horizon):
    xs, ys = [], []
    for i in range(len(series) - window - horizon):
        xs.append(series[i:i + window])
        ys.append(series[i + window:i + window + horizon])
    return torch.stack(xs).unsqueeze(-1), torch.stack(ys)


class EarlyStopping:
    """Stops if the mean of the last three validation scores has not got
    better for `patience` epochs; keeps the best weights."""

    def __init__(self, patience, delta=1e-4):
        self.patience = patience
        self.delta = delta
        self.scores = []
        self.best = math.inf
        self.best_epoch = 0
        self.weights = None

    def step(self, score, model, epoch):
        self.scores.append(score)  # <- culprit
        recent = self.scores[-3:]
        smooth = float(sum(s.item() for s in recent) / len(recent))
        if smooth < self.best - self.delta:
            self.best = smooth
            self.best_epoch = epoch
            self.weights = copy.deepcopy(model.state_dict())
        return epoch - self.best_epoch >= self.patience

    def restore(self, model):
        if self.weights is not None:
            model.load_state_dict(self.weights)
