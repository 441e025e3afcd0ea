# gradwatch-corpus: kind=none
"""Yield and protein from one canopy encoder; the two gradients on the trunk are compared (conflict angle)
before they are added, so each trait gets a backward of its own."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(4)

trunk = nn.Sequential(nn.Linear(7, 16), nn.ReLU(), nn.Linear(16, 10), nn.ReLU())
yield_head, protein_head = nn.Linear(10, 1), nn.Linear(10, 1)
params = [*trunk.parameters(), *yield_head.parameters(), *protein_head.parameters()]
opt = torch.optim.SGD(params, lr=0.02)


def field_plots(k=12):
    x = torch.randn(k, 7)
    return x, x[:, :1] + x[:, 1:2] ** 2, -x[:, :1] + 0.3 * x[:, 3:4]


def trunk_grad():
    return torch.cat([p.grad.flatten() for p in trunk.parameters()]).clone()


conflicts = 0
for plot in range(900):
    x, y, p = field_plots()
    h = trunk(x)
    l_yield = (yield_head(h) - y).square().mean()
    l_protein = (protein_head(h) - p).square().mean()
    opt.zero_grad()
    l_yield.backward(retain_graph=True)
    g1 = trunk_grad()
    l_protein.backward()
    g2 = trunk_grad() - g1
    conflicts += int(torch.dot(g1, g2) < 0)
    opt.step()
    if plot % 150 == 149:
        print(plot + 1, l_yield.item(), l_protein.item(), "conflicts", conflicts)
