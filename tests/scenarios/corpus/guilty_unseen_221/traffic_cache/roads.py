import torch


class RoadNetwork:
    def __init__(self, n=30, seed=4):
        g = torch.Generator().manual_seed(seed)
        self.n = n
        xy = torch.rand(n, 2, generator=g)
        d = torch.cdist(xy, xy)
        a = torch.exp(-(d ** 2) / 0.03)
        a[a < 0.1] = 0.0
        self.adj = a / a.sum(1, keepdim=True)
        self.rush = torch.rand(n, generator=g)
        self.gen = g

    def snapshot(self, minute):
        t = torch.tensor(minute / 60.0)
        base = torch.sin(t) * self.rush + 0.5
        noise = 0.05 * torch.randn(self.n, generator=self.gen)
        now = base + noise
        nxt = self.adj @ now
        return now.unsqueeze(1), nxt.unsqueeze(1)
