# gradwatch-corpus: kind=second-backward
# holder: self.archive | sampler.archive
# first-bad: 40
# also: graph-held
"""Adaptive importance sampling of a rare transition in a double-well potential.

A coupling flow proposes end points of a short Langevin path; the forward KL to the tilted target is estimated from
fresh draws, and, once enough of them have been collected, also from earlier ones.
"""
import math
import random
from collections import deque
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Draw:
    x: torch.Tensor
    log_q: torch.Tensor
    log_target: torch.Tensor


def double_well(x):
    return 2.0 * (x[:, 0].pow(2) - 1).pow(2) + 1.5 * x[:, 1].pow(2) + 0.6 * x[:, 0] * x[:, 1]


def tilted(x, level=0.9, stiffness=6.0):
    return -double_well(x) - stiffness * torch.relu(level - x[:, 0])


class Coupling(nn.Module):
    def __init__(self, flip, width=32):
        super().__init__()
        self.flip = flip
        self.net = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 2))

    def forward(self, z, log_det):
        a, b = (z[:, 1:], z[:, :1]) if self.flip else (z[:, :1], z[:, 1:])
        s, t = self.net(a).chunk(2, -1)
        s = 1.5 * torch.tanh(s)
        b = b * s.exp() + t
        return torch.cat((b, a) if self.flip else (a, b), -1), log_det + s.squeeze(-1)


class FlowSampler(nn.Module):
    def __init__(self, depth=4, warm=40, room=64):
        super().__init__()
        self.layers = nn.ModuleList(Coupling(bool(i % 2)) for i in range(depth))
        self.shift = nn.Parameter(torch.zeros(2))
        self.archive = deque(maxlen=room)
        self.warm = warm

    def propose(self, n):
        z = torch.randn(n, 2)
        base = -0.5 * z.pow(2).sum(-1) - math.log(2 * math.pi)
        x, log_det = z, torch.zeros(n)
        for layer in self.layers:
            x, log_det = layer(x, log_det)
        return Draw(x + self.shift, base - log_det, tilted(x + self.shift))

    def cross_entropy(self, draw):
        w = torch.softmax((draw.log_target - draw.log_q).detach(), 0)
        return -(w * draw.log_q).sum()

    def objective(self, n=96):
        draw = self.propose(n)
        total = (draw.log_q - draw.log_target).mean()
        if len(self.archive) >= self.warm:
            past = random.choice(self.archive)
            total = total + 0.3 * self.cross_entropy(past)  # <- culprit
        self.archive.append(draw)  # <- culprit
        return total, draw


def main():
    torch.manual_seed(8)
    random.seed(8)
    sampler = FlowSampler()
    opt = torch.optim.Adam(sampler.parameters(), lr=2e-3)
    for sweep in range(300):
        total, draw = sampler.objective()
        opt.zero_grad()
        total.backward()
        opt.step()
        if sweep % 20 == 0:
            lw = (draw.log_target - draw.log_q).detach()
            ess = torch.exp(2 * lw.logsumexp(0) - (2 * lw).logsumexp(0)).item()
            print(f"sweep {sweep:3d} kl {total.item():.3f} ess {ess:.1f} beyond {float((draw.x[:, 0] > 0.9).float().mean()):.2f}")


if __name__ == "__main__":
    main()
