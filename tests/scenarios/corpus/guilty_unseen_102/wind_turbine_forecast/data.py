import math

import torch


class FarmData:
    def __init__(self, n_turbines, hours, lookback):
        t = torch.arange(hours, dtype=torch.float32)
        base = 8 + 3 * torch.sin(2 * math.pi * t / 24) + 2 * torch.sin(2 * math.pi * t / 170)
        wind = base[:, None] + torch.randn(hours, n_turbines)
        direction = torch.rand(hours, n_turbines)
        power = torch.clamp((wind - 3) / 9, 0, 1) ** 3
        feats = torch.cat([wind / 12, direction], dim=1)
        n = hours - lookback - 1
        self.x = torch.stack([feats[i:i + lookback] for i in range(n)])
        self.y = power[lookback:lookback + n]
        split = int(0.85 * n)
        self.train = (self.x[:split], self.y[:split])
        self.test = (self.x[split:], self.y[split:])

    def batches(self, batch_size):
        x, y = self.train
        perm = torch.randperm(len(x))
        for i in range(0, len(x) - batch_size + 1, batch_size):
            idx = perm[i:i + batch_size]
            yield x[idx], y[idx]
