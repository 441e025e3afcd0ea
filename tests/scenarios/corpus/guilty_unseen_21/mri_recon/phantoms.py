import torch

from recon import to_kspace


class SliceFactory:
    """Random ellipses with a Cartesian undersampling mask."""

    def __init__(self, size, batch, acceleration, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.batch = batch
        self.size = size
        self.acceleration = acceleration
        axis = torch.linspace(-1, 1, size)
        self.yy, self.xx = torch.meshgrid(axis, axis, indexing="ij")

    def _slice(self):
        image = torch.zeros(self.size, self.size)
        for _ in range(4):
            cx, cy, a, b, v = torch.rand(5, generator=self.gen).tolist()
            inside = ((self.xx - cx + 0.5) / (0.2 + 0.5 * a)) ** 2 + ((self.yy - cy + 0.5) / (0.2 + 0.5 * b)) ** 2 < 1
            image = image + v * inside
        return image

    def draw(self):
        target = torch.stack([self._slice() for _ in range(self.batch)])
        lines = torch.rand(self.size, generator=self.gen) < 1.0 / self.acceleration
        lines[:3] = True
        lines[-3:] = True
        mask = lines.float().expand(self.size, self.size)
        return mask * to_kspace(target), mask, target
