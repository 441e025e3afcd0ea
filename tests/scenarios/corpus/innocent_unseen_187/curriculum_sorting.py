# gradwatch-corpus: kind=none
import heapq
import itertools

import torch
from torch import nn


class HardPool:
    """Keeps the hardest recent problems so that they can be asked again."""

    def __init__(self, capacity=24, max_age=50):
        self.capacity = capacity
        self.max_age = max_age
        self.heap = []
        self.tie = itertools.count()

    def push(self, step, problem, loss):
        entry = (loss.item(), next(self.tie), step, problem, loss)
        if len(self.heap) < self.capacity:
            heapq.heappush(self.heap, entry)
        else:
            heapq.heappushpop(self.heap, entry)

    def age(self, step):
        alive = [e for e in self.heap if step - e[2] < self.max_age]
        if len(alive) != len(self.heap):
            heapq.heapify(alive)
            self.heap = alive

    def hardest(self, n):
        return [e[3] for e in heapq.nlargest(n, self.heap)]

    def difficulty(self):
        if not self.heap:
            return 0.0
        return torch.stack([e[4] for e in self.heap]).mean().item()


class Ranker(nn.Module):
    def __init__(self, d=24):
        super().__init__()
        self.embed = nn.Linear(1, d)
        self.mix = nn.TransformerEncoderLayer(d, 2, 48, dropout=0.0, batch_first=True)
        self.out = nn.Linear(d, 1)

    def forward(self, x):
        return self.out(self.mix(self.embed(x.unsqueeze(-1)))).squeeze(-1)


def new_problems(n, length, gen):
    return list(torch.rand(n, length, generator=gen))


def main():
    torch.manual_seed(15)
    gen = torch.Generator().manual_seed(15)
    model = Ranker()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    pool = HardPool()
    length = 4
    for step in range(420):
        problems = new_problems(12, length, gen)
        problems += [p for p in pool.hardest(4) if len(p) == length]
        x = torch.stack(problems)
        rank = x.argsort(1).argsort(1).float() / (length - 1)
        per_problem = (model(x) - rank).pow(2).mean(1)
        loss = per_problem.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        top = per_problem.argmax().item()
        pool.push(step, problems[top], per_problem[top])
        pool.age(step)
        if step % 100 == 99:
            print(f"step {step} length {length} loss {loss.item():.4f} pool {pool.difficulty():.4f} ({len(pool.heap)})")
            length = min(8, length + 1)


if __name__ == "__main__":
    main()
