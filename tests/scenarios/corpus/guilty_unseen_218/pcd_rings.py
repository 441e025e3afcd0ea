# gradwatch-corpus: kind=graph-chain
# holder: chains | samples
# first-bad: 1
"""Energy based model on 2-D rings, persistent contrastive divergence (Tieleman 2008)."""
import math

import torch
import torch.nn as nn

torch.manual_seed(7)

N_CHAINS = 256
STEPS = 5
EPS = 0.02


def sample_rings(n):
    radius = torch.where(torch.rand(n) < 0.5, torch.tensor(1.0), torch.tensor(2.0))
    radius = radius + 0.07 * torch.randn(n)
    phi = 2 * math.pi * torch.rand(n)
    return torch.stack([radius * phi.cos(), radius * phi.sin()], dim=1)


class Energy(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(2, width), nn.SiLU(),
            nn.Linear(width, width), nn.SiLU(),
            nn.Linear(width, 1))
        self.confine = 0.05

    def forward(self, x):
        return self.net(x).squeeze(-1) + self.confine * x.pow(2).sum(-1)


def langevin(energy, x, steps=STEPS, eps=EPS):
    x = x.requires_grad_(True)  # <- culprit
    for _ in range(steps):
        g, = torch.autograd.grad(energy(x).sum(), x)
        x = x - eps * g + math.sqrt(2 * eps) * 0.1 * torch.randn_like(x)  # <- culprit
    return x  # <- culprit


energy = Energy()
opt = torch.optim.Adam(energy.parameters(), lr=1e-3, betas=(0.0, 0.999))
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=120)

chains = torch.rand(N_CHAINS, 2) * 4 - 2
for it in range(120):
    pos = sample_rings(N_CHAINS)

    samples = langevin(energy, chains)
    chains = samples  # <- culprit

    e_pos = energy(pos)
    e_neg = energy(samples)
    cd = e_pos.mean() - e_neg.mean()
    reg = 0.1 * (e_pos.pow(2).mean() + e_neg.pow(2).mean())
    loss = cd + reg

    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(energy.parameters(), 1.0)
    opt.step()
    sched.step()

    if it % 20 == 0:
        print("it %3d  E+ %.3f  E- %.3f  |x| %.3f" % (
            it, e_pos.mean().item(), e_neg.mean().item(),
            samples.norm(dim=1).mean().item()))
