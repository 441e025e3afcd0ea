import torch


class PatchStream:
    def __init__(self, seed, side=12):
        self.rng = torch.Generator().manual_seed(seed)
        self.side = side
        yy, xx = torch.meshgrid(torch.arange(side), torch.arange(side), indexing="ij")
        self.yy, self.xx = yy.float(), xx.float()

    def _one(self):
        cy, cx, r = (torch.rand(3, generator=self.rng) * torch.tensor([8.0, 8.0, 3.0]) + torch.tensor([2.0, 2.0, 1.5]))
        lesion = ((self.yy - cy) ** 2 + (self.xx - cx) ** 2 < r ** 2).float()
        tissue = torch.randn(3, self.side, self.side, generator=self.rng) * 0.4
        tissue[0] += lesion * 0.9
        return tissue, lesion

    def draw(self, n):
        pairs = [self._one() for _ in range(n)]
        return torch.stack([p[0] for p in pairs]), torch.stack([p[1] for p in pairs])

    def jitter(self, x):
        return x + 0.1 * torch.randn(x.shape, generator=self.rng)
