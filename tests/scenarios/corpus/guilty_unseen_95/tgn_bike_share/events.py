import torch


class TripStream:
    """Endless stream of synthetic trips with a rush-hour cycle."""

    n_feat = 3

    def __init__(self, n_stations, batch):
        self.pos = torch.rand(n_stations, 2) * 6.0
        self.n = n_stations
        self.batch = batch
        self.clock = 0.0

    def next(self):
        self.clock += 0.25
        src = torch.randperm(self.n)[: self.batch]
        dst = (src + torch.randint(1, self.n, (self.batch,))) % self.n
        dist = (self.pos[src] - self.pos[dst]).norm(dim=1)
        phase = torch.tensor(self.clock)
        feat = torch.stack([dist, phase.sin().expand_as(dist), phase.cos().expand_as(dist)], 1)
        rush = 1.0 + 0.4 * phase.sin()
        dur = dist * rush + 0.1 * torch.randn_like(dist)
        return src, dst, feat, dur
