import torch


class Catalogue:
    def __init__(self, p):
        self.p = p
        self.t = torch.linspace(0, 1, p.length)

    def curves(self, n):
        y = torch.randint(self.p.classes, (n,))
        freq = 2.0 + 3.0 * y[:, None] + 0.3 * torch.randn(n, 1)
        x = torch.sin(6.28 * freq * self.t + 6.28 * torch.rand(n, 1))
        return x[:, None], y

    @staticmethod
    def jitter(x):
        return x + 0.4 * torch.randn_like(x)

    def epoch(self, steps):
        for _ in range(steps):
            x, y = self.curves(self.p.labelled)
            u, _ = self.curves(self.p.unlabelled)
            yield self.jitter(x), y, u
