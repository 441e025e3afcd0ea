import torch


class VecCorridor:
    """Walk right to the goal; a hint about the direction is visible only at the start."""

    def __init__(self, n, length, seed):
        self.n, self.length = n, length
        self.gen = torch.Generator().manual_seed(seed)
        self.obs_dim = 3

    def reset(self):
        self.pos = torch.zeros(self.n)
        self.t = torch.zeros(self.n)
        self.goal = self._goals()
        return self._obs()

    def _goals(self):
        return torch.randint(0, 2, (self.n,), generator=self.gen).float() * 2 - 1

    def _obs(self):
        hint = torch.where(self.t == 0, self.goal, torch.zeros_like(self.goal))
        return torch.stack([self.pos / self.length, hint, self.t / 20], dim=1)

    def step(self, action):
        self.pos = self.pos + action.float() * 2 - 1
        self.t = self.t + 1
        there = self.pos.abs() >= self.length // 2
        right = torch.sign(self.pos) == self.goal
        reward = torch.where(there, torch.where(right, 1.0, -1.0), torch.full((self.n,), -0.02))
        done = (there | (self.t >= 20)).float()
        keep = 1 - done
        self.pos, self.t = self.pos * keep, self.t * keep
        self.goal = torch.where(done > 0, self._goals(), self.goal)
        return self._obs(), reward, done
