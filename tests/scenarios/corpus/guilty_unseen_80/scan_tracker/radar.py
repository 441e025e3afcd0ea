import torch


class PlotStream:
    """Endless blocks of noisy plots (scans, targets, 2) of slowly turning targets."""

    period = 0.25

    def __init__(self, targets, scans, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.scans = scans
        self.pos = torch.randn(targets, 2, generator=self.gen)
        self.vel = 0.3 * torch.randn(targets, 2, generator=self.gen)

    def __iter__(self):
        return self

    def __next__(self):
        plots = []
        for _ in range(self.scans):
            turn = 0.1 * torch.randn(self.vel.shape, generator=self.gen)
            self.vel = 0.98 * self.vel + turn - 0.02 * self.pos
            self.pos = self.pos + self.period * self.vel
            noise = 0.1 * torch.randn(self.pos.shape, generator=self.gen)
            plots.append(self.pos + noise)
        return torch.stack(plots)
