# gradwatch-corpus: kind=graph-unused
# first-bad: 0
from dataclasses import dataclass
from functools import wraps

import torch
import torch.nn as nn


def evaluating(method):
    """Runs a method with the model in eval mode and puts the mode back."""
    @wraps(method)
    def inner(self, model, *args, **kwargs):
        was = model.training
        model.eval()
        try:
            return method(self, model, *args, **kwargs)  # <- culprit
        finally:
            model.train(was)
    return inner


@dataclass
class Score:
    rmse: float
    bias: float


class HoldoutMonitor:
    def __init__(self, batches, patience=40):
        self.batches = batches
        self.patience = patience
        self.best = float("inf")
        self.stale = 0
        self.history = []

    @evaluating
    def score(self, model) -> Score:  # <- culprit
        sq, bias, n = 0.0, 0.0, 0
        for x, y in self.batches:
            err = model(x) - y  # <- culprit
            sq += err.square().sum().item()
            bias += err.sum().item()
            n += err.numel()
        return Score((sq / n) ** 0.5, bias / n)

    def __call__(self, trainer) -> bool:
        s = self.score(trainer.model)  # <- culprit
        self.history.append(s)
        if s.rmse < self.best - 1e-4:
            self.best, self.stale = s.rmse, 0
        else:
            self.stale += 1
        return self.stale >= self.patience


class PriceTrainer:
    def __init__(self, model, stoppers, lr=3e-3):
        self.model, self.stoppers = model, stoppers
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)

    def update(self, x, y):
        self.opt.zero_grad(set_to_none=True)
        loss = nn.functional.mse_loss(self.model(x), y)
        loss.backward()
        self.opt.step()
        return loss.item()

    def fit(self, draw, max_updates):
        for i in range(max_updates):
            if any(stop(self) for stop in self.stoppers):
                print("stopped early at", i)
                break
            value = self.update(*draw(64))
            if i % 20 == 0:
                print(f"{i:3d} train {value:.4f}  best holdout rmse {self.stoppers[0].best:.4f}")


class Houses:
    def __init__(self, dim=12):
        self.w = torch.randn(dim, 1)

    def __call__(self, n):
        x = torch.randn(n, self.w.shape[0])
        return x, (x @ self.w).tanh() * 2 + 0.2 * torch.randn(n, 1)


if __name__ == "__main__":
    torch.manual_seed(55)
    houses = Houses()
    net = nn.Sequential(nn.Linear(12, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1))
    monitor = HoldoutMonitor([houses(128) for _ in range(4)])
    PriceTrainer(net, [monitor]).fit(houses, max_updates=100)
    print("last:", monitor.history[-1])
