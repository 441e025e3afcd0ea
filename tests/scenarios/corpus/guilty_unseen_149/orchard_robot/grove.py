import torch


class Grove:
    """Fruit ripens on each branch; reaching takes the ripe share of it."""

    def __init__(self, branches):
        self.n = branches
        self.rate = torch.rand(branches) * 0.3

    def reset(self):
        self.ripe = torch.rand(self.n)
        return self.observe()

    def observe(self):
        return torch.cat([self.ripe + 0.05 * torch.randn(self.n), self.rate])

    def pick(self, branch):
        gain = float(self.ripe[branch])
        self.ripe = (self.ripe + self.rate).clamp(max=1.0)
        self.ripe[branch] = 0.0
        return self.observe(), gain
