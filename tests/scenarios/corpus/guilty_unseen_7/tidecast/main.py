# gradwatch-corpus: kind=graph-chain
# holder: self.level | trainer.net.center.level | net.center.level | self.center.level
# first-bad: 1
"""Tide gauge forecasting for a coast line; run as python tidecast/main.py."""
import math

import torch

from config import Job
from layers import TideNet
from trainer import Ticker, Trainer


def gauges(job):
    g = torch.Generator().manual_seed(job.seed)
    phase = torch.rand(job.stations, generator=g) * 2 * math.pi
    amp = 0.5 + torch.rand(job.stations, generator=g)
    clock = 0.0
    while True:
        start = clock + torch.rand(job.batch, 1, 1, generator=g) * 400
        t = start + torch.arange(job.lags + job.ahead)
        wave = amp[:, None] * (torch.sin(2 * math.pi * t / 12.42 + phase[:, None])
                               + 0.4 * torch.sin(2 * math.pi * t / 24.0 + phase[:, None]))
        storm = torch.randn(job.batch, job.stations, 1, generator=g).cumsum(1) * 0.1
        sea = wave + storm + clock * 1e-3 + 0.05 * torch.randn(wave.shape, generator=g)
        yield sea[..., :job.lags], sea[..., job.lags:], storm.squeeze(-1)
        clock += 1.0


if __name__ == "__main__":
    job = Job()
    torch.manual_seed(job.seed)
    net = TideNet(job.stations, job.lags, job.ahead, job.width, job.momentum)
    Trainer(net, job, [Ticker()]).fit(gauges(job))
