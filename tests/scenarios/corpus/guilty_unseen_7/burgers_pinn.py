# gradwatch-corpus: kind=graph-held
# holder: self.entries | archive.entries | self.archive.entries | solver.archive.entries
# first-bad: 1
"""PINN for viscous Burgers with residual based refinement: the worst collocation points
seen so far are remembered and replayed together with fresh ones."""
import heapq
import itertools
import math
from dataclasses import dataclass, field

import torch
import torch.nn as nn

NU = 0.01 / math.pi
torch.manual_seed(7)


@dataclass(order=True)
class HardPoint:
    badness: float
    serial: int
    where: torch.Tensor = field(compare=False)
    residual: torch.Tensor = field(compare=False)


class Archive:
    """unordered store, cut back to `keep` entries whenever it exceeds `limit`"""

    def __init__(self, limit=5000, keep=1000):
        self.entries = []
        self.limit, self.keep = limit, keep
        self.count = itertools.count()

    def offer(self, xt, res, k):
        worst = res.abs().squeeze(1).topk(k).indices
        for j in worst.tolist():
            p = HardPoint(float(res[j].abs()), next(self.count), xt.detach()[j], res[j])  # <- culprit
            self.entries.append(p)  # <- culprit
        if len(self.entries) > self.limit:
            self.entries = heapq.nlargest(self.keep, self.entries)

    def replay(self, k):
        if not self.entries:
            return torch.empty(0, 2)
        best = heapq.nlargest(k, self.entries)
        return torch.stack([p.where for p in best])

    def spread(self):
        """mean signed residual among the stored points"""
        return sum(float(p.residual) for p in self.entries) / max(1, len(self.entries))


class Net(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(),
            nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, xt):
        return self.body(xt)


class Solver:
    def __init__(self, n_fresh=192, n_replay=64):
        self.u = Net()
        self.archive = Archive()
        self.n_fresh, self.n_replay = n_fresh, n_replay
        self.opt = torch.optim.Adam(self.u.parameters(), lr=2e-3)
        x0 = torch.linspace(-1, 1, 64).unsqueeze(1)
        self.ic = torch.cat([x0, torch.zeros_like(x0)], 1)
        self.ic_val = -torch.sin(math.pi * x0)

    def fresh(self):
        pts = torch.rand(self.n_fresh, 2)
        pts[:, 0] = pts[:, 0] * 2 - 1
        return pts

    def pde(self, xt):
        u = self.u(xt)
        du = torch.autograd.grad(u.sum(), xt, create_graph=True)[0]
        ux, ut = du[:, :1], du[:, 1:]
        uxx = torch.autograd.grad(ux.sum(), xt, create_graph=True)[0][:, :1]
        return ut + u * ux - NU * uxx

    def boundary(self):
        t = torch.rand(32, 1)
        side = torch.where(torch.rand(32, 1) > 0.5, 1.0, -1.0)
        return self.u(torch.cat([side, t], 1)).pow(2).mean()

    def iterate(self):
        xt = torch.cat([self.fresh(), self.archive.replay(self.n_replay)]).requires_grad_(True)
        res = self.pde(xt)
        loss = res.pow(2).mean() + 5 * (self.u(self.ic) - self.ic_val).pow(2).mean() + 5 * self.boundary()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.archive.offer(xt, res, k=8)
        return loss.item()


if __name__ == "__main__":
    solver = Solver()
    for it in range(320):
        val = solver.iterate()
        if it % 40 == 0:
            print(f"it {it:4d} loss {val:.5f} archived {len(solver.archive.entries)} "
                  f"bias {solver.archive.spread():+.4f}")
    print("done", val)
