# gradwatch-corpus: kind=none
"""Click prediction with delayed labels: a prediction waits until its outcome is known, then is scored."""
import heapq
import itertools
import random
from collections import Counter

import torch
from torch import nn
import torch.nn.functional as F


class HashedLogit(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.lin = nn.Linear(d, 1)

    def forward(self, x):
        return self.lin(x).squeeze(-1)


class PendingBoard:
    def __init__(self):
        self.heap = []
        self.tick = itertools.count()
        self.delays = Counter()

    def post(self, due, logits, labels):
        heapq.heappush(self.heap, (due, next(self.tick), logits, labels))

    def due(self, now):
        while self.heap and self.heap[0][0] <= now:
            _, _, logits, labels = heapq.heappop(self.heap)
            yield logits, labels

    def __len__(self):
        return len(self.heap)


def impressions(w, n=16, d=30):
    x = (torch.rand(n, d) < 0.2).float() * torch.randn(n, d)
    y = (torch.rand(n) < torch.sigmoid(x @ w)).float()
    return x, y


def calibrate(store, bins=5):
    p = torch.cat([s[0] for s in store])
    y = torch.cat([s[1] for s in store])
    idx = (p * bins).long().clamp(max=bins - 1)
    return [round((p[idx == b].mean() - y[idx == b]).mean().item(), 3) if (idx == b).any() else None for b in range(bins)]


def main(rounds=450, max_delay=15, seed=19):
    torch.manual_seed(seed)
    random.seed(seed)
    w = torch.randn(30)
    model = HashedLogit(30)
    opt = torch.optim.SGD(model.parameters(), lr=0.3)
    board = PendingBoard()
    resolved = []
    for now in range(rounds):
        x, y = impressions(w)
        delay = random.randint(0, max_delay)
        board.delays[delay] += 1
        board.post(now + delay, model(x), y)
        losses = []
        for logits, labels in board.due(now):
            losses.append(F.binary_cross_entropy_with_logits(logits, labels))
            resolved.append((torch.sigmoid(logits).detach(), labels))
        if losses:
            opt.zero_grad()
            torch.stack(losses).mean().backward()
            opt.step()
        if now % 75 == 0 and resolved:
            print(f"round {now} waiting {len(board)} calibration {calibrate(resolved[-40:])}")
        if len(resolved) > 80:
            del resolved[:40]


if __name__ == "__main__":
    main()
