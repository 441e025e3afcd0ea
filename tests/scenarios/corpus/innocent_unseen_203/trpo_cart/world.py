import torch


class Trolley:
    def __init__(self, n):
        self.n = n

    def reset(self):
        self.s = torch.randn(self.n, 3)
        return self.s

    def step(self, a):
        x, v, goal = self.s.unbind(1)
        v = 0.9 * v + 0.3 * a.squeeze(-1).clamp(-1, 1)
        x = x + 0.3 * v
        self.s = torch.stack([x, v, goal], 1)
        return self.s, -(x - goal).abs() - 0.05 * a.squeeze(-1) ** 2
