import torch


class Spirals:
    def __init__(self, arms=5, seed=4):
        self.arms = arms
        self.gen = torch.Generator().manual_seed(seed)

    def draw(self, n):
        y = torch.randint(0, self.arms, (n,), generator=self.gen)
        r = torch.rand(n, generator=self.gen) * 2 + 0.2
        a = r * 2.0 + y * (6.2832 / self.arms) + 0.1 * torch.randn(n, generator=self.gen)
        xy = torch.stack([r * a.cos(), r * a.sin()], 1)
        freq = torch.arange(1, 9).float()
        ang = xy.unsqueeze(-1) * freq
        return torch.cat([xy, ang.sin().flatten(1), ang.cos().flatten(1)], 1), y
