# gradwatch-corpus: kind=none
"""A foraging herbivore learns patch choice from an experience memory."""
import argparse
import random
from collections import deque
from dataclasses import dataclass

import torch
from torch import nn


@dataclass(frozen=True)
class Visit:
    sensed: torch.Tensor
    patch: torch.Tensor
    energy: torch.Tensor
    next_sensed: torch.Tensor
    expected: torch.Tensor


class Landscape:
    def __init__(self, n_animals, n_patches):
        self.n_animals = n_animals
        self.quality = 0.2 + torch.rand(n_patches)
        self.risk = 0.3 * torch.rand(n_patches)
        self.biomass = self.quality.repeat(n_animals, 1)

    def sense(self):
        noisy = self.biomass + 0.05 * torch.randn_like(self.biomass)
        hunger = 1 - self.biomass.mean(dim=1, keepdim=True)
        return torch.cat([noisy, hunger], dim=1)

    def graze(self, patch):
        rows = torch.arange(self.n_animals)
        bite = 0.5 * self.biomass[rows, patch]
        self.biomass[rows, patch] -= bite
        self.biomass += 0.1 * (self.quality - self.biomass)
        caught = (torch.rand(self.n_animals) < self.risk[patch]).float()
        return bite - 0.3 * caught


class PatchValue(nn.Module):
    def __init__(self, n_patches, width=48):
        super().__init__()
        self.a = nn.Linear(n_patches + 1, width)
        self.b = nn.Linear(width, width)
        self.worth = nn.Linear(width, n_patches)

    def forward(self, sensed):
        h = torch.relu(self.a(sensed))
        h = torch.relu(self.b(h))
        return self.worth(h)


class Forager:
    def __init__(self, n_patches, capacity, lr, discount=0.85, drift=0.05):
        self.values = PatchValue(n_patches)
        self.slow_values = PatchValue(n_patches)
        self.slow_values.load_state_dict(self.values.state_dict())
        self.slow_values.requires_grad_(False)
        self.memory = deque(maxlen=capacity)
        self.optimizer = torch.optim.Adam(self.values.parameters(), lr=lr)
        self.n_patches = n_patches
        self.discount = discount
        self.drift = drift

    @torch.no_grad()
    def choose(self, sensed, curiosity):
        worth = self.values(sensed)
        best = worth.argmax(dim=1)
        anywhere = torch.randint(0, self.n_patches, best.shape)
        explore = torch.rand(best.shape) < curiosity
        return torch.where(explore, anywhere, best), worth.amax(dim=1)

    def remember(self, visit):
        self.memory.append(visit)

    def learn(self, n):
        visits = random.sample(self.memory, min(n, len(self.memory)))
        sensed = torch.cat([v.sensed for v in visits])
        patch = torch.cat([v.patch for v in visits])
        energy = torch.cat([v.energy for v in visits])
        following = torch.cat([v.next_sensed for v in visits])
        with torch.no_grad():
            target = energy + self.discount * self.slow_values(following).amax(dim=1)
        chosen = self.values(sensed).gather(1, patch.unsqueeze(1)).squeeze(1)
        loss = nn.functional.smooth_l1_loss(chosen, target)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        with torch.no_grad():
            for slow, fast in zip(self.slow_values.parameters(), self.values.parameters()):
                slow.lerp_(fast, self.drift)
        return loss.item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--animals", type=int, default=16)
    parser.add_argument("--patches", type=int, default=8)
    parser.add_argument("--capacity", type=int, default=64)
    parser.add_argument("--days", type=int, default=180)
    parser.add_argument("--lr", type=float, default=2e-3)
    args = parser.parse_args()
    torch.manual_seed(17)
    random.seed(17)
    land = Landscape(args.animals, args.patches)
    forager = Forager(args.patches, args.capacity, args.lr)
    sensed = land.sense()
    for day in range(args.days):
        curiosity = max(0.05, 1 - day / 80)
        patch, expected = forager.choose(sensed, curiosity)
        energy = land.graze(patch)
        next_sensed = land.sense()
        forager.remember(Visit(sensed, patch, energy, next_sensed, expected))
        sensed = next_sensed
        td = forager.learn(16)
        if day % 30 == 29:
            intake = sum(v.energy.mean().item() for v in forager.memory) / len(forager.memory)
            print(f"day {day + 1:3d}  intake {intake:.3f}  td loss {td:.4f}")


if __name__ == "__main__":
    main()
