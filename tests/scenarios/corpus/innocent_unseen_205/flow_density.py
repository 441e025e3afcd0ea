# gradwatch-corpus: kind=none
"""RealNVP on a spiral with a smoothed progress display."""
import math
from collections import deque

import torch
import torch.nn as nn


class Smoother:
    def __init__(self, window=25):
        self.values = deque(maxlen=window)

    def push(self, v):
        self.values.append(v)

    @property
    def median(self):
        return torch.stack(list(self.values)).median()

    @property
    def latest(self):
        return self.values[-1]


class Coupling(nn.Module):
    def __init__(self, flip, hidden=32):
        super().__init__()
        self.flip = flip
        self.net = nn.Sequential(nn.Linear(1, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, 2))

    def forward(self, x):
        a, b = x.chunk(2, 1)
        if self.flip:
            a, b = b, a
        s, t = self.net(a).chunk(2, 1)
        s = torch.tanh(s)
        b = b * s.exp() + t
        out = torch.cat([b, a] if self.flip else [a, b], 1)
        return out, s.squeeze(1)


class RealNVP(nn.Module):
    def __init__(self, depth=5):
        super().__init__()
        self.layers = nn.ModuleList(Coupling(i % 2 == 1) for i in range(depth))

    def log_prob(self, x):
        logdet = 0
        for layer in self.layers:
            x, ld = layer(x)
            logdet = logdet + ld
        return -0.5 * (x ** 2).sum(1) - math.log(2 * math.pi) + logdet


def spiral(n):
    r = torch.rand(n).sqrt() * 3
    th = 2.2 * r
    return torch.stack([r * th.cos(), r * th.sin()], 1) / 1.5 + 0.05 * torch.randn(n, 2)


class Runner:
    def __init__(self, lr=2e-3):
        self.flow = RealNVP()
        self.optimizer = torch.optim.Adam(self.flow.parameters(), lr=lr)
        self.plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(self.optimizer, patience=3, factor=0.5)
        self.loss_meter, self.logp_meter = Smoother(), Smoother(10)
        self.best = None

    def iteration(self, x):
        logp = self.flow.log_prob(x)
        loss = -logp.mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.loss_meter.push(loss)
        self.logp_meter.push(logp.min())
        if self.best is None or loss < self.best:
            self.best = loss
            self.best_state = {k: v.clone() for k, v in self.flow.state_dict().items()}

    def run(self, iters=600, every=60):
        for i in range(1, iters + 1):
            self.iteration(spiral(128))
            if i % every == 0:
                self.plateau.step(self.loss_meter.median.item())
                print(f"{i}: nll {self.loss_meter.median:.4f} best {self.best:.4f} worst point {self.logp_meter.latest:.2f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    Runner().run()
