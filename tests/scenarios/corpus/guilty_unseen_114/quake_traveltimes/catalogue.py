import torch


class Catalogue:
    """Synthetic crosshole-like rays with travel times from a slowly changing fault zone."""

    def __init__(self, cfg):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(cfg.seed + 1)
        n = cfg.grid
        yy, xx = torch.meshgrid(torch.linspace(-1, 1, n), torch.linspace(-1, 1, n), indexing="ij")
        self.zone = torch.exp(-((xx - 0.2 * yy) ** 2) / 0.05)

    def truth(self, window):
        return 0.4 + 0.15 * (1 + 0.2 * torch.sin(torch.tensor(window / 11.0))) * self.zone

    def batch(self, window):
        n = self.cfg.grid
        a = torch.rand(self.cfg.rays, 2, generator=self.gen)
        b = torch.rand(self.cfg.rays, 2, generator=self.gen)
        t = torch.linspace(0, 1, 20)[None, :, None]
        pts = a[:, None] * (1 - t) + b[:, None] * t
        cells = (pts * n).long().clamp(0, n - 1)
        length = (a - b).norm(dim=1)
        times = self.truth(window)[cells[..., 0], cells[..., 1]].mean(1) * length
        times = times + 0.002 * torch.randn(self.cfg.rays, generator=self.gen)
        return cells, length, times
