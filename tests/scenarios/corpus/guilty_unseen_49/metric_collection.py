# gradwatch-corpus: kind=inplace-modified
# first-bad: 20
from typing import Dict, List, NamedTuple

import torch
from torch import nn


class StepOutput(NamedTuple):
    loss: torch.Tensor
    probs: torch.Tensor
    target: torch.Tensor


class Metric:
    name = "metric"

    def __init__(self):
        self.reset()

    def reset(self):
        self.total, self.count = 0.0, 0

    def update(self, out: StepOutput):
        self.total += self.measure(out)
        self.count += 1

    def measure(self, out: StepOutput) -> float:
        raise NotImplementedError

    def compute(self) -> float:
        return self.total / max(1, self.count)


class Accuracy(Metric):
    name = "acc"

    def measure(self, out):
        return ((out.probs > 0.5) == (out.target > 0.5)).float().mean().item()


class Entropy(Metric):
    """Mean entropy of the predicted rates, in nats."""
    name = "entropy"

    def measure(self, out):
        p = out.probs.data
        q = 1 - p
        return -(p * p.clamp(min=1e-6).log() + q * q.clamp(min=1e-6).log()).mean().item()


class Calibration(Metric):
    name = "calib"
    bins = 10

    def measure(self, out):
        edges = out.probs.detach()  # <- culprit
        edges.mul_(self.bins).floor_().clamp_(max=self.bins - 1)  # <- culprit
        gaps = []
        for b in range(self.bins):
            hit = edges == b
            if hit.any():
                gaps.append((out.target[hit].mean() - (b + 0.5) / self.bins).abs())
        return torch.stack(gaps).mean().item()


class MetricCollection:
    def __init__(self, fast: List[Metric], slow: List[Metric], slow_every: int):
        self.fast, self.slow, self.slow_every = fast, slow, slow_every
        self.seen = 0

    def update(self, out: StepOutput):
        for m in self.fast:
            m.update(out)
        if self.seen and self.seen % self.slow_every == 0:
            for m in self.slow:
                m.update(out)
        self.seen += 1

    def compute(self) -> Dict[str, float]:
        values = {m.name: m.compute() for m in self.fast + self.slow}
        for m in self.fast + self.slow:
            m.reset()
        return values


class RateModel(nn.Module):
    def __init__(self, dim=14):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, 28), nn.ReLU(), nn.Linear(28, 1), nn.Sigmoid())

    def forward(self, x):
        return self.net(x).squeeze(1)


class ClickTrainer:
    def __init__(self, model, metrics):
        self.model, self.metrics = model, metrics
        self.opt = torch.optim.RMSprop(model.parameters(), lr=2e-3)

    def forward_step(self, x, y) -> StepOutput:
        probs = self.model(x)
        out = StepOutput(nn.functional.binary_cross_entropy(probs, y), probs, y)
        self.metrics.update(out)
        return out

    def fit(self, n):
        w = torch.randn(14)
        for i in range(n):
            x = torch.randn(80, 14)
            out = self.forward_step(x, (x @ w > 0).float())
            self.opt.zero_grad()
            out.loss.backward()
            self.opt.step()
            if i % 10 == 9:
                print(i + 1, {k: round(v, 3) for k, v in self.metrics.compute().items()})


torch.manual_seed(41)
collection = MetricCollection([Accuracy(), Entropy()], [Calibration()], slow_every=20)
ClickTrainer(RateModel(), collection).fit(100)
