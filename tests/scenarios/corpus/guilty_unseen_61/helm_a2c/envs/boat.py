"""Keep a drifting boat on its heading; actions are rudder left / none / right."""
import torch


class BoatEnv:
    obs_dim, n_actions = 3, 3

    def __init__(self, n):
        self.n = n
        self.heading, self.rate = torch.randn(n) * 0.3, torch.zeros(n)
        self.current = torch.randn(n) * 0.05

    def observe(self):
        return torch.stack([self.heading, self.rate, self.current], dim=-1)

    def step(self, action):
        self.rate = 0.8 * self.rate + 0.1 * (action.float() - 1.0) + self.current
        self.heading = (self.heading + self.rate).clamp(-3.0, 3.0)
        reward = 1.0 - self.heading.abs()
        self.current = 0.95 * self.current + 0.02 * torch.randn(self.n)
        return self.observe(), reward
