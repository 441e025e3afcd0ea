# gradwatch-corpus: kind=second-backward
# holder: feats | features | loss
# first-bad: 30
# notice: 0
"""Wearable sensor windows: activity label, plus auxiliary objectives which start later in training."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Callable

import torch
from torch import nn
import torch.nn.functional as F

OBJECTIVES: list["Objective"] = []


@dataclass
class Objective:
    name: str
    fn: Callable
    start: int
    weight: float


def objective(name, start=0, weight=1.0):
    def wrap(fn):
        OBJECTIVES.append(Objective(name, fn, start, weight))
        return fn
    return wrap


class SensorNet(nn.Module):
    def __init__(self, channels=3, n_classes=4, width=24):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Conv1d(channels, width, 5, stride=2, padding=2), nn.BatchNorm1d(width), nn.ReLU(),
            nn.Conv1d(width, width, 5, stride=2, padding=2), nn.ReLU(),
            nn.AdaptiveAvgPool1d(1), nn.Flatten(),
        )
        self.activity = nn.Linear(width, n_classes)
        self.intensity = nn.Linear(width, 1)
        self.rotation = nn.Linear(width, 2)

    def forward(self, x):
        return self.trunk(x)


@objective("activity")
def activity_loss(model, features, batch):
    return F.cross_entropy(model.activity(features), batch["label"], label_smoothing=0.05)


@objective("intensity", start=30, weight=0.3)
def intensity_loss(model, features, batch):
    return F.mse_loss(model.intensity(features).squeeze(1), batch["energy"])


@objective("rotation", start=60, weight=0.1)
def rotation_loss(model, features, batch):
    return F.cross_entropy(model.rotation(features), batch["flipped"])


def make_batch(gen, n=32, length=64):
    label = torch.randint(4, (n,), generator=gen)
    t = torch.arange(length) / length
    amp = 0.5 + torch.rand(n, 1, 1, generator=gen)
    phase = torch.rand(n, 3, 1, generator=gen) * 6.28
    x = amp * torch.sin(6.28 * (label.view(-1, 1, 1) + 1) * 2 * t + phase)
    x = x + 0.3 * torch.randn(x.shape, generator=gen)
    flipped = torch.randint(2, (n,), generator=gen)
    x = torch.where(flipped.view(-1, 1, 1).bool(), -x.flip(1), x)
    return {"x": x, "label": label, "energy": amp.flatten(), "flipped": flipped}


class Fitter:
    def __init__(self, model, lr=3e-3):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.step_no = 0
        self.sums: dict[str, list[float]] = {}

    def active(self):
        return [o for o in OBJECTIVES if self.step_no >= o.start]

    def backprop(self, batch):
        feats = self.model(batch["x"])
        for obj in self.active():
            loss = obj.weight * obj.fn(self.model, feats, batch)
            loss.backward()  # <- culprit
            self.sums.setdefault(obj.name, []).append(loss.item() / obj.weight)

    def fit(self, batches):
        for batch in batches:
            self.model.train()
            self.optimizer.zero_grad(set_to_none=True)
            self.backprop(batch)
            self.optimizer.step()
            self.step_no += 1
            if self.step_no % 10 == 0:
                self.report()

    def report(self):
        parts = [f"{k} {sum(v) / len(v):.3f}" for k, v in self.sums.items()]
        print(f"step {self.step_no:3d} | " + " | ".join(parts))
        self.sums.clear()


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(5)
    gen = torch.Generator().manual_seed(5)
    fitter = Fitter(SensorNet())
    fitter.fit(make_batch(gen) for _ in range(120))
