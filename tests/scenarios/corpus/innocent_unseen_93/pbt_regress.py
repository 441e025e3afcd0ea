# gradwatch-corpus: kind=none
"""Population-based training: twelve members, each with its own learning rate.
Members take turns; the worst copies the best (exploit) and perturbs (explore)."""
import copy
import random
from dataclasses import dataclass, field

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(6)
random.seed(6)

POP = 12
ROUNDS = 40


@dataclass
class Member:
    name: int
    net: nn.Module
    lr: float
    opt: torch.optim.Optimizer = None
    fitness: torch.Tensor = None
    parent: int = None
    scores: list = field(default_factory=list)

    def __post_init__(self):
        self.opt = torch.optim.SGD(self.net.parameters(), lr=self.lr, momentum=0.9)


def mlp():
    return nn.Sequential(nn.Linear(2, 20), nn.Tanh(), nn.Linear(20, 20), nn.Tanh(), nn.Linear(20, 1))


def surface(n):
    x = torch.rand(n, 2) * 4 - 2
    y = torch.sin(2 * x[:, :1]) * x[:, 1:] + 0.3 * x[:, :1]
    return x, y + 0.05 * torch.randn(n, 1)


def train(member):
    x, y = surface(20)
    loss = nn.functional.mse_loss(member.net(x), y)
    member.opt.zero_grad()
    loss.backward()
    member.opt.step()
    member.fitness = -loss
    member.scores.append(loss.item())
    member.scores = member.scores[-10:]


def exploit(population):
    ranked = sorted(population, key=lambda m: float(m.fitness.detach()), reverse=True)
    for bad, good in zip(ranked[-2:], ranked[:2]):
        child = Member(bad.name, copy.deepcopy(good.net), good.lr * random.choice([0.8, 1.25]))
        child.parent = good.name
        child.fitness = good.fitness
        population[bad.name] = child


population = [Member(i, mlp(), 10 ** random.uniform(-3, -1)) for i in range(POP)]
for rnd in range(ROUNDS):
    for m in population:
        train(m)
    if rnd % 4 == 3:
        exploit(population)
    if rnd % 10 == 9:
        spread = torch.stack([m.fitness for m in population])
        best = max(population, key=lambda m: m.fitness.item())
        print(f"round {rnd + 1:3d} best {-best.fitness.item():.4f} (lr {best.lr:.4f}) "
              f"mean {-spread.mean().item():.4f}")
