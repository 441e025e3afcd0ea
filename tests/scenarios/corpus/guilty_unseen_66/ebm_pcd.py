# gradwatch-corpus: kind=second-backward
# holder: self.chains | self.chains[i] | bank.chains | sampler.bank.chains | self.bank.chains | x | xs | neg | loss
# first-bad: 1
# notice: 0
"""Energy-based density model on 2-d rings, persistent chains, with the entropy/KL term of
improved contrastive divergence (the last Langevin move is differentiated through)."""
import random
from dataclasses import dataclass, field
from typing import List

import torch
from torch import Tensor, nn

torch.set_num_threads(1)


@dataclass
class Hyper:
    chains: int = 64
    langevin: int = 12
    step: float = 0.08
    noise: float = 0.03
    restart: float = 0.05
    kl: float = 0.3
    l2: float = 0.05
    lr: float = 1e-3
    iters: int = 120


class Energy(nn.Module):
    def __init__(self, width=96):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(2, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, 1))

    def forward(self, x):
        return self.f(x).squeeze(-1)


@dataclass
class ChainBank:
    """One entry per persistent chain, restarted from noise now and then."""

    size: int
    restart: float
    chains: List[Tensor] = field(default_factory=list)

    def __post_init__(self):
        self.chains = [3.0 * torch.rand(2) - 1.5 for _ in range(self.size)]

    def load(self) -> Tensor:
        for i in range(self.size):
            if random.random() < self.restart:
                self.chains[i] = 3.0 * torch.rand(2) - 1.5
        return torch.stack(self.chains)

    def store(self, xs: Tensor):
        self.chains = list(xs.unbind(0))  # <- culprit


class Langevin:
    def __init__(self, energy, hp: Hyper):
        self.energy, self.hp = energy, hp
        self.bank = ChainBank(hp.chains, hp.restart)

    def _move(self, x, last=False):
        (g,) = torch.autograd.grad(self.energy(x).sum(), x, create_graph=last)
        return x - self.hp.step * g.clamp(-5, 5) + self.hp.noise * torch.randn_like(x)

    def negatives(self):
        """Returns samples whose final move keeps its dependence on the energy's parameters."""
        x = self.bank.load().requires_grad_()
        for _ in range(self.hp.langevin - 1):
            x = self._move(x)
        x = self._move(x, last=True)
        self.bank.store(x)  # <- culprit
        return x


def rings(n):
    r = torch.tensor([0.5, 1.1])[torch.randint(0, 2, (n,))] + 0.04 * torch.randn(n)
    a = 6.2832 * torch.rand(n)
    return torch.stack([r * a.cos(), r * a.sin()], dim=1)


def frozen_energy(energy, x):
    for p in energy.parameters():
        p.requires_grad_(False)
    out = energy(x)
    for p in energy.parameters():
        p.requires_grad_(True)
    return out


def train(hp: Hyper):
    energy = Energy()
    sampler = Langevin(energy, hp)
    opt = torch.optim.Adam(energy.parameters(), lr=hp.lr, betas=(0.0, 0.999))
    for it in range(hp.iters):
        pos = rings(hp.chains)
        neg = sampler.negatives()
        e_pos, e_neg = energy(pos), energy(neg.detach())
        cd = e_pos.mean() - e_neg.mean()
        kl = frozen_energy(energy, neg).mean()
        loss = cd + hp.kl * kl + hp.l2 * (e_pos.square() + e_neg.square()).mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(energy.parameters(), 1.0)
        opt.step()
        if it % 10 == 0:
            print(f"{it:4d} cd {cd.item():+.3f} kl {kl.item():+.3f}")


if __name__ == "__main__":
    torch.manual_seed(4)
    random.seed(4)
    train(Hyper())
