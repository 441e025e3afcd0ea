import functools

import numpy as np
import torch


@functools.lru_cache(maxsize=None)  # <- culprit
def octave(seed, size, cells, count):
    """Smooth noise of one frequency: `count` fields of size x size."""
    rng = np.random.default_rng(seed)
    knots = rng.normal(size=(count, cells + 1, cells + 1)).astype(np.float32)
    pos = np.linspace(0, cells - 1e-3, size, dtype=np.float32)
    lo = pos.astype(int)
    frac = pos - lo
    rows = knots[:, lo] * (1 - frac)[None, :, None] + knots[:, lo + 1] * frac[None, :, None]
    return (rows[:, :, lo] * (1 - frac) + rows[:, :, lo + 1] * frac).astype(np.float32)


class CropSource:
    def __init__(self, size, batch, seed):
        self.size, self.batch_size, self.seed = size, batch, seed
        grid = np.linspace(-1, 1, size, dtype=np.float32)
        self.yy, self.xx = np.meshgrid(grid, grid, indexing="ij")

    def _relief(self, step):
        base = self.seed * 100_003 + step
        coarse = octave(base, self.size, 4, self.batch_size)  # <- culprit
        fine = octave(base + 7_000_000, self.size, 9, self.batch_size)  # <- culprit
        return 0.5 * coarse + 0.2 * fine

    def batch(self, step):
        rng = np.random.default_rng(step)
        slope = rng.uniform(-1, 1, (self.batch_size, 2)).astype(np.float32)
        plane = slope[:, :1, None] * self.xx + slope[:, 1:, None] * self.yy
        heights = self._relief(step) + plane
        return torch.from_numpy(heights[:, None]), torch.from_numpy(slope)
