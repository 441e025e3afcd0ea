import torch


class AisleEnv:
    """n robots on a line; actions: left, stay, right; +1 for standing on the goal bin."""
    n_actions = 3
    obs_dim = 3

    def __init__(self, n, length):
        self.n, self.length = n, length

    def reset(self):
        self.pos = torch.randint(0, self.length, (self.n,))
        self.goal = torch.randint(0, self.length, (self.n,))
        return self._obs()

    def _obs(self):
        p, g = self.pos / self.length, self.goal / self.length
        return torch.stack([p, g, g - p], 1)

    def greedy_actions(self):
        return torch.sign(self.goal - self.pos) + 1

    def step(self, a):
        self.pos = (self.pos + a - 1).clamp(0, self.length - 1)
        hit = self.pos == self.goal
        self.goal = torch.where(hit, torch.randint(0, self.length, (self.n,)), self.goal)
        return self._obs(), hit.float() - 0.01, hit
