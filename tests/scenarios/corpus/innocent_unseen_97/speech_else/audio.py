import torch


class FrameSource:
    def __init__(self, cfg):
        self.gen = torch.Generator().manual_seed(82)
        self.cfg = cfg
        self.phone = torch.zeros(cfg.lanes, dtype=torch.long)
        self.look = torch.randn(8, cfg.bands, generator=self.gen)

    def __iter__(self):
        return self

    def __next__(self):
        n = self.cfg.lanes
        turn = torch.rand(n, generator=self.gen) < 0.25
        other = torch.randint(0, 8, (n,), generator=self.gen)
        bounds = (turn & (other != self.phone)).float()
        self.phone = torch.where(turn, other, self.phone)
        frames = self.look[self.phone] + 0.3 * torch.randn(n, self.cfg.bands, generator=self.gen)
        fresh = torch.rand(n, generator=self.gen) < 0.02
        return frames, bounds, fresh
