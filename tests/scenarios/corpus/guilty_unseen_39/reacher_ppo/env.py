import torch


class PointReacher:
    """A point mass in the plane that should come to a target."""

    obs_dim, act_dim = 6, 2

    def __init__(self, limit=40):
        self.limit = limit

    def reset(self):
        self.pos = torch.rand(2) * 2 - 1
        self.vel = torch.zeros(2)
        self.goal = torch.rand(2) * 2 - 1
        self.t = 0
        return self._obs()

    def _obs(self):
        return torch.cat([self.pos, self.vel, self.goal])

    def step(self, action):
        self.vel = 0.8 * self.vel + 0.1 * action.clamp(-1, 1)
        self.pos = self.pos + self.vel
        self.t += 1
        dist = (self.goal - self.pos).norm().item()
        return self._obs(), -dist, dist < 0.1 or self.t >= self.limit
