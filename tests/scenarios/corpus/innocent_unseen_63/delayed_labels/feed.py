"""Readings of several electricity meters, one tick at a time."""
import math

import torch


class MeterFeed:
    def __init__(self, meters, context):
        self.phase = torch.rand(meters) * 2 * math.pi
        self.t = 0
        self.window = torch.stack([self._read() for _ in range(context)], dim=1)

    def _read(self):
        self.t += 1
        return torch.sin(2 * math.pi * self.t / 24 + self.phase) + 0.1 * torch.randn_like(self.phase)

    def tick(self):
        """The window up to now, and the newest reading (its last column)."""
        now = self._read()
        self.window = torch.cat([self.window[:, 1:], now.unsqueeze(1)], dim=1)
        return self.window, now
