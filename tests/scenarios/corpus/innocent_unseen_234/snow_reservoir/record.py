import math

import torch


class GaugeRecord:
    def __init__(self, days, seed):
        gen = torch.Generator().manual_seed(seed)
        day = torch.arange(days).float()
        season = torch.sin(2 * math.pi * (day - 100) / 365)
        self.temp = 4.0 + 10.0 * season + 2.0 * torch.randn(days, generator=gen)
        wet = (torch.rand(days, generator=gen) < 0.35).float()
        self.precip = wet * 10.0 * torch.rand(days, generator=gen)
        self.flow = self._run(0.5, 0.12, 0.9)

    def _run(self, melt_rate, k, corr):
        snow = 0.0
        soil = 10.0
        flow = []
        for p, t in zip(self.precip.tolist(), self.temp.tolist()):
            f = 1.0 / (1.0 + math.exp(t))
            snow += corr * p * f
            melt = snow * (1.0 - math.exp(-melt_rate * max(t, 0.0) / 5.0))
            snow -= melt
            soil += corr * p * (1.0 - f) + melt
            q = k * soil
            soil -= q
            flow.append(q)
        return torch.tensor(flow)

    def chunks(self, n):
        for start in range(0, len(self.flow) - n + 1, n):
            part = slice(start, start + n)
            yield start, self.precip[part], self.temp[part], self.flow[part]
