# gradwatch-corpus: kind=none
import math

import torch
from torch import nn

torch.set_num_threads(1)


class Stat:
    """Sum and sum of squares since the last reading."""

    def __init__(self):
        self.clear()

    def clear(self):
        self.s, self.q, self.n = 0.0, 0.0, 0

    def add(self, v):
        self.s = self.s + v
        self.q = self.q + v * v
        self.n += 1

    def read(self):
        mean = self.s / self.n
        var = self.q / self.n - mean ** 2
        out = float(mean.detach()), math.sqrt(max(float(var.detach()), 0.0))
        self.clear()
        return out


class Flow(nn.Module):
    """Four affine couplings in two dimensions."""

    def __init__(self):
        super().__init__()
        self.nets = nn.ModuleList(
            nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 2)) for _ in range(4))

    def forward(self, x):
        logdet = 0.0
        for i, net in enumerate(self.nets):
            a, b = x[:, :1], x[:, 1:]
            if i % 2:
                a, b = b, a
            s, t = net(a).chunk(2, 1)
            s = torch.tanh(s)
            b = b * s.exp() + t
            logdet = logdet + s.squeeze(1)
            x = torch.cat([b, a] if i % 2 else [a, b], 1)
        return x, logdet


def moons(n):
    t = torch.rand(n) * math.pi
    top = torch.rand(n) < 0.5
    x = torch.where(top, t.cos(), 1 - t.cos())
    y = torch.where(top, t.sin(), 0.5 - t.sin())
    return torch.stack([x, y], 1) + 0.08 * torch.randn(n, 2)


def nll(flow, x):
    z, logdet = flow(x)
    return (0.5 * z.pow(2).sum(1) + math.log(2 * math.pi) - logdet).mean(), logdet.mean()


torch.manual_seed(41)
flow = Flow()
opt = torch.optim.Adam(flow.parameters(), lr=5e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 420)
held_out = moons(200)
loss_stat, det_stat = Stat(), Stat()
next_eval, gap = 15, 15

for step in range(1, 421):
    loss, det = nll(flow, moons(24))
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    loss_stat.add(loss)
    det_stat.add(det)
    if step == next_eval:
        with torch.no_grad():
            test, _ = nll(flow, held_out)
        (m, sd), (d, _) = loss_stat.read(), det_stat.read()
        print(f"{step:4d} train {m:.3f}+-{sd:.3f} logdet {d:+.3f} held-out {test.item():.3f}")
        gap = min(gap + 10, 55)   # evaluate less often as things settle
        next_eval += gap
