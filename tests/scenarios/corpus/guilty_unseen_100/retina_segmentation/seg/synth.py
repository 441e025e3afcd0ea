import torch


class VesselSet:
    """Random bright curves on a noisy disc."""

    def __init__(self, n, size):
        t = torch.linspace(0, 1, size)
        xs, ys = [], []
        for _ in range(n):
            a, b, c = torch.rand(3)
            curve = (0.3 * torch.sin(6 * t * (0.5 + a)) * b + 0.3 + 0.4 * c) * (size - 1)
            mask = ((torch.arange(size)[:, None] - curve[None]).abs() < 1.2).float()
            ys.append(mask)
            xs.append(mask + 0.5 * torch.randn(size, size))
        self.x, self.y = torch.stack(xs)[:, None], torch.stack(ys)[:, None]

    def epochs(self, batch):
        while True:
            for idx in torch.randperm(len(self.x)).split(batch):
                yield self.x[idx], self.y[idx]
