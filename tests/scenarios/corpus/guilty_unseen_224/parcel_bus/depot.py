import torch


class Depot:
    def __init__(self, n_zones, seed):
        self.n_zones = n_zones
        self.gen = torch.Generator().manual_seed(seed)
        self.travel = torch.rand(n_zones, n_zones, generator=self.gen) * 30

    def batch(self, n):
        src = torch.randint(0, self.n_zones, (n,), generator=self.gen)
        dst = torch.randint(0, self.n_zones, (n,), generator=self.gen)
        hour = torch.rand(n, 1, generator=self.gen)
        minutes = self.travel[src, dst] * (1 + hour.squeeze(1))
        return src, dst, hour, minutes / 30
