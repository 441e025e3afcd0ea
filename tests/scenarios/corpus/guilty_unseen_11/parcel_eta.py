# gradwatch-corpus: kind=graph-held
# holder: self.scores | watch.scores | scores | watch
# first-bad: 1
# notice: 10
"""Minutes until a parcel arrives, quantile regression over stop features (P10/P50/P90).

Nightly job; the plateau watch decides when the learning rate goes down.
"""
import itertools
import math

import torch
from torch import nn

QUANTILES = torch.tensor([0.1, 0.5, 0.9])


def deliveries(seed, batch):
    """Endless stream of (features, minutes)."""
    g = torch.Generator().manual_seed(seed)
    while True:
        stops = torch.randint(1, 40, (batch, 1), generator=g).float()
        km = 0.4 * stops + 2.0 * torch.rand(batch, 1, generator=g)
        hour = 8 + 10 * torch.rand(batch, 1, generator=g)
        rush = torch.exp(-((hour - 17) / 1.5) ** 2)
        rain = (torch.rand(batch, 1, generator=g) < 0.2).float()
        minutes = 2.2 * stops + 1.6 * km * (1 + 0.6 * rush) + 6 * rain
        minutes = minutes * (1 + 0.15 * torch.randn(batch, 1, generator=g))
        feats = torch.cat([stops / 20, km / 10, torch.sin(hour / 12 * math.pi), rush, rain], dim=1)
        yield feats, minutes / 60


def pinball(pred, target):
    gap = target - pred
    return torch.maximum(QUANTILES * gap, (QUANTILES - 1) * gap).mean()


class EtaNet(nn.Module):
    def __init__(self, hidden=48):
        super().__init__()
        self.norm = nn.LayerNorm(5)
        self.body = nn.Sequential(nn.Linear(5, hidden), nn.SiLU(), nn.Dropout(0.1),
                                  nn.Linear(hidden, hidden), nn.SiLU())
        self.mid = nn.Linear(hidden, 1)
        self.spread = nn.Linear(hidden, 2)

    def forward(self, feats):
        z = self.body(self.norm(feats))
        mid = self.mid(z)
        low, high = nn.functional.softplus(self.spread(z)).chunk(2, dim=1)
        return torch.cat([mid - low, mid, mid + high], dim=1)


class PlateauWatch:
    """Halves the learning rate if the last `patience` scores brought nothing new."""

    def __init__(self, optimizer, patience=12):
        self.optimizer = optimizer
        self.patience = patience
        self.scores = []
        self.cooldown = 0

    def check(self, score):
        self.scores.append(score)  # <- culprit
        self.cooldown = max(0, self.cooldown - 1)
        if len(self.scores) <= 2 * self.patience or self.cooldown:
            return False
        recent = min(self.scores[-self.patience:])
        before = min(self.scores[:-self.patience])
        if recent < before:
            return False
        for group in self.optimizer.param_groups:
            group["lr"] *= 0.5
        self.cooldown = self.patience
        return True


def validate(model, held_out):
    model.eval()
    feats, minutes = held_out
    score = pinball(model(feats), minutes)  # <- culprit
    model.train()
    return score


def epochs(model, optimizer, stream):
    """Generator: does one update whenever it is asked for the next item."""
    for feats, minutes in stream:
        optimizer.zero_grad()
        loss = pinball(model(feats), minutes)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        yield loss.item()


def run(steps=320):
    torch.manual_seed(31)
    model = EtaNet()
    optimizer = torch.optim.RMSprop(model.parameters(), lr=2e-3)
    watch = PlateauWatch(optimizer)
    held_out = next(deliveries(seed=99, batch=128))
    updates = epochs(model, optimizer, deliveries(seed=5, batch=64))
    for step, loss in enumerate(itertools.islice(updates, steps)):
        if step % 2 == 0 and watch.check(validate(model, held_out)):
            print(f"{step}: plateau, learning rate now {optimizer.param_groups[0]['lr']:.1e}")
        if step % 80 == 79:
            print(f"{step + 1}: train {loss:.4f}  held-out best {min(watch.scores):.4f}")


if __name__ == "__main__":
    run()
