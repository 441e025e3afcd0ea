import torch


class PlanarArm:
    """Two-link arm, batch of targets, one-step reaching reward with a dense shaping term."""

    def __init__(self, n, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.n = n

    def observe(self):
        q = (torch.rand(self.n, 2, generator=self.g) - 0.5) * 3
        tgt = (torch.rand(self.n, 2, generator=self.g) - 0.5) * 2.4
        return torch.cat([q.sin(), q.cos(), tgt], -1), q, tgt

    @staticmethod
    def tip(q):
        a, b = q[:, 0], q[:, 0] + q[:, 1]
        return torch.stack([a.cos() + 0.7 * b.cos(), a.sin() + 0.7 * b.sin()], -1)

    def reward(self, q, tgt, dq):
        return -(self.tip(q + dq) - tgt).norm(dim=-1) - 0.05 * dq.pow(2).sum(-1)

    def noise(self, like, scale):
        return scale * torch.randn(like.shape, generator=self.g)
