# gradwatch-corpus: kind=graph-held
# holder: monitor.total | self.total
# first-bad: 1
# also: graph-unused
"""Energy regression for small Lennard-Jones clusters; a Hutchinson probe tracks the trace of the Hessian."""
import torch
from torch import nn
from torch.nn import functional as F


def clusters(n, atoms=5):
    pos = torch.randn(n, atoms, 3) * 1.1
    d = torch.cdist(pos, pos) + 10 * torch.eye(atoms)
    inv = (1.0 / d.clamp(min=0.9)) ** 6
    energy = 2 * (inv ** 2 - inv).sum(dim=(1, 2))
    iu = torch.triu_indices(atoms, atoms, 1)
    feats = d[:, iu[0], iu[1]].sort(dim=1).values
    return torch.cat([feats, 1 / feats], dim=1), energy


class TraceMonitor:
    """Mean of v^T H v over the run, Rademacher v, on a small probe batch."""

    __slots__ = ("weights", "total", "count", "rng")

    def __init__(self, weights):
        self.weights = list(weights)
        self.total = torch.zeros(())
        self.count = 0
        self.rng = torch.Generator().manual_seed(99)

    def signs(self, like):
        return torch.randint(0, 2, like.shape, generator=self.rng).float().mul_(2).sub_(1)

    def observe(self, objective):
        vs = [self.signs(w) for w in self.weights]
        first = torch.autograd.grad(objective, self.weights, create_graph=True)
        along = sum((g * v).sum() for g, v in zip(first, vs))
        second = torch.autograd.grad(along, self.weights, create_graph=True)  # <- culprit
        self.total = self.total + sum((h * v).sum() for h, v in zip(second, vs))  # <- culprit
        self.count += 1

    @property
    def mean(self):
        return float(self.total) / max(self.count, 1)


def build(width=40):
    return nn.Sequential(nn.Linear(20, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))


def main():
    torch.manual_seed(62)
    potential = build()
    opt = torch.optim.SGD(potential.parameters(), lr=0.02, momentum=0.9)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 320)
    monitor = TraceMonitor(potential.parameters())
    probe_x, probe_y = clusters(16)
    scale = probe_y.std()
    for k in range(320):
        x, y = clusters(64)
        misfit = F.smooth_l1_loss(potential(x).squeeze(1), y / scale)
        opt.zero_grad()
        misfit.backward()
        if k % 2 == 0:
            monitor.observe(F.smooth_l1_loss(potential(probe_x).squeeze(1), probe_y / scale))
        opt.step()
        sched.step()
        if k % 64 == 63:
            print(f"{k + 1:4d}  misfit {misfit.item():.4f}  mean tr(H) {monitor.mean:.2f}")


if __name__ == "__main__":
    main()
