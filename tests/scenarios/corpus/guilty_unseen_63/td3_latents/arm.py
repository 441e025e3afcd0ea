"""Batch of planar 2-link arms; reward is minus the distance of the tip to a goal."""
import torch


class ArmBatch:
    obs_dim = 6
    act_dim = 2

    def __init__(self, n, dt=0.1):
        self.n = n
        self.dt = dt

    def _tip(self):
        a, b = self.q[:, 0], self.q[:, 0] + self.q[:, 1]
        return torch.stack([a.cos() + b.cos(), a.sin() + b.sin()], dim=1)

    def _obs(self):
        return torch.cat([self.q.cos(), self.q.sin(), self.goal], dim=1)

    def reset(self):
        self.q = (torch.rand(self.n, 2) - 0.5) * 3.0
        self.goal = torch.rand(self.n, 2) * 2.0 - 1.0
        return self._obs()

    def step(self, action):
        self.q = self.q + self.dt * action
        reward = -(self._tip() - self.goal).norm(dim=1)
        return self._obs(), reward
