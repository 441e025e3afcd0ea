import torch


class Field:
    def __init__(self, plots, horizon):
        self.plots, self.horizon = plots, horizon

    def reset(self):
        self.clock = 0
        self.moisture = torch.rand(self.plots)
        return self.observe()

    def observe(self):
        return torch.cat([self.moisture, torch.tensor([self.clock / self.horizon])])

    def step(self, valves):
        self.clock += 1
        self.moisture = (self.moisture * 0.85 + 0.3 * valves + 0.05 * torch.rand(self.plots)).clamp(0, 1.5)
        reward = -(self.moisture - 0.6).abs().mean() - 0.05 * valves.mean()
        return self.observe(), float(reward), self.clock >= self.horizon
