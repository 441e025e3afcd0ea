# gradwatch-corpus: kind=second-backward
# holder: self.boards | self.boards[user] | board | entry.loss | hard.boards | replay.boards | self.boards[group] | hard.boards[group] | e.loss | hard.boards['heavy']
# first-bad: 20
# notice: 0
"""Implicit-feedback recommender; the hardest batches of each user group come back now and then."""
import heapq
import itertools
from typing import NamedTuple

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(8)

GROUPS = ["new", "casual", "heavy"]


class Entry(NamedTuple):
    score: float
    tie: int
    loss: torch.Tensor


class HardBoard:
    """Top-k per group, a heap each, so that the easiest is the first to go."""

    def __init__(self, groups, k=3):
        self.k = k
        self.boards = {g: [] for g in groups}
        self._tie = itertools.count()

    def offer(self, group, loss):
        entry = Entry(loss.item(), next(self._tie), loss)  # <- culprit
        board = self.boards[group]
        if len(board) < self.k:
            heapq.heappush(board, entry)  # <- culprit
        else:
            heapq.heappushpop(board, entry)  # <- culprit

    def drain(self, group):
        """Hand out what the group's board has and start it anew."""
        board, self.boards[group] = self.boards[group], []
        return [e.loss for e in sorted(board, reverse=True)]

    def summary(self):
        return {g: round(max(b)[0], 3) for g, b in self.boards.items() if b}


class Factors(nn.Module):
    def __init__(self, users, items, dim=12):
        super().__init__()
        self.u = nn.Embedding(users, dim)
        self.i = nn.Embedding(items, dim)
        self.b = nn.Embedding(items, 1)
        for e in (self.u, self.i):
            nn.init.normal_(e.weight, std=0.2)

    def forward(self, users, items):
        return (self.u(users) * self.i(items)).sum(-1) + self.b(items).squeeze(-1)


def bpr(model, users, liked, other):
    return -nn.functional.logsigmoid(model(users, liked) - model(users, other)).mean()


def draw(taste, group, n=64):
    third = len(taste) // len(GROUPS)
    lo = GROUPS.index(group) * third
    users = torch.randint(lo, lo + third, (n,))
    a, b = torch.randint(taste.size(1), (2, n))
    swap = taste[users, a] < taste[users, b]
    return users, torch.where(swap, b, a), torch.where(swap, a, b)


def main():
    users, items = 150, 80
    taste = torch.randn(users, 4) @ torch.randn(4, items)
    model = Factors(users, items)
    opt = torch.optim.Adagrad(model.parameters(), lr=0.05)
    hard = HardBoard(GROUPS)
    warmup, replay_every = 20, 10

    for step in range(300):
        group = GROUPS[step % len(GROUPS)]
        loss = bpr(model, *draw(taste, group))
        hard.offer(group, loss)  # <- culprit
        total = loss
        if step >= warmup and step % replay_every == 0:
            again = hard.drain(group)
            total = loss + 0.5 * torch.stack(again).mean()  # <- culprit
        opt.zero_grad()
        total.backward()
        opt.step()
        if step % 9 == 0:
            print(step, f"{loss.item():.4f}", hard.summary())


if __name__ == "__main__":
    main()
