# gradwatch-corpus: kind=graph-held
# notice: 25
# holder: contacts
# first-bad: 1
"""Ligand pose refinement + affinity head on toy pockets. Pair distances are used by three terms."""
import functools
import math

import torch

torch.manual_seed(99)
ATOMS, STEPS = 18, 260


@functools.lru_cache(maxsize=None)  # <- culprit
def contacts(places):
    """pair distances; asked for by several energy terms with the very same argument"""
    d = (places[:, None] - places[None]).square().sum(-1)
    return (d + 1e-3).sqrt()  # <- culprit


def lennard(places):
    r = contacts(places) + torch.eye(ATOMS) * 10
    q = (1.2 / r) ** 6
    return (q * q - q).sum() / ATOMS


def stretch(places, length=1.1):
    r = contacts(places)
    return (torch.diagonal(r, 1) - length).square().mean()


def burial(places):
    return torch.sigmoid(3 - contacts(places)).sum(1).var()


class Deformation(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(3 + 4, 32), torch.nn.Tanh(), torch.nn.Linear(32, 3))

    def forward(self, rest, t):
        wave = torch.tensor([math.sin(t), math.cos(t), math.sin(2 * t), math.cos(2 * t)]).expand(ATOMS, 4)
        return rest + self.net(torch.cat([rest, wave], 1))


rest = torch.cumsum(torch.randn(ATOMS, 3) * 0.5, 0)
flow = Deformation()
opt = torch.optim.Adam(flow.parameters(), lr=2e-3)
for k in range(STEPS):
    placed = flow(rest, k * 0.11)
    energy = lennard(placed).clamp(max=50) + 5 * stretch(placed) + 0.2 * burial(placed)
    opt.zero_grad(set_to_none=True)
    energy.backward()
    torch.nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
    opt.step()
    if k % 65 == 0:
        print(f"step {k:3d}  energy {energy.item():9.4f}")
print("cache statistics:", contacts.cache_info())
