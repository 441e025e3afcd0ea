# gradwatch-corpus: kind=none
"""Population-based training of a few small forecasters of grid frequency.

Members take turns. The population starts small, is enlarged twice, and every so often its worst member is replaced by a
mutated copy of the best one.
"""
import copy
import random

import torch
from torch import nn

torch.set_num_threads(1)


class Member:
    def __init__(self, net, lr, born):
        self.net = net
        self.lr = lr
        self.born = born
        self.opt = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.9)
        self.trail = []          # the last few losses of this member

    def train_once(self, x, y, memory=4):
        loss = (self.net(x) - y).pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.trail = (self.trail + [loss])[-memory:]
        return loss

    @property
    def fitness(self):
        if not self.trail:
            return float("inf")
        return (sum(self.trail) / len(self.trail)).item()

    def offspring(self, rng, now):
        child = Member(copy.deepcopy(self.net), self.lr * rng.choice([0.7, 1.0, 1.4]), now)
        child.trail = list(self.trail)
        return child


class Population:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.members = []
        self.turn = 0

    def grow_to(self, size, now):
        while len(self.members) < size:
            lr = 10 ** self.rng.uniform(-3.5, -1.0)
            net = nn.Sequential(nn.Linear(12, 16), nn.Tanh(), nn.Linear(16, 1))
            self.members.append(Member(net, lr, now))

    def next(self):
        member = self.members[self.turn % len(self.members)]
        self.turn += 1
        return member

    def select(self, now):
        ranked = sorted(self.members, key=lambda m: m.fitness)
        best, worst = ranked[0], ranked[-1]
        if worst is not best:
            self.members[self.members.index(worst)] = best.offspring(self.rng, now)
        return best


def grid_batch(n):
    phase = 6.28 * torch.rand(n, 1)
    pace = 0.3 + 0.5 * torch.rand(n, 1)
    t = torch.arange(13).float()
    s = torch.sin(phase + pace * t) + 0.05 * torch.randn(n, 13)
    return s[:, :12], s[:, 12:]


def main():
    torch.manual_seed(66)
    pop = Population(seed=66)
    for it in range(600):
        if it == 0:
            pop.grow_to(3, it)
        elif it == 100:
            pop.grow_to(6, it)
        elif it == 220:
            pop.grow_to(10, it)
        pop.next().train_once(*grid_batch(32))
        if it % 60 == 59:
            best = pop.select(it)
            print(f"it {it + 1}: {len(pop.members)} members, best {best.fitness:.4f} (lr {best.lr:.4f}, born {best.born})")


if __name__ == "__main__":
    main()
