import asyncio
import math

import torch
from torch import nn


def counts(zones, gen):
    """Poisson ride counts: daily double peak, weekday factor, per-zone level."""
    level = 3 + 9 * torch.rand(zones, generator=gen)
    hour = 0
    while True:
        t = hour % 24
        day = 1.0 + 0.8 * math.exp(-((t - 8) ** 2) / 6) + math.exp(-((t - 18) ** 2) / 8)
        week = 0.7 if (hour // 24) % 7 >= 5 else 1.0
        yield hour, torch.poisson(level * day * week, generator=gen)
        hour += 1


class DemandNet(nn.Module):
    def __init__(self, zones, lags, width=16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(zones * lags + 3, width), nn.ELU(), nn.Linear(width, zones))

    def forward(self, history, calendar):
        return self.body(torch.cat([history.flatten().log1p(), calendar]))


class Forecaster:
    def __init__(self, zones, scribe, lags=4):
        self.zones, self.lags, self.scribe = zones, lags, scribe
        self.net = DemandNet(zones, lags)
        self.opt = torch.optim.RMSprop(self.net.parameters(), lr=2e-3)

    @staticmethod
    def calendar(hour):
        a = 2 * math.pi * hour / 24
        return torch.tensor([math.sin(a), math.cos(a), float((hour // 24) % 7 >= 5)])

    def update(self, history, hour, target):
        log_rate = self.net(history, self.calendar(hour))
        loss = nn.functional.poisson_nll_loss(log_rate, target)
        self.opt.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.opt.step()
        return loss, norm.item()

    async def train(self, hours):
        stream = counts(self.zones, torch.Generator().manual_seed(4))
        history = torch.stack([next(stream)[1] for _ in range(self.lags)])
        for step in range(hours):
            hour, target = next(stream)
            loss, norm = self.update(history, hour, target)
            self.scribe.note("fit", step, nll=loss, grad_norm=norm)  # <- culprit
            if hour % 24 == 0:
                self.scribe.note("calendar", step, day=hour // 24, rides=target.sum().item())
            if step % 90 == 0:
                print(f"hour {hour:4d} nll {loss.item():.4f}")
            history = torch.cat([history[1:], target.unsqueeze(0)])
            await asyncio.sleep(0)
