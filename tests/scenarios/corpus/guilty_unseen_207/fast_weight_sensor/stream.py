import math

import torch


class DriftingSensor:
    """Sliding windows of a sensor whose calibration drifts slowly."""

    def __init__(self, steps, batch=16, width=8):
        self.steps, self.batch, self.width = steps, batch, width
        self.gen = torch.Generator().manual_seed(4)

    def __len__(self):
        return self.steps

    def __iter__(self):
        for step in range(self.steps):
            gain = 1.0 + 0.5 * math.sin(step / 60)
            offset = 0.3 * math.cos(step / 90)
            window = torch.randn(self.batch, self.width, generator=self.gen).cumsum(dim=1) * 0.4
            target = gain * window.mean(dim=1, keepdim=True) + offset
            yield window, target
