import math

import torch


class WeekStream:
    def __init__(self, depots, weeks, seed):
        rng = torch.Generator().manual_seed(seed)
        self.weeks = weeks
        week = torch.arange(weeks, dtype=torch.float32).unsqueeze(1)
        growth = 0.004 * torch.randn(depots, generator=rng)
        amplitude = 0.3 * torch.rand(depots, generator=rng)
        season = torch.sin(2 * math.pi * week / 52)
        peak = ((week % 52) > 46).float()
        self.volume = 2 + week * growth + amplitude * season + 0.5 * peak
        self.volume = self.volume + 0.05 * torch.randn(weeks, depots, generator=rng)
        self.features = torch.cat(
            [season, torch.cos(2 * math.pi * week / 52), peak]
            + [((week % 4) == k).float() for k in range(3)],
            dim=1,
        )

    def __iter__(self):
        for week in range(self.weeks):
            yield week, self.features[week], self.volume[week]
