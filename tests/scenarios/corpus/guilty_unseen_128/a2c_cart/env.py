import torch


class PointMass:
    def __init__(self, n):
        self.x = torch.randn(n, 1)
        self.v = torch.zeros(n, 1)

    def observe(self):
        return torch.cat([self.x, self.v], 1)

    def step(self, a):
        self.v = 0.9 * self.v + 0.1 * a
        self.x = self.x + self.v
        return self.observe(), -(self.x ** 2 + 0.01 * a ** 2).squeeze(1)
