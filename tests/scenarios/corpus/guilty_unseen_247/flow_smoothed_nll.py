# gradwatch-corpus: kind=graph-held
# holder: ema | value | smooth | track | monitor
# first-bad: 1
"""RealNVP on two moons, with a closure that smooths the negative log-likelihood for display."""
import math

import torch
from torch import nn


def two_moons(n):
    t = torch.rand(n) * math.pi
    upper = torch.rand(n) < 0.5
    sign = torch.where(upper, 1.0, -1.0)
    x = torch.cos(t) * sign + torch.where(upper, -0.5, 0.5)
    y = torch.sin(t) * sign + torch.where(upper, -0.25, 0.25)
    return torch.stack([x, y], 1) + 0.06 * torch.randn(n, 2)


def coupling_net(width):
    return nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 2))


class RealNVP(nn.Module):
    def __init__(self, layers=6, width=40):
        super().__init__()
        self.nets = nn.ModuleList([coupling_net(width) for _ in range(layers)])

    def inverse(self, x):
        logdet = x.new_zeros(x.size(0))
        for i, net in enumerate(self.nets):
            keep = x[:, i % 2:i % 2 + 1]
            move = x[:, 1 - i % 2:2 - i % 2]
            s, t = net(keep).chunk(2, dim=1)
            s = torch.tanh(s)
            move = (move - t) * torch.exp(-s)
            logdet = logdet - s.squeeze(1)
            x = torch.cat([keep, move], 1) if i % 2 == 0 else torch.cat([move, keep], 1)
        return x, logdet

    def log_prob(self, x):
        z, logdet = self.inverse(x)
        base = -0.5 * (z ** 2).sum(1) - math.log(2 * math.pi)
        return base + logdet


def smoother(beta):
    ema = None

    def update(value):
        nonlocal ema
        if ema is None:
            ema = value
        else:
            ema = beta * ema + (1 - beta) * value  # <- culprit
        return ema

    return update


def train(flow, iterations=150, batch=128):
    opt = torch.optim.Adam(flow.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, iterations)
    track = smoother(0.97)
    for i in range(1, iterations + 1):
        x = two_moons(batch)
        nll = -flow.log_prob(x).mean()
        opt.zero_grad(set_to_none=True)
        nll.backward()
        nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
        opt.step()
        sched.step()
        smooth = track(nll)  # <- culprit
        if i % 30 == 0:
            print(f"iter {i:4d} nll {smooth:.4f}")


if __name__ == "__main__":
    torch.manual_seed(17)
    torch.set_num_threads(1)
    model = RealNVP()
    train(model)
