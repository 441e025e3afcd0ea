# gradwatch-corpus: kind=graph-chain
# holder: self.level | model.level
# first-bad: 1
"""Hourly bike rentals at six stations: a slowly drifting level per station
(as in exponential smoothing) plus a GRU for the daily pattern, learned online."""
import math
from dataclasses import dataclass

import torch
import torch.nn as nn


@dataclass
class Config:
    stations: int = 6
    window: int = 12
    hidden: int = 20
    gain: float = 0.2
    lr: float = 5e-3
    hours: int = 420
    report: int = 84
    seed: int = 17


class Rentals:
    """stream of (weather features, counts) hour by hour"""

    def __init__(self, cfg):
        self.cfg = cfg
        self.base = 2 + torch.rand(cfg.stations)
        self.growth = 0.002 * torch.randn(cfg.stations)

    def __iter__(self):
        c = self.cfg
        past = [torch.zeros(c.stations, 3) for _ in range(c.window)]
        for hour in range(c.hours):
            phase = 2 * math.pi * hour / 24
            temp = 0.5 * math.sin(phase - 1.5) + 0.1 * torch.randn(1).item()
            clock = torch.tensor([math.sin(phase), math.cos(phase), temp]).expand(c.stations, 3)
            past = past[1:] + [clock]
            daily = 0.8 * math.sin(phase - 1.2) + 0.4 * temp
            y = self.base + self.growth * hour + daily + 0.1 * torch.randn(c.stations)
            yield torch.stack(past, dim=1), y


class LevelPlusGRU(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.gain = cfg.gain
        self.drift = nn.Parameter(torch.zeros(cfg.stations))
        self.gru = nn.GRU(3, cfg.hidden, batch_first=True)
        self.head = nn.Linear(cfg.hidden, 1)
        self.level = torch.zeros(cfg.stations)

    def start(self, first):
        self.level = first.clone()

    def forward(self, x):
        out, _ = self.gru(x)
        self.level = self.level + self.drift  # <- culprit
        return self.level + self.head(out[:, -1]).squeeze(-1)

    def correct(self, y, pred):
        """moves the level some way towards what was measured"""
        self.level = self.level + self.gain * (y - pred).detach()  # <- culprit


class Running:
    def __init__(self, decay):
        self.decay, self.value = decay, None

    def add(self, v):
        self.value = v if self.value is None else self.decay * self.value + (1 - self.decay) * v


class OnlineTrainer:
    def __init__(self, model, cfg):
        self.model = model
        self.cfg = cfg
        self.opt = torch.optim.Adam([
            {"params": [model.drift], "lr": cfg.lr * 0.1},
            {"params": [p for n, p in model.named_parameters() if n != "drift"]},
        ], lr=cfg.lr)
        self.mae = Running(0.97)

    def one_hour(self, x, y):
        pred = self.model(x)
        loss = nn.functional.smooth_l1_loss(pred, y)
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        self.opt.step()
        self.model.correct(y, pred)
        self.mae.add((pred.detach() - y).abs().mean().item())

    def fit(self, stream):
        for hour, (x, y) in enumerate(stream):
            if hour == 0:
                self.model.start(y)
            self.one_hour(x, y)
            if (hour + 1) % self.cfg.report == 0:
                print("hour %4d  mean abs error %.3f" % (hour + 1, self.mae.value))


def main():
    cfg = Config()
    torch.manual_seed(cfg.seed)
    stream = Rentals(cfg)
    model = LevelPlusGRU(cfg)
    OnlineTrainer(model, cfg).fit(stream)
    print("learned drift per day:", [round(24 * d, 3) for d in model.drift.tolist()])
    print("true drift per day:   ", [round(24 * d, 3) for d in stream.growth.tolist()])


if __name__ == "__main__":
    main()
