import torch


class Wave:
    def __init__(self) -> None:
        self.phase = 0.0

    def batch(self, n: int):
        self.phase += 0.005
        t = 4 * torch.rand(n, 1) - 2
        x = torch.cat([t, torch.ones_like(t)], 1)
        return x, torch.sin(2 * t + self.phase) + 0.02 * torch.randn(n, 1)
