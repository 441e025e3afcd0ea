import torch


class Tank:
    def __init__(self, noise):
        self.noise = noise

    def reset(self):
        self.level, self.demand = 0.5, 0.3
        return self._obs()

    def _obs(self):
        return torch.tensor([[self.level + self.noise * torch.randn(()).item(), self.demand]])

    def step(self, action):
        self.demand = min(0.6, max(0.1, self.demand + 0.1 * torch.randn(()).item()))
        self.level += 0.1 * action - 0.2 * self.demand - 0.03 * self.level
        self.level = min(1.0, max(0.0, self.level))
        return self._obs(), 1 - 4 * (self.level - 0.6) ** 2
