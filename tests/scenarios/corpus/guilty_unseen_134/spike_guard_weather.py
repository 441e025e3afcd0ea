# gradwatch-corpus: kind=graph-held
# holder: self.incidents | trainer.incidents | err.__traceback__ | trainer.incidents[0].__traceback__
# first-bad: 5
# notice: 8
"""Station-temperature nowcasting with a mixed loss and a guard against spiky batches."""
import logging
from dataclasses import dataclass

import torch
from torch import nn

torch.set_num_threads(1)
log = logging.getLogger("nowcast")


class LossSpike(RuntimeError):
    def __init__(self, ratio):
        super().__init__(f"loss is {ratio:.2f} times the running level")
        self.ratio = ratio


@dataclass
class NowcastConfig:
    seed: int = 2
    stations: int = 9
    history: int = 6
    hidden: int = 20
    batch: int = 10
    steps: int = 600
    tolerance: float = 1.05
    gust_rate: float = 0.3


class StationMixer(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.time = nn.Linear(cfg.history, cfg.hidden)
        self.space = nn.Linear(cfg.stations, cfg.stations)
        self.read = nn.Linear(cfg.hidden, 1)

    def forward(self, x):
        h = torch.relu(self.time(x))
        h = h + self.space(h.transpose(1, 2)).transpose(1, 2)
        return self.read(h).squeeze(-1)


class Guard:
    def __init__(self, tolerance):
        self.level = None
        self.tolerance = tolerance

    def check(self, loss):
        value = loss.item()
        level = self.level if self.level is not None else value
        self.level = 0.9 * level + 0.1 * value
        if value > self.tolerance * level:
            raise LossSpike(value / level)


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = StationMixer(cfg)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=2e-3)
        self.guard = Guard(cfg.tolerance)
        self.incidents = []

    def batch(self):
        c = self.cfg
        series = torch.randn(c.batch, c.stations, c.history + 1).cumsum(-1) * 0.3
        if torch.rand(()) < c.gust_rate:
            series[..., -1] += 4 * torch.randn(c.batch, c.stations)
        return series[..., :-1], series[..., -1]

    def squared(self, x, y):
        pred = self.model(x)
        loss = (pred - y).pow(2).mean()
        self.guard.check(loss)
        return loss

    def robust(self, x, y):
        return nn.functional.huber_loss(self.model(x), y, delta=0.3)

    def step(self):
        x, y = self.batch()
        try:
            loss = self.squared(x, y)
        except LossSpike as err:
            self.incidents.append(err)  # <- culprit
            loss = self.robust(x, y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()

    def fit(self):
        for i in range(self.cfg.steps):
            self.step()
            if i % 150 == 149:
                log.warning("step %d: %d incidents, last %s", i, len(self.incidents), self.incidents[-1])


if __name__ == "__main__":
    cfg = NowcastConfig()
    torch.manual_seed(cfg.seed)
    trainer = Trainer(cfg)
    trainer.fit()
