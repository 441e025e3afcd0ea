# gradwatch-corpus: kind=none
"""Learns a pair potential from energies and forces of small argon clusters."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(18)


class Pair(nn.Module):
    def __init__(self, centres=10):
        super().__init__()
        self.register_buffer("mu", torch.linspace(0.8, 3.0, centres))
        self.net = nn.Sequential(nn.Linear(centres, 14), nn.Softplus(), nn.Linear(14, 1))

    def forward(self, xyz):
        i, j = torch.triu_indices(xyz.shape[1], xyz.shape[1], 1)
        r = (xyz[:, i] - xyz[:, j]).norm(dim=-1, keepdim=True)
        return self.net(torch.exp(-4 * (r - self.mu) ** 2)).sum((1, 2))


def forces(energy, xyz, train):
    return -torch.autograd.grad(energy.sum(), xyz, create_graph=train)[0]


def lennard_jones(xyz):
    i, j = torch.triu_indices(xyz.shape[1], xyz.shape[1], 1)
    r = (xyz[:, i] - xyz[:, j]).norm(dim=-1).clamp(min=0.9)
    return (r ** -12 - 2 * r ** -6).sum(1)


def clusters(n=5):
    base = torch.tensor([[0., 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]) * 1.2
    xyz = (base + 0.1 * torch.randn(n, 4, 3)).requires_grad_()
    e = lennard_jones(xyz)
    return xyz, e.detach(), forces(e, xyz, train=False)


potential = Pair()
opt = torch.optim.Adam(potential.parameters(), lr=4e-3)
best = float("inf")
for it in range(500):
    xyz, e_ref, f_ref = clusters()
    e = potential(xyz)
    f = forces(e, xyz, train=True)
    loss = (e - e_ref).square().mean() * 0.1 + (f - f_ref).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    best = min(best, loss.item())
    if it % 100 == 0:
        print(it, loss.item(), best)
