import torch


class Farm:
    def __init__(self, turbines, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.xy = torch.rand(turbines, 2, generator=self.gen) * 10

    def sample(self, n):
        angle = 6.2832 * torch.rand(n, 1, 1, generator=self.gen)
        speed = 6 + 6 * torch.rand(n, 1, generator=self.gen)
        along = torch.cat([angle.cos(), angle.sin()], -1)
        down = (self.xy * along).sum(-1)
        gap = (down[:, :, None] - down[:, None]).clamp(min=0)
        wake = (gap * torch.exp(-0.6 * gap)).sum(-1)
        power = (speed - 0.8 * wake).clamp(min=0) / 10
        feats = torch.cat([self.xy.flatten().expand(n, -1) / 10, along.squeeze(1) * speed / 10], -1)
        return feats, power + 0.05 * torch.randn(power.shape, generator=self.gen)
