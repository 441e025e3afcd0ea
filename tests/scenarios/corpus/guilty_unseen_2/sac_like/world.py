import torch


class PointMass:
    def reset(self):
        self.s = torch.randn(2) * 0.5
        return self.s

    def step(self, a):
        p, v = self.s
        v = 0.95 * v + 0.1 * float(a)
        self.s = torch.stack([p + 0.1 * v, v])
        return self.s, -float(self.s.pow(2).sum())
