# gradwatch-corpus: kind=graph-held
# holder: population[slot].score | population | self.population[slot].score | self.population | member.score | colony.population | colony.members | member
# first-bad: 1
# notice: 8
# after: alexhernandezgarcia/gflownet PR #133 "Compute EMAs outside of pytorch" (running average of the loss keeps every graph)
"""Population based training of quantile models for bid/ask spreads.

Members take turns; a member is an immutable record, so a turn returns a new record for its slot.
After each generation the worst member copies the weights of the best and perturbs its knobs.
"""
import copy
import random
from typing import Any, NamedTuple

import torch
from torch import nn

QUANTILES = torch.tensor([0.1, 0.5, 0.9])


class Knobs(NamedTuple):
    lr: float
    dropout: float

    def jitter(self, rng):
        return Knobs(self.lr * rng.choice((0.8, 1.25)), min(0.5, max(0.0, self.dropout + rng.uniform(-0.05, 0.05))))


class Member(NamedTuple):
    name: str
    net: nn.Module
    optimizer: Any
    knobs: Knobs
    score: Any = None
    turns: int = 0


def build(knobs, width=64, features=20):
    return nn.Sequential(
        nn.Linear(features, width), nn.GELU(), nn.Dropout(knobs.dropout),
        nn.Linear(width, width), nn.GELU(), nn.Linear(width, len(QUANTILES)))


def recruit(name, knobs):
    net = build(knobs)
    return Member(name, net, torch.optim.AdamW(net.parameters(), lr=knobs.lr), knobs)


def pinball(pred, y):
    err = y[:, None] - pred
    return torch.maximum(QUANTILES * err, (QUANTILES - 1) * err).mean()


def smooth(old, new, decay=0.97):
    return new if old is None else decay * old + (1 - decay) * new  # <- culprit


def play_turn(member, batch):
    x, y = batch
    loss = pinball(member.net(x), y)
    member.optimizer.zero_grad()
    loss.backward()
    member.optimizer.step()
    return member._replace(score=smooth(member.score, loss), turns=member.turns + 1)  # <- culprit


class Colony:
    def __init__(self, size, rng):
        self.rng = rng
        self.population = [recruit(f"m{i}", Knobs(10 ** rng.uniform(-4, -2), rng.uniform(0, 0.3)))
                           for i in range(size)]

    @property
    def ranking(self):
        return sorted(range(len(self.population)), key=lambda i: float(self.population[i].score))

    def generation(self, feed, turns):
        for _ in range(turns):
            for slot, member in enumerate(self.population):
                self.population[slot] = play_turn(member, next(feed))

    def evolve(self):
        best, worst = self.ranking[0], self.ranking[-1]
        teacher, pupil = self.population[best], self.population[worst]
        pupil.net.load_state_dict(teacher.net.state_dict())
        knobs = teacher.knobs.jitter(self.rng)
        for group in pupil.optimizer.param_groups:
            group["lr"] = knobs.lr
        pupil.net[2].p = knobs.dropout
        pupil.optimizer.state.clear()
        self.population[worst] = pupil._replace(knobs=copy.copy(knobs), score=teacher.score)
        return pupil.name, teacher.name


def quotes(batch=128, features=20):
    beta = torch.randn(features) * 0.3
    while True:
        x = torch.randn(batch, features)
        vol = torch.exp(0.5 * x[:, 0])
        yield x, x @ beta + vol * torch.randn(batch)


def main():
    torch.manual_seed(2)
    colony = Colony(4, random.Random(4))
    feed = quotes()
    for g in range(6):
        colony.generation(feed, turns=5)
        pupil, teacher = colony.evolve()
        board = " ".join(f"{m.name}:{float(m.score):.3f}" for m in colony.population)
        print(f"generation {g}: {pupil} <- {teacher} | {board}")


if __name__ == "__main__":
    main()
