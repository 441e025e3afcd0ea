import torch


class Bin:
    """A bin with one box per scene; a grasp is (x, y, angle) in [0, 1]."""

    def __init__(self, n, side, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.spot = torch.rand(n, 2, generator=self.g) * 0.7 + 0.15
        lin = torch.linspace(0, 1, side)
        yy, xx = torch.meshgrid(lin, lin, indexing="ij")
        near = (xx - self.spot[:, 0, None, None]).pow(2) + (yy - self.spot[:, 1, None, None]).pow(2)
        self.depth = torch.exp(-near * 40) + 0.05 * torch.randn(n, side, side, generator=self.g)

    def attempt(self, scene, pose):
        return float((pose[:2] - self.spot[scene]).norm() < 0.25)

    def snapshots(self, scene, pose):
        """The wrist camera's film of the attempt."""
        fade = torch.linspace(1, 0.3, 20)[:, None, None]
        return self.depth[scene] * fade + 0.02 * torch.randn(20, *self.depth.shape[1:], generator=self.g)
