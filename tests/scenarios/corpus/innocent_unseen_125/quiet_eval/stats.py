import torch


class RunningStat:
    """Welford, on tensors."""

    def __init__(self):
        self.n, self.m, self.s = 0, torch.zeros(()), torch.zeros(())

    @torch.no_grad()
    def push(self, x):
        self.n += 1
        d = x - self.m
        self.m = self.m + d / self.n
        self.s = self.s + d * (x - self.m)

    @property
    def mean(self):
        return self.m.item()

    @property
    def std(self):
        return (self.s / max(1, self.n - 1)).sqrt().item()
