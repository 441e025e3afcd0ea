"""Synthetic detectors on a ring road: daily profile, travelling waves, lane closures."""
import math

import torch


class RingRoad:
    def __init__(self, n_sensors, history, horizon, batch, seed, closure_every=6):
        self.n_sensors = n_sensors
        self.history = history
        self.horizon = horizon
        self.batch = batch
        self.closure_every = closure_every
        self.gen = torch.Generator().manual_seed(seed)
        self.offset = torch.linspace(0, 2 * math.pi, n_sensors + 1)[:-1]

    def _flow(self, t):
        """t: (B, T) in quarter hours -> (B, S, T)"""
        day = 2 * math.pi * t / 96
        peak = torch.sin(day).unsqueeze(1) + 0.4 * torch.sin(2 * day + 0.7).unsqueeze(1)
        wave = 0.3 * torch.sin(0.8 * t.unsqueeze(1) - self.offset.view(1, -1, 1))
        return 1.5 + peak + wave

    def window(self, k):
        start = torch.randint(0, 96 * 7, (self.batch, 1), generator=self.gen).float()
        t = start + torch.arange(self.history + self.horizon).float()
        flow = self._flow(t)
        flow = flow + 0.05 * torch.randn(flow.shape, generator=self.gen)
        closed = None
        if k % self.closure_every == self.closure_every - 1:
            closed = int(torch.randint(0, self.n_sensors, (1,), generator=self.gen))
            flow[:, closed, self.history:] *= 0.3
        return flow[..., :self.history], flow[..., self.history:], closed
