import torch


class BeatSource:
    n_classes = 3

    def __init__(self, length=96):
        self.t = torch.linspace(0, 1, length)

    def bump(self, c, w):
        return torch.exp(-(((self.t - c) / w) ** 2))

    def batch(self, n):
        y = torch.randint(0, self.n_classes, (n,))
        out = []
        for k in y.tolist():
            s = 0.02 * torch.randn(1)
            p = 0.0 if k == 1 else 0.2 * self.bump(0.25 + s, 0.04)
            qrs = self.bump(0.5 + s, 0.02 if k != 2 else 0.06)
            out.append(p + qrs + 0.3 * self.bump(0.75 + s, 0.06) + 0.05 * torch.randn_like(self.t))
        return torch.stack(out), y
