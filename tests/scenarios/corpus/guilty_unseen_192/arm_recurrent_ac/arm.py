import torch


class ReacherBatch:
    """Two-link planar arms chasing slowly moving goals."""
    obs_dim, act_dim = 6, 2

    def __init__(self, n, dt=0.1, seed=5):
        self.n, self.dt = n, dt
        self.gen = torch.Generator().manual_seed(seed)
        self.q = torch.rand(n, 2, generator=self.gen) * 3 - 1.5
        self.goal = torch.rand(n, 2, generator=self.gen) * 2 - 1

    @property
    def tip(self):
        a, b = self.q[:, 0], self.q.sum(1)
        return torch.stack([a.cos() + b.cos(), a.sin() + b.sin()], 1)

    def observe(self):
        return torch.cat([self.q.cos(), self.q.sin(), self.goal - self.tip], 1)

    def step(self, action):
        self.q = self.q + self.dt * action.clamp(-1, 1)
        self.goal = (self.goal + 0.02 * torch.randn(self.n, 2, generator=self.gen)).clamp(-1.5, 1.5)
        return self.observe(), -(self.goal - self.tip).norm(dim=1)
