# gradwatch-corpus: kind=graph-unused
# first-bad: 0
"""Loaves sold tomorrow, by shop and weekday; a fixed week is watched while training."""
from collections import deque
from contextlib import contextmanager
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Recipe:
    shops: int = 20
    steps: int = 100
    batch: int = 64
    lr: float = 5e-3
    patience: int = 40


@contextmanager
def evaluating(module):
    was = module.training
    module.eval()  # <- culprit
    try:
        yield module
    finally:
        module.train(was)


class SalesNet(nn.Module):
    def __init__(self, shops, dim=8):
        super().__init__()
        self.shop = nn.Embedding(shops, dim)
        self.day = nn.Embedding(7, dim)
        self.mlp = nn.Sequential(
            nn.Linear(2 * dim + 2, 48), nn.ReLU(), nn.Dropout(0.1), nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, 1)
        )

    def forward(self, shop, day, weather):
        x = torch.cat([self.shop(shop), self.day(day), weather], 1)
        return self.mlp(x).squeeze(1)


class Till:
    def __init__(self, shops):
        self.size = 2 + torch.rand(shops)
        self.weekly = torch.tensor([0.0, -0.2, -0.1, 0.1, 0.5, 1.0, 0.3])

    def draw(self, n):
        shop = torch.randint(0, len(self.size), (n,))
        day = torch.randint(0, 7, (n,))
        weather = torch.randn(n, 2)
        sold = self.size[shop] + self.weekly[day] - 0.2 * weather[:, 0].relu() + 0.05 * torch.randn(n)
        return (shop, day, weather), sold


class Callback:
    def before_step(self, trainer):
        return False


class WeekWatch(Callback):
    """Follows the error on one fixed week and says when it has stopped falling."""

    def __init__(self, week, patience):
        self.week = week
        self.recent = deque(maxlen=patience)
        self.best = float("inf")

    def _error(self, net):
        inputs, sold = self.week
        with evaluating(net):  # <- culprit
            guess = net(*inputs)  # <- culprit
            return F.l1_loss(guess, sold).item()

    def before_step(self, trainer):
        self.recent.append(self._error(trainer.net))
        self.best = min(self.best, self.recent[-1])
        return len(self.recent) == self.recent.maxlen and min(self.recent) > 1.05 * self.best


class Trainer:
    def __init__(self, net, recipe, callbacks):
        self.net, self.recipe, self.callbacks = net, recipe, callbacks
        self.opt = torch.optim.Adam(net.parameters(), lr=recipe.lr)

    def fit(self, till):
        for i in range(self.recipe.steps):
            if any([cb.before_step(self) for cb in self.callbacks]):
                print("stopped at", i)
                break
            inputs, sold = till.draw(self.recipe.batch)
            loss = F.mse_loss(self.net(*inputs), sold)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            if i % 20 == 0:
                print(f"step {i:3d} loss {loss.item():.4f}")


def main():
    torch.manual_seed(14)
    recipe = Recipe()
    till = Till(recipe.shops)
    watch = WeekWatch(till.draw(140), recipe.patience)
    Trainer(SalesNet(recipe.shops), recipe, [watch]).fit(till)
    print(f"best week error {watch.best:.4f}")


if __name__ == "__main__":
    main()
