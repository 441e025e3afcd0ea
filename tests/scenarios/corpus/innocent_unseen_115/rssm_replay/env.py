import torch


class DriftPoint:
    """n point masses in a constant drift; reward is closeness to the origin."""

    obs_dim, act_dim = 4, 2

    def __init__(self, n):
        self.n = n
        self.drift = torch.tensor([0.05, -0.03])

    def _obs(self):
        return torch.cat([self.x, self.v], -1)

    def reset(self):
        self.x, self.v = torch.randn(self.n, 2), torch.zeros(self.n, 2)
        return self._obs()

    def step(self, a):
        self.v = 0.8 * self.v + 0.1 * a + self.drift
        self.x = (self.x + self.v).clamp(-3, 3)
        far = self.x.norm(dim=-1) > 2.8
        self.x[far] = torch.randn(int(far.sum()), 2)
        return self._obs(), -self.x.norm(dim=-1)
