# gradwatch-corpus: kind=none
"""Energy-based model of pollen grain shapes; persistent Langevin particles and a gradient penalty."""
import torch
from torch import nn

GRAIN = dict(facets=6, width=64, particles=256, batch=48, walk=8, stride=0.04, jitter=0.02, penalty=0.1, rounds=80)


def microscope(count, facets):
    kind = torch.randint(0, 3, (count, 1)).float()
    turn = torch.arange(facets).float()
    return torch.cos(turn * (kind + 1)) + 0.15 * torch.randn(count, facets)


class GrainEnergy(nn.Module):
    def __init__(self, facets, width):
        super().__init__()
        self.first = nn.Linear(facets, width)
        self.second = nn.Linear(width, width)
        self.last = nn.Linear(width, 1)

    def forward(self, grain):
        rough = nn.functional.softplus(self.first(grain))
        rough = nn.functional.softplus(self.second(rough))
        return self.last(rough).squeeze(1) + 0.05 * grain.pow(2).sum(1)


class ParticleTray:
    """Persistent chains: a few of them restart from noise each time."""

    def __init__(self, count, facets, restart=0.05):
        self.grains = torch.randn(count, facets)
        self.restart = restart

    def borrow(self, count):
        where = torch.randint(0, self.grains.shape[0], (count,))
        grains = self.grains[where].clone()
        fresh = torch.rand(count) < self.restart
        grains[fresh] = torch.randn(int(fresh.sum()), grains.shape[1])
        return where, grains

    def give_back(self, where, grains):
        self.grains[where] = grains


def walk(energy, grains, steps, stride, jitter):
    for _ in range(steps):
        grains = grains.detach().requires_grad_(True)
        slope, = torch.autograd.grad(energy(grains).sum(), grains)
        grains = grains - stride * slope + jitter * torch.randn_like(grains)
    return grains.detach()


def slope_penalty(energy, grain):
    grain = grain.clone().requires_grad_(True)
    slope, = torch.autograd.grad(energy(grain).sum(), grain, create_graph=True)
    return slope.pow(2).sum(1).mean()


def main():
    torch.manual_seed(21)
    energy = GrainEnergy(GRAIN["facets"], GRAIN["width"])
    tray = ParticleTray(GRAIN["particles"], GRAIN["facets"])
    lens = torch.optim.Adam(energy.parameters(), lr=1e-3)
    for number in range(GRAIN["rounds"]):
        real = microscope(GRAIN["batch"], GRAIN["facets"])
        where, grains = tray.borrow(GRAIN["batch"])
        grains = walk(energy, grains, GRAIN["walk"], GRAIN["stride"], GRAIN["jitter"])
        tray.give_back(where, grains)
        gap = energy(real).mean() - energy(grains).mean()
        penalty = slope_penalty(energy, real)
        loss = gap + GRAIN["penalty"] * penalty
        lens.zero_grad()
        loss.backward()
        lens.step()
        if number % 16 == 0:
            print(f"round {number} gap {gap.item():.4f} penalty {penalty.item():.4f}")


if __name__ == "__main__":
    main()
