import torch


class DriftingPlant:
    """x' = A x + B u with a slowly drifting A."""

    def __init__(self, seed=0, batch=6):
        self.gen = torch.Generator().manual_seed(seed)
        self.A = torch.tensor([[1.0, 0.1], [-0.05, 0.97]])
        self.B = torch.tensor([[0.0], [0.1]])
        self.batch = batch

    def drift(self):
        self.A = self.A + 1e-4 * torch.randn(2, 2, generator=self.gen)

    def sample_states(self):
        return torch.randn(self.batch, 2, generator=self.gen)

    def rollout_cost(self, x, gain, horizon=4):
        cost = 0.0
        for _ in range(horizon):
            u = -(x @ gain.t())
            x = x @ self.A.t() + u @ self.B.t()
            cost = cost + (x.pow(2).sum(1) + 0.01 * u.pow(2).sum(1)).mean()
        return cost / horizon
