# gradwatch-corpus: kind=graph-chain
# holder: self.moisture | trainer.moisture
# first-bad: 1
"""Soil moisture emulator for drip irrigation plots, trained online over a season."""
import math
from abc import ABC, abstractmethod

import torch
from torch import nn


class UpdateRule(ABC):
    @abstractmethod
    def apply(self, params):
        ...


class PlainDescent(UpdateRule):
    def __init__(self, lr, clip):
        self.lr = lr
        self.clip = clip

    def apply(self, params):
        for p in params:
            if p.grad is None:
                continue
            g = p.grad.clamp(-self.clip, self.clip)
            p.data.sub_(self.lr * g)
            p.grad = None


class SoilCell(nn.Module):
    def __init__(self, n_weather, n_layers):
        super().__init__()
        self.intake = nn.Linear(n_weather + n_layers, 24)
        self.seep = nn.Linear(24, n_layers)
        self.probe = nn.Linear(n_layers, 1)

    def forward(self, weather, moisture):
        z = torch.relu(self.intake(torch.cat([weather, moisture], dim=1)))
        moisture = 0.8 * moisture + 0.2 * torch.tanh(self.seep(z))
        return self.probe(moisture), moisture


class WeatherFeed:
    def __init__(self, plots, days):
        self.plots = plots
        self.days = days
        self.gen = torch.Generator().manual_seed(41)

    def __iter__(self):
        level = torch.full((self.plots, 1), 0.4)
        for day in range(self.days):
            rain = torch.rand(self.plots, 1, generator=self.gen).pow(3)
            heat = 0.5 + 0.5 * math.sin(2 * math.pi * day / 90)
            sun = torch.full((self.plots, 1), heat)
            level = (0.9 * level + 0.3 * rain - 0.05 * sun).clamp(0, 1)
            yield torch.cat([rain, sun, rain * sun], dim=1), level


class SeasonTrainer(ABC):
    def __init__(self, model, rule):
        self.model = model
        self.rule = rule
        self.curve = []

    @abstractmethod
    def compute_loss(self, batch):
        ...

    def backward(self, loss):
        loss.backward()

    def fit(self, feed):
        for batch in feed:
            loss = self.compute_loss(batch)
            self.backward(loss)
            self.rule.apply(self.model.parameters())
            self.curve.append(float(loss.detach()))
        return self.curve


class MoistureTrainer(SeasonTrainer):
    def __init__(self, model, rule, plots, n_layers):
        super().__init__(model, rule)
        self.moisture = torch.zeros(plots, n_layers)

    def compute_loss(self, batch):
        weather, reading = batch
        estimate, self.moisture = self.model(weather, self.moisture)  # <- culprit
        return nn.functional.smooth_l1_loss(estimate, reading)

    def backward(self, loss):
        loss.backward(retain_graph=True)  # <- culprit


if __name__ == "__main__":
    torch.manual_seed(3)
    cell = SoilCell(3, 8)
    trainer = MoistureTrainer(cell, PlainDescent(0.05, 1.0), plots=16, n_layers=8)
    curve = trainer.fit(WeatherFeed(16, 90))
    print(f"day 1: {curve[0]:.4f}  last day: {curve[-1]:.4f}")
