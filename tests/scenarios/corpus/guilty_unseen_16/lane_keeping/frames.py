import torch


class FrameSource:
    """Draws rasters with two bright lane lines whose slant and shift are known."""

    def __init__(self, rows, cols, batch, seed):
        self.rows, self.cols, self.batch = rows, cols, batch
        self.gen = torch.Generator().manual_seed(seed)

    def __iter__(self):
        while True:
            yield self.draw()

    def draw(self):
        g = self.gen
        slant = torch.rand(self.batch, generator=g) * 2 - 1
        shift = torch.rand(self.batch, generator=g) * 4 - 2
        r = torch.linspace(0, 1, self.rows)
        c = torch.arange(self.cols, dtype=torch.float32)
        centre = self.cols / 2 + shift[:, None] + slant[:, None] * 4 * r[None]
        frames = torch.zeros(self.batch, self.rows, self.cols)
        for side in (-5.0, 5.0):
            d = c[None, None] - (centre[..., None] + side)
            frames += torch.exp(-d * d)
        frames += 0.1 * torch.randn(frames.shape, generator=g)
        return {"frames": frames, "steer": 0.6 * slant + 0.1 * shift, "offset": shift}
