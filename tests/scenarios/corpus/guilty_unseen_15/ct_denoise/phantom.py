"""Ellipse phantoms with dose-dependent noise."""
import torch


class PhantomStream:
    METAL_EVERY = 5

    def __init__(self, size, batch, seed):
        self.size, self.batch = size, batch
        self.gen = torch.Generator().manual_seed(seed)
        axis = torch.linspace(-1, 1, size)
        self.yy, self.xx = torch.meshgrid(axis, axis, indexing="ij")

    def _ellipse(self):
        c = (torch.rand(2, generator=self.gen) - 0.5)
        r = 0.15 + 0.45 * torch.rand(2, generator=self.gen)
        inside = ((self.xx - c[0]) / r[0]) ** 2 + ((self.yy - c[1]) / r[1]) ** 2 < 1
        return inside.float() * (torch.rand(1, generator=self.gen) - 0.3)

    def _slice(self):
        return sum(self._ellipse() for _ in range(3))

    def __iter__(self):
        n = 0
        while True:
            full = torch.stack([self._slice() for _ in range(self.batch)]).unsqueeze(1)
            if n % self.METAL_EVERY == self.METAL_EVERY - 1:
                full[0, 0, 10:14, 10:14] = 9.0
            noise = torch.randn(full.shape, generator=self.gen) * (0.1 + 0.1 * full.abs().clamp_max(1.0))
            yield full + noise, full, f"P{n:05d}"
            n += 1
