import torch
import torch.nn as nn


class ActNorm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.log_s = nn.Parameter(torch.zeros(dim))
        self.b = nn.Parameter(torch.zeros(dim))
        self.ready = False

    def forward(self, x):
        if not self.ready:
            with torch.no_grad():
                self.log_s.copy_(-torch.log(x.std(0) + 1e-6))
                self.b.copy_(-x.mean(0))
            self.ready = True
        return (x + self.b) * self.log_s.exp(), self.log_s.sum().expand(len(x))


class AffineCoupling(nn.Module):
    """x_b <- x_b * exp(s(x_a)) + t(x_a); the two halves swap roles with `flip`."""

    def __init__(self, dim, hidden, flip):
        super().__init__()
        self.half = dim // 2
        self.flip = flip
        self.st = nn.Sequential(nn.Linear(self.half, hidden), nn.SiLU(), nn.Linear(hidden, 2 * (dim - self.half)))

    def slots(self, x):
        a, b = slice(0, self.half), slice(self.half, x.shape[1])
        return (b, a) if self.flip else (a, b)

    def forward(self, x):
        a, b = self.slots(x)
        s, t = self.st(x[:, a]).chunk(2, -1)
        s = torch.tanh(s)
        x[:, b] = x[:, b] * s.exp() + t  # <- culprit
        return x, s.sum(-1)
