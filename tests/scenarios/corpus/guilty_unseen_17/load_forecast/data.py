import math

import torch


class SubstationFeed:
    """Synthetic hourly load: daily and weekly cycle, weather noise, one profile a substation."""

    def __init__(self, n_sub, history, horizon, batch, seed):
        self.history, self.horizon, self.batch = history, horizon, batch
        self.rng = torch.Generator().manual_seed(seed)
        hours = torch.arange(24 * 7 * 20, dtype=torch.float32)
        base = torch.rand(n_sub, 1, generator=self.rng) * 0.5 + 0.5
        shift = torch.rand(n_sub, 1, generator=self.rng) * 6
        day = torch.sin(2 * math.pi * (hours + shift) / 24)
        week = 0.3 * torch.cos(2 * math.pi * hours / 168)
        noise = 0.1 * torch.randn(n_sub, hours.numel(), generator=self.rng)
        self.load = base * (1 + 0.5 * day + week) + noise

    def take(self, n):
        span = self.history + self.horizon
        limit = self.load.shape[1] - span
        for _ in range(n):
            starts = torch.randint(0, limit, (self.batch,), generator=self.rng).tolist()
            rows = torch.stack([self.load[:, s : s + span] for s in starts])
            yield rows[..., : self.history], rows[..., self.history :]
