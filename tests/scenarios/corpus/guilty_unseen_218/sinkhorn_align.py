# gradwatch-corpus: kind=graph-held
# holder: aligner.plans | self.plans
# first-bad: 1
"""Aligning two word-vector-like clouds by entropic optimal transport."""
import torch
from torch import nn
from torch.nn.utils.parametrizations import orthogonal

gen = torch.Generator().manual_seed(9)
torch.manual_seed(9)


def log_sinkhorn(C, eps=0.1, iters=12):
    n, m = C.shape
    log_a = -torch.log(torch.tensor(float(n))).expand(n)
    log_b = -torch.log(torch.tensor(float(m))).expand(m)
    f, g = torch.zeros(n), torch.zeros(m)
    for _ in range(iters):
        f = eps * (log_a - torch.logsumexp((g[None, :] - C) / eps, dim=1))
        g = eps * (log_b - torch.logsumexp((f[:, None] - C) / eps, dim=0))
    return torch.exp((f[:, None] + g[None, :] - C) / eps)


class Aligner(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.rot = orthogonal(nn.Linear(d, d, bias=False))
        self.shift = nn.Parameter(torch.zeros(d))
        self.plans = {}

    def forward(self, src, tgt, key):
        moved = self.rot(src) + self.shift
        C = torch.cdist(moved, tgt).pow(2)
        P = log_sinkhorn(C / C.detach().mean())
        self.plans[key] = P  # <- culprit
        return (P * C).sum()

    def sharpness(self, last=10):
        recent = list(self.plans.values())[-last:]
        return sum(p.max(1).values.mean().item() * p.size(0) for p in recent) / len(recent)


d = 6
base = torch.randn(400, d, generator=gen) * torch.linspace(0.4, 1.6, d)
Q, _ = torch.linalg.qr(torch.randn(d, d, generator=gen))
other = base @ Q + 0.3

aligner = Aligner(d)
opt = torch.optim.RMSprop(aligner.parameters(), lr=1e-2)

for it in range(120):
    i = torch.randperm(400, generator=gen)[:48]
    j = torch.randperm(400, generator=gen)[:48]
    cost = aligner(base[i], other[j], key=(it // 20, it % 20))

    opt.zero_grad()
    cost.backward()
    opt.step()

    if it % 30 == 29:
        print("step {:d} cost {:.4f} sharp {:.3f}".format(it + 1, cost.item(), aligner.sharpness()))
