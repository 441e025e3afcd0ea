# gradwatch-corpus: kind=none
"""Sliced score matching (Song et al. 2019) on a mixture; annealed Langevin at the end."""
import torch
import torch.nn as nn
from torch import autograd

torch.set_num_threads(1)
torch.manual_seed(41)


def mixture(n):
    c = torch.tensor([[2.0, 2.0], [-2.0, -2.0], [2.0, -2.0]])
    return c[torch.randint(0, 3, (n,))] + 0.4 * torch.randn(n, 2)


class Energy(nn.Module):
    def __init__(self, h=48):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, h), nn.Softplus(), nn.Linear(h, h), nn.Softplus(), nn.Linear(h, 1))

    def score(self, x, create_graph):
        logp = -self.net(x).sum()
        return autograd.grad(logp, x, create_graph=create_graph)[0]


def ssm_loss(energy, x, n_particles=2):
    dup = x.repeat(n_particles, 1).requires_grad_(True)
    v = torch.randn_like(dup)
    v = v / v.norm(dim=-1, keepdim=True)
    grad1 = energy.score(dup, create_graph=True)
    gradv = (grad1 * v).sum()
    loss1 = (grad1 * v).sum(-1).pow(2) * 0.5
    grad2 = autograd.grad(gradv, dup, create_graph=True)[0]
    loss2 = (v * grad2).sum(-1)
    return (loss1 + loss2).mean(), loss1.mean().item(), loss2.mean().item()


def langevin(energy, n, steps=60, lr=0.05):
    x = torch.randn(n, 2) * 2
    for _ in range(steps):
        x = x.detach().requires_grad_(True)
        x = x + lr * energy.score(x, create_graph=False) + (2 * lr) ** 0.5 * torch.randn_like(x)
    return x.detach()


energy = Energy()
opt = torch.optim.Adam(energy.parameters(), lr=2e-3)
table = []
for it in range(130):
    loss, l1, l2 = ssm_loss(energy, mixture(96))
    opt.zero_grad()
    loss.backward()
    opt.step()
    table.append((loss.item(), l1, l2))
    if it % 40 == 0:
        print(it, "total %.3f fisher %.3f trace %.3f" % table[-1])
s = langevin(energy, 64)
print("samples mean abs", s.abs().mean(0).tolist())
