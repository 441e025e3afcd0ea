# gradwatch-corpus: kind=none
"""Swarm of short-lived foragers that share a controller and die when their energy is gone."""
import torch
from torch import nn


class Forager:
    def __init__(self, name, energy):
        self.name, self.energy, self.diary = name, energy, []

    def live(self, thought, gain):
        self.diary.append(thought)
        self.energy += gain - 1.0

    @property
    def alive(self):
        return self.energy > 0 and len(self.diary) < 18

    def restlessness(self):
        if len(self.diary) < 2:
            return 0.0
        with torch.no_grad():
            return torch.stack(self.diary).diff(dim=0).norm(dim=-1).mean().item()


class Colony:
    def __init__(self, size):
        self.size, self.born, self.members, self.graves = size, 0, [], []
        self.replenish()

    def replenish(self):
        while len(self.members) < self.size:
            self.members.append(Forager(f"f{self.born}", 6.0))
            self.born += 1

    def reap(self):
        dead = [m for m in self.members if not m.alive]
        self.members = [m for m in self.members if m.alive]
        self.graves += [(m.name, len(m.diary), m.restlessness()) for m in dead]
        del self.graves[:-100]
        self.replenish()


class Controller(nn.Module):
    def __init__(self, senses, thought=10):
        super().__init__()
        self.think = nn.Sequential(nn.Linear(senses, 32), nn.Tanh(), nn.Linear(32, thought))
        self.move = nn.Linear(thought, 2)

    def forward(self, s):
        t = torch.tanh(self.think(s))
        return t, torch.tanh(self.move(t))


def world(gen, n):
    food = torch.randn(n, 2, generator=gen)
    food = food / food.norm(dim=1, keepdim=True).clamp(min=0.5)
    smell = torch.cat([food, food.roll(1, 1), torch.randn(n, 4, generator=gen)], 1)
    return smell, food


def main(ticks=450):
    torch.manual_seed(71)
    gen = torch.Generator().manual_seed(72)
    brain = Controller(8)
    opt = torch.optim.RMSprop(brain.parameters(), lr=5e-4)
    colony = Colony(8)
    for tick in range(ticks):
        smell, food = world(gen, len(colony.members))
        thought, move = brain(smell)
        dist = (move - food).pow(2).sum(1)
        loss = dist.mean() + 1e-3 * thought.pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        for agent, t, d in zip(colony.members, thought, dist.tolist()):
            agent.live(t, max(0.0, 1.0 - d))
        colony.reap()
        if tick % 75 == 74:
            age = sum(a for _, a, _ in colony.graves) / max(len(colony.graves), 1)
            print(f"tick {tick + 1} loss {loss.item():.4f} born {colony.born} mean age {age:.1f}")


if __name__ == "__main__":
    main()
