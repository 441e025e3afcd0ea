# gradwatch-corpus: kind=none
"""Separable Hamiltonian net; the rollout horizon grows with a curriculum, leapfrog inside."""
import torch
from torch import nn
torch.set_num_threads(1)


class Energy(nn.Module):
    def __init__(self, hid=16):
        super().__init__()
        self.V = nn.Sequential(nn.Linear(1, hid), nn.Softplus(), nn.Linear(hid, 1))
        self.log_m = nn.Parameter(torch.zeros(()))

    def force(self, q):
        with torch.enable_grad():
            q = q if q.requires_grad else q.detach().requires_grad_()
            return -torch.autograd.grad(self.V(q).sum(), q, create_graph=True)[0]

    def forward(self, q, p):
        return self.V(q).squeeze(-1) + 0.5 * p.pow(2).squeeze(-1) * torch.exp(-self.log_m)


def leapfrog(force, inv_m, q, p, dt, n):
    path = []
    for _ in range(n):
        p = p + 0.5 * dt * force(q)
        q = q + dt * inv_m * p
        p = p + 0.5 * dt * force(q)
        path.append(torch.cat([q, p], 1))
    return torch.stack(path)


class Curriculum:
    def __init__(self, horizons, every):
        self.horizons, self.every = horizons, every

    def __getitem__(self, it):
        return self.horizons[min(it // self.every, len(self.horizons) - 1)]


def fit():
    torch.manual_seed(7)
    net, plan = Energy(), Curriculum([1, 2, 4, 6], every=110)
    opt = torch.optim.Adam(net.parameters(), 5e-3)
    level, drift = [], 0.0
    for it in range(440):
        q, p = torch.randn(8, 1), torch.randn(8, 1)
        n = plan[it]
        want = leapfrog(lambda z: -torch.sin(z), 1.0, q, p, 0.2, n)
        path = leapfrog(net.force, torch.exp(-net.log_m), q, p, 0.2, n)
        steps = (path - want).pow(2).flatten(1).mean(1)
        h0, h1 = net(q, p), net(*path[-1].split(1, 1))
        energy = (h1 - h0).pow(2).mean()
        (steps.mean() + 0.01 * energy).backward()
        opt.step()
        opt.zero_grad()
        drift = 0.9 * drift + 0.1 * energy.item()
        level.append(steps[-1])
        if len(level) == 15:
            print(it, n, torch.stack(level).mean().item(), drift)
            level = []


fit()
