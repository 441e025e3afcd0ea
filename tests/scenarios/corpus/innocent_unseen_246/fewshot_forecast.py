# gradwatch-corpus: kind=none
import collections
import math

import torch
from torch import nn
from torch.func import functional_call
import torch.nn.functional as F

Episode = collections.namedtuple("Episode", "support_x support_y query_x query_y")


class StoreEpisodes:
    """Every store has its own rhythm; adapt to it from a few days."""

    def __init__(self, shots, seed):
        self.shots = shots
        self.gen = torch.Generator().manual_seed(seed)

    def _days(self, amplitude, phase):
        x = 4 * torch.rand(self.shots, 1, generator=self.gen) - 2
        return x, amplitude * torch.sin(x * 2 + phase)

    def draw(self):
        amplitude = 0.5 + 1.5 * torch.rand(1, generator=self.gen).item()
        phase = math.pi * torch.rand(1, generator=self.gen).item()
        sx, sy = self._days(amplitude, phase)
        qx, qy = self._days(amplitude, phase)
        return Episode(sx, sy, qx, qy)


class SalesCurve(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(1, width),
            nn.Tanh(),
            nn.Linear(width, width),
            nn.Tanh(),
            nn.Linear(width, 1),
        )

    def forward(self, x):
        return self.net(x)


class InnerLoop:
    def __init__(self, model, rate, turns):
        self.model = model
        self.rate = rate
        self.turns = turns
        self.adapted = None

    def __enter__(self):
        self.adapted = dict(self.model.named_parameters())
        return self

    def __exit__(self, *exc):
        self.adapted = None
        return False

    def predict(self, x):
        return functional_call(self.model, self.adapted, (x,))

    def fit(self, x, y):
        for _ in range(self.turns):
            loss = F.mse_loss(self.predict(x), y)
            names = list(self.adapted)
            grads = torch.autograd.grad(loss, list(self.adapted.values()), create_graph=True)
            updated = {}
            for name, grad in zip(names, grads):
                updated[name] = self.adapted[name] - self.rate * grad
            self.adapted = updated


class MetaTrainer:
    def __init__(self, model, episodes, per_step):
        self.model = model
        self.episodes = episodes
        self.per_step = per_step
        self.inner = InnerLoop(model, rate=0.05, turns=2)
        self.optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
        self.smoothed = None

    def episode_loss(self):
        episode = self.episodes.draw()
        with self.inner as loop:
            loop.fit(episode.support_x, episode.support_y)
            return F.mse_loss(loop.predict(episode.query_x), episode.query_y)

    def step(self):
        outer = sum(self.episode_loss() for _ in range(self.per_step)) / self.per_step
        self.optimizer.zero_grad()
        outer.backward()
        self.optimizer.step()
        value = outer.item()
        self.smoothed = value if self.smoothed is None else 0.95 * self.smoothed + 0.05 * value
        return self.smoothed


if __name__ == "__main__":
    torch.manual_seed(37)
    trainer = MetaTrainer(SalesCurve(24), StoreEpisodes(shots=10, seed=37), per_step=3)
    for number in range(120):
        level = trainer.step()
        if number % 40 == 0:
            print(f"meta {number} query {level:.4f}")
