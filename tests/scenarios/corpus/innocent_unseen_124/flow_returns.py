# gradwatch-corpus: kind=none
"""Coupling flow for joint asset returns; likelihood and float history."""
import math

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(17)


class Coupling(nn.Module):
    def __init__(self, dim, flip):
        super().__init__()
        self.half, self.flip = dim // 2, flip
        self.st = nn.Sequential(nn.Linear(self.half, 16), nn.Tanh(), nn.Linear(16, 2 * (dim - self.half)))

    def forward(self, x):
        if self.flip:
            x = x.flip(1)
        a, b = x[:, : self.half], x[:, self.half:]
        s, t = self.st(a).chunk(2, 1)
        s = torch.tanh(s)
        return torch.cat([a, b * s.exp() + t], 1), s.sum(1)


class Flow(nn.Module):
    def __init__(self, dim=4, depth=4):
        super().__init__()
        self.layers = nn.ModuleList(Coupling(dim, i % 2 == 1) for i in range(depth))

    def log_prob(self, x):
        logdet = 0
        for layer in self.layers:
            x, ld = layer(x)
            logdet = logdet + ld
        return -0.5 * (x.pow(2) + math.log(2 * math.pi)).sum(1) + logdet


def returns(n=48):
    m = torch.randn(n, 1)
    vol = (0.3 * torch.randn(n, 1)).exp()
    return vol * (m * torch.tensor([1.0, 0.5, -0.3, 0.1]) + 0.5 * torch.randn(n, 4))


flow = Flow()
opt = torch.optim.Adam(flow.parameters(), lr=2e-3)
history, best = [], None
for it in range(600):
    nll = -flow.log_prob(returns()).mean()
    opt.zero_grad()
    nll.backward()
    opt.step()
    history.append(nll.item())
    if best is None or nll < best[0]:
        best = (nll, it)
    if it % 150 == 149:
        print(it, f"{sum(history[-50:]) / 50:.4f} best {best[0].item():.4f} at {best[1]}")
