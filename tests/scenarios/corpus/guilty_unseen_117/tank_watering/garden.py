import torch
from torch import nn


class Garden(nn.Module):
    def __init__(self, beds, tank):
        super().__init__()
        self.litres = nn.Parameter(0.1 * torch.rand(beds, 12))
        self.tank = tank
        self.soil = torch.full((beds,), 0.5)
        hours = torch.arange(12) * 2.0
        self.sun = torch.clamp(torch.sin((hours - 6) / 12 * 3.1416), min=0)

    def live_one_day(self, rain, hot):
        m = self.soil
        lack = 0
        for h in range(12):
            evap = (0.02 + 0.06 * hot * self.sun[h]) * torch.tensor([1.0, 0.8, 1.3])
            m = m + 0.3 * self.litres[:, h] - evap + rain / 12 * 0.02
            lack = lack + ((m - 0.6) ** 2).mean()
        self.soil = m.detach().clamp(0, 1)   # tomorrow starts from here
        self.tank.rain(rain)
        self.tank.put(0.3)  # dripping tap
        penalty = self.tank.shortage(self.litres.sum())  # <- culprit
        return lack / 12, penalty
