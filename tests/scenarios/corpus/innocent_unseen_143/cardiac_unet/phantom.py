import torch


class Heartbeats:
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __iter__(self):
        g = torch.linspace(-1, 1, 12)
        y, x = torch.meshgrid(g, g, indexing="ij")
        for _ in range(self.n):
            r = 0.3 + 0.4 * torch.rand(3, 1, 1)
            lv = ((x ** 2 + y ** 2) < r ** 2).float().unsqueeze(1)
            yield lv + 0.3 * torch.randn_like(lv), lv
