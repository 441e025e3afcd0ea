# gradwatch-corpus: kind=graph-held
# holder: tracker._sums["mse"] | tracker._sums | self._sums[name] | self._sums | trainer.tracker._sums
# first-bad: 1
# notice: 8
"""Remaining-useful-life regression from vibration envelopes of a test rig."""
import math
from dataclasses import dataclass

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(5)


@dataclass
class RigConfig:
    window: int = 64
    channels: int = 6
    steps: int = 500
    batch: int = 12
    report_every: int = 100


class MetricTracker:
    """Weighted means over the whole life of a run."""

    def __init__(self):
        self._sums = {}
        self._weights = {}

    def update(self, weight=1, **values):
        for name, value in values.items():
            self._sums[name] = self._sums.get(name, 0.0) + weight * value  # <- culprit
            self._weights[name] = self._weights.get(name, 0) + weight

    def __getitem__(self, name):
        return float(self._sums[name]) / self._weights[name]


class EnvelopeNet(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.front = nn.Conv1d(1, cfg.channels, 9, stride=4)
        self.mid = nn.Conv1d(cfg.channels, cfg.channels, 5, stride=2)
        self.out = nn.Linear(cfg.channels, 1)

    def forward(self, w):
        z = torch.relu(self.front(w.unsqueeze(1)))
        z = torch.relu(self.mid(z)).mean(-1)
        return self.out(z).squeeze(-1)


class RigTrainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.net = EnvelopeNet(cfg)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.02, momentum=0.8)
        self.tracker = MetricTracker()

    def sample(self):
        wear = torch.rand(self.cfg.batch)
        t = torch.arange(self.cfg.window) / self.cfg.window
        sig = torch.sin(2 * math.pi * 5 * t) + wear[:, None] * torch.sin(2 * math.pi * 17 * t)
        return sig + 0.1 * torch.randn_like(sig), 1 - wear

    def fit(self):
        for step in range(self.cfg.steps):
            w, rul = self.sample()
            est = self.net(w)
            mse = ((est - rul) ** 2).mean()
            self.opt.zero_grad()
            mse.backward()
            self.opt.step()
            with torch.no_grad():
                bias = (est - rul).mean()
            self.tracker.update(weight=len(rul), mse=mse, bias=bias)
            if (step + 1) % self.cfg.report_every == 0:
                print(step + 1, f"mse {self.tracker['mse']:.4f} bias {self.tracker['bias']:+.4f}")


if __name__ == "__main__":
    trainer = RigTrainer(RigConfig())
    trainer.fit()
