import torch


class Scanner:
    def __init__(self, coils, points, seed):
        self.gen = torch.Generator().manual_seed(seed)
        x = torch.linspace(0, 1, points)
        centres = torch.linspace(0, 1, coils).unsqueeze(1)
        self.noise = 0.05 + 0.5 * (x - centres).abs()
        self.x = x

    def acquire(self, n):
        a = torch.rand(n, 3, generator=self.gen)
        line = a[:, :1] * torch.sin(6.28 * self.x) + a[:, 1:2] * torch.cos(12.57 * self.x) + a[:, 2:]
        noise = torch.randn(n, *self.noise.shape, generator=self.gen) * self.noise
        return line.unsqueeze(1) + noise, line
