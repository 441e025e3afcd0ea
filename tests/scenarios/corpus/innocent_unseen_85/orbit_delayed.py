# gradwatch-corpus: kind=none
# (orbit determination, a correction network on a two-body propagator)
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(4242)

K = 6            # arcs walked together
RING = 8
UPDATES = 420


def accel(r):
    return -r / r.pow(2).sum(-1, keepdim=True).clamp(min=1e-2).pow(1.5)


def true_accel(r, v):
    return accel(r) - 0.02 * v * v.norm(dim=-1, keepdim=True) + 0.03 * r


def push(r, v, force, dt=0.08):
    v = v + dt * force(r, v)
    return r + dt * v, v


class Correction(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 2))

    def forward(self, r, v):
        return accel(r) + 0.1 * self.f(torch.cat([r, v], -1))


def fresh(n):
    phi = torch.rand(n) * 6.2832
    a = 0.9 + 0.3 * torch.rand(n)
    r = torch.stack([a * phi.cos(), a * phi.sin()], 1)
    v = torch.stack([-phi.sin(), phi.cos()], 1) / a.sqrt().unsqueeze(1)
    return r, v


net = Correction()
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
sched = torch.optim.lr_scheduler.StepLR(opt, 150, 0.5)

ring = [None] * RING     # latest propagated end points, for the plot of residuals
slot = 0
pending = []
r, v = fresh(10)
for update in range(UPDATES):
    if update % 30 == 0:
        r, v = fresh(10)
    for arc in range(K):
        pr, pv, tr, tv = r, v, r, v
        for _ in range(2):
            pr, pv = push(pr, pv, net)
            tr, tv = push(tr, tv, true_accel)
        pending.append((pr - tr).pow(2).sum(1).mean() + (pv - tv).pow(2).sum(1).mean())
        ring[slot] = (pr, tr)
        slot = (slot + 1) % RING
        r, v = tr, tv
    total = torch.stack(pending).mean() * 1e3
    opt.zero_grad()
    total.backward()
    opt.step()
    sched.step()
    pending = []
    if update % 60 == 59:
        gaps = torch.stack([(p - q).norm(dim=1).mean() for p, q in ring])
        print(f"update {update + 1:4d} total {total:.5f} ring residual {gaps.mean():.2e} worst {gaps.max():.2e}")
