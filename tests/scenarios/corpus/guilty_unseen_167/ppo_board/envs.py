import torch


class PointEnv:
    obs_dim, n_act = 3, 3

    def __init__(self, n):
        self.n = n

    def reset(self):
        self.pos = torch.rand(self.n) * 2 - 1
        self.goal = torch.rand(self.n) * 2 - 1
        return self._obs()

    def _obs(self):
        return torch.stack([self.pos, self.goal, self.goal - self.pos], 1)

    def step(self, action):
        self.pos = (self.pos + 0.1 * (action.float() - 1)).clamp(-1, 1)
        reward = -(self.pos - self.goal).abs()
        moved = torch.rand(self.n) < 0.05
        self.goal = torch.where(moved, torch.rand(self.n) * 2 - 1, self.goal)
        return self._obs(), reward
