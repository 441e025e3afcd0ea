# gradwatch-corpus: kind=graph-held
# holder: self.heap | hardest.heap | hardest | self.hardest.heap
# first-bad: 1
"""Curriculum training on toy arithmetic; keeps the hardest samples for the error report."""
import heapq
from dataclasses import dataclass, field
from itertools import count

import torch
from torch import nn

torch.set_num_threads(1)


@dataclass(order=True)
class Entry:
    score: float
    order: int
    prediction: torch.Tensor = field(compare=False)
    answer: float = field(compare=False)


class Hardest:
    def __init__(self, size):
        self.size, self.heap, self._order = size, [], count()

    def offer(self, losses, predictions, answers):
        for l, p, a in zip(losses.tolist(), predictions, answers.tolist()):
            e = Entry(l, next(self._order), p, a)  # <- culprit
            if len(self.heap) < self.size:
                heapq.heappush(self.heap, e)  # <- culprit
            else:
                heapq.heappushpop(self.heap, e)  # <- culprit

    def report(self):
        for e in heapq.nlargest(4, self.heap):
            print(f"   wanted {e.answer:6.2f} got {e.prediction.item():6.2f}  (loss {e.score:.3f})")


class Adder(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.rnn = nn.GRU(1, width, batch_first=True)
        self.read = nn.Linear(width, 1)

    def forward(self, x):
        _, h = self.rnn(x)
        return self.read(h[-1]).squeeze(-1)


class Curriculum:
    def __init__(self, start=2, end=9, patience=15, goal=0.4):
        self.level, self.end, self.patience, self.goal = start, end, patience, goal
        self.good = 0

    def feedback(self, loss):
        self.good = self.good + 1 if loss < self.goal else 0
        if self.good >= self.patience and self.level < self.end:
            self.level, self.good = self.level + 1, 0

    def batch(self, n=32):
        x = torch.rand(n, self.level, 1)
        return x, x.sum((1, 2))


def main(steps=140):
    torch.manual_seed(6)
    net, plan, hardest = Adder(), Curriculum(), Hardest(60)
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    for step in range(steps):
        x, y = plan.batch()
        out = net(x)
        losses = (out - y).square()
        opt.zero_grad()
        losses.mean().backward()
        opt.step()
        plan.feedback(losses.mean().item())
        hardest.offer(losses, out, y)  # <- culprit
        if step % 35 == 0:
            print(f"step {step} length {plan.level} mse {losses.mean().item():.4f}")
            hardest.report()


if __name__ == "__main__":
    main()
