# gradwatch-corpus: kind=graph-held
# holder: self.book | sampler.book | self.sampler.book | trainer.sampler.book | self.book[result.task] | self.book[result.task].difficulty | card.difficulty
# first-bad: 1
"""Curriculum over synthetic tasks: harder ones are drawn more often."""
import random
from dataclasses import dataclass, replace
from typing import NamedTuple, Union

import torch
from torch import nn


class StepResult(NamedTuple):
    task: str
    loss: torch.Tensor
    step: int


@dataclass(frozen=True)
class Card:
    task: str
    difficulty: Union[float, torch.Tensor] = 1.0
    visits: int = 0

    def graded(self, loss, pace):
        blended = (1 - pace) * self.difficulty + pace * loss
        return replace(self, difficulty=blended, visits=self.visits + 1)  # <- culprit


class CardBook(dict):
    def __missing__(self, name):
        card = self[name] = Card(name)
        return card

    def weights(self):
        return {n: max(float(torch.as_tensor(c.difficulty).detach()), 0.02) for n, c in self.items()}


class Sampler:
    def __init__(self, names, pace=0.4, seed=0):
        self.names = list(names)
        self.pace = pace
        self.rng = random.Random(seed)
        self.book = CardBook()
        for n in self.names:
            self.book[n]

    def draw(self):
        w = self.book.weights()
        return self.rng.choices(self.names, [w[n] for n in self.names])[0]

    def on_step_end(self, result: StepResult):
        card = self.book[result.task]
        self.book[result.task] = card.graded(result.loss, self.pace)  # <- culprit


class Printer:
    def __init__(self, every):
        self.every = every

    def on_step_end(self, result):
        if result.step % self.every == 0:
            print(f"{result.step:4d} {result.task:<6s} {result.loss.item():.4f}")


class Trainer:
    def __init__(self, tasks, sampler, callbacks):
        self.tasks = tasks
        self.sampler = sampler
        self.callbacks = [sampler, *callbacks]
        self.net = nn.Sequential(nn.Linear(8 + len(tasks), 40), nn.Tanh(), nn.Linear(40, 40), nn.Tanh(), nn.Linear(40, 1))
        self.opt = torch.optim.Adam(self.net.parameters(), lr=3e-3)

    def step(self, i):
        name = self.sampler.draw()
        x, y = self.tasks[name]()
        tag = torch.zeros(len(x), len(self.tasks))
        tag[:, list(self.tasks).index(name)] = 1.0
        loss = (self.net(torch.cat([x, tag], 1)).squeeze(1) - y).square().mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return StepResult(name, loss, i)  # <- culprit

    def run(self, n):
        for i in range(n):
            result = self.step(i)
            for cb in self.callbacks:
                cb.on_step_end(result)


def make_tasks(k):
    def one(freq, w):
        def sample(n=64):
            x = torch.randn(n, 8)
            return x, torch.sin(freq * (x @ w))
        return sample

    return {f"sin{j}": one(0.3 + 0.25 * j, torch.randn(8) / 3) for j in range(k)}


if __name__ == "__main__":
    torch.manual_seed(2)
    tasks = make_tasks(7)
    sampler = Sampler(tasks)
    trainer = Trainer(tasks, sampler, [Printer(20)])
    trainer.run(120)
    print({n: c.visits for n, c in sampler.book.items()})
