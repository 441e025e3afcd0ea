import torch


class TMaze:
    n_actions = 3
    obs_dim = 3

    def __init__(self, length, n_envs):
        self.length, self.n = length, n_envs

    def reset(self):
        self.pos = torch.zeros(self.n, dtype=torch.long)
        self.goal = torch.randint(0, 2, (self.n,))
        return self._obs()

    def _obs(self):
        start = (self.pos == 0).float()
        hint = start * (self.goal.float() * 2 - 1)
        return torch.stack([start, hint, (self.pos == self.length).float()], 1)

    def step(self, act):
        at_end = self.pos == self.length
        right = at_end & (act > 0)
        rew = torch.where(right, torch.where(act - 1 == self.goal, 1.0, -0.1), torch.tensor(-0.01))
        self.pos = torch.where(act == 0, (self.pos + 1).clamp(max=self.length), self.pos)
        self.pos = torch.where(right, torch.zeros_like(self.pos), self.pos)
        self.goal = torch.where(right, torch.randint(0, 2, (self.n,)), self.goal)
        return self._obs(), rew, right.float()
