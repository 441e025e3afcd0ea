# gradwatch-corpus: kind=graph-held
# holder: self.left | join.left
# first-bad: 1
# notice: 30
"""Predictions wait for ratings that arrive later; matched pairs feed a calibration report."""
import random

import torch
import torch.nn.functional as F
from torch import nn


class StreamJoin:
    def __init__(self, window):
        self.window = window
        self.left = {}
        self.right = {}

    def put_left(self, key, ts, value):
        self.left[key] = (ts, value)  # <- culprit

    def put_right(self, key, ts, value):
        self.right[key] = (ts, value)

    def matches(self):
        for key in list(self.right):
            if key in self.left:
                yield self.left[key][1], self.right.pop(key)[1]

    def watermark(self, now):
        late = [k for k, (ts, _) in self.right.items() if now - ts > self.window]
        for k in late:
            del self.right[k]
        return len(late)


class Rater(nn.Module):
    def __init__(self, n_in=11):
        super().__init__()
        self.inp = nn.Linear(n_in, 32)
        self.mid = nn.Linear(32, 16)
        self.out = nn.Linear(16, 1)

    def forward(self, x):
        h = torch.tanh(self.inp(x))
        return self.out(torch.tanh(self.mid(h))).squeeze(-1)


class Calibration:
    def __init__(self, bins=10):
        self.hits = [0.0] * bins
        self.count = [0] * bins

    def add(self, prob, rating):
        b = min(len(self.hits) - 1, int(prob * len(self.hits)))
        self.hits[b] += rating
        self.count[b] += 1

    def error(self):
        n = sum(self.count) or 1
        centers = [(i + 0.5) / len(self.hits) for i in range(len(self.hits))]
        return sum(abs(h - c * k) for h, c, k in zip(self.hits, centers, self.count)) / n


def main():
    torch.manual_seed(97)
    rng = random.Random(97)
    w = torch.randn(11)
    model = Rater()
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    join = StreamJoin(window=25)
    report = Calibration()
    inbox = {}
    late = 0
    for now in range(560):
        x = torch.randn(32, 11)
        y = torch.bernoulli(torch.sigmoid(2 * x @ w))
        prob = torch.sigmoid(model(x))
        loss = F.binary_cross_entropy(prob, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        join.put_left(now, now, prob[0])
        inbox.setdefault(now + rng.randrange(1, 20), []).append((now, y[0].item()))
        for key, rating in inbox.pop(now, ()):
            join.put_right(key, now, rating)
        for p, rating in join.matches():
            report.add(p.item(), rating)
        late += join.watermark(now)
        if now % 112 == 111:
            print(f"{now + 1}: loss {loss.item():.3f} calibration {report.error():.3f} late {late}")


if __name__ == "__main__":
    main()
