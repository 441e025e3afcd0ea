import math

import torch


class Building:
    def __init__(self, zones):
        self.zones = zones

    def reset(self):
        self.t = 0
        self.temp = 20 + torch.randn(self.zones)
        return self.observe()

    def outside(self):
        return 8 + 6 * math.sin(2 * math.pi * self.t / 24)

    def observe(self):
        day = 2 * math.pi * self.t / 24
        ctx = torch.tensor([math.sin(day), math.cos(day), (self.outside() - 8) / 6])
        return torch.cat([(self.temp[:, None] - 21) / 3, ctx.expand(self.zones, 3)], 1)

    def step(self, heat):
        loss_rate = 0.08
        power = 2.0 * (heat.squeeze(-1) + 1)
        self.temp = self.temp + loss_rate * (self.outside() - self.temp) + 0.6 * power
        self.temp = self.temp + 0.1 * torch.randn(self.zones)
        self.t += 1
        reward = -((self.temp - 21).abs() / 3 + 0.05 * power)
        return self.observe(), reward
