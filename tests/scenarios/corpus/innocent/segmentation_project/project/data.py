import torch


class Shapes:
    """Bright discs on noise."""

    def __init__(self, side=16):
        r = torch.arange(side, dtype=torch.float32)
        self.ys, self.xs = torch.meshgrid(r, r, indexing="ij")
        self.side = side

    def batch(self, n):
        c = torch.rand(n, 2, 1, 1) * self.side
        radius = 2 + 3 * torch.rand(n, 1, 1)
        far = (self.xs - c[:, 0]) ** 2 + (self.ys - c[:, 1]) ** 2
        mask = (far < radius**2).float().unsqueeze(1)
        return mask + 0.3 * torch.randn_like(mask), mask
