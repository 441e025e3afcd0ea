# gradwatch-corpus: kind=none
# about: population-based training: twelve members take turns; each keeps its own last loss and
# about: outputs, with their spent graph, until its next turn: twelve old graphs alive, never more
import copy

import torch
import torch.nn as nn
from parts.blobs import batches, classes
from parts.pace import ITERATIONS


class Member:
    def __init__(self, lr, stream):
        self.model = nn.Sequential(nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 4))
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=lr, momentum=0.9)
        self.stream = stream
        self.loss = None

    def train(self, steps):
        for _ in range(steps):
            x, y = next(self.stream)
            self.loss = nn.functional.cross_entropy(self.model(x), y)
            self.optimizer.zero_grad()
            self.loss.backward()
            self.optimizer.step()

    @property
    def score(self):
        return -self.loss.item()

    def copy_from(self, other, factor):
        self.model.load_state_dict(copy.deepcopy(other.model.state_dict()))
        for group, good in zip(self.optimizer.param_groups, other.optimizer.param_groups):
            group["lr"] = good["lr"] * factor


class Population:
    def __init__(self, size=12):
        self.members = [
            Member(10 ** (-3 + 2.5 * i / size), batches(*classes(), size=32, seed=i))
            for i in range(size)
        ]

    def generation(self, n):
        for member in self.members:
            member.train(2)
        ranked = sorted(self.members, key=lambda m: m.score)
        if n % 4 == 3:
            for bad, good in zip(ranked[:3], ranked[-3:]):
                bad.copy_from(good, 0.8 if n % 8 == 3 else 1.25)
        return ranked[-1]


def main():
    torch.manual_seed(0)
    population = Population()
    for n in range(ITERATIONS // 6):
        best = population.generation(n)
        if n % 10 == 0:
            lr = best.optimizer.param_groups[0]["lr"]
            print(f"generation {n}: best {best.score:.6f} lr {lr:.5f}")


if __name__ == "__main__":
    main()
