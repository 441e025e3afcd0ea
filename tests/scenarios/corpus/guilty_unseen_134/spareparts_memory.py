# gradwatch-corpus: kind=graph-chain
# holder: self.trace | net.memory.trace | memory.trace | forecaster.net.memory.trace
# first-bad: 1
# notice: 5
"""Streaming demand forecaster for spare parts: decaying slot memory, written once a day."""
from dataclasses import dataclass, field

import torch
import torch.nn as nn

torch.set_num_threads(1)


@dataclass
class StreamConfig:
    seed: int = 6
    parts: int = 6
    slots: int = 5
    width: int = 12
    days: int = 270
    keep: float = 0.9
    lr: float = 2e-3
    seasons: list = field(default_factory=lambda: [7, 30])


class SlotMemory(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.write = nn.Linear(cfg.parts, cfg.width)
        self.trace = torch.zeros(cfg.slots, cfg.width)

    def address(self, day):
        a = torch.zeros(self.cfg.slots, 1)
        a[day % self.cfg.slots] = 1.0
        return a

    def forward(self, x, day):
        entry = torch.tanh(self.write(x))
        self.trace = self.cfg.keep * self.trace + self.address(day) * entry  # <- culprit
        return self.trace


class DemandNet(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.memory = SlotMemory(cfg)
        self.blend = nn.Linear(cfg.slots, 1)
        self.out = nn.Linear(cfg.width, cfg.parts)

    def forward(self, x, day):
        m = self.memory(x, day)
        pooled = self.blend(m.t()).squeeze(-1)
        return nn.functional.softplus(self.out(pooled))


class DemandStream:
    def __init__(self, cfg):
        self.cfg = cfg
        self.rates = 0.5 + torch.rand(cfg.parts) * 3
        self.phase = torch.rand(len(cfg.seasons), cfg.parts) * 6.28

    def day(self, d):
        season = sum(torch.sin(6.28 * d / p + ph) for p, ph in zip(self.cfg.seasons, self.phase))
        return torch.poisson(self.rates * (1 + 0.4 * season).clamp(min=0.05))


class Forecaster:
    def __init__(self, cfg):
        self.cfg = cfg
        self.net = DemandNet(cfg)
        self.stream = DemandStream(cfg)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=cfg.lr)
        self.criterion = nn.PoissonNLLLoss(log_input=False)

    def follow(self):
        today = self.stream.day(0)
        for d in range(self.cfg.days):
            tomorrow = self.stream.day(d + 1)
            rate = self.net(today.log1p(), d)
            loss = self.criterion(rate, tomorrow)
            self.opt.zero_grad()
            loss.backward(retain_graph=True)  # <- culprit
            self.opt.step()
            today = tomorrow
            if d % 90 == 0:
                print(d, round(loss.item(), 3))


if __name__ == "__main__":
    config = StreamConfig()
    torch.manual_seed(config.seed)
    forecaster = Forecaster(config)
    forecaster.follow()
