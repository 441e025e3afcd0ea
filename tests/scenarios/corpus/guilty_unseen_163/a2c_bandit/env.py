import torch


class DriftingTarget:
    """Agent at x, target drifts, three actions left / stay / right."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.x, self.goal = 0.0, torch.empty(1).uniform_(-1, 1).item()
        return self.obs()

    def obs(self):
        return torch.tensor([self.x, self.goal, self.goal - self.x])

    def step(self, a):
        self.x += (a - 1) * 0.1
        self.goal = max(-1.0, min(1.0, self.goal + 0.03 * torch.randn(()).item()))
        return self.obs(), -abs(self.goal - self.x)
