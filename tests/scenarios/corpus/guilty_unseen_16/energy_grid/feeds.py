"""Simulated substation readings: daily and weekly rhythm, temperature, a little noise."""
import asyncio
import math

import torch


class ZoneFeed:
    def __init__(self, name, seed, weight=1.0, history=48, horizon=12, batch=8):
        self.name, self.weight = name, weight
        self.history, self.horizon, self.batch = history, horizon, batch
        self.gen = torch.Generator().manual_seed(1000 + seed)
        self.base = 0.5 + 0.2 * seed
        self.phase = 0.4 * seed

    def _load(self, hours):
        day = torch.sin(2 * math.pi * hours / 24 + self.phase)
        week = 0.4 * torch.cos(2 * math.pi * hours / 168)
        noise = 0.08 * torch.randn(hours.shape, generator=self.gen)
        return self.base + 0.6 * day + week + noise

    async def next_window(self):
        await asyncio.sleep(0)
        start = torch.randint(0, 24 * 365, (self.batch, 1), generator=self.gen).float()
        hours = start + torch.arange(self.history + self.horizon).float()
        load = self._load(hours)
        now = hours[:, self.history]
        calendar = torch.stack([torch.sin(2 * math.pi * now / 24), torch.cos(2 * math.pi * now / 24),
                                torch.sin(2 * math.pi * now / 168), torch.cos(2 * math.pi * now / 168)], dim=1)
        return load[:, :self.history], calendar, load[:, self.history:]
